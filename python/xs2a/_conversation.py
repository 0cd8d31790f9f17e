"""What one connection says and is answered: HTTP/1.1, its grammar and states kept by h11.

Why not a whole server: a signature covers the target and the headers as they were sent. WSGI servers fold
repeated headers, or keep the last, and unquote the path; ASGI servers cut a `?` with nothing behind it. h11
hands over every byte.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence
from http import HTTPStatus

try:
    import h11
except ImportError:
    raise ImportError("serving needs the package h11: pip install 'xs2a[serve]'") from None

from xs2a._answer import sent_body, sent_headers
from xs2a._native import Response
from xs2a._target import origin_form
from xs2a._time_limit import TimeLimit

__all__ = ["Answerer", "Note", "converse", "turn_away"]

Answerer = Callable[[str, str, "list[tuple[str, bytes]]", bytes], Response]
"""Method, target, headers, body: gives the answer."""

Note = Callable[[str, str, Response, float], None]
"""Method, target, answer, and how many seconds it took: called once it is sent."""

# Large enough for several of the longest headers that the core takes.
_HEAD_BYTES_MAX = 256 * 1024
_PIECE_BYTES = 64 * 1024
# A client may be slow, but not for ever: from the end of one request to the last byte of the next.
_REQUEST_SECONDS_MAX = 120.0
# A client that is still sending when it is answered does not read before it has sent: so much is thrown away.
_LEFTOVER_BYTES_MAX = 64 * 1024 * 1024
_LEFTOVER_SECONDS_MAX = 5.0


def converse(
    connection: socket.socket,
    answer: Answerer,
    body_bytes_max: Callable[[], int],
    is_ending: Callable[[], bool],
    note: Note | None = None,
) -> None:
    """Answers what comes in, until either side is done. Where a request breaks off it is asked which one."""
    talk = _Talk(connection, answer, body_bytes_max, note)
    try:
        while talk.exchange():
            pass
    except h11.RemoteProtocolError as error:
        if is_ending():  # no more is read: it is not the client who broke off
            talk.refuse(HTTPStatus.SERVICE_UNAVAILABLE, "the server is ending")
        else:
            talk.refuse(error.error_status_hint, str(error))
        talk.discard_leftover()


def turn_away(connection: socket.socket, answer: Answerer, body_bytes_max: Callable[[], int]) -> None:
    """Answers every request with 503: the server is full."""
    talk = _Talk(connection, answer, body_bytes_max)
    talk.refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections are open", [("Retry-After", "1")])
    talk.discard_leftover()


class _Talk:
    def __init__(
        self,
        connection: socket.socket,
        answer: Answerer,
        body_bytes_max: Callable[[], int],
        note: Note | None = None,
    ) -> None:
        self._note = note
        self._connection = connection
        self._answer = answer
        self._body_bytes_max = body_bytes_max
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEAD_BYTES_MAX)
        self._limit = TimeLimit(_REQUEST_SECONDS_MAX)
        self._is_last = False

    def exchange(self) -> bool:
        """One request and its answer. False: it was the last one."""
        self._limit = TimeLimit(_REQUEST_SECONDS_MAX)
        request = self._next_event()
        if not isinstance(request, h11.Request):
            return False
        self._is_last = _has_two_lengths(request)
        body = self._body()
        headers = [(name.decode("latin-1"), value) for name, value in request.headers.raw_items()]
        method = request.method.decode("latin-1")
        target = origin_form(request.target.decode("latin-1"), method)
        begun = time.perf_counter()
        answer = self._answer(method, target, headers, body)
        seconds = time.perf_counter() - begun
        self._send(answer.status, sent_headers(answer), sent_body(method, answer))
        if self._note is not None:
            self._note(method, target, answer, seconds)
        if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
            self.discard_leftover()
            return False
        self._http.start_next_cycle()
        return True

    def refuse(self, status: int, text: str, headers: Sequence[tuple[str, str]] = ()) -> None:
        """Answers what the bank is not asked, where it can be answered still."""
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = text.encode()
            own = [
                ("Content-Type", "text/plain"),
                ("Content-Length", str(len(body))),
                ("Connection", "close"),
            ]
            self._send(status, [*own, *headers], body)

    def discard_leftover(self) -> None:
        """Lets the client finish sending, so that it gets to read its answer; then the connection closes."""
        socket.socket.shutdown(self._connection, socket.SHUT_WR)
        self._connection.settimeout(_LEFTOVER_SECONDS_MAX)
        limit, left = TimeLimit(_LEFTOVER_SECONDS_MAX), _LEFTOVER_BYTES_MAX
        while left > 0 and not limit.is_over():
            piece = self._connection.recv(_PIECE_BYTES)
            if not piece:
                return
            left -= len(piece)

    def _next_event(self) -> h11.Event:
        while True:
            event = self._http.next_event()
            if isinstance(event, h11.Event):
                return event
            if self._http.they_are_waiting_for_100_continue:
                go_on = h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue")
                self._connection.sendall(self._http.send(go_on))
            if self._limit.is_over():
                raise TimeoutError("a request that took too long to arrive")
            self._http.receive_data(self._connection.recv(_PIECE_BYTES))

    def _body(self) -> bytes:
        """The body, or of one that is too long as much as shows it."""
        body, bytes_max = bytearray(), self._body_bytes_max()
        while len(body) <= bytes_max:
            event = self._next_event()
            if not isinstance(event, h11.Data):
                break
            body += event.data
        return bytes(body)

    def _send(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        if self._is_last or self._http.their_state is h11.SEND_BODY:
            headers = [*headers, ("Connection", "close")]
        head = h11.Response(
            status_code=status,
            headers=[(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers],
            reason=HTTPStatus(status).phrase.encode(),
        )
        message = self._http.send(head) or b""
        if body:
            message += self._http.send(h11.Data(data=body)) or b""
        self._connection.sendall(message + (self._http.send(h11.EndOfMessage()) or b""))


def _has_two_lengths(request: h11.Request) -> bool:
    """Content-Length beside Transfer-Encoding: where a proxy before us goes by the other one, what follows is
    no request. It is answered, and nothing more is read (RFC 9112, section 6.1)."""
    return {b"content-length", b"transfer-encoding"} <= {name for name, _ in request.headers}
