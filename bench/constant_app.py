"""What `xs2a serve` is measured against: a Flask application that answers a constant."""

from __future__ import annotations

from flask import Flask

PATH = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks/<payment>/status"

app = Flask(__name__)


@app.get(PATH)
def status(payment: str) -> dict[str, str]:
    """The same for every payment."""
    return {"transactionStatus": "RCVD"}
