"""`xs2a.Signer`: a TPP that signs from its files, in another process than the sandbox."""

from __future__ import annotations

import base64
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import field_client as field
import httpx
import payment_journey as journey
import pytest
import xs2a
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from xs2a.httpx import Auth

ROOT = field.authority("Field Root")
TARGET = f"{journey.INSTANT}/%21%21id%3D/status"

# A client of its own: it has the two files, the URL, and no sandbox.
CLIENT = """
import sys
from pathlib import Path
import httpx, xs2a
from xs2a.httpx import Auth
folder, url, body = Path(sys.argv[1]), sys.argv[2], sys.stdin.buffer.read()
signer = xs2a.Signer((folder / "certificate.pem").read_bytes(), (folder / "private_key.pem").read_text())
headers = {"x-accept-fix": "", "TPP-Session-ID": "s", "TPP-Redirect-URI": "https://tpp.example/",
    "PSU-Context": "PRIVATE", "PSU-IP-Address": "192.0.2.1", "Content-Type": "application/json"}
answers = [httpx.post(url, content=body, headers=headers, auth=Auth(signer)) for _ in range(2)]
print(*[answer.status_code for answer in answers], answers[0].json()["paymentId"])
"""


def signer_of(tpp: xs2a.Tpp) -> xs2a.Signer:
    return xs2a.Signer(tpp.certificate_pem, tpp.private_key_pem)


def test_a_client_in_another_process_signs_from_its_files(tmp_path: Path) -> None:
    with xs2a.Sandbox() as sandbox:
        tpp = sandbox.register_tpp("Acme Pay")
        (tmp_path / "certificate.pem").write_text(tpp.certificate_pem)
        (tmp_path / "private_key.pem").write_text(tpp.private_key_pem)
        body = json.dumps(journey.payment(sandbox)).encode()
        with sandbox.serve(real_time=True) as url:
            command = [sys.executable, "-c", CLIENT, str(tmp_path), url + journey.INSTANT]
            done = subprocess.run(command, input=body, capture_output=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr.decode()
        first, second, payment_id = done.stdout.decode().split()
        # Each request has an id and a Date of its own: the second is a duplicate payment, and no replay.
        assert (first, second) == ("201", "409")
        assert sandbox.calls("createPayment", tpp=tpp, status=201).last.json()["paymentId"] == payment_id


@pytest.mark.parametrize("body", [b"", b'{"a": "\xc3\xb8"}'])
def test_pyca_verifies_what_a_signer_signed(tpp: xs2a.Tpp, body: bytes) -> None:
    headers = dict(signer_of(tpp).sign("POST", TARGET, [("PSU-ID", "1")], body))
    parts = dict(re.findall(r'(\w+)="([^"]*)"', headers["Signature"]))
    lower = {name.lower(): value for name, value in headers.items()} | {"(request-target)": f"post {TARGET}"}
    signed = "\n".join(f"{name}: {lower[name]}" for name in parts["headers"].split()).encode()
    key = x509.load_pem_x509_certificate(tpp.certificate_pem.encode()).public_key()
    assert isinstance(key, rsa.RSAPublicKey)
    key.verify(base64.b64decode(parts["signature"]), signed, padding.PKCS1v15(), hashes.SHA256())
    assert {"date", "digest", "x-request-id", "psu-id"} <= set(parts["headers"].split())


def test_an_independent_verifier_takes_it(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    from datetime import datetime, timezone

    headers = signer_of(tpp).sign("GET", TARGET)
    now = datetime.now(timezone.utc)
    assert xs2a.verify_signature("GET", TARGET, headers, b"", now=now, trust_anchors=sandbox.root_pem).ok


def test_a_certificate_made_elsewhere_signs_too(sandbox: xs2a.Sandbox) -> None:
    holder = field.leaf(ROOT, ["PSP_AI", "PSP_PI"])
    sandbox.trust(ROOT.certificate.public_bytes(Encoding.PEM))
    for encoding, shape in (
        (Encoding.PEM, PrivateFormat.PKCS8),
        (Encoding.DER, PrivateFormat.TraditionalOpenSSL),
    ):
        key = holder.key.private_bytes(encoding, shape, NoEncryption())
        signer = xs2a.Signer(holder.certificate.public_bytes(encoding), key)
        assert "PSP_AI" in signer.certificate.roles
        with sandbox.serve(real_time=True) as url:
            answer = httpx.get(url + TARGET, headers=dict(journey.HEADERS), auth=Auth(signer))
        assert answer.status_code == 404


def test_what_is_given_is_kept_and_no_two_requests_are_alike(tpp: xs2a.Tpp) -> None:
    signer = signer_of(tpp)
    date = "Tue, 01 Sep 2026 10:00:00 GMT"
    one, other = (dict(signer.sign("GET", TARGET, {"date": date})) for _ in range(2))
    assert one["date"] == other["date"] == date
    assert "Date" not in one
    assert one["X-Request-ID"] != other["X-Request-ID"]


def test_a_signer_comes_out_of_a_pickle_and_shows_no_key(tpp: xs2a.Tpp) -> None:
    signer = signer_of(tpp)
    found = pickle.loads(pickle.dumps(signer))
    assert found.certificate == signer.certificate == xs2a.parse_certificate(tpp.certificate_pem)
    fixed = {"Date": "Tue, 01 Sep 2026 10:00:00 GMT", "X-Request-ID": "99391c7e-ad88-49ec-a2ad-99ddcb1f7721"}
    assert found.sign("GET", TARGET, fixed) == signer.sign("GET", TARGET, fixed)
    assert "PRIVATE" not in repr(signer) + str(signer)


def test_a_pair_that_cannot_sign_is_refused_with_its_reason(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    other = sandbox.register_tpp("Other")
    key = load_pem_private_key(tpp.private_key_pem.encode(), None)
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x"))
    for certificate, private_key, why in (
        (tpp.certificate_pem, other.private_key_pem, "the private key is not that of the certificate"),
        (tpp.certificate_pem, locked, "unencrypted RSA key"),
        (tpp.certificate_pem, "", "unencrypted RSA key"),
        (tpp.private_key_pem, tpp.private_key_pem, "signer: "),
        ("", tpp.private_key_pem, "signer: "),
        (sandbox.root_pem, tpp.private_key_pem, "signer: "),
    ):
        with pytest.raises(xs2a.ConfigError, match=why):
            xs2a.Signer(certificate, private_key)
