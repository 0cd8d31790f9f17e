"""Customers of a population by what they are and have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas
import pytest
import xs2a
from xs2a._command import main

NOW = "2026-09-01T10:00:00Z"
PLAN: dict[str, Any] = {"persons": 400, "companies": 8, "months": 12, "now": NOW, "seed": 7}
OPTIONS = ["--persons", "400", "--companies", "8", "--months", "12", "--now", NOW, "--seed", "7"]


@pytest.fixture(scope="module")
def population() -> xs2a.Population:
    return xs2a.Population(**PLAN)


@pytest.fixture(scope="module")
def lines(population: xs2a.Population) -> pandas.DataFrame:
    columns = ["customer_number", "remittance", "bank_transaction_code", "purpose_code"]
    return pandas.DataFrame.from_arrow(population.table("transactions", columns=columns))


def test_the_accounts_and_the_money_show_what_was_asked_for(
    population: xs2a.Population, lines: pandas.DataFrame
) -> None:
    accounts = pandas.DataFrame.from_arrow(population.table("accounts"))
    wanted = {"mortgage": True, "children": [1, 3], "credit_card": True, "savings": True}
    for number in population.personas(wanted, count=5):
        own = lines[lines["customer_number"] == number]
        assert own["bank_transaction_code"].eq("LDAS-MGLN-INTR").any(), number
        assert own["purpose_code"].eq("BECH").any(), number
        names = accounts[accounts["customer_number"] == number]["name"]
        assert {"Brukskonto", "Sparekonto"} <= set(names), number
    for number in population.personas({"mortgage": False, "children": 0, "savings": False}, count=5):
        own = lines[lines["customer_number"] == number]
        assert not own["bank_transaction_code"].eq("LDAS-MGLN-INTR").any(), number
        assert not own["purpose_code"].eq("BECH").any(), number
        assert "Sparekonto" not in set(accounts[accounts["customer_number"] == number]["name"]), number
    overdrafts = accounts[(accounts["name"] == "Brukskonto") & (accounts["credit_line"] > 0)]
    found = population.personas({"overdraft": True}, count=len(overdrafts))
    assert set(found) == set(overdrafts["customer_number"])


def test_a_mortgage_two_children_and_an_overdraft() -> None:
    large = xs2a.Population(**{**PLAN, "persons": 4000})
    wanted = {"mortgage": True, "children": 2, "overdraft": True}
    found = large.personas(wanted, count=2)
    assert len(found) == 2
    assert large.personas(wanted, count=2) == found
    assert large.personas(wanted) == found[:1]
    # The order of members makes no difference.
    assert large.personas(dict(reversed(wanted.items()))) == found[:1]


def test_each_part_is_searched_by_itself(population: xs2a.Population) -> None:
    parts = [xs2a.Population(**PLAN, partition=part, of=2) for part in range(2)]
    customers = [
        set(
            pandas.DataFrame.from_arrow(part.table("customers", columns=["customer_number"]))[
                "customer_number"
            ]
        )
        for part in parts
    ]
    students = population.personas({"kind": "student"}, count=20)
    counts = [sum(number in own for number in students) for own in customers]
    assert all(counts)
    assert sum(counts) == 20
    for part, own in zip(parts, customers, strict=True):
        expected = [number for number in students if number in own]
        assert part.personas({"kind": "student"}, count=len(expected)) == expected
    assert not customers[0] & customers[1]
    with pytest.raises(xs2a.MisuseError, match=r"0 of 200 persons of the part meet all criteria"):
        parts[1].personas({"children": 9})


def test_criteria_that_no_person_meets_are_named_with_how_many_meet_each(population: xs2a.Population) -> None:
    with pytest.raises(
        xs2a.MisuseError,
        match=r"0 of 400 persons of the population meet all criteria, and 1 are wanted, each alone: "
        r"`age` \d+, `children` 0",
    ):
        population.personas({"age": [30, 40], "children": 9})
    everyone = population.personas({}, count=400)
    assert len(set(everyone)) == 400
    with pytest.raises(xs2a.MisuseError, match=r"400 of 400 persons .* and 401 are wanted"):
        population.personas({}, count=401)


@pytest.mark.parametrize(
    ("criteria", "text"),
    [
        ({"cats": 2}, "cats"),
        ({"kind": "pirate"}, "`pirate` is none of student"),
        ({"town": "Paris"}, "`Paris` is none of "),
        ({"children": "two"}, "children"),
        ({"age": [40, 30]}, "above the second"),
        ({"kind": None}, "kind"),
        ({"mortgage": None}, "mortgage"),
        ([], "not a JSON object"),
    ],
)
def test_unknown_criteria_are_refused(population: xs2a.Population, criteria: Any, text: str) -> None:
    with pytest.raises(xs2a.MisuseError, match=text):
        population.personas(criteria)
    for count in (0, -1):
        with pytest.raises(xs2a.MisuseError, match="`count`"):
            population.personas({}, count=count)


def test_a_sandbox_knows_the_customers(population: xs2a.Population) -> None:
    with xs2a.Sandbox(now=NOW, seed=7) as sandbox:
        report = sandbox.populate(persons=400, companies=8, months=0)
        numbers = {customer["customerNumber"] for customer in report["customers"]}
    same = xs2a.Population(**{**PLAN, "months": 0})
    assert set(same.personas({"kind": "student"}, count=5)) <= numbers


def test_the_command_reads_criteria_from_a_file_or_arguments(
    population: xs2a.Population, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "personas.json"
    path.write_text(
        json.dumps(
            {
                "family": {"mortgage": True, "children": [1, None], "count": 2},
                "student": {"kind": "student", "town": "Oslo"},
            }
        )
    )
    assert main(["personas", str(path), *OPTIONS]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "family": population.personas({"mortgage": True, "children": [1, None]}, count=2),
        "student": population.personas({"kind": "student", "town": "Oslo"}),
    }
    where = ["--where", "kind=student", "--where", "town=Oslo", "--where", "age=[18, 60]"]
    assert main(["personas", *where, *OPTIONS]) == 0
    assert json.loads(capsys.readouterr().out) == found["student"]


def test_the_command_refuses_what_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "personas.json"
    for text, refusal in [
        ("{", "is not JSON"),
        ("[]", "is not a JSON object of objects"),
        ('{"a": 1}', "is not a JSON object of objects"),
        ('{"a": {"children": 9}}', "`a`: 0 of 400 persons"),
        ('{"a": {"count": "2"}}', "`a`: "),
        ('{"a": {"children": 1}, "a": {"children": 2}}', "`a` is there 2 times; give it once"),
        ('{"a": {"children": 1, "children": 2}}', "`children` is there 2 times; give it once"),
    ]:
        path.write_text(text)
        assert main(["personas", str(path), *OPTIONS]) == 2
        assert refusal in capsys.readouterr().err
    for where, refusal in [
        (["kind=null"], "kind"),
        (["children=2", "children=3"], "--where: `children` is given 2 times; give it once"),
    ]:
        arguments = [part for text in where for part in ("--where", text)]
        assert main(["personas", *arguments, *OPTIONS]) == 2
        assert refusal in capsys.readouterr().err
    assert main(["personas", *OPTIONS]) == 2
    assert "criteria are in FILE or given by --where" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["personas", "--where", "children", *OPTIONS])
    assert "`children` is no criterion" in capsys.readouterr().err
