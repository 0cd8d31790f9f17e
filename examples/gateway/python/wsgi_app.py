"""What the gateway answers to the public: a WSGI application (PEP 3333)."""

from __future__ import annotations

import logging
import os
import time
import uuid
from collections.abc import Iterable
from contextlib import suppress
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, NamedTuple
from wsgiref.util import FileWrapper

import sca_page
import xs2a
from http_server import body_length
from upkeep import Upkeep

if TYPE_CHECKING:
    from _typeshed.wsgi import InputStream, StartResponse, WSGIEnvironment

log = logging.getLogger("gateway.request")

# A page of the gateway's own holds a customer's private data: no cache, no frame, no script.
OWN_HEADERS = [
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
]
HTML = ("Content-Type", "text/html; charset=utf-8")


class Answer(NamedTuple):
    """What is sent back, and for the log what the engine recorded of the call."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    recorded: xs2a.Response | None = None
    file: IO[bytes] | None = None
    """In place of the body: sent from its beginning to its end, then closed."""


class CannotBeRead(Exception):
    """A body that does not come, or has no length."""

    def __init__(self, status: int) -> None:
        super().__init__()
        self.status = status


class Public:
    """The engine, and the SCA page."""

    def __init__(
        self, engine: xs2a.Engine, upkeep: Upkeep | None, base_path: str, body_bytes_max: int
    ) -> None:
        self._engine, self._upkeep, self._body_bytes_max = engine, upkeep, body_bytes_max
        self._sca_path = f"{base_path.rstrip('/')}/sca/"  # a slash at the end is none of the policy's

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answers every request, also after an error."""
        start = time.monotonic()
        correlation_id = uuid.uuid4().hex
        target: str = environ["REQUEST_URI"]
        # Who has the id behind it may approve: it is not logged.
        is_sca = target.startswith(self._sca_path)
        path = self._sca_path if is_sca else target.partition("?")[0]
        try:
            body = read_body(environ, self._body_bytes_max)
            if is_sca:
                answer = self._sca(environ, target, body)
            else:
                answer = self._engines(environ, target, body, correlation_id)
        except CannotBeRead as error:
            answer = Answer(error.status, [])
        except Exception:  # a mistake of this program: what a TPP sends never ends here
            log.exception("a request could not be answered")
            answer = Answer(500, [])
        seen = {
            "requestId": environ.get("HTTP_X_REQUEST_ID", "")[:64],
            "method": environ["REQUEST_METHOD"][:64],
            "path": path[:200],
            "status": answer.status,
            "correlationId": correlation_id,
            "milliseconds": round((time.monotonic() - start) * 1e3, 1),
        }
        if (recorded := answer.recorded) is not None:
            seen.update(
                reason=recorded.reason,
                operation=recorded.operation,
                tpp=recorded.tpp,
                microseconds=recorded.timing,
            )
        log.info("request", extra={"seen": seen})
        return send(answer, environ, start_response)

    def _engines(self, environ: WSGIEnvironment, target: str, body: bytes, correlation_id: str) -> Answer:
        """The engine's answer: every header of it, and no other but those of the connection."""
        method, headers = environ["REQUEST_METHOD"], environ["gateway.headers"]
        given = self._engine.handle(method, target, headers, body, correlation_id=correlation_id)
        return Answer(given.status, given.headers, given.body, given)

    def _sca(self, environ: WSGIEnvironment, target: str, body: bytes) -> Answer:
        authorisation_id = target[len(self._sca_path) :]
        page = sca_page.answer(self._engine, environ["REQUEST_METHOD"], authorisation_id, body)
        if page.completed and self._upkeep is not None:
            self._upkeep.wake()
        location = [] if page.location is None else [("Location", page.location)]
        return Answer(page.status, [HTML, *location, *OWN_HEADERS], page.body.encode())


def read_body(environ: WSGIEnvironment, bytes_max: int) -> bytes:
    """The body; of one that is too long one byte more than it may have: to be refused."""
    named = [name.lower() for name, _ in environ["gateway.headers"]]
    # A proxy that reads another end of the body lets the rest be a request of its own (RFC 9112 section 6.3).
    if named.count("content-length") + named.count("transfer-encoding") > 1:
        raise CannotBeRead(HTTPStatus.BAD_REQUEST)
    if "transfer-encoding" in named:
        raise CannotBeRead(HTTPStatus.LENGTH_REQUIRED)
    length = body_length(environ.get("CONTENT_LENGTH"))
    if length is None:
        raise CannotBeRead(HTTPStatus.BAD_REQUEST)
    try:
        if length > bytes_max:
            if environ.get("HTTP_EXPECT", "").lower() != "100-continue":
                take_in_vain(environ["wsgi.input"], min(length, 4 * bytes_max))
            return bytes(bytes_max + 1)
        body: bytes = environ["wsgi.input"].read(length)
    except OSError as error:  # silence
        raise CannotBeRead(HTTPStatus.REQUEST_TIMEOUT) from error
    if len(body) < length:
        raise CannotBeRead(HTTPStatus.BAD_REQUEST)
    return body


def take_in_vain(source: InputStream, left: int) -> None:
    """Reads an unused body up to a limit: a client that is still sending does not read the answer."""
    with suppress(OSError):
        while left > 0 and (piece := source.read(min(left, 65536))):
            left -= len(piece)


def send(answer: Answer, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    headers = list(answer.headers)
    length = len(answer.body) if answer.file is None else answer.file.seek(0, os.SEEK_END)
    if answer.status != HTTPStatus.NO_CONTENT:
        headers.append(("Content-Length", str(length)))
    start_response(f"{answer.status} {HTTPStatus(answer.status).phrase}", headers)
    if answer.file is not None:
        answer.file.seek(0)
        return FileWrapper(answer.file)
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [answer.body]
