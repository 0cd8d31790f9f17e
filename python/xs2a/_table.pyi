"""The stub of ``xs2a.Table``, which lives in the native module."""

from os import PathLike
from typing import final

@final
class Table:
    """A table of a sandbox, or some of its columns, for pandas, polars, pyarrow, DuckDB and every other
    reader of the Arrow PyCapsule interface: ``polars.DataFrame(table)``, ``pyarrow.table(table)``,
    ``pandas.DataFrame.from_arrow(table)``, or in DuckDB ``FROM`` and the name of the variable.

    It holds no rows: each reading begins with the first row as it is then. A reading takes some thousand rows
    at a time, each part in one state of the sandbox; rows that are added after it began are left out. After
    ``close`` of the sandbox a reading fails. ``xs2a/docs/tables.md`` describes every column.
    """

    @property
    def name(self) -> str:
        """The name of the table."""

    @property
    def column_names(self) -> list[str]:
        """The names of its columns, in their order."""

    def __arrow_c_schema__(self) -> object:
        """The schema as a capsule ``arrow_schema``: the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows as a capsule ``arrow_array_stream``: the Arrow PyCapsule interface. The columns have their
        own types, also if another schema is requested."""

    def write_parquet(self, path: str | PathLike[str]) -> None:
        """Write a Parquet file, compressed by Snappy. It is there whole or not at all; a file of that name is
        replaced.

        ``StoreError`` if the folder does not exist or cannot be written, or if the disk is full;
        ``MisuseError`` if the sandbox is closed. Nothing is changed then.
        """

    def write_csv(self, path: str | PathLike[str]) -> None:
        """Write a CSV file (RFC 4180) with a line of names: UTF-8, times by RFC 3339, null as nothing and an
        empty text as ``""``. Errors as of :meth:`write_parquet`."""

    def write_arrow(self, path: str | PathLike[str]) -> None:
        """Write a file in Arrow's streaming format. Errors as of :meth:`write_parquet`."""

    def _repr_html_(self) -> str: ...
