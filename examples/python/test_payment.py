"""A first test of a payment, by the fixtures that come with xs2a. Run it with pytest."""

STRAKS = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
PAYMENT = {
    "instructedAmount": {"amount": "250.00", "currency": "NOK"},
    "creditorName": "Testine Test",
    "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
    "creditorAddress": {"townName": "Oslo", "country": "NO"},
    "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
}


def test_a_payment_moves_the_money(xs2a_client, xs2a_sandbox):
    created = xs2a_client.post(STRAKS, json=PAYMENT).json()
    xs2a_sandbox.authorise(created["_links"]["scaRedirect"]["href"])  # the customer at the bank's site
    status = xs2a_client.get(f"{STRAKS}/{created['paymentId']}/status").json()
    assert status["transactionStatus"] == "ACSC"
    assert xs2a_sandbox.ledger("95360573002")["balance"]["amount"] == "99750.00"
