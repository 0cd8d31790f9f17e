"""The plain values that functions answer with: frozen, comparable, hashable."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from xs2a._answer import first_value, unpacked


@dataclass(frozen=True)
class Certificate:
    """What a certificate says of a TPP (RFC 5280, ETSI TS 119 495)."""

    serial_number: str
    """Upper-case hex without leading zeros, as keyId has it after ``SN=``."""
    issuer: str
    """The issuer as RFC 2253 text, as keyId has it after ``CA=``."""
    subject: str
    """The subject as RFC 2253 text."""
    not_before: datetime
    """Valid from this time on, in UTC."""
    not_after: datetime
    """Valid up to and including this time, in UTC."""
    roles: tuple[str, ...]
    """The roles of the PSD2 QCStatement: ``"PSP_AS"``, ``"PSP_PI"``, ``"PSP_AI"``, ``"PSP_IC"``."""
    organisation_id: str | None
    """The authorisation number, organizationIdentifier (2.5.4.97), such as ``"PSDNO-FSA-123456789"``."""


@dataclass(frozen=True)
class Verification:
    """What ``verify_signature`` or ``verify_response`` found. True in a condition when it verifies."""

    ok: bool
    """Whether the request verifies."""
    reason: str | None
    """The stable id of the first refusal, such as ``"SIG-13"``; None when it verifies."""
    text: str | None
    """The refusal in English, as a TPP would read it, and the header it is about, such as
    ``"Date: the header is required"``; None when it verifies."""
    certificate: Certificate | None
    """The signing certificate, where it could be read."""

    def __bool__(self) -> bool:
        return self.ok


@dataclass(frozen=True)
class Explanation:
    """What ``explain`` found: which mistake of a client made a request fail."""

    ok: bool
    """Whether the request verifies: there is nothing to explain."""
    reason: str | None
    """The stable id of the first refusal, as ``verify_signature`` gives it, such as ``"SIG-13"``."""
    mistake: str | None
    """The id of the mistake, such as ``"trailing-newline"`` (``xs2a.mistakes()``); None if none is proven."""
    text: str
    """What was done, and what to do instead."""
    proof: str | None
    """Why it is certain: ``"hash"`` (the signature holds the hash of ``signed``), ``"digest"`` (the Digest is
    that of ``signed``), ``"key"``, ``"form"``, ``"clock"``; None if there is no mistake."""
    expected: str | None
    """The signing string as the bank builds it; None if the request lacks what it is built from."""
    signed: str | None
    """The text that was signed, or that the Digest was taken of, if it was found; bytes that are not UTF-8 as
    ``\\xNN``."""
    hypotheses: int = 0
    """How many hypotheses were tried."""

    def _repr_html_(self) -> str:
        from xs2a._html import of_explanation

        return of_explanation(self)


@dataclass(frozen=True)
class TppMessage:
    """One entry of an answer's ``tppMessages`` (contract: TPP message)."""

    category: Literal["ERROR", "WARNING"]
    """An ERROR refuses the payment, a WARNING does not."""
    code: str
    """A code of the contract's section Errors, such as ``"FORMAT_ERROR"``."""
    path: str | None
    """The member in question as a JSON Pointer, such as ``"/creditorAccount/bban"``."""
    text: str
    """The cause in English, at most 512 characters."""


@dataclass(frozen=True)
class RunReport:
    """The counts of one ``run_due``."""

    submitted: int = 0
    """Payments the bank took."""
    withdrawn: int = 0
    """Payments that are not delivered any more, because they ended before."""
    failed: int = 0
    """Payments the bank could not take now; they stay due."""
    dead_letters: int = 0
    """Orders that became dead letters: see ``Engine.dead_letters``."""


@dataclass(frozen=True)
class DeadLetter:
    """An order that is not delivered to the bank until it is retried or its payment's status is reported."""

    payment_id: str
    """The payment; of an order that cannot be read in the store, what is stored as its id."""
    attempts: int
    """How often delivery failed; 0 where that cannot be read."""
    why: str
    """Why, in English; safe to log."""
    since: datetime
    """When it became a dead letter, in UTC."""


@dataclass(frozen=True)
class Call:
    """A signed call, as the ``when`` of a fault sees it."""

    operation: str
    """Its name, such as ``"getAccounts"``; ``xs2a.Coverage().untouched("operations")`` has all."""
    tpp: str
    """The organisation_id of the TPP."""
    product: str | None
    """The payment product that its path names."""
    method: str
    """Such as ``"POST"``."""
    target: str
    """Path and query as sent."""
    headers: tuple[tuple[str, str], ...]
    """Name and value of each header, in the order sent."""
    body: bytes
    """The bytes received."""

    def header(self, name: str) -> str | None:
        """The value of the first header of that name, in any case."""
        return first_value(self.headers, name)


@dataclass(frozen=True)
class ProvokedRequest:
    """A signed request, and its answer if it is the next one and policies have their defaults:
    ``sandbox.provoke(…)``."""

    method: str
    """Such as ``"POST"``."""
    target: str
    """Path and query, the base path included."""
    headers: tuple[tuple[str, str], ...]
    """Name and value of each header."""
    body: bytes
    """The body; empty where there is none."""
    code: str
    """The code it earns, such as ``"KID_INVALID"``."""
    status: int
    """The HTTP status it earns."""
    reason: str
    """The stable id of the cause, such as ``"KID-02"``."""


@dataclass(frozen=True)
class JournalCall:
    """A request in the journal of a sandbox, as it was sent, and its answer. Nothing in it is masked."""

    number: int
    """Counts from 1. A fork goes on counting from its parent's number."""
    at: datetime
    """What the sandbox's clock showed, in UTC."""
    method: str
    """The method."""
    target: str
    """Path and query as sent."""
    headers: tuple[tuple[str, str], ...]
    """Name and value of each header, in the order sent. A value that is not UTF-8 is shown as Latin-1."""
    body: bytes
    """The body; of one that is larger than any that is taken, the beginning."""
    status: int
    """The HTTP status of the answer."""
    answer_headers: tuple[tuple[str, str], ...]
    """Name and value of each header of the answer."""
    answer_body: bytes
    """The body of the answer as sent: compressed where Content-Encoding says so."""
    reason: str | None
    """The stable id of the first refusal, such as ``"SIG-07"``."""
    reasons: tuple[str, ...]
    """The ids of all refusals and warnings, in the answer's order."""
    operation: str | None
    """What it was routed to, such as ``"createPayment"``; None for an unknown path and for the SCA site."""
    tpp: str | None
    """The organisation_id of its certificate, where that counts."""
    happened: tuple[str, ...] = ()
    """What happened inside the bank during the step, in words: faults that struck, payments that moved on."""

    def header(self, name: str) -> str | None:
        """The value of the first header of that name, in any case."""
        return first_value(self.headers, name)

    def json(self) -> Any:
        """The body of the answer as Python objects. ``json.JSONDecodeError`` where it is not JSON."""
        return json.loads(unpacked(self.answer_body, first_value(self.answer_headers, "Content-Encoding")))


@dataclass(frozen=True)
class JournalNote:
    """A control step of a sandbox, such as a movement of its clock or an answer of a customer."""

    number: int
    """Counts from 1, calls included."""
    at: datetime
    """What the sandbox's clock showed before, in UTC."""
    text: str
    """What was done, in words."""
    happened: tuple[str, ...] = ()
    """What happened inside the bank during the step, in words: faults that struck, payments that moved on."""
