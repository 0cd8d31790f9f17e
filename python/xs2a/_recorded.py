"""Requests as they were recorded: an HTTP archive, the bytes of HTTP/1.1, a curl command."""

from __future__ import annotations

import base64
import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from xs2a._errors import MisuseError

__all__ = ["RecordedRequest", "read_requests"]

_REQUEST_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+)(?: HTTP/\d(?:\.\d)?)?\r?\n")
_CONTINUED_LINE = re.compile(r"\\\r?\n")
_ANSI_C_WORD = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)


@dataclass(frozen=True)
class RecordedRequest:
    """A request, and when it was sent where that is known."""

    method: str
    target: str
    headers: list[tuple[str, str | bytes]]
    body: bytes
    at: str | None = None


def read_requests(content: bytes, folder: Path) -> list[RecordedRequest]:
    """The requests of a file: of an HTTP archive those that were refused, with status 400 or above.

    folder: where files are that a curl command names. ``MisuseError`` for a file of no known form.
    """
    text = content.decode("utf-8-sig", "surrogateescape").lstrip()
    if text.startswith("{"):
        return _of_archive(text)
    if re.search(r"(?m)^(?:\$ )?curl\s", text):
        return _of_curl(text, folder)
    return [_of_http(content.lstrip())]


def _of_archive(text: str) -> list[RecordedRequest]:
    try:
        entries = json.loads(text)["log"]["entries"]
        refused = [entry for entry in entries if entry.get("response", {}).get("status", 400) >= 400]
        return [_of_entry(entry) for entry in refused]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MisuseError(f"this is no HTTP archive: {type(error).__name__} {error}") from None


def _of_entry(entry: dict[str, Any]) -> RecordedRequest:
    request = entry["request"]
    posted = request.get("postData", {})
    body = posted.get("text", "")
    is_base64 = "base64" in (posted.get("_encoding"), posted.get("encoding"))
    headers = [(field["name"], field["value"]) for field in request["headers"]]
    return RecordedRequest(
        request["method"],
        _target(request["url"]),
        _without_pseudo_headers(headers),
        base64.b64decode(body) if is_base64 else body.encode(),
        entry.get("startedDateTime"),
    )


def _without_pseudo_headers(headers: list[tuple[str, str]]) -> list[tuple[str, str | bytes]]:
    """HTTP/2 has method and target among the headers, and the host under another name."""
    named = [("Host" if name == ":authority" else name, value) for name, value in headers]
    return [(name, value) for name, value in named if not name.startswith(":")]


def _target(url: str) -> str:
    """Path and query of a URL, as they are written."""
    if "://" not in url:
        return url
    rest = url.split("://", 1)[1].split("#", 1)[0]
    place = re.search(r"[/?]", rest)
    target = rest[place.start() :] if place else "/"
    return target if target.startswith("/") else f"/{target}"


def _of_http(content: bytes) -> RecordedRequest:
    line = _REQUEST_LINE.match(content)
    if line is None:
        raise MisuseError("this is neither an HTTP archive nor an HTTP/1.1 request nor a curl command")
    end = re.search(rb"\r?\n\r?\n", content)
    head, body = (content[: end.start()], content[end.end() :]) if end else (content, b"")
    headers: list[tuple[str, str | bytes]] = []
    for field in re.sub(rb"\r?\n[ \t]+", b" ", head.strip()).splitlines()[1:]:
        name, colon, value = field.partition(b":")
        if not colon:
            raise MisuseError(f"`{field.decode(errors='replace')}` is no header")
        headers.append((name.decode("latin-1").strip(), value.strip(b" \t")))
    return RecordedRequest(line[1].decode(), line[2].decode("latin-1"), headers, _framed(headers, body))


def _framed(headers: list[tuple[str, str | bytes]], body: bytes) -> bytes:
    """As much of the body as Content-Length says: editors add a line break to a file."""
    for name, value in headers:
        if name.lower() == "content-length" and value.isdigit():
            return body[: int(value)]
    return body


def _of_curl(text: str, folder: Path) -> list[RecordedRequest]:
    plain = _ANSI_C_WORD.sub(_unescaped, _CONTINUED_LINE.sub(" ", text))
    try:
        words = shlex.split(plain, comments=True)
    except ValueError as error:
        raise MisuseError(f"this is no curl command: {error}") from None
    starts = [place for place, word in enumerate(words) if word == "curl"]
    ends = [*starts[1:], len(words)]
    return [_of_words(words[start + 1 : end], folder) for start, end in zip(starts, ends)]


def _unescaped(word: re.Match[str]) -> str:
    """``$'…'`` of shells, as browsers write it, as a plain word."""
    text = word[1].encode("latin-1", "backslashreplace").decode("unicode_escape")
    return shlex.quote(text)


_DATA = {"-d", "--data", "--data-ascii", "--data-raw", "--data-binary", "--json"}
_VALUED = {
    *("-o", "--output", "-u", "--user", "-A", "--user-agent", "-e", "--referer", "--cert", "-E", "--key"),
    *(
        "--cacert",
        "--connect-timeout",
        "-m",
        "--max-time",
        "-b",
        "--cookie",
        "-x",
        "--proxy",
        "--resolve",
        "-w",
    ),
}


def _of_words(words: list[str], folder: Path) -> RecordedRequest:
    method, url, target = None, "", None
    headers: list[tuple[str, str | bytes]] = []
    bodies: list[bytes] = []
    remaining = iter(_separated(words))
    for word in remaining:
        if word in {"-X", "--request"}:
            method = next(remaining, None)
        elif word in {"-H", "--header"}:
            headers.extend(_header(next(remaining, "")))
        elif word in _DATA:
            bodies.append(_data(word, next(remaining, ""), folder))
        elif word == "--request-target":
            target = next(remaining, None)
        elif word == "--url":
            url = next(remaining, "")
        elif word in {"-I", "--head"}:
            method = method or "HEAD"
        elif word in _VALUED:
            next(remaining, None)
        elif not word.startswith("-"):
            url = url or word
    if not any(name.lower() == "host" for name, _ in headers) and "://" in url:
        headers.append(("Host", urlsplit(url).netloc))
    method = method or ("POST" if bodies else "GET")
    return RecordedRequest(method, target or _target(url), headers, b"&".join(bodies))


def _separated(words: list[str]) -> list[str]:
    """``-XPOST`` and ``--request=POST`` as two words."""
    parts: list[str] = []
    for word in words:
        short = re.match(r"(-[XHd])(.+)", word, re.DOTALL)
        long = re.match(r"(--[a-z-]+)=(.*)", word, re.DOTALL)
        found = short or long
        parts.extend(found.groups() if found else [word])
    return parts


def _header(text: str) -> list[tuple[str, str | bytes]]:
    name, colon, value = text.partition(":")
    if colon:
        return [(name, value.strip().encode("utf-8", "surrogateescape"))] if value.strip() else []
    return [(text.removesuffix(";"), b"")] if text.endswith(";") else []


def _data(option: str, text: str, folder: Path) -> bytes:
    if not text.startswith("@") or option == "--data-raw":
        return text.encode("utf-8", "surrogateescape")
    content = (folder / text[1:]).read_bytes()
    # As curl does for all but --data-binary and --json.
    keeps = option in {"--data-binary", "--json"}
    return content if keeps else content.replace(b"\r", b"").replace(b"\n", b"")
