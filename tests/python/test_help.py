"""`help()` shows what an editor shows: the docstrings of the stubs, with limits, results and exceptions."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import xs2a
from xs2a import _native

PACKAGE = Path(xs2a.__file__).parent


def documented() -> Iterator[tuple[str, str]]:
    """Name and text of each docstring of the stubs; a class has that of its `__new__` below its own."""
    for stub in ("_native.pyi", "_engine.pyi", "_trust.pyi"):
        for node in ast.parse((PACKAGE / stub).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and (text := ast.get_docstring(node)):
                yield node.name, text
            if isinstance(node, ast.ClassDef):
                members = [one for one in node.body if isinstance(one, ast.FunctionDef)]
                texts = {one.name: found for one in members if (found := ast.get_docstring(one))}
                made = texts.pop("__new__", None)
                yield node.name, "\n\n".join(filter(None, (ast.get_docstring(node), made)))
                for name, text in texts.items():
                    yield f"{node.name}.{name}", text


TEXTS = dict(documented())


@pytest.mark.parametrize("name", TEXTS)
def test_help_is_the_docstring_of_the_stub(name: str) -> None:
    thing: Any = _native
    for part in name.split("."):
        thing = getattr(thing, part)
    assert inspect.getdoc(thing) == TEXTS[name]


def test_help_has_arguments_limits_results_and_exceptions() -> None:
    assert len(TEXTS) > 100
    for thing, parts in (
        (xs2a.Sandbox, ("seed: 0 to 2**64 - 1", "``ConfigError``")),
        (xs2a.Sandbox.populate, ("At most 100 000 persons", "1 GiB", "``MisuseError``")),
        (xs2a.Sandbox.authorise, ("Returns the URL",)),
        (xs2a.Sandbox.handle, ("body: the bytes received",)),
        (xs2a.validate_payment, ("empty: nothing to say",)),
    ):
        for part in parts:
            assert part in str(inspect.getdoc(thing)), thing
    assert str(inspect.signature(xs2a.Sandbox.authorise)).startswith(
        "(self, /, sca_redirect, customer_number="
    )
