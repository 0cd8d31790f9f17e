"""Requests and answers as bytes of HTTP/1.1. h11 reads what is answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import h11
import pytest
import xs2a

VECTORS = Path(__file__).parents[1] / "vectors" / "http_messages.json"
TARGET = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
HEADERS = {
    "x-accept-fix": "",
    "TPP-Session-ID": "session-1",
    "PSU-Context": "PRIVATE",
    "PSU-IP-Address": "192.0.2.1",
    "TPP-Redirect-URI": "https://tpp.example/callback",
}
PAYMENT = {
    "instructedAmount": {"amount": "250.00", "currency": "NOK"},
    "creditorName": "Testine Test",
    "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
    "creditorAddress": {"country": "NO"},
    "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
}


def read(answer: bytes, method: str = "GET") -> tuple[h11.Response, bytes]:
    connection = h11.Connection(h11.CLIENT)
    connection.send(h11.Request(method=method, target="/", headers=[("Host", "bank.example")]))
    connection.send(h11.EndOfMessage())
    connection.receive_data(answer)
    head, body = connection.next_event(), b""
    assert isinstance(head, h11.Response)
    while isinstance(event := connection.next_event(), h11.Data):
        body += event.data
    assert isinstance(event, h11.EndOfMessage)
    assert connection.trailing_data == (b"", False)
    return head, body


def signed(sandbox: xs2a.Sandbox) -> bytes:
    """A signed payment as h11 writes it."""
    body = json.dumps(PAYMENT).encode()
    headers = sandbox.register_tpp("Acme Pay").sign("POST", TARGET, HEADERS, body)
    connection = h11.Connection(h11.CLIENT)
    fields = [("Host", "bank.example"), *headers, ("Content-Length", str(len(body)))]
    head = connection.send(h11.Request(method="POST", target=TARGET, headers=fields))
    assert head is not None
    return head + (connection.send(h11.Data(data=body)) or b"")


@pytest.mark.parametrize("part", ["sandbox", "engine"])
def test_a_signed_payment_is_answered_in_bytes(part: str) -> None:
    with xs2a.Sandbox() as sandbox:
        bank = sandbox if part == "sandbox" else sandbox.engine
        answer = bank.handle_http(memoryview(signed(sandbox)))
        head, body = read(answer, "POST")
        assert head.status_code == 201
        assert json.loads(body)["transactionStatus"] == "RCVD"
        assert head.reason == b"Created"


@pytest.mark.parametrize(
    "vector", [pytest.param(one, id=one["id"]) for one in json.loads(VECTORS.read_text(encoding="utf-8"))]
)
def test_a_message_is_taken_or_refused_as_the_vector_says(vector: dict[str, Any]) -> None:
    with xs2a.Sandbox() as sandbox:
        head, body = read(sandbox.handle_http(vector["message"].encode("latin-1")))
        text = json.loads(body)["tppMessages"][0]["text"]
        if "section" not in vector["expected"]:
            assert "RFC 9112" not in text
            return
        assert head.status_code == 400
        assert (b"connection", b"close") in head.headers
        assert "section {section}, at byte {byte} ".format(**vector["expected"]) in text


def test_a_message_is_bytes() -> None:
    with xs2a.Sandbox() as sandbox, pytest.raises(TypeError):
        sandbox.handle_http("GET / HTTP/1.1\r\n\r\n")  # type: ignore[arg-type]
