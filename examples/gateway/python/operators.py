"""What the gateway answers to the bank's own operators, at an address that no other client reaches: a WSGI
application (PEP 3333)."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timezone
from http import HTTPStatus
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, NamedTuple

import consents_page
import xs2a
from ledger import ACCOUNTS, Ledger
from upkeep import Upkeep
from wsgi_app import HTML, OWN_HEADERS, Answer, CannotBeRead, read_body, send

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

log = logging.getLogger("gateway.operators")

# A form, or the reason of a block, of which the engine takes 400 characters.
BODY_BYTES_MAX = 4096
JSON = ("Content-Type", "application/json")
JSON_LINES = ("Content-Type", "application/x-ndjson")
CSV = ("Content-Type", "text/csv; charset=utf-8")
FIGURES = ("Content-Type", "text/plain; version=0.0.4; charset=utf-8")


class Call(NamedTuple):
    """A request of an operator."""

    rest: str
    """What follows the route's path, as it was sent."""
    method: str
    body: bytes


def dump(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def as_json(status: int, value: object) -> Answer:
    return Answer(status, [JSON, *OWN_HEADERS], dump(value))


def refused(status: int, why: str) -> Answer:
    return as_json(status, {"status": why})


def read_person(reference: str) -> str:
    """A reference to a person as in the toy bank. Nothing is decoded, so that no other person is meant."""
    if not (reference.isascii() and reference.isalnum()):
        raise ValueError("no reference to a person")
    return reference


def read_subject(rest: str) -> dict[str, str]:
    """What is blocked. An organisation identifier has a hyphen, and the SHA-256 of a certificate has none:
    the engine refuses any other text. Nothing is decoded, so a text that a client has encoded would block
    nothing: ``ValueError``."""
    if not rest.isascii() or "%" in rest or "?" in rest:
        raise ValueError("no TPP and no certificate")
    return {"tpp" if "-" in rest else "certificate": rest}


class Operators:
    """The table of routes is in the constructor."""

    def __init__(self, engine: xs2a.Engine, ledger: Ledger, upkeep: Upkeep | None) -> None:
        self._engine, self._ledger, self._upkeep = engine, ledger, upkeep
        self._is_stopping = False
        self._exporting = threading.Lock()  # one at a time, as in C
        # A path that ends with a slash or a question mark has a rest.
        self._routes: tuple[tuple[str, str, Callable[[Call], Answer]], ...] = (
            ("GET", "/health", self._health),
            ("GET", "/metrics", self._metrics),
            ("GET", "/statistics/", self._statistics),
            ("GET", "/audit/", self._audit),
            ("GET", "/consents?", self._consents_page),
            ("POST", "/consents", self._consents_page),
            ("GET", "/consents/", self._consents),
            ("DELETE", "/consents/", self._revoke),
            ("GET", "/payments/", self._payments),
            ("GET", "/payment/", self._payment),
            ("GET", "/blocks", self._blocked),
            ("PUT", "/blocks/", self._block),
            ("DELETE", "/blocks/", self._unblock),
            ("GET", "/dead-letters", self._dead_letters),
            ("POST", "/dead-letters/", self._retry),
            ("DELETE", "/persons/", self._erase),
            ("GET", "/ledger", self._books),
            ("POST", "/batch", self._batch),
        )

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answers every request, also after an error."""
        return send(self._answer(environ), environ, start_response)

    def stop(self) -> None:
        """An export of the audit ends before its next line."""
        self._is_stopping = True

    def _answer(self, environ: WSGIEnvironment) -> Answer:
        method, target = environ["REQUEST_METHOD"], environ["REQUEST_URI"]
        for of_method, path, route in self._routes:
            has_rest = path[-1] in "/?"
            if method == of_method and (target.startswith(path) if has_rest else target == path):
                return self._answer_call(route, environ, target[len(path) :])
        return refused(404, "no such route")

    def _answer_call(self, route: Callable[[Call], Answer], environ: WSGIEnvironment, rest: str) -> Answer:
        """The message of an error may name a person or a payment: it is for the log."""
        try:
            return route(Call(rest, environ["REQUEST_METHOD"], read_body(environ, BODY_BYTES_MAX)))
        except CannotBeRead as error:
            return Answer(error.status, [])
        except (xs2a.Error, ValueError, OSError) as error:
            answer = self._refused_for(error)
            level = logging.ERROR if answer.status == HTTPStatus.SERVICE_UNAVAILABLE else logging.WARNING
            log.log(level, "an operator's request failed: %s", error)
            return answer
        except Exception:  # a mistake of this program
            log.exception("an operator's request could not be answered")
            return Answer(500, [])

    def _refused_for(self, error: Exception) -> Answer:
        if isinstance(error, xs2a.NotFoundError):
            return refused(404, "not found")
        if isinstance(error, xs2a.ConflictError):
            return refused(409, "conflict")
        # At the end the engine is closed, and each call of it is a misuse.
        is_closed = self._is_stopping and isinstance(error, xs2a.MisuseError)
        if isinstance(error, (xs2a.MisuseError, ValueError)) and not is_closed:
            return refused(400, "not understood")
        return refused(503, "unavailable")

    # ------------------------------------------------------------------ state and figures

    def _health(self, call: Call) -> Answer:
        health = self._engine.health()
        if not health["ok"]:
            log.error("the engine is not well: %s", health)
        return as_json(200 if health["ok"] else 503, health)

    def _metrics(self, call: Call) -> Answer:
        return Answer(200, [FIGURES, *OWN_HEADERS], self._engine.metrics().encode())

    def _statistics(self, call: Call) -> Answer:
        first, _, last = call.rest.partition("/")
        return Answer(200, [CSV, *OWN_HEADERS], self._engine.statistics_csv(first, last).encode())

    # ------------------------------------------------------------------ who read what

    def _audit(self, call: Call) -> Answer:
        if not self._exporting.acquire(blocking=False):
            return refused(503, "another export is running")
        try:
            return self._write_audit(call.rest)
        finally:
            self._exporting.release()

    def _write_audit(self, rest: str) -> Answer:
        """By way of a file: a range of any length fits, and an export that broke off is not sent as if it
        were whole."""
        start, _, end = rest.partition("/")
        lines = TemporaryFile()  # noqa: SIM115 - `send` closes it
        try:
            for line in self._engine.audit(start, end):
                if self._is_stopping:
                    raise InterruptedError("an export of the audit broke off at the end of the gateway")
                lines.write(dump(line))
            lines.flush()
        except BaseException:
            with suppress(OSError):  # again what could not be written
                lines.close()
            raise
        return Answer(200, [JSON_LINES, *OWN_HEADERS], file=lines)

    # ------------------------------------------------------------------ consents and payments

    def _consents(self, call: Call) -> Answer:
        """The rest is a person, and for the next page ``/`` and the id of the last row."""
        person, _, after = call.rest.partition("/")
        return as_json(200, self._engine.consents(psu=read_person(person), after=after or None))

    def _payments(self, call: Call) -> Answer:
        person, _, after = call.rest.partition("/")
        return as_json(200, self._engine.payments(psu=read_person(person), after=after or None))

    def _payment(self, call: Call) -> Answer:
        shown = self._engine.payment(call.rest)
        return refused(404, "not found") if shown is None else as_json(200, shown)

    def _revoke(self, call: Call) -> Answer:
        person, _, tpp = call.rest.partition("/")
        return as_json(200, {"revoked": self._engine.revoke_consent(read_person(person), tpp)})

    def _consents_page(self, call: Call) -> Answer:
        """The page of a customer's permissions; its form goes to ``POST /consents``."""
        page = consents_page.answer(self._engine, call.method, call.rest, call.body)
        location = [] if page.location is None else [("Location", page.location)]
        return Answer(page.status, [HTML, *location, *OWN_HEADERS], page.body.encode())

    def _erase(self, call: Call) -> Answer:
        """An open payment of the person is a conflict: the log names it, and the operator waits for its
        end."""
        return as_json(200, self._engine.erase_psu(read_person(call.rest)))

    # ------------------------------------------------------------------ blocks

    def _blocked(self, call: Call) -> Answer:
        return as_json(200, self._engine.blocked())

    def _block(self, call: Call) -> Answer:
        """The body is the reason, for the operators alone."""
        self._engine.block(**read_subject(call.rest), why=call.body.decode())
        return as_json(200, {"blocked": True})

    def _unblock(self, call: Call) -> Answer:
        return as_json(200, {"unblocked": self._engine.unblock(**read_subject(call.rest))})

    # ------------------------------------------------------------------ orders that are not delivered

    def _dead_letters(self, call: Call) -> Answer:
        letters = [
            {
                "paymentId": letter.payment_id,
                "attempts": letter.attempts,
                "why": letter.why,
                "since": letter.since.isoformat(timespec="microseconds").replace("+00:00", "Z"),
            }
            for letter in self._engine.dead_letters()
        ]
        return as_json(200, letters)

    def _retry(self, call: Call) -> Answer:
        self._engine.retry_order(call.rest)
        if self._upkeep is not None:
            self._upkeep.wake()
        return as_json(200, {"retried": True})

    # ------------------------------------------------------------------ the toy bank

    def _books(self, call: Call) -> Answer:
        balances = {account.bban: str(self._ledger.balance(account)) for account in ACCOUNTS}
        orders = [
            {"paymentId": order.paymentId, "status": order.status, "amount": order.amount}
            for _, order in self._ledger.orders()
        ]
        return as_json(200, {"balances": balances, "orders": orders})

    def _batch(self, call: Call) -> Answer:
        """Books, then reports. A second report changes nothing: an interrupted batch is run again."""
        reported = failed = 0
        try:
            self._ledger.run_batch(datetime.now(timezone.utc).date().isoformat())
        except OSError as error:
            log.error("the batch cannot be booked: %s", error)
            return as_json(503, {"reported": reported, "failed": failed})
        for _, order in self._ledger.orders():
            if order.status not in ("ACSC", "RJCT"):
                continue
            try:
                has_funds = True if order.status == "ACSC" else None
                self._engine.report_payment_status(order.paymentId, order.status, has_funds)
                reported += 1
            except xs2a.Error as error:
                log.error("a status cannot be reported: %s", error)
                failed += 1
        return as_json(200 if failed == 0 else 503, {"reported": reported, "failed": failed})
