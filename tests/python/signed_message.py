"""A request that a test signs by pyca/cryptography, in any wrong way."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import field_client
import xs2a
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

NOW = "2026-11-20T12:00:00Z"
DATE = "Fri, 20 Nov 2026 12:00:00 GMT"
REQUEST_ID = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721"
NAMES = ("(request-target)", "date", "digest", "x-request-id", "psu-id", "tpp-redirect-uri")
BODY = '{"creditor": {"name": "Bjørn & Søn"}, "amount": "1.00"}'.encode()

ROOT = field_client.authority("Field Root")
TPP = field_client.leaf(ROOT, ["PSP_AI"])
OTHER = field_client.leaf(ROOT, ["PSP_AI"])


def digest_of(body: bytes) -> str:
    return "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode()


@dataclass(frozen=True)
class Message:
    """What is sent. Everything but the signature is set before `sign`."""

    method: str = "POST"
    target: str = "/v1/payments/transfers?from=a%3Ab&allow=true"
    body: bytes = BODY
    names: tuple[str, ...] = NAMES
    headers: dict[str, str | bytes] = field(
        default_factory=lambda: {
            "Host": "bank.example",
            "Date": DATE,
            "X-Request-ID": REQUEST_ID,
            "PSU-ID": "13039319955",
            "TPP-Redirect-URI": "https://tpp.example/cb?a=%25",
            "TPP-Signature-Certificate": base64.b64encode(TPP.der).decode(),
            "Digest": digest_of(BODY),
        }
    )

    def with_header(self, name: str, value: str | bytes) -> Message:
        return replace(self, headers={**self.headers, name: value})

    def without(self, name: str) -> Message:
        return replace(self, headers={own: value for own, value in self.headers.items() if own != name})

    def line_value(self, name: str) -> bytes:
        if name == "(request-target)":
            return f"{self.method.lower()} {self.target}".encode()
        value = next(value for own, value in self.headers.items() if own.lower() == name)
        return (value if isinstance(value, bytes) else value.encode()).strip()

    def text(self, **values: str | bytes) -> bytes:
        """The signing string; other values by name, dashes as underscores."""
        given = {name.replace("_", "-"): value for name, value in values.items()}
        given["(request-target)"] = given.pop("target", self.line_value("(request-target)"))

        def value(name: str) -> bytes:
            other = given.get(name)
            other = self.line_value(name) if other is None else other
            return other if isinstance(other, bytes) else other.encode()

        return b"\n".join(name.encode() + b": " + value(name) for name in self.names)

    def sign(self, text: bytes | None = None, holder: field_client.Holder = TPP) -> Message:
        signed = holder.key.sign(self.text() if text is None else text, padding.PKCS1v15(), hashes.SHA256())
        return self.with_signature(base64.b64encode(signed).decode())

    def with_signature(
        self, signature: str, key_id: str | None = None, algorithm: str = "rsa-sha256", separator: str = ","
    ) -> Message:
        serial = f"{TPP.certificate.serial_number:x}"
        key_id = key_id or f"SN={serial},CA={TPP.certificate.issuer.rfc4514_string()}"
        parts = {
            "keyId": key_id,
            "algorithm": algorithm,
            "headers": " ".join(self.names),
            "signature": signature,
        }
        text = separator.join(f'{name}="{value}"' for name, value in parts.items())
        return self.with_header("Signature", text if text.isascii() else field_client.wrapped(text))

    def explain(self, **options: Any) -> xs2a.Explanation:
        return xs2a.explain(
            self.method, self.target, list(self.headers.items()), self.body, now=NOW, **options
        )


Change = Callable[[Message], Message]
