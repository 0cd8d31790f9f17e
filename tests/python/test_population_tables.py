"""Populations without a database: the same rows as in a sandbox, in any number of parts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pandas
import pyarrow
import pyarrow.parquet
import pytest
import xs2a
from xs2a._command import main

NOW = "2026-09-01T10:00:00Z"
PLAN: dict[str, Any] = {"persons": 130, "companies": 7, "months": 4}


def rows(tables: list[xs2a.Table]) -> list[dict[str, Any]]:
    return [row for table in tables for row in pyarrow.table(table).to_pylist()]


@pytest.fixture(scope="module")
def population() -> xs2a.Population:
    return xs2a.Population(**PLAN, now=NOW, seed=5)


@pytest.mark.parametrize("name", xs2a.Population(persons=0, now=NOW).tables())
def test_a_table_has_the_rows_that_populate_adds(population: xs2a.Population, name: str) -> None:
    with xs2a.Sandbox(now=NOW, seed=5) as sandbox:
        # What was called before makes no difference.
        sandbox.register_tpp("Acme Pay")
        before = len(rows([sandbox.table(name)]))
        sandbox.populate(**PLAN)
        wanted = rows([sandbox.table(name)])
        assert sandbox.reconcile() == []
        assert pyarrow.schema(sandbox.table(name)) == pyarrow.schema(population.table(name))
    made = rows([population.table(name)])
    # Those of the default data set come first where rows have an order of creation.
    ids = {str(row) for row in made}
    added = [row for row in wanted if str(row) in ids]
    assert len(wanted) == before + len(made)
    assert sorted(added, key=str) == sorted(made, key=str)


@pytest.mark.parametrize("of", [1, 2, 3, 5])
def test_the_parts_are_the_whole_in_its_order(population: xs2a.Population, of: int) -> None:
    parts = [xs2a.Population(**PLAN, now=NOW, seed=5, partition=part, of=of) for part in range(of)]
    for name in population.tables():
        assert rows([part.table(name) for part in parts]) == rows([population.table(name)]), name


def test_no_key_occurs_twice_over_all_parts() -> None:
    parts = [
        xs2a.Population(persons=3_000, companies=300, months=0, now=NOW, seed=9, partition=part, of=8)
        for part in range(8)
    ]
    for table, column in [
        ("customers", "id"),
        ("customers", "customer_number"),
        ("accounts", "id"),
        ("accounts", "bban"),
        ("accounts", "iban"),
        ("engagements", "id"),
        ("agreements", "id"),
        ("card_accounts", "account_number"),
    ]:
        keys = [row[column] for row in rows([part.table(table, columns=[column]) for part in parts])]
        keys = [key for key in keys if key is not None]
        assert len(keys) > 1_000
        assert len(set(keys)) == len(keys), (table, column)
    bbans = [row["bban"] for row in rows([part.table("accounts", columns=["bban"]) for part in parts])]
    cards = [row["account_number"] for row in rows([part.table("card_accounts") for part in parts])]
    assert not set(bbans) & set(cards)


def test_a_company_without_neighbours_is_acted_for_in_every_part() -> None:
    plan: dict[str, Any] = {"persons": 1, "companies": 100, "months": 0, "now": NOW}
    whole = rows([xs2a.Population(**plan).table("engagements", columns=["person_id"])])
    assert len({row["person_id"] for row in whole}) == 1
    parts = [xs2a.Population(**plan, partition=part, of=3) for part in range(3)]
    assert rows([part.table("engagements", columns=["person_id"]) for part in parts]) == whole


def test_keys_join_and_sums_are_the_balances(population: xs2a.Population) -> None:
    tables = (population.table(name) for name in ("accounts", "transactions"))
    accounts, lines = map(pandas.DataFrame.from_arrow, tables)
    moved = lines.groupby("account_id")["amount"].sum()
    balance = accounts.set_index("id")["opening_balance"].add(moved, fill_value=0)
    assert (balance == accounts.set_index("id")["booked_balance"]).all()
    assert set(lines["account_id"]) <= set(accounts["id"])


def test_what_cannot_be_is_refused_before_anything_is_generated() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"partition": 8, "of": 8}, "partition 8 of 8"),
        ({"partition": 0, "of": 0}, "partition 0 of 0"),
        ({"partition": -1}, "whole numbers, 0 or more"),
        ({"generator": "2025.1"}, r"`2025.1` is no version of the generator: 2026.1"),
        ({"persons": 100_001}, "`persons`: 100001 is more than 100000"),
        ({"months": 121}, "`months`: 121 is more than 120"),
        ({"now": "0001-01-15T10:00:00Z"}, "the year 1"),
    ]
    for changed, text in cases:
        with pytest.raises(xs2a.MisuseError, match=text):
            xs2a.Population(**{**PLAN, "now": NOW, **changed})
    with pytest.raises(TypeError, match="persons"):
        xs2a.Population(now=NOW)  # type: ignore[call-arg]
    with pytest.raises(xs2a.MisuseError, match=r"`orders` is no table of a population: customers, "):
        xs2a.Population(persons=1, now=NOW).table("orders")
    assert rows([xs2a.Population(persons=0, now=NOW).table("customers")]) == []


def test_a_sandbox_takes_a_version_of_the_generator() -> None:
    with xs2a.Sandbox(now=NOW, seed=5) as one, xs2a.Sandbox(now=NOW, seed=5) as other:
        assert one.populate(persons=2, generator="2026.1") == other.populate(persons=2)
        before = one.export_json()
        with pytest.raises(xs2a.MisuseError, match=r"`2025.1` is no version of the generator: 2026.1"):
            one.populate(persons=2, generator="2025.1")
        assert one.export_json() == before


def test_the_command_writes_a_part_as_parquet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "lake"
    plan = ["--persons", "130", "--companies", "7", "--months", "4", "--seed", "5", "--now", NOW]
    for part in range(3):
        arguments = ["populate", str(folder), "--format", "parquet", "--partition", f"{part}/3", *plan]
        assert main(arguments) == 0
        assert json.loads(capsys.readouterr().out)["tables"] == xs2a.Population(persons=0, now=NOW).tables()
    population = xs2a.Population(**PLAN, now=NOW, seed=5)
    for name in population.tables():
        files = sorted((folder / name).iterdir())
        assert [file.name for file in files] == [f"part-{part}-of-3.parquet" for part in range(3)]
        read = [row for file in files for row in pyarrow.parquet.read_table(file).to_pylist()]
        assert read == rows([population.table(name)])


def test_the_command_adds_no_part_to_those_of_another_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "lake"
    plan = ["--format", "parquet", "--persons", "2", "--companies", "0", "--months", "0", "--now", NOW]

    def written(*options: str) -> tuple[int, str]:
        status = main(["populate", str(folder), *plan, *options])
        return status, capsys.readouterr().err

    assert written("--partition", "0/2") == (0, "")
    before = sorted(folder.rglob("*"))
    for options, text in [
        (["--partition", "0/2"], "part-0-of-2.parquet is there already"),
        (["--partition", "0/3"], "part-0-of-2.parquet is a part of a population in another number of parts"),
        (["--partition", "0/12"], "part-0-of-2.parquet is a part of a population in another number of parts"),
        ([], "part-0-of-2.parquet is a part of a population in another number of parts"),
    ]:
        status, error = written(*options)
        assert status == 2
        assert text in error
        assert sorted(folder.rglob("*")) == before
    assert written("--partition", "1/2") == (0, "")


def test_a_part_that_fails_leaves_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "lake"
    tables = xs2a.Population(persons=0, now=NOW).tables()

    class Failing:
        def __init__(self, **plan: Any) -> None:
            self.population = xs2a.Population(**plan)

        def size(self) -> dict[str, int]:
            return self.population.size()

        def tables(self) -> list[str]:
            return tables

        def table(self, name: str) -> xs2a.Table:
            if name == tables[-1]:
                assert not list(folder.rglob("*.parquet"))
                raise OSError("the disk is full")
            return self.population.table(name)

    monkeypatch.setattr("xs2a._command.Population", Failing)
    arguments = ["populate", str(folder), "--format", "parquet", "--persons", "2", "--months", "0"]
    assert main(arguments) != 0
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ["population.json"]
    # Without any part the folder takes another population.
    monkeypatch.undo()
    assert main([*arguments, "--seed", "3"]) == 0


@pytest.mark.parametrize(
    "other", [["--labels"], ["--events"], ["--cases", "20"], ["--seed", "1"], ["--persons", "3"]]
)
def test_a_folder_takes_parts_of_one_population(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], other: list[str]
) -> None:
    folder = tmp_path / "lake"
    plan = ["populate", str(folder), "--format", "parquet", "--persons", "2", "--months", "0", "--now", NOW]
    assert main([*plan, "--partition", "0/2"]) == 0
    before = sorted(folder.rglob("*"))
    assert main([*plan, "--partition", "1/2", *other]) == 2
    assert "the folder has parts of a population of other arguments" in capsys.readouterr().err
    assert sorted(folder.rglob("*")) == before
    assert main([*plan, "--partition", "1/2"]) == 0
    assert json.loads((folder / "population.json").read_text())["persons"] == 2


def test_the_command_refuses_parts_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "lake")
    for options, text in [
        (["--format", "parquet", "--partition", "3/3"], "partition 3 of 3"),
        (["--partition", "0/3"], "--partition: a file of a sandbox has the whole population"),
        (["--format", "parquet", "--add"], "--add: "),
        (["--format", "parquet", "--generator", "2025.1"], "`2025.1` is no version of the generator"),
    ]:
        assert main(["populate", out, *options, "--now", NOW]) == 2
        assert text in capsys.readouterr().err
    assert main(["populate", out, "--format", "parquet", "--partition", "0/3"]) == 2
    assert "without --now each part would be of another population" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["populate", out, "--format", "parquet", "--partition", "1"])
    assert "`1` is no partition" in capsys.readouterr().err
    assert os.listdir(tmp_path) == []
