"""Prints docs/data-sheet.md and its pictures: what the distributions of a population are, measured.

    python docs/pictures/data_sheet.py

Each row of BOUNDS is a test (tests/python/test_data_sheet.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow
import xs2a

DOCS = Path(__file__).resolve().parent.parent
PICTURES = DOCS / "pictures" / "data-sheet"
NOW = "2026-09-01T10:00:00Z"
PERSONS, COMPANIES, MONTHS, SEED = 400, 8, 12, 2026
EVENT_PERSONS, EVENT_MONTHS = 20_000, 36
TABLES = ("customers", "accounts", "transactions", "card_transactions")

_CARDS_2024 = "572 uses by each inhabitant (Norges Bank, Retail Payment Services 2024)"
_VALUE_2018 = "NOK 382 (Norges Bank, Retail payment services 2018)"
_NOT_COMPARED = "not compared"


@dataclass(frozen=True)
class Bound:
    """A figure with the least and the greatest value that the tests let pass."""

    what: str
    query: str
    least: float
    greatest: float
    unit: str = ""
    compared_with: str = _NOT_COMPARED

    def measure(self, data: duckdb.DuckDBPyConnection) -> float:
        ((found,),) = data.sql(self.query).fetchall()
        if found is None:
            raise ValueError(f"{self.what}: nothing was measured")
        return float(found)


_OF_PERSONS = "count(DISTINCT customer_number) * 100.0 / (SELECT count(*) FROM persons)"
_WAGES = "FROM lines WHERE is_person AND purpose_code = 'SALA'"
_LINES_OF_PERSONS = f"SELECT {_OF_PERSONS} FROM lines WHERE is_person AND "

BOUNDS = (
    Bound(
        "Uses of cards by a person in a year",
        "SELECT count(*) * 1.0 / (SELECT count(*) FROM persons) FROM purchases",
        400,
        650,
        compared_with=_CARDS_2024,
    ),
    Bound("Purchase by card, mean", "SELECT -avg(amount) FROM purchases", 350, 550, "NOK", _VALUE_2018),
    Bound("Purchase by card, median", "SELECT -median(amount) FROM purchases", 130, 220, "NOK"),
    Bound(
        "Purchases of a person in a month, standard deviation",
        "SELECT stddev(purchases) FROM months_of_persons",
        20,
        40,
    ),
    Bound(
        "Purchases on a Friday, relative to a Tuesday",
        "SELECT sum(number) FILTER (weekday = 5) * 100.0 / sum(number) FILTER (weekday = 2) FROM weekdays",
        120,
        150,
        "%",
    ),
    Bound(
        "Purchases on a Sunday, relative to a Tuesday",
        "SELECT sum(number) FILTER (weekday = 7) * 100.0 / sum(number) FILTER (weekday = 2) FROM weekdays",
        50,
        80,
        "%",
    ),
    Bound(
        "Purchases on 25 December, relative to an average day",
        "SELECT sum(number) FILTER (day = '2025-12-25') * 100.0 / avg(number) FROM days",
        2,
        25,
        "%",
    ),
    Bound(
        "Purchases on 17 May, relative to an average day",
        "SELECT sum(number) FILTER (day = '2026-05-17') * 100.0 / avg(number) FROM days",
        5,
        30,
        "%",
    ),
    Bound(
        "Purchases in December, relative to an average month",
        "SELECT sum(number) FILTER (month(day) = 12) * 100.0 / (sum(number) / 12) FROM days",
        110,
        140,
        "%",
    ),
    Bound("Branches of merchants where a card was used", "SELECT count(*) FROM merchants", 1500, 4000),
    Bound(
        "Share of the most popular branch",
        "SELECT max(number) * 100.0 / sum(number) FROM merchants",
        1,
        6,
        "%",
    ),
    Bound(
        "Purchases in groceries",
        "SELECT count(*) FILTER (category = '5411') * 100.0 / count(*) FROM purchases",
        25,
        35,
        "%",
    ),
    Bound(
        "Holiday pay in June, relative to wages in March",
        "SELECT avg(amount) FILTER (month(booking_date) = 6) * 100.0 "
        f"/ avg(amount) FILTER (month(booking_date) = 3) {_WAGES}",
        130,
        150,
        "%",
    ),
    Bound(
        "Wages in December (half tax), relative to November",
        "SELECT avg(amount) FILTER (month(booking_date) = 12) * 100.0 "
        f"/ avg(amount) FILTER (month(booking_date) = 11) {_WAGES}",
        115,
        130,
        "%",
    ),
    Bound(
        "Wages in a month after tax, median",
        f"SELECT median(amount) {_WAGES}",
        30_000,
        45_000,
        "NOK",
    ),
    Bound("Persons with wages", _LINES_OF_PERSONS + "purpose_code = 'SALA'", 45, 65, "%"),
    Bound("Persons with a pension", _LINES_OF_PERSONS + "purpose_code = 'PENS'", 22, 40, "%"),
    Bound("Persons who get child benefit", _LINES_OF_PERSONS + "purpose_code = 'BECH'", 8, 22, "%"),
    Bound(
        "Persons who pay a mortgage",
        _LINES_OF_PERSONS + "bank_transaction_code LIKE 'LDAS-MGLN%'",
        20,
        40,
        "%",
    ),
    Bound(
        "Persons with a credit card",
        "SELECT count(*) FILTER (credit) * 100.0 / count(*) FROM persons",
        42,
        65,
        "%",
    ),
    Bound(
        "Persons with savings",
        "SELECT count(*) FILTER (savings) * 100.0 / count(*) FROM persons",
        75,
        90,
        "%",
    ),
    Bound(
        "Persons without any payment",
        "SELECT count(*) FILTER (customer_number NOT IN (SELECT customer_number FROM lines)) * 100.0 "
        "/ count(*) FROM persons",
        0.1,
        3,
        "%",
    ),
    Bound(
        "Withdrawals of cash by a person in a year",
        "SELECT count(*) * 1.0 / (SELECT count(*) FROM persons) FROM lines "
        "WHERE bank_transaction_code = 'PMNT-CCRD-CWDL'",
        3,
        9,
    ),
    Bound(
        "Bills that have a KID",
        "SELECT count(*) FILTER (reference IS NOT NULL) * 100.0 / count(*) FROM lines "
        "WHERE is_person AND proprietary_code = 'EFAKTURA'",
        100,
        100,
        "%",
    ),
    Bound(
        "Lines with another value date than booking date",
        "SELECT count(*) FILTER (value_date <> booking_date) * 100.0 / count(*) FROM lines",
        12,
        25,
        "%",
    ),
    Bound(
        "Purchases that are given back",
        "SELECT (SELECT count(*) FROM lines WHERE bank_transaction_code = 'PMNT-CCRD-RIMB') * 100.0 "
        "/ count(*) FROM purchases",
        0.3,
        1.5,
        "%",
    ),
)

_FERTILITY_2010 = "{} (Statistics Norway, Births, age-specific rates of men 2010)"
_MIGRATION_2008 = "{} between municipalities (Statistics Norway, Migration, internal, 2008)"


def _rate(kind: str, first: int, last: int) -> str:
    """How many events a thousand persons of an age have in a year."""
    return (
        f"SELECT (SELECT count(*) FROM events WHERE kind = '{kind}' AND age BETWEEN {first} AND {last}) "
        f"* 1000.0 / {EVENT_MONTHS} * 12 / (SELECT count(*) FROM ages WHERE age BETWEEN {first} AND {last})"
    )


EVENT_BOUNDS = (
    Bound("Deaths, 60 to 69 years", _rate("death", 60, 69), 6, 11),
    Bound("Deaths, 80 to 89 years", _rate("death", 80, 89), 50, 90),
    Bound(
        "Moves, 20 to 24 years", _rate("move", 20, 24), 100, 150, compared_with=_MIGRATION_2008.format(127)
    ),
    Bound("Moves, 30 to 34 years", _rate("move", 30, 34), 60, 95, compared_with=_MIGRATION_2008.format(73)),
    Bound("Moves, 35 to 39 years", _rate("move", 35, 39), 35, 65, compared_with=_MIGRATION_2008.format(43)),
    Bound(
        "Births, 25 to 29 years", _rate("child", 25, 29), 55, 95, compared_with=_FERTILITY_2010.format(84.7)
    ),
    Bound(
        "Births, 30 to 34 years", _rate("child", 30, 34), 75, 115, compared_with=_FERTILITY_2010.format(117.4)
    ),
    Bound(
        "Births, 35 to 39 years", _rate("child", 35, 39), 45, 85, compared_with=_FERTILITY_2010.format(75.9)
    ),
    Bound("New jobs, 25 to 34 years", _rate("new_job", 25, 34), 100, 170),
    Bound("New jobs, 45 to 54 years", _rate("new_job", 45, 54), 40, 80),
    Bound(
        "Age of retirement, mean",
        "SELECT avg(age) FROM events WHERE kind = 'retirement'",
        65,
        67.5,
        "years",
        "66.4 years, when persons stop working (Nav 2024)",
    ),
)


def measured_events(seed: int = SEED) -> duckdb.DuckDBPyConnection:
    """A database with the life events of a larger population, and the ages of its persons."""
    population = xs2a.Population(
        persons=EVENT_PERSONS, months=EVENT_MONTHS, now=NOW, seed=seed, labels=True, cases=0, events=True
    )
    data = duckdb.connect()
    for name in ("customers", "life_events"):
        data.register(f"read_{name}", pyarrow.table(population.table(name)))
    # A synthetic number has 80 added to the month. Persons are born from 1933 to 2005.
    data.execute(f"""
        CREATE MACRO born(number) AS make_date(
            number[5:6]::INT + if(number[5:6]::INT < 30, 2000, 1900),
            number[3:4]::INT - 80,
            number[1:2]::INT
        );
        CREATE TABLE ages AS
            SELECT datesub('year', born(customer_number),
                DATE '{NOW[:10]}' - INTERVAL {EVENT_MONTHS // 2} MONTH) AS age
            FROM read_customers;
        CREATE TABLE events AS
            SELECT kind::VARCHAR AS kind, datesub('year', born(customer_number), date) AS age
            FROM read_life_events;
    """)
    return data


def measured(persons: int = PERSONS, seed: int = SEED) -> duckdb.DuckDBPyConnection:
    """A database with a population and what the figures are taken from."""
    population = xs2a.Population(persons=persons, companies=COMPANIES, months=MONTHS, now=NOW, seed=seed)
    data = duckdb.connect()
    for name in TABLES:
        data.register(f"read_{name}", pyarrow.table(population.table(name)))
        data.execute(f"CREATE TABLE {name} AS FROM read_{name}")
    data.execute("SET TimeZone = 'Europe/Oslo'")
    data.execute("""
        CREATE TABLE persons AS SELECT customer_number,
            customer_number IN (SELECT customer_number FROM accounts WHERE bban IS NULL) AS credit,
            customer_number IN (SELECT customer_number FROM accounts WHERE name = 'Sparekonto') AS savings
        FROM customers WHERE type = 'PRIVATE';
        CREATE TABLE lines AS
            SELECT transactions.*, merchant_category_code::VARCHAR AS category, transaction_date,
                card_acceptor_id, customers.type = 'PRIVATE' AS is_person
            FROM transactions JOIN customers USING (customer_number)
            LEFT JOIN card_transactions ON card_transactions.transaction_id = transactions.id;
        CREATE TABLE purchases AS FROM lines
            WHERE bank_transaction_code IN ('PMNT-CCRD-POSD', 'PMNT-CCRD-POSC') AND currency = 'NOK';
        CREATE TABLE days AS SELECT transaction_date AS day, count(*) AS number FROM purchases
            WHERE transaction_date < '2026-08-25' OR transaction_date IS NULL GROUP BY day;
        CREATE TABLE weekdays AS
            SELECT isodow(transaction_date) AS weekday, count(*) AS number FROM purchases GROUP BY weekday;
        CREATE TABLE merchants AS SELECT card_acceptor_id, count(*) AS number FROM purchases GROUP BY ALL;
        CREATE TABLE months_of_persons AS
            SELECT customer_number, month(transaction_date) AS month, count(*) AS purchases
            FROM purchases GROUP BY ALL;
    """)
    return data


def _rows(bounds: Sequence[Bound], data: duckdb.DuckDBPyConnection) -> str:
    return "".join(
        f"| {bound.what} | {_number(bound.measure(data))}{_unit(bound)} "
        f"| {_number(bound.least)} to {_number(bound.greatest)}{_unit(bound)} | {bound.compared_with} |\n"
        for bound in bounds
    )


def page(data: duckdb.DuckDBPyConnection, events: duckdb.DuckDBPyConnection) -> str:
    """The text of the sheet."""
    categories = data.sql("""
        SELECT category, count(*) * 100.0 / (SELECT count(*) FROM purchases) AS share,
            -median(amount), -avg(amount)
        FROM purchases GROUP BY category ORDER BY share DESC, category
    """).fetchall()
    spent = "".join(
        f"| `{category}` | {_number(share)} % | {_number(float(median))} | {_number(float(mean))} |\n"
        for category, share, median, mean in categories
    )
    return f"""<!-- Printed by docs/pictures/data_sheet.py; do not edit. -->

# Data sheet

What the distributions of a population are: measured with {PERSONS} persons and {COMPANIES} companies
over {MONTHS} months before {NOW[:10]}, generator `2026.1`, seed {SEED}, without cases of fraud. To measure
it again:

```bash
python docs/pictures/data_sheet.py
```

## Figures and bounds

Each bound is a test, for this population and for one of another seed. A figure of public statistics
counts other people (children too) and other years, and is not what the bound follows from.

| what | measured | bound | compared with |
|---|---|---|---|
{_rows(BOUNDS, data)}
## Life events

Of a population with `events=True`: {_number(EVENT_PERSONS)} persons over {EVENT_MONTHS} months
before {NOW[:10]}, seed {SEED}. How many events a thousand persons of that age have in a year; a birth
and a move of a couple count for both.

| what | measured | bound | compared with |
|---|---|---|---|
{_rows(EVENT_BOUNDS, events)}
## Purchases by card, by category

| merchant category (ISO 18245) | share of purchases | median, NOK | mean, NOK |
|---|---|---|---|
{spent}
The categories of the household budget (Statistics Norway, Survey of consumer expenditure) are not
compared: they count rent and what is paid in cash too.

## Pictures

![Purchases by weekday](pictures/data-sheet/weekdays.svg)
![Purchases by month](pictures/data-sheet/months.svg)
![Purchases by hour](pictures/data-sheet/hours.svg)
![Purchases by price](pictures/data-sheet/prices.svg)
![Purchases of a person in a month](pictures/data-sheet/persons.svg)
![Groceries by rank](pictures/data-sheet/ranks.svg)

## Where the distributions are

Most of them are in `core/src/sandbox/population/norway.json`, which says what each means: weekdays,
seasons, hours and public holidays; towns, trades, prices and merchants (Zipf's law by rank); kinds of
persons and their incomes; rates of life events; bills, loans, taxes and habits. The others are
constants in Rust beside it: savings and accounts in euro, companies, how often a shop is in another
town, returns, cases and the payments like them. They were chosen by hand to be plausible. None was
fitted to data of persons, and none was compared with public statistics but for the figures above.

## What is not modelled

- Markets: prices, rents and interest rates change once a year at most; no inflation by category, no
  unemployment.
- Life events, unless they are asked for; and with them unemployment, parental benefit, separations,
  couples that meet, inheritance, and children who grow up.
- Relations between persons beyond households, employers and neighbours: payments between persons have no
  structure of a network.
- Habits that change with age during the history, seasons by place, and weather.
- Correlations beyond income, age and household: each purchase draws its shop by popularity again.
- Securities, pension savings, insurance claims, leasing, cheques, direct debits that are refused.
- Companies beyond invoices, wages and taxes withheld: no VAT, no seasons by trade, no groups.
- Cases of fraud are twelve plain schemes. No life reacts to one, no customer reports one, and an account
  that loses money had as much more at the beginning. They are for building and testing detection, not for
  measuring how good it would be on real payments.
"""


def pictures(data: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """The pictures by name, as SVG."""
    names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

    def rows(query: str) -> list[tuple[object, float]]:
        return [(label, float(value)) for label, value in data.sql(query).fetchall()]

    weekdays = rows("SELECT weekday, number * 100.0 / sum(number) OVER () FROM weekdays ORDER BY weekday")
    months = rows("SELECT month(transaction_date), count(*) / 1000.0 FROM purchases GROUP BY 1 ORDER BY 1")
    hours = rows("""
        SELECT hour(created_at), count(*) * 100.0 / sum(count(*)) OVER () FROM purchases
        WHERE transaction_date = booking_date AND value_date = booking_date GROUP BY 1 ORDER BY 1
    """)
    prices = rows("""
        SELECT least(floor(-amount / 50) * 50, 1000)::INT, count(*) * 100.0 / sum(count(*)) OVER ()
        FROM purchases GROUP BY 1 ORDER BY 1
    """)
    persons = rows("""
        SELECT least(floor(purchases / 5) * 5, 100)::INT, count(*) * 100.0 / sum(count(*)) OVER ()
        FROM months_of_persons GROUP BY 1 ORDER BY 1
    """)
    ranks = rows("""
        SELECT row_number() OVER (ORDER BY count(*) DESC, card_acceptor_id),
            count(*) * 100.0 / sum(count(*)) OVER ()
        FROM purchases WHERE category = '5411' GROUP BY card_acceptor_id ORDER BY 1 LIMIT 20
    """)
    return {
        "weekdays": _bars(
            "Purchases by weekday, %", [(names[int(str(day)) - 1], share) for day, share in weekdays]
        ),
        "months": _bars("Purchases by month, thousands", months),
        "hours": _bars("Purchases by debit card by hour, %", hours),
        "prices": _bars("Purchases by price, from so many NOK on, %", prices),
        "persons": _bars("Purchases of a person in a month, from so many on, %", persons),
        "ranks": _bars("Groceries: share of a branch by rank, %", ranks),
    }


def _bars(title: str, bars: Sequence[tuple[object, float]]) -> str:
    width, height, top, bottom, left = 480, 250, 44, 26, 10
    step = (width - 2 * left) / max(len(bars), 1)
    scale = (height - top - bottom) / (max((value for _, value in bars), default=0) or 1)
    every = -(-len(bars) // 12)
    shapes = []
    for nth, (label, value) in enumerate(bars):
        x, size = left + nth * step, value * scale
        shapes.append(
            f'<rect x="{x + step * 0.1:.1f}" y="{height - bottom - size:.1f}" width="{step * 0.8:.1f}" '
            f'height="{size:.1f}"><title>{label}: {_number(value)}</title></rect>'
        )
        if nth % every == 0:
            shapes.append(f'<text x="{x + step / 2:.1f}" y="{height - 9}">{label}</text>')
            shapes.append(
                f'<text x="{x + step / 2:.1f}" y="{height - bottom - size - 4:.1f}">{_number(value)}</text>'
            )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        "<style>text{font:11px sans-serif;text-anchor:middle;fill:#333}rect{fill:#3a6ea5}"
        "@media(prefers-color-scheme:dark){text{fill:#ccc}}</style>"
        f'<text x="{width / 2}" y="18">{title}</text>{"".join(shapes)}</svg>\n'
    )


def _number(value: float) -> str:
    return f"{value:,.0f}".replace(",", " ") if abs(value) >= 100 or value == int(value) else f"{value:.1f}"


def _unit(bound: Bound) -> str:
    return f" {bound.unit}" if bound.unit else ""


def main(write: Callable[[Path, str], object] = Path.write_text) -> None:
    """Writes the page and the pictures."""
    data = measured()
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, text in pictures(data).items():
        write(PICTURES / f"{name}.svg", text)
    write(DOCS / "data-sheet.md", page(data, measured_events()))


if __name__ == "__main__":
    main()
