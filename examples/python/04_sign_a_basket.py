"""Story 4: three payments in a signing basket, and one approval (SCA) that decides on each by itself."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import xs2a

PAYMENTS = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
BASKETS = "/v1/signing-baskets"
HEADERS = [
    ("x-accept-fix", ""),
    ("TPP-Session-ID", "session-1"),
    ("TPP-Redirect-URI", "https://tpp.example/callback?state=42"),
    ("PSU-Context", "PRIVATE"),
    ("PSU-IP-Address", "192.0.2.1"),
    ("Content-Type", "application/json"),
]
# What each is to pay, and from which account: the last is not the customer's.
ORDERS = [("100.00", "95360573002"), ("200.00", "95360573010"), ("300.00", "95360573037")]


def send(
    sandbox: xs2a.Sandbox,
    tpp: xs2a.Tpp,
    method: str,
    target: str,
    sent: Any = None,
    psu_id: str | None = None,
) -> Any:
    """Sign as the TPP, send to the bank."""
    body = json.dumps(sent).encode() if sent is not None else b""
    headers = HEADERS if psu_id is None else [*HEADERS, ("PSU-ID", psu_id)]
    return sandbox.handle(method, target, tpp.sign(method, target, headers, body), body).json()


def order(amount: str, debtor: str) -> dict[str, Any]:
    return {
        "instructedAmount": {"amount": amount, "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": "91351631959", "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "debtorAccount": {"bban": debtor, "currency": "NOK"},
        "remittanceInformationStructured": {"reference": "1234567897"},
    }


with xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1) as sandbox:
    print("4. one approval for a basket")
    tpp = sandbox.register_tpp("Acme Pay", roles=("AISP", "PISP"))

    # A basket names its customer, whom the TPP knows by the call-back of an earlier approval.
    first = send(sandbox, tpp, "POST", PAYMENTS, order("1.00", "95360573002"))
    callback = sandbox.authorise(first["_links"]["scaRedirect"]["href"], customer_number="13039319955")
    psu_id = parse_qs(urlsplit(callback).query)["psu-id"][0]

    payments = [send(sandbox, tpp, "POST", PAYMENTS, order(*ordered)) for ordered in ORDERS]
    ids = [made["paymentId"] for made in payments]
    basket = send(sandbox, tpp, "POST", BASKETS, {"paymentIds": ids}, psu_id)
    print("basket:", basket["transactionStatus"])

    # One link for all three: the customer sees them together, and approves once.
    links = basket["_links"]
    started = send(sandbox, tpp, "POST", links["startAuthorisation"]["href"])
    link = started["_links"]["scaRedirect"]["href"]
    print("call-back:", sandbox.authorise(link, customer_number="13039319955"))

    # The basket shows the worst case; each payment shows its own status.
    print("basket:", send(sandbox, tpp, "GET", links["status"]["href"])["transactionStatus"])
    for (amount, _), made in zip(ORDERS, payments):
        status = send(sandbox, tpp, "GET", made["_links"]["status"]["href"])
        print(f"{amount} NOK: {status['transactionStatus']}")
