"""Refusing what is of no use where it is handed over, and not only at the first call."""

from __future__ import annotations

__all__ = ["expect"]


def expect(what: str, given: object, method: str) -> None:
    """``TypeError`` unless there is a method of that name, by which it is used. Every object with one is
    taken: an ``Engine`` answers as a ``Sandbox`` does, and so does what you put around either."""
    if isinstance(given, type) or not callable(getattr(given, method, None)):
        kind = f"the class {given.__name__}" if isinstance(given, type) else type(given).__name__
        raise TypeError(f"a {what} is expected, not {kind}")
