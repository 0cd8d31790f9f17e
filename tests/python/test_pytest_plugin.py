"""The pytest plugin, in test runs of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "python" / "test_payment.py"
STATUS = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks/no-such-payment/status"


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """A run in a process of its own, as a user has it: the plugin is found by its entry point."""
    return pytester.runpytest_subprocess("-W", "error", "-p", "no:cacheprovider", *arguments)


@pytest.mark.parametrize("arguments", [[], ["-n", "2"], ["-p", "no:randomly", "-x"]], ids=["one", "two", "x"])
def test_the_payment_of_a_newcomer_passes(pytester: pytest.Pytester, arguments: list[str]) -> None:
    pytester.makepyfile(EXAMPLE.read_text())
    run(pytester, *arguments).assert_outcomes(passed=1)


def test_it_passes_without_httpx_too(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("import sys\nsys.modules['httpx'] = None")
    pytester.makepyfile(
        EXAMPLE.read_text()
        + "\n\ndef test_whose_client_it_is(xs2a_client):\n"
        + "    assert type(xs2a_client).__module__ == 'xs2a.client'\n"
    )
    run(pytester).assert_outcomes(passed=2)


def test_each_test_has_a_bank_of_its_own_and_one_is_opened_in_a_session(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest
        import xs2a

        opened = []

        @pytest.fixture(scope="session")
        def xs2a_prepared(xs2a_options):
            opened.append(1)
            with xs2a.Sandbox(**xs2a_options) as prepared:
                yield prepared

        @pytest.fixture
        def openings():
            return len(opened)
        """
    )
    pytester.makepyfile(
        """
        import datetime
        import pytest

        @pytest.mark.parametrize("number", range(10))
        def test_spends_everything(xs2a_sandbox, xs2a_client, xs2a_clock, xs2a_tpp, openings, number):
            before = xs2a_sandbox.ledger("95360573002")["balance"]["amount"]
            body = {
                "instructedAmount": {"amount": before, "currency": "NOK"},
                "creditorName": "Testine Test",
                "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
                "creditorAddress": {"townName": "Oslo", "country": "NO"},
                "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
            }
            straks = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
            created = xs2a_client.post(straks, json=body).json()
            xs2a_sandbox.authorise(created["_links"]["scaRedirect"]["href"])
            assert before == "100000.00"
            assert xs2a_sandbox.ledger("95360573002")["balance"]["amount"] == "0.00"
            assert openings == 1

            # One clock for the bank, its TPP and its client, also after it was moved.
            assert xs2a_clock.now().isoformat() == "2026-09-01T10:00:00+00:00"
            xs2a_clock.advance(datetime.timedelta(days=number))
            status = xs2a_client.get(f"{straks}/{created['paymentId']}/status")
            assert status.json()["transactionStatus"] == "ACSC"
        """
    )
    run(pytester).assert_outcomes(passed=10)
    run(pytester, "-n", "2").assert_outcomes(passed=10)


