"""Life events of a population: in tables, in a sandbox, over the control interface, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pyarrow
import pyarrow.parquet
import pytest
import xs2a
from xs2a._command import main

NOW = "2026-09-01T10:00:00Z"
PLAN: dict[str, Any] = {"persons": 120, "companies": 4, "months": 12}


def rows(table: xs2a.Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pyarrow.table(table).to_pylist()
    return found


def test_a_sandbox_has_the_life_that_the_events_are_of() -> None:
    population = xs2a.Population(**PLAN, now=NOW, seed=5, labels=True, cases=0, events=True)
    assert population.tables()[-1] == "life_events"
    with xs2a.Sandbox(now=NOW, seed=5) as sandbox:
        sandbox.populate(**PLAN, events=True)
        ids = {row["id"] for row in rows(sandbox.table("transactions"))}
        customers = {row["customer_number"] for row in rows(sandbox.table("customers"))}
        assert sandbox.reconcile() == []
        assert "life_events" not in sandbox.tables()
        noted = sandbox.journal[0]
        assert isinstance(noted, xs2a.JournalNote)
        assert noted.text.endswith("months=12, with life events")
    assert ids == {row["id"] for row in rows(population.table("transactions"))}
    events = rows(population.table("life_events"))
    assert {event["customer_number"] for event in events} <= customers
    assert {event["kind"] for event in events} >= {"new_job", "move", "death"}
    assert all(str(event["date"]) >= "2025-09-01" and str(event["date"]) < NOW[:10] for event in events)


def test_without_events_there_is_no_table_of_them() -> None:
    plain = xs2a.Population(**PLAN, now=NOW, seed=5, labels=True)
    assert "life_events" not in plain.tables()
    with pytest.raises(
        xs2a.MisuseError, match="`life_events` is no table of a population without labels and events: "
    ):
        plain.table("life_events")
    unlabelled = xs2a.Population(**PLAN, now=NOW, seed=5, events=True)
    assert "life_events" not in unlabelled.tables()


def test_events_are_a_truth_value() -> None:
    for wrong in ("yes", 1, None):
        arguments: dict[str, Any] = {"events": wrong}
        with pytest.raises((TypeError, xs2a.MisuseError)):
            xs2a.Population(persons=1, now=NOW, **arguments)


def test_lives_with_events_go_on() -> None:
    with xs2a.Sandbox(now=NOW, seed=5) as once, xs2a.Sandbox(now=NOW, seed=5) as stepwise:
        for sandbox in (once, stepwise):
            sandbox.populate(persons=40, companies=1, months=1, lives_on=True, events=True)
        once.clock.set("2027-03-01T10:00:00Z")
        for month in ("10", "11", "12"):
            stepwise.clock.set(f"2026-{month}-05T10:00:00Z")
        stepwise.clock.set("2027-03-01T10:00:00Z")
        assert once.export_json() == stepwise.export_json()
        (stored,) = json.loads(once.export_json())["populations"]
        assert json.loads(stored["origin"])["plan"]["events"] is True


def test_the_control_interface_takes_events(sandbox: xs2a.Sandbox, control: httpx.Client) -> None:
    plan = {"persons": 30, "companies": 0, "months": 2, "events": True}
    with xs2a.Sandbox(now=sandbox.clock.now(), seed=1) as other:
        with_events = other.populate(persons=30, companies=0, months=2, events=True)
    made = control.post("/populate", json=plan).json()
    assert made["transactions"] == with_events["transactions"]
    assert control.post("/populate", json={**plan, "events": "yes"}).status_code == 400


def test_the_command_writes_events(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = ["--persons", "60", "--companies", "0", "--months", "6", "--now", NOW, "--events"]
    folder, file = tmp_path / "lake", tmp_path / "bank.db"
    assert main(["populate", str(folder), "--format", "parquet", "--labels", *plan]) == 0
    assert json.loads(capsys.readouterr().out)["tables"][-1] == "life_events"
    assert pyarrow.parquet.read_table(folder / "life_events").num_rows > 0
    assert json.loads((folder / "population.json").read_text())["events"] is True
    assert main(["populate", str(file), *plan]) == 0
    with xs2a.Sandbox(file) as sandbox:
        expected = xs2a.Population(persons=60, companies=0, months=6, now=NOW, events=True)
        assert rows(sandbox.table("transactions", columns=["id"])) != []
        found = {row["id"] for row in rows(sandbox.table("transactions", columns=["id"]))}
        assert found == {row["id"] for row in rows(expected.table("transactions", columns=["id"]))}
