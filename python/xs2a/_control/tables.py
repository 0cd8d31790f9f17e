"""The tables of the sandbox, as files."""

# Not `from __future__ import annotations`: the types are read at run time.

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import BinaryIO, Callable, Literal

from xs2a._control import bodies
from xs2a._control.control import Control
from xs2a._control.problem import Problem
from xs2a._native import Table

_PIECE_BYTES = 64 * 1024
_Write = Callable[[Table, str], None]
FORMATS: dict[Literal["arrow", "parquet", "csv"], tuple[str, _Write]] = {
    "arrow": ("application/vnd.apache.arrow.stream", Table.write_arrow),
    "parquet": ("application/vnd.apache.parquet", Table.write_parquet),
    "csv": ("text/csv; charset=utf-8; header=present", Table.write_csv),
}
"""The media type of each format, and what writes it."""


@dataclass(frozen=True)
class TableFile:
    """An open file."""

    file: BinaryIO
    size: int
    media_type: str

    def pieces(self) -> Iterator[bytes]:
        """What it holds; it is closed at its end."""
        with self.file:
            yield from iter(lambda: self.file.read(_PIECE_BYTES), b"")


def list_tables(control: Control) -> list[bodies.TableListed]:
    sandbox = control.sandbox
    return [
        bodies.TableListed(name=name, columns=sandbox.table(name).column_names) for name in sandbox.tables()
    ]


def show_table(control: Control, name: str, query: bodies.TableQuery) -> TableFile:
    sandbox = control.sandbox
    if name not in sandbox.tables():
        raise Problem(HTTPStatus.NOT_FOUND, f"there is no table `{name}`; /tables lists them")
    columns = None if query.columns is None else query.columns.split(",")
    table = sandbox.table(name, columns=columns)
    media_type, write = FORMATS[query.format]
    # Written whole before the answer begins: an error then is a problem, not a body that ends early. The open
    # file has no name any more, so that nothing is left where the process ends.
    with tempfile.TemporaryDirectory(prefix="xs2a-") as folder:
        path = os.path.join(folder, name)
        write(table, path)
        return TableFile(open(path, "rb"), os.path.getsize(path), media_type)
