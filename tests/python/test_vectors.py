"""The vectors that Rust, C and Python share, each held against the pure function it is about."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import xs2a

FOLDER = Path(__file__).parents[1] / "vectors"
PRODUCT = "norwegian-cross-border-credit-transfers"
Vector = dict[str, Any]


def refused(member: str, message: xs2a.TppMessage) -> bool:
    return message.category == "ERROR" and (message.path or "").startswith(member)


def payment_refuses(member: str, body: Vector) -> bool:
    """Whether a payment body earns an error at that member."""
    found = xs2a.validate_payment("payments", PRODUCT, body, at="2026-09-01T10:00:00Z")
    return any(refused(member, message) for message in found)


def parsed(parse: Callable[[str], Any], text: str) -> Any:
    """What a `parse_…` function answers; None for a MisuseError."""
    try:
        return parse(text)
    except xs2a.MisuseError:
        return None


def check_amount(case: Vector) -> None:
    amount = {"amount": case["amount"], "currency": case["currency"]}
    assert payment_refuses("/instructedAmount", {"instructedAmount": amount}) == (
        case["expected"] is not None
    )


def check_country(case: Vector) -> None:
    body = {"creditorAddress": {"townName": "Oslo", "country": case["code"]}}
    assert payment_refuses("/creditorAddress/country", body) != case["expected"]


def check_currency(case: Vector) -> None:
    expected = case["expected"].split("–")[-1]
    assert xs2a.minor_units(case["code"]) == int(expected)


def check_account_number(case: Vector) -> None:
    assert xs2a.account_number_is_valid(case["text"]) == case["expected"]


def check_iban(case: Vector) -> None:
    assert xs2a.iban_is_valid(case["text"]) == case["expected"]


def check_bic(case: Vector) -> None:
    assert xs2a.bic_is_valid(case["text"]) == case["expected"]


def check_kid(case: Vector) -> None:
    assert xs2a.kid_is_valid(case["text"]) == case["expected"]


def check_http_date(case: Vector) -> None:
    expected = case["expected"] and datetime.fromisoformat(case["expected"].replace("Z", "+00:00"))
    assert parsed(xs2a.parse_http_date, case["text"]) == expected


def check_encoded_word(case: Vector) -> None:
    assert parsed(xs2a.decode_encoded_word, case["encoded"]) == case["expected"]


def check_distinguished_name(case: Vector) -> None:
    expected = case["expected"]
    if expected is not None:
        expected = [[(oid, value) for oid, value in rdn] for rdn in expected]
    assert parsed(xs2a.parse_distinguished_name, case["text"]) == expected


def check_signature(case: Vector) -> None:
    found = xs2a.verify_signature(
        case["method"],
        case["target"],
        case["headers"],
        base64.b64decode(case["body"]),
        now=case["now"],
        trust_anchors=case["trust_anchors"],
    )
    assert (found.ok, found.reason) == (case["expected"] is None, case["expected"]), found


CHECKS: dict[str, Callable[[Vector], None]] = {
    "account_numbers": check_account_number,
    "amounts": check_amount,
    "bics": check_bic,
    "countries": check_country,
    "currencies": check_currency,
    "distinguished_names": check_distinguished_name,
    "encoded_words": check_encoded_word,
    "http_dates": check_http_date,
    "ibans": check_iban,
    "kids": check_kid,
    "signatures": check_signature,
}

# Run elsewhere: test_http_messages.py, test_shown_mistakes.py, test_trust.py, test_vector_archive.py.
ELSEWHERE = {"exchanges", "explanations", "format", "http_messages", "trust"}

# What no pure function of this package shows; Rust reads these.
INSIDE_THE_CORE = {"identity_numbers", "oslo_days", "oslo_times"}


def files() -> set[str]:
    return {path.stem for path in FOLDER.glob("*.json")}


def cases() -> list[Any]:
    return [
        pytest.param(name, case, id=f"{name}-{case['id']}")
        for name in sorted(CHECKS.keys() & files())
        for case in json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("name", "case"), cases())
def test_vector(name: str, case: Vector) -> None:
    CHECKS[name](case)


def test_every_file_of_vectors_is_read_or_known_to_be_inside_the_core() -> None:
    assert files() == CHECKS.keys() | ELSEWHERE | INSIDE_THE_CORE
