"""The target of a request, as a client may send it (RFC 9112, section 3.2)."""

from __future__ import annotations

import re

__all__ = ["origin_form"]

_ABSOLUTE = re.compile(r"https?://[^/?#]*", re.IGNORECASE)


def origin_form(target: str, method: str) -> str:
    """Path and query, byte for byte; a target in absolute form, as clients send it to proxies, without scheme
    and authority: which bank this is was settled by the connection. Signatures never cover those two."""
    found = _ABSOLUTE.match(target)
    if found is None:
        return target
    rest = target[found.end() :]
    if not rest and method == "OPTIONS":
        return "*"
    return rest if rest.startswith("/") else f"/{rest}"
