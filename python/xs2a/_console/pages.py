"""What each page shows: the values for its template."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

from xs2a._console.documents import POLICY, renderer_file
from xs2a._console.machine import drawn
from xs2a._console.shown import difference
from xs2a._control import entries
from xs2a._control.control import Control
from xs2a._control.problem import Problem
from xs2a._errors import MisuseError
from xs2a._native import journal_explanation, state_rows
from xs2a._values import JournalCall

__all__ = ["PAGES", "Page"]

_ENTRIES = 100
_ROWS = 200
_SESSION_LIFE = timedelta(minutes=60)
_CONSENT_LIFE = timedelta(days=180)
_EDITED_CHARACTERS_MAX = 1_000_000

Query = Mapping[str, str]


@dataclass(frozen=True)
class Page:
    """A page of the console."""

    path: str
    template: str
    title: str
    values: Callable[..., dict[str, Any]]
    """Takes the control, the query and the path parameters."""
    below: str = ""
    """The title of the page in the menu that leads here; nothing for one in the menu."""
    is_live: bool = True
    policy: str = (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; "
        "frame-ancestors 'none'; base-uri 'none'"
    )
    """Its Content-Security-Policy."""


def calls(control: Control, query: Query) -> dict[str, Any]:
    given: dict[str, Any] = {
        name: query[name].strip() for name in ("tpp", "operation", "reason") if query.get(name, "").strip()
    }
    status = query.get("status", "").strip()
    if status.isascii() and status.isdecimal() and len(status) == 3:
        given["status"] = int(status)
    found = entries.newest(control.sandbox, _ENTRIES, given)
    operations = control.sandbox.coverage().to_dict()["operations"]["rows"]
    return {
        "entries": [(entry, isinstance(entry, JournalCall)) for entry in found],
        "given": given,
        "tpps": _tpps(control),
        "operations": [row["name"] for row in operations],
        "total": len(control.sandbox.journal),
    }


def call(control: Control, _query: Query, number: str) -> dict[str, Any]:
    entry = entries.entry_of(control.sandbox, int(number)) if _is_number(number) else None
    if entry is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"there is no entry {number[:20]}, or no longer")
    shown = entries.view(entry)
    values: dict[str, Any] = {"entry": shown, "tpps": _tpps(control), "explanation": None, "difference": None}
    if isinstance(entry, JournalCall):
        values["curl"] = control.sandbox.journal.curl(number=entry.number, redact=False)
        explanation = journal_explanation(control.sandbox, entry.number)
        values["explanation"] = explanation
        if explanation and explanation.expected is not None and explanation.signed is not None:
            values["difference"] = difference(explanation.expected, explanation.signed)
    return values


def payments(control: Control, _query: Query) -> dict[str, Any]:
    return {"payments": state_rows(control.sandbox, "payments", _ROWS), "tpps": _tpps(control)}


def payment(control: Control, _query: Query, payment_id: str) -> dict[str, Any]:
    found = state_rows(control.sandbox, "payments", 1, "id", payment_id)
    if not found:
        raise Problem(HTTPStatus.NOT_FOUND, "there is no such payment")
    events = state_rows(control.sandbox, "paymentEvents", _ROWS, "payment", payment_id)[::-1]
    path = [event["from"] for event in events[:1]] + [event["to"] for event in events]
    return {
        "payment": found[0],
        "events": events,
        "drawing": drawn(path or [found[0]["status"]]),
        "path": path or [found[0]["status"]],
        "tpps": _tpps(control),
    }


def access(control: Control, _query: Query) -> dict[str, Any]:
    now = control.sandbox.clock.now()
    consents = state_rows(control.sandbox, "consents", _ROWS)
    sessions = state_rows(control.sandbox, "sessions", _ROWS)
    return {
        "consents": [
            {
                **row,
                "revoked": row.get("endedWhy") == "revoked",
                "left": _time(row["grantedAt"]) + _CONSENT_LIFE - now,
                "customer": _customer(control, row),
            }
            for row in consents
            if row.get("endedWhy") != "replaced"
        ],
        "sessions": [
            {**row, "left": _time(row["openedAt"]) + _SESSION_LIFE - now, "customer": _customer(control, row)}
            for row in sessions
        ],
        "tpps": _tpps(control),
    }


def accounts(control: Control, query: Query) -> dict[str, Any]:
    wanted = query.get("account", "").strip()
    if wanted:
        member = "iban" if wanted[:2].isalpha() else "bban"
        found = state_rows(control.sandbox, "accounts", _ROWS, member, wanted.replace(" ", ""))
    else:
        found = state_rows(control.sandbox, "accounts", _ROWS)
    rows = [{**row, "customer": _customer(control, {"psu": row["owner"]})} for row in found]
    return {"accounts": rows, "wanted": wanted}


def account(control: Control, _query: Query, account: str) -> dict[str, Any]:
    try:
        return {"ledger": control.sandbox.ledger(account)}
    except MisuseError as error:
        raise Problem(HTTPStatus.NOT_FOUND, str(error)) from error


def sca(control: Control, _query: Query) -> dict[str, Any]:
    waiting = []
    for row in state_rows(control.sandbox, "authorisations", 50, "status", "started"):
        shown = control.sandbox.engine.authorisation(row["id"])
        if shown is not None:
            left = _time(shown["expiresAt"]) - control.sandbox.clock.now()
            link = f"{control.sandbox.sca_origin}{control.sandbox.base_path}/sca/{row['id']}"
            waiting.append({**shown, "left": left, "link": link})
    customers = state_rows(control.sandbox, "customers", _ROWS)[::-1]
    return {
        "waiting": waiting,
        "tpps": _tpps(control),
        "customers": [row for row in customers if row["type"] == "PRIVATE"],
    }


def clock(control: Control, _query: Query) -> dict[str, Any]:
    return {
        "next_event": control.sandbox.clock.next_event(),
        "follows_real_time": control.real_time,
    }


def faults(control: Control, _query: Query) -> dict[str, Any]:
    operations = control.sandbox.coverage().to_dict()["operations"]["rows"]
    return {
        "faults": list(control.sandbox.faults),
        "operations": [row["name"] for row in operations],
        "tpps": _tpps(control),
    }


def coverage(control: Control, _query: Query) -> dict[str, Any]:
    seen = control.sandbox.coverage()
    kinds = [kind for kind in seen.to_dict() if kind != "unrouted"]
    return {"kinds": [(kind, seen.touched(kind), seen.total(kind), seen.untouched(kind)) for kind in kinds]}


def state(control: Control, _query: Query) -> dict[str, Any]:
    text = control.sandbox.export_json()
    return {
        "text": text if len(text) <= _EDITED_CHARACTERS_MAX else None,
        "characters": len(text),
        "snapshots": control.snapshots.all(),
    }


def docs(_control: Control, query: Query) -> dict[str, Any]:
    documents = {"bank": "/bank/openapi.json", "control": "/openapi.json"}
    chosen = query.get("of", "bank")
    return {
        "documents": documents,
        "chosen": chosen,
        "url": documents.get(chosen, documents["bank"]),
        "has_renderer": renderer_file("swagger-ui.css") is not None,
    }


PAGES: tuple[Page, ...] = (
    Page("/", "calls.html", "Calls", calls),
    Page("/console/calls/{number}", "call.html", "Call", call, "Calls", is_live=False),
    Page("/console/payments", "payments.html", "Payments", payments),
    Page("/console/payments/{payment_id}", "payment.html", "Payment", payment, "Payments"),
    Page("/console/access", "access.html", "Consents and sessions", access),
    Page("/console/accounts", "accounts.html", "Accounts", accounts),
    Page("/console/accounts/{account}", "account.html", "Account", account, "Accounts"),
    Page("/console/sca", "sca.html", "SCA", sca, is_live=False),
    Page("/console/clock", "clock.html", "Clock", clock, is_live=False),
    Page("/console/faults", "faults.html", "Faults", faults, is_live=False),
    Page("/console/coverage", "coverage.html", "Coverage", coverage, is_live=False),
    Page("/console/state", "state.html", "State", state, is_live=False),
    Page("/docs", "docs.html", "Interface documents", docs, is_live=False, policy=POLICY),
)


def _tpps(control: Control) -> dict[str, str]:
    """The names of the newest TPPs by their organisation id."""
    rows = state_rows(control.sandbox, "tpps", _ROWS)
    return {row["organisationId"]: row["name"] for row in rows}


def _customer(control: Control, row: dict[str, Any]) -> dict[str, str]:
    found = state_rows(control.sandbox, "customers", 1, "id", row["psu"])
    return found[0] if found else {"name": row["psu"], "customerNumber": ""}


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 18
