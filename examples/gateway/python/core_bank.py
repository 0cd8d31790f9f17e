"""What the engine asks the bank (docs/bank.md), answered from the ledger."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import xs2a
from ledger import ACCOUNTS, CUSTOMERS, Account, Ledger, Order

Json = dict[str, Any]


def account_with_id(account_id: str) -> Account:
    """``KeyError`` for one that is not there: then the engine has no answer."""
    return {account.id: account for account in ACCOUNTS}[account_id]


def shown(account: Account) -> Json:
    return {"accountId": account.id, "bban": account.bban, "currency": "NOK", "name": account.name}


def transaction_of(number: int, order: Order, account: Account) -> Json:
    """An order as the account's owner sees it."""
    amount = Decimal(order.amount)
    line: Json = {
        "bookingDate": order.day,
        "transactionAmount": {
            "amount": str(-amount if account.bban == order.debtor else amount),
            "currency": "NOK",
        },
        "creditor": {"name": order.creditorName},
    }
    if order.status == "ACSC":
        line["transactionId"] = f"t-{number:08}"
    if order.remittance:
        line["remittanceInformationUnstructured"] = order.remittance
    return line


class CoreBank:
    """The methods of ``xs2a.Bank``. It has no cards, and no person acts for a company."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    # ------------------------------------------------------------------ who

    def psu(self, *, identity: str) -> Json | None:
        found = [customer for customer in CUSTOMERS if customer.identity == identity]
        return {"person": found[0].person} if found else None

    def agreements(self, *, person: str) -> Json:
        return {"person": person, "agreements": []}

    # ------------------------------------------------------------------ accounts

    def _accounts_of(self, psu: xs2a.Psu) -> list[Account]:
        if psu["context"] != "PRIVATE":
            return []
        return [account for account in ACCOUNTS if account.person == psu["person"]]

    def accounts(self, *, psu: xs2a.Psu) -> Json:
        return {"psu": psu, "accounts": [shown(account) for account in self._accounts_of(psu)]}

    def account(self, *, psu: xs2a.Psu, account_id: str) -> Json | None:
        found = [account for account in self._accounts_of(psu) if account.id == account_id]
        return shown(found[0]) if found else None

    def balances(self, *, account_id: str) -> Json:
        balance = self._ledger.balance(account_with_id(account_id))
        amount = {"amount": str(balance), "currency": "NOK"}
        return {
            "accountId": account_id,
            "balances": [{"balanceType": "expected", "balanceAmount": amount}],
        }

    def _transactions(self, account_id: str, status: str) -> list[Json]:
        """The newest first."""
        account = account_with_id(account_id)
        return [
            transaction_of(number, order, account)
            for number, order in reversed(self._ledger.orders())
            if order.status == status and order.is_on(account)
        ]

    def booked(
        self, *, account_id: str, date_from: str | None, date_to: str | None, offset: int, limit: int
    ) -> Json:
        within = [
            found
            for found in self._transactions(account_id, "ACSC")
            if (date_from or "") <= found["bookingDate"] <= (date_to or "9999")
        ]
        part = within[offset : offset + limit]
        return {"accountId": account_id, "transactions": part, "total": len(within)}

    def pending(self, *, account_id: str) -> Json:
        return {"accountId": account_id, "transactions": self._transactions(account_id, "PDNG")}

    def transaction(self, *, account_id: str, transaction_id: str) -> Json | None:
        for found in self._transactions(account_id, "ACSC"):
            if found["transactionId"] == transaction_id:
                return {"accountId": account_id, **found}
        return None

    # ------------------------------------------------------------------ cards

    def card_accounts(self, *, psu: xs2a.Psu) -> Json:
        return {"psu": psu, "cardAccounts": []}

    def card_account(self, *, psu: xs2a.Psu, card_account_id: str) -> Json | None:
        return None

    def card_balances(self, *, card_account_id: str) -> Json:
        raise LookupError("there are no cards")

    def card_booked(
        self, *, card_account_id: str, date_from: str | None, date_to: str | None, offset: int, limit: int
    ) -> Json:
        raise LookupError("there are no cards")

    def card_pending(self, *, card_account_id: str) -> Json:
        raise LookupError("there are no cards")

    # ------------------------------------------------------------------ payments

    def debtor_account(self, *, psu: xs2a.Psu, account: Json) -> Json | None:
        is_theirs = account.get("bban") in [theirs.bban for theirs in self._accounts_of(psu)]
        return {"account": account, "currency": "NOK"} if is_theirs else None

    def kid_agreement(self, *, bban: str) -> Json | None:
        return None

    def fee(self, *, product: str, order: Json) -> Json:
        return {"fee": {"amount": "0.00", "currency": "NOK"}}

    def rate(self, *, source_currency: str, target_currency: str) -> Json | None:
        return None

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
        """Carries out single payments in NOK: instant ones at once, others by the batch of their day. The
        rest is rejected."""
        status = "RJCT"
        if product.startswith("payments/") and "bban" in order["debtorAccount"]:
            creditor, line = order["creditorAccount"], order.get("remittanceInformationStructured") or {}
            taken = Order(
                paymentId=payment_id,
                status="",
                day=order.get("requestedExecutionDate") or now[:10],
                debtor=order["debtorAccount"]["bban"],
                creditor=creditor.get("bban") or creditor["iban"],
                amount=order["instructedAmount"]["amount"],
                creditorName=order["creditorName"],
                remittance=order.get("remittanceInformationUnstructured") or line.get("reference") or "",
            )
            status = self._ledger.take(taken, by_batch="/instant-" not in product)
        answer: Json = {"paymentId": payment_id, "transactionStatus": status}
        return {**answer, "fundsAvailable": True} if status == "ACSC" else answer

    def cancel_payment(self, *, payment_id: str, now: str) -> Json:
        status = self._ledger.cancel(payment_id, now[:10])
        if status == "CANC":
            return {"paymentId": payment_id, "cancelled": True}
        return {"paymentId": payment_id, "cancelled": False, "transactionStatus": status}
