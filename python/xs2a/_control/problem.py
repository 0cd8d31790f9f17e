"""Errors of the control interface, as problem details (RFC 9457)."""

from __future__ import annotations

import json
from http import HTTPStatus

from xs2a._errors import BankError, ConfigError, Error, MisuseError

__all__ = ["MEDIA_TYPE", "Problem", "of_error"]

MEDIA_TYPE = "application/problem+json"


class Problem(Exception):
    """A request that is answered with an error."""

    def __init__(
        self, status: int, detail: str, *, pointer: str | None = None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.pointer, self.headers = status, detail, pointer, headers or {}

    @property
    def title(self) -> str:
        """The words for its status."""
        return HTTPStatus(self.status).phrase

    def body(self) -> bytes:
        """The problem as JSON. ``pointer`` is a JSON Pointer to the member of the body that is wrong."""
        members = {
            "type": "about:blank",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "pointer": self.pointer,
        }
        return json.dumps({name: value for name, value in members.items() if value is not None}).encode()


def of_error(error: Error) -> Problem:
    """The problem for what a sandbox raised."""
    if isinstance(error, (MisuseError, ConfigError)):
        return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
    if isinstance(error, BankError):
        return Problem(HTTPStatus.BAD_GATEWAY, f"the bank fails, because a fault is set: {error}")
    return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))
