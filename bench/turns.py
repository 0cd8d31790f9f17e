"""The input lines of a measured Python program; see bench/src/interface.rs."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import xs2a

TARGET = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
NOW = "2026-09-01T10:00:00Z"
FIELDS = [
    ("x-accept-fix", ""),
    ("TPP-Session-ID", "session-1"),
    ("TPP-Redirect-URI", "https://tpp.example/callback?state=42"),
    ("PSU-Context", "PRIVATE"),
    ("PSU-IP-Address", "192.0.2.1"),
    ("Content-Type", "application/json"),
]


def payment_body(amount: str, debtor: str, creditor: str) -> dict[str, object]:
    """The body of an instant payment in NOK, between two BBANs."""
    return {
        "instructedAmount": {"amount": amount, "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": creditor, "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "debtorAccount": {"bban": debtor, "currency": "NOK"},
        "remittanceInformationUnstructured": "Invoice 1001",
    }


# Between accounts of the default data; bench/fake_bank.py has them too.
ORDER = payment_body("250.00", debtor="95360573002", creditor="95360573037")


@dataclass(frozen=True)
class Call:
    """A payment signed in advance."""

    headers: list[tuple[str, str]]
    body: bytes


class Payer:
    """Signs payments; no two have the same amount, so that none is a duplicate."""

    def __init__(self, sandbox: xs2a.Sandbox) -> None:
        self.tpp = sandbox.register_tpp("Acme Pay", roles=("AISP", "PISP"))
        customers = sandbox.default_data()["customers"]
        self._debtor, self._creditor = (customers[i]["accounts"][0]["bban"] for i in (0, 1))
        self._made = 0

    def creation(self) -> Call:
        """The creation of one more payment."""
        self._made += 1
        amount = f"{1 + self._made // 100}.{self._made % 100:02}"
        body = payment_body(amount, self._debtor, self._creditor)
        raw = json.dumps(body, separators=(",", ":")).encode()
        return Call(self.tpp.sign("POST", TARGET, FIELDS, raw), raw)


def take_turns(payer: Payer, create: Callable[[Call], int]) -> None:
    """Prepares and creates as its input says, and prints how many nanoseconds the creations took."""
    calls: list[Call] = []
    for line in sys.stdin:
        order = line.split()
        if order[0] == "prepare":
            calls = [payer.creation() for _ in range(int(order[1]))]
            gc.collect()  # what signing left behind is not the creations' to clear
            print("ready", flush=True)
            continue
        start = time.perf_counter_ns()
        statuses = [create(call) for call in calls]
        elapsed_ns = time.perf_counter_ns() - start
        if any(status != 201 for status in statuses):
            sys.exit(f"answered {sorted(set(statuses))} where 201 is right")
        print(elapsed_ns, flush=True)
