"""The pytest plugin: a bank for each test. Installed with the package; there is nothing to import.

The bank of a test is a fork of one that is opened once in a session: what a test does reaches no other, in
any order and in any number of processes (pytest-xdist). Settings are in the ini file
(``xs2a_now``, ``xs2a_seed``, ``xs2a_base_path``, ``xs2a_policy``); what they cannot say is said by overriding
``xs2a_options``, ``xs2a_prepared``, ``xs2a_registered`` or ``xs2a_headers``: in a ``conftest.py`` for all
tests or those of a folder, or in a module for its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from xs2a._native import Clock, Sandbox, Tpp
from xs2a._pytest_coverage import Collected, CoverageReport, add_options
from xs2a._pytest_failure import FailureReport, close_after_report
from xs2a._pytest_overrides import Overrides

_DEFAULT_NOW = "2026-09-01T10:00:00Z"  # a Tuesday noon in Oslo: the same batches run whenever the tests do
_HOST = "https://bank.example"
_COVERAGE = "xs2a-coverage"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The settings of the ini file, and the options of the command line."""
    add_options(parser)
    parser.addini(
        "xs2a_now", f"where the bank's clock starts, ISO 8601 (default: {_DEFAULT_NOW})", default=_DEFAULT_NOW
    )
    parser.addini("xs2a_seed", "what every id of the bank comes from (default: 0)", default="0")
    parser.addini(
        "xs2a_base_path", "the prefix of /v1 in paths, such as /api-sandbox (default: none)", default=""
    )
    parser.addini("xs2a_policy", "settings of the bank, a JSON object (default: {})", default="{}")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the counting, the report of failures, and the handling of overrides."""
    config.pluginmanager.register(CoverageReport(config), _COVERAGE)
    config.pluginmanager.register(FailureReport())
    config.pluginmanager.register(Overrides())


@pytest.fixture(scope="session")
def xs2a_options(pytestconfig: pytest.Config) -> dict[str, Any]:
    """The arguments of the bank, those of ``xs2a.Sandbox``. Override it to say more than the ini file can."""
    return {
        "now": pytestconfig.getini("xs2a_now"),
        "seed": _whole_number("xs2a_seed", pytestconfig.getini("xs2a_seed")),
        "base_path": pytestconfig.getini("xs2a_base_path"),
        "policy": _object("xs2a_policy", pytestconfig.getini("xs2a_policy")),
    }


@pytest.fixture(scope="session")
def xs2a_prepared(xs2a_options: dict[str, Any]) -> Iterator[Sandbox]:
    """The bank every test begins with: override it to prepare one with more in it. Not for use in a test."""
    with Sandbox(**xs2a_options) as prepared:
        yield prepared


@pytest.fixture(scope="session")
def xs2a_registered(xs2a_prepared: Sandbox) -> Tpp:
    """The TPP of the tests, in the prepared bank: for accounts and payments. Override it for another, or to
    let it do something before all tests."""
    return xs2a_prepared.register_tpp("Acme Pay", roles=("AISP", "PISP"))


@pytest.fixture(scope="session")
def xs2a_coverage(pytestconfig: pytest.Config) -> Collected:
    """What the tests have seen of the bank so far. Banks that come of the other fixtures are in it by
    themselves; ``xs2a_coverage.add(sandbox.coverage())`` adds one that a test opened itself."""
    report: CoverageReport = pytestconfig.pluginmanager.getplugin(_COVERAGE)
    return report.collected


@pytest.fixture(scope="session")
def _xs2a_counted(xs2a_prepared: Sandbox, xs2a_coverage: Collected) -> Iterator[None]:
    with xs2a_coverage.counting(xs2a_prepared):
        yield


@pytest.fixture
def xs2a_sandbox(
    request: pytest.FixtureRequest, xs2a_prepared: Sandbox, xs2a_registered: Tpp, _xs2a_counted: None
) -> Sandbox:
    """A bank of this test's own: a fork of the prepared one."""
    # The TPP is registered by now, whether this test has a use for it or not: all tests begin alike.
    sandbox = xs2a_prepared.fork()
    close_after_report(request.node, sandbox)
    return sandbox


@pytest.fixture
def xs2a_clock(xs2a_sandbox: Sandbox) -> Clock:
    """The clock of this test's bank."""
    return xs2a_sandbox.clock


@pytest.fixture
def xs2a_tpp(xs2a_sandbox: Sandbox, xs2a_registered: Tpp) -> Tpp:
    """The registered TPP, signing by the clock of this test's bank."""
    return xs2a_sandbox.tpp(xs2a_registered.organisation_id)


@pytest.fixture
def xs2a_headers() -> dict[str, str]:
    """What ``xs2a_client`` sends with each call, beside what it signs with: a private customer who is
    present."""
    return {
        "x-accept-fix": "",
        "TPP-Session-ID": "session-1",
        "TPP-Redirect-URI": "https://tpp.example/callback",
        "PSU-Context": "PRIVATE",
        "PSU-IP-Address": "192.0.2.1",
    }


@pytest.fixture
def xs2a_client(xs2a_sandbox: Sandbox, xs2a_tpp: Tpp, xs2a_headers: dict[str, str]) -> Iterator[Any]:
    """A client of this test's bank that signs by itself: an ``httpx.Client`` where httpx is installed, else
    an ``xs2a.client.Client``, which has the same calls. Paths begin with ``/v1`` with every base path."""
    try:
        import httpx
    except ImportError:
        from xs2a.client import Client

        yield Client(xs2a_sandbox, xs2a_tpp, xs2a_headers)
        return
    from xs2a.httpx import Auth, Transport

    base_url = _HOST + xs2a_sandbox.base_path
    transport, auth = Transport(xs2a_sandbox), Auth(xs2a_tpp)
    with httpx.Client(transport=transport, auth=auth, base_url=base_url, headers=xs2a_headers) as client:
        yield client


def _whole_number(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise pytest.UsageError(f"{name}: `{text}` is not a whole number") from None


def _object(name: str, text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise pytest.UsageError(f"{name} is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise pytest.UsageError(f"{name} is not a JSON object")
    return found
