"""A signed payment at the simulated bank, as a program does it that uses the installed package."""

import json

import xs2a

TARGET = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
HEADERS = {
    "x-accept-fix": "",
    "TPP-Session-ID": "session-1",
    "PSU-Context": "PRIVATE",
    "PSU-IP-Address": "192.0.2.1",
    "TPP-Redirect-URI": "https://tpp.example/callback",
    "Content-Type": "application/json",
}
BODY = json.dumps(
    {
        "instructedAmount": {"amount": "250.00", "currency": "NOK"},
        "creditorName": "Testine Test",
        "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
        "creditorAddress": {"country": "NO"},
        "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
    }
).encode()

with xs2a.Sandbox(now="2026-09-01T10:00:00Z") as bank:
    tpp = bank.register_tpp("Acme Pay", roles=("PISP",))
    created = bank.handle("POST", TARGET, tpp.sign("POST", TARGET, HEADERS, BODY), BODY)
    print(created.status, created.json()["transactionStatus"])
