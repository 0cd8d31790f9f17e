"""A TPP as the field knows it: certificates by pyca/cryptography, requests signed without this library.

The bytes are those of a production client: candidate headers in a fixed order, the serial number in lower
case, the whole Signature header wrapped as one RFC 2047 word.
"""

from __future__ import annotations

import base64
import hashlib
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

SIGNED = ["date", "digest", "x-request-id", "psu-id", "psu-corporate-id", "tpp-redirect-uri"]
QC_STATEMENTS = x509.ObjectIdentifier("1.3.6.1.5.5.7.1.3")
ROLE_ARC = bytes([4, 0, 0x81, 0x98, 0x27, 1])  # 0.4.0.19495.1, ETSI TS 119 495
PSD2_STATEMENT = bytes([4, 0, 0x81, 0x98, 0x27, 2])  # 0.4.0.19495.2
ROLE_NUMBERS = {"PSP_AS": 1, "PSP_PI": 2, "PSP_AI": 3, "PSP_IC": 4}
VALID_FROM = datetime(2026, 1, 1, tzinfo=timezone.utc)
VALID_DAYS = 365


def der(tag: int, *contents: bytes) -> bytes:
    """One DER value."""
    content = b"".join(contents)
    if len(content) < 0x80:
        return bytes([tag, len(content)]) + content
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def sequence(*contents: bytes) -> bytes:
    return der(0x30, *contents)


def qc_statements(roles: list[str]) -> bytes:
    """QCStatements with the PSD2 statement: the roles, and the authority that granted them."""
    named = [
        sequence(der(0x06, ROLE_ARC + bytes([ROLE_NUMBERS[role]])), der(0x0C, role.encode()))
        for role in roles
    ]
    authority = der(0x0C, b"Finanstilsynet") + der(0x0C, b"NO-FSA")
    return sequence(sequence(der(0x06, PSD2_STATEMENT), sequence(sequence(*named), authority)))


@dataclass(frozen=True)
class Holder:
    """A certificate and its key."""

    certificate: x509.Certificate
    key: rsa.RSAPrivateKey

    @property
    def pem(self) -> str:
        return self.certificate.public_bytes(Encoding.PEM).decode()

    @property
    def der(self) -> bytes:
        return self.certificate.public_bytes(Encoding.DER)


def name_of(common_name: str, *organisation_ids: str) -> x509.Name:
    attributes = [(NameOID.COUNTRY_NAME, "NO"), (NameOID.ORGANIZATION_NAME, "Ærlig Tillit AS")]
    attributes += [(NameOID.ORGANIZATION_IDENTIFIER, value) for value in organisation_ids]
    attributes.append((NameOID.COMMON_NAME, common_name))
    return x509.Name([x509.NameAttribute(oid, value) for oid, value in attributes])


def _started(subject: x509.Name, key: rsa.RSAPrivateKey, issuer: x509.Name) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number() >> 8)
    return builder.not_valid_before(VALID_FROM).not_valid_after(VALID_FROM + timedelta(days=VALID_DAYS))


def _key_usage(signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def authority(common_name: str, issuer: Holder | None = None, name: x509.Name | None = None) -> Holder:
    """A certificate authority: a root, or below another. `name` replaces the whole name."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    subject = name or name_of(common_name)
    builder = _started(subject, key, issuer.certificate.subject if issuer else subject)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    builder = builder.add_extension(_key_usage(signs_certificates=True), critical=True)
    return Holder(builder.sign(issuer.key if issuer else key, hashes.SHA256()), key)


def leaf(
    issuer: Holder,
    roles: list[str],
    statements: bytes | None = None,
    identities: tuple[str, ...] = ("PSDNO-FSA-987654321",),
) -> Holder:
    """A TPP's seal certificate. `statements` replaces well-formed QCStatements."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    builder = _started(name_of("Field Client", *identities), key, issuer.certificate.subject)
    builder = builder.add_extension(_key_usage(signs_certificates=False), critical=True)
    extension = x509.UnrecognizedExtension(QC_STATEMENTS, statements or qc_statements(roles))
    return Holder(builder.add_extension(extension, critical=False).sign(issuer.key, hashes.SHA256()), key)


def signing_string(headers: list[tuple[str, str]], names: list[str]) -> str:
    """The signing string, written without this library."""
    values = {name.lower(): value for name, value in headers}
    return "\n".join(f"{name}: {values[name]}" for name in names)


def unsigned(
    headers: list[tuple[str, str]], body: bytes, now: datetime, certificate_text: str
) -> list[tuple[str, str]]:
    """The headers before Signature."""
    complete = [
        *headers,
        ("Date", format_datetime(now.astimezone(timezone.utc), usegmt=True)),
        ("X-Request-ID", str(uuid.uuid4())),
        ("TPP-Signature-Certificate", certificate_text),
    ]
    if body:
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        complete.append(("Digest", f"SHA-256={digest}"))
    return complete


def names_to_sign(headers: list[tuple[str, str]]) -> list[str]:
    present = {name.lower() for name, _ in headers}
    return [name for name in SIGNED if name in present]


def signature_text(serial: str, issuer: str, names: list[str], signature: bytes) -> str:
    """The Signature header in plain."""
    value = base64.b64encode(signature).decode()
    key_id = f"SN={serial},CA={issuer}"
    return f'keyId="{key_id}",algorithm="rsa-sha256",headers="{" ".join(names)}",signature="{value}"'


def wrapped(text: str) -> str:
    """One RFC 2047 word, however long."""
    return f"=?utf-8?B?{base64.b64encode(text.encode()).decode()}?="


def sign(
    holder: Holder,
    headers: list[tuple[str, str]],
    body: bytes,
    now: datetime,
    certificate_text: str | None = None,
    issuer: str | None = None,
) -> list[tuple[str, str]]:
    """The complete headers of a request, as the client in the field sends them. `issuer` is for keyId."""
    in_one_line = base64.b64encode(holder.der).decode()
    complete = unsigned(headers, body, now, certificate_text or in_one_line)
    names = names_to_sign(complete)
    signed = holder.key.sign(signing_string(complete, names).encode(), padding.PKCS1v15(), hashes.SHA256())
    serial = f"{holder.certificate.serial_number:x}"
    named = issuer or holder.certificate.issuer.rfc4514_string()
    text = signature_text(serial, named, names, signed)
    return [*complete, ("Signature", wrapped(text))]
