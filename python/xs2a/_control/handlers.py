"""What each route of the control interface does: one function each, in the order of the table in ``routes``.

A function takes the path parameters by name, ``query`` and ``body``; the types of these arguments and of the
result are the schemas.
"""

# Not `from __future__ import annotations`: the types are read at run time.

from dataclasses import asdict
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Union

import msgspec

from xs2a import __version__
from xs2a._control import bodies, entries
from xs2a._control.control import Control, Snapshot
from xs2a._control.problem import Problem
from xs2a._errors import MisuseError
from xs2a._native import Tpp, diff, journal_explanation, openapi, state_rows

_ENTRIES = 100
"""So many of the newest entries are answered where no number is given."""


class StateText(str):
    """The text of an exported state, which the sandbox itself reads."""


class PlainText(str):
    """An answer that is not JSON."""


class JsonText(str):
    """An answer that is JSON already."""


def health(control: Control) -> bodies.Health:
    return bodies.Health(status="ok", version=__version__, bank=control.url)


def show_bank(control: Control) -> bodies.Bank:
    sandbox = control.sandbox
    return bodies.Bank(
        url=control.url,
        base_path=sandbox.base_path,
        sca_origin=sandbox.sca_origin,
        body_bytes_max=sandbox.body_bytes_max,
        default_data=sandbox.default_data(),
    )


def change_bank(control: Control, body: bodies.BankChange) -> bodies.Bank:
    control.sandbox.sca_origin = body.sca_origin
    return show_bank(control)


def bank_openapi(control: Control) -> dict[str, Any]:
    return openapi(base_path=control.sandbox.base_path)


def show_clock(control: Control) -> bodies.ClockState:
    clock = control.sandbox.clock
    return bodies.ClockState(
        now=clock.now(), next_event=clock.next_event(), follows_real_time=control.real_time
    )


def move_clock(control: Control, body: bodies.OneMove) -> bodies.ClockState:
    clock = control.sandbox.clock
    if body.now is not msgspec.UNSET:
        clock.set(body.now)
    elif body.advance is not msgspec.UNSET:
        clock.advance(msgspec.convert(body.advance, timedelta))
    else:
        clock.advance_to_next_event()
    return show_clock(control)


def list_faults(control: Control) -> list[bodies.FaultView]:
    return [
        bodies.FaultView(id=fault.id, spec=fault.spec, seen=fault.seen, hits=fault.hits)
        for fault in control.sandbox.faults
    ]


def add_fault(control: Control, body: bodies.FaultBody) -> bodies.FaultView:
    spec = msgspec.to_builtins(body)
    fault = control.sandbox.faults.add_spec(spec)
    return bodies.FaultView(id=fault.id, spec=fault.spec, seen=fault.seen, hits=fault.hits)


def clear_faults(control: Control) -> None:
    control.sandbox.faults.clear()


def remove_fault(control: Control, fault_id: int) -> None:
    found = next((fault for fault in control.sandbox.faults if fault.id == fault_id), None)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"there is no fault {fault_id}")
    found.remove()


def provoke(control: Control, body: bodies.Provoke) -> bodies.ProvokedView:
    request = control.sandbox.provoke(body.code)
    return bodies.ProvokedView(
        method=request.method,
        target=request.target,
        headers=list(request.headers),
        body=request.body.decode(),
        code=request.code,
        status=request.status,
        reason=request.reason,
    )


def authorise(control: Control, body: bodies.Authorise) -> bodies.Callback:
    callback = control.sandbox.authorise(
        body.sca_redirect,
        customer_number=body.customer_number,
        context=body.context,
        agreement=body.agreement,
        accounts=body.accounts,
        approve=body.approve,
    )
    return bodies.Callback(callback=callback)


def show_authorisation(control: Control, authorisation_id: str) -> dict[str, Any]:
    found = control.sandbox.engine.authorisation(authorisation_id)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, "the link is unknown, used or expired")
    return found


def revoke_consent(control: Control, body: bodies.ConsentRevocation) -> None:
    control.sandbox.revoke_consent(body.customer_number, body.tpp)


def report_payment(control: Control, body: bodies.PaymentReport) -> None:
    control.sandbox.report_payment_status(body.payment_id, body.status, body.funds_available)


def hold(control: Control, body: bodies.Hold) -> None:
    control.sandbox.hold(body.payment_id, body.why)


def release(control: Control, body: bodies.Release) -> None:
    control.sandbox.release(body.payment_id)


def set_card_status(control: Control, body: bodies.CardStatus) -> None:
    control.sandbox.set_card_status(body.card_account_id, body.status)


def set_sca_demand(control: Control, body: bodies.ScaDemand) -> None:
    control.sandbox.set_sca_demand(body.customer_number, body.demand)


def list_tpps(control: Control) -> list[bodies.TppListed]:
    rows = reversed(state_rows(control.sandbox, "tpps", 10_000))
    return [bodies.TppListed(name=row["name"], organisation_id=row["organisationId"]) for row in rows]


def register_tpp(control: Control, body: bodies.NewTpp) -> bodies.TppView:
    return _tpp_view(control.sandbox.register_tpp(body.name, body.roles))


def show_tpp(control: Control, organisation_id: str) -> bodies.TppView:
    return _tpp_view(_tpp(control, organisation_id))


def sign(control: Control, organisation_id: str, body: bodies.Sign) -> bodies.SignedView:
    tpp = _tpp(control, organisation_id)
    return bodies.SignedView(headers=tpp.sign(body.method, body.target, body.headers, body.body.encode()))


