"""The parts that decide what a TPP may do, which rule_coverage.py and rule_mutants.py measure."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("payment", "basket", "consent", "sca", "session", "tpp", "pipeline")
# The unit tests of a file are at its end.
UNIT_TESTS = re.compile(r"^#\[cfg\(test\)\]\n(?:#\[.*\]\n)*mod \w+ \{\n", re.MULTILINE)


def part_of(path: str) -> str:
    """`payment` of `core/src/payment/draft.rs`."""
    return path.split("/")[2]


@cache
def code(path: str) -> str:
    """A file without its unit tests."""
    content = (ROOT / path).read_text(encoding="utf-8")
    found = UNIT_TESTS.search(content)
    return content[: found.start()] if found else content


def lines_of_code(path: str) -> int:
    return code(path).count("\n")
