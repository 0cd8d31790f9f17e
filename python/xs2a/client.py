"""A small client of a sandbox, that signs by itself. It needs nothing but this package.

Its calls and its answers are named as those of httpx are, and do the same: a test that uses no more than
these goes on as it is with an ``httpx.Client`` over ``xs2a.httpx.Transport``.
"""

from __future__ import annotations

import gzip
import json as json_format
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any

from xs2a._expected import expect
from xs2a._native import Response, Sandbox, Tpp
from xs2a._real_time import keep_up

__all__ = ["Answer", "Client", "Headers"]


class Headers(MutableMapping[str, str]):
    """Header fields by name, whatever its case; repeated ones are joined by a comma."""

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
        packed = self.headers.get("Content-Encoding", "").lower() == "gzip"
        self.content = gzip.decompress(response.body) if packed else response.body
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

    def __init__(self, sandbox: Sandbox, tpp: Tpp, headers: Mapping[str, str] | None = None) -> None:
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
        content: bytes = b"",
        json: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """One call.

        url: path and query below the base path, such as ``"/v1/accounts?withBalance=true"``.
        content: the body as bytes; or ``json``: what is written as JSON, with its Content-Type.
        """
        merged = Headers(self.headers.as_sent())
        if json is not None:
            content = json_format.dumps(json, ensure_ascii=False, separators=(",", ":")).encode()
            merged["Content-Type"] = "application/json"
        merged.update(headers or {})
        target = self._base_path + url
        keep_up()
        signed = self._tpp.sign(method, target, merged.as_sent(), content)
        return Answer(self._sandbox.handle(method, target, signed, content))

    def get(self, url: str, *, headers: Mapping[str, str] | None = None) -> Answer:
        """Reads."""
        return self.request("GET", url, headers=headers)

    def post(
        self, url: str, *, content: bytes = b"", json: Any = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Creates, or starts."""
        return self.request("POST", url, content=content, json=json, headers=headers)

    def put(
        self, url: str, *, content: bytes = b"", json: Any = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Replaces."""
        return self.request("PUT", url, content=content, json=json, headers=headers)

    def delete(self, url: str, *, headers: Mapping[str, str] | None = None) -> Answer:
        """Removes, or cancels."""
        return self.request("DELETE", url, headers=headers)
