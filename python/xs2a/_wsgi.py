"""A sandbox as a WSGI application (PEP 3333), for any WSGI server."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from xs2a._answer import sent_body, sent_headers
from xs2a._target import origin_form

if TYPE_CHECKING:
    from _typeshed.wsgi import InputStream, StartResponse, WSGIEnvironment

    from xs2a._native import Sandbox

__all__ = ["Application"]

# The characters that a path may contain as they are (RFC 3986, pchar): an id may hold `!` and `=`.
_PATH_CHARACTERS = "/!$&'()*+,;=:@~-._"


class Application:
    """Hands each request to the sandbox as it came, and its answer back."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answers one request."""
        method: str = environ["REQUEST_METHOD"]
        body = _body(environ, self._sandbox.body_bytes_max)
        answer = self._sandbox.handle(method, _target(environ), _headers(environ), body)
        start_response(f"{answer.status} {HTTPStatus(answer.status).phrase}", sent_headers(answer))
        body = sent_body(method, answer)
        return [body] if body else []


def _target(environ: WSGIEnvironment) -> str:
    """Path and query as sent, which is what a signature covers. The names by which servers pass them are not
    in the standard; without them the path is written again, and then `%21` has become `!`."""
    for name in ("REQUEST_URI", "RAW_URI"):
        target = origin_form(environ.get(name, ""), environ["REQUEST_METHOD"])
        if target.startswith("/"):
            return target
    path = quote(
        (environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")).encode("latin-1"), _PATH_CHARACTERS
    )
    query: str = environ.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path


def _headers(environ: WSGIEnvironment) -> list[tuple[str, bytes]]:
    """The request's headers; WSGI hands their bytes over as latin-1."""
    named = {"CONTENT_TYPE": "Content-Type", "CONTENT_LENGTH": "Content-Length"}
    found = [(header, environ[name]) for name, header in named.items() if environ.get(name)]
    found += [
        (name[5:].replace("_", "-"), value) for name, value in environ.items() if name.startswith("HTTP_")
    ]
    return [(name, value.encode("latin-1")) for name, value in found]


def _body(environ: WSGIEnvironment, bytes_max: int) -> bytes:
    """The body, or of one that is too long as much as shows it."""
    wanted = bytes_max + 1
    length: Any = environ.get("CONTENT_LENGTH") or ("" if environ.get("wsgi.input_terminated") else "0")
    if length.isdecimal():
        wanted = min(wanted, int(length))
    source: InputStream = environ["wsgi.input"]
    body = bytearray()
    while len(body) < wanted and (piece := source.read(wanted - len(body))):
        body += piece
    return bytes(body)
