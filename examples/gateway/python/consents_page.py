"""A page for permissions: which TPPs may read what a customer opened, and which could. A bank shows it in
its own site, behind its login."""

from __future__ import annotations

import logging
from html import escape
from typing import Any
from urllib.parse import parse_qs, urlencode

import xs2a
from ledger import ACCOUNTS, CUSTOMERS
from sca_page import LATER, Page, page

Json = dict[str, Any]
log = logging.getLogger("gateway.consents")

ROWS = 20
NAMES = {account.id: account.bban for account in ACCOUNTS}
WRONG = page(400, "This is not what the page sends")


def answer(engine: xs2a.Engine, method: str, query: str, body: bytes) -> Page:
    """Answers ``GET``, with the person in the query, and ``POST``, with person and TPP in the form."""
    fields = parse_qs(query if method == "GET" else body.decode("latin-1"))
    person, tpp, after = (fields.get(name, [""])[0] for name in ("person", "tpp", "after"))
    if person not in [customer.person for customer in CUSTOMERS]:
        return WRONG
    try:
        if method == "POST":
            engine.revoke_consent(person, tpp)
            return Page(303, location=f"/consents?{urlencode({'person': person})}")
        return show(engine, person, after or None)
    except xs2a.MisuseError:
        return WRONG
    except xs2a.StoreError as error:
        log.error("the consents cannot be read or changed: %s", error)
        return LATER


def show(engine: xs2a.Engine, person: str, after: str | None) -> Page:
    consents = engine.consents(psu=person, after=after, limit=ROWS)
    more = ""
    if len(consents) == ROWS:
        older = urlencode({"person": person, "after": consents[-1]["id"]})
        more = f'<p><a href="/consents?{escape(older)}">Older ones</a></p>\n'
    head = "".join(
        f"<th>{name}</th>"
        for name in ("Who", "What for", "Accounts", "Given", "Valid until", "Last access", "State")
    )
    rows = "".join(row(consent, person) for consent in consents)
    return page(200, "Who may read my accounts", f"<table>\n<tr>{head}</tr>\n{rows}</table>\n{more}")


def row(consent: Json, person: str) -> str:
    accounts = ", ".join(NAMES.get(account, account) for account in consent["accounts"])
    cells = [
        consent.get("tppName") or consent["tpp"],
        "account information",
        accounts,
        consent["grantedAt"][:10],
        consent["validUntil"][:10],
        consent.get("lastAccessAt", "never")[:10],
    ]
    shown = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr>{shown}<td>{state(consent, person)}</td></tr>\n"


def state(consent: Json, person: str) -> str:
    if "endedAt" in consent:
        return f"{consent['endedWhy']} {consent['endedAt'][:10]}"
    return (
        '<form method="post" action="/consents">'
        f'<input type="hidden" name="person" value="{escape(person)}">'
        f'<input type="hidden" name="tpp" value="{escape(consent["tpp"])}">'
        "<button>Revoke</button></form>"
    )
