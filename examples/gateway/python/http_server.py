"""HTTP by the standard library: a socket, a thread for each connection, a WSGI application behind it.

WSGI alone loses what a signature covers: header lines that are repeated become one, and the path comes
decoded. So this server hands both over as they came, in ``gateway.headers`` and ``REQUEST_URI`` of the
environment.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from email.errors import (
    FirstHeaderLineIsContinuationDefect,
    InvalidHeaderDefect,
    MisplacedEnvelopeHeaderDefect,
    MissingHeaderBodySeparatorDefect,
)
from socketserver import TCPServer, ThreadingMixIn
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import ServerHandler, WSGIRequestHandler, WSGIServer

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

SILENCE_SECONDS_MAX = 30
CONNECTIONS_MAX = 512
LINE_BYTES_MAX = 65536
LENGTH_DIGITS_MAX = 16
# Behind such a line the parser of headers reads no further, or it left the line out.
NOT_READ = (
    MissingHeaderBodySeparatorDefect,
    FirstHeaderLineIsContinuationDefect,
    MisplacedEnvelopeHeaderDefect,
    InvalidHeaderDefect,
)

log = logging.getLogger("gateway.http")


class Handler(WSGIRequestHandler):
    """One connection, with one request: the standard library's WSGI is as simple as that."""

    protocol_version = "HTTP/1.1"  # understands `Expect: 100-continue`; the answer closes the connection
    timeout = SILENCE_SECONDS_MAX

    def handle(self) -> None:
        """As the base class, with the bounds of this server and without a header ``Server``."""
        try:
            self.raw_requestline = self.rfile.readline(LINE_BYTES_MAX + 1)
            if len(self.raw_requestline) > LINE_BYTES_MAX:
                self.requestline = self.request_version = self.command = ""
                self.send_error(414)
            elif self.parse_request() and self.is_whole():
                answering = ServerHandler(
                    self.rfile,
                    self.wfile,  # type: ignore[arg-type]
                    self.get_stderr(),
                    self.get_environ(),
                )
                answering.server_software = ""
                answering.request_handler = self  # type: ignore[attr-defined]
                answering.run(self._server.answers)
        except OSError as error:  # the client is gone, or silent
            log.info("a connection broke: %s", error)

    def is_whole(self) -> bool:
        """Whether each line of the head is a field that was read."""
        is_whole = not any(isinstance(defect, NOT_READ) for defect in self.headers.defects)
        if not is_whole:
            self.send_error(400)
        return is_whole

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """As the base class, by the code alone: its message would show what came, in the log too."""
        super().send_error(code)

    def handle_expect_100(self) -> bool:
        """A client that asks before sending too much gets no 100 Continue."""
        if (body_length(self.headers.get("Content-Length")) or 0) > self._server.body_bytes_max:
            return True
        return super().handle_expect_100()

    def get_environ(self) -> dict[str, Any]:
        """The environment of WSGI, and the request as it came."""
        environ: dict[str, Any] = super().get_environ()
        environ["REQUEST_URI"] = self.requestline.split()[1]  # `path` has lost a slash of two
        environ["gateway.headers"] = [
            (name, value.strip(" \t").encode("latin-1")) for name, value in self.headers.raw_items()
        ]
        return environ

    def address_string(self) -> str:
        """The number: no name is looked up."""
        return str(self.client_address[0])

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Requests are logged where they are answered."""

    def log_message(self, format: str, *args: Any) -> None:
        """What is no request at all."""
        log.info(format, *args)

    @property
    def _server(self) -> Server:
        assert isinstance(self.server, Server)
        return self.server


def body_length(content_length: str | None) -> int | None:
    """How long a body is said to be; 0 where nothing is said, None where it is no number. With more digits
    than any body it is cut: it is too much either way, and ``int`` refuses thousands of digits."""
    text = content_length or "0"
    return int(text.lstrip("0")[:LENGTH_DIGITS_MAX] or "0") if text.isdecimal() else None


class Server(ThreadingMixIn, WSGIServer):
    """Listens from the start; ``start`` answers. ``OSError`` where it cannot listen there."""

    daemon_threads = True  # `stop` waits for them, but not for ever
    request_queue_size = 128

    def __init__(self, address: str, port: int, application: WSGIApplication, body_bytes_max: int) -> None:
        self.address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.answers, self.body_bytes_max = application, body_bytes_max
        self._free = threading.Semaphore(CONNECTIONS_MAX)
        super().__init__((address, port), Handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), name="listener")

    def server_bind(self) -> None:
        """As the base class, without asking what this machine is called."""
        TCPServer.server_bind(self)
        host, self.server_port = self.server_address[:2]
        self.server_name = str(host)
        self.setup_environ()

    def start(self) -> None:
        self._thread.start()

    def stop(self, seconds_max: float) -> None:
        """Takes no new connection, waits for the requests under way, so many seconds at most, and closes."""
        if self._thread.is_alive():
            self.shutdown()
            self._thread.join()
        self.server_close()
        end = time.monotonic() + seconds_max
        for _ in range(CONNECTIONS_MAX):
            self._free.acquire(timeout=max(0.0, end - time.monotonic()))

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Whether one more connection is allowed; if not, it is closed."""
        if self._free.acquire(blocking=False):
            return True
        log.warning("a connection was closed: %d are open", CONNECTIONS_MAX)
        return False

    def process_request(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no thread can be had
            self._free.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        log.exception("a connection could not be served")
