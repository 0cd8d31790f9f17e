"""`xs2a.aiohttp`: a sandbox reached by aiohttp without a socket."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import aiohttp
import payment_journey as journey
import pytest
import xs2a
from xs2a.aiohttp import Auth, Connector

BANK = "https://bank.example"
KNOWN_ROUTE = f"{journey.INSTANT}/%21%21id%3D/status"
HEADERS = dict(journey.HEADERS)

Work = Callable[[aiohttp.ClientSession], Coroutine[Any, Any, Any]]


def within(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp | None, work: Work) -> Any:
    """Runs `work` in a session that reaches the sandbox, and signs where a TPP is given."""

    async def main() -> Any:
        middlewares = [] if tpp is None else [Auth(tpp)]
        connector = Connector(sandbox)
        async with aiohttp.ClientSession(
            BANK, connector=connector, middlewares=middlewares, headers=HEADERS
        ) as session:
            return await work(session)

    return asyncio.run(main())


def test_a_payment_is_made_and_read(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    async def pay(session: aiohttp.ClientSession) -> tuple[int, str]:
        async with session.post(journey.INSTANT, json=journey.payment(sandbox)) as created:
            body = await created.json()
        sandbox.authorise(body["_links"]["scaRedirect"]["href"])
        async with session.get(f"{journey.INSTANT}/{body['paymentId']}/status") as answer:
            return created.status, (await answer.json())["transactionStatus"]

    assert within(sandbox, tpp, pay) == (201, "ACSC")


def test_no_socket_is_opened(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, monkeypatch: pytest.MonkeyPatch) -> None:
    async def get(session: aiohttp.ClientSession) -> int:
        def refuse(*_: object) -> None:
            raise AssertionError("a socket")

        monkeypatch.setattr(socket.socket, "connect", refuse)
        async with session.get(KNOWN_ROUTE) as answer:
            return answer.status

    assert within(sandbox, tpp, get) == 404


def test_refusals_are_answers_and_their_reasons_are_in_the_sandbox(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp
) -> None:
    async def get(session: aiohttp.ClientSession) -> int:
        async with session.get(KNOWN_ROUTE) as answer:
            return answer.status

    assert within(sandbox, tpp, get) == 404
    assert sandbox.calls().last.reason == "PAY-01"
    assert within(sandbox, None, get) == 400
    assert sandbox.calls().last.reason == "HDR-04"


def test_headers_and_bytes_arrive_as_they_are_sent(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    async def parts() -> AsyncIterator[bytes]:
        for part in (b'{"a', b"\xc3\xb8", b'":1}'):
            yield part

    async def send(session: aiohttp.ClientSession) -> None:
        headers = {"X-Norwegian": "Åse", "Content-Type": "application/json"}
        for body in (b'{"a\xc3\xb8":1}', parts()):
            async with session.post(journey.INSTANT, data=body, headers=headers) as answer:
                await answer.read()

    within(sandbox, None, send)
    for call in sandbox.calls(method="POST"):
        assert call.body == b'{"a\xc3\xb8":1}'
        assert (call.header("X-Norwegian"), call.header("Host")) == ("Åse", "bank.example")
    within(sandbox, tpp, lambda session: session.post(journey.INSTANT, data=b"{}"))
    assert sandbox.calls().last.reason not in (None, "DIG-01", "SIG-13")


@pytest.mark.parametrize("size", [0, 1, 65_536, 1_000_000])
def test_bodies_of_every_size_are_signed_and_read(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, size: int) -> None:
    async def send(session: aiohttp.ClientSession) -> bytes:
        async with session.post(journey.INSTANT, data=b" " * size, expect100=size > 1) as answer:
            return await answer.read()

    body = within(sandbox, tpp, send)
    call = sandbox.calls().last
    assert (call.body, call.answer_body) == (b" " * size, body)
    assert not str(call.reason).startswith(("SIG", "DIG")), call.reason


def test_many_requests_at_once_are_all_answered(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    async def get_many(session: aiohttp.ClientSession) -> set[int]:
        async def get() -> int:
            async with session.get(KNOWN_ROUTE) as answer:
                await answer.read()
                return answer.status

        return set(await asyncio.gather(*(get() for _ in range(200))))

    assert within(sandbox, tpp, get_many) == {404}
    assert len(sandbox.calls(status=404)) == 200


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "DELETE"])
def test_other_methods_end_their_answer(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, method: str) -> None:
    async def send(session: aiohttp.ClientSession) -> int:
        async with session.request(method, KNOWN_ROUTE) as answer:
            await answer.read()
            return answer.status

    assert within(sandbox, tpp, send) == sandbox.calls().last.status


def test_a_closed_sandbox_raises_in_the_session(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    async def get(session: aiohttp.ClientSession) -> None:
        sandbox.close()
        async with session.get(KNOWN_ROUTE):
            pass

    with pytest.raises(xs2a.MisuseError, match="closed"):
        within(sandbox, None, get)


def test_the_auth_signs_over_a_network_too(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    async def main(url: str) -> int:
        session = aiohttp.ClientSession(middlewares=[Auth(tpp)], headers=HEADERS)
        async with session, session.get(url + KNOWN_ROUTE) as answer:
            return answer.status

    with sandbox.serve() as url:
        assert asyncio.run(main(url)) == 404


def test_what_is_no_sandbox_and_no_tpp_is_refused(sandbox: xs2a.Sandbox) -> None:
    async def main() -> None:
        with pytest.raises(TypeError, match="a Sandbox is expected, not int"):
            Connector(5)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="a Tpp is expected, not Sandbox"):
            Auth(sandbox)  # type: ignore[arg-type]

    asyncio.run(main())
