"""The tables of a sandbox: every value as in the exported state, in the readers that people use."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import duckdb
import pandas
import payment_journey
import polars
import pyarrow
import pytest
import xs2a

NOW = "2026-09-01T10:00:00Z"

# The section of each table in the exported state, and the members that are not the column in camel case.
SECTIONS: dict[str, tuple[str, dict[str, str]]] = {
    "customers": ("customers", {}),
    "agreements": ("agreements", {"customer_id": "owner"}),
    "engagements": (
        "engagements",
        {"agreement_id": "agreement", "person_id": "customer", "account_id": "account"},
    ),
    "accounts": (
        "accounts",
        {"customer_id": "owner", "opening_balance": "opening", "booked_balance": "booked"},
    ),
    "card_accounts": ("cardAccounts", {"account_id": "account", "card_version": "cardIdVNo"}),
    "transactions": ("transactions", {"account_id": "account", "payment_id": "payment"}),
    "card_transactions": ("cardTransactions", {"transaction_id": "transaction"}),
    "card_authorisations": ("cardAuthorisations", {"account_id": "account"}),
    "orders": ("bankOrders", {"payment_id": "payment", "debtor_account_id": "debtor"}),
}
# Columns that repeat a value of another table.
OF_OTHERS = {
    "agreements": ["customer_number"],
    "accounts": ["customer_number"],
    "card_accounts": ["customer_number"],
    "transactions": ["customer_number", "bban"],
    "card_authorisations": ["customer_number"],
}


@pytest.fixture(scope="module")
def bank() -> Iterator[xs2a.Sandbox]:
    """One with more bookings than one part of a reading has, and with two payments, one of them settled."""
    with xs2a.Sandbox(now=NOW, seed=1) as bank:
        bank.populate(persons=45, companies=2, months=12)
        tpp = bank.register_tpp("Acme Pay")
        _, link = payment_journey.created(bank, tpp)
        bank.authorise(link, payment_journey.PAYER)
        _, link = payment_journey.created(
            bank, tpp, target=payment_journey.BATCHED, creditorAgent=payment_journey.BIC
        )
        bank.authorise(link, payment_journey.PAYER)
        yield bank


@pytest.fixture(scope="module")
def state(bank: xs2a.Sandbox) -> dict[str, Any]:
    exported: dict[str, Any] = json.loads(bank.export_json())
    return exported


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def exported(value: Any, column: pyarrow.Field) -> Any:
    """A value of the exported state, as the column has it."""
    if value is None:
        return None
    if pyarrow.types.is_decimal(column.type):
        return Decimal(value)
    if pyarrow.types.is_date(column.type):
        return date.fromisoformat(value)
    if pyarrow.types.is_timestamp(column.type):
        return datetime.fromisoformat(value)
    return " ".join(value) if isinstance(value, list) else value


def queried(query: str, transactions: xs2a.Table) -> list[Any]:
    """The rows of a query; DuckDB finds the table by the name of the variable."""
    relation = duckdb.sql(query)
    assert relation is not None
    rows: list[Any] = relation.fetchall()
    return rows


def test_the_tables_are_the_ones_compared_here(bank: xs2a.Sandbox) -> None:
    assert sorted(bank.tables()) == sorted(SECTIONS)


@pytest.mark.parametrize("name", SECTIONS)
def test_each_value_is_the_one_of_the_exported_state(
    bank: xs2a.Sandbox, state: dict[str, Any], name: str
) -> None:
    section, members = SECTIONS[name]
    table = pyarrow.table(bank.table(name))
    own = [column for column in table.schema if column.name not in OF_OTHERS.get(name, [])]
    rows = table.select([column.name for column in own]).to_pylist()
    wanted = [
        {
            column.name: exported(row.get(members.get(column.name, camel(column.name))), column)
            for column in own
        }
        for row in state[section]
    ]
    assert wanted, "a table without rows proves nothing"
    key = own[0].name
    assert sorted(rows, key=lambda row: str(row[key])) == sorted(wanted, key=lambda row: str(row[key]))


def test_what_a_table_repeats_is_what_it_joins_with(bank: xs2a.Sandbox, state: dict[str, Any]) -> None:
    customers = {row["id"]: row["customerNumber"] for row in state["customers"]}
    accounts = {row["id"]: (customers[row["owner"]], row.get("bban")) for row in state["accounts"]}
    owners = {row["id"]: customers[row["owner"]] for row in state["agreements"]}
    for row in pyarrow.table(bank.table("transactions")).to_pylist():
        assert (row["customer_number"], row["bban"]) == accounts[row["account_id"]]
    for row in pyarrow.table(bank.table("accounts")).to_pylist():
        assert row["customer_number"] == accounts[row["id"]][0]
    for row in pyarrow.table(bank.table("card_accounts")).to_pylist():
        assert row["customer_number"] == accounts[row["account_id"]][0]
    for row in pyarrow.table(bank.table("agreements")).to_pylist():
        assert row["customer_number"] == owners[row["id"]]


def test_columns_have_types_and_are_chosen_in_any_order(bank: xs2a.Sandbox) -> None:
    columns = ["amount", "booking_date", "created_at", "currency", "id", "entry"]
    table = bank.table("transactions", columns=columns)
    assert table.column_names == columns
    schema = pyarrow.schema(table)
    assert [str(column.type) for column in schema] == [
        "decimal128(23, 5)",
        "date32[day]",
        "timestamp[us, tz=UTC]",
        "dictionary<values=string, indices=int32, ordered=0>",
        "string",
        "int64",
    ]
    assert pyarrow.table(table).schema == schema
    assert [column.name for column in schema if column.nullable] == []
    assert schema.metadata == {b"xs2a.table": b"transactions", b"xs2a.version": b"1"}
    assert bank.table("transactions", columns=("bban",)).column_names == ["bban"]
    assert pyarrow.schema(bank.table("transactions", columns=("bban",))).field("bban").nullable
    assert pyarrow.schema(bank.table("engagements")).field("access_rights").type == pyarrow.bool_()


def test_every_reader_gets_the_same_sums(bank: xs2a.Sandbox, state: dict[str, Any]) -> None:
    transactions, lines = bank.table("transactions"), state["transactions"]
    wanted = len(lines), sum(Decimal(line["amount"]) for line in lines)
    arrow = pyarrow.table(transactions)
    assert (arrow.num_rows, sum(arrow["amount"].to_pylist())) == wanted
    frame = polars.DataFrame(transactions)
    assert (frame.height, frame["amount"].sum()) == wanted
    panda = pandas.DataFrame.from_arrow(transactions)
    assert (len(panda), sum(panda["amount"])) == wanted
    assert queried("SELECT count(*), sum(amount) FROM transactions", transactions) == [wanted]
    by_currency = queried("SELECT currency, count(*) FROM transactions GROUP BY currency", transactions)
    counts = frame["currency"].cast(polars.String).value_counts()
    assert dict(by_currency) == dict(counts.iter_rows())


def test_a_long_table_comes_in_parts_and_each_row_once(bank: xs2a.Sandbox) -> None:
    reader = pyarrow.RecordBatchReader.from_stream(bank.table("transactions", columns=["id"]))
    parts = [part["id"].to_pylist() for part in reader]
    assert len(parts) > 1
    assert max(map(len, parts)) == 16_384
    ids = [id for part in parts for id in part]
    assert len(set(ids)) == len(ids)


def test_rows_that_come_after_a_reading_began_are_left_out() -> None:
    with xs2a.Sandbox(now=NOW) as bank:
        bank.populate(persons=40, companies=0, months=12)
        table = bank.table("transactions", columns=["id"])
        count = pyarrow.table(table).num_rows
        assert count > 16_384
        reader = pyarrow.RecordBatchReader.from_stream(table)
        first = next(iter(reader)).num_rows
        bank.populate(persons=1, companies=0, months=1)
        assert first + sum(part.num_rows for part in reader) == count
        assert pyarrow.table(table).num_rows > count


def test_a_reader_that_stops_holds_nothing(tmp_path: Any) -> None:
    path = tmp_path / "bank.db"
    with xs2a.Sandbox(path, now=NOW) as bank:
        bank.populate(persons=40, companies=0, months=12)
        reader = pyarrow.RecordBatchReader.from_stream(bank.table("transactions"))
        assert next(iter(reader)).num_rows == 16_384
        bank.populate(persons=1, companies=0, months=0)
        bank.initialize()
        assert [part.num_rows for part in reader] == []
    path.unlink()


def test_a_closed_sandbox_ends_the_reading() -> None:
    bank = xs2a.Sandbox(now=NOW)
    bank.populate(persons=40, companies=0, months=12)
    table = bank.table("transactions")
    reader = pyarrow.RecordBatchReader.from_stream(table)
    next(iter(reader))
    bank.close()
    with pytest.raises((OSError, pyarrow.ArrowException), match="the sandbox of the table is closed"):
        next(iter(reader))
    with pytest.raises(xs2a.MisuseError, match="closed"):
        bank.table("transactions")


def test_names_that_do_not_exist_are_refused_with_those_that_do(bank: xs2a.Sandbox) -> None:
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: bank.table("bookings"), r"`bookings` is no table: customers, .*transactions"),
        (lambda: bank.table("customers", columns=["bban"]), r"`bban` is no column of `customers`: id, "),
        (lambda: bank.table("customers", columns=["id", "id"]), "column `id` is named twice"),
        (lambda: bank.table("customers", columns=[]), "no column of `customers` is named"),
    ]
    for call, text in calls:
        with pytest.raises(xs2a.MisuseError, match=text):
            call()
    with pytest.raises(TypeError):
        bank.table("customers", columns=7)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        bank.table("customers", ["id"])  # type: ignore[call-arg]


def test_a_notebook_shows_the_first_rows(bank: xs2a.Sandbox) -> None:
    shown = bank.table("transactions", columns=["booking_date", "amount", "purpose_code"])._repr_html_()
    assert shown.count("<tr>") == 1 + 20
    assert "and more" in shown
    first = pyarrow.table(bank.table("transactions")).to_pylist()[0]
    assert str(first["booking_date"]) in shown
    few = bank.table("orders", columns=["product"])._repr_html_()
    assert few.count("<tr>") == 1 + 2
    assert "and more" not in few
    assert repr(bank.table("orders", columns=["fee"])) == "xs2a.Table('orders', columns=['fee'])"


def test_a_table_belongs_to_its_process(bank: xs2a.Sandbox) -> None:
    actions: list[Callable[[Any], Any]] = [pickle.dumps, copy.copy]
    for action in actions:
        with pytest.raises(TypeError, match="write it to a file"):
            action(bank.table("customers"))
