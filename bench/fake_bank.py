"""A fake of the bank as a team writes one for its tests: dictionaries, a few checks, no signature, no file.

It answers the three calls that bench/python_tests.py makes. `reset` brings the first state back.
"""

from __future__ import annotations

import uuid
from copy import deepcopy
from decimal import Decimal
from typing import Any

CUSTOMERS = {
    "13039319955": {"accounts": {"95360573002": Decimal(100_000), "95360573010": Decimal(100_000)}},
    "12085592767": {"accounts": {"95360573037": Decimal(100_000), "95360573045": Decimal(10_000)}},
    "18129215603": {"accounts": {"95360573118": Decimal(1_000_000), "95360573126": Decimal(1_000_000)}},
    "20079518612": {"accounts": {"95360573134": Decimal(1_000_000), "95360573142": Decimal(1_000_000)}},
}
REQUIRED = ("instructedAmount", "creditorName", "creditorAccount", "debtorAccount")


class Bank:
    """The whole bank."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """As it was in the beginning."""
        self.customers: dict[str, Any] = deepcopy(CUSTOMERS)
        self.payments: dict[str, dict[str, Any]] = {}
        self.authorisations: dict[str, str] = {}

    def post(self, target: str, order: dict[str, Any]) -> dict[str, Any]:
        """Creates a payment."""
        for name in REQUIRED:
            if name not in order:
                raise ValueError(name)
        payment, authorisation = str(uuid.uuid4()), str(uuid.uuid4())
        self.payments[payment] = {"order": deepcopy(order), "transactionStatus": "RCVD", "target": target}
        self.authorisations[authorisation] = payment
        path = f"{target}/{payment}"
        return {
            "paymentId": payment,
            "transactionStatus": "RCVD",
            "_links": {
                "self": {"href": path},
                "status": {"href": f"{path}/status"},
                "scaRedirect": {"href": f"https://sca.bank.example/sca/{authorisation}"},
            },
        }

    def authorise(self, link: str, customer_number: str) -> None:
        """The customer approves."""
        payment = self.payments[self.authorisations.pop(link.rsplit("/", 1)[1])]
        order = payment["order"]
        amount = Decimal(order["instructedAmount"]["amount"])
        accounts = self.customers[customer_number]["accounts"]
        if accounts[order["debtorAccount"]["bban"]] < amount:
            payment["transactionStatus"] = "RJCT"
            return
        accounts[order["debtorAccount"]["bban"]] -= amount
        for customer in self.customers.values():
            if order["creditorAccount"]["bban"] in customer["accounts"]:
                customer["accounts"][order["creditorAccount"]["bban"]] += amount
        payment["transactionStatus"] = "ACSC"

    def get(self, target: str) -> dict[str, Any]:
        """The status of a payment."""
        payment = self.payments[target.split("/")[-2]]
        return {"transactionStatus": payment["transactionStatus"]}
