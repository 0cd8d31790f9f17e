"""The table of the control interface. Routing, validation, the OpenAPI document and the list in
the guide are made from it."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from typing import Any, Union

from xs2a._control import handlers, operators, tables
from xs2a._control.handlers import JsonText, PlainText
from xs2a._control.tables import TableFile

__all__ = ["NOT_THERE", "ROUTES", "Route"]

_BODY_BYTES_MAX = 1024 * 1024
_STATE_BYTES_MAX = 64 * 1024 * 1024


@dataclass(frozen=True)
class Route:
    """One operation. Its schemas are the types of its handler's arguments and result."""

    method: str
    path: str
    handler: Callable[..., Any]
    summary: str
    does: tuple[str, ...] = ()
    """What of the Python package it is, such as ``Clock.now``."""
    status: int = HTTPStatus.OK
    body_bytes_max: int = _BODY_BYTES_MAX

    @property
    def operation_id(self) -> str:
        """The name of its handler, as the OpenAPI document has it."""
        first, *rest = self.handler.__name__.split("_")
        return first + "".join(word.title() for word in rest)

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """The type of each argument of the handler: path parameters, ``query`` and ``body``."""
        hints = typing.get_type_hints(self.handler, include_extras=True)
        return {name: hint for name, hint in hints.items() if name not in ("control", "return")}

    @cached_property
    def path_parameters(self) -> tuple[str, ...]:
        """The names in braces in its path."""
        return tuple(re.findall(r"{(\w+)}", self.path))

    @cached_property
    def answers(self) -> tuple[Any, ...]:
        """What it may answer with; nothing where it has no content."""
        answer = typing.get_type_hints(self.handler, include_extras=True)["return"]
        if answer is types.NoneType if hasattr(types, "NoneType") else answer is type(None):
            return ()
        return typing.get_args(answer) if typing.get_origin(answer) is Union else (answer,)

    @cached_property
    def json_answers(self) -> tuple[Any, ...]:
        """Those that are JSON."""
        return tuple(
            dict[str, Any] if answer is JsonText else answer
            for answer in self.answers
            if answer not in (PlainText, TableFile)
        )


def _get(path: str, handler: Callable[..., Any], summary: str, *does: str) -> Route:
    return Route("GET", path, handler, summary, does)


def _post(path: str, handler: Callable[..., Any], summary: str, *does: str, status: int = 200) -> Route:
    return Route("POST", path, handler, summary, does, status)


def _delete(path: str, handler: Callable[..., Any], summary: str, *does: str) -> Route:
    return Route("DELETE", path, handler, summary, does, HTTPStatus.NO_CONTENT)


_CREATED, _NO_CONTENT = HTTPStatus.CREATED, HTTPStatus.NO_CONTENT

