"""The stub of ``xs2a.Table`` and ``xs2a.Population``, which live in the native module."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
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

    def write_parquet(
        self, path: str | PathLike[str], *, progress: Callable[[int], object] | None = None
    ) -> None:
        """Write a Parquet file, compressed by Snappy. It is there whole or not at all; a file of that name is
        replaced. ``progress`` is called again and again with the number of rows that were read. What it
        raises ends the call, and is raised by it; it cannot call a sandbox.

        ``StoreError`` if the folder does not exist or cannot be written, or if the disk is full;
        ``MisuseError`` if the sandbox is closed. Nothing is changed then.
        """

    def write_csv(
        self, path: str | PathLike[str], *, progress: Callable[[int], object] | None = None
    ) -> None:
        """Write a CSV file (RFC 4180) with a line of names: UTF-8, times by RFC 3339, null as nothing and an
        empty text as ``""``. ``progress`` and errors as of :meth:`write_parquet`."""

    def write_arrow(
        self, path: str | PathLike[str], *, progress: Callable[[int], object] | None = None
    ) -> None:
        """Write a file in Arrow's streaming format. ``progress`` and errors as of :meth:`write_parquet`."""

    def _repr_html_(self) -> str: ...

@final
class Population:
    """A generated population as tables, without a database: the customers that the first ``populate`` of a
    ``Sandbox(now=now, seed=seed)`` adds, generated while a table is read.

    ``partition`` and ``of`` choose a part, such as one for each worker of a cluster: the parts are generated
    independently of each other, are together the whole in its order, and no key of one occurs in another. The
    rows of a part are read a neighbourhood of some forty persons at a time.
    """

    def __new__(
        cls,
        *,
        persons: int,
        companies: int = 0,
        months: int = 12,
        now: datetime | str,
        seed: int = 0,
        generator: str = "2026.1",
        partition: int = 0,
        of: int = 1,
        labels: bool = False,
        cases: int | None = None,
        events: bool = False,
    ) -> Population:
        """``generator``: the version of the generator, ``"2026.1"``. What a version generates stays the same.

        ``labels``: with the tables ``transaction_labels``, ``cases`` and ``case_transactions``, which no bank
        has. They make no difference to the other tables; ``cases`` do. ``cases``: so many cases of fraud or
        money laundering for a thousand persons, rounded up; None: 10 with labels and 0 without. Honest
        payments that look like cases come with them, as many for any number of cases. To join the labels with
        a bank, give ``Sandbox.populate`` the same ``cases`` and ``events``: with another value each
        transaction has another id.

        ``events``: persons change jobs, move, have children, retire and die. With ``labels`` there is a
        table ``life_events`` of them too.

        At most 100 000 persons, 10 000 companies, 120 months and 1000 cases: ``MisuseError`` beyond that, for
        a ``partition`` that is not below ``of``, for an unknown version, and if the history would begin
        before the year 1.
        """

    def size(self) -> dict[str, int]:
        """About how large it is, or its part, before anything is generated: ``{"customers": …,
        "transactions": …, "databaseBytes": …}``. Customers are exact. Transactions, without those of cases,
        and the bytes that a sandbox takes for it, of its file or of memory, are rather more than less."""

    def tables(self) -> list[str]:
        """The names of its tables: those of ``Sandbox.tables`` but ``orders``, and those of its labels."""

    def table(self, name: str, *, columns: Sequence[str] | None = None) -> Table:
        """A table, generated each time it is read; with ``columns`` those alone, in that order. Errors as of
        ``Sandbox.table``."""

    def personas(self, criteria: Mapping[str, object], *, count: int = 1) -> list[str]:
        """The customer numbers of the first ``count`` persons who meet all criteria, such as
        ``{"mortgage": True, "children": 2, "overdraft": True}``: the same in every run. No history is
        generated for it.

        ``kind`` (``student``, ``employee``, ``wealthy``, ``benefit``, ``pensioner``, ``indebted``,
        ``overdrawn``, ``dormant``) and ``town`` are texts. ``age`` (in years, as the history begins),
        ``income`` (kroner a month, taxes taken off) and ``children`` are numbers, or lists of a least and a
        greatest one, of which one may be None. ``mortgage``, ``consumer_loan``, ``credit_card``,
        ``savings``, ``euro_account``, ``joint_account``, ``overdraft`` (a credit line) and
        ``employer_is_customer`` are true or false.

        ``MisuseError`` if fewer persons meet them, with how many meet each of them, and for an unknown
        criterion or value.
        """
