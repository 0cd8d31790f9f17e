"""What notebooks show of a sandbox, its answers, its journal, a ledger and an explanation.

Everything that a TPP or a file may have written is escaped: HTML, and characters that are not visible or
change the direction of the text. What is long is cut.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any

from xs2a._answer import first_value, unpacked
from xs2a._errors import MisuseError
from xs2a._values import Explanation, JournalCall, JournalNote

if TYPE_CHECKING:
    from xs2a._journal import Journal
    from xs2a._native import Response, Sandbox

__all__ = ["of_explanation", "of_journal", "of_ledger", "of_response", "of_sandbox", "of_table"]

_ROWS_MAX = 50
_CHARACTERS_MAX = 4000
_CELL = "text-align:left;vertical-align:top"
# Control characters, and those that only change how others are shown.
_INVISIBLE = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}


def of_sandbox(sandbox: Sandbox) -> str:
    """Where its clock is, and what was done with it."""
    try:
        facts = [
            ("clock", sandbox.clock.now().isoformat()),
            ("base path", sandbox.base_path or "(none)"),
            ("SCA site", sandbox.sca_origin),
            ("journal", f"{len(sandbox.journal)} entries"),
            ("faults", f"{len(sandbox.faults)} set"),
            ("coverage", sandbox.coverage().text()),
        ]
    except MisuseError:
        return _titled("Sandbox", "<p>closed</p>")
    return _titled("Sandbox", _table((), facts))


def of_response(response: Response) -> str:
    """Status, headers and body, and why it was refused."""
    title = f"{response.status} {response.reason or ''}".strip()
    body = unpacked(response.body, response.header("Content-Encoding"))
    parts = [_table(("header", "value"), response.headers), _block(_body_text(body, response.headers))]
    explanation = response.explanation
    if explanation is not None:
        parts.append(of_explanation(explanation))
    return _titled(title, *parts)


def of_explanation(explanation: Explanation) -> str:
    """The mistake, and what was signed beside what the bank expects."""
    facts = [
        ("reason", explanation.reason or "(none)"),
        ("mistake", explanation.mistake or "(none found)"),
        ("what to do", explanation.text),
        ("proof", explanation.proof or "(none)"),
    ]
    parts = [_table((), facts)]
    if explanation.expected is not None and explanation.signed is not None:
        same = _same_characters(explanation.expected, explanation.signed)
        cells = [_block(text, same) for text in (explanation.expected, explanation.signed)]
        parts.append(_rows(("expected", "signed"), [cells]))
    return _titled("Explanation", *parts)


def of_journal(journal: Journal) -> str:
    """The newest entries, the last one at the end."""
    try:
        count, entries = len(journal), journal[-_ROWS_MAX:]
    except MisuseError:
        return _titled("Journal", "<p>of a closed sandbox</p>")
    title = f"Journal: {count} entries" + (f", the last {_ROWS_MAX}" if count > _ROWS_MAX else "")
    return _titled(
        title, _table(("", "at", "call", "status", "reason", "operation", "TPP"), map(_entry, entries))
    )


def of_ledger(ledger: Mapping[str, Any]) -> str:
    """The account with its balance, and the newest bookings."""
    account, balance, bookings = ledger["account"], ledger["balance"], ledger["bookings"]
    number = account.get("bban") or account["resourceId"]
    title = f"{account['name']} {number}: {balance['amount']} {balance['currency']}"
    members = ("bookingDate", "amount", "currency", "counterpartName", "counterpartAccount", "text")
    rows = [[booking.get(member, "") for member in members] for booking in islice(bookings, _ROWS_MAX)]
    more = len(bookings) - len(rows)
    return _titled(title, _table(members, rows), f"<p>and {more} older ones</p>" if more else "")


def of_table(name: str, columns: Sequence[str], rows: Sequence[Sequence[str | None]], shown: int) -> str:
    """The first rows of a table."""
    cells = [[value or "" for value in row] for row in rows[:shown]]
    return _titled(name, _table(columns, cells), "<p>and more</p>" if len(rows) > shown else "")


def _entry(entry: JournalCall | JournalNote) -> Sequence[str]:
    first = str(entry.number), entry.at.isoformat()
    if isinstance(entry, JournalNote):
        return *first, entry.text, "", "", "", ""
    call = f"{entry.method} {entry.target}"
    return *first, call, str(entry.status), entry.reason or "", entry.operation or "", entry.tpp or ""


def _body_text(body: bytes, headers: Iterable[tuple[str, str]]) -> str:
    text = body.decode("utf-8", "backslashreplace")
    if "json" in (first_value(headers, "Content-Type") or ""):
        try:
            return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
        except (ValueError, RecursionError):
            return text
    return text


def _same_characters(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


def _titled(title: str, *parts: str) -> str:
    return f"<div><b>{_text(title)}</b>{''.join(parts)}</div>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return _rows(heads, [[_text(cell) for cell in row] for row in rows])


def _rows(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells that are HTML already."""
    head = "".join(f'<th style="{_CELL}">{_text(name)}</th>' for name in heads)
    lines = "".join(f"<tr>{''.join(f'<td style={_CELL!r}>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{f'<tr>{head}</tr>' if heads else ''}{lines}</table>"


def _block(text: str, same: int | None = None) -> str:
    """Text as it is written; the first character that differs is marked."""
    if same is None:
        return f"<pre>{_text(text)}</pre>"
    different = text[same : same + 1]
    mark = f"<mark>{_text(different) or '(end)'}</mark>"
    return f"<pre>{_text(text[:same])}{mark}{_text(text[same + 1 :])}</pre>"


def _text(text: str) -> str:
    cut = text if len(text) <= _CHARACTERS_MAX else f"{text[:_CHARACTERS_MAX]}…"
    return escape("".join(map(_visible, cut)))


def _visible(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in _INVISIBLE:
        return character
    return f"\\u{ord(character):04x}"
