"""docs/bank.schema.json, read by the package jsonschema, says of a bank's answer what an engine says."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import xs2a
from jsonschema import Draft202012Validator

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/bank.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
EXCHANGES: list[dict[str, Any]] = json.loads((ROOT / "docs/bank_exchanges.json").read_text(encoding="utf-8"))
METHODS = SCHEMA["properties"]["method"]["enum"]


def engine_takes(exchange: dict[str, Any]) -> bool:
    try:
        xs2a.check_bank_answer(exchange["method"], exchange["question"], exchange["answer"])
    except xs2a.BankError:
        return False
    return True


def test_the_schema_is_one_and_every_method_is_recorded_with_an_answer() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    answered = {exchange["method"] for exchange in EXCHANGES if exchange["answer"] is not None}
    assert answered == set(METHODS) - {"requires_sca"}


@pytest.mark.parametrize("method", METHODS)
def test_every_recorded_question_and_answer_is_taken(method: str) -> None:
    for exchange in EXCHANGES:
        if exchange["method"] == method:
            faults = [f"{fault.json_path}: {fault.message}" for fault in VALIDATOR.iter_errors(exchange)]
            assert faults == [], exchange
            assert engine_takes(exchange), exchange


def refused_by_both(exchange: dict[str, Any]) -> bool:
    return not VALIDATOR.is_valid(exchange) and not engine_takes(exchange)


def first(method: str) -> dict[str, Any]:
    found = (one for one in EXCHANGES if one["method"] == method and one["answer"] is not None)
    return copy.deepcopy(next(found))


@pytest.mark.parametrize("method", [method for method in METHODS if method != "requires_sca"])
def test_an_answer_without_a_required_or_with_another_member_is_refused(method: str) -> None:
    definition = SCHEMA["$defs"][f"{method}_answer"]
    for required in (definition if "required" in definition else definition["anyOf"][0])["required"]:
        exchange = first(method)
        del exchange["answer"][required]
        assert refused_by_both(exchange), required
    exchange = first(method)
    exchange["answer"]["surprise"] = 1
    assert refused_by_both(exchange)
    others: tuple[object, ...] = ([], "text", 7)
    for wrong in others:
        assert refused_by_both({**first(method), "answer": wrong})
    may_be_null = "anyOf" in definition
    exchange = {**first(method), "answer": None}
    assert (VALIDATOR.is_valid(exchange), engine_takes(exchange)) == (may_be_null, may_be_null)


NOK = {"amount": "1.00", "currency": "NOK"}
ANSWERS = [
    ("requires_sca", {"demand": "exempt"}, True),
    ("requires_sca", {"demand": "asRuled"}, True),
    ("requires_sca", {"demand": "Exempt"}, False),
    ("requires_sca", {}, False),
    ("psu", {"person": "k"}, True),
    ("psu", {"person": "k" * 256}, True),
    ("psu", {"person": "k" * 257}, False),
    ("psu", {"person": ""}, False),
    ("psu", {"person": "k\0"}, False),
    ("psu", {"person": None}, False),
    ("fee", {"fee": NOK}, True),
    ("fee", {"fee": {**NOK, "amount": "-1.00"}}, False),
    ("fee", {"fee": {**NOK, "amount": "-0.00"}}, True),
    ("fee", {"fee": {**NOK, "amount": 1}}, False),
    ("fee", {"fee": {**NOK, "amount": "01.00"}}, False),
    ("fee", {"fee": {**NOK, "currency": "nok"}}, False),
    ("fee", {"fee": {"amount": "1.00"}}, False),
    ("fee", {"fee": {**NOK, "more": 1}}, False),
    ("fee", {"fee": {**NOK, "amount": "9" * 18 + ".00"}}, True),
    ("fee", {"fee": {**NOK, "amount": "9" * 19 + ".00"}}, False),
    ("agreements", {"agreements": [{"corporate": "c", "name": "n" * 140, "owner": "o"}]}, True),
    ("agreements", {"agreements": [{"corporate": "c", "name": "n" * 141, "owner": "o"}]}, False),
    ("balances", {"balances": [{"balanceType": "expected", "balanceAmount": NOK}]}, True),
    ("balances", {"balances": [{"balanceType": "closing", "balanceAmount": NOK}]}, False),
    ("balances", {"balances": {}}, False),
    ("booked", {"transactions": [], "total": 0}, True),
    ("booked", {"transactions": [], "total": -1}, False),
    ("booked", {"transactions": [], "total": "0"}, False),
    ("pending", {"transactions": [{"transactionAmount": NOK, "bankTransactionCode": "PMNT"}]}, True),
    ("pending", {"transactions": [{"transactionAmount": NOK, "bankTransactionCode": "PMN"}]}, False),
    ("pending", {"transactions": [{"transactionAmount": NOK, "creditor": {"agent": "DNBANOKK"}}]}, True),
    ("pending", {"transactions": [{"transactionAmount": NOK, "creditor": {"agent": "DNB"}}]}, False),
    ("pending", {"transactions": [{"transactionAmount": NOK, "bookingDate": "2026-09-01"}]}, True),
    ("pending", {"transactions": [{"transactionAmount": NOK, "bookingDate": "1.9.2026"}]}, False),
    ("card_pending", {"transactions": [{"transactionAmount": NOK, "maskedPan": "1" * 12 + "*"}]}, True),
    ("card_pending", {"transactions": [{"transactionAmount": NOK, "maskedPan": "1" * 13}]}, False),
    ("card_pending", {"transactions": [{"transactionAmount": NOK, "invoiced": None}]}, True),
    ("card_pending", {"transactions": [{"transactionAmount": NOK, "invoiced": "yes"}]}, False),
    ("rate", {"rate": "11.5"}, True),
    ("rate", {"rate": "0"}, False),
    ("rate", {"rate": "0.0"}, False),
    ("rate", {"rate": "-1"}, False),
    ("rate", {"rate": 11.5}, False),
    ("submit_payment", {"transactionStatus": "ACSC"}, True),
    ("submit_payment", {"transactionStatus": "ACSC", "fundsAvailable": None}, True),
    ("submit_payment", {"transactionStatus": "DONE"}, False),
    ("cancel_payment", {"cancelled": True}, True),
    ("cancel_payment", {"cancelled": True, "transactionStatus": "CANC"}, False),
    ("cancel_payment", {"cancelled": False}, False),
    ("cancel_payment", {"cancelled": False, "transactionStatus": None}, False),
    ("cancel_payment", {"cancelled": False, "transactionStatus": "ACSC"}, True),
    ("cancel_payment", {"cancelled": "yes"}, False),
    ("kid_agreement", {"required": True, "modulus": 11, "digitsMin": 0, "digitsMax": 255}, True),
    ("kid_agreement", {"required": True, "modulus": 9, "digitsMin": 5, "digitsMax": 25}, False),
    ("kid_agreement", {"required": True, "modulus": 10, "digitsMin": 5, "digitsMax": 256}, False),
    ("debtor_account", {"currency": "NOK", "otherNumbers": ["1" * 35]}, True),
    ("debtor_account", {"currency": "NOK", "otherNumbers": ["1" * 36]}, False),
]


@pytest.mark.parametrize(("method", "members", "is_taken"), ANSWERS)
def test_schema_and_engine_agree_on_an_answer(method: str, members: dict[str, Any], is_taken: bool) -> None:
    question = next(one for one in EXCHANGES if one["method"] == method)["question"]
    repeated = {"account", "bban", "sourceCurrency", "targetCurrency", "paymentId", "person", "accountId"}
    repeated |= {"cardAccountId"} if method.startswith("card") else set()
    repeats = {
        name: value
        for name, value in question.items()
        if name in repeated and method not in {"psu", "fee", "requires_sca"}
    }
    exchange = {"method": method, "question": question, "answer": {**repeats, **members}}
    assert (VALIDATOR.is_valid(exchange), engine_takes(exchange)) == (is_taken, is_taken)


def test_what_the_schema_cannot_say_the_check_does() -> None:
    fee = first("fee")
    for wrong in ({"amount": "1", "currency": "NOK"}, {"amount": "1.0", "currency": "NOK"}):
        assert not engine_takes({**fee, "answer": {"fee": wrong}})
    other = first("balances")
    other["answer"]["accountId"] = "other"
    with pytest.raises(xs2a.BankError, match="balances: /accountId: is not what was asked for"):
        xs2a.check_bank_answer("balances", other["question"], other["answer"])


def test_a_question_that_is_none_is_misuse_and_no_json_is_the_banks() -> None:
    for method, question in (("none", {}), ("fee", [])):
        with pytest.raises(xs2a.MisuseError):
            xs2a.check_bank_answer(method, question, None)  # type: ignore[arg-type]
    with pytest.raises(xs2a.BankError, match="JSON has no type `object`"):
        xs2a.check_bank_answer("fee", {}, object())
