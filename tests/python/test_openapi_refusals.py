"""The refusals that the OpenAPI document lists, against every recorded answer of the corpus."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import xs2a

RECORDED = Path(__file__).parents[2] / "core/tests/corpus/recorded"
REFUSED = re.compile(r"^It was refused: ([A-Z_, ]+[A-Z])")


class Refusal(NamedTuple):
    method: str
    path: str
    status: str
    reason: str
    codes: frozenset[str]


def recorded(folder: Path) -> Iterator[Refusal]:
    """The refusals by an operation itself, without those that a fault injects."""
    for file in folder.glob("*.txt.gz"):
        for block in re.split(r"\n(?==== )", gzip.decompress(file.read_bytes()).decode()):
            call = re.search(r"^> ([A-Z]+) (?:/api-sandbox)?([^\s?]+)", block, re.MULTILINE)
            answer = re.search(r"^< (\d+) ([A-Z]+-\d+)$", block, re.MULTILINE)
            if call is None or answer is None or answer[2].startswith("FLT-"):
                continue
            codes = re.findall(r'"category":"ERROR",\s*"code":"([A-Z_]+)"', block)
            yield Refusal(call[1], call[2], answer[1], answer[2], frozenset(codes))


class Operation(NamedTuple):
    method: str
    path: re.Pattern[str]
    codes: dict[str, frozenset[str]]
    """The codes of each status."""


def listed(document: dict[str, Any]) -> list[Operation]:
    operations = []
    for path, methods in document["paths"].items():
        pattern = re.compile(re.sub(r"\\\{[^/]*?\\\}", "[^/]+", re.escape(path)))
        for method, operation in methods.items():
            codes = {}
            for status, response in operation["responses"].items():
                found = REFUSED.match(response.get("description", ""))
                if found is not None:
                    codes[status] = frozenset(found[1].split(", "))
            operations.append(Operation(method.upper(), pattern, codes))
    return operations


@pytest.fixture(scope="module")
def operations() -> list[Operation]:
    return listed(xs2a.openapi())


def test_every_recorded_refusal_is_listed_with_its_code(operations: list[Operation]) -> None:
    compared: set[str] = set()
    missing = set()
    for refusal in recorded(RECORDED):
        for method, pattern, codes in operations:
            if method == refusal.method and pattern.fullmatch(refusal.path):
                compared.add(refusal.reason)
                if not refusal.codes <= codes.get(refusal.status, frozenset()):
                    missing.add((method, pattern.pattern, refusal.status, refusal.reason))
    assert not missing
    assert len(compared) > 120  # reasons


def test_every_code_but_that_of_a_missing_path_is_listed(operations: list[Operation]) -> None:
    codes = {code for _, _, by_status in operations for of_status in by_status.values() for code in of_status}
    every = set(xs2a.openapi()["components"]["schemas"]["TppMessage"]["properties"]["code"]["enum"])
    assert every - codes == {"NOT_FOUND"}


def test_too_many_calls_are_listed_where_calls_are_counted(operations: list[Operation]) -> None:
    counted = {pattern.pattern.count("transactions") for _, pattern, codes in operations if "429" in codes}
    assert counted == {1}
    assert sum("429" in codes for _, _, codes in operations) == 3
