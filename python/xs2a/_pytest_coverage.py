"""The pytest plugin's account of what a test run has seen of the bank, put together from all processes."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from xs2a._coverage import Coverage
from xs2a._native import COVERAGE_KINDS, Sandbox

__all__ = ["Collected", "CoverageReport", "add_options"]

_FROM_WORKER = "xs2a_coverage"
# What pytest does instead of running tests. Nothing is seen then, and nothing is missing.
_NO_TEST_RUNS = ("collectonly", "setuponly", "showfixtures", "show_fixtures_per_test", "cacheshow")


class Collected:
    """What the tests have seen so far. The plugin adds the prepared bank with all its forks; a test that
    opens a bank of its own adds it here."""

    def __init__(self) -> None:
        self._of_done = Coverage()
        self._prepared: Sandbox | None = None

    @property
    def coverage(self) -> Coverage:
        """The sum."""
        if self._prepared is None:
            return self._of_done
        return self._of_done | self._prepared.coverage(family=True)

    def add(self, coverage: Coverage) -> None:
        """Adds what another bank saw: ``sandbox.coverage()``."""
        self._of_done |= coverage

    @contextmanager
    def counting(self, prepared: Sandbox) -> Iterator[None]:
        """Counts the prepared bank and its forks, from now on and when it is done."""
        self._prepared = prepared
        yield
        self._prepared = None
        self.add(prepared.coverage(family=True))


def add_options(parser: pytest.Parser) -> None:
    """The options of the command line."""
    group = parser.getgroup("xs2a")
    group.addoption(
        "--xs2a-coverage",
        action="store_true",
        help="say how much of the bank's operations, reasons, states and transitions was seen; with -v also "
        "what was not",
    )
    group.addoption(
        "--xs2a-fail-under",
        action="append",
        type=_least,
        default=[],
        metavar="[KIND:]PERCENT",
        help="fail where fewer of a kind were seen: operations (default), sandboxRoutes, reasons, codes, "
        "states or transitions; repeatable",
    )


def _least(text: str) -> tuple[str, float]:
    found = re.fullmatch(r"(?:(\w+):)?(\d+(?:\.\d+)?)", text)
    kind = (found[1] or "operations") if found else ""
    if found is None or kind not in COVERAGE_KINDS or float(found[2]) > 100:
        kinds = ", ".join(COVERAGE_KINDS)
        raise ArgumentTypeError(
            f"`{text}` is no percentage, such as 80, nor one of a kind ({kinds}): reasons:25"
        )
    return kind, float(found[2])


class CoverageReport:
    """The hooks: workers of pytest-xdist hand on what they saw, the one process that reports says it."""

    def __init__(self, config: pytest.Config) -> None:
        self.collected = Collected()
        self._config = config
        self._wanted: list[tuple[str, float]] = config.getoption("xs2a_fail_under")

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """A worker of pytest-xdist is done. One that crashed has nothing to hand on."""
        seen = getattr(node, "workeroutput", {}).get(_FROM_WORKER)
        if seen is not None:
            self.collected.add(Coverage.from_json(seen))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hands on what was seen, or judges it. A run that went wrong, or in which no test ran, stays so."""
        output: dict[str, Any] | None = getattr(self._config, "workeroutput", None)
        if output is not None:
            output[_FROM_WORKER] = self.collected.coverage.to_json()
        elif session.exitstatus == pytest.ExitCode.OK and self._tests_run() and self._too_little():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Says what was seen."""
        if not (self._tests_run() and (self._wanted or self._config.getoption("xs2a_coverage"))):
            return
        terminalreporter.section("xs2a coverage")
        untouched = self._config.getoption("verbose") > 0
        terminalreporter.write(self.collected.coverage.text(untouched=untouched))
        for kind, least in self._too_little():
            seen = self.collected.coverage.percent(kind)
            terminalreporter.line(f"FAIL {kind}: {seen:.1f} % were seen, {least:g} % are wanted", red=True)

    def _tests_run(self) -> bool:
        return not any(self._config.getoption(instead, False) for instead in _NO_TEST_RUNS)

    def _too_little(self) -> list[tuple[str, float]]:
        coverage = self.collected.coverage
        return [(kind, least) for kind, least in self._wanted if coverage.percent(kind) < least]
