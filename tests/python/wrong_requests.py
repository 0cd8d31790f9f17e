"""A request for each mistake of the table, wrong in exactly that way; with the options of `explain`."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from signed_message import BODY, NAMES, OTHER, REQUEST_ID, ROOT, TPP, Message, digest_of

Case = tuple[Message, dict[str, Any]]

M = Message()
TEXT = M.text()
SHA256 = hashlib.sha256(TEXT).digest()
SIGNATURE = TPP.key.sign(TEXT, padding.PKCS1v15(), hashes.SHA256())
BASE64 = base64.b64encode(SIGNATURE).decode()
SERIAL = f"{TPP.certificate.serial_number:x}"
ISSUER = TPP.certificate.issuer.rfc4514_string()
DER_BASE64 = base64.b64encode(TPP.der).decode()
EARLIER = replace(M, method="GET", target="/v1/accounts", body=b"").with_header(
    "X-Request-ID", REQUEST_ID[::-1]
)
PKCS1 = padding.PKCS1v15()


def signed(text: bytes | str) -> Message:
    return M.sign(text.encode() if isinstance(text, str) else text)


def lines() -> list[bytes]:
    return TEXT.split(b"\n")


def with_digest(digest: str, body: bytes = BODY) -> Message:
    return replace(M, body=body).with_header("Digest", digest).sign()


def with_key_id(key_id: str) -> Message:
    return M.with_signature(BASE64, key_id=key_id)


def with_certificate(value: str) -> Message:
    return M.with_header("TPP-Signature-Certificate", value).sign()


def with_date(date: str) -> Message:
    return M.with_header("Date", date).sign()


def with_header_text(change: tuple[str, str]) -> Message:
    header = f'keyId="SN={SERIAL},CA=CN=x",algorithm="rsa-sha256",headers="date",signature="{BASE64}"'
    return M.with_header("Signature", header.replace(*change))


def raw_signature(content: bytes) -> str:
    """RSA of a PKCS#1 block whose content is not a DigestInfo."""
    numbers = TPP.key.private_numbers()
    length = TPP.key.key_size // 8
    block = b"\x00\x01" + b"\xff" * (length - 3 - len(content)) + b"\x00" + content
    value = pow(int.from_bytes(block, "big"), numbers.d, numbers.public_numbers.n)
    return base64.b64encode(value.to_bytes(length, "big")).decode()


def by(scheme: padding.AsymmetricPadding, algorithm: hashes.HashAlgorithm) -> Message:
    return M.with_signature(base64.b64encode(TPP.key.sign(TEXT, scheme, algorithm)).decode())


def base64url_digest() -> Message:
    bodies = (f'{{"number":{number}}}'.encode() for number in range(100))
    body = next(body for body in bodies if "/" in digest_of(body))
    return with_digest(digest_of(body).replace("+", "-").replace("/", "_"), body)


ABSENT = replace(M.without("TPP-Redirect-URI"), names=NAMES)
PRESENT = replace(ABSENT, names=NAMES[:-1])
BRAND = replace(M, names=(*NAMES, "tpp-brand")).with_header("TPP-Brand", "Bjørn".encode())
PSS = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
LONG_HASH = base64.b64encode(hashlib.sha512(BODY).digest()).decode()

