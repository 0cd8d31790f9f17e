"""Serving a sandbox over HTTP or HTTPS: a listening socket, and a thread for each connection."""

from __future__ import annotations

import logging
import os
import socket
import socketserver
import ssl
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Any

from xs2a._conversation import Answerer, Note, converse, turn_away
from xs2a._errors import ConfigError, MisuseError
from xs2a._listen import why_not
from xs2a._real_time import bring_to_the_present, follow, is_ahead, leave, was_signed_before

if TYPE_CHECKING:
    from xs2a._control.server import ControlServer
    from xs2a._native import Clock, Response, Sandbox

__all__ = ["Listener", "Serving", "answerer"]

_CONNECTIONS_MAX = 200
# So many more are answered that the server is full; further ones are disconnected.
_TURNED_AWAY_MAX = 50
_SILENCE_SECONDS_MAX = 30.0
# The default of the policy `sca_origin`: no server listens there.
_NO_SCA_ORIGIN = "https://sca.bank.example"

_log = logging.getLogger("xs2a.serve")

# Where each sandbox that is served has taken its links to, by its id(): the address that was served first.
_served: dict[int, list[str]] = {}
_serving = threading.Lock()


class Serving:
    """A sandbox that is served while the context lasts. Made by ``Sandbox.serve``."""

    def __init__(
        self,
        sandbox: Sandbox,
        port: int = 0,
        host: str = "127.0.0.1",
        certificate: str | PathLike[str] | None = None,
        key: str | PathLike[str] | None = None,
        real_time: bool = False,
        control: tuple[int, str, str | None] | None = None,
    ) -> None:
        """``control``: port, host and token of the control interface; None: there is none."""
        self._sandbox, self._real_time = sandbox, real_time
        self._control = control
        self._control_server: ControlServer | None = None
        self.control_url: str | None = None
        """Where the control interface is, while it is served."""
        self._address, self._files = (host, port), (certificate, key)
        self._listener: Listener | None = None
        self._following: Clock | None = None

    def __enter__(self) -> str:
        """Begins to serve; gives the URL, base path included."""
        if self._listener is not None:
            raise ConfigError("this is served already: call serve() again for a second address")
        base_path, answer = self._sandbox.base_path, answerer(self._sandbox, self._real_time)
        if self._real_time and is_ahead(self._sandbox.clock):
            # No refusal: a client of this process may sign by the bank's clock.
            shown = self._sandbox.clock.now().isoformat()
            _log.warning("the bank's clock is ahead, at %s: who signs by the machine's is refused", shown)
        self._listener = Listener(*self._address, *self._files)
        self._take_links(self._listener.origin)
        if self._real_time:
            self._following = self._sandbox.clock
            follow(self._following)
        self._listener.start(answer, lambda: self._sandbox.body_bytes_max)
        url = self._listener.origin + base_path
        if self._control is not None:
            self._serve_control(url, *self._control)
        return url

    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Takes no more calls, ends those under way, and frees the port."""
        if self._control_server is not None:
            self._control_server.close()
            self._control_server = self.control_url = None
        if self._listener is not None:
            origin = self._listener.origin
            self._listener.close()
            self._listener = None
            if self._following is not None:
                leave(self._following)
                self._following = None
            with suppress(MisuseError):  # the sandbox may be closed by now
                self._give_links(origin)

    def _serve_control(self, url: str, port: int, host: str, token: str | None) -> None:
        from xs2a._control.control import Control
        from xs2a._control.server import ControlServer

        try:
            self._control_server = ControlServer(
                Control(self._sandbox, url, self._real_time), port, host, token
            )
        except BaseException:
            self.__exit__(None, None, None)
            raise
        if self._control_server.is_open_to_others:
            _log.warning("the control interface has no token, and other machines may reach it")
        self._control_server.start()
        self.control_url = self._control_server.url

    def _take_links(self, origin: str) -> None:
        """Links to the bank's site lead here, unless the host said where it is, or one is served already."""
        with _serving:
            _served.setdefault(id(self._sandbox), []).append(origin)
            if self._sandbox.sca_origin == _NO_SCA_ORIGIN:
                self._sandbox.sca_origin = origin

    def _give_links(self, origin: str) -> None:
        """Links that led here lead to the next address, if there is one."""
        with _serving:
            others = _served[id(self._sandbox)]
            others.remove(origin)
            if not others:
                del _served[id(self._sandbox)]
            if self._sandbox.sca_origin == origin:
                self._sandbox.sca_origin = others[0] if others else _NO_SCA_ORIGIN


def answerer(sandbox: Sandbox, real_time: bool) -> Answerer:
    """How a sandbox answers what is served."""
    if not real_time:
        return sandbox.handle

    clock = sandbox.clock

    def answer(method: str, target: str, headers: list[tuple[str, bytes]], body: bytes) -> Response:
        before = was_signed_before(clock, headers)
        if not before:
            bring_to_the_present(clock)
        response = sandbox.handle(method, target, headers, body)
        if before:  # it is answered as of then: `tpp.sign` knows of no present
            bring_to_the_present(clock)
        return response

    return answer


