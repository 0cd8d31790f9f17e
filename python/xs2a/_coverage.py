"""What sandboxes have seen of all there is."""

from __future__ import annotations

import json
from typing import Any

from xs2a._errors import MisuseError
from xs2a._expected import expect_type
from xs2a._native import COVERAGE_KINDS, coverage_sum, coverage_text, coverage_untouched

__all__ = ["Coverage"]


class Coverage:
    """Counts of operations and their statuses, of the sandbox's own routes, of reasons, of the contract's
    codes, and of the states and transitions of payments, baskets, authorisations, sessions and consents. It
    holds no personal data.

    ``one | other`` adds up, such as what the processes of a test run saw. ``Coverage()``: nothing was seen.
    """

    def __init__(self) -> None:
        self._json = _sum([])

    @classmethod
    def from_json(cls, text: str) -> Coverage:
        """What ``to_json`` wrote. ``MisuseError`` for another text, or one of another version."""
        expect_type("text", text, str, "a str")
        coverage = cls()
        coverage._json = _sum([text])
        return coverage

    def to_json(self) -> str:
        """The report as JSON."""
        return self._json

    def to_dict(self) -> dict[str, Any]:
        """The report: for each kind ``{"touched", "total", "rows": […]}`` with every row there is, and
        ``"unrouted": {"calls", "statuses"}``. A row of an operation is ``{"name", "calls", "statuses"}``, of
        a reason ``{"id", "code", "times"}``, of a code ``{"code", "times"}``, of a state
        ``{"machine", "state", "times"}``, of a transition ``{"machine", "from", "to", "times"}``."""
        report: dict[str, Any] = json.loads(self._json)
        return report

    def touched(self, kind: str) -> int:
        """How many of a kind were seen. Kinds are ``"operations"``, ``"sandboxRoutes"``, ``"reasons"``,
        ``"codes"``, ``"states"`` and ``"transitions"``; ``MisuseError`` for another."""
        return int(self._section(kind)["touched"])

    def total(self, kind: str) -> int:
        """How many of a kind there are."""
        return int(self._section(kind)["total"])

    def percent(self, kind: str) -> float:
        """How many of a kind were seen, of 100."""
        return 100 * self.touched(kind) / self.total(kind)

    def untouched(self, kind: str) -> list[str]:
        """What of a kind was not seen: names of operations, ids of reasons, codes, ``"Payment RCVD"``,
        ``"Payment RCVD -> PDNG"``."""
        _expect_kind(kind)
        return coverage_untouched(self._json, kind)

    def text(self, *, untouched: bool = False) -> str:
        """A line for each kind; with ``untouched`` also what was not seen."""
        return coverage_text(self._json, untouched)

    def __or__(self, other: Coverage) -> Coverage:
        if not isinstance(other, Coverage):
            return NotImplemented
        merged = Coverage()
        merged._json = _sum([self._json, other._json])
        return merged

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Coverage) and self._json == other._json

    def __hash__(self) -> int:
        return hash(self._json)

    def __repr__(self) -> str:
        seen = (f"{kind} {self.touched(kind)}/{self.total(kind)}" for kind in COVERAGE_KINDS)
        return f"<Coverage {' '.join(seen)}>"

    def _section(self, kind: str) -> dict[str, Any]:
        _expect_kind(kind)
        section: dict[str, Any] = self.to_dict()[kind]
        return section


def _expect_kind(kind: str) -> None:
    expect_type("kind", kind, str, "a str")
    if kind not in COVERAGE_KINDS:
        raise MisuseError(f"`{kind}` is no kind of a coverage: {', '.join(COVERAGE_KINDS)}")


def _sum(coverages: list[str]) -> str:
    return coverage_sum(coverages)
