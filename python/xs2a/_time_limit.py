"""How long something may take by the real clock, whatever time a test says it is."""

from __future__ import annotations

import time

__all__ = ["TimeLimit"]


class TimeLimit:
    """A span that begins now.

    freezegun replaces what modules name, and what is imported while it freezes. A class keeps what it had; so
    ``import xs2a`` brings this one, and not only ``serve``, which may come later.
    """

    _now = staticmethod(time.monotonic)

    def __init__(self, seconds: float) -> None:
        self._end = self._now() + seconds

    def is_over(self) -> bool:
        """Whether it has ended."""
        return self._now() >= self._end
