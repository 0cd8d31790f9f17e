"""Populations: numbers against python-stdnum, the same in every language, what a notebook does with them."""

import csv
import io
import json
import time
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import xs2a
from stdnum import iban
from stdnum.no import fodselsnummer, kontonr, orgnr
from xs2a._command import main

NOW = "2026-09-01T10:00:00Z"


def customers(report: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [customer for customer in report["customers"] if customer["customerType"] == kind]


def test_every_number_is_valid_and_marked_as_synthetic() -> None:
    with xs2a.Sandbox(now=NOW) as sandbox:
        report = sandbox.populate(persons=2_000, companies=150, months=0)
    persons, companies = customers(report, "PRIVATE"), customers(report, "CORPORATE")
    assert (len(persons), len(companies)) == (2_000, 150)
    for person in persons:
        number = person["customerNumber"]
        assert 81 <= int(number[2:4]) <= 92
        # python-stdnum does not know of synthetic months; the check digits are over the number as it is.
        assert number[9] == fodselsnummer.calc_check_digit1(number)
        assert number[10] == fodselsnummer.calc_check_digit2(number)
        born = fodselsnummer.get_birth_date(f"{number[:2]}{int(number[2:4]) - 80:02}{number[4:]}")
        assert 18 <= 2026 - born.year <= 90
    for company in companies:
        assert company["customerNumber"].startswith("3")
        assert orgnr.is_valid(company["customerNumber"])
    accounts = [account for customer in report["customers"] for account in customer["accounts"]]
    cards = [card for customer in report["customers"] for card in customer["cardAccounts"]]
    for account in accounts:
        assert account["bban"].startswith("9999")
        assert kontonr.is_valid(account["bban"])
        assert iban.is_valid(account["iban"])
        assert kontonr.to_iban(account["bban"]) == account["iban"]
    assert all(kontonr.is_valid(card["accountNumber"]) for card in cards)
    numbers = [account["bban"] for account in accounts] + [card["accountNumber"] for card in cards]
    assert len(set(numbers)) == len(numbers)
    assert len({customer["customerNumber"] for customer in report["customers"]}) == 2_150


def test_it_is_the_same_in_every_language(sandbox: xs2a.Sandbox) -> None:
    # tests/c/state.c and core/tests/sandbox/population/bounds.rs expect the same numbers.
    report = sandbox.populate(persons=2, companies=1, months=1)
    assert sandbox.reconcile() == []
    assert report["from"] == "2026-08-01"
    numbers = [customer["customerNumber"] for customer in report["customers"]]
    assert numbers == ["20888801732", "22839218048", "334435946"]
    agreement = report["agreements"][0]
    assert (agreement["owner"], agreement["person"]) == ("334435946", "20888801732")
    assert (report["transactions"], report["cardTransactions"]) == (54, 60)
    assert report["customers"][0]["accounts"][0]["balance"] == "49317.15"


def test_the_exported_state_is_tables_for_a_notebook() -> None:
    with xs2a.Sandbox(now=NOW) as sandbox:
        report = sandbox.populate(persons=50, companies=2, months=6)
        state = json.loads(sandbox.export_json())
    moved: defaultdict[str, Decimal] = defaultdict(Decimal)
    for line in state["transactions"]:
        moved[line["account"]] += Decimal(line["amount"])
    for account in state["accounts"]:
        assert Decimal(account["opening"]) + moved[account["id"]] == Decimal(account["booked"])
    assert len(state["transactions"]) == report["transactions"] + report["cardTransactions"]
    table = io.StringIO()
    columns = ["account", "bookingDate", "amount", "currency", "remittance"]
    writer = csv.DictWriter(table, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(state["transactions"])
    assert len(table.getvalue().splitlines()) == len(state["transactions"]) + 1


def test_the_usual_population_is_a_hundred_persons_and_a_year() -> None:
    with xs2a.Sandbox(now=NOW) as sandbox, xs2a.Sandbox(now=NOW) as other:
        report = sandbox.populate()
        assert report == other.populate(persons=100, companies=4, months=12)
        note = sandbox.journal[-1]
        assert isinstance(note, xs2a.JournalNote)
        assert note.text == "a population moved in: persons=100, companies=4, months=12"
    assert (len(customers(report, "PRIVATE")), len(customers(report, "CORPORATE"))) == (100, 4)


def test_what_memory_cannot_hold_is_refused_before_the_work() -> None:
    with xs2a.Sandbox(now=NOW) as sandbox:
        before, begun = sandbox.snapshot(), time.monotonic()
        with pytest.raises(
            xs2a.MisuseError, match=r"takes about \d+ MiB, .* has 10\d\d MiB left: use a file"
        ):
            sandbox.populate(persons=70_000, companies=0, months=1)
        assert time.monotonic() - begun < 1
        assert sandbox.snapshot() == before


def test_lives_go_on_when_the_clock_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bank.db"
    plan = ["--persons", "3", "--companies", "1", "--months", "1", "--lives-on"]
    assert main(["populate", str(path), *plan, "--now", NOW]) == 0
    capsys.readouterr()
    with xs2a.Sandbox(path) as file, xs2a.Sandbox(now=NOW) as memory, xs2a.Sandbox(now=NOW) as still:
        memory.populate(persons=3, companies=1, months=1, lives_on=True)
        still.populate(persons=3, companies=1, months=1)
        before = still.export_json()
        assert memory.clock.next_event() == datetime(2026, 9, 1, 22, tzinfo=timezone.utc)
        assert still.clock.next_event() is None
        file.clock.advance(timedelta(days=40))
        for _ in range(4):
            memory.clock.advance(timedelta(days=10))
        still.clock.advance(timedelta(days=40))
        lines = [json.loads(bank.export_json())["transactions"] for bank in (file, memory, still)]
        assert lines[0] == lines[1]
        assert lines[2] == json.loads(before)["transactions"]
        assert {line["bookingDate"][:7] for line in lines[0]} == {"2026-08", "2026-09", "2026-10"}
        assert memory.reconcile() == []
        with pytest.raises(xs2a.MisuseError, match="go on until 2046-08-01"):
            memory.clock.advance(timedelta(days=365 * 50))
        noted = memory.journal[0]
        assert isinstance(noted, xs2a.JournalNote)
        assert noted.text.endswith("months=1, its lives go on")
    assert main(["populate", str(tmp_path / "lake"), *plan, "--format", "parquet"]) == 2
    assert "--lives-on: a folder of Parquet files has no clock" in capsys.readouterr().err


def test_the_command_fills_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bank.db"
    plan = ["--persons", "3", "--companies", "1", "--months", "2"]
    assert main(["populate", str(path), *plan, "--seed", "7", "--now", NOW]) == 0
    report = json.loads(capsys.readouterr().out)
    with xs2a.Sandbox(path) as sandbox, xs2a.Sandbox(tmp_path / "other.db", now=NOW, seed=7) as other:
        assert report == other.populate(persons=3, companies=1, months=2)
        states = [json.loads(bank.export_json()) for bank in (sandbox, other)]
        assert states[0]["transactions"] == states[1]["transactions"]


def test_the_command_adds_to_a_file_with_its_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, plan = tmp_path / "bank.db", ["--persons", "2", "--companies", "0", "--months", "0"]
    assert main(["populate", str(path), *plan, "--now", NOW]) == 0
    assert main(["populate", str(path), *plan]) == 2
    assert "bank.db is there already; --add lets more customers move in" in capsys.readouterr().err
    assert main(["populate", str(path), *plan, "--add"]) == 0
    with xs2a.Sandbox(path) as sandbox:
        assert len(json.loads(sandbox.export_json())["customers"]) == 6 + 2 + 2


def test_the_command_leaves_no_file_after_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["populate", str(tmp_path / "bank.db"), "--persons", "100001"]) == 2
    assert "`persons`: 100001 is more than 100000" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_impossible_plan_is_refused_and_adds_no_customer() -> None:
    with xs2a.Sandbox(now=NOW) as sandbox:
        before = sandbox.export_json()
        for part in ("persons", "companies", "months"):
            for number in (-1, 2**64, 10**30):
                with pytest.raises(xs2a.MisuseError, match="whole numbers, 0 or more"):
                    sandbox.populate(**{part: number})  # type: ignore[arg-type]
            with pytest.raises(xs2a.MisuseError, match=f"`{part}`: 4294967296 is more than"):
                sandbox.populate(**{part: 2**32})  # type: ignore[arg-type]
            for other in ("3", 1.5, None):
                with pytest.raises(TypeError):
                    sandbox.populate(**{part: other})  # type: ignore[arg-type]
        with pytest.raises(xs2a.MisuseError, match="`persons`: 100001 is more than 100000"):
            sandbox.populate(persons=100_001)
        assert sandbox.export_json() == before
