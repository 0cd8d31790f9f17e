"""`xs2a.client`: a client that signs by itself and needs nothing else. What it does is what httpx does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    lambda client, payment: client.post(journey.INSTANT, content='{"a": "å"}'),
    lambda client, payment: client.get("/v1/accounts", params={"withBalance": True}),
    lambda client, payment: client.get("/v1/x", params={"a": ["å b", 1], "b": None, "c": False, "!": "&"}),
    lambda client, payment: client.get("/v1/accounts", params={}),
    lambda client, payment: client.get("/v1/accounts?a=1", params={"withBalance": "true"}),
    lambda client, payment: client.delete("/v1/accounts", params={"a": ("x", "y")}),
    lambda client, payment: client.post(journey.INSTANT, params={"allowLogicalDuplicate": True}, json={}),
    lambda client, payment: client.put(f"{journey.INSTANT}/x", json={}),
    lambda client, payment: client.put(f"{journey.INSTANT}/x", params={"a": "1"}, content="{}"),
    lambda client, payment: client.get("https://bank.example?x=1"),
    lambda client, payment: client.delete(f"{journey.INSTANT}/x/authorisations"),
    lambda client, payment: client.request("PATCH", "/v1/no-such-route"),
    lambda client, payment: without(client, "psu-ip-address").post(journey.INSTANT, json=payment),
]


def without(client: Any, header: str) -> Any:
    """The client, that sends no such header any more."""
    client.headers.pop(header)
    return client


def both_clients(base_path: str) -> Iterator[tuple[xs2a.Sandbox, Any]]:
    """The small client and httpx's, each of a bank of its own; the two banks are the same."""
    options: dict[str, Any] = {"now": "2026-09-01T10:00:00Z", "seed": 1, "base_path": base_path}
    with xs2a.Sandbox(**options) as bank:
        yield bank, Client(bank, bank.register_tpp("Acme Pay"), {**HEADERS, "Accept-Encoding": "gzip"})
    with xs2a.Sandbox(**options) as bank:
        auth, base_url = Auth(bank.register_tpp("Acme Pay")), f"https://bank.example{base_path}"
        transport = Transport(bank)
        with httpx.Client(transport=transport, auth=auth, base_url=base_url, headers=HEADERS) as client:
            yield bank, client


@pytest.mark.parametrize("base_path", ["", "/api-sandbox"])
@pytest.mark.parametrize("call", CALLS)
def test_it_is_answered_as_httpx_is(call: Callable[[Any, dict[str, Any]], Any], base_path: str) -> None:
    answers = []
    for bank, client in both_clients(base_path):
        answer = call(client, journey.payment(bank))
        target = bank.journal.calls[-1].target
        sizes = ("content-length",)  # the small client leaves it out
        headers = {name: value for name, value in answer.headers.items() if name not in sizes}
        answers.append((target, answer.status_code, answer.content, answer.text, answer.json(), headers))
        assert answer.extensions.get("xs2a_reason") is None or answer.status_code >= 400
    assert answers[0] == answers[1]


@pytest.mark.parametrize("base_path", ["", "/api-sandbox"])
def test_a_link_of_an_answer_is_followed_as_by_httpx(base_path: str) -> None:
    pages = []
    for bank, client in both_clients(base_path):
        created = client.post(journey.INSTANT, json=journey.payment(bank)).json()
        page = client.get(created["_links"]["scaRedirect"]["href"])
        assert (page.status_code, "customerNumber" in page.text) == (200, True)
        pages.append(page.content)
    assert pages[0] == pages[1]


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
