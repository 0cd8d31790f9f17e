"""The tables of docs/guide/control.md are those of the code. ``UPDATE=1 pytest …`` prints them again."""

from __future__ import annotations

import os
from pathlib import Path

from xs2a._control.routes import NOT_THERE, ROUTES

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "control.md"
END = "<!-- end -->\n"


def table_of_routes() -> str:
    rows = (
        (f"{route.method} {route.path}", route.summary, ", ".join(f"`{name}`" for name in route.does))
        for route in ROUTES
    )
    return "".join(f"| `{route}` | {summary} | {does} |\n" for route, summary, does in rows)


def table_of_the_rest() -> str:
    return "".join(f"| `{name}` | {reason} |\n" for name, reason in NOT_THERE.items())


def printed(page: str) -> str:
    for head, table in (
        ("| route | what it does | in Python |\n|---|---|---|\n", table_of_routes()),
        ("| in Python | why it is not here |\n|---|---|\n", table_of_the_rest()),
    ):
        before, found, rest = page.partition(head)
        assert found, head
        _, end, after = rest.partition(END)
        page = before + head + table + end + after
    return page


def test_the_tables_of_the_page_are_those_of_the_code() -> None:
    page = PAGE.read_text("utf-8")
    if os.environ.get("UPDATE"):
        PAGE.write_text(printed(page), "utf-8")
    else:
        assert printed(page) == page, "print it again: UPDATE=1 pytest tests/python/test_control_page.py"
