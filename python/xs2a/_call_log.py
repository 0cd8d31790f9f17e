"""One line for each call of a served sandbox."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from queue import Empty, Full, Queue
from typing import TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    from xs2a._native import Response

__all__ = ["AnsweredCall", "CallLog"]

# Where the reader of the log is slower than the callers, lines are dropped; calls do not wait.
_WAITING_MAX = 10_000
_WRITTEN_AT_ONCE_MAX = 1_000
# A thread that wakes for each line takes a tenth of the time from the calls.
_GATHERED_SECONDS = 0.02
_IDENTITY_NUMBER = re.compile(r"(?<!\d)\d{9}(?=\d{2}(?!\d))")


@dataclass(frozen=True)
class AnsweredCall:
    """A call whose answer was sent."""

    at: datetime
    method: str
    target: str
    answer: Response
    seconds: float

    def members(self) -> dict[str, object]:
        """What the log has of it; identity numbers are masked."""
        explanation = self.answer.explanation
        return {
            "time": self.at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "method": self.method,
            "target": _IDENTITY_NUMBER.sub("*********", _printable(self.target)),
            "status": self.answer.status,
            "reason": self.answer.reason,
            "mistake": explanation.mistake if explanation else None,
            "ms": round(self.seconds * 1000, 1),
            "explanation": explanation.text if explanation else None,
        }


class CallLog:
    """Writes calls to a stream, from a thread of its own: a mistake takes up to 50 ms to be found."""

    def __init__(self, stream: TextIO, form: Literal["text", "json"]) -> None:
        self._stream = stream
        self._line: Callable[[dict[str, object]], str] = _text if form == "text" else json.dumps
        self._waiting: Queue[AnsweredCall | None] = Queue(_WAITING_MAX)
        self._dropped = 0
        self._thread = threading.Thread(target=self._write, name="xs2a.log", daemon=True)
        self._thread.start()

    def note(self, method: str, target: str, answer: Response, seconds: float) -> None:
        """Takes a call whose answer was sent, and returns at once."""
        call = AnsweredCall(datetime.now(timezone.utc), method, target, answer, seconds)
        try:
            self._waiting.put_nowait(call)
        except Full:
            self._dropped += 1

    def close(self) -> None:
        """Writes what waits, for two seconds at most: a reader may have stopped reading."""
        try:
            self._waiting.put(None, timeout=2)
        except Full:
            return
        self._thread.join(timeout=2)

    def _write(self) -> None:
        is_over = False
        while not is_over:
            calls = self._take()
            is_over = None in calls
            lines = [self._line(call.members()) for call in calls if call is not None]
            if self._dropped:
                dropped, self._dropped = self._dropped, 0
                lines.append(self._line({"dropped": dropped}))
            try:
                self._stream.write("".join(f"{line}\n" for line in lines))
                self._stream.flush()
            except (OSError, ValueError):
                return  # the stream is closed

    def _take(self) -> list[AnsweredCall | None]:
        """The next call, and those that wait already, to be written in one step. None: the log is closed."""
        calls = [self._waiting.get()]
        time.sleep(_GATHERED_SECONDS)
        with suppress(Empty):
            while calls[-1] is not None and len(calls) < _WRITTEN_AT_ONCE_MAX:
                calls.append(self._waiting.get_nowait())
        return calls


def _text(members: dict[str, object]) -> str:
    """``2026-09-01T10:00:00.000Z POST /v1/… 400 SIG-13 trailing-newline 1.2 ms``, and of a call that
    authentication refused what to do about it."""
    if "dropped" in members:
        return f"{members['dropped']} lines were dropped: the log is read too slowly"
    shown = {name: str(value) for name, value in members.items() if value is not None}
    explanation, took = shown.pop("explanation", None), shown.pop("ms")
    line = f"{' '.join(shown.values())} {took} ms"
    return f"{line}: {_printable(explanation)}" if explanation else line


def _printable(text: str) -> str:
    """A target may hold what would steer a terminal."""
    return text.encode("ascii", "backslashreplace").decode() if text.isprintable() else ascii(text)[1:-1]
