"""The pytest plugin: what a run has seen of the bank, and what was done before a test failed."""

from __future__ import annotations

import re

import pytest

pytest_plugins = ["pytester"]

TWO_CALLS = """
    import xs2a

    STRAKS = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"

    def test_reads_accounts(xs2a_client):
        assert xs2a_client.get("/v1/accounts").status_code == 401

    def test_creates_a_payment(xs2a_client):
        assert xs2a_client.post(STRAKS, json={}).status_code == 400
"""
NOTHING = "def test_without(): pass"


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess("-W", "error", "-p", "no:cacheprovider", *arguments)


def operations(result: pytest.RunResult) -> int:
    found = re.search(r"^operations +(\d+) of", result.stdout.str(), re.MULTILINE)
    assert found, result.stdout.str()
    return int(found[1])


@pytest.mark.parametrize("processes", [[], ["-n", "1"], ["-n", "2"]], ids=["here", "one", "two"])
def test_all_tests_of_all_processes_count(pytester: pytest.Pytester, processes: list[str]) -> None:
    pytester.makepyfile(TWO_CALLS)
    result = run(pytester, "--xs2a-coverage", *processes)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*= xs2a coverage =*"])
    assert operations(result) == 2
    assert "createBasket" not in result.stdout.str()


def test_a_run_without_the_option_gets_no_report(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TWO_CALLS)
    result = run(pytester)
    assert (result.ret, "xs2a coverage" in result.stdout.str()) == (0, False)


def test_with_v_what_was_not_seen_is_listed(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TWO_CALLS)
    said = run(pytester, "--xs2a-coverage", "-v").stdout.str()
    for name in ("createSigningBasket", "SIG-07", "Payment RCVD -> PDNG", "Consent valid -> expired"):
        assert name in said
    assert "getAccounts," not in said


@pytest.mark.parametrize("processes", [[], ["-n", "2"]], ids=["here", "two"])
@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (["8"], 0),
        (["8.4"], 1),
        (["operations:8", "transitions:0"], 0),
        (["operations:8", "reasons:50"], 1),
        (["sandboxRoutes:0.1"], 1),
    ],
)
def test_a_run_that_saw_too_little_fails(
    pytester: pytest.Pytester, processes: list[str], wanted: list[str], code: int
) -> None:
    pytester.makepyfile(TWO_CALLS)
    result = run(pytester, *processes, *(f"--xs2a-fail-under={least}" for least in wanted))
    result.assert_outcomes(passed=2)
    assert operations(result) == 2, "2 of 24 are 8.3 %"
    assert (result.ret, "FAIL " in result.stdout.str()) == (code, code == 1)


def test_a_run_that_saw_nothing_fails_too(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(NOTHING)
    assert run(pytester, "--xs2a-fail-under=0").ret == 0
    assert run(pytester, "--xs2a-fail-under=1").ret == 1


@pytest.mark.parametrize(
    "instead",
    ["--collect-only", "--setup-plan", "--setup-only", "--fixtures", "--fixtures-per-test", "--cache-show"],
)
def test_where_no_test_is_run_nothing_is_missing(pytester: pytest.Pytester, instead: str) -> None:
    pytester.makepyfile(TWO_CALLS)
    options = ("-W", "error", "--xs2a-coverage", "--xs2a-fail-under=60", instead)
    result = pytester.runpytest_subprocess(*options)
    assert (result.ret, "xs2a coverage" in result.stdout.str()) == (0, False), result.stdout.str()


def test_how_a_run_failed_otherwise_stays(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("")
    assert run(pytester, "--xs2a-fail-under=1").ret == pytest.ExitCode.NO_TESTS_COLLECTED
    pytester.makepyfile("1 / 0")
    assert run(pytester, "--xs2a-fail-under=1").ret == pytest.ExitCode.INTERRUPTED


@pytest.mark.parametrize("wanted", ["many", "101", "fields:1", "reasons:", "-1"])
def test_a_wrong_wish_is_said_before_anything_runs(pytester: pytest.Pytester, wanted: str) -> None:
    pytester.makepyfile(NOTHING)
    result = run(pytester, f"--xs2a-fail-under={wanted}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--xs2a-fail-under: `{wanted}` is no percentage*"])


def test_a_bank_that_a_test_opened_is_added_by_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import xs2a

        def test_it(xs2a_coverage):
            with xs2a.Sandbox() as bank:
                bank.handle("GET", "/v1/accounts", ())
                xs2a_coverage.add(bank.coverage())
            assert xs2a_coverage.coverage.touched("operations") == 1
        """
    )
    assert operations(run(pytester, "--xs2a-coverage")) == 1
    assert operations(run(pytester, "--xs2a-coverage", "-n", "2")) == 1


def test_the_coverage_so_far_is_readable_during_the_run(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def seen(xs2a_coverage):
            return xs2a_coverage.coverage.touched("operations")

        def test_one(xs2a_coverage, xs2a_client):
            assert seen(xs2a_coverage) == 0
            xs2a_client.get("/v1/accounts")
            assert seen(xs2a_coverage) == 1, "the bank of this test is open"

        def test_two(xs2a_coverage, xs2a_sandbox):
            assert seen(xs2a_coverage) == 1, "and counts when it is gone"
            xs2a_coverage.add(xs2a_sandbox.coverage())
        """
    )
    result = run(pytester, "--xs2a-coverage")
    result.assert_outcomes(passed=2)
    assert operations(result) == 1