ROUTES: tuple[Route, ...] = (
    _get("/health", handlers.health, "Whether the bank is served, and where."),
    _get(
        "/bank",
        handlers.show_bank,
        "Addresses and the default data set.",
        "Sandbox.base_path",
        "Sandbox.body_bytes_max",
        "Sandbox.default_data",
    ),
    Route(
        "PATCH",
        "/bank",
        handlers.change_bank,
        "Sets where links to the bank's site lead.",
        ("Sandbox.sca_origin",),
    ),
    _get(
        "/bank/health",
        operators.bank_health,
        "Whether the engine works: its store, its trust.",
        "Engine.health",
    ),
    _get(
        "/bank/metrics", operators.bank_metrics, "Figures in the text format of Prometheus.", "Engine.metrics"
    ),
    _get(
        "/bank/statistics",
        operators.bank_statistics,
        "The figures of the interface by day, with the policy `statistics`.",
        "Engine.statistics",
    ),
    _get(
        "/bank/statistics.csv",
        operators.bank_statistics_csv,
        "The same, as a CSV with a row for each day.",
        "Engine.statistics_csv",
    ),
    _get("/bank/openapi.json", handlers.bank_openapi, "The interface of the bank to TPPs."),
    _get("/clock", handlers.show_clock, "The time, and the next event.", "Clock.now", "Clock.next_event"),
    _post(
        "/clock",
        handlers.move_clock,
        "Moves the clock forward: to a time, by a duration, or to the next event.",
        "Clock.set",
        "Clock.advance",
        "Clock.advance_to_next_event",
    ),
    _get("/faults", handlers.list_faults, "The faults that are set.", "Faults.__iter__", "Fault.spec"),
    _post(
        "/faults",
        handlers.add_fault,
        "Sets a fault.",
        "Faults.add",
        "Faults.add_spec",
        "Faults.bank_down",
        "Faults.no_rate",
        "Faults.sca",
        "Faults.slow",
        "Faults.submit_payment",
        "Fault.id",
        "Fault.seen",
        "Fault.hits",
        status=_CREATED,
    ),
    _delete("/faults", handlers.clear_faults, "Removes every fault.", "Faults.clear"),
    _delete("/faults/{fault_id}", handlers.remove_fault, "Removes a fault.", "Fault.remove"),
    _post(
        "/provoke",
        handlers.provoke,
        "Makes a signed request that is refused with a code, if it is the next one.",
        "Sandbox.provoke",
    ),
    _post(
        "/authorise",
        handlers.authorise,
        "Does what the PSU does at the SCA site.",
        "Sandbox.authorise",
        "Engine.complete_sca",
    ),
    _get(
        "/authorisations/{authorisation_id}",
        handlers.show_authorisation,
        "What the SCA site shows for a link that is open.",
        "Engine.authorisation",
    ),
    _post(
        "/consents/revoke",
        handlers.revoke_consent,
        "Revokes what a PSU opened to a TPP.",
        "Sandbox.revoke_consent",
        "Engine.revoke_consent",
        status=_NO_CONTENT,
    ),
    _get(
        "/consents",
        operators.list_consents,
        "Consents that count and ended ones, the newest first.",
        "Engine.consents",
    ),
    _get("/payments", operators.list_payments, "Payments, the newest first.", "Engine.payments"),
    _get("/blocked", operators.list_blocked, "The TPPs and certificates that are blocked.", "Engine.blocked"),
    _post(
        "/blocked",
        operators.block,
        "Blocks a TPP or one certificate.",
        "Engine.block",
        status=_NO_CONTENT,
    ),
    _delete("/blocked", operators.unblock, "Removes a block.", "Engine.unblock"),
    Route(
        "DELETE",
        "/psus/{psu}",
        operators.erase_psu,
        "Deletes what no law keeps of a person; the answer says what went and what stays.",
        ("Engine.erase_psu",),
    ),
    _post(
        "/payments/report",
        handlers.report_payment,
        "Reports the status of a payment from another channel of the bank.",
        "Sandbox.report_payment_status",
        "Engine.report_payment_status",
        status=_NO_CONTENT,
    ),
    _get("/payments/{payment_id}", operators.show_payment, "A payment with its events.", "Engine.payment"),
    _post("/hold", handlers.hold, "Puts a payment on hold.", "Sandbox.hold", status=_NO_CONTENT),
    _post(
        "/release",
        handlers.release,
        "Releases a payment that is on hold.",
        "Sandbox.release",
        status=_NO_CONTENT,
    ),
    _post(
        "/cards/status",
        handlers.set_card_status,
        "Sets the status of a card account.",
        "Sandbox.set_card_status",
        status=_NO_CONTENT,
    ),
    _post(
        "/sca-demand",
        handlers.set_sca_demand,
        "Sets what the bank's risk analysis says of a private customer.",
        "Sandbox.set_sca_demand",
        status=_NO_CONTENT,
    ),
    _get("/tpps", handlers.list_tpps, "The TPPs that were registered here."),
    _post(
        "/tpps",
        handlers.register_tpp,
        "Registers a TPP; the answer has its certificate and key.",
        "Sandbox.register_tpp",
        status=_CREATED,
    ),
    _get(
        "/tpps/{organisation_id}",
        handlers.show_tpp,
        "A TPP, with certificate and key.",
        "Sandbox.tpp",
        "Tpp.name",
        "Tpp.organisation_id",
        "Tpp.roles",
        "Tpp.certificate_pem",
        "Tpp.private_key_pem",
    ),
    _post(
        "/tpps/{organisation_id}/sign",
        handlers.sign,
        "Signs a request as the TPP's client would.",
        "Tpp.sign",
    ),
    _get("/trust", handlers.show_trust, "The root certificate of the test PKI.", "Sandbox.root_pem"),
    _post(
        "/trust",
        handlers.trust,
        "Trusts certificates that were made elsewhere.",
        "Sandbox.trust",
        status=_NO_CONTENT,
    ),
    _get(
        "/journal",
        handlers.show_journal,
        "What was done with the sandbox, oldest first; as JSON the last 100 entries unless `last` is given.",
        "Sandbox.journal",
        "Journal.__len__",
        "Journal.__iter__",
        "Journal.calls",
        "Journal.text",
        "Journal.har",
        "Journal.curl",
        "Journal.pytest",
        "Sandbox.calls",
    ),
    _delete("/journal", handlers.clear_journal, "Deletes every entry.", "Journal.clear"),
    _get("/journal/{number}", handlers.show_entry, "One entry.", "Journal.__getitem__"),
    _get(
        "/journal/{number}/explanation",
        handlers.show_explanation,
        "Which mistake made authentication refuse a call.",
        "Journal.explanation",
    ),
    _get("/coverage", handlers.show_coverage, "What the sandbox has seen.", "Sandbox.coverage"),
    _get("/snapshots", handlers.list_snapshots, "The snapshots that are kept here."),
    _post("/snapshots", handlers.take_snapshot, "Takes a snapshot.", "Sandbox.snapshot", status=_CREATED),
    _delete("/snapshots/{snapshot_id}", handlers.remove_snapshot, "Deletes a snapshot."),
    _post(
        "/snapshots/{snapshot_id}/restore",
        handlers.restore_snapshot,
        "Restores a snapshot, the clock included.",
        "Sandbox.restore",
    ),
    _get(
        "/snapshots/{snapshot_id}/changes",
        handlers.changes_since,
        "What changed since a snapshot, a line each.",
    ),
    _get("/state", handlers.export_state, "The whole state as JSON.", "Sandbox.export_json"),
    Route(
        "PUT",
        "/state",
        handlers.import_state,
        "Imports a state, which may have been edited.",
        ("Sandbox.import_json",),
        _NO_CONTENT,
        _STATE_BYTES_MAX,
    ),
    _get(
        "/state/{section}",
        handlers.show_state,
        "The newest rows of one section of the state, such as `payments`, newest first.",
    ),
    _post("/populate", handlers.populate, "Creates customers with a history.", "Sandbox.populate"),
    _get(
        "/ledger/{account}",
        handlers.show_ledger,
        "What is booked on an account, named by bban or iban.",
        "Sandbox.ledger",
    ),
    _get("/tables", tables.list_tables, "The tables, with their columns.", "Sandbox.tables"),
    _get(
        "/tables/{name}",
        tables.show_table,
        "A table as a file: Arrow's streaming format, Parquet or CSV.",
        "Sandbox.table",
    ),
    _get(
        "/reconcile",
        handlers.reconcile,
        "Accounts whose balance is not what was booked on them.",
        "Sandbox.reconcile",
    ),
    _get("/policy", handlers.show_policy, "Every policy with its present value.", "Sandbox.policy"),
    Route("PATCH", "/policy", handlers.change_policy, "Changes policies.", ("Sandbox.set_policy",)),
    _post(
        "/initialize",
        handlers.initialize,
        "Deletes everything and loads the default data set.",
        "Sandbox.initialize",
        status=_NO_CONTENT,
    ),
)

