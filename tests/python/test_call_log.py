"""The log of calls of `xs2a serve`."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import payment_journey as journey
import xs2a
from xs2a._call_log import CallLog

SCRIPT = str(Path(sys.executable).parent / "xs2a")


class Served:
    def __init__(self, url: str) -> None:
        self.url = url
        self.lines: list[str] = []


@contextmanager
def served(*arguments: str) -> Iterator[Served]:
    """A bank that is served; its log is there at the end."""
    process = subprocess.Popen(
        [SCRIPT, "serve", "--port", "0", "--now", "2026-09-01T10:00:00Z", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    served = Served(process.stdout.readline().strip())
    try:
        yield served
    finally:
        process.terminate()
        served.lines = process.communicate(timeout=20)[1].splitlines()


def wrongly_signed(sandbox: xs2a.Sandbox) -> list[tuple[str, str]]:
    """By a client whose Digest is in hexadecimal."""
    tpp = sandbox.register_tpp("Acme Pay")
    body = b"{}"
    digest = "SHA-256=" + hashlib.sha256(body).hexdigest()
    return tpp.sign("POST", journey.INSTANT, [*journey.HEADERS, ("Digest", digest)], body)


def test_each_call_is_a_line_with_reason_and_mistake(sandbox: xs2a.Sandbox) -> None:
    headers = wrongly_signed(sandbox)
    with served("--seed", "1") as bank:
        httpx.get(f"{bank.url}/v1/customers/13039319955")
        httpx.post(bank.url + journey.INSTANT, headers=headers, content=b"{}")
    unrouted, refused = bank.lines
    assert re.fullmatch(r"20[0-9T:.-]+Z GET /v1/customers/\*{9}55 404 RTE-0\d [0-9.]+ ms", unrouted)
    assert re.fullmatch(
        rf"20[0-9T:.-]+Z POST {journey.INSTANT} 400 DIG-\d\d digest-hex [0-9.]+ ms: .+", refused
    ), refused


def test_the_log_is_json_where_that_is_asked_for() -> None:
    with served("--log", "json") as bank:
        httpx.get(f"{bank.url}/v1/none")
    [line] = bank.lines
    members = json.loads(line)
    assert {name: members[name] for name in ("method", "target", "status", "mistake")} == {
        "method": "GET",
        "target": "/v1/none",
        "status": 404,
        "mistake": None,
    }
    assert set(members) == {"time", "method", "target", "status", "reason", "mistake", "ms", "explanation"}


def test_a_quiet_bank_writes_nothing() -> None:
    with served("--quiet") as bank:
        httpx.get(f"{bank.url}/v1/none")
    assert bank.lines == []


def test_text_that_would_steer_a_terminal_is_escaped(sandbox: xs2a.Sandbox) -> None:
    stream = io.StringIO()
    log = CallLog(stream, "text")
    answer = sandbox.handle("GET", "/v1/none", {})
    log.note("GET", "/v1/\x1b[2J\u202e\u00e6", answer, 0.001)
    log.close()
    assert "GET /v1/\\x1b[2J\\u202e\\xe6 404" in stream.getvalue()


def test_calls_do_not_wait_for_a_reader_that_stopped(sandbox: xs2a.Sandbox) -> None:
    reading, writing = os.pipe()
    answer = sandbox.handle("GET", "/v1/none", {})
    stream = os.fdopen(writing, "w")
    log = CallLog(stream, "text")
    begun = time.monotonic()
    for _ in range(30_000):
        log.note("GET", "/v1/none", answer, 0.001)
    log.close()
    assert time.monotonic() - begun < 15
    os.close(reading)  # which ends the writer of the log
    with suppress(BrokenPipeError):
        stream.close()


def test_lines_that_no_reader_takes_are_dropped_and_counted(sandbox: xs2a.Sandbox) -> None:
    class Slow(io.StringIO):
        is_read = threading.Event()

        def flush(self) -> None:
            self.is_read.wait(20)

    stream = Slow()
    log = CallLog(stream, "json")
    answer = sandbox.handle("GET", "/v1/none", {})
    for _ in range(12_000):
        log.note("GET", "/v1/none", answer, 0.001)
    stream.is_read.set()
    log.close()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    dropped = sum(line.get("dropped", 0) for line in lines)
    assert dropped > 0
    assert dropped + sum("target" in line for line in lines) == 12_000
