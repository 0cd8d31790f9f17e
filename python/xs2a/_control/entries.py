"""Entries of the journal as the control interface and the console show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Union

from xs2a._answer import first_value, unpacked
from xs2a._control.bodies import EntryView
from xs2a._native import journal_entries, journal_last_number, journal_length, journal_newest_calls
from xs2a._values import JournalCall, JournalNote

if TYPE_CHECKING:
    from xs2a._native import Sandbox

__all__ = ["after", "entry_of", "newest", "readable", "summaries", "view"]

Entry = Union[JournalCall, JournalNote]


def newest(sandbox: Sandbox, limit: int, given: dict[str, Any]) -> Sequence[Entry]:
    """The newest entries, newest first; with attributes only calls that have them."""
    if given:
        return journal_newest_calls(sandbox, limit, **given)
    stop = journal_length(sandbox)
    return journal_entries(sandbox, max(0, stop - limit), stop)[::-1]


def after(sandbox: Sandbox, number: int) -> list[Entry]:
    """The entries behind that number, oldest first."""
    last = journal_last_number(sandbox)
    length = journal_length(sandbox)
    start = max(0, length - max(0, last - number))
    return [entry for entry in journal_entries(sandbox, start, length) if entry.number > number]


def entry_of(sandbox: Sandbox, number: int) -> Entry | None:
    """The entry with that number; None if there is none, or none any more."""
    length = journal_length(sandbox)
    start = length - (journal_last_number(sandbox) - number) - 1
    if not 0 <= start < length:
        return None
    found = journal_entries(sandbox, start, start + 1)
    return found[0] if found and found[0].number == number else None


def view(entry: Entry) -> EntryView:
    """An entry with everything in it, nothing masked."""
    if isinstance(entry, JournalNote):
        return EntryView(
            number=entry.number, at=entry.at, kind="control", text=entry.text, happened=list(entry.happened)
        )
    return EntryView(
        number=entry.number,
        at=entry.at,
        kind="call",
        text=f"{entry.method} {entry.target} -> {entry.status}",
        happened=list(entry.happened),
        method=entry.method,
        target=entry.target,
        headers=list(entry.headers),
        body=readable(entry.body),
        status=entry.status,
        answer_headers=list(entry.answer_headers),
        answer_body=readable(_unpacked_answer(entry)),
        reason=entry.reason,
        reasons=list(entry.reasons),
        operation=entry.operation,
        tpp=entry.tpp,
    )


def readable(body: bytes) -> str:
    """A body as text; bytes that are not UTF-8 as ``\\xNN``."""
    return body.decode("utf-8", "backslashreplace")


def _unpacked_answer(entry: JournalCall) -> bytes:
    with suppress(OSError, EOFError):  # what a bug packed wrongly is shown as it is
        return unpacked(entry.answer_body, first_value(entry.answer_headers, "Content-Encoding"))
    return entry.answer_body


def summaries(sandbox: Sandbox, number: int) -> Iterator[EntryView]:
    """The entries behind that number, oldest first, without headers and bodies."""
    for entry in after(sandbox, number):
        if isinstance(entry, JournalNote):
            yield view(entry)
        else:
            yield EntryView(
                number=entry.number,
                at=entry.at,
                kind="call",
                text=f"{entry.method} {entry.target} -> {entry.status}",
                happened=list(entry.happened),
                method=entry.method,
                target=entry.target,
                status=entry.status,
                reason=entry.reason,
                operation=entry.operation,
                tpp=entry.tpp,
            )
