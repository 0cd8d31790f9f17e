"""Steers and watches a bank that `python -m xs2a serve` serves in a process of its own, and takes the time.

`start`: from the start of the process to the first answer. `restore`: a snapshot is restored over the
control interface. `page`, `filtered`: the first byte of the console's list of 10,000 calls, all of them or
by a filter that no call meets. Orders come by line; see bench/src/interface.rs.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit

from turns import NOW

CALLS = 10_000
START_SECONDS_MAX = 60.0
PAGES = {"page": "/", "filtered": "/?operation=createPayment"}


class Bank:
    """A served bank, and a connection to it and to its control interface."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        ready = Path(self._folder.name, "bank.ready")
        command = [sys.executable, "-m", "xs2a", "serve", "--port", "0", "--control-port", "0", "--quiet"]
        command += ["--now", NOW, "--ready-file", str(ready)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        until = time.monotonic() + START_SECONDS_MAX
        while not ready.exists():
            if self._process.poll() is not None or time.monotonic() > until:
                sys.exit("the bank does not begin")
            time.sleep(0.001)
        lines = ready.read_text().splitlines()
        self._bank, self._control = (http.client.HTTPConnection(urlsplit(line).netloc) for line in lines)

    def __enter__(self) -> Bank:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._bank.close()
        self._control.close()
        self._process.terminate()
        self._process.wait()
        self._folder.cleanup()

    def call(self) -> None:
        """A call that is refused; it is in the journal as every other one."""
        answered(self._bank, "GET", "/v1/none", 404)

    def control(self, method: str, path: str, status: int) -> bytes:
        return answered(self._control, method, path, status)

    def first_byte(self, path: str) -> int:
        """The nanoseconds to the head of the answer."""
        start = time.perf_counter_ns()
        self._control.request("GET", path)
        answer = self._control.getresponse()
        elapsed_ns = time.perf_counter_ns() - start
        if answer.status != 200 or not answer.read():
            sys.exit(f"{path} was answered {answer.status}")
        return elapsed_ns


def answered(connection: http.client.HTTPConnection, method: str, path: str, status: int) -> bytes:
    connection.request(method, path)
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != status:
        sys.exit(f"{method} {path} was answered {answer.status}: {body.decode()}")
    return body


def start() -> int:
    begun = time.perf_counter_ns()
    with Bank() as bank:
        bank.call()
        return time.perf_counter_ns() - begun


def restored(bank: Bank, path: str) -> int:
    begun = time.perf_counter_ns()
    bank.control("POST", path, 200)
    return time.perf_counter_ns() - begun


def take_turns(measured: Callable[[], int]) -> None:
    calls = 1
    for line in sys.stdin:
        order = line.split()
        if order[0] == "prepare":
            calls = int(order[1])
            print("ready", flush=True)
        else:
            print(sum(measured() for _ in range(calls)), flush=True)


def main() -> None:
    kind = sys.argv[1]
    if kind == "start":
        return take_turns(start)
    with Bank() as bank:
        if kind == "restore":
            number = json.loads(bank.control("POST", "/snapshots", 201))["id"]
            return take_turns(lambda: restored(bank, f"/snapshots/{number}/restore"))
        for _ in range(CALLS):
            bank.call()
        return take_turns(lambda: bank.first_byte(PAGES[kind]))


if __name__ == "__main__":
    main()
