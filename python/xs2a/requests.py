"""requests without a socket: an adapter that reaches a sandbox in this process, and auth that signs as a TPP.

>>> import requests, xs2a
>>> from xs2a.requests import Adapter, Auth
>>> with xs2a.Sandbox() as bank:
...     session = requests.Session()
...     session.mount("https://bank.example", Adapter(bank))
...     session.auth = Auth(bank.register_tpp("Acme Pay"))
...     session.get("https://bank.example/v1/no-such-route").status_code
404

The auth works over a network as well: with ``sandbox.serve()``, the TPP's signature is as good there.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from urllib3 import HTTPHeaderDict, HTTPResponse

from xs2a._answer import sent_body, sent_headers
from xs2a._expected import expect
from xs2a._native import Sandbox, Signer, Tpp
from xs2a._real_time import keep_up

__all__ = ["Adapter", "Auth", "reason_of"]


class Adapter(HTTPAdapter):
    """Answers requests of a ``requests.Session`` from a sandbox, for the prefix it is mounted at."""

    # What a copy takes along, or a pickle: so neither comes without the sandbox, which has none.
    __attrs__ = [*HTTPAdapter.__attrs__, "_sandbox"]  # noqa: RUF012

    def __init__(self, sandbox: Sandbox) -> None:
        expect("Sandbox", sandbox, "handle")
        super().__init__()
        self._sandbox = sandbox

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """Answers one request. What belongs to a connection (timeout, verify, …) has no meaning here."""
        method, target = request.method or "GET", request.path_url
        answer = self._sandbox.handle(method, target, _fields(request), _body(request))
        raw = HTTPResponse(
            io.BytesIO(sent_body(method, answer)),
            HTTPHeaderDict(sent_headers(answer)),
            answer.status,
            reason=HTTPStatus(answer.status).phrase,
            preload_content=False,
            request_method=method,
        )
        response: requests.Response = self.build_response(request, raw)
        response.xs2a_reason = answer.reason  # type: ignore[attr-defined]
        return response


class Auth(AuthBase):
    """Signs each request as a TPP: adds Date, X-Request-ID, Digest, TPP-Signature-Certificate and Signature,
    those of them that the request has not."""

    def __init__(self, tpp: Tpp | Signer) -> None:
        expect("Tpp", tpp, "sign")
        self._tpp = tpp

    def __call__(self, r: requests.PreparedRequest) -> requests.PreparedRequest:
        """Signs one request."""
        keep_up()
        given = _fields(r)
        for name, value in self._tpp.sign(r.method or "GET", r.path_url, given, _body(r))[len(given) :]:
            r.headers[name] = value
        return r


def reason_of(response: requests.Response) -> str | None:
    """The stable id of the first refusal, such as ``"SIG-07"``; None where nothing was refused, or where the
    answer came over a network: TPPs do not receive it."""
    reason: str | None = getattr(response, "xs2a_reason", None)
    return reason


def _fields(request: requests.PreparedRequest) -> list[tuple[str, str | bytes]]:
    """The headers as the bytes that would be sent: text goes out as latin-1."""
    return [
        (name, value if isinstance(value, bytes) else value.encode("latin-1"))
        for name, value in request.headers.items()
    ]


def _body(request: requests.PreparedRequest) -> bytes:
    """The whole body. One that is read as it is sent is read here, and put back as bytes."""
    body: Any = request.body
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode()
    if not isinstance(body, bytes):
        body = body.read() if hasattr(body, "read") else b"".join(body)
        request.body = body
        request.headers.pop("Transfer-Encoding", None)  # its length is known now, and will be set
    return bytes(body)
