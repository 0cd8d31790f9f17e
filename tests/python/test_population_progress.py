"""Progress and size of populations: what is reported, what ends the work, and what a terminal shows."""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import polars
import pytest
import xs2a

NOW = "2026-09-01T10:00:00Z"


@pytest.mark.parametrize(
    ("persons", "companies", "months"), [(200, 0, 6), (4, 60, 6), (80, 6, 1), (80, 6, 0)]
)
def test_the_size_is_little_more_than_what_comes(persons: int, companies: int, months: int) -> None:
    population = xs2a.Population(persons=persons, companies=companies, months=months, now=NOW, seed=7)
    size = population.size()
    rows = polars.DataFrame(population.table("transactions", columns=["id"])).height
    assert size["customers"] == persons + companies
    assert rows <= size["transactions"] <= rows * 1.4
    with xs2a.Sandbox(now=NOW, seed=7) as bank:
        before = len(bank.snapshot())
        bank.populate(persons=persons, companies=companies, months=months)
        taken = len(bank.snapshot()) - before
    assert taken <= size["databaseBytes"] <= taken * 1.4


def test_the_sizes_of_the_parts_add_up() -> None:
    whole = xs2a.Population(persons=401, companies=23, months=3, now=NOW).size()
    parts = [
        xs2a.Population(persons=401, companies=23, months=3, now=NOW, partition=part, of=4).size()
        for part in range(4)
    ]
    assert sum(part["customers"] for part in parts) == whole["customers"] == 424
    for figure in ("transactions", "databaseBytes"):
        assert whole[figure] - 4 <= sum(part[figure] for part in parts) <= whole[figure]


def test_populate_reports_how_many_customers_have_moved_in(sandbox: xs2a.Sandbox) -> None:
    reported: list[tuple[int, int]] = []
    report = sandbox.populate(
        persons=90, companies=7, months=0, progress=lambda done, of: reported.append((done, of))
    )
    assert len(reported) == 3
    assert reported == sorted(reported)
    assert reported[-1] == (97, 97)
    assert len(report["customers"]) == 97


def test_what_progress_raises_ends_populate_and_nothing_is_changed(sandbox: xs2a.Sandbox) -> None:
    before = sandbox.export_json()
    for raised in (KeyError("enough"), KeyboardInterrupt()):

        def stop(done: int, of: int, raised: BaseException = raised) -> None:
            raise raised

        with pytest.raises(type(raised)):
            sandbox.populate(persons=90, companies=0, months=1, progress=stop)
    assert sandbox.export_json() == before


def test_progress_cannot_call_a_sandbox(sandbox: xs2a.Sandbox) -> None:
    calls: tuple[Callable[[], object], ...] = (sandbox.default_data, sandbox.close, sandbox.clock.now)
    for call in calls:

        def progress(done: int, of: int, call: Callable[[], object] = call) -> None:
            call()

        with pytest.raises(xs2a.MisuseError, match="progress"):
            sandbox.populate(persons=1, companies=0, months=0, progress=progress)
    # Afterwards it is called as before.
    assert len(sandbox.populate(persons=1, companies=0, months=0)["customers"]) == 1


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["--months", "1"], ["90 customers, about", "MiB", " of 90 customers"]),
        (["--format", "parquet", "--months", "1"], ["90 customers, about", "customers: ", " rows"]),
    ],
)
def test_a_terminal_shows_size_and_progress(tmp_path: Path, arguments: list[str], shown: list[str]) -> None:
    command = [
        *(sys.executable, "-m", "xs2a", "populate", str(tmp_path / "out"), "--now", NOW),
        *("--persons", "80", "--companies", "10", *arguments),
    ]
    terminal, end = pty.openpty()
    with (tmp_path / "answer").open("wb") as answer, Popen(command, stdout=answer, stderr=end) as process:
        os.close(end)
        text = ""
        while True:
            try:
                text += os.read(terminal, 4096).decode()
            except OSError:  # the other end is closed
                break
    os.close(terminal)
    assert process.returncode == 0
    assert (tmp_path / "answer").read_bytes().startswith(b"{")
    for part in shown:
        assert part in text, text
