"""The host's own bank behind an engine: its methods, and how they are called."""

from __future__ import annotations

import inspect
import json
import logging
import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any, Literal, Protocol, TypedDict

from xs2a._errors import BankError
from xs2a._failure import log_failure
from xs2a._native import check_bank_answer_text

_log = logging.getLogger("xs2a.bank")

Json = dict[str, Any]
"""A JSON object. Its members are listed in xs2a/docs/bank.md, and an answer has exactly those. Amounts are
text; ``Decimal`` and ``date`` are written as text."""


class _Person(TypedDict):
    person: str
    context: Literal["PRIVATE", "CORPORATE"]


class Psu(_Person, total=False):
    """A person in the role they act in."""

    corporate: str


class Bank(Protocol):
    """What an engine asks the bank. xs2a/docs/bank.md has the objects, member by member.

    Arguments are passed by name. Members that an answer repeats of its question are compared. Methods may be
    called from several threads at once. An exception means that the bank is unavailable: the TPP is answered
    SYSTEM_ERROR, and nothing is changed. ``xs2a.bank`` logs its type and place, and its text and traceback,
    which may name a customer, only at DEBUG. Raise ``xs2a.BankError`` with a text that names the fault, and
    not the customer, for the engine's log and for dead letters. An answer of another shape, or one that is no
    JSON such as a coroutine, changes nothing either, but an order becomes a dead letter after ten of them.
    ``KeyboardInterrupt`` and ``SystemExit`` leave the engine's method when it ends; ``run_due`` then delivers
    no further order.

    A method may take long, but it must return: use time-outs in it. An answer that took longer than the
    policy ``bank_seconds_max`` (10 by default) is logged and not used, like an exception; so is one after
    which all questions of the call took longer than ``call_bank_seconds_max`` (30). Late answers of
    ``submit_payment`` and ``cancel_payment`` are used, with a warning, because they changed something.

    A method may call the engine, which may call the bank again, up to four calls of banks deep on a thread:
    a deeper one is a ``RecursionError``.

    When the interpreter exits, daemon threads call no bank any more: for them it is unavailable. The exit
    waits for a call in progress for at most one second.

    A further method is optional: ``requires_sca(self, *, occasion, operation=None, is_ruled=None,
    sca_completed_at=None, product=None, order=None, tpp, psu, client)``, the bank's risk analysis. It answers
    ``{"demand": "asRuled" | "demanded" | "exempt"}``; None: as the rules have it. The engine checks
    once, when it is made, whether the bank has the method.
    """

    def psu(self, *, identity: str) -> Json | None:
        """``{"person"}``: the person with a national identity number; None: there is none."""

    def debtor_account(self, *, psu: Psu, account: Json) -> Json | None:
        """``{"account", "currency"}``, and ``"otherNumbers"`` if payments name it by others too, such as a
        card account by its number and its masked PAN; None: not an account they may pay from."""

    def kid_agreement(self, *, bban: str) -> Json | None:
        """``{"bban", "required", "modulus", "digitsMin", "digitsMax"}``; None: no agreement."""

    def fee(self, *, product: str, order: Json) -> Json:
        """``{"fee": {"amount", "currency"}}``."""

    def rate(self, *, source_currency: str, target_currency: str) -> Json | None:
        """``{"sourceCurrency", "targetCurrency", "rate"}``; None: not traded."""

    def submit_payment(
        self,
        *,
        payment_id: str,
        product: str,
        psu: Psu,
        order: Json,
        fee: Json,
        authorised_at: str,
        now: str,
    ) -> Json:
        """Take a payment: ``{"paymentId", "transactionStatus"}``, and ``"fundsAvailable"`` where that is
        known.

        It may come again with the same id: answer its status, and do nothing else. One that was cancelled
        before is ``"CANC"``.
        """

    def cancel_payment(self, *, payment_id: str, now: str) -> Json:
        """Cancel a payment permanently, also one that never came: ``{"paymentId", "cancelled": True}``. Too
        late: ``{"paymentId", "cancelled": False, "transactionStatus"}``. It may come again."""

    def agreements(self, *, person: str) -> Json:
        """``{"person", "agreements": [{"corporate", "name", "owner"}]}``, the oldest first."""

    def accounts(self, *, psu: Psu) -> Json:
        """``{"psu", "accounts": [account]}``, the oldest first."""

    def account(self, *, psu: Psu, account_id: str) -> Json | None:
        """The account, ``{"accountId", "currency", …}``; None: none of theirs."""

    def balances(self, *, account_id: str) -> Json:
        """``{"accountId", "balances": [{"balanceType", "balanceAmount"}]}``."""

    def booked(
        self, *, account_id: str, date_from: str | None, date_to: str | None, offset: int, limit: int
    ) -> Json:
        """``{"accountId", "transactions": [transaction], "total"}``, the newest first."""

    def pending(self, *, account_id: str) -> Json:
        """``{"accountId", "transactions": [transaction]}``, the newest first."""

    def transaction(self, *, account_id: str, transaction_id: str) -> Json | None:
        """The transaction and ``"accountId"``; None: there is none."""

    def card_accounts(self, *, psu: Psu) -> Json:
        """``{"psu", "cardAccounts": [card account]}``, the oldest first."""

    def card_account(self, *, psu: Psu, card_account_id: str) -> Json | None:
        """The card account, ``{"cardAccountId", "maskedPan", "currency", …}``; None: none of theirs."""

    def card_balances(self, *, card_account_id: str) -> Json:
        """``{"cardAccountId", "balances": [{"balanceType", "balanceAmount"}]}``."""

    def card_booked(
        self, *, card_account_id: str, date_from: str | None, date_to: str | None, offset: int, limit: int
    ) -> Json:
        """``{"cardAccountId", "transactions": [card transaction], "total"}``, the newest first."""

    def card_pending(self, *, card_account_id: str) -> Json:
        """``{"cardAccountId", "transactions": [card transaction]}``, the newest first."""