def test_a_failed_test_shows_the_journal_of_its_bank(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        STRAKS = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"

        def test_fails(xs2a_client):
            xs2a_client.get("/v1/before")
            for _ in range(9):
                xs2a_client.get("/v1/filling")
            assert xs2a_client.post(STRAKS, json={}).status_code == 201

        def test_passes(xs2a_client):
            xs2a_client.get("/v1/unheard-of")

        def test_closes(xs2a_sandbox):
            xs2a_sandbox.close()
            assert False

        def test_does_nothing(xs2a_sandbox):
            assert False

        def test_without():
            assert False
        """
    )
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=4)
    said = result.stdout.str()
    result.stdout.fnmatch_lines(
        [
            "*- xs2a: the last 10 things done with the bank -*",
            "*POST /v1/payments/* -> 400 *(createPayment, PSDNO*",
        ]
    )
    assert said.count("things done with the bank") == 1
    assert said.count("GET /v1/filling") == 9
    assert "GET /v1/before" not in said
    assert "GET /v1/unheard-of" not in said
    assert "/instructedAmount" in said, "what is wrong with the body"


def test_a_failed_test_shows_the_state_of_its_faults(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_fails(xs2a_sandbox, xs2a_client):
            xs2a_sandbox.faults.add("CONFLICT", operation="getAccounts", nth=2)
            xs2a_sandbox.faults.slow(__import__("datetime").timedelta(seconds=1), operation="getCardAccounts")
            codes = [xs2a_client.get("/v1/accounts").status_code for _ in range(3)]
            assert codes == []

        def test_passes(xs2a_sandbox):
            xs2a_sandbox.faults.add("CONFLICT")
        """
    )
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*fault 1 was set: 409 CONFLICT for getAccounts, match 2 alone",
            "*- xs2a: the faults that are set -*",
            "fault 1: struck 1 of 3 matches",
            "fault 2: struck 0 of 0 matches",
        ]
    )
    assert result.stdout.str().count("the faults that are set") == 1


@pytest.mark.parametrize("processes", [[], ["-n", "1"]], ids=["here", "one"])
def test_a_failed_fixture_shows_the_journal_of_the_bank_too(
    pytester: pytest.Pytester, processes: list[str]
) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def failing_at_first(xs2a_client):
            assert xs2a_client.get("/v1/at-first").status_code == 200

        @pytest.fixture
        def failing_at_last(xs2a_client):
            yield
            assert xs2a_client.get("/v1/at-last").status_code == 200

        def test_does_not_begin(failing_at_first):
            pass

        def test_passes(failing_at_last):
            pass
        """
    )
    result = run(pytester, *processes)
    result.assert_outcomes(passed=1, errors=2)
    said = result.stdout.str()
    assert said.count("things done with the bank") == 2
    assert said.count("GET /v1/at-first -> 404 RTE-02") == said.count("GET /v1/at-last -> 404 RTE-02") == 1


def test_a_journal_is_shown_again_only_if_it_grew(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def failing(xs2a_sandbox):
            xs2a_sandbox.faults.add("CONFLICT")
            yield
            assert False

        @pytest.fixture
        def calling(xs2a_client):
            yield
            assert xs2a_client.get("/v1/more").status_code == 200

        def test_once(xs2a_client, failing):
            assert xs2a_client.get("/v1/once").status_code == 200

        def test_twice(xs2a_client, calling):
            assert xs2a_client.get("/v1/twice").status_code == 200
        """
    )
    result = run(pytester)
    result.assert_outcomes(failed=2, errors=2)
    said = result.stdout.str()
    assert [said.count(f"GET /v1/{path} ->") for path in ("once", "twice", "more")] == [1, 2, 1]
    assert said.count("the faults that are set") == 1


def test_a_bank_of_an_own_fixture_is_shown_too(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest
        import xs2a

        @pytest.fixture
        def xs2a_sandbox(xs2a_prepared):
            with xs2a_prepared.fork() as bank:
                yield bank

        @pytest.fixture
        def failing(xs2a_sandbox):
            xs2a_sandbox.handle("GET", "/v1/own", ())
            assert False

        def test_it(failing):
            pass
        """
    )
    result = run(pytester)
    result.assert_outcomes(errors=1)
    assert result.stdout.str().count("GET /v1/own -> 404") == 1


def test_the_bank_of_a_test_is_closed_when_the_test_is_reported(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest
        import xs2a

        banks = []

        def pytest_runtest_logfinish():
            for bank in banks:
                with pytest.raises(xs2a.MisuseError, match="closed"):
                    bank.clock.now()
            print(len(banks), "closed")

        @pytest.fixture
        def failing(xs2a_sandbox):
            banks.append(xs2a_sandbox)
            yield
            assert False
        """
    )
    pytester.makepyfile("def test_a(failing): pass\ndef test_b(failing): assert False")
    result = run(pytester, "-s")
    result.assert_outcomes(passed=1, failed=1, errors=2)
    result.stdout.fnmatch_lines(["*1 closed", "*2 closed"])
