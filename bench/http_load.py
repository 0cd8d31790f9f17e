"""Asks a server for the status of a payment again and again over one kept connection, and takes the time.

`xs2a`: `python -m xs2a serve`, each request signed in advance and looked at in full. `flask`: an application
that answers a constant, behind waitress, the server that Flask's own guide begins with. `prism`: Stoplight's
mock of the same route, from bench/openapi.json. `quiet`, `watched`: as `xs2a`, without the log of calls, or
with it and a reader of the console's events. The server runs in a process of its own; the requests are the
same but for the payment's id. Orders come by line; see bench/src/interface.rs.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import xs2a
from turns import FIELDS, NOW, ORDER

BENCH = Path(__file__).parent
PRISM = BENCH.parent / "target/bench/prism/node_modules/.bin/prism"
PRODUCT = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
START_SECONDS_MAX = 60.0
# The kinds that serve a sandbox, and the TPP there.
OURS = ("xs2a", "quiet", "watched")
TPP = "xs2a serve"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A server in a process of its own, and one connection to it."""

    def __init__(self, kind: str) -> None:
        self._port = free_port()
        port = str(self._port)
        self._reader: subprocess.Popen[bytes] | None = None
        serve = [sys.executable, "-m", "xs2a", "serve", "--port", port, "--now", NOW, "--seed", "1"]
        control = str(free_port())
        command = {
            "xs2a": serve,
            "quiet": [*serve, "--quiet"],
            "watched": [*serve, "--control-port", control],
            "flask": ["waitress-serve", "--listen", f"127.0.0.1:{port}", "constant_app:app"],
            "prism": [str(PRISM), "mock", "--port", port, "--verboseLevel", "silent", "openapi.json"],
        }[kind]
        if kind in OURS:
            command += ["--tpp", str(BENCH.parent / f"target/bench/tpp-{kind}"), "--tpp-name", TPP]
        if kind == "flask":
            command[0] = str(Path(sys.executable).parent / command[0])
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(command, cwd=BENCH, stdout=quiet, stderr=quiet)
        self._connection = self._connect()
        if kind == "watched":
            reader = ["curl", "-sN", "--retry", "60", "--retry-connrefused"]
            self._reader = subprocess.Popen([*reader, f"http://127.0.0.1:{control}/events"], stdout=quiet)

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._connection.close()
        if self._reader is not None:
            self._reader.terminate()
            self._reader.wait()
        self._process.terminate()
        self._process.wait()

    def _connect(self) -> socket.socket:
        until = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < until:
            with suppress(OSError):
                connection = socket.create_connection(("127.0.0.1", self._port), timeout=10)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return connection
            time.sleep(0.05)
        sys.exit("the server does not begin")

    def exchange(self, request: bytes) -> tuple[int, bytes]:
        """One request, and the status and body of its answer."""
        self._connection.sendall(request)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self._receive()
        head, _, body = answer.partition(b"\r\n\r\n")
        length = next(
            int(line.split(b":", 1)[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        )
        while len(body) < length:
            body += self._receive()
        return int(head.split(b" ", 2)[1]), body

    def _receive(self) -> bytes:
        piece = self._connection.recv(65536)
        if not piece:
            sys.exit("the server closed the connection")
        return piece


def on_the_wire(method: str, target: str, headers: list[tuple[str, str]], body: bytes = b"") -> bytes:
    """A request as it is sent."""
    fields = [f"{name}: {value}" for name, value in headers]
    lines = [f"{method} {target} HTTP/1.1", "Host: 127.0.0.1", *fields]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


class Client:
    """Signs as the TPP that the served sandbox has: the same seed makes the same one here."""

    def __init__(self, twin: xs2a.Sandbox) -> None:
        self._tpp = twin.register_tpp(TPP)

    def request(self, method: str, target: str, body: bytes = b"") -> bytes:
        """A signed request, with a request id of its own."""
        return on_the_wire(method, target, self._tpp.sign(method, target, FIELDS, body), body)


def status_path(server: Server, client: Client, kind: str) -> str:
    """What is asked for: a payment that is there, where there are payments."""
    if kind not in OURS:
        return f"{PRODUCT}/1/status"
    status, body = server.exchange(client.request("POST", PRODUCT, json.dumps(ORDER).encode()))
    if status != 201:
        sys.exit(f"the payment was answered {status}: {body.decode()}")
    href: str = json.loads(body)["_links"]["status"]["href"]
    return href


def main() -> None:
    kind = sys.argv[1]
    with xs2a.Sandbox(now=NOW, seed=1) as twin, Server(kind) as server:
        client = Client(twin)
        target = status_path(server, client, kind)
        requests: list[bytes] = []
        for line in sys.stdin:
            order = line.split()
            if order[0] == "prepare":
                requests = [client.request("GET", target) for _ in range(int(order[1]))]
                print("ready", flush=True)
                continue
            start = time.perf_counter_ns()
            statuses = {server.exchange(request)[0] for request in requests}
            elapsed_ns = time.perf_counter_ns() - start
            if statuses != {200}:
                sys.exit(f"{kind} answered {sorted(statuses)}")
            print(elapsed_ns, flush=True)


if __name__ == "__main__":
    main()
