"""What an operator of a bank asks and does: consents, payments, blocked TPPs, health and figures."""

# Not `from __future__ import annotations`: the types are read at run time.

from http import HTTPStatus
from typing import Any

import msgspec

from xs2a._control import bodies
from xs2a._control.control import Control
from xs2a._control.handlers import PlainText
from xs2a._control.problem import Problem


def _given(query: msgspec.Struct) -> dict[str, Any]:
    """The members that the request has, by the names of the arguments in Python."""
    return {
        name: value for name, value in msgspec.structs.asdict(query).items() if value is not msgspec.UNSET
    }


def bank_health(control: Control) -> dict[str, Any]:
    return control.sandbox.engine.health()


def bank_metrics(control: Control) -> PlainText:
    return PlainText(control.sandbox.engine.metrics())


def bank_statistics(control: Control, query: bodies.StatisticsQuery) -> list[dict[str, Any]]:
    return control.sandbox.engine.statistics(**_given(query))


def bank_statistics_csv(control: Control, query: bodies.StatisticsQuery) -> PlainText:
    return PlainText(control.sandbox.engine.statistics_csv(**_given(query)))


def erase_psu(control: Control, psu: str) -> dict[str, Any]:
    return control.sandbox.engine.erase_psu(psu)


def list_consents(control: Control, query: bodies.ConsentQuery) -> list[dict[str, Any]]:
    return control.sandbox.engine.consents(**_given(query))


def list_payments(control: Control, query: bodies.PaymentQuery) -> list[dict[str, Any]]:
    return control.sandbox.engine.payments(**_given(query))


def show_payment(control: Control, payment_id: str) -> dict[str, Any]:
    found = control.sandbox.engine.payment(payment_id)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, "no payment has this id")
    return found


def list_blocked(control: Control) -> list[dict[str, Any]]:
    return control.sandbox.engine.blocked()


def block(control: Control, body: bodies.NewBlock) -> None:
    control.sandbox.engine.block(**_given(body))


def unblock(control: Control, query: bodies.BlockQuery) -> None:
    if not control.sandbox.engine.unblock(**_given(query)):
        raise Problem(HTTPStatus.NOT_FOUND, "there is no such block")
