"""The control interface on a port of its own: uvicorn, in a thread."""

from __future__ import annotations

import os
import socket
import sys
import threading
from ipaddress import ip_address

try:
    import uvicorn

    from xs2a._control.app import application
except ImportError as error:
    if (error.name or "").startswith("xs2a"):
        raise
    raise ImportError(
        f"the control interface needs the package {error.name}: pip install 'xs2a[serve]'"
    ) from None

from xs2a._control.control import Control
from xs2a._errors import ConfigError
from xs2a._listen import why_not

__all__ = ["ControlServer"]

_CONNECTIONS_MAX = 200
_QUEUE_MAX = 128
_GRACE_SECONDS = 2


class ControlServer:
    """A port that is taken, and the control interface there. ``ConfigError`` where it cannot be had."""

    def __init__(self, control: Control, port: int, host: str, token: str | None) -> None:
        if token is not None and not (
            token.isascii() and token.isprintable() and token.strip() == token != ""
        ):
            raise ConfigError("a control token is printable ASCII text without spaces around it")
        self._control = control
        self._socket = _listening(host, port)
        shown = f"[{host}]" if ":" in host else host
        self.url = f"http://{shown}:{self._socket.getsockname()[1]}"
        """Scheme, host and port."""
        self.is_open_to_others = token is None and not _is_loopback(self._socket)
        """Whether other machines can call it without a token."""
        config = uvicorn.Config(
            application(control, host, token),
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_CONNECTIONS_MAX,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, name="xs2a.control", daemon=True
        )
        self._process = os.getpid()

    def start(self) -> None:
        """Answers from now on. Connections that came before wait in the queue of the port."""
        self._thread.start()

    def close(self) -> None:
        """Takes no more calls, ends event streams and calls under way, and frees the port."""
        self._control.stopping.set()
        if self._thread.is_alive() and os.getpid() == self._process:
            self._server.should_exit = True
            self._thread.join()
        self._socket.close()


def _listening(host: str, port: int) -> socket.socket:
    if not host.strip():  # to a socket it would be every interface
        raise ConfigError("a host is an address, such as 127.0.0.1")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, because asyncio sends small answers at once (TCP_NODELAY) only where it is.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":  # there it would let two programs have one port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_QUEUE_MAX)
    except (OSError, OverflowError) as error:
        listening.close()
        raise ConfigError(why_not(host, port, error)) from error
    return listening


def _is_loopback(listening: socket.socket) -> bool:
    return ip_address(str(listening.getsockname()[0])).is_loopback
