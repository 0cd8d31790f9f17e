"""The pytest plugin's account of what was done with the bank of a test that failed, or whose fixture did."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import pytest

from xs2a._errors import MisuseError
from xs2a._native import Sandbox

__all__ = ["FailureReport", "close_after_report"]

_LAST_ENTRIES = 10  # of the journal
_FIXTURE = "xs2a_sandbox"

_BANK = pytest.StashKey[Sandbox]()
_TO_CLOSE = pytest.StashKey[list[Sandbox]]()
_REPORTED = pytest.StashKey[list[tuple[str, str]]]()


def close_after_report(item: pytest.Item, sandbox: Sandbox) -> None:
    """Closes the bank of a test once it is reported how its fixtures ended, and not before: the report of one
    that fails then shows what was done with the bank."""
    item.stash.setdefault(_TO_CLOSE, []).append(sandbox)


class FailureReport:
    """The hooks."""

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, Any, None]:
        """Notes the bank of a test. Where another fixture fails, the test itself is not given it any more."""
        made = yield
        if fixturedef.argname == _FIXTURE and made.excinfo is None and isinstance(request.node, pytest.Item):
            request.node.stash[_BANK] = made.get_result()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, None]:
        """Puts below a failure what was last done with the bank and what became of its faults: once, where
        nothing happened between two failures of one test."""
        report: pytest.TestReport = (yield).get_result()
        if report.when == "setup":
            item.stash[_REPORTED] = []  # a test may be run again
        if report.failed:
            reported = item.stash.setdefault(_REPORTED, [])
            new = [section for section in _sections(item) if section not in reported]
            report.sections.extend(new)
            reported.extend(new)
        if report.when == "teardown":
            for sandbox in item.stash.setdefault(_TO_CLOSE, []):
                sandbox.close()
            # Nothing of a test stays behind it, nor is open for its next run.
            _forget(item, _BANK)
            _forget(item, _REPORTED)
            _forget(item, _TO_CLOSE)


def _forget(item: pytest.Item, key: pytest.StashKey[Any]) -> None:
    if key in item.stash:
        del item.stash[key]


def _sections(item: pytest.Item) -> Iterator[tuple[str, str]]:
    """Title and text. None where the test has no bank, or closed it."""
    sandbox = item.stash.get(_BANK, None) or getattr(item, "funcargs", {}).get(_FIXTURE)
    if not isinstance(sandbox, Sandbox):
        return
    try:
        done, faults = sandbox.journal.text(last=_LAST_ENTRIES), list(sandbox.faults)
    except MisuseError:
        return
    if done:
        yield f"xs2a: the last {_LAST_ENTRIES} things done with the bank", done
    if faults:  # one that never struck was not for the calls that the test made
        lines = [f"fault {fault.id}: struck {fault.hits} of {fault.seen} matches" for fault in faults]
        yield "xs2a: the faults that are set", "\n".join(lines)
