"""Story 2: a payment from its creation, through the customer's approval (SCA), to the bank's books."""

import json
from typing import Any

import xs2a

TARGET = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
HEADERS = [
    ("x-accept-fix", ""),
    ("TPP-Session-ID", "session-1"),
    ("TPP-Redirect-URI", "https://tpp.example/callback?state=42"),
    ("PSU-Context", "PRIVATE"),
    ("PSU-IP-Address", "192.0.2.1"),
    ("Content-Type", "application/json"),
]
STATUS_HEADERS = [("TPP-Redirect-URI", "https://tpp.example/callback?state=42")]


def first_account(data: dict[str, Any], customer_number: str) -> str:
    """The bban of the first account of one of the sandbox's customers."""
    customer = next(found for found in data["customers"] if found["customerNumber"] == customer_number)
    return str(customer["accounts"][0]["bban"])


def show_newest_booking(whose: str, ledger: dict[str, Any]) -> None:
    booking, balance = ledger["bookings"][0], ledger["balance"]
    print(
        f"{whose}: {booking['amount']} {booking['currency']},",
        f"balance {balance['amount']} {balance['currency']}",
    )


with xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1) as sandbox:
    print("2. a payment through SCA")
    tpp = sandbox.register_tpp("Acme Pay", roles=("AISP", "PISP"))
    debtor = first_account(sandbox.default_data(), "13039319955")
    creditor = first_account(sandbox.default_data(), "12085592767")

    payment = {
        "instructedAmount": {"amount": "250.00", "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": creditor, "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "debtorAccount": {"bban": debtor, "currency": "NOK"},
        "remittanceInformationUnstructured": "Invoice 1001",
    }
    body = json.dumps(payment).encode()
    answer = sandbox.handle("POST", TARGET, tpp.sign("POST", TARGET, HEADERS, body), body)
    created = answer.json()
    print("created:", answer.status, created["transactionStatus"])

    # The customer follows the link, approves at the bank, and is sent back to the TPP.
    link = created["_links"]["scaRedirect"]["href"]
    print("call-back:", sandbox.authorise(link, customer_number="13039319955"))

    target = f"{TARGET}/{created['paymentId']}/status"
    answer = sandbox.handle("GET", target, tpp.sign("GET", target, STATUS_HEADERS))
    print("status:", answer.json()["transactionStatus"])

    show_newest_booking("debtor", sandbox.ledger(debtor))
    show_newest_booking("creditor", sandbox.ledger(creditor))
