"""Why a port cannot be listened at."""

from __future__ import annotations

import errno

__all__ = ["why_not"]


def why_not(host: str, port: int, error: Exception) -> str:
    """The cause, for the host."""
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is in use"
    if isinstance(error, OSError) and error.errno == errno.EACCES:
        return f"port {port} of {host} may not be taken by this user"
    return f"cannot listen at port {port} of {host}: {error}"
