"""`xs2a.client`: a client that signs by itself and needs nothing else. What it does is what httpx does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import payment_journey as journey
import pytest
import xs2a
import xs2a.requests
from xs2a.client import Client, Headers
from xs2a.httpx import Auth, Transport

HEADERS = dict(journey.HEADERS)
CALLS: list[Callable[[Any, dict[str, Any]], Any]] = [
    lambda client, payment: client.post(journey.INSTANT, json=payment),
    lambda client, payment: client.post(journey.INSTANT, content=b'{"a": "\xc3\xa5"}'),
    lambda client, payment: client.post(journey.BATCHED, json={"more": [{}] * 50}),
    lambda client, payment: client.post(
        journey.INSTANT, json=payment, headers={"content-type": "text/plain"}
    ),
    lambda client, payment: client.get(f"{journey.INSTANT}/x/status", headers={"PSU-Context": "BUSINESS"}),
    lambda client, payment: client.get(f"{journey.INSTANT}/%21x/status"),
    lambda client, payment: client.put(f"{journey.INSTANT}/x", json={}),
    lambda client, payment: client.delete(f"{journey.INSTANT}/x/authorisations"),
    lambda client, payment: client.request("PATCH", "/v1/no-such-route"),
    lambda client, payment: without(client, "psu-ip-address").post(journey.INSTANT, json=payment),
]


def without(client: Any, header: str) -> Any:
    """The client, that sends no such header any more."""
    client.headers.pop(header)
    return client


@pytest.mark.parametrize("base_path", ["", "/api-sandbox"])
@pytest.mark.parametrize("call", CALLS)
def test_it_is_answered_as_httpx_is(call: Callable[[Any, dict[str, Any]], Any], base_path: str) -> None:
    answers = []
    for other in (False, True):
        with xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1, base_path=base_path) as bank:
            tpp = bank.register_tpp("Acme Pay")
            if other:
                base_url = f"https://bank.example{base_path}"
                with httpx.Client(
                    transport=Transport(bank), auth=Auth(tpp), base_url=base_url, headers=HEADERS
                ) as client:
                    answer = call(client, journey.payment(bank))
            else:
                answer = call(
                    Client(bank, tpp, {**HEADERS, "Accept-Encoding": "gzip"}), journey.payment(bank)
                )
        sizes = ("content-length",)  # the small client leaves it out
        headers = {name: value for name, value in answer.headers.items() if name not in sizes}
        answers.append((answer.status_code, answer.content, answer.text, answer.json(), headers))
        assert answer.extensions.get("xs2a_reason") is None or answer.status_code >= 400
    assert answers[0] == answers[1]


def test_header_names_are_found_in_any_case_and_repeated_ones_joined() -> None:
    headers = Headers([("Link", "a"), ("ETag", "x"), ("link", "b")])
    assert (headers["LINK"], headers.get("Etag"), headers.get("Date")) == ("a, b", "x", None)
    assert (len(headers), dict(headers)) == (2, {"link": "a, b", "etag": "x"})


@pytest.mark.parametrize("given", [None, "bank.sqlite", object(), xs2a.Sandbox, xs2a.Tpp])
def test_what_is_no_bank_and_no_tpp_is_refused_where_it_is_handed_over(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, given: Any
) -> None:
    takes_a_bank: list[Callable[[Any], object]] = [
        Transport, xs2a.requests.Adapter, lambda given: Client(given, tpp),
    ]  # fmt: skip
    takes_a_tpp: list[Callable[[Any], object]] = [
        Auth, xs2a.requests.Auth, lambda given: Client(sandbox, given),
    ]  # fmt: skip
    for takes in takes_a_bank:
        for wrong in (given, tpp):
            with pytest.raises(TypeError, match=r"^a Sandbox is expected, not "):
                takes(wrong)
    for takes in takes_a_tpp:
        for wrong in (given, sandbox):
            with pytest.raises(TypeError, match=r"^a Tpp is expected, not "):
                takes(wrong)


def test_an_engine_answers_a_transport_as_its_sandbox_does(sandbox: xs2a.Sandbox) -> None:
    answers = []
    for bank in (sandbox, sandbox.engine):
        with httpx.Client(transport=Transport(bank)) as client:  # type: ignore[arg-type]
            answers.append(client.get("https://bank.example/v1/no-such-route").content)
    assert answers[0] == answers[1] != b""
