"""The state machine of a payment as a drawing: every state, the path that was taken, what may follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xs2a._native import payment_transitions

__all__ = ["Drawing", "drawn"]

_COLUMN, _ROW, _WIDTH, _HEIGHT = 150, 64, 84, 36
_MARGIN = 24
_LANE = 8
# From left to right as a payment proceeds; in a column from top to bottom.
_COLUMNS = (
    ("RCVD",),
    ("PDNG",),
    ("ACTC", "ACCP", "ACWC"),
    ("ACSP", "ACWP", "PART"),
    ("ACSC", "RJCT", "CANC"),
)


@dataclass(frozen=True)
class State:
    name: str
    x: int
    y: int
    kind: str
    """`now`, `passed`, `next` or `other`."""


@dataclass(frozen=True)
class Arrow:
    path: str
    """As SVG writes it."""
    kind: str
    """`taken` or `next`."""


@dataclass(frozen=True)
class Drawing:
    width: int
    height: int
    states: tuple[State, ...]
    arrows: tuple[Arrow, ...]


def drawn(path: Sequence[str]) -> Drawing:
    """The drawing for a payment that had these states, the present one last."""
    following = payment_transitions()[path[-1]] if path else []
    places = {
        name: (_MARGIN + column * _COLUMN, _MARGIN + row * _ROW + (3 - len(names)) * _ROW // 2)
        for column, names in enumerate(_COLUMNS)
        for row, name in enumerate(names)
    }
    # A state of a later version has no place here and is left out.
    taken = [name for name in path if name in places]
    states = tuple(State(name, x, y, _kind(name, taken, following)) for name, (x, y) in places.items())
    arrows = [
        Arrow(_arrow(places[taken[-1]], places[to]), "next") for to in following if taken and to in places
    ]
    arrows += [Arrow(_arrow(places[one], places[to]), "taken") for one, to in zip(taken, taken[1:])]
    width = 2 * _MARGIN + (len(_COLUMNS) - 1) * _COLUMN + _WIDTH
    return Drawing(width, 2 * _MARGIN + 2 * _ROW + _HEIGHT, states, tuple(arrows))


def _kind(name: str, taken: Sequence[str], following: Sequence[str]) -> str:
    if taken and name == taken[-1]:
        return "now"
    if name in taken:
        return "passed"
    return "next" if name in following else "other"


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    """From the right side of one state to the left side of another: to the next column as a curve, within a
    column around it, and over other columns along a lane above all states."""
    (x, y), (to_x, to_y) = start, end
    right, middle, to_middle = x + _WIDTH, y + _HEIGHT // 2, to_y + _HEIGHT // 2
    if to_x - x == _COLUMN:
        bend = (right + to_x) // 2
        return f"M{right} {middle} C{bend} {middle} {bend} {to_middle} {to_x - 4} {to_middle}"
    if x == to_x:
        return f"M{right} {middle} C{right + 36} {middle} {right + 36} {to_middle} {right + 4} {to_middle}"
    return f"M{right} {middle} h20 V{_LANE} H{to_x - 26} V{to_middle} H{to_x - 4}"
