"""Who may ask: the Host that is named, the origin of the page that asks, the token.

A web page that a developer visits can send requests to this machine. It cannot read answers, because no
answer allows it to (no CORS). It must not change anything either, nor read by a host name that leads here.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from http import HTTPStatus
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from xs2a._control.problem import Problem
from xs2a._control.reading import problem_response

__all__ = ["COOKIE", "Guard", "Token"]

COOKIE = "xs2a_control"

_SIGN_IN = "/console/login"
_OPEN_PATHS = ("/health", _SIGN_IN)
_OPEN_FOLDER = "/console/static/"
"""What answers without a token."""

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # with `no-referrer` browsers send no Origin with a form
    "X-Content-Type-Options": "nosniff",
}


class Token:
    """The token that clients must send, and the cookie by which a browser shows that it had it."""

    def __init__(self, text: str) -> None:
        self._text = text.encode()
        # Servers on other ports of this machine get the cookie too, so it ends with this process.
        self.cookie = hmac.new(secrets.token_bytes(32), self._text, hashlib.sha256).hexdigest()

    def is_right(self, text: str) -> bool:
        """Whether it is the token."""
        return hmac.compare_digest(text.encode("utf-8", "surrogatepass"), self._text)

    def is_shown(self, headers: Headers, cookies: Mapping[str, str]) -> bool:
        """Whether a request has it."""
        scheme, _, text = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.is_right(text.strip()):
            return True
        return hmac.compare_digest(cookies.get(COOKIE, "").encode(), self.cookie.encode())


class Guard:
    """Passes on requests that may be answered, and adds the headers that every answer has."""

    def __init__(self, app: ASGIApp, host: str, token: Token | None) -> None:
        self._app, self._token = app, token
        self._host = host.strip("[]").lower()
        self._is_everywhere = _is_unspecified(self._host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["type"] != "http":
            return
        request = Request(scope)
        try:
            self._check(request)
        except Problem as found:
            await problem_response(found)(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)

    def _check(self, request: Request) -> None:
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or not self._is_own(hosts[0]):
            raise Problem(HTTPStatus.MISDIRECTED_REQUEST, "the Host is not one of this address")
        origin = request.headers.get("origin")
        if origin is not None and origin.lower() != f"http://{hosts[0]}".lower():
            raise Problem(HTTPStatus.FORBIDDEN, "pages of another origin may not call the control interface")
        path = request.url.path
        if self._token is None or path in _OPEN_PATHS or path.startswith(_OPEN_FOLDER):
            return
        if not self._token.is_shown(request.headers, request.cookies):
            if "text/html" in request.headers.get("accept", "") and request.method == "GET":
                raise Problem(HTTPStatus.SEE_OTHER, "sign in first", headers={"Location": _SIGN_IN})
            raise Problem(
                HTTPStatus.UNAUTHORIZED,
                "send the token as `Authorization: Bearer …`",
                headers={"WWW-Authenticate": "Bearer"},
            )

    def _is_own(self, host: str) -> bool:
        """Whether a Host is this machine by a name that no foreign page can let lead here: an address, or
        localhost. With a token any name is right, because a page of another name does not have it."""
        if self._token is not None:
            return True
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return False
        if name in ("localhost", self._host):
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or self._is_everywhere


def _is_unspecified(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False
