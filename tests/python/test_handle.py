"""One request in, one answer out: the forms in which Python hands a request over, and those of the answer."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import payment_journey as journey
import pytest
import xs2a


@pytest.fixture
def body(sandbox: xs2a.Sandbox) -> bytes:
    return json.dumps(journey.payment(sandbox)).encode()


def test_headers_are_pairs_or_a_mapping(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, body: bytes) -> None:
    pairs = tpp.sign("POST", journey.INSTANT, journey.HEADERS, body)
    assert sandbox.handle("POST", journey.INSTANT, pairs, body).status == 201
    mapping = dict(tpp.sign("GET", f"{journey.INSTANT}/x/status", journey.HEADERS))
    assert sandbox.handle("GET", f"{journey.INSTANT}/x/status", mapping).status == 404
    generator = (pair for pair in tpp.sign("GET", "/v1/x", dict(journey.HEADERS)))
    assert sandbox.handle("GET", "/v1/x", generator).reason == "RTE-02"


def test_a_header_value_is_text_or_bytes(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, body: bytes) -> None:
    signed = tpp.sign("POST", journey.INSTANT, journey.HEADERS, body)
    as_bytes = [(name, value.encode()) for name, value in signed]
    assert sandbox.handle("POST", journey.INSTANT, as_bytes, body).status == 201


def test_text_in_a_header_is_sent_as_utf_8() -> None:
    as_text = xs2a.signing_string("GET", "/", {"psu-id": "Ærlig Ås"}, ["psu-id"])
    assert as_text == xs2a.signing_string("GET", "/", {"psu-id": "Ærlig Ås".encode()}, ["psu-id"])


def test_bytes_that_are_not_utf_8_are_answered(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, body: bytes) -> None:
    signed = tpp.sign("POST", journey.INSTANT, journey.HEADERS, body)
    latin: list[tuple[str, str | bytes]] = [*signed, ("TPP-Brand-Logging-Information", b"\xc6rlig")]
    assert sandbox.handle("POST", journey.INSTANT, latin, body).status in (201, 400)


@pytest.mark.parametrize("form", [bytes, bytearray, memoryview])
def test_a_body_is_anything_like_bytes(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, body: bytes, form: type[bytes]
) -> None:
    signed = tpp.sign("POST", journey.INSTANT, journey.HEADERS, form(body))
    assert sandbox.handle("POST", journey.INSTANT, signed, form(body)).status == 201


def test_no_body_is_none_or_empty(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    for nothing in (None, b""):
        signed = tpp.sign("GET", "/v1/x", journey.HEADERS, nothing)
        assert "Digest" not in dict(signed)
        assert sandbox.handle("GET", "/v1/x", signed, nothing).reason == "RTE-02"


def test_text_as_a_body_is_a_type_error(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(TypeError, match="encode it"):
        sandbox.handle("POST", "/v1/accounts", [], "{}")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "headers", ["Date: now", b"Date: now", ["ab"], [("a", "b", "c")], [("a", 1)], [(b"a", "b")]]
)
def test_headers_that_are_none_are_a_type_error(sandbox: xs2a.Sandbox, headers: object) -> None:
    with pytest.raises(TypeError):
        sandbox.handle("GET", "/v1/accounts", headers)  # type: ignore[arg-type]


class Interrupted(list[tuple[str, str]]):
    """As where Ctrl-C is pressed while Python looks whether these are a mapping."""

    @property
    def __class__(self) -> type[Interrupted]:
        raise KeyboardInterrupt

    @__class__.setter
    def __class__(self, _given: type[Interrupted]) -> None: ...


def test_what_is_raised_while_headers_are_looked_at_comes_out_of_the_call(
    sandbox: xs2a.Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", shown.append)
    with pytest.raises(KeyboardInterrupt):
        sandbox.handle("GET", "/v1/accounts", Interrupted([("PSU-ID", "13039319955")]))
    assert shown == []


@pytest.mark.parametrize("form", [list, tuple, dict])
def test_no_python_runs_that_ctrl_c_could_end_while_headers_are_read(
    sandbox: xs2a.Sandbox, form: Callable[[object], Any]
) -> None:
    headers, ran = form([("PSU-ID", "13039319955")]), []

    def profile(frame: FrameType, event: str, _arg: object) -> None:
        if event == "call":
            ran.append(frame.f_code.co_name)

    sys.setprofile(profile)
    try:
        sandbox.handle("GET", "/v1/accounts", headers)
    finally:
        sys.setprofile(None)
    assert ran == []


def test_a_lone_surrogate_in_a_header_is_misuse(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(xs2a.MisuseError, match="bytes"):
        sandbox.handle("GET", "/v1/accounts", {"Date": "\udcc6"})


@pytest.mark.parametrize("method", ["", "get", "GET ", "\x00", "TRACE", "POST" * 1000])
@pytest.mark.parametrize(
    "target", ["", "*", "v1", "//", "/v1/%zz", "/v1/accounts?%", "/" * 5000, "/ø", "\x00"]
)
def test_every_request_is_answered(sandbox: xs2a.Sandbox, method: str, target: str) -> None:
    headers = [("", ""), ("Date", "\r\n"), ("Signature", "=?utf-8?B?!?="), ("Date", "x" * 9000)]
    answer = sandbox.handle(method, target, headers, b"\xff{")
    assert 400 <= answer.status < 500
    assert answer.json()["tppMessages"][0]["category"] == "ERROR"


def test_a_refusal_is_a_normal_answer_with_a_reason(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    answer = journey.call(sandbox, tpp, "GET", "/v1/no-such-thing")
    assert (answer.status, answer.reason) == (404, "RTE-02")
    assert repr(answer) == "<Response 404 RTE-02>"
    assert "RTE-02" not in answer.body.decode(), "the reason is not sent"


def test_an_answer_without_a_refusal_has_no_reason(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    answer = journey.post(sandbox, tpp, journey.payment(sandbox))
    assert answer.reason is None
    assert repr(answer) == "<Response 201>"


def test_an_answer_has_its_headers_in_order_and_by_any_case(sandbox: xs2a.Sandbox) -> None:
    answer = sandbox.handle("GET", "/v1/no-such-thing", [])
    assert all(isinstance(name, str) and isinstance(value, str) for name, value in answer.headers)
    assert answer.header("CONTENT-TYPE") == dict(answer.headers)["Content-Type"]
    assert answer.header("No-Such-Header") is None


def test_json_decompresses_where_the_answer_is_gzip(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, body: bytes
) -> None:
    fixes = ",".join(f"no-such-fix-{number}" for number in range(40))  # each earns a warning
    headers = [("x-accept-fix", fixes), ("Accept-Encoding", "gzip"), *journey.HEADERS[1:]]
    signed = tpp.sign("POST", journey.INSTANT, headers, body)
    answer = sandbox.handle("POST", journey.INSTANT, signed, body)
    assert answer.header("Content-Encoding") == "gzip"
    assert answer.json() == json.loads(gzip.decompress(answer.body))
    assert len(answer.json()["tppMessages"]) == 40


def test_sign_keeps_what_is_given_and_adds_what_is_absent(tpp: xs2a.Tpp) -> None:
    given = [("X-Request-ID", "4eba4445-1a4b-47b8-bdd5-4e56ef026b19"), ("TPP-Redirect-URI", journey.CALLBACK)]
    signed = tpp.sign("POST", "/v1/x", given, b"{}")
    assert signed[:2] == given
    added = [name for name, _ in signed[2:]]
    assert sorted(added) == ["Date", "Digest", "Signature", "TPP-Signature-Certificate"]


def test_sign_takes_utf_8_alone(tpp: xs2a.Tpp) -> None:
    with pytest.raises(xs2a.MisuseError, match="UTF-8"):
        tpp.sign("GET", "/v1/x", {"PSU-User-Agent": b"\xc6"})
