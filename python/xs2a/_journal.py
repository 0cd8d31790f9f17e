"""What was done with a sandbox, to be looked at and to be taken along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Union, overload

from xs2a._errors import MisuseError
from xs2a._expected import expect_type
from xs2a._native import (
    Sandbox,
    journal_clear,
    journal_entries,
    journal_explanation,
    journal_export,
    journal_length,
)
from xs2a._values import Explanation, JournalCall, JournalNote

__all__ = ["Journal"]

_Entry = Union[JournalCall, JournalNote]


class Journal(Sequence[_Entry]):
    """The entries of a sandbox since it was opened or forked off, oldest first: the newest 10,000, at most
    16 MiB of them. It always shows the present state. ``sandbox.journal[-1]`` is what was done last.

    Entries show what was sent; ``text``, ``har`` and ``curl`` mask identity numbers, and the values of
    X-PSU-IDENTITY, Authorization and cookies, unless an argument says not to. Names, account and card
    numbers, and amounts stay.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        expect_type("sandbox", sandbox, Sandbox, "a Sandbox")
        self._sandbox = sandbox

    def __len__(self) -> int:
        return journal_length(self._sandbox)

    @overload
    def __getitem__(self, index: int) -> _Entry: ...
    @overload
    def __getitem__(self, index: slice) -> list[_Entry]: ...
    def __getitem__(self, index: int | slice) -> _Entry | list[_Entry]:
        if isinstance(index, slice):
            return self._entries()[index]
        expect_type("index", index, int, "an int or a slice")
        place = index + len(self) if index < 0 else index
        found = self._entries(place, place + 1) if place >= 0 else []
        if not found:
            raise IndexError("the journal has no such entry")
        return found[0]

    def __iter__(self) -> Iterator[_Entry]:
        return iter(self._entries())

    @property
    def calls(self) -> list[JournalCall]:
        """The entries that are calls."""
        return [entry for entry in self._entries() if isinstance(entry, JournalCall)]

    def text(self, *, last: int | None = None, number: int | None = None, redact: bool = True) -> str:
        """Some lines for each entry: what was asked, what came of it, what happened inside the bank during it
        (faults that struck, payments that moved on), and the body of a refusal with the mistake behind it, or
        the links of another answer.

        last: only so many of the newest entries; ``MisuseError`` below 0.
        number: only the entry with that number.
        """
        return self._export("text", redact, last, number)

    def har(
        self,
        *,
        last: int | None = None,
        number: int | None = None,
        redact: bool = True,
        origin: str | None = None,
    ) -> str:
        """An HTTP Archive (HAR 1.2, JSON), as browsers and proxies open it. Reasons, operation, TPP and
        the mistake behind a refusal are in members that begin with an underscore.

        origin: scheme and host of the calls; None: ``sandbox.sca_origin``.
        """
        return self._export("har", redact, last, number, origin)

    def curl(
        self,
        *,
        last: int | None = None,
        number: int | None = None,
        redact: bool = True,
        origin: str | None = None,
    ) -> str:
        """A shell script with one curl command for each call, which sends the bytes that were sent. A
        signature is good for 60 seconds by the bank's clock, and a request id for one call."""
        return self._export("curl", redact, last, number, origin)

    def pytest(self) -> str:
        """A file for pytest: it opens the same bank (seed, time, settings), does everything again and asserts
        that the same comes of it. In a fork it begins where the first parent did. Nothing is masked in it.

        ``MisuseError`` where the same cannot be done again: the database file existed before, entries are
        gone, a fault was set with ``when`` or before this sandbox was forked off, or a snapshot or an
        exported state was taken.
        """
        return self._export("pytest", False, None)

    def explanation(self, number: int) -> Explanation | None:
        """Which mistake made authentication refuse the call of that number (``JournalCall.number``); None for
        every other entry. It is worked out now, by the present policy and trust anchors."""
        if isinstance(number, int) and not 0 < number < 2**63:
            return None
        return journal_explanation(self._sandbox, number)

    def clear(self) -> None:
        """Forget every entry."""
        journal_clear(self._sandbox)

    def __repr__(self) -> str:
        try:
            return f"<Journal of {len(self)} entries>"
        except MisuseError:
            return "<Journal of a closed sandbox>"

    def _repr_html_(self) -> str:
        from xs2a._html import of_journal

        return of_journal(self)

    def _entries(self, start: int = 0, stop: int | None = None) -> list[_Entry]:
        return list(journal_entries(self._sandbox, start, len(self) if stop is None else stop))

    def _export(
        self,
        form: str,
        redact: bool,
        last: int | None,
        number: int | None = None,
        origin: str | None = None,
    ) -> str:
        return journal_export(self._sandbox, form, redact, last, origin, number)
