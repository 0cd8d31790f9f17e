"""Answers that the bank signs: as pyca/cryptography checks them, and ``verify_response``."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from datetime import timedelta

import payment_journey as journey
import pytest
import xs2a
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

NOW = "2026-09-01T10:00:00Z"


@pytest.fixture
def signing() -> Iterator[xs2a.Sandbox]:
    with xs2a.Sandbox(now=NOW, policy={"sign_responses": True}) as sandbox:
        yield sandbox


def answers(sandbox: xs2a.Sandbox) -> list[xs2a.Response]:
    """A refusal without a request id, one with, an empty body, a compressed one."""
    tpp = sandbox.register_tpp("Acme Pay", roles=("AISP", "PISP"))
    target = "/v1/sandbox/customers"
    headers = tpp.sign("GET", target, headers=[("Accept-Encoding", "gzip")])
    return [
        sandbox.handle("GET", "/v1/accounts", []),
        sandbox.handle("GET", "/v1/accounts", tpp.sign("GET", "/v1/accounts")),
        sandbox.handle("GET", target, headers),
    ]


def test_pyca_verifies_what_the_bank_signed(signing: xs2a.Sandbox) -> None:
    root = x509.load_pem_x509_certificate(signing.root_pem.encode())
    found = answers(signing)
    assert [answer.status for answer in found] == [400, 400, 200]
    assert ("Content-Encoding", "gzip") in found[2].headers
    for answer in found:
        fields = {name.lower(): value for name, value in answer.headers}
        certificate = x509.load_der_x509_certificate(base64.b64decode(fields["aspsp-signature-certificate"]))
        certificate.verify_directly_issued_by(root)
        parts = dict(re.findall(r'(\w+)="([^"]*)"', fields["signature"]))
        assert parts["algorithm"] == "rsa-sha256"
        assert parts["keyId"] == f"SN={certificate.serial_number:X},CA={certificate.issuer.rfc4514_string()}"
        names = parts["headers"].split()
        assert names == [name for name in ("date", "digest", "x-request-id") if name in fields]
        signed = "\n".join(f"{name}: {fields[name]}" for name in names).encode()
        key = certificate.public_key()
        assert isinstance(key, rsa.RSAPublicKey)
        key.verify(base64.b64decode(parts["signature"]), signed, padding.PKCS1v15(), hashes.SHA256())
        digest = base64.b64encode(hashlib.sha256(answer.body).digest()).decode()
        assert fields["digest"] == f"SHA-256={digest}"


def test_verify_response_agrees(signing: xs2a.Sandbox) -> None:
    now = signing.clock.now()
    for answer in answers(signing):
        for anchors in (None, signing.root_pem, [signing.root_pem]):
            found = xs2a.verify_response(answer.headers, answer.body, now=now, trust_anchors=anchors)
            assert found, found
            assert found.certificate is not None
            assert found.certificate.roles == ("PSP_AS",)
        changed = xs2a.verify_response(answer.headers, answer.body + b" ", now=now)
        assert (bool(changed), changed.reason) == (False, "DIG-03")
        late = xs2a.verify_response(answer.headers, answer.body, now=now + timedelta(seconds=61))
        assert late.reason == "DAT-02"
        stranger = xs2a.verify_response(answer.headers, answer.body, now=now, trust_anchors="")
        assert stranger.reason == "CRT-08"


def test_the_present_is_the_time_to_judge_by_where_none_is_given() -> None:
    with xs2a.Sandbox(policy={"sign_responses": True}) as sandbox:
        answer = sandbox.handle("GET", "/v1/accounts", [])
        assert xs2a.verify_response(answer.headers, answer.body, trust_anchors=sandbox.root_pem)


def test_an_unsigned_answer_does_not_verify(sandbox: xs2a.Sandbox) -> None:
    answer = sandbox.handle("GET", journey.INSTANT, [])
    found = xs2a.verify_response(answer.headers, answer.body, now=sandbox.clock.now())
    assert (found.ok, found.reason, found.certificate) == (False, "HDR-04", None)
