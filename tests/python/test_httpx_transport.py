"""`xs2a.httpx`: a sandbox reached by httpx without a socket."""

from __future__ import annotations

import asyncio
import hashlib
import socket
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

import httpx
import payment_journey as journey
import pytest
import xs2a
from xs2a.httpx import Auth, Transport, reason_of

KNOWN_ROUTE = f"{journey.INSTANT}/%21%21id%3D/status"
HEADERS = dict(journey.HEADERS)
BANK = "https://bank.example"


@pytest.fixture
def client(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> Iterator[httpx.Client]:
    with httpx.Client(transport=Transport(sandbox), auth=Auth(tpp), base_url=BANK, headers=HEADERS) as client:
        yield client


def test_a_payment_is_made_and_read(sandbox: xs2a.Sandbox, client: httpx.Client) -> None:
    created = client.post(journey.INSTANT, json=journey.payment(sandbox))
    assert (created.status_code, reason_of(created)) == (201, None)
    sandbox.authorise(created.json()["_links"]["scaRedirect"]["href"])
    status = client.get(f"{journey.INSTANT}/{created.json()['paymentId']}/status").json()
    assert status["transactionStatus"] == "ACSC"


def test_a_refusal_is_an_answer_with_its_reason(sandbox: xs2a.Sandbox, client: httpx.Client) -> None:
    for auth, status, reason in ((None, 404, "PAY-01"), (lambda request: request, 400, "HDR-04")):
        answer = client.get(KNOWN_ROUTE, auth=auth or client.auth)
        assert (answer.status_code, reason_of(answer)) == (status, reason)


@contextmanager
def served_raw() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """A socket that answers one request, and what came in there."""
    received: list[bytes] = []

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            received.append(connection.recv(65536))
            connection.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", lambda: received[0]
        thread.join()


def test_what_reaches_the_bank_is_what_a_socket_would_carry(sandbox: xs2a.Sandbox) -> None:
    sent = [("X-Twice", b"b"), ("x-twice", b"a, c"), ("X-Norwegian", "Åse".encode()), ("X-Latin", b"\xc5se")]
    target = "/v1/accounts/%21%21a%3D?withBalance=%74rue&&x"
    fields = [(name.encode(), value) for name, value in sent]
    handed: list[tuple[str, str, list[tuple[str, bytes]]]] = []

    class Recording:
        def handle(
            self, method: str, target: str, headers: list[tuple[str, bytes]], body: bytes
        ) -> xs2a.Response:
            handed.append((method, target, headers))
            return sandbox.handle(method, target, headers, body)

    with httpx.Client(transport=Transport(cast("xs2a.Sandbox", Recording()))) as client:
        client.get(BANK + target, headers=fields)
    with served_raw() as (url, received):
        httpx.get(url + target, headers=fields)
    head, *lines = received().split(b"\r\n\r\n")[0].split(b"\r\n")
    over_a_socket = [
        (name.decode(), value.strip()) for name, _, value in (line.partition(b":") for line in lines)
    ]
    assert handed[0][:2] == ("GET", target)
    assert head == f"GET {target} HTTP/1.1".encode()
    assert handed[0][2][1:] == over_a_socket[1:]  # but Host
    assert over_a_socket[-4:] == sent


def test_a_repeated_header_is_refused_as_in_the_process(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    signed = tpp.sign("GET", KNOWN_ROUTE, journey.HEADERS)
    doubled = [*signed, ("Date", "Tue, 01 Sep 2026 10:00:00 GMT")]
    with httpx.Client(transport=Transport(sandbox)) as client:
        answer = client.get(BANK + KNOWN_ROUTE, headers=doubled)
    here = sandbox.handle("GET", KNOWN_ROUTE, doubled)
    assert (answer.content, reason_of(answer)) == (here.body, here.reason)


def test_what_the_request_has_already_is_signed_as_it_is(client: httpx.Client, sandbox: xs2a.Sandbox) -> None:
    answer = client.get(KNOWN_ROUTE, headers={"Date": "Tue, 01 Sep 2026 09:58:00 GMT"})
    assert reason_of(answer) == "DAT-02"
    answer = client.get(KNOWN_ROUTE, headers={"X-Request-ID": "99391c7e-ad88-49ec-a2ad-99ddcb1f7721"})
    assert answer.headers["x-request-id"] == "99391c7e-ad88-49ec-a2ad-99ddcb1f7721"


def test_the_digest_covers_a_body_that_is_streamed(client: httpx.Client) -> None:
    request = client.build_request("POST", journey.INSTANT, content=iter([b'{"a"', b":1}"]))
    client.send(request)
    assert request.headers["digest"] == "SHA-256=" + b64encode(hashlib.sha256(b'{"a":1}').digest()).decode()


def test_the_answer_has_every_header_and_is_unpacked(sandbox: xs2a.Sandbox, client: httpx.Client) -> None:
    answer = client.post(journey.BATCHED, json=journey.many_faults(), headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.json()["tppMessages"]
    names = [name.lower() for name, _ in answer.headers.raw]
    assert {b"date", b"x-request-id", b"content-language", b"content-length"} <= set(names)


def test_head_is_answered_without_a_body(client: httpx.Client) -> None:
    answer = client.head(KNOWN_ROUTE)
    assert (answer.status_code, answer.content, answer.headers["allow"]) == (405, b"", "GET")


def test_an_async_client_reaches_the_same_bank(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    async def pay() -> httpx.Response:
        transport, auth = Transport(sandbox), Auth(tpp)
        async with httpx.AsyncClient(
            transport=transport, auth=auth, base_url=BANK, headers=HEADERS
        ) as client:
            return await client.post(journey.INSTANT, json=journey.payment(sandbox))

    answer = asyncio.run(pay())
    assert answer.status_code == 201
    assert journey.status(sandbox, tpp, f"{journey.INSTANT}/{answer.json()['paymentId']}") == "RCVD"


def test_the_auth_signs_for_a_served_bank_too(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    with sandbox.serve() as url, httpx.Client(base_url=url, auth=Auth(tpp), headers=HEADERS) as client:
        answer = client.post(journey.INSTANT, json=journey.payment(sandbox))
        assert (answer.status_code, reason_of(answer)) == (201, None)
        assert client.get(f"{KNOWN_ROUTE}?").status_code == 404
