"""A small client of a sandbox, that signs by itself. It needs nothing but this package.

Its calls and its answers are named as those of httpx are, and do the same: a test that uses no more than
these goes on as it is with an ``httpx.Client`` over ``xs2a.httpx.Transport``. What differs: a URL is sent as
it is written, where httpx escapes spaces and letters beyond ASCII, resolves ``..`` and drops a ``#fragment``;
and so is a header's value, as UTF-8, where httpx raises ``UnicodeEncodeError`` for what is not ASCII.
"""

from __future__ import annotations

import json as json_format
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any
from urllib.parse import urlencode

from xs2a._answer import unpacked
from xs2a._expected import expect
from xs2a._native import Response, Sandbox, Signer, Tpp
from xs2a._real_time import keep_up
from xs2a._target import origin_form

__all__ = ["Answer", "Client", "Headers"]


class Headers(MutableMapping[str, str]):
    """Header fields by name, in any case; repeated ones are joined by a comma."""

    def __init__(self, fields: Iterable[tuple[str, str]]) -> None:
        self._fields: dict[str, tuple[str, str]] = {}
        for name, value in fields:
            self[name] = f"{self[name]}, {value}" if name in self else value

    def __getitem__(self, name: str) -> str:
        return self._fields[name.lower()][1]

    def __setitem__(self, name: str, value: str) -> None:
        self._fields[name.lower()] = (name, value)

    def __delitem__(self, name: str) -> None:
        del self._fields[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def as_sent(self) -> list[tuple[str, str]]:
        """Each name as it was spelt, with its value."""
        return list(self._fields.values())


class Answer:
    """What a call was answered."""

    def __init__(self, response: Response) -> None:
        self.status_code = response.status
        """The HTTP status."""
        self.headers = Headers(response.headers)
        """The headers, by name."""
        self.content = unpacked(response.body, self.headers.get("Content-Encoding"))
        """The body, unpacked."""
        self.extensions: dict[str, Any] = {"xs2a_reason": response.reason}
        """Under ``"xs2a_reason"`` the stable id of the first refusal, such as ``"SIG-07"``, or None."""

    @property
    def text(self) -> str:
        """The body as text."""
        return self.content.decode()

    def json(self) -> Any:
        """The body as Python objects."""
        return json_format.loads(self.content)

    def __repr__(self) -> str:
        return f"<Answer {self.status_code} {self.extensions['xs2a_reason'] or ''}>"


class Client:
    """Calls a sandbox as a TPP: each request is signed, and has these headers beside its own."""

    def __init__(self, sandbox: Sandbox, tpp: Tpp | Signer, headers: Mapping[str, str] | None = None) -> None:
        expect("Sandbox", sandbox, "handle")
        expect("Tpp", tpp, "sign")
        self._sandbox, self._tpp, self._base_path = sandbox, tpp, sandbox.base_path
        self.headers = Headers((headers or {}).items())
        """What each call has; to be changed as a test likes: ``client.headers.pop("PSU-IP-Address")``."""

    def request(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        content: bytes | str = b"",
        json: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """One call.

        url: path and query below the base path, such as ``"/v1/accounts?withBalance=true"``; or a whole URL,
            such as the ``href`` of an ``scaRedirect``, of any host: they are all this bank.
        params: the query, in place of one in the URL. A list means a name that comes several times.
        content: the body as bytes or text; or ``json``: what is written as JSON, with its Content-Type.
        """
        content = content.encode() if isinstance(content, str) else content
        merged = Headers(self.headers.as_sent())
        if json is not None:
            content = json_format.dumps(json, ensure_ascii=False, separators=(",", ":")).encode()
            merged["Content-Type"] = "application/json"
        merged.update(headers or {})
        target = _with_query(self._target(method, url), params)
        keep_up()
        signed = self._tpp.sign(method, target, merged.as_sent(), content)
        return Answer(self._sandbox.handle(method, target, signed, content))

    def get(
        self, url: str, *, params: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Reads."""
        return self.request("GET", url, params=params, headers=headers)

    def post(
        self,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        content: bytes | str = b"",
        json: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Creates, or starts."""
        return self.request("POST", url, params=params, content=content, json=json, headers=headers)

    def put(
        self,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        content: bytes | str = b"",
        json: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Replaces."""
        return self.request("PUT", url, params=params, content=content, json=json, headers=headers)

    def delete(
        self, url: str, *, params: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Removes, or cancels."""
        return self.request("DELETE", url, params=params, headers=headers)

    def _target(self, method: str, url: str) -> str:
        target = origin_form(url, method)
        return target if target != url else self._base_path + url


def _with_query(target: str, params: Mapping[str, Any] | None) -> str:
    if params is None:
        return target
    path = target.partition("?")[0]
    query = urlencode([(name, _as_text(value)) for name, given in params.items() for value in _values(given)])
    return f"{path}?{query}" if query else path


def _values(given: Any) -> Iterable[Any]:
    return given if isinstance(given, (list, tuple)) else (given,)


def _as_text(value: Any) -> str:
    """True and False are spelt as in JSON, and None is empty."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
