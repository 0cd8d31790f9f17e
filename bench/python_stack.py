"""The creation of an instant payment as a team would write it in Python, for comparison.

The usual parts, used as they are meant to be: pyca's cryptography or the library httpsig for the signature,
as the argument says, a compiled pydantic model, sqlite3 with prepared statements and one transaction
per request. What can be kept between requests is kept: the parsed certificate, the regular expressions, the
model. It checks what the contract asks of this one call and no more; its framework and its HTTP server are
left out.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import secrets
import sqlite3
import sys
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from email.utils import format_datetime, parsedate_to_datetime
from functools import lru_cache
from typing import Annotated, Literal

import xs2a
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator
from turns import NOW, TARGET, Call, Payer, take_turns

DATE_DEVIATION_MAX = timedelta(seconds=60)
AUTHORISATION_LIFE = timedelta(minutes=10)
DUPLICATE_WINDOW = timedelta(hours=24)

REQUIRED_HEADERS = (
    "x-accept-fix",
    "x-request-id",
    "tpp-session-id",
    "tpp-redirect-uri",
    "digest",
    "tpp-signature-certificate",
    "signature",
    "date",
    "psu-ip-address",
)
SIGNED_WHEN_PRESENT = (
    "date",
    "digest",
    "x-request-id",
    "psu-id",
    "psu-corporate-id",
    "tpp-redirect-uri",
)
MINOR_UNITS = {"NOK": 2, "SEK": 2, "DKK": 2, "EUR": 2, "USD": 2, "JPY": 0}

SIGNATURE_PART = re.compile(r'(keyId|algorithm|headers|signature)="([^"]*)"')
SERIAL_NUMBER = re.compile(r"SN=([0-9A-Fa-f]+)")
WRONG_SIGNATURE = "the signature does not verify"

Text70 = Annotated[str, StringConstraints(min_length=1, max_length=70)]
Text35 = Annotated[str, StringConstraints(min_length=1, max_length=35)]
Text140 = Annotated[str, StringConstraints(min_length=1, max_length=140)]
Bban = Annotated[str, StringConstraints(pattern=r"^\d{11}$")]
Currency = Literal["NOK", "SEK", "DKK", "EUR", "USD", "JPY"]
Country = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")]


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True)


class Amount(Strict):
    amount: Annotated[str, StringConstraints(pattern=r"^\d{1,13}(\.\d{1,5})?$")]
    currency: Currency

    @model_validator(mode="after")
    def minor_units(self) -> Amount:
        digits = len(self.amount.partition(".")[2])
        if digits != MINOR_UNITS[self.currency] or Decimal(self.amount) <= 0:
            raise ValueError("amount has not the minor units of its currency")
        return self


class Account(Strict):
    bban: Bban
    currency: Currency


class Address(Strict):
    street: Text70 | None = None
    building_number: str | None = Field(None, alias="buildingNumber")
    postal_code: str | None = Field(None, alias="postalCode")
    town_name: str | None = Field(None, alias="townName")
    country: Country


class Reference(Strict):
    reference: Text35
    reference_type: Text35 | None = Field(None, alias="referenceType")
    reference_issuer: Text35 | None = Field(None, alias="referenceIssuer")


class Payment(Strict):
    instructed_amount: Amount = Field(alias="instructedAmount")
    creditor_name: Text70 = Field(alias="creditorName")
    creditor_account: Account = Field(alias="creditorAccount")
    creditor_address: Address = Field(alias="creditorAddress")
    debtor_account: Account = Field(alias="debtorAccount")
    ultimate_debtor: Text70 | None = Field(None, alias="ultimateDebtor")
    message: Text140 | None = Field(None, alias="remittanceInformationUnstructured")
    reference: Reference | None = Field(None, alias="remittanceInformationStructured")

    @model_validator(mode="after")
    def one_remittance(self) -> Payment:
        if self.message is not None and self.reference is not None:
            raise ValueError("only one kind of remittance information may be set")
        return self


class RefusedError(Exception):
    """A refusal with its code."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status, self.code, self.text = status, code, text


@dataclass(frozen=True)
class Tpp:
    """What a certificate says, parsed once."""

    key: rsa.RSAPublicKey
    key_der: bytes
    serial_number: int
    organisation_id: str
    not_before: datetime
    not_after: datetime