def show_trust(control: Control) -> bodies.TrustView:
    return bodies.TrustView(root_pem=control.sandbox.root_pem)


def trust(control: Control, body: bodies.Trust) -> None:
    control.sandbox.trust(body.pem)


def show_journal(
    control: Control, query: bodies.JournalQuery
) -> Union[list[bodies.EntryView], JsonText, PlainText]:
    journal = control.sandbox.journal
    last = None if query.last is msgspec.UNSET else query.last
    wanted = {"tpp": query.tpp, "operation": query.operation, "status": query.status, "reason": query.reason}
    given = {name: value for name, value in wanted.items() if value is not msgspec.UNSET}
    if query.form == "json":
        found = entries.newest(control.sandbox, last or _ENTRIES, given)
        return [entries.view(entry) for entry in reversed(found)]
    if given:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "only the form json can be filtered")
    if query.form == "pytest":
        return PlainText(journal.pytest())
    if query.form == "har":
        return JsonText(journal.har(last=last, redact=query.redact))
    export = journal.curl if query.form == "curl" else journal.text
    return PlainText(export(last=last, redact=query.redact))


def clear_journal(control: Control) -> None:
    control.sandbox.journal.clear()


def show_entry(
    control: Control, number: int, query: bodies.EntryForm
) -> Union[bodies.EntryView, JsonText, PlainText]:
    entry = _entry(control, number)
    journal = control.sandbox.journal
    if query.form == "json":
        return entries.view(entry)
    if query.form == "har":
        return JsonText(journal.har(number=number, redact=query.redact))
    export = journal.curl if query.form == "curl" else journal.text
    return PlainText(export(number=number, redact=query.redact))


def show_explanation(control: Control, number: int) -> bodies.ExplanationView:
    _entry(control, number)
    found = journal_explanation(control.sandbox, number)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"authentication did not refuse entry {number}")
    members = asdict(found)
    del members["hypotheses"]
    return bodies.ExplanationView(**members)


def show_coverage(control: Control, query: bodies.CoverageQuery) -> dict[str, Any]:
    return control.sandbox.coverage(family=query.family).to_dict()


def list_snapshots(control: Control) -> list[bodies.SnapshotView]:
    return [_snapshot_view(snapshot) for snapshot in control.snapshots.all()]


def take_snapshot(control: Control) -> bodies.SnapshotView:
    at, image = control.sandbox.clock.now(), control.sandbox.snapshot()
    return _snapshot_view(control.snapshots.add(at, image))


def remove_snapshot(control: Control, snapshot_id: int) -> None:
    control.snapshots.remove(snapshot_id)


def restore_snapshot(control: Control, snapshot_id: int) -> bodies.Restored:
    control.sandbox.restore(control.snapshots.get(snapshot_id).image)
    return bodies.Restored(now=control.sandbox.clock.now())


def changes_since(control: Control, snapshot_id: int) -> list[str]:
    return diff(control.snapshots.get(snapshot_id).image, control.sandbox.snapshot())


def export_state(control: Control) -> JsonText:
    return JsonText(control.sandbox.export_json())


def import_state(control: Control, body: StateText) -> None:
    control.sandbox.import_json(body)


def show_state(control: Control, section: str, query: bodies.StateQuery) -> list[dict[str, Any]]:
    member = None if query.member is msgspec.UNSET else query.member
    value = None if query.value is msgspec.UNSET else query.value
    if (member is None) != (value is None):
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "`member` and `value` belong together")
    return state_rows(control.sandbox, section, query.limit, member, value)


def populate(control: Control, body: bodies.Population) -> dict[str, Any]:
    return control.sandbox.populate(
        persons=body.persons,
        companies=body.companies,
        months=body.months,
        lives_on=body.lives_on,
        cases=body.cases,
        events=body.events,
    )


def show_ledger(control: Control, account: str) -> dict[str, Any]:
    try:
        return control.sandbox.ledger(account)
    except MisuseError as error:
        raise Problem(HTTPStatus.NOT_FOUND, str(error)) from error


def reconcile(control: Control) -> list[dict[str, Any]]:
    return control.sandbox.reconcile()


def show_policy(control: Control) -> dict[str, Any]:
    return control.sandbox.policy


def change_policy(control: Control, body: dict[str, Any]) -> dict[str, Any]:
    control.sandbox.set_policy(body)
    return control.sandbox.policy


def initialize(control: Control) -> None:
    control.sandbox.initialize()


def _tpp(control: Control, organisation_id: str) -> Tpp:
    try:
        return control.sandbox.tpp(organisation_id)
    except MisuseError as error:
        raise Problem(HTTPStatus.NOT_FOUND, str(error)) from error


def _tpp_view(tpp: Tpp) -> bodies.TppView:
    return bodies.TppView(
        name=tpp.name,
        organisation_id=tpp.organisation_id,
        roles=list(tpp.roles),
        certificate_pem=tpp.certificate_pem,
        private_key_pem=tpp.private_key_pem,
    )


def _entry(control: Control, number: int) -> entries.Entry:
    found = entries.entry_of(control.sandbox, number)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"there is no entry {number}, or no longer")
    return found


def _snapshot_view(snapshot: Snapshot) -> bodies.SnapshotView:
    return bodies.SnapshotView(id=snapshot.id, at=snapshot.at, bytes=len(snapshot.image))
