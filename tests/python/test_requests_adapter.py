"""`xs2a.requests`: a sandbox reached by requests without a socket."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import payment_journey as journey
import pytest
import requests
import xs2a
from xs2a.requests import Adapter, Auth, reason_of

KNOWN_ROUTE = f"{journey.INSTANT}/%21%21id%3D/status"
BANK = "https://bank.example"


@pytest.fixture
def session(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> Iterator[requests.Session]:
    with requests.Session() as session:
        session.mount(BANK, Adapter(sandbox))
        session.auth = Auth(tpp)
        session.headers.update(dict(journey.HEADERS))
        yield session


def test_a_payment_is_made_and_read(sandbox: xs2a.Sandbox, session: requests.Session) -> None:
    created = session.post(BANK + journey.INSTANT, json=journey.payment(sandbox))
    assert (created.status_code, created.reason, reason_of(created)) == (201, "Created", None)
    sandbox.authorise(created.json()["_links"]["scaRedirect"]["href"])
    status = session.get(f"{BANK}{journey.INSTANT}/{created.json()['paymentId']}/status").json()
    assert status["transactionStatus"] == "ACSC"


def test_a_refusal_is_an_answer_with_its_reason(session: requests.Session) -> None:
    answer = session.get(BANK + KNOWN_ROUTE, headers={"Date": "Tue, 01 Sep 2026 09:58:00 GMT"})
    assert (answer.status_code, reason_of(answer)) == (400, "DAT-02")


@pytest.mark.parametrize(
    "of", [str, str.encode, lambda text: io.BytesIO(text.encode()), lambda text: iter([text.encode()])],
    ids=["text", "bytes", "file", "stream"],
)  # fmt: skip
@pytest.mark.parametrize("served", [False, True], ids=["in the process", "served"])
def test_a_body_of_any_source_is_signed(
    sandbox: xs2a.Sandbox, session: requests.Session, of: Any, served: bool
) -> None:
    body = json.dumps(journey.payment(sandbox, creditorName="Åse Ærlig"), ensure_ascii=False)
    with sandbox.serve() as url:
        answer = session.post((url if served else BANK) + journey.INSTANT, data=of(body))
    assert answer.status_code == 201, answer.text


def test_header_values_go_in_as_the_bytes_that_would_be_sent(
    sandbox: xs2a.Sandbox, session: requests.Session
) -> None:
    name, session.auth = "X-Norwegian", None
    for value, sent in (("Åse", b"\xc5se"), ("Åse".encode(), "Åse".encode())):
        given = requests.Request("GET", BANK + KNOWN_ROUTE, headers={name: value})
        request = session.prepare_request(given)
        headers = [
            (key, found if isinstance(found, bytes) else found.encode("latin-1"))
            for key, found in request.headers.items()
        ]
        assert dict(headers)[name] == sent
        here = sandbox.fork().handle("GET", KNOWN_ROUTE, headers)
        assert session.send(request).content == here.body


def test_the_answer_has_every_header_and_is_unpacked(session: requests.Session) -> None:
    answer = session.post(BANK + journey.BATCHED, json=journey.many_faults())
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.json()["tppMessages"]
    assert {"Date", "X-Request-ID", "Content-Language", "Content-Length"} <= set(answer.headers)


def test_head_is_answered_without_a_body(session: requests.Session) -> None:
    answer = session.head(BANK + KNOWN_ROUTE)
    assert (answer.status_code, answer.content, answer.headers["Allow"]) == (405, b"", "GET")


def test_other_hosts_are_not_the_sandbox_s(session: requests.Session) -> None:
    with pytest.raises(requests.ConnectionError):
        session.get("http://127.0.0.1:9/v1/x", timeout=5)


@pytest.mark.parametrize("twice", [copy.deepcopy, pickle.dumps])
def test_a_session_is_not_copied_without_its_bank(
    session: requests.Session, twice: Callable[[requests.Session], object]
) -> None:
    assert copy.copy(session).get(BANK + KNOWN_ROUTE).status_code == 404, "it has the same adapters"
    session.auth = None  # whose TPP is not copied either
    with pytest.raises(TypeError, match=r"xs2a\.Sandbox"):
        twice(session)