@lru_cache(maxsize=4096)
def read_certificate(header: str) -> Tpp:
    certificate = x509.load_der_x509_certificate(base64.b64decode(header))
    key = certificate.public_key()
    organisation = certificate.subject.get_attributes_for_oid(x509.ObjectIdentifier("2.5.4.97"))
    if not isinstance(key, rsa.RSAPublicKey) or not organisation:
        raise RefusedError(400, "FORMAT_ERROR", "the certificate is none of a TPP")
    return Tpp(
        key,
        key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo),
        certificate.serial_number,
        str(organisation[0].value),
        certificate.not_valid_before_utc,
        certificate.not_valid_after_utc,
    )


# Refuses a request of that TPP where its method, target and headers are not what it signed.
Verify = Callable[[Tpp, str, str, Mapping[str, str]], None]


def signed_names(tpp: Tpp, headers: Mapping[str, str], parts: Mapping[str, str]) -> list[str]:
    """What a signature covers, where its parts are those of this TPP and this request."""
    names = parts["headers"].split(" ")
    serial_number = SERIAL_NUMBER.search(parts["keyId"])
    if parts["algorithm"] != "rsa-sha256" or not serial_number:
        raise RefusedError(400, "FORMAT_ERROR", "the signature is malformed")
    if int(serial_number.group(1), 16) != tpp.serial_number:
        raise RefusedError(400, "FORMAT_ERROR", "the key is another one")
    if any(name in headers and name not in names for name in SIGNED_WHEN_PRESENT):
        raise RefusedError(400, "FORMAT_ERROR", "a header is not signed")
    return names


