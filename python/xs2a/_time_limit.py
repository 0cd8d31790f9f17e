"""How long something may take by the real clock, independent of the time that a test sets."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["TimeLimit"]


def _now(clock: Callable[[], float] = time.monotonic) -> float:
    """Seconds by the real clock.

    freezegun replaces what modules name, and what is imported while it freezes. A default keeps what it was;
    so ``import xs2a`` brings this one, and not only ``serve``, which may come later.
    """
    return clock()


class TimeLimit:
    """A span that begins now."""

    def __init__(self, seconds: float) -> None:
        self._end = _now() + seconds

    def is_over(self) -> bool:
        """Whether it has ended."""
        return _now() >= self._end
