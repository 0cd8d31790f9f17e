"""The plain values that functions answer with: frozen, comparable, hashable."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal


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
    """What ``verify_signature`` found. True in a condition when the request verifies."""

    ok: bool
    """Whether the request verifies."""
    reason: str | None
    """The stable id of the first refusal, such as ``"SIG-13"``; None when it verifies."""
    text: str | None
    """The refusal in English, as a TPP would read it; None when it verifies."""
    certificate: Certificate | None
    """The signing certificate, where it could be read."""

    def __bool__(self) -> bool:
        return self.ok


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
    """What one run of what was due did."""

    submitted: int
    """Payments the bank took."""
    failed: int
    """Payments the bank could not take now; they stay due."""
