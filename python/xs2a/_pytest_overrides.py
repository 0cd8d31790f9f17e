"""The pytest plugin's care for overrides: a module or folder that has its own gets the bank they make."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import pytest

__all__ = ["Overrides"]

# What every test begins with is made from these.
_OVERRIDABLE = ("xs2a_options", "xs2a_prepared", "xs2a_registered")


class Overrides:
    """The hooks. pytest keeps what a session fixture gave for all tests, by its definition alone, though it
    was made from what others override: the default TPP would stay in the bank of the first test. So
    where the next test sees other definitions than the last, all is taken down, and made as it sees them."""

    def __init__(self) -> None:
        self._here: list[Sequence[pytest.FixtureDef[Any]]] = []
        self._made: dict[pytest.FixtureDef[Any], Any] = {}  # with its request

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, nextitem: pytest.Item | None) -> None:
        """With the last test of a bank, whose report then has what goes wrong."""
        if nextitem is not None:
            self._close_banks_before(nextitem)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Where the last test could not: its own end failed, or pytest-xdist had not said what is next."""
        self._close_banks_before(item)

    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> None:
        """Notes what there will be to take down, if it fails too: pytest keeps that as well."""
        if fixturedef.argname in _OVERRIDABLE:
            self._made[fixturedef] = request

    def _close_banks_before(self, item: pytest.Item) -> None:
        here = [_definitions(item, name) for name in _OVERRIDABLE]
        if here == self._here:
            return
        self._here = here
        with ExitStack() as stack:  # all of them, even if one raises
            for made, request in self._made.items():
                stack.callback(made.finish, request)  # of what was made from it too, also by the user
            self._made = {}


def _definitions(item: pytest.Item, name: str) -> Sequence[pytest.FixtureDef[Any]]:
    """Those of a name that a test sees, from the plugin's to the nearest. No public function returns them."""
    where: Any = item if pytest.version_tuple >= (8,) else item.nodeid
    return item.session._fixturemanager.getfixturedefs(name, where) or ()
