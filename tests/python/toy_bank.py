"""A small bank of its own behind an engine: what a gateway team would answer from its core."""

from __future__ import annotations

import threading
from datetime import date
from decimal import Decimal
from typing import Any

import xs2a

Json = dict[str, Any]

KARI, OLA = "kari", "ola"
IDENTITIES = {"13039319955": KARI, "12085592767": OLA}
COMPANY = "fiktiv-handel"
KARIS, SAVINGS, OLAS, COMPANYS = "95360573002", "95360573010", "95360573037", "95360573118"
CARD = "card-1"


class ToyBank:
    """Everything in memory. One lock, for an engine asks from any thread."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.balance = {
            KARIS: Decimal("1000.00"),
            SAVINGS: Decimal("5.00"),
            OLAS: Decimal(0),
            COMPANYS: Decimal("900.00"),
        }
        self.orders: dict[str, str] = {}
        """What became of each payment id."""
        self.booked_on: dict[str, list[Json]] = {number: [] for number in self.balance}
        self.asked: list[str] = []

    # ------------------------------------------------------------------ who, and what they have

    def psu(self, *, identity: str) -> Json | None:
        self.asked.append("psu")
        person = IDENTITIES.get(identity)
        return None if person is None else {"person": person}

    def agreements(self, *, person: str) -> Json:
        self.asked.append("agreements")
        agreement = {"corporate": COMPANY, "name": "Nettbank bedrift", "owner": "18129215603"}
        return {"person": person, "agreements": [agreement] if person == KARI else []}

    def numbers(self, psu: xs2a.Psu) -> list[str]:
        if psu["context"] == "CORPORATE":
            return [COMPANYS] if (psu["person"], psu.get("corporate")) == (KARI, COMPANY) else []
        return {KARI: [KARIS, SAVINGS], OLA: [OLAS]}.get(psu["person"], [])

    def accounts(self, *, psu: xs2a.Psu) -> Json:
        self.asked.append("accounts")
        return {"psu": psu, "accounts": [shown(number) for number in self.numbers(psu)]}

    def account(self, *, psu: xs2a.Psu, account_id: str) -> Json | None:
        self.asked.append("account")
        mine = {f"acc-{number}": number for number in self.numbers(psu)}
        return shown(mine[account_id]) if account_id in mine else None

    def balances(self, *, account_id: str) -> Json:
        self.asked.append("balances")
        amount = {"amount": self.balance[account_id[4:]], "currency": "NOK"}
        return {"accountId": account_id, "balances": [{"balanceType": "expected", "balanceAmount": amount}]}

    def booked(
        self, *, account_id: str, date_from: str | None, date_to: str | None, offset: int, limit: int
    ) -> Json:
        self.asked.append("booked")
        within = [
            found
            for found in reversed(self.booked_on[account_id[4:]])
            if (date_from or "") <= found["bookingDate"].isoformat() <= (date_to or "9999")
        ]
        part = within[offset : offset + limit]
        return {"accountId": account_id, "transactions": part, "total": len(within)}

    def pending(self, *, account_id: str) -> Json:
        self.asked.append("pending")
        return {"accountId": account_id, "transactions": []}

    def transaction(self, *, account_id: str, transaction_id: str) -> Json | None:
        self.asked.append("transaction")
        for found in self.booked_on[account_id[4:]]:
            if found["transactionId"] == transaction_id:
                return {**found, "accountId": account_id}
        return None

    def card_accounts(self, *, psu: xs2a.Psu) -> Json:
        self.asked.append("card_accounts")
        return {"psu": psu, "cardAccounts": [card()] if psu["person"] == KARI else []}

    def card_account(self, *, psu: xs2a.Psu, card_account_id: str) -> Json | None:
        self.asked.append("card_account")
        return card() if (psu["person"], card_account_id) == (KARI, CARD) else None

    def card_balances(self, *, card_account_id: str) -> Json:
        self.asked.append("card_balances")
        owed = {"balanceType": "closingBooked", "balanceAmount": {"amount": "-12.50", "currency": "NOK"}}
        return {"cardAccountId": card_account_id, "balances": [owed]}

    def card_booked(
        self, *, card_account_id: str, date_from: str | None, date_to: str | None, offset: int, limit: int
    ) -> Json:
        self.asked.append("card_booked")
        bought = {
            "bookingDate": date(2026, 8, 30),
            "transactionAmount": {"amount": "12.50", "currency": "NOK"},
            "transactionDetails": "Bakeri",
        }
        is_within = (date_from or "") <= "2026-08-30" <= (date_to or "9999")
        found = [bought][offset : offset + limit] if is_within else []
        return {"cardAccountId": card_account_id, "transactions": found, "total": int(is_within)}

    def card_pending(self, *, card_account_id: str) -> Json:
        self.asked.append("card_pending")
        return {"cardAccountId": card_account_id, "transactions": []}

    # ------------------------------------------------------------------ payments

    def debtor_account(self, *, psu: xs2a.Psu, account: Json) -> Json | None:
        self.asked.append("debtor_account")
        is_theirs = account.get("bban") in self.numbers(psu)
        return {"account": account, "currency": "NOK"} if is_theirs else None

    def kid_agreement(self, *, bban: str) -> Json | None:
        self.asked.append("kid_agreement")
        if bban != OLAS:
            return None
        return {"bban": bban, "required": False, "modulus": 10, "digitsMin": 2, "digitsMax": 25}

    def fee(self, *, product: str, order: Json) -> Json:
        self.asked.append("fee")
        return {"fee": {"amount": "5.00" if "cross-border" in product else "0.00", "currency": "NOK"}}

    def rate(self, *, source_currency: str, target_currency: str) -> Json | None:
        self.asked.append("rate")
        in_nok = {"NOK": Decimal(1), "EUR": Decimal("11.5")}
        if source_currency not in in_nok or target_currency not in in_nok:
            return None
        rate = (in_nok[source_currency] / in_nok[target_currency]).quantize(Decimal("0.000001"))
        return {"sourceCurrency": source_currency, "targetCurrency": target_currency, "rate": rate}

    def submit_payment(
        self,
        *,
        payment_id: str,
        product: str,
        psu: xs2a.Psu,
        order: Json,
        fee: Json,
        authorised_at: str,
        now: str,
    ) -> Json:
        self.asked.append("submit_payment")
        with self.lock:
            if payment_id not in self.orders:
                self.orders[payment_id] = self.carry_out(order, now) if "instant" in product else "PDNG"
            return {"paymentId": payment_id, "transactionStatus": self.orders[payment_id]}

    def cancel_payment(self, *, payment_id: str, now: str) -> Json:
        self.asked.append("cancel_payment")
        with self.lock:
            status = self.orders.setdefault(payment_id, "CANC")
            if status in ("ACSC", "RJCT"):
                return {"paymentId": payment_id, "cancelled": False, "transactionStatus": status}
            self.orders[payment_id] = "CANC"
            return {"paymentId": payment_id, "cancelled": True}

    def carry_out(self, order: Json, now: str) -> str:
        payer, payee = order["debtorAccount"]["bban"], order["creditorAccount"]["bban"]
        amount = Decimal(order["instructedAmount"]["amount"])
        if self.balance[payer] < amount:
            return "RJCT"
        for number, sum_ in ((payer, -amount), (payee, amount)):
            self.balance[number] = self.balance.get(number, Decimal(0)) + sum_
            self.booked_on.setdefault(number, []).append(
                {
                    "transactionId": f"t-{len(self.booked_on[number])}",
                    "bookingDate": date.fromisoformat(now[:10]),
                    "transactionAmount": {"amount": sum_, "currency": "NOK"},
                    "creditor": {"name": order["creditorName"]},
                    "remittanceInformationUnstructured": order.get("remittanceInformationUnstructured"),
                }
            )
        return "ACSC"


def shown(number: str) -> Json:
    return {"accountId": f"acc-{number}", "bban": number, "currency": "NOK", "name": "Brukskonto"}


def card() -> Json:
    return {"cardAccountId": CARD, "maskedPan": "123456******1234", "currency": "NOK"}


_typed: xs2a.Bank = ToyBank()