def with_pyca() -> Verify:
    """The header read and the signed text put together by hand, the rest by pyca's cryptography."""

    def verify(tpp: Tpp, method: str, target: str, headers: Mapping[str, str]) -> None:
        parts = dict(SIGNATURE_PART.findall(headers["signature"]))
        values = {**headers, "(request-target)": f"{method.lower()} {target}"}
        names = signed_names(tpp, headers, parts)
        signed = "\n".join(f"{name}: {values[name]}" for name in names).encode()
        try:
            signature = base64.b64decode(parts["signature"])
            tpp.key.verify(signature, signed, padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature:
            raise RefusedError(400, "FORMAT_ERROR", WRONG_SIGNATURE) from None

    return verify


def with_httpsig() -> Verify:
    """All of it by httpsig. It takes no parsed key and reads this one for each request, DER a little faster
    than PEM."""
    from httpsig import HeaderVerifier  # here, for what it loads is not the other stack's to carry

    def verify(tpp: Tpp, method: str, target: str, headers: Mapping[str, str]) -> None:
        try:
            verifier = HeaderVerifier(
                headers, tpp.key_der, method=method, path=target, sign_header="signature"
            )
        except AssertionError:  # how it says that it does not know the algorithm
            raise RefusedError(400, "FORMAT_ERROR", "the signature is malformed") from None
        # Before the verdict: of an HMAC, which it knows too, the public key would be the secret.
        signed_names(tpp, headers, verifier.auth_dict)
        if not verifier.verify():
            raise RefusedError(400, "FORMAT_ERROR", WRONG_SIGNATURE)

    return verify


def authenticate(
    method: str, target: str, headers: Mapping[str, str], body: bytes, now: datetime, verify: Verify
) -> Tpp:
    """Checks headers, certificate, digest, date and signature."""
    missing = [name for name in REQUIRED_HEADERS if name not in headers]
    if missing:
        raise RefusedError(400, "HTTP_HEADER_REQUIRED", ", ".join(missing))
    tpp = read_certificate(headers["tpp-signature-certificate"])
    if not tpp.not_before <= now <= tpp.not_after:
        raise RefusedError(400, "FORMAT_ERROR", "the certificate is not valid now")
    digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
    if not secrets.compare_digest(headers["digest"], f"SHA-256={digest}"):
        raise RefusedError(400, "FORMAT_ERROR", "the digest does not match")
    if abs(parsedate_to_datetime(headers["date"]) - now) > DATE_DEVIATION_MAX:
        raise RefusedError(400, "FORMAT_ERROR", "the date deviates")
    verify(tpp, method, target, headers)
    return tpp


SCHEMA = """
CREATE TABLE payment (
    id TEXT PRIMARY KEY, tpp TEXT, status TEXT, debtor TEXT, creditor TEXT, amount TEXT, currency TEXT,
    body TEXT, created TEXT
);
CREATE INDEX payment_by_likeness ON payment (tpp, debtor, creditor, amount, created);
CREATE TABLE authorisation (
    id TEXT PRIMARY KEY, payment TEXT, redirect_uri TEXT, session TEXT, expires TEXT
);
"""


class Service:
    """The endpoint."""

    def __init__(self, now: datetime, verify: Verify) -> None:
        self.now = now
        self.verify = verify
        self.store = sqlite3.connect(":memory:")
        self.store.executescript(SCHEMA)
        # As an engine in memory keeps them: in no table.
        self.requests: set[tuple[str, str]] = set()

    def create_payment(
        self, method: str, target: str, fields: list[tuple[str, str]], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Answers one request."""
        headers = {name.lower(): value for name, value in fields}
        try:
            tpp = authenticate(method, target, headers, body, self.now, self.verify)
            answer = self._create(target, tpp, headers, body)
            status = 201
        except RefusedError as refusal:
            status = refusal.status
            answer = {"tppMessages": [{"category": "ERROR", "code": refusal.code, "text": refusal.text}]}
        except ValidationError as error:
            status = 400
            messages = [
                {
                    "category": "ERROR",
                    "code": "FORMAT_ERROR",
                    "path": "/".join(map(str, fault["loc"])),
                    "text": fault["msg"],
                }
                for fault in error.errors()
            ]
            answer = {"tppMessages": messages}
        payload = json.dumps(answer).encode()
        out = [
            ("Content-Type", "application/json"),
            ("X-Request-ID", headers.get("x-request-id", "")),
            ("Date", format_datetime(self.now, usegmt=True)),
            ("Content-Length", str(len(payload))),
        ]
        return status, out, payload

    def _create(self, target: str, tpp: Tpp, headers: Mapping[str, str], body: bytes) -> dict[str, object]:
        uuid.UUID(headers["x-request-id"])
        payment = Payment.model_validate_json(body)
        payment_id, authorisation_id = str(uuid.uuid4()), secrets.token_urlsafe(24)
        now = self.now.isoformat()
        amount = payment.instructed_amount
        request = (tpp.organisation_id, headers["x-request-id"])
        if request in self.requests:
            raise RefusedError(400, "BAD_REQUEST", "the request id was used before")
        self.requests.add(request)
        with self.store as store:
            likeness = (
                tpp.organisation_id,
                payment.debtor_account.bban,
                payment.creditor_account.bban,
                amount.amount,
                (self.now - DUPLICATE_WINDOW).isoformat(),
            )
            found = store.execute(
                "SELECT 1 FROM payment WHERE tpp = ? AND debtor = ? AND creditor = ? AND amount = ?"
                " AND created > ?",
                likeness,
            )
            if found.fetchone():
                raise RefusedError(409, "CONFLICT", "a payment like this one was made before")
            store.execute(
                "INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    payment_id,
                    tpp.organisation_id,
                    "RCVD",
                    payment.debtor_account.bban,
                    payment.creditor_account.bban,
                    amount.amount,
                    amount.currency,
                    payment.model_dump_json(by_alias=True, exclude_none=True),
                    now,
                ),
            )
            store.execute(
                "INSERT INTO authorisation VALUES (?, ?, ?, ?, ?)",
                (
                    authorisation_id,
                    payment_id,
                    headers["tpp-redirect-uri"],
                    headers["tpp-session-id"],
                    (self.now + AUTHORISATION_LIFE).isoformat(),
                ),
            )
        path = f"{target}/{payment_id}"
        return {
            "paymentId": payment_id,
            "transactionStatus": "RCVD",
            "_links": {
                "scaRedirect": {"href": f"https://bank.example/sca/{authorisation_id}", "verbs": ["GET"]},
                "self": {"href": path, "verbs": ["GET", "DELETE"]},
                "status": {"href": f"{path}/status", "verbs": ["GET"]},
            },
        }


def refuses_a_changed_header(service: Service, call: Call) -> bool:
    """Whether a signature over another value is found out: who does not look is fast."""
    changed = [(name, value + "x" if name == "TPP-Redirect-URI" else value) for name, value in call.headers]
    status, _, answer = service.create_payment("POST", TARGET, changed, call.body)
    return status == 400 and WRONG_SIGNATURE in answer.decode()


def main() -> None:
    now = datetime.fromisoformat(NOW.replace("Z", "+00:00")).astimezone(timezone.utc)
    service = Service(now, {"pyca": with_pyca, "httpsig": with_httpsig}[sys.argv[1]]())
    with xs2a.Sandbox(now=NOW, seed=1) as sandbox:
        payer = Payer(sandbox)
        if not refuses_a_changed_header(service, payer.creation()):
            sys.exit(f"{sys.argv[1]}: a signature over another value was not refused as such")

        def create(call: Call) -> int:
            return service.create_payment("POST", TARGET, call.headers, call.body)[0]

        take_turns(payer, create)


if __name__ == "__main__":
    main()
