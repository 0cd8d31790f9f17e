"""Text for a page: what a TPP sent may hold anything."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta

__all__ = ["Difference", "difference", "duration", "moment", "pretty", "short", "visible"]

_SHORT_MAX = 120
_LONG_MAX = 200_000
_MEMBERS_MAX = 50_000


def visible(text: str) -> str:
    """The text with its control and format characters escaped: they could reorder or hide what follows."""
    cut = text if len(text) <= _LONG_MAX else text[:_LONG_MAX] + "…"
    return "".join(
        character
        if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
        else f"\\u{ord(character):04x}"
        for character in cut
    )


def short(text: object, length: int = _SHORT_MAX) -> str:
    """The text in one line, cut."""
    cut = str(text)
    cut = cut if len(cut) <= length else cut[: length - 1] + "…"
    return visible(cut).replace("\n", "\\n").replace("\t", "\\t")


def pretty(body: str) -> str:
    """A body, indented where it is JSON of a usual size."""
    if len(body) <= _MEMBERS_MAX:
        try:
            return visible(json.dumps(json.loads(body), indent=2, ensure_ascii=False))
        except (ValueError, RecursionError):
            pass
    return visible(body)


def moment(value: datetime | str) -> str:
    """A time in UTC, to the second: ``2026-09-01 10:00:00``."""
    text = value.isoformat() if isinstance(value, datetime) else value
    return text[:19].replace("T", " ")


def duration(left: timedelta) -> str:
    """The two largest units: ``2 d 3 h``; nothing is left of what is over."""
    seconds = int(left.total_seconds())
    if seconds <= 0:
        return "0 s"
    parts = []
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2])


@dataclass(frozen=True)
class Difference:
    """Two texts: what they begin with alike, the first characters that differ, and the rest of each."""

    same: str
    expected: tuple[str, str]
    signed: tuple[str, str]


def difference(expected: str, signed: str) -> Difference:
    """Where two texts begin to differ."""
    place = next(
        (index for index, (one, other) in enumerate(zip(expected, signed)) if one != other),
        min(len(expected), len(signed)),
    )

    def from_there(text: str) -> tuple[str, str]:
        return _with_line_ends(text[place : place + 1]), visible(text[place + 1 :])

    return Difference(visible(expected[:place]), from_there(expected), from_there(signed))


def _with_line_ends(text: str) -> str:
    return {"\n": "↵\n", "": "∅", " ": "␠", "\r": "␍", "\t": "⇥"}.get(text, visible(text))
