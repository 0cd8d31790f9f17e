"""Refusing what is of no use where it is handed over, and not only at the first call."""

from __future__ import annotations

__all__ = ["expect", "expect_type"]


def expect(what: str, given: object, method: str) -> None:
    """``TypeError`` unless there is a method of that name, by which it is used. Every object with one is
    taken: an ``Engine`` answers as a ``Sandbox`` does, and so does what you put around either."""
    if isinstance(given, type) or not callable(getattr(given, method, None)):
        kind = f"the class {given.__name__}" if isinstance(given, type) else type(given).__name__
        raise TypeError(f"a {what} is expected, not {kind}")


def expect_type(name: str, given: object, kind: type | tuple[type, ...], words: str) -> None:
    """``TypeError`` for an argument of another type, worded as those of the native functions are."""
    if not isinstance(given, kind):
        raise TypeError(f"argument '{name}': {words} is expected, not {type(given).__name__}")
