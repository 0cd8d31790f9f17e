"""aiohttp without a socket: a connector that reaches a sandbox in this process, and a middleware that signs.

>>> import asyncio, aiohttp, xs2a
>>> from xs2a.aiohttp import Auth, Connector
>>> async def main(bank):
...     auth = Auth(bank.register_tpp("Acme Pay"))
...     async with aiohttp.ClientSession(connector=Connector(bank), middlewares=[auth]) as session:
...         async with session.get("https://bank.example/v1/no-such-route") as response:
...             return response.status
>>> with xs2a.Sandbox() as bank:
...     asyncio.run(main(bank))
404

The auth works over a network as well: with ``sandbox.serve()``, the TPP's signature is as good there. The
reason of a refusal is in the sandbox: ``bank.calls().last.reason``.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING

import aiohttp

try:
    import h11
except ImportError:
    raise ImportError("the connector needs the package h11: pip install 'xs2a[aiohttp]'") from None

from xs2a._answer import sent_body, sent_headers
from xs2a._expected import expect
from xs2a._native import Response, Sandbox, Signer, Tpp
from xs2a._real_time import keep_up
from xs2a._target import origin_form

if TYPE_CHECKING:
    from aiohttp.client_proto import ResponseHandler
    from aiohttp.tracing import Trace

__all__ = ["Auth", "Connector"]

# Large enough for several of the longest headers that the core takes.
_HEAD_BYTES_MAX = 256 * 1024


class Connector(aiohttp.BaseConnector):
    """Answers requests of an ``aiohttp.ClientSession`` from a sandbox, for any host. The event loop waits
    for each answer, about a millisecond. Make it within the event loop, as every connector of aiohttp."""

    def __init__(self, sandbox: Sandbox) -> None:
        expect("Sandbox", sandbox, "handle")
        super().__init__()
        self._sandbox = sandbox

    async def _create_connection(
        self, req: aiohttp.ClientRequest, traces: list[Trace], timeout: aiohttp.ClientTimeout
    ) -> ResponseHandler:
        """What each connector of aiohttp overrides."""
        protocol: ResponseHandler = self._factory()
        protocol.connection_made(_Transport(protocol, self._sandbox))
        return protocol


class Auth:
    """Signs each request as a TPP: adds Date, X-Request-ID, Digest, TPP-Signature-Certificate and Signature,
    those of them that the request has not. A body that is compressed on its way (``compress=``) is not the
    one that is signed."""

    def __init__(self, tpp: Tpp | Signer) -> None:
        expect("Tpp", tpp, "sign")
        self._tpp = tpp

    async def __call__(
        self, request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        """Signs one request."""
        keep_up()
        body = request.body
        content = await body.as_bytes() if isinstance(body, aiohttp.Payload) else body
        given = list(request.headers.items())
        signed = self._tpp.sign(request.method, request.url.raw_path_qs, given, content)
        for name, value in signed[len(given) :]:
            request.headers[name] = value
        return await handler(request)


class _Transport(asyncio.Transport):
    """The bank's end of a connection: requests are read by h11, and answered once they are complete."""

    def __init__(self, protocol: ResponseHandler, sandbox: Sandbox) -> None:
        super().__init__()
        self._protocol, self._sandbox = protocol, sandbox
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEAD_BYTES_MAX)
        self._request: h11.Request | None = None
        self._body = bytearray()
        self._is_closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Takes some bytes of a request."""
        if self._is_closing:
            return
        self._http.receive_data(bytes(data))
        event = self._http.next_event()
        while isinstance(event, h11.Event):
            self._take(event)
            event = self._http.next_event()
        if self._http.they_are_waiting_for_100_continue:
            go_on = h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue")
            self._send(self._http.send(go_on))

    def _take(self, event: h11.Event) -> None:
        if isinstance(event, h11.Request):
            self._request = event
        elif isinstance(event, h11.Data):
            self._body += event.data
        elif isinstance(event, h11.EndOfMessage) and self._request is not None:
            request, body = self._request, bytes(self._body)
            self._request, self._body = None, bytearray()
            # The client expects no answer before it has handed over its request.
            asyncio.get_running_loop().call_soon(self._answer, request, body)

    def _answer(self, request: h11.Request, body: bytes) -> None:
        if self._is_closing:
            return
        method = request.method.decode("latin-1")
        target = origin_form(request.target.decode("latin-1"), method)
        headers = [(name.decode("latin-1"), value) for name, value in request.headers.raw_items()]
        try:
            answer = self._sandbox.handle(method, target, headers, body)
        except Exception as error:  # of a closed sandbox: the caller of the session gets it
            self._protocol.set_exception(error)
            self.close()
            return
        self._send(self._written(method, answer))
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        else:
            self.close()

    def _written(self, method: str, answer: Response) -> bytes:
        head = h11.Response(
            status_code=answer.status,
            headers=[
                (name.encode("latin-1"), value.encode("latin-1")) for name, value in sent_headers(answer)
            ],
            reason=HTTPStatus(answer.status).phrase.encode(),
        )
        events = [head, h11.Data(data=sent_body(method, answer)), h11.EndOfMessage()]
        return b"".join(self._http.send(event) or b"" for event in events)

    def _send(self, data: bytes | None) -> None:
        asyncio.get_running_loop().call_soon(self._protocol.data_received, data or b"")

    def is_closing(self) -> bool:
        """Whether the connection has ended."""
        return self._is_closing

    def close(self) -> None:
        """Ends the connection, once what was answered has arrived."""
        if not self._is_closing:
            self._is_closing = True
            asyncio.get_running_loop().call_soon(self._protocol.connection_lost, None)

    abort = close

    def get_write_buffer_size(self) -> int:
        """Nothing waits: what is written is read at once."""
        return 0

    def pause_reading(self) -> None:
        """An answer arrives whole."""

    resume_reading = pause_reading
