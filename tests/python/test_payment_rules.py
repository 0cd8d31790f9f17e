"""Rules of the body of a payment that are about money: whose it is, and whether it is exchanged."""

from __future__ import annotations

from typing import Any

import pytest
import xs2a

DOMESTIC = "norwegian-domestic-credit-transfers"
INSTANT = f"instant-{DOMESTIC}"
DEBTOR = {"bban": "95360573002", "currency": "NOK"}
ONE = {
    "instructedAmount": {"amount": "1.00", "currency": "NOK"},
    "creditorName": "Testodius To",
    "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
    "creditorAddress": {"country": "NO"},
}


def found_in(service: str, body: dict[str, Any], product: str = DOMESTIC) -> list[tuple[str, str | None]]:
    found = xs2a.validate_payment(service, product, body, at="2026-09-01T10:00:00Z")
    return [(message.category, message.path) for message in found]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("debtorAccount", DEBTOR, "WARNING"),
        ("debtorAccount", {"iban": "NO09 9536 0573 002", "currency": "NOK"}, "WARNING"),
        ("debtorAccount", {**DEBTOR, "bban": "95360573010"}, "ERROR"),
        ("debtorAccount", {**DEBTOR, "currency": "EUR"}, "ERROR"),
        ("debtorAccount", {"iban": "NO8795360573010", "currency": "NOK"}, "ERROR"),
        ("debtorAccount", {}, "ERROR"),
        ("requestedExecutionDate", "2026-09-01", "WARNING"),
        ("requestedExecutionDate", "2026-09-02", "ERROR"),
        ("payments", [ONE], "ERROR"),
        ("paymentInformationId", "X", "WARNING"),
    ],
)
def test_a_payment_of_a_bulk_pays_from_no_account_or_day_of_its_own(
    name: str, value: object, expected: str
) -> None:
    bulk = {"debtorAccount": DEBTOR, "payments": [ONE, {**ONE, name: value}]}
    assert found_in("bulk-payments", bulk) == [(expected, f"/payments/1/{name}")]


def test_money_where_a_body_has_none_is_an_error_at_its_place() -> None:
    bulk = {"debtorAccount": DEBTOR, "payments": [ONE]}
    for name in ("instructedAmount", "creditorAccount"):
        assert found_in("bulk-payments", {**bulk, name: ONE[name]}) == [("ERROR", f"/{name}")]
    assert found_in("bulk-payments", {**bulk, "creditorName": "N"}) == [("WARNING", "/creditorName")]
    assert found_in("payments", {**ONE, "debtorAccount": DEBTOR, "payments": [ONE]}) == [
        ("ERROR", "/payments")
    ]


PERIODIC = {"startDate": "2026-09-01", "frequency": "Monthly"}


@pytest.mark.parametrize(
    "currencies",
    [
        ("EUR", "NOK", "NOK"),
        ("NOK", "EUR", "NOK"),
        ("NOK", "NOK", "EUR"),
        ("EUR", "NOK", "EUR"),
        ("EUR", "EUR", "NOK"),
        ("EUR", "EUR", "EUR"),
        ("SEK", "EUR", "NOK"),
        ("NOK", "NOK", "NOK"),
    ],
)
@pytest.mark.parametrize(
    ("service", "product", "more"),
    [
        ("payments", DOMESTIC, {}),
        ("payments", INSTANT, {}),
        ("payments", f"{INSTANT}-straks", {}),
        ("periodic-payments", DOMESTIC, PERIODIC),
    ],
)
def test_a_town_is_needed_where_money_is_exchanged(
    currencies: tuple[str, str, str], service: str, product: str, more: dict[str, str]
) -> None:
    amount, debtor, creditor = currencies
    body = {
        **ONE,
        **more,
        "instructedAmount": {"amount": "5.00", "currency": amount},
        "creditorAccount": {"bban": "95360573037", "currency": creditor},
        "debtorAccount": {**DEBTOR, "currency": debtor},
    }
    expected = [] if len(set(currencies)) == 1 else [("ERROR", "/creditorAddress/townName")]
    assert found_in(service, body, product) == expected
    # From midnight in Oslo of the day on.
    for at, category in (("2026-08-12T21:59:59Z", "WARNING"), ("2026-08-12T22:00:00Z", "ERROR")):
        found = xs2a.validate_payment(service, product, body, at=at)
        assert [message.category for message in found] == [category] * len(expected)


@pytest.mark.parametrize(
    ("entry", "debtor", "expected"),
    [("NOK", "NOK", []), ("EUR", "NOK", ["/payments/1/creditorAddress/townName"])],
)
def test_a_payment_of_a_bulk_needs_a_town_where_money_is_exchanged(
    entry: str, debtor: str, expected: list[str]
) -> None:
    other = {**ONE, "creditorAccount": {"bban": "95360573037", "currency": entry}}
    bulk = {"debtorAccount": {**DEBTOR, "currency": debtor}, "payments": [ONE, other]}
    assert [path for _, path in found_in("bulk-payments", bulk)] == expected
