"""How far a command is, on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from xs2a._native import Population

_SECONDS_BETWEEN = 0.2


class Progress:
    """A line on stderr that is written again and again; none where stderr is no terminal."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty()
        self._next = 0.0
        self._width = 0

    def announce(self, population: Population) -> None:
        """Say how large it is going to be."""
        size = population.size()
        mebibytes = -(-size["databaseBytes"] // (1 << 20))
        self._write(
            f"{size['customers']} customers, about {_grouped(size['transactions'])} transactions; "
            f"in a sandbox about {_grouped(mebibytes)} MiB\n"
        )

    def customers(self, done: int, of: int) -> None:
        """How many customers are done."""
        self._show(f"{done * 100 // max(of, 1)} %: {_grouped(done)} of {_grouped(of)} customers")

    def rows(self, table: str, rows: int) -> None:
        """How many rows of a table are written."""
        self._show(f"{table}: {_grouped(rows)} rows")

    @contextmanager
    def cleared(self) -> Iterator[None]:
        """Remove the line at the end."""
        try:
            yield
        finally:
            self._write("\r" + " " * self._width + "\r" if self._width else "")

    def _show(self, text: str) -> None:
        if monotonic() < self._next:
            return
        self._next = monotonic() + _SECONDS_BETWEEN
        self._write("\r" + text.ljust(self._width))
        self._width = max(self._width, len(text))

    def _write(self, text: str) -> None:
        if self._is_shown:
            sys.stderr.write(text)
            sys.stderr.flush()


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")