CASES: dict[str, Case | Message] = {
    # signing string
    "trailing-newline": signed(TEXT + b"\n"),
    "order-differs": signed(b"\n".join(sorted(lines(), reverse=True))),
    "names-not-lower-case": signed(
        TEXT.replace(b"psu-id", b"PSU-ID")
        .replace(b"date", b"Date")
        .replace(b"digest", b"Digest")
        .replace(b"x-request-id", b"X-Request-ID")
        .replace(b"tpp-redirect-uri", b"TPP-Redirect-URI")
    ),
    "signed-not-listed": signed(TEXT + b"\nhost: bank.example"),
    "listed-not-signed": signed(b"\n".join(lines()[1:])),
    "listed-not-sent": ABSENT.sign(PRESENT.text() + b"\ntpp-redirect-uri: "),
    "line-ends-crlf": signed(TEXT.replace(b"\n", b"\r\n")),
    "no-space-after-colon": signed(TEXT.replace(b": ", b":")),
    "values-only": signed(b"\n".join(line.split(b": ", 1)[1] for line in lines())),
    "leading-newline": signed(b"\n" + TEXT),
    "lines-joined-otherwise": signed(TEXT.replace(b"\n", b", ")),
    "colon-differs": signed(b"\n".join(line.replace(b": ", b" : ", 1) for line in lines())),
    "text-charset": signed(TEXT.decode().encode("utf-16-le")),
    "text-encoded": signed(base64.b64encode(TEXT)),
    "body-signed": signed(BODY),
    # request target
    "target-without-query": signed(M.text(target="post /v1/payments/transfers")),
    "target-method-case": signed(M.text(target=f"POST {M.target}")),
    "target-absolute": signed(M.text(target=f"post https://bank.example{M.target}")),
    "target-base-path": (signed(M.text(target=f"post /psd2{M.target}")), {"base_paths": ["/psd2"]}),
    "target-slash": signed(M.text(target=f"post {M.target.replace('?', '/?')}")),
    "target-decoded": signed(M.text(target=f"post {M.target.replace('%3A', ':')}")),
    "target-encoded-again": signed(M.text(target=f"post {M.target.replace('%3A', '%253A')}")),
    "target-query-order": signed(M.text(target="post /v1/payments/transfers?allow=true&from=a%3Ab")),
    "target-method-joined": signed(M.text(target=M.target)),
    "target-without-name": signed(TEXT.removeprefix(b"(request-target): ")),
    # values
    "value-white-space": signed(M.text(psu_id="13039319955 ")),
    "value-decoded": signed(M.text(tpp_redirect_uri="https://tpp.example/cb?a=%")),
    "value-charset": BRAND.sign(BRAND.text(tpp_brand="Bjørn".encode("latin-1"))),
    "date-made-again": signed(M.text(date="Fri, 20 Nov 2026 12:00:01 GMT")),
    "digest-made-again": signed(M.text(digest=digest_of(BODY.replace(b": ", b":").replace(b", ", b",")))),
    "request-id-made-again": (
        signed(M.text(x_request_id=REQUEST_ID[::-1])),
        {"earlier": [("GET", "/", [("X-Request-ID", REQUEST_ID[::-1])], b"")]},
    ),
    "value-placeholder": signed(M.text(psu_id="null")),
    "value-case": signed(M.text(x_request_id=REQUEST_ID.upper())),
    "another-request": (
        signed(EARLIER.text()),
        {"earlier": [(EARLIER.method, EARLIER.target, list(EARLIER.headers.items()), EARLIER.body)]},
    ),
    # key and padding
    "wrong-key": M.sign(holder=OTHER),
    "key-of-another-certificate": (M.sign(holder=OTHER), {"certificates": [OTHER.pem]}),
    "pss": by(PSS, hashes.SHA256()),
    "sha-1": by(PKCS1, hashes.SHA1()),
    "sha-512": by(PKCS1, hashes.SHA512()),
    "other-hash": by(PKCS1, hashes.SHA384()),
    "hashed-twice": signed(SHA256),
    "hex-of-hash-signed": signed(SHA256.hex()),
    "hex-without-digest-info": M.with_signature(raw_signature(SHA256.hex().encode())),
    "no-digest-info": M.with_signature(raw_signature(SHA256)),
    "not-rsa": M.with_signature(base64.b64encode(SHA256).decode()),
    "algorithm-name": M.with_signature(BASE64, algorithm="SHA256withRSA"),
    # form of the signature
    "signature-hex": M.with_signature(SIGNATURE.hex()),
    "signature-base64url": M.with_signature(base64.urlsafe_b64encode(SIGNATURE).decode()),
    "signature-line-breaks": M.with_signature(base64.encodebytes(SIGNATURE).decode().replace("\n", " ")),
    "signature-base64-twice": M.with_signature(base64.b64encode(BASE64.encode()).decode()),
    "signature-cut": M.with_signature(BASE64[:76]),
    "signature-escaped": M.with_signature(BASE64.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D")),
    "signature-reversed": M.with_signature(base64.b64encode(SIGNATURE[::-1]).decode()),
    "signature-header-form": M.with_header("Signature", 'keyId="a";algorithm="rsa-sha256";signature="AAAA"'),
    "signature-part-missing": with_header_text(('algorithm="rsa-sha256",', "")),
    "signature-part-repeated": with_header_text(
        ('algorithm="rsa-sha256",', 'algorithm="a",algorithm="rsa-sha256",')
    ),
    "names-separated-otherwise": replace(M, names=(",".join(NAMES),)).with_signature(BASE64),
    "listed-twice": (lambda twice: twice.sign(twice.text()))(replace(M, names=(*NAMES, "date"))),
    "mandatory-not-signed": (lambda fewer: fewer.sign(fewer.text()))(replace(M, names=NAMES[:-1])),
    "encoded-word": M.with_header("Signature", "=?utf-8?B?a2V5"),
    # Digest
    "digest-hex": with_digest("SHA-256=" + hashlib.sha256(BODY).hexdigest()),
    "digest-base64-of-hex": with_digest(
        "SHA-256=" + base64.b64encode(hashlib.sha256(BODY).hexdigest().encode()).decode()
    ),
    "digest-base64url": base64url_digest(),
    "digest-other-algorithm": with_digest("SHA-256=" + LONG_HASH),
    "digest-without-algorithm": with_digest(digest_of(BODY).removeprefix("SHA-256=")),
    "digest-structured": with_digest("sha-256=:" + digest_of(BODY).removeprefix("SHA-256=") + ":"),
    "digest-empty-body": with_digest(digest_of(b"")),
    "digest-newline": with_digest(digest_of(BODY + b"\n")),
    "digest-json-rewritten": with_digest(digest_of(BODY.replace(b": ", b":").replace(b", ", b","))),
    "digest-charset": with_digest(digest_of(BODY.decode().encode("latin-1"))),
    "digest-json-string": with_digest(digest_of(b'"' + BODY.replace(b'"', b'\\"') + b'"')),
    "digest-not-of-body": with_digest(digest_of(b"/v1/payments/transfers")),
    # keyId
    "serial-decimal": with_key_id(f"SN={TPP.certificate.serial_number},CA={ISSUER}"),
    "serial-of-another-certificate": (
        with_key_id(f"SN={OTHER.certificate.serial_number:X},CA={ISSUER}"),
        {"certificates": [OTHER.pem]},
    ),
    "serial-form": with_key_id(f"SN=0x{SERIAL},CA={ISSUER}"),
    "issuer-is-subject": with_key_id(f"SN={SERIAL},CA={TPP.certificate.subject.rfc4514_string()}"),
    "issuer-reversed": (
        with_key_id(f"SN={SERIAL},CA={','.join(reversed(ISSUER.split(',')))}"),
        {"policy": {"key_id_issuer": "exact"}},
    ),
    "issuer-charset": with_key_id(f"SN={SERIAL},CA={ISSUER.replace('Æ', '?')}"),
    "issuer-value-differs": with_key_id(f"SN={SERIAL},CA={ISSUER.replace('Root', 'Root G2')}"),
    "issuer-form": with_key_id(f"SN={SERIAL},CA=/C=NO/O=Tillit"),
    "key-id-form": with_key_id("https://tpp.example/key"),
    # certificate
    "certificate-of-issuer": with_certificate(base64.b64encode(ROOT.der).decode()),
    "certificate-base64url": with_certificate(base64.urlsafe_b64encode(TPP.der).decode()),
    "certificate-cut": with_certificate(DER_BASE64[:64]),
    "certificate-is-key": with_certificate(
        base64.b64encode(
            TPP.key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        ).decode()
    ),
    "certificate-hex": with_certificate(TPP.der.hex()),
    "certificate-base64-twice": with_certificate(base64.b64encode(TPP.pem.encode()).decode()),
    # Date
    "date-local-time-as-gmt": with_date("Fri, 20 Nov 2026 13:00:10 GMT"),
    "date-stale": with_date("Fri, 20 Nov 2026 11:51:00 GMT"),
    "date-form": with_date("2026-11-20T12:00:00Z"),
}
