"""The pure functions, against what other people wrote."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from datetime import datetime, timedelta, timezone
from email.header import Header
from email.utils import format_datetime
from typing import Any

import pytest
import stdnum.bic
import stdnum.iban
import stdnum.luhn
import stdnum.no.kontonr
import xs2a

DIGITS = random.Random(20260901)

# From each status: what it may become.
TRANSITIONS = {
    "RCVD": "PDNG ACTC ACCP ACWC ACSP ACWP ACSC PART RJCT CANC",
    "PDNG": "ACTC ACCP ACWC ACSP ACWP ACSC PART RJCT CANC",
    "ACTC": "PDNG ACCP ACWC ACSP ACWP ACSC PART RJCT CANC",
    "ACCP": "PDNG ACWC ACSP ACWP ACSC PART RJCT CANC",
    "ACWC": "PDNG ACCP ACSP ACWP ACSC RJCT CANC",
    "ACSP": "ACWP ACSC PART RJCT",
    "ACWP": "ACSC RJCT",
    "PART": "ACSC RJCT CANC",
    "ACSC": "",
    "RJCT": "",
    "CANC": "",
}

CROSS_BORDER = "norwegian-cross-border-credit-transfers"
BODY = {
    "instructedAmount": {"amount": "10.00", "currency": "EUR"},
    "creditorName": "Testodius To",
    "creditorAccount": {"iban": "DE89370400440532013000", "currency": "EUR"},
    "creditorAddress": {"country": "DE"},
    "creditorAgent": "COBADEFFXXX",
    "debtorAccount": {"bban": "86011117947", "currency": "NOK"},
}


@pytest.mark.parametrize("body", [b"", b"{}", bytes(range(256)) * 1000])
@pytest.mark.parametrize(("algorithm", "hash_name"), [("SHA-256", "sha256"), ("SHA-512", "sha512")])
def test_digest_agrees_with_hashlib(body: bytes, algorithm: str, hash_name: str) -> None:
    expected = base64.b64encode(hashlib.new(hash_name, body).digest()).decode()
    assert xs2a.digest(body, algorithm) == f"{algorithm}={expected}"
    assert xs2a.digest(memoryview(body)) == xs2a.digest(bytearray(body))


def test_digest_of_a_strided_view_is_that_of_its_bytes() -> None:
    view = memoryview(b"a-b-c-")[::2]
    assert xs2a.digest(view) == xs2a.digest(b"abc")


def test_an_unknown_digest_algorithm_is_misuse() -> None:
    with pytest.raises(xs2a.MisuseError):
        xs2a.digest(b"", "MD5")


def test_the_signing_string_has_a_line_for_each_name_in_order() -> None:
    headers = [("Date", "Tue, 01 Sep 2026 10:00:00 GMT"), ("PSU-ID", "a"), ("psu-id", "b")]
    names = ["psu-id", "date", "(request-target)"]
    assert xs2a.signing_string("POST", "/v1/x?y=Z", headers, names) == (
        "psu-id: a, b\ndate: Tue, 01 Sep 2026 10:00:00 GMT\n(request-target): post /v1/x?y=Z"
    )


def test_a_name_the_request_lacks_is_misuse() -> None:
    with pytest.raises(xs2a.MisuseError):
        xs2a.signing_string("GET", "/", {}, ["date"])
    with pytest.raises(xs2a.MisuseError):
        xs2a.signing_string("GET", "/", {"date": "x"}, ["date", "date"])


def test_names_are_several_texts_not_one() -> None:
    with pytest.raises(TypeError):
        xs2a.signing_string("GET", "/", {"date": "x"}, "date")


def test_an_unsigned_request_does_not_verify() -> None:
    found = xs2a.verify_signature("GET", "/v1/x", {}, b"", now="2026-09-01T10:00:00Z")
    assert not found.ok
    assert found.reason
    assert found.certificate is None


def test_verify_signature_needs_a_time() -> None:
    with pytest.raises(TypeError, match="now"):
        xs2a.verify_signature("GET", "/", {}, b"")  # type: ignore[call-arg]


def test_anchors_that_cannot_be_read_are_a_config_error(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    headers = tpp.sign("GET", "/v1/x")
    with pytest.raises(xs2a.ConfigError):
        xs2a.verify_signature("GET", "/v1/x", headers, b"", now=sandbox.clock.now(), trust_anchors="none")


def test_a_payment_body_is_bytes_text_or_a_dict() -> None:
    at = "2026-08-01T10:00:00Z"
    forms: list[Any] = [
        BODY,
        json.dumps(BODY),
        json.dumps(BODY).encode(),
        bytearray(json.dumps(BODY).encode()),
    ]
    found = [xs2a.validate_payment("payments", CROSS_BORDER, form, at=at) for form in forms]
    assert all(messages == found[0] for messages in found)


def test_all_faults_come_at_once_with_their_paths() -> None:
    body = {**BODY, "instructedAmount": {"amount": "10", "currency": "EUR"}, "creditorName": 7}
    found = xs2a.validate_payment("payments", CROSS_BORDER, body, at="2026-08-01T10:00:00Z")
    paths = {message.path for message in found if message.category == "ERROR"}
    assert paths == {"/instructedAmount/amount", "/creditorName"}
    assert {message.code for message in found if message.category == "ERROR"} == {"FORMAT_ERROR"}


@pytest.mark.parametrize(("environment", "first"), [("sandbox", "2026-08-13"), ("production", "2026-11-15")])
def test_structured_addresses_are_in_force_from_midnight_in_oslo(environment: str, first: str) -> None:
    def errors(at: datetime) -> list[xs2a.TppMessage]:
        found = xs2a.validate_payment(
            "payments",
            CROSS_BORDER,
            BODY,
            at=at,
            environment=environment,  # type: ignore[arg-type]
        )
        return [message for message in found if message.category == "ERROR"]

    offset = "+02:00" if environment == "sandbox" else "+01:00"
    midnight = datetime.fromisoformat(f"{first}T00:00:00{offset}")
    assert errors(midnight - timedelta(seconds=1)) == []
    assert [message.path for message in errors(midnight)] == ["/creditorAddress/townName"]


@pytest.mark.parametrize(
    ("beyond", "within"),
    [
        ("0001-01-01T00:00:00+00:01", "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59Z"),
    ],
)
def test_a_time_no_clock_shows_is_refused_as_a_text_too(beyond: str, within: str) -> None:
    with pytest.raises(xs2a.MisuseError, match="1 to 9999"):
        xs2a.validate_payment("payments", CROSS_BORDER, BODY, at=beyond)
    assert isinstance(xs2a.validate_payment("payments", CROSS_BORDER, BODY, at=within), list)


def test_structured_addresses_can_be_asked_for_early() -> None:
    def is_refused(fixes: list[str]) -> bool:
        found = xs2a.validate_payment(
            "payments", CROSS_BORDER, BODY, at="2026-08-01T10:00:00Z", accept_fix=fixes
        )
        return any(message.category == "ERROR" for message in found)

    assert not is_refused([])
    assert is_refused(["structured-addresses"])


DOMESTIC = "norwegian-domestic-credit-transfers"
TRANSFER = {"/instructedAmount", "/creditorName", "/creditorAccount", "/creditorAddress", "/debtorAccount"}


@pytest.mark.parametrize(
    ("service", "product", "required"),
    [
        ("payments", DOMESTIC, TRANSFER),
        ("payments", "instant-norwegian-domestic-credit-transfers", TRANSFER),
        ("payments", "instant-norwegian-domestic-credit-transfers-straks", TRANSFER),
        ("payments", "sepa-credit-transfers", TRANSFER - {"/creditorAddress"}),
        ("payments", "cross-border-credit-transfers", TRANSFER | {"/creditorAgent"}),
        ("payments", CROSS_BORDER, TRANSFER | {"/creditorAgent"}),
        ("periodic-payments", DOMESTIC, TRANSFER | {"/startDate", "/frequency"}),
        ("bulk-payments", DOMESTIC, {"/debtorAccount", "/payments"}),
    ],
)
def test_an_empty_body_is_refused_with_all_required_members(
    service: str, product: str, required: set[str]
) -> None:
    found = xs2a.validate_payment(service, product, {}, at="2026-08-01T10:00:00Z")
    missing = {message.path for message in found if message.category == "ERROR"}
    assert missing == required
    assert {message.code for message in found if message.category == "ERROR"} == {"FORMAT_ERROR"}


def test_a_product_under_another_service_is_named() -> None:
    found = xs2a.validate_payment("bulk-payments", "sepa-credit-transfers", {})
    assert [(message.category, message.code) for message in found] == [("ERROR", "PRODUCT_INVALID")]


def test_faults_of_a_bulk_are_named_with_their_payment() -> None:
    entry = {
        "instructedAmount": {"amount": "1.00", "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
        "creditorAddress": {"country": "NO"},
    }
    faulty = {**entry, "creditorName": ""}
    bulk = {
        "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
        "payments": [*[entry] * 17, faulty, *[entry] * 982],
    }
    found = xs2a.validate_payment("bulk-payments", DOMESTIC, bulk)
    assert [message.path for message in found] == ["/payments/17/creditorName"]
    bulk["payments"] = [entry] * 1001
    found = xs2a.validate_payment("bulk-payments", DOMESTIC, bulk)
    assert [message.path for message in found] == ["/payments"]


def test_a_date_too_far_ahead_has_a_code_of_its_own() -> None:
    def found(at: str) -> list[tuple[str | None, str]]:
        body = {
            "instructedAmount": {"amount": "1.00", "currency": "NOK"},
            "creditorName": "Testodius To",
            "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
            "creditorAddress": {"country": "NO"},
            "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
            "requestedExecutionDate": "2027-09-01",
        }
        messages = xs2a.validate_payment("payments", DOMESTIC, body, at=at)
        return [(message.path, message.code) for message in messages]

    assert found("2026-09-01T10:00:00Z") == []
    assert found("2026-08-31T10:00:00Z") == [("/requestedExecutionDate", "EXECUTION_DATE_INVALID")]


def test_an_environment_is_sandbox_or_production() -> None:
    with pytest.raises(xs2a.MisuseError):
        xs2a.validate_payment("payments", CROSS_BORDER, BODY, environment="test")  # type: ignore[arg-type]


def test_payment_transitions_are_the_documented_ones() -> None:
    found = xs2a.payment_transitions()
    assert {state: set(targets) for state, targets in found.items()} == {
        state: set(targets.split()) for state, targets in TRANSITIONS.items()
    }


@pytest.mark.parametrize(
    ("payments", "basket"),
    [
        (["RCVD"], "RCVD"),
        (["RCVD", "RCVD"], "RCVD"),
        (("PDNG", "ACSC", "PART"), "ACTC"),
        (["RCVD", "PDNG"], "PATC"),
        (["RCVD", "PDNG", "CANC"], "RJCT"),
        (["RJCT"], "RJCT"),
    ],
)
def test_a_basket_has_the_worst_status_of_its_payments(payments: list[str], basket: str) -> None:
    assert xs2a.basket_status(payments) == basket


@pytest.mark.parametrize("payments", [[], ["rcvd"], ["RCVD", "PATC"], [""]])
def test_a_basket_of_nothing_or_of_no_statuses_is_misuse(payments: list[str]) -> None:
    with pytest.raises(xs2a.MisuseError):
        xs2a.basket_status(payments)


def test_statuses_of_a_basket_are_a_list_and_not_one_text() -> None:
    with pytest.raises(TypeError):
        xs2a.basket_status("RCVD")


@pytest.mark.parametrize(("currency", "digits"), [("NOK", 2), ("JPY", 0), ("KWD", 3), ("GGP", 2)])
def test_minor_units_are_those_of_iso_4217(currency: str, digits: int) -> None:
    assert xs2a.minor_units(currency) == digits


@pytest.mark.parametrize("currency", ["", "nok", "XXX", "NOKK"])
def test_a_currency_the_contract_does_not_list_is_misuse(currency: str) -> None:
    with pytest.raises(xs2a.MisuseError):
        xs2a.minor_units(currency)


def test_account_numbers_agree_with_stdnum() -> None:
    for _ in range(2000):
        text = f"{DIGITS.randrange(10**10, 10**11)}"
        assert xs2a.account_number_is_valid(text) == stdnum.no.kontonr.is_valid(text), text


def test_ibans_agree_with_stdnum() -> None:
    for _ in range(500):
        text = f"NO{DIGITS.randrange(2, 99):02}{DIGITS.randrange(10**10, 10**11)}"
        assert xs2a.iban_is_valid(text) == stdnum.iban.is_valid(text, check_country=False), text


@pytest.mark.parametrize("text", ["DNBANOKK", "DNBANOKKXXX", "DNBANOK", "dnbanokk", "DNBANOKKXX", "DNBANO0K"])
def test_bics_agree_with_the_expression(text: str) -> None:
    assert xs2a.bic_is_valid(text) == (stdnum.bic.is_valid(text) and text.isupper() and text[6] not in "01")


def test_a_luhn_number_is_a_kid() -> None:
    for _ in range(200):
        digits = f"{DIGITS.randrange(10**5, 10**12)}"
        assert xs2a.kid_is_valid(digits + stdnum.luhn.calc_check_digit(digits))


@pytest.mark.parametrize("text", ["", "1", "2345677", "1" * 26, "23 45 676", "x"])
def test_what_is_no_kid(text: str) -> None:
    assert not xs2a.kid_is_valid(text)


def test_http_dates_agree_with_the_standard_library() -> None:
    for _ in range(200):
        moment = datetime.fromtimestamp(DIGITS.randrange(4_000_000_000), timezone.utc)
        assert xs2a.parse_http_date(format_datetime(moment, usegmt=True)) == moment


@pytest.mark.parametrize("text", ['keyId="SN=1F,CA=CN=Ærlig Ås"', "x" * 400, "plain"])
def test_encoded_words_agree_with_the_standard_library(text: str) -> None:
    assert xs2a.decode_encoded_word(Header(text, "utf-8", maxlinelen=10**6).encode()) == text


def test_text_that_is_no_encoded_word_stays_as_it_is() -> None:
    assert xs2a.decode_encoded_word("plain") == "plain"


def test_a_distinguished_name_is_a_list_of_lists_of_pairs() -> None:
    assert xs2a.parse_distinguished_name("CN=A+OU=B,2.5.4.97=C") == [
        [("2.5.4.3", "A"), ("2.5.4.11", "B")],
        [("2.5.4.97", "C")],
    ]
