"""Makes transactions, and takes the time for each thousand.

`arrow`: a population without a database, as Arrow. `memory`, `file`: the ledger of a sandbox. `frame`: the
rows of a sandbox as a polars frame. `parquet`: ten million transactions and all else, by two programs.
`numpy`, `faker`, `mimesis`: as a team would write it, columns of values that have nothing in common.
Orders come by line; see bench/src/interface.rs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import TypedDict

import numpy
import polars
import pyarrow
import xs2a
from turns import NOW

THOUSAND = 1000


class Size(TypedDict):
    """That of a population."""

    persons: int
    companies: int
    months: int


# Some 150,000 transactions.
SMALL: Size = {"persons": 300, "companies": 10, "months": 12}
# Some million.
MILLION: Size = {"persons": 2_000, "companies": 50, "months": 12}
# Some ten million.
LARGE: Size = {"persons": 20_000, "companies": 500, "months": 12}
FIRST_DAY = date(2025, 9, 1)
ROWS = 200_000
# These take seconds for as many.
SLOW_ROWS = 10_000

Timed = Callable[[], tuple[int, float]]


def seconds_of(work: Callable[[], int]) -> tuple[int, float]:
    """How many rows it made, and in which time."""
    start = time.perf_counter()
    rows = work()
    return rows, time.perf_counter() - start


def arrow() -> tuple[int, float]:
    """Both tables of transactions; the batches are thrown away."""

    def stream() -> int:
        population = xs2a.Population(**SMALL, now=NOW, seed=1)
        tables = (population.table(name) for name in ("transactions", "card_transactions"))
        readers = (pyarrow.RecordBatchReader.from_stream(table) for table in tables)
        return sum(batch.num_rows for reader in readers for batch in reader)

    return seconds_of(stream)


def ledger(folder: Path | None) -> tuple[int, float]:
    """`populate` of a new sandbox."""
    file = None if folder is None else folder / f"{time.monotonic_ns()}.sqlite"
    with xs2a.Sandbox(now=NOW, seed=1, database=file) as sandbox:

        def populate() -> int:
            report = sandbox.populate(**SMALL)
            return int(report["transactions"] + report["cardTransactions"])

        made = seconds_of(populate)
    if file is not None:
        file.unlink()
    return made


def frame(sandbox: xs2a.Sandbox) -> tuple[int, float]:
    """The table as a frame."""
    return seconds_of(lambda: polars.DataFrame(sandbox.table("transactions")).height)


def parquet(folder: Path) -> tuple[int, float]:
    """Two programs, each a half."""

    def write() -> int:
        with tempfile.TemporaryDirectory(dir=folder) as out:
            sizes = [word for name, size in LARGE.items() for word in (f"--{name}", str(size))]
            command = [
                sys.executable,
                "-m",
                "xs2a",
                "populate",
                out,
                "--now",
                NOW,
                *sizes,
                "--format=parquet",
            ]
            parts = [
                subprocess.Popen([*command, "--partition", f"{part}/2"], stdout=subprocess.DEVNULL)
                for part in range(2)
            ]
            if any(part.wait() for part in parts):
                sys.exit("a part could not be written")
            return sum(
                polars.scan_parquet(f"{out}/{table}/*.parquet").select(polars.len()).collect().item()
                for table in ("transactions", "card_transactions")
            )

    return seconds_of(write)


def with_numpy() -> tuple[int, float]:
    """Vectors of random numbers."""

    def columns() -> int:
        chance = numpy.random.default_rng(1)
        days = numpy.datetime64(FIRST_DAY) + chance.integers(0, 365, ROWS)
        names = numpy.array([f"Merchant {number}" for number in range(200)])
        table = pyarrow.table(
            {
                "id": numpy.arange(ROWS),
                "bban": chance.integers(10**10, 10**11, ROWS).astype(str),
                "booking_date": days,
                "value_date": days,
                "amount": numpy.round(chance.lognormal(5, 1, ROWS), 2),
                "currency": numpy.full(ROWS, "NOK"),
                "counterpart_name": chance.choice(names, ROWS),
                "text": chance.choice(names, ROWS),
            }
        )
        return int(table.num_rows)

    return seconds_of(columns)


def with_values(row: Callable[[], dict[str, object]]) -> tuple[int, float]:
    """A value for each column of each row."""
    return seconds_of(lambda: pyarrow.Table.from_pylist([row() for _ in range(SLOW_ROWS)]).num_rows)


def faker_row() -> Callable[[], dict[str, object]]:
    """A row by Faker."""
    from faker import Faker

    Faker.seed(1)
    fake = Faker("no_NO")

    def row() -> dict[str, object]:
        day = fake.date_this_year()
        return {
            "id": fake.uuid4(),
            "bban": fake.bban(),
            "booking_date": day,
            "value_date": day,
            "amount": fake.pydecimal(left_digits=4, right_digits=2, positive=True),
            "currency": "NOK",
            "counterpart_name": fake.company(),
            "text": fake.sentence(nb_words=3),
        }

    return row


def mimesis_row() -> Callable[[], dict[str, object]]:
    """A row by mimesis."""
    from mimesis import Generic
    from mimesis.locales import Locale

    fake = Generic(Locale.NO, seed=1)

    def row() -> dict[str, object]:
        day = fake.datetime.date(start=2025, end=2025)
        return {
            "id": fake.cryptographic.uuid(),
            "bban": fake.random.generate_string_by_mask("###########"),
            "booking_date": day,
            "value_date": day,
            "amount": fake.finance.price(minimum=1, maximum=9999),
            "currency": "NOK",
            "counterpart_name": fake.finance.company(),
            "text": fake.text.title(),
        }

    return row


def timed_work(kind: str, folder: Path) -> Iterator[Timed]:
    """The work of that kind, with what it needs open until it is over."""
    if kind == "frame":
        with xs2a.Sandbox(now=NOW, seed=1) as sandbox:
            sandbox.populate(**MILLION)
            yield lambda: frame(sandbox)
        return
    works: dict[str, Timed] = {
        "arrow": arrow,
        "memory": lambda: ledger(None),
        "file": lambda: ledger(folder),
        "parquet": lambda: parquet(folder),
        "numpy": with_numpy,
        "faker": lambda: with_values(faker_row()),
        "mimesis": lambda: with_values(mimesis_row()),
    }
    yield works[kind]


def main() -> None:
    """A call is a thousand rows, however many are made."""
    with tempfile.TemporaryDirectory() as folder:
        for work in timed_work(sys.argv[1], Path(folder)):
            calls = 0
            for line in sys.stdin:
                order = line.split()
                if order[0] == "prepare":
                    calls = int(order[1])
                    print("ready", flush=True)
                    continue
                rows, seconds = work()
                print(round(seconds * 1e9 * calls * THOUSAND / rows), flush=True)


if __name__ == "__main__":
    main()
