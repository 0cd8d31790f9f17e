"""Labels of a population: the cases of a table are payments of a sandbox."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
import xs2a
from xs2a._command import main

NOW = "2026-09-01T10:00:00Z"
PLAN: dict[str, Any] = {"persons": 80, "companies": 4, "months": 1, "cases": 300}


def rows(table: xs2a.Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pyarrow.table(table).to_pylist()
    return found


def test_a_sandbox_has_the_transactions_that_are_labelled() -> None:
    population = xs2a.Population(**PLAN, now=NOW, seed=5, labels=True)
    assert population.tables()[-3:] == ["transaction_labels", "cases", "case_transactions"]
    with xs2a.Sandbox(now=NOW, seed=5) as sandbox:
        sandbox.populate(**PLAN)
        ids = {row["id"] for row in rows(sandbox.table("transactions"))}
        customers = {row["customer_number"] for row in rows(sandbox.table("customers"))}
        assert sandbox.reconcile() == []
        assert not {"cases", "transaction_labels", "case_transactions"} & set(sandbox.tables())
    cases = rows(population.table("cases"))
    assert len(cases) == 24
    assert {case["customer_number"] for case in cases} <= customers
    assert {row["transaction_id"] for row in rows(population.table("case_transactions"))} <= ids
    assert {row["transaction_id"] for row in rows(population.table("transaction_labels"))} == ids


def test_labels_bring_cases_unless_another_number_is_given() -> None:
    def count(**arguments: Any) -> int:
        population = xs2a.Population(persons=150, months=1, now=NOW, labels=True, **arguments)
        return len(rows(population.table("cases", columns=["id"])))

    assert count() == 2
    assert count(cases=0) == 0
    assert count(cases=1000) == 150


def test_what_cannot_be_is_refused() -> None:
    for cases, text in [(1001, "`cases`: 1001 is more than 1000"), (-1, "`cases` is a whole number")]:
        with pytest.raises(xs2a.MisuseError, match=text):
            xs2a.Population(persons=1, now=NOW, cases=cases)
        with xs2a.Sandbox(now=NOW) as sandbox:
            before = sandbox.export_json()
            with pytest.raises(xs2a.MisuseError, match=text):
                sandbox.populate(persons=1, cases=cases)
            assert sandbox.export_json() == before
    with pytest.raises(xs2a.MisuseError, match="`cases` is no table of a population without labels: "):
        xs2a.Population(persons=1, now=NOW, cases=5).table("cases")


def test_the_command_writes_labels_as_parquet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = ["--persons", "20", "--companies", "0", "--months", "1", "--now", NOW, "--labels"]
    folder = tmp_path / "lake"
    assert main(["populate", str(folder), "--format", "parquet", *plan, "--cases", "100"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"][-1] == "case_transactions"
    assert pyarrow.parquet.read_table(folder / "cases").num_rows == 2
    assert main(["populate", str(tmp_path / "bank.db"), *plan]) == 2
    assert "--labels: a bank has no labels" in capsys.readouterr().err
    assert not (tmp_path / "bank.db").exists()
