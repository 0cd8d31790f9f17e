"""Revocation that is asked of the host, such as by OCSP."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any, Literal

import field_client as field
import pytest
import xs2a
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import ocsp
from gateway import Gateway, gateway

CONSENTS = "/v1/bank-offered-consents"
NOW = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)
Json = dict[str, Any]


@pytest.fixture(scope="module")
def root() -> field.Holder:
    return field.authority("Field Root")


@pytest.fixture(scope="module")
def client(root: field.Holder) -> field.Holder:
    return field.leaf(root, ["PSP_AI", "PSP_PI"])


def reason(own: Gateway, holder: field.Holder) -> str | None:
    """The refusal of a call, None where it is taken."""
    given = [
        ("x-accept-fix", ""),
        ("TPP-Session-ID", "session-1"),
        ("TPP-Redirect-URI", "https://tpp.example/cb"),
        ("PSU-IP-Address", "192.0.2.1"),
        ("PSU-Context", "PRIVATE"),
    ]
    headers = field.sign(holder, given, b"", own.sandbox.clock.now())
    answer = own.engine.handle("POST", CONSENTS, headers)
    return answer.reason if answer.status != 201 else None


class Responder:
    """An OCSP responder and its client, both by pyca/cryptography."""

    def __init__(self, root: field.Holder) -> None:
        self.root = root
        self.revoked: set[int] = set()
        self.asked: list[tuple[bytes, bytes | None]] = []

    def __call__(
        self, certificate: bytes, issuer: bytes | None
    ) -> Literal["good", "revoked", "stale", "unknown"]:
        self.asked.append((certificate, issuer))
        assert issuer is not None
        leaf, authority = (x509.load_der_x509_certificate(der) for der in (certificate, issuer))
        request = ocsp.OCSPRequestBuilder().add_certificate(leaf, authority, hashes.SHA256()).build()
        answer = ocsp.load_der_ocsp_response(self.respond(request.public_bytes(Encoding.DER), leaf))
        assert answer.serial_number == leaf.serial_number
        key = authority.public_key()
        assert isinstance(key, rsa.RSAPublicKey)
        assert answer.signature_hash_algorithm is not None
        key.verify(answer.signature, answer.tbs_response_bytes, PKCS1v15(), answer.signature_hash_algorithm)
        return "revoked" if answer.certificate_status == ocsp.OCSPCertStatus.REVOKED else "good"

    def respond(self, asked: bytes, leaf: x509.Certificate) -> bytes:
        request = ocsp.load_der_ocsp_request(asked)
        is_revoked = request.serial_number in self.revoked
        builder = ocsp.OCSPResponseBuilder().add_response(
            cert=leaf,
            issuer=self.root.certificate,
            algorithm=hashes.SHA256(),
            cert_status=ocsp.OCSPCertStatus.REVOKED if is_revoked else ocsp.OCSPCertStatus.GOOD,
            this_update=NOW,
            next_update=NOW + timedelta(hours=1),
            revocation_time=NOW if is_revoked else None,
            revocation_reason=None,
        )
        builder = builder.responder_id(ocsp.OCSPResponderEncoding.HASH, self.root.certificate)
        return builder.sign(self.root.key, hashes.SHA256()).public_bytes(Encoding.DER)


def test_revocation_may_be_asked_by_ocsp(root: field.Holder, client: field.Holder) -> None:
    responder = Responder(root)
    with gateway(trust_anchors=root.pem, revocation=responder) as own:
        assert reason(own, client) is None
        assert responder.asked == [(client.der, root.der)]
        responder.revoked.add(client.certificate.serial_number)
        assert reason(own, client) == "CRT-15"
        responder.revoked.clear()
        assert reason(own, client) is None
        with pytest.raises(xs2a.MisuseError, match="own revocation"):
            own.engine.supply_crl(b"x", root.pem)


@pytest.mark.parametrize(
    ("policy", "answer", "expected"),
    [
        ({}, "good", None),
        ({}, "stale", "CRT-16"),
        ({"stale_crl": "accept"}, "stale", None),
        ({}, "unknown", None),
        ({"missing_crl": "refuse"}, "unknown", "CRT-17"),
        ({}, "Good", "SYS-02"),
        ({}, None, "SYS-02"),
    ],
)
def test_an_answer_that_is_not_current_is_for_the_policy(
    root: field.Holder, client: field.Holder, policy: Json, answer: Any, expected: str | None
) -> None:
    settings = {"account_check_digit": "warn", **policy}
    with gateway(trust_anchors=root.pem, policy=settings, revocation=lambda *_: answer) as own:
        assert reason(own, client) == expected


def test_a_revocation_that_is_no_callable_is_refused() -> None:
    with pytest.raises(TypeError, match="revocation"), gateway(revocation=1):
        pass