class Listener:
    """A port that is taken, and what comes in there. Raises ``ConfigError`` where it cannot be had."""

    def __init__(
        self,
        host: str,
        port: int,
        certificate: str | PathLike[str] | None = None,
        key: str | PathLike[str] | None = None,
    ) -> None:
        if not host.strip():  # to a socket it would be every interface
            raise ConfigError("a host is an address, such as 127.0.0.1")
        context = _tls(certificate, key)
        try:
            self._server = _Server(host, port, context)
        except (OSError, OverflowError) as error:
            raise ConfigError(why_not(host, port, error)) from error
        scheme, shown = "http" if context is None else "https", f"[{host}]" if ":" in host else host
        self.origin = f"{scheme}://{shown}:{self._server.server_address[1]}"
        """Scheme, host and port."""
        self.is_everywhere = ip_address(str(self._server.server_address[0])).is_unspecified
        """Whether it listens at every address of this machine: the origin then names none of them."""
        self._process = os.getpid()
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="xs2a.serve", daemon=True
        )

    def start(self, answer: Answerer, body_bytes_max: Callable[[], int], note: Note | None = None) -> None:
        """Answers from now on. The largest size of a body is read again for each. ``note`` gets each call
        whose answer was sent."""
        self._server.answer, self._server.body_bytes_max, self._server.note = answer, body_bytes_max, note
        self._thread.start()

    def close(self) -> None:
        """Takes no more calls, ends those under way, and frees the port."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        if os.getpid() == self._process:  # a process forked since has its connections too, and serves none
            self._server.hang_up()
        self._server.server_close()


def _tls(certificate: str | PathLike[str] | None, key: str | PathLike[str] | None) -> ssl.SSLContext | None:
    if certificate is None:
        if key is not None:
            raise ConfigError("a key without a certificate")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    files = [os.fspath(path) for path in (certificate, key) if path is not None]
    for path in files:
        if not os.path.isfile(path):
            raise ConfigError(f"there is no file {path}")
    try:
        # A password is only requested if the key has one, and no user could type it.
        context.load_cert_chain(certificate, key, password="")
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        named = " with ".join(files)
        raise ConfigError(f"{named}: not a certificate and its key in PEM, without a password") from error
    return context


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = sys.platform != "win32"  # there it would let two programs have one port
    request_queue_size = 128

    answer: Answerer
    body_bytes_max: Callable[[], int]
    note: Note | None

    def __init__(self, host: str, port: int, context: ssl.SSLContext | None) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._context = context
        self._open: set[socket.socket] = set()
        self._turned_away: set[socket.socket] = set()
        self._changing = threading.Lock()
        self._threads_of_connections: list[threading.Thread] = []
        self.ending = threading.Event()
        super().__init__((host, port), _Handler)

    def get_request(self) -> tuple[socket.socket, Any]:
        """Takes a connection. Its handshake is its own thread's: a slow client delays no other."""
        connection, address = self.socket.accept()
        connection.settimeout(_SILENCE_SECONDS_MAX)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._context is not None:
            connection = self._context.wrap_socket(
                connection, server_side=True, do_handshake_on_connect=False
            )
        return connection, address

    def process_request(self, request: Any, client_address: Any) -> None:
        """Gives a connection its thread. A daemon: a process whose host forgot to end this one ends all the
        same, and does not wait until its clients have been silent for long."""
        thread = threading.Thread(
            target=self.process_request_thread, args=(request, client_address), daemon=True
        )
        thread.start()
        in_progress = [each for each in self._threads_of_connections if each.is_alive()]
        self._threads_of_connections = [*in_progress, thread]

    def server_close(self) -> None:
        """Frees the port, and waits for the calls under way."""
        super().server_close()
        for thread in self._threads_of_connections:
            thread.join()

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Whether one more connection is served or answered that the server is full; it is closed
        otherwise."""
        with self._changing:
            if len(self._open) - len(self._turned_away) < _CONNECTIONS_MAX:
                self._open.add(request)
                return True
            _log.warning("a connection was turned away: %d are open", len(self._open))
            if len(self._turned_away) >= _TURNED_AWAY_MAX:
                return False
            self._open.add(request)
            self._turned_away.add(request)
            return True

    def has_capacity_for(self, request: Any) -> bool:
        """Whether a connection may ask anything."""
        with self._changing:
            return request not in self._turned_away

    def shutdown_request(self, request: Any) -> None:
        """A connection is done."""
        with self._changing:
            self._open.discard(request)
            self._turned_away.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """Reads no more from any client. A client that waits for an answer still gets it."""
        self.ending.set()
        with self._changing:
            for connection in self._open:
                # Not the method of an SSLSocket: that would drop its TLS state while an answer is written.
                with suppress(OSError):
                    socket.socket.shutdown(connection, socket.SHUT_RD)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up or send nonsense are no news; all else is a fault to be found."""
        error = sys.exc_info()[1]
        if isinstance(error, OSError):  # ssl.SSLError and timeouts too
            _log.debug("a connection ended: %s", error)
        else:
            _log.exception("a request could not be answered")


class _Handler(socketserver.BaseRequestHandler):
    server: _Server

    def handle(self) -> None:
        """One connection, from its handshake to its end."""
        if isinstance(self.request, ssl.SSLSocket):
            self.request.do_handshake()
        heard = self.request, self.server.answer, self.server.body_bytes_max
        if self.server.has_capacity_for(self.request):
            converse(*heard, self.server.ending.is_set, self.server.note)
        else:
            turn_away(*heard)
