"""The data sheet is what is measured, and each of its bounds holds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS / "pictures"))

import data_sheet  # noqa: E402


@pytest.fixture(scope="module")
def data() -> Iterator[duckdb.DuckDBPyConnection]:
    with data_sheet.measured() as measured:
        yield measured


@pytest.fixture(scope="module")
def of_another_seed() -> Iterator[duckdb.DuckDBPyConnection]:
    with data_sheet.measured(persons=300, seed=7) as measured:
        yield measured


@pytest.fixture(scope="module")
def events() -> Iterator[duckdb.DuckDBPyConnection]:
    with data_sheet.measured_events() as measured:
        yield measured


@pytest.fixture(scope="module")
def events_of_another_seed() -> Iterator[duckdb.DuckDBPyConnection]:
    with data_sheet.measured_events(seed=7) as measured:
        yield measured


@pytest.mark.parametrize("bound", data_sheet.EVENT_BOUNDS, ids=lambda bound: bound.what)
def test_a_figure_of_events_is_within_its_bound(
    bound: data_sheet.Bound,
    events: duckdb.DuckDBPyConnection,
    events_of_another_seed: duckdb.DuckDBPyConnection,
) -> None:
    for of in (events, events_of_another_seed):
        assert bound.least <= bound.measure(of) <= bound.greatest


@pytest.mark.parametrize("bound", data_sheet.BOUNDS, ids=lambda bound: bound.what)
def test_a_figure_is_within_its_bound(
    bound: data_sheet.Bound, data: duckdb.DuckDBPyConnection, of_another_seed: duckdb.DuckDBPyConnection
) -> None:
    for of in (data, of_another_seed):
        assert bound.least <= bound.measure(of) <= bound.greatest


def test_the_page_and_its_pictures_are_what_is_measured(
    data: duckdb.DuckDBPyConnection, events: duckdb.DuckDBPyConnection
) -> None:
    assert (DOCS / "data-sheet.md").read_text() == data_sheet.page(data, events)
    for name, text in data_sheet.pictures(data).items():
        assert (DOCS / "pictures" / "data-sheet" / f"{name}.svg").read_text() == text


def test_a_figure_that_nothing_gives_is_an_error(data: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT avg(amount) FROM lines WHERE bank_transaction_code = 'none'"
    nothing = data_sheet.Bound("Nothing", query, 0, 1)
    with pytest.raises(ValueError, match="Nothing: nothing was measured"):
        nothing.measure(data)
