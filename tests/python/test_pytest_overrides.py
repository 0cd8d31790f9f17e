"""The pytest plugin: a module or folder that overrides a session fixture has its own bank, others theirs."""

from __future__ import annotations

import itertools

import pytest

pytest_plugins = ["pytester"]

# Each calls another operation.
DEFAULT = """
    def test_default(xs2a_client, xs2a_sandbox, xs2a_tpp):
        assert xs2a_client.get("/v1/accounts").status_code == 401
        assert (xs2a_sandbox.clock.now().month, xs2a_tpp.organisation_id) == (9, "PSDNO-FSA-000001")

    def test_default_again(xs2a_sandbox, xs2a_tpp):
        assert (xs2a_sandbox.clock.now().month, xs2a_tpp.organisation_id) == (9, "PSDNO-FSA-000001")
"""
OWN_BANK = """
    import pytest
    import xs2a

    @pytest.fixture(scope="session")
    def xs2a_prepared(xs2a_options):
        with xs2a.Sandbox(**xs2a_options) as bank:
            bank.register_tpp("Loader", roles=[])
            yield bank

    def test_own_bank(xs2a_client, xs2a_tpp):
        assert xs2a_client.get("/v1/card-accounts").status_code == 401
        assert (xs2a_tpp.name, xs2a_tpp.organisation_id) == ("Acme Pay", "PSDNO-FSA-000002")
"""
OWN_OPTIONS = """
    import pytest

    @pytest.fixture(scope="session")
    def xs2a_options(xs2a_options):
        return {**xs2a_options, "now": "2026-07-01T10:00:00Z"}

    def test_own_options(xs2a_client, xs2a_clock):
        assert xs2a_client.get("/v1/user").status_code == 200
        assert xs2a_clock.now().month == 7
"""
OWN_TPP = """
    import pytest

    @pytest.fixture(scope="session")
    def xs2a_registered(xs2a_prepared):
        return xs2a_prepared.register_tpp("Acme Read", roles=["AISP"])

    def test_own_tpp(xs2a_client, xs2a_tpp):
        assert xs2a_client.get("/v1/agreements").status_code >= 400
        assert (xs2a_tpp.name, xs2a_tpp.organisation_id) == ("Acme Read", "PSDNO-FSA-000001")
"""
MODULES = {"test_a": DEFAULT, "test_b": OWN_BANK, "test_c": OWN_OPTIONS, "test_d": OWN_TPP}


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess("-W", "error", "-p", "no:cacheprovider", *arguments)


@pytest.mark.parametrize("order", list(itertools.permutations("abcd")), ids="".join)
def test_in_any_order_each_module_has_its_own_bank(pytester: pytest.Pytester, order: tuple[str, ...]) -> None:
    pytester.makepyfile(**MODULES)
    result = pytester.runpytest_inprocess(
        "-p", "no:cacheprovider", "--xs2a-coverage", *(f"test_{name}.py" for name in order)
    )
    result.assert_outcomes(passed=5)
    result.stdout.fnmatch_lines(["operations *4 of*"])


@pytest.mark.parametrize("processes", ["1", "2", "3"])
def test_in_several_processes_too_and_what_every_bank_has_seen_counts(
    pytester: pytest.Pytester, processes: str
) -> None:
    pytester.makepyfile(**MODULES)
    result = run(pytester, "-n", processes, "--xs2a-coverage")
    result.assert_outcomes(passed=5)
    result.stdout.fnmatch_lines(["operations *4 of*"])


def test_tests_of_several_modules_may_take_turns(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(**MODULES)
    turns = ("a.py::test_default", "b.py", "a.py::test_default_again", "d.py", "c.py")
    run(pytester, *(f"test_{turn}" for turn in turns)).assert_outcomes(passed=5)


def test_a_folders_override_reaches_the_bank_of_a_conftest_above(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeconftest(
        """
        import pytest
        import xs2a

        @pytest.fixture(scope="session")
        def xs2a_prepared(xs2a_options):
            with xs2a.Sandbox(**xs2a_options) as bank:
                yield bank

        @pytest.fixture(scope="session")
        def month(xs2a_prepared):
            return xs2a_prepared.clock.now().month
        """
    )
    july = pytester.mkpydir("july")
    (july / "conftest.py").write_text(
        "import pytest\n"
        "@pytest.fixture(scope='session')\n"
        "def xs2a_options(xs2a_options): return {**xs2a_options, 'now': '2026-07-01T10:00:00Z'}\n"
    )
    for folder, month in ((pytester.path, 9), (july, 7)):
        for name in ("one", "two"):
            (folder / f"test_{month}_{name}.py").write_text(
                f"def test_it(month, xs2a_clock):\n"
                f"    assert (month, xs2a_clock.now().month) == ({month}, {month})\n"
                f"def test_asking_late(request):\n"
                f"    assert request.getfixturevalue('xs2a_clock').now().month == {month}\n"
            )
    run(pytester).assert_outcomes(passed=8)
    run(pytester, "test_9_one.py", "july", "test_9_two.py").assert_outcomes(passed=8)


def test_a_bank_that_cannot_be_opened_fails_only_its_module(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(**{**MODULES, "test_c": OWN_OPTIONS.replace("2026-07-01", "noon")})
    for order in ("abcd", "cabd", "dcba"):
        run(pytester, *(f"test_{name}.py" for name in order)).assert_outcomes(passed=4, errors=1)


def test_a_bank_that_cannot_be_taken_down_is_the_trouble_of_its_own_module(pytester: pytest.Pytester) -> None:
    failing = OWN_BANK.replace("yield bank", "yield bank\n        1 / 0")
    pytester.makepyfile(**{**MODULES, "test_b": failing})
    result = run(pytester)
    result.assert_outcomes(passed=5, errors=1)
    result.stdout.fnmatch_lines(["ERROR test_b.py::test_own_bank - ZeroDivisionError: *"])


def test_a_test_whose_own_end_fails_leaves_its_bank_to_no_other_module(pytester: pytest.Pytester) -> None:
    failing = DEFAULT + "\n    @pytest.fixture\n    def failing():\n        yield\n        1 / 0\n"
    failing = "    import pytest\n" + failing + "\n    def test_last(xs2a_sandbox, failing): pass\n"
    pytester.makepyfile(**{**MODULES, "test_a": failing})
    run(pytester).assert_outcomes(passed=6, errors=1)


def test_a_bank_is_closed_once_its_module_is_done(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest
        import xs2a

        open_now = []

        @pytest.fixture(scope="session")
        def xs2a_prepared(xs2a_options):
            with xs2a.Sandbox(**xs2a_options) as bank:
                open_now.append(bank)
                yield bank
                open_now.remove(bank)

        @pytest.fixture
        def banks():
            return open_now
        """
    )
    at_most_one = "\n    def test_banks(xs2a_sandbox, banks): assert len(banks) == 1\n"
    pytester.makepyfile(test_a=DEFAULT + at_most_one, test_c=OWN_OPTIONS + at_most_one)
    run(pytester).assert_outcomes(passed=5)
