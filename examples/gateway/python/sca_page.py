"""The toy bank's page for strong customer authentication: where an ``scaRedirect`` leads.

It does NOT authenticate: the person who opens the link types who they are. A bank has its own site, with
the bank's login, and calls the same two functions of the engine.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import parse_qs

import xs2a
from ledger import CUSTOMERS

Json = dict[str, Any]
log = logging.getLogger("gateway.sca")


@dataclass(frozen=True)
class Page:
    """What is sent back; ``completed``: something may be due."""

    status: int
    body: str = ""
    location: str | None = None
    completed: bool = False


def page(status: int, heading: str, content: str = "") -> Page:
    body = (
        f'<!DOCTYPE html>\n<html lang="en">\n<title>Toy bank</title>\n<h1>{heading}</h1>\n{content}</html>\n'
    )
    return Page(status, body)


GONE = page(404, "This link is not valid, or not any more")
LATER = page(503, "Please try again later")


def answer(engine: xs2a.Engine, method: str, authorisation_id: str, body: bytes) -> Page:
    """Answers ``GET`` and ``POST`` for an authorisation."""
    if method == "GET":
        return show(engine, authorisation_id)
    if method == "POST":
        return complete(engine, authorisation_id, body)
    return page(405, "GET or POST")


def show(engine: xs2a.Engine, authorisation_id: str) -> Page:
    try:
        found = engine.authorisation(authorisation_id)
    except xs2a.StoreError as error:
        log.error("an authorisation cannot be read: %s", error)
        return LATER
    if found is None:
        return GONE
    # Who approves must have seen amount and payee; a bulk is a list of payments.
    payments = [payment for order in found["orders"] for payment in order.get("payments") or [order]]
    people = "".join(
        f'<option value="{customer.person}">{customer.name}</option>\n' for customer in CUSTOMERS
    )
    return page(
        200,
        "Approve at the toy bank",
        "<p>This page has no login. It is in the place of the bank's own site.</p>\n"
        f"<p>{escape(found['tpp'])} asks for: {found['kind']}</p>\n"
        f"<ul>\n{''.join(map(shown, payments))}</ul>\n"
        f'<form method="post">\n<p><label>I am <select name="person">\n{people}</select></label></p>\n'
        '<p><button name="outcome" value="approved">Approve</button>\n'
        '<button name="outcome" value="aborted">Cancel</button></p>\n</form>\n',
    )


def shown(payment: Json) -> str:
    amount, account = payment["instructedAmount"], payment["creditorAccount"]
    number = "".join(f", account {escape(account[kind])}" for kind in ("bban", "iban") if account.get(kind))
    creditor = escape(payment["creditorName"])
    return f"<li>{amount['amount']} {amount['currency']} to {creditor}{number}</li>\n"


def complete(engine: xs2a.Engine, authorisation_id: str, body: bytes) -> Page:
    fields = parse_qs(body.decode("latin-1"))
    person, outcome = fields.get("person", [""])[0], fields.get("outcome", [""])[0]
    if person not in [customer.person for customer in CUSTOMERS]:
        return page(400, "This is not what the page sends")
    try:
        if outcome == "approved":
            url = engine.complete_sca(authorisation_id, "approved", person=person)
        elif outcome == "aborted":
            url = engine.complete_sca(authorisation_id, "aborted")
        else:
            return page(400, "This is not what the page sends")
    except xs2a.MisuseError as error:
        log.error("an authorisation cannot be completed: %s", error)
        return GONE
    except (xs2a.BankError, xs2a.StoreError) as error:
        log.error("an authorisation cannot be completed: %s", error)
        return LATER
    return Page(303, location=url, completed=True)
