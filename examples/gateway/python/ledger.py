"""The toy bank's books: two customers, four accounts in NOK, and a journal of every order it was given.

It is in the place of a bank's core-banking system, and has no notion of PSD2, TPPs and HTTP.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
import time
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from pathlib import Path


@dataclass(frozen=True)
class Customer:
    person: str
    identity: str
    name: str


@dataclass(frozen=True)
class Account:
    person: str
    """Whose it is."""
    id: str
    """What TPPs call it: opaque, stable, unguessable."""
    bban: str
    name: str
    opening: Decimal


# A node has an order for 60 seconds (`order_lease_seconds`), of which 45 are left when the core is called.
ORDER_SECONDS_MAX = 40

CUSTOMERS = (
    Customer("kari", "13039319955", "Kari Nordmann"),
    Customer("ola", "12085592767", "Ola Nordmann"),
)
ACCOUNTS = (
    Account("kari", "jJ5uX1qk7Vb3nQ2r", "95360573002", "Brukskonto", Decimal("1000.00")),
    Account("kari", "p0Zt8sWm4Hc6yL9d", "95360573010", "Sparekonto", Decimal("5000.00")),
    Account("ola", "aE2gK7fT5xNq1RvB", "95360573037", "Brukskonto", Decimal("200.00")),
    Account("ola", "wU6iS3oM9jYh8CzD", "95360573045", "Sparekonto", Decimal("0.00")),
)


@dataclass(frozen=True)
class Order:
    """An order that the core got; as JSON a line of the journal. The last line of a payment id counts."""

    paymentId: str
    status: str
    """``ACSC``, ``RJCT``, ``PDNG`` or ``CANC``."""
    day: str
    """When it was booked, or is to be."""
    debtor: str = ""
    creditor: str = ""
    amount: str = "0.00"
    creditorName: str = ""
    remittance: str = ""

    def is_on(self, account: Account) -> bool:
        """Whether it touches the account."""
        return account.bban in (self.debtor, self.creditor)


class Ledger:
    """The books. One lock, for an engine asks from any thread."""

    def __init__(self, journal: Path, order_seconds: int = 0) -> None:
        """Opens the journal, making it where there is none. ``OSError`` where another process has it;
        ``ValueError`` where it is none. ``order_seconds``: how long it takes to answer an order, as a slow
        core does; ``ValueError`` for one that is not from 0 to 40."""
        if type(order_seconds) is not int or not 0 <= order_seconds <= ORDER_SECONDS_MAX:
            raise ValueError(f"order_seconds is not a whole number from 0 to {ORDER_SECONDS_MAX}")
        self._order_seconds = order_seconds
        self._lock = threading.Lock()
        self._orders: dict[str, Order] = {}
        """What changed last is at the end."""
        self._numbers: dict[str, int] = {}
        self._journal = os.open(journal, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._is_broken = False
        try:
            fcntl.flock(self._journal, fcntl.LOCK_EX | fcntl.LOCK_NB)  # these books are one process's
            whole = journal.read_bytes()
            # Bytes after the last whole line were being written when the process died: no answer was sent.
            self._length = whole.rfind(b"\n") + 1
            for line in whole[: self._length].splitlines():
                self._put_last(Order(**json.loads(line)))
            os.ftruncate(self._journal, self._length)
        except (OSError, ValueError, TypeError) as error:
            os.close(self._journal)
            raise error if isinstance(error, OSError) else ValueError(f"{journal} is no journal") from error

    def close(self) -> None:
        """Gives the journal free."""
        os.close(self._journal)

    # ------------------------------------------------------------------ orders and cancellations

    def take(self, order: Order, by_batch: bool) -> str:
        """Takes an order, once for each payment id; returns its status. ``OSError``: the journal cannot be
        written now, and nothing is changed."""
        with self._lock:
            taken = self._orders.get(order.paymentId)
            if taken is None:
                taken = replace(order, status="PDNG" if by_batch else self._settled(order))
                self._keep(taken)
        time.sleep(self._order_seconds)
        return taken.status

    def cancel(self, payment_id: str, day: str) -> str:
        """Cancels an order for ever, whether it came already or comes later; returns its status then."""
        with self._lock:
            before = self._orders.get(payment_id)
            if before is not None and before.status != "PDNG":
                return before.status
            self._keep(replace(before or Order(payment_id, "", day), status="CANC"))
            return "CANC"

    def run_batch(self, day: str) -> None:
        """Books what waits and is due by that day."""
        with self._lock:
            for order in list(self._orders.values()):
                if order.status == "PDNG" and order.day <= day:
                    self._keep(replace(order, status=self._settled(order), day=day))

    def balance(self, account: Account) -> Decimal:
        """What is booked alone."""
        with self._lock:
            return self._balance(account)

    def orders(self) -> list[tuple[int, Order]]:
        """Every order, with its number in the order in which they came; what changed last is at the end."""
        with self._lock:
            return [(self._numbers[order.paymentId], order) for order in self._orders.values()]

    # ------------------------------------------------------------------ within

    def _settled(self, order: Order) -> str:
        """Whether the money is there, and goes somewhere else."""
        debtor = next((account for account in ACCOUNTS if account.bban == order.debtor), None)
        amount = Decimal(order.amount)
        can_be = debtor is not None and amount > 0 and order.debtor != order.creditor
        return "ACSC" if can_be and debtor and self._balance(debtor) >= amount else "RJCT"

    def _balance(self, account: Account) -> Decimal:
        booked = [order for order in self._orders.values() if order.status == "ACSC"]
        spent = sum(Decimal(order.amount) for order in booked if order.debtor == account.bban)
        got = sum(Decimal(order.amount) for order in booked if order.creditor == account.bban)
        return account.opening - spent + got

    def _put_last(self, order: Order) -> None:
        self._orders.pop(order.paymentId, None)
        self._orders[order.paymentId] = order
        self._numbers.setdefault(order.paymentId, len(self._numbers))

    def _keep(self, order: Order) -> None:
        """On the disk first, then in memory: what the engine was answered is never forgotten."""
        if self._is_broken:
            raise OSError("a line of the journal is not whole")
        line = json.dumps(asdict(order), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        try:
            written = os.write(self._journal, line)
            if written != len(line):
                raise OSError("the disk is full")
            os.fdatasync(self._journal)
        except OSError:
            self._is_broken = True
            os.ftruncate(self._journal, self._length)
            self._is_broken = False
            raise
        self._length += len(line)
        self._put_last(order)
