"""HTTP without a client library: the bytes as a test wants them."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit


def send(url: str, request: bytes) -> bytes:
    """Sends the bytes to where the URL is served, and gives all that comes back until the server closes."""
    at = urlsplit(url)
    with socket.create_connection((at.hostname, at.port), timeout=10) as connection:
        connection.sendall(request)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    return answer


def head(method: str, target: str, headers: list[tuple[str, str]]) -> bytes:
    """Request line and headers; the last request of its connection."""
    lines = [
        f"{method} {target} HTTP/1.1",
        "Host: bank.example",
        *(f"{name}: {value}" for name, value in headers),
        "Connection: close",
    ]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"


def status(answer: bytes) -> int:
    """The status of an answer."""
    return int(answer.split(b" ", 2)[1])
