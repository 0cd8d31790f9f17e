"""A bank that is written by the docstrings of ``xs2a.Bank`` can be asked: docs/bank.md, which is printed from
the engine's questions, has the same methods with the same arguments."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import xs2a

PAGE = Path(__file__).parents[2] / "docs" / "bank.md"
# A name and whether it may be absent.
Arguments = list[tuple[str, bool]]


def asked() -> Iterator[tuple[str, Arguments]]:
    """Each question with its members, as the page has them."""
    page = PAGE.read_text(encoding="utf-8").split("\n## Objects\n")[0]
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        question = section.split("The answer is")[0]
        rows = re.findall(r"^\| `(\w+)` \|.*?\| (may be absent)? *\|", question, re.MULTILINE)
        yield section.split("\n")[0], [(snake_case(name), bool(absent)) for name, absent in rows]


def snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), name)


def documented(method: str) -> Arguments:
    """The same by the protocol, or where a bank need not have the method by the protocol's docstring."""
    if function := vars(xs2a.Bank).get(method):
        parameters = inspect.signature(function).parameters.values()
        keywords = [one for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY]
        return [(one.name, "None" in str(one.annotation)) for one in keywords]
    found = re.search(rf"``{method}\(self, \*, ([^)]*)\)``", xs2a.Bank.__doc__ or "")
    assert found, f"the docstring does not name `{method}`"
    names = re.split(r",\s+", found[1])
    return [(name.removesuffix("=None"), name.endswith("=None")) for name in names]


QUESTIONS = dict(asked())


def test_the_protocol_has_every_question_and_no_other() -> None:
    methods = {name for name in vars(xs2a.Bank) if not name.startswith("_")}
    assert methods | {"requires_sca"} == QUESTIONS.keys()


@pytest.mark.parametrize("method", QUESTIONS)
def test_a_method_takes_what_is_asked(method: str) -> None:
    assert documented(method) == QUESTIONS[method]
