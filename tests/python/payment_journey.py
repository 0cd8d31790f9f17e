"""A payment as a TPP makes it: created, authorised, asked after."""

from __future__ import annotations

import json
from typing import Any

import xs2a

INSTANT = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
BATCHED = "/v1/payments/norwegian-cross-border-credit-transfers"
PAYER, PAYEE = "13039319955", "12085592767"
BIC = "DNBANOKK"  # what a cross-border payment needs beside
CALLBACK = "https://tpp.example/callback?state=42"

HEADERS = [
    ("x-accept-fix", ""),
    ("TPP-Session-ID", "session-1"),
    ("TPP-Redirect-URI", CALLBACK),
    ("PSU-Context", "PRIVATE"),
    ("PSU-IP-Address", "192.0.2.1"),
    ("Content-Type", "application/json"),
]


def first_account(sandbox: xs2a.Sandbox, customer_number: str) -> str:
    """The bban of a customer's first account."""
    customers = sandbox.default_data()["customers"]
    customer = next(found for found in customers if found["customerNumber"] == customer_number)
    bban: str = customer["accounts"][0]["bban"]
    return bban


def payment(sandbox: xs2a.Sandbox, amount: str = "250.00", **changed: Any) -> dict[str, Any]:
    """The body of a payment from the payer's first account to the payee's."""
    return {
        "instructedAmount": {"amount": amount, "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": first_account(sandbox, PAYEE), "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "debtorAccount": {"bban": first_account(sandbox, PAYER), "currency": "NOK"},
        "remittanceInformationUnstructured": "Invoice 1001",
        **changed,
    }


def many_faults() -> dict[str, Any]:
    """A body that earns more messages than an answer sends unpacked."""
    account, address = {"iban": 1}, {"country": "xx", "street": 1, "postCode": 1, "buildingNumber": 1}
    return {
        "instructedAmount": {"amount": "x", "currency": "y"},
        "creditorName": 1,
        "creditorAccount": account,
        "creditorAddress": address,
        "creditorAgent": 1,
        "debtorAccount": account,
        "remittanceInformationUnstructured": 1,
    }


def post(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, body: dict[str, Any], target: str = INSTANT) -> xs2a.Response:
    """One signed POST."""
    raw = json.dumps(body).encode()
    return sandbox.handle("POST", target, tpp.sign("POST", target, HEADERS, raw), raw)


def call(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, method: str, target: str) -> xs2a.Response:
    """One signed call without a body."""
    return sandbox.handle(method, target, tpp.sign(method, target, HEADERS))


def created(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, target: str = INSTANT, **changed: Any) -> tuple[str, str]:
    """A payment just created: its path, and the link by which it is authorised."""
    answer = post(sandbox, tpp, payment(sandbox, **changed), target)
    assert answer.status == 201, answer.json()
    body = answer.json()
    return f"{target}/{body['paymentId']}", body["_links"]["scaRedirect"]["href"]


def status(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, path: str) -> str:
    """The payment's transactionStatus."""
    answer = call(sandbox, tpp, "GET", f"{path}/status")
    assert answer.status == 200, answer.json()
    text: str = answer.json()["transactionStatus"]
    return text


def balance(sandbox: xs2a.Sandbox, customer_number: str) -> str:
    """The balance of a customer's first account, in its currency."""
    text: str = sandbox.ledger(first_account(sandbox, customer_number))["balance"]["amount"]
    return text
