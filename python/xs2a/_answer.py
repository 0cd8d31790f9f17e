"""A bank's answer as HTTP has it on the way, and back from there."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xs2a._native import Response

__all__ = ["first_value", "sent_body", "sent_headers", "unpacked"]

_NO_CONTENT = 204


def sent_headers(answer: Response) -> list[tuple[str, str]]:
    """Its headers, with the length of its body. One without content has none (RFC 9110, section 8.6)."""
    length = [] if answer.status == _NO_CONTENT else [("Content-Length", str(len(answer.body)))]
    return answer.headers + length


def sent_body(method: str, answer: Response) -> bytes:
    """What follows the headers: to HEAD nothing, whose Content-Length is what GET would get."""
    return b"" if method == "HEAD" else answer.body


def unpacked(body: bytes, content_encoding: str | None) -> bytes:
    """A body, unpacked where its Content-Encoding says that it is compressed."""
    return gzip.decompress(body) if (content_encoding or "").lower() == "gzip" else body


def first_value(headers: Iterable[tuple[str, str]], name: str) -> str | None:
    """The value of the first header of that name, in any case."""
    return next((value for found, value in headers if found.lower() == name.lower()), None)
