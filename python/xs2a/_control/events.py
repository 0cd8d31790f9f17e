"""New entries of the journal, as server-sent events (HTML standard, section 9.2)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from http import HTTPStatus

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from xs2a._control import entries
from xs2a._control.control import Control
from xs2a._control.problem import Problem
from xs2a._errors import MisuseError
from xs2a._native import journal_last_number

__all__ = ["EventStreams"]

_STREAMS_MAX = 32
# The journal is asked so often; nothing notifies of a new entry, because calls come from other threads too.
_POLL_SECONDS = 0.2
# A proxy or a browser ends a connection on which nothing comes.
_SILENCE_SECONDS_MAX = 15.0


class EventStreams:
    """The streams of one control interface: at most 32 at a time."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._open = 0

    async def answer(self, request: Request) -> Response:
        """A stream from the present on, or behind the entry that ``Last-Event-ID`` names."""
        last = self._beginning(request)
        if self._open >= _STREAMS_MAX:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "too many event streams are open")
        return StreamingResponse(self._events(last), media_type="text/event-stream")

    def _beginning(self, request: Request) -> int:
        given = request.headers.get("last-event-id")
        if given is None:
            return journal_last_number(self._control.sandbox)
        if not (given.isascii() and given.isdecimal() and len(given) <= 18):
            raise Problem(HTTPStatus.BAD_REQUEST, "Last-Event-ID is the number of an entry")
        return int(given)

    async def _events(self, last: int) -> AsyncIterator[bytes]:
        self._open += 1
        try:
            yield b"retry: 1000\n\n"
            silent_since = time.monotonic()
            while not self._control.stopping.is_set():
                pieces = await run_in_threadpool(self._pieces, last)
                for number, piece in pieces:
                    last = number
                    yield piece
                if pieces:
                    silent_since = time.monotonic()
                elif time.monotonic() - silent_since > _SILENCE_SECONDS_MAX:
                    silent_since = time.monotonic()
                    yield b": still here\n\n"
                await asyncio.sleep(_POLL_SECONDS)
        except MisuseError:
            return  # the sandbox is closed
        finally:
            self._open -= 1

    def _pieces(self, last: int) -> list[tuple[int, bytes]]:
        if journal_last_number(self._control.sandbox) == last:
            return []
        found = entries.summaries(self._control.sandbox, last)
        return [(entry.number, _piece(entry.number, msgspec.json.encode(entry))) for entry in found]


def _piece(number: int, data: bytes) -> bytes:
    return b"id: %d\nevent: entry\ndata: %s\n\n" % (number, data)