_IN_PROCESS = "it gives an object of this process; over the network use snapshots"
_ALL_CALLS = "the sandbox does this after every call"
_SANDBOX = "it is for an engine with a host's own trust; a sandbox refuses it"

NOT_THERE: dict[str, str] = {
    "Sandbox.handle": "TPPs call the bank at its own address",
    "Sandbox.handle_http": "TPPs call the bank at its own address",
    "Sandbox.fork": _IN_PROCESS,
    "Sandbox.serve": "the sandbox is served already",
    "Sandbox.wsgi": "the sandbox is served already",
    "Sandbox.close": "the process that serves the sandbox closes it",
    "Sandbox.clock": "its members are listed",
    "Sandbox.faults": "its members are listed",
    "Sandbox.engine": "its members are listed",
    "Faults.__len__": "the list of faults shows it",
    "Journal.count": "a method that every sequence of Python has",
    "Journal.index": "a method that every sequence of Python has",
    "Engine.handle": "TPPs call the bank at its own address",
    "Engine.handle_http": "TPPs call the bank at its own address",
    "Engine.close": "the process that serves the sandbox closes it",
    "Engine.run_due": _ALL_CALLS,
    "Engine.next_due": "the next event of the clock includes it",
    "Engine.dead_letters": "the section `orders` of the state shows them",
    "Engine.retry_order": "the bank of a sandbox takes every order, so that there is no dead letter",
    "Engine.audit": "the section `audit` of the state shows it",
    "Engine.replace_trust_anchors": _SANDBOX,
    "Engine.supply_crl": _SANDBOX,
    "Engine.clear_crls": _SANDBOX,
    "Engine.next_crl_due": _SANDBOX,
    "Engine.replace_register": _SANDBOX,
    "Engine.replace_response_key": "a sandbox signs by the bank of its test PKI",
    "Engine.forget_registration": _SANDBOX,
}
"""What the Python objects can do and this interface cannot, with the reason."""
