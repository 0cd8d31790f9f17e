"""Story 3: a TPP gets a customer's consent and reads accounts, balances and transactions."""

import json
from urllib.parse import parse_qs, urlsplit

import xs2a

PAYMENTS = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
REDIRECT = ("TPP-Redirect-URI", "https://tpp.example/callback?state=42")
SESSION = ("TPP-Session-ID", "session-1")
PRESENT = ("PSU-IP-Address", "192.0.2.1")
PAYMENT = {
    "instructedAmount": {"amount": "250.00", "currency": "NOK"},
    "creditorName": "Testodius To",
    "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
    "creditorAddress": {"townName": "Oslo", "country": "NO"},
    "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
    "remittanceInformationUnstructured": "Invoice 1001",
}


def send(method: str, target: str, headers: list[tuple[str, str]], body: bytes = b"") -> xs2a.Response:
    """Signs as the TPP, sends to the bank."""
    return sandbox.handle(method, target, tpp.sign(method, target, headers, body), body)


with xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1) as sandbox:
    print("3. reading transactions")
    tpp = sandbox.register_tpp("Acme Pay", roles=("AISP", "PISP"))

    # A payment, so that there is something to read. Its SCA gives the TPP the PSU-ID of the customer.
    body = json.dumps(PAYMENT).encode()
    headers = [("x-accept-fix", ""), SESSION, REDIRECT, ("PSU-Context", "PRIVATE"), PRESENT]
    link = send("POST", PAYMENTS, headers, body).json()["_links"]["scaRedirect"]["href"]
    callback = sandbox.authorise(link, customer_number="13039319955")
    psu_id = parse_qs(urlsplit(callback).query)["psu-id"][0]

    # It opens no accounts: that takes a consent, and the refusal carries the link to it.
    headers = [("PSU-ID", psu_id), SESSION, REDIRECT, PRESENT]
    refused = send("GET", "/v1/accounts?withBalance=true", headers)
    print("before consent:", refused.status, refused.json()["tppMessages"][0]["code"])
    link = refused.json()["_links"]["scaRedirect"]["href"]
    print("call-back:", sandbox.authorise(link, customer_number="13039319955"))

    account = send("GET", "/v1/accounts?withBalance=true", headers).json()["accounts"][0]
    balance = account["balances"][0]["balanceAmount"]
    print("account:", account["bban"], balance["amount"], balance["currency"])

    target = account["_links"]["transactions"]["href"]
    listed = send("GET", target, headers).json()["transactions"]["booked"][0]
    amount = listed["transactionAmount"]
    print("booked:", listed["bookingDate"], amount["amount"], listed["remittanceInformationUnstructured"])

    target = f"/v1/accounts/{account['resourceId']}/transactions/{listed['transactionId']}"
    details = send("GET", target, [("x-accept-fix", ""), *headers]).json()["transactionsDetails"]
    print("details: to", details["creditorAccount"]["bban"], details["bankTransactionCode"])