def test_the_tpp_of_a_test_uses_the_prepared_bank_and_its_clock(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(
        f"""
        def test_it(xs2a_sandbox, xs2a_tpp, xs2a_clock, xs2a_prepared, xs2a_registered):
            assert xs2a_tpp.roles == ("AISP", "PISP")
            assert xs2a_tpp.certificate_pem == xs2a_registered.certificate_pem
            xs2a_clock.set("2026-10-01T10:00:00Z")
            redirect = {{"TPP-Redirect-URI": "https://tpp.example/callback"}}
            signed = xs2a_tpp.sign("GET", "{STATUS}", redirect)
            assert xs2a_sandbox.handle("GET", "{STATUS}", signed).status == 404
            assert xs2a_prepared.handle("GET", "{STATUS}", signed).reason == "DAT-02"
        """
    )
    run(pytester).assert_outcomes(passed=1)


def test_the_report_of_a_failed_test_shows_the_links_of_answers(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from urllib.parse import parse_qs, urlsplit

        PAYMENT = {
            "instructedAmount": {"amount": "1.00", "currency": "NOK"},
            "creditorName": "Testine Test",
            "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
            "creditorAddress": {"townName": "Oslo", "country": "NO"},
            "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
        }
        STRAKS = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"

        def test_of_an_aisp_and_pisp(xs2a_sandbox, xs2a_client):
            consent = xs2a_client.post("/v1/bank-offered-consents").json()
            url = xs2a_sandbox.authorise(consent["_links"]["scaRedirect"]["href"])
            psu_id = parse_qs(urlsplit(url).query)["psu-id"][0]
            created = xs2a_client.post(STRAKS, json=PAYMENT, headers={"PSU-ID": psu_id})
            xs2a_sandbox.authorise(created.json()["_links"]["scaRedirect"]["href"])
        """
    )
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.re_match_lines(
        [
            r".*KeyError: 'scaRedirect'",
            r".* POST /v1/bank-offered-consents .*201.*",
            r"\s+scaRedirect: https://sca\.bank\.example/sca/enc!!.+",
            r".* POST /v1/payments/.* 201.*",
            r"\s+self: /v1/payments/.+/enc!!.+",
            r"\s+startAuthorisation: /v1/payments/.+/enc!!.+/authorisations",
            r"\s+status: /v1/payments/.+/enc!!.+/status",
        ]
    )


def test_the_ini_file_sets_the_bank(pytester: pytest.Pytester) -> None:
    pytester.makeini(
        """
        [pytest]
        xs2a_now = 2026-03-02T08:00:00+01:00
        xs2a_seed = 7
        xs2a_base_path = /api-sandbox
        xs2a_policy = {"body_bytes_max": 100}
        """
    )
    pytester.makepyfile(
        f"""
        import xs2a

        def test_it(xs2a_sandbox, xs2a_tpp, xs2a_clock, xs2a_client):
            assert xs2a_clock.now().isoformat() == "2026-03-02T07:00:00+00:00"
            assert (xs2a_sandbox.base_path, xs2a_sandbox.body_bytes_max) == ("/api-sandbox", 100)
            assert xs2a_client.get("{STATUS}").json()["tppMessages"][0]["code"] == "RESOURCE_UNKNOWN"
            with xs2a.Sandbox(now="2026-03-02T07:00:00Z", seed=7) as same:
                assert same.register_tpp("Acme Pay").certificate_pem == xs2a_tpp.certificate_pem
        """
    )
    run(pytester).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("xs2a_seed = seven", "xs2a_seed: `seven` is not a whole number"),
        ("xs2a_policy = {", "xs2a_policy is not JSON"),
        ("xs2a_policy = []", "xs2a_policy is not a JSON object"),
        ("xs2a_policy = {\"no_such_policy\": 1}", "no_such_policy"),
        ("xs2a_now = noon", "noon"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_said_where_the_bank_is_used(
    pytester: pytest.Pytester, setting: str, said: str
) -> None:
    pytester.makeini(f"[pytest]\n{setting}\n")
    pytester.makepyfile("def test_it(xs2a_sandbox): pass\ndef test_without(): pass")
    result = run(pytester)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines([f"*{said.replace('[', '[[]')}*"])


def test_fixtures_are_overridden_in_a_conftest(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest

        @pytest.fixture(scope="session")
        def xs2a_options(xs2a_options):
            return {**xs2a_options, "policy": {"require_session_headers": False}}

        @pytest.fixture
        def xs2a_headers(xs2a_headers):
            return {**xs2a_headers, "Accept-Language": "nb", "PSU-Context": "CORPORATE"}

        @pytest.fixture(scope="session")
        def xs2a_registered(xs2a_prepared):
            return xs2a_prepared.register_tpp("Acme Read", roles=["AISP"])
        """
    )
    pytester.makepyfile(
        f"""
        def test_it(xs2a_client):
            answer = xs2a_client.get("{STATUS}")
            assert (answer.status_code, answer.headers["content-language"]) == (403, "nb")
            assert answer.extensions["xs2a_reason"] == "TPP-02"
        """
    )
    run(pytester).assert_outcomes(passed=1)


def test_the_fixtures_are_listed_with_what_they_are(pytester: pytest.Pytester) -> None:
    listed = run(pytester, "--fixtures").stdout.str()
    for name in ("options", "prepared", "registered", "sandbox", "clock", "tpp", "headers", "client"):
        assert f"xs2a_{name}" in listed
    assert "no docstring available" not in listed[listed.index("xs2a_options") :].split("\n\n")[0]


def test_a_run_that_has_no_use_for_a_bank_opens_none(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_it(request):
            assert not any(name.startswith("xs2a") for name in request.fixturenames)
        """
    )
    run(pytester).assert_outcomes(passed=1)
