"""What ``sandbox.ledger`` gives."""

from __future__ import annotations

from typing import Any

__all__ = ["Ledger"]


class Ledger(dict[str, Any]):
    """The dict that ``sandbox.ledger`` describes; a notebook shows it as a table."""

    def _repr_html_(self) -> str:
        from xs2a._html import of_ledger

        return of_ledger(self)
