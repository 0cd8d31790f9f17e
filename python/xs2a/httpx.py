"""httpx without a socket: a transport that reaches a sandbox in this process, and auth that signs as a TPP.

>>> import httpx, xs2a
>>> from xs2a.httpx import Auth, Transport
>>> with xs2a.Sandbox() as bank:
...     tpp = bank.register_tpp("Acme Pay")
...     client = httpx.Client(transport=Transport(bank), auth=Auth(tpp), base_url="https://bank.example")
...     client.get("/v1/no-such-route").status_code
404

The auth works over a network as well: with ``sandbox.serve()``, the TPP's signature is as good there.
"""

from __future__ import annotations

from collections.abc import Generator

import httpx

from xs2a._answer import sent_body, sent_headers
from xs2a._expected import expect
from xs2a._native import Sandbox, Signer, Tpp
from xs2a._real_time import keep_up

__all__ = ["Auth", "Transport", "reason_of"]

_REASON = "xs2a_reason"


class Transport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Answers requests of an ``httpx.Client`` or an ``httpx.AsyncClient`` from a sandbox, for any host."""

    def __init__(self, sandbox: Sandbox) -> None:
        expect("Sandbox", sandbox, "handle")
        self._sandbox = sandbox

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answers one request of a client."""
        return self._answer(request, request.read())

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answers one request of an async client. The event loop waits for it, about a millisecond."""
        return self._answer(request, await request.aread())

    def _answer(self, request: httpx.Request, body: bytes) -> httpx.Response:
        answer = self._sandbox.handle(request.method, _target(request), _fields(request), body)
        return httpx.Response(
            answer.status,
            headers=sent_headers(answer),
            stream=httpx.ByteStream(sent_body(request.method, answer)),
            extensions={_REASON: answer.reason},
        )


class Auth(httpx.Auth):
    """Signs each request as a TPP: adds Date, X-Request-ID, Digest, TPP-Signature-Certificate and Signature,
    those of them that the request has not."""

    requires_request_body = True

    def __init__(self, tpp: Tpp | Signer) -> None:
        expect("Tpp", tpp, "sign")
        self._tpp = tpp

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Signs one request."""
        keep_up()
        given = _fields(request)
        signed = self._tpp.sign(request.method, _target(request), given, request.content)
        for name, value in signed[len(given) :]:
            request.headers[name] = value
        yield request


def reason_of(response: httpx.Response) -> str | None:
    """The stable id of the first refusal, such as ``"SIG-07"``; None where nothing was refused, or where the
    answer came over a network: TPPs do not receive it."""
    reason: str | None = response.extensions.get(_REASON)
    return reason


def _target(request: httpx.Request) -> str:
    return request.url.raw_path.decode("ascii")


def _fields(request: httpx.Request) -> list[tuple[str, str | bytes]]:
    return [(name.decode("ascii"), value) for name, value in request.headers.raw]
