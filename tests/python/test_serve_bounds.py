"""A served sandbox has a limit of clients, and waits for none for ever."""

from __future__ import annotations

import os
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import raw_http
import xs2a


def test_connections_are_limited_and_the_next_one_gets_a_503(
    sandbox: xs2a.Sandbox, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xs2a._serve._CONNECTIONS_MAX", 2)
    trusted = ssl.create_default_context(cafile=certificate[0])
    for serving in (sandbox.serve(), sandbox.serve(certificate=certificate[0], key=certificate[1])):
        with serving as url, ExitStack() as stack:
            one, two, three = (stack.enter_context(httpx.Client(verify=trusted)) for _ in range(3))
            for client in (one, two):
                assert client.get(f"{url}/v1/x").status_code == 404
            answer = three.get(f"{url}/v1/x")
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
            assert answer.headers["connection"] == "close"
            assert one.get(f"{url}/v1/x").status_code == 404, "who has a place keeps it"
            two.close()
            assert eventually(lambda: three.get(f"{url}/v1/x").status_code == 404)  # noqa: B023


def test_who_is_turned_away_and_sends_much_reads_it_all_the_same(
    sandbox: xs2a.Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xs2a._serve._CONNECTIONS_MAX", 0)
    with sandbox.serve() as url:
        assert httpx.post(f"{url}/v1/x", content=b"x" * 3_000_000).status_code == 503


def test_of_refused_connections_some_are_answered_and_others_closed(
    sandbox: xs2a.Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xs2a._serve._CONNECTIONS_MAX", 0)
    monkeypatch.setattr("xs2a._serve._TURNED_AWAY_MAX", 1)
    with sandbox.serve() as url:
        port = urlsplit(url).port or 0
        with socket.create_connection(("127.0.0.1", port), 10) as answered:
            assert raw_http.status(answered.recv(4096)) == 503
            with socket.create_connection(("127.0.0.1", port), 10) as hung_up:
                assert hung_up.recv(4096) == b""
        assert eventually(lambda: httpx.get(url).status_code == 503)


def test_a_client_that_is_silent_for_long_is_hung_up(
    sandbox: xs2a.Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xs2a._serve._SILENCE_SECONDS_MAX", 0.2)
    with sandbox.serve() as url:
        assert raw_http.send(url, b"GET /v1/accounts HTTP/1.1\r\n") == b""


def test_a_client_that_never_comes_to_an_end_is_hung_up(
    sandbox: xs2a.Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xs2a._conversation._REQUEST_SECONDS_MAX", 0.5)
    with sandbox.serve() as url, httpx.Client() as client:
        client.get(f"{url}/v1/x")
        port = urlsplit(url).port or 0
        with socket.create_connection(("127.0.0.1", port), 10) as dripping, suppress(OSError):
            dripping.sendall(b"GET /v1/accounts HTTP/1.1\r\n")
            for _ in range(50):
                dripping.sendall(b"X: y\r\n")
                time.sleep(0.1)
            raise AssertionError("it was listened to for ever")


# As freezegun has it, from before `serve` is called for the first time.
FROZEN = """
import socket, time
from urllib.parse import urlsplit
import raw_http, xs2a

ahead = 0.0
time.monotonic = lambda real=time.monotonic: real() + ahead
with xs2a.Sandbox() as bank, bank.serve() as url:
    with socket.create_connection(("127.0.0.1", urlsplit(url).port), 10) as connection:
        head = raw_http.head("POST", "/v1/x", [("Content-Length", "2"), ("Expect", "100-continue")])
        connection.sendall(head)
        print(raw_http.status(connection.recv(4096)))
        ahead = 3600.0
        for piece in (b"{", b"}"):
            connection.sendall(piece)
            time.sleep(0.1)
        print(raw_http.status(connection.recv(4096)))
"""


def test_a_test_that_moves_the_time_closes_no_connection() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FROZEN],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("100\n404\n", "")


def test_the_end_does_not_wait_for_clients_that_say_nothing(
    sandbox: xs2a.Sandbox, certificate: tuple[Path, Path]
) -> None:
    trusted = ssl.create_default_context(cafile=certificate[0])
    with httpx.Client(verify=trusted) as client:
        with sandbox.serve(certificate=certificate[0], key=certificate[1]) as url:
            client.get(f"{url}/v1/x")  # and keeps the connection
            silent = socket.create_connection(("127.0.0.1", urlsplit(url).port or 0))
            time.sleep(0.1)
            began = time.monotonic()
        assert time.monotonic() - began < 10
        silent.close()


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether it becomes true within some seconds; a refused connection is not yet."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        with suppress(httpx.TransportError):
            if condition():
                return True
        time.sleep(0.02)
    return False