def check_bank_answer(method: str, question: Json, answer: object) -> None:
    """Checks an answer as an engine does that asks its bank: the members, their values, and what it has to
    repeat of the question. For tests of a bank, without an engine.

    ``BankError`` for an answer that an engine would not take, with its place as a JSON Pointer.
    ``MisuseError`` for a method that is no question of ``xs2a/docs/bank.md``.
    """
    check_bank_answer_text(method, _json_of("question", method, question), _json_of("answer", method, answer))


def _json_of(part: str, method: str, value: object) -> str:
    try:
        return _written(value)
    except UnusableAnswer as why:
        raise BankError(f"{method}: the {part}: {why}") from None


class UnusableAnswer(Exception):
    """An answer that cannot be written as JSON. Its text names types alone, for an operator's log."""


def ask(bank: object, method: str, members: list[str], request: str) -> str:
    """One question to the bank, from JSON to JSON. What the bank raises is logged here; an answer of the
    wrong shape is reported by the engine."""
    asked = json.loads(request)
    arguments = {_snake_case(name): asked.get(name) for name in members}
    try:
        # Where the method cannot be looked up, as through a proxy that has lost its bank, the bank is away.
        answer = getattr(bank, method)(**arguments)
    except Exception as raised:
        log_trouble(f"the bank's `{method}`", raised)
        raise
    return _written(answer)


def log_trouble(who: str, raised: Exception) -> None:
    log_failure(_log, f"{who} failed", raised)


def is_registered(registry: Callable[[str], bool], organisation_id: str) -> bool:
    """One question to the register. Every exception is logged here."""
    try:
        answer = registry(organisation_id)
    except Exception as raised:
        log_trouble("the register", raised)
        raise
    if isinstance(answer, bool):
        return answer
    _give_up(answer)
    wrong = f"the register answered with the type `{type(answer).__name__}`, not with True or False"
    _log.error(wrong)
    raise TypeError(wrong)


def revocation_status(
    revocation: Callable[[bytes, bytes | None], str], certificate: bytes, issuer: bytes | None
) -> str:
    """One question about a certificate. Every exception is logged here."""
    try:
        answer = revocation(certificate, issuer)
    except Exception as raised:
        log_trouble("the revocation", raised)
        raise
    if isinstance(answer, str) and answer in _STATUSES:
        return answer
    _give_up(answer)
    wrong = (
        f"the revocation answered with a value of the type `{type(answer).__name__}` that is none of "
        f"{', '.join(_STATUSES)}"
    )
    _log.error(wrong)
    raise TypeError(wrong)


def signature(sign: Callable[[bytes], bytes], text: bytes) -> bytes:
    """One signature by the seal. Every exception is logged here."""
    try:
        answer = sign(text)
    except Exception as raised:
        log_trouble("the seal", raised)
        raise
    if isinstance(answer, bytes):
        return answer
    _give_up(answer)
    wrong = f"the seal answered with the type `{type(answer).__name__}`, not with bytes"
    _log.error(wrong)
    raise TypeError(wrong)


_STATUSES = ("good", "revoked", "stale", "unknown")


def _snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda found: "_" + found[0].lower(), name)


def _written(answer: object) -> str:
    """The answer as JSON. Coroutines in it are closed, because they are not awaited."""
    strange: list[str] = []

    def plain(value: object) -> str | None:
        if isinstance(value, Decimal):
            return format(value, "f")
        if type(value) is date:
            return value.isoformat()
        _give_up(value)
        strange.append(type(value).__name__)
        return None

    try:
        text = json.dumps(answer, default=plain, allow_nan=False)
    except Exception as raised:
        # Its text would have the value in it, and so would the traceback.
        why = f"the type `{type(answer).__name__}` cannot be written as JSON ({type(raised).__name__})"
        raise UnusableAnswer(why) from None
    if strange:
        raise UnusableAnswer(f"JSON has no type `{strange[0]}`")
    return text


def _give_up(value: object) -> None:
    """Closes what was written with ``async`` and never begun: Python warns of that."""
    if inspect.iscoroutine(value) and inspect.getcoroutinestate(value) == inspect.CORO_CREATED:
        value.close()
