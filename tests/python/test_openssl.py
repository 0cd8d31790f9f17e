"""Certificates and signatures by the openssl command."""

from __future__ import annotations

import json
import subprocess
from datetime import datetime, timezone
from pathlib import Path

import field_client as field
import payment_journey as journey
import pytest
import xs2a

CONFIG = """
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
[seal]
keyUsage = critical,digitalSignature
1.3.6.1.5.5.7.1.3 = ASN1:SEQUENCE:statements
[statements]
psd2 = SEQUENCE:psd2_statement
[psd2_statement]
id = OID:0.4.0.19495.2
info = SEQUENCE:psd2_info
[psd2_info]
roles = SEQUENCE:roles
authority_name = UTF8String:Finanstilsynet
authority_id = UTF8String:NO-FSA
[roles]
pi = SEQUENCE:role_pi
ai = SEQUENCE:role_ai
[role_pi]
id = OID:0.4.0.19495.1.2
name = UTF8String:PSP_PI
[role_ai]
id = OID:0.4.0.19495.1.3
name = UTF8String:PSP_AI
"""


def openssl(folder: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(
        ["openssl", *arguments], cwd=folder, input=stdin, capture_output=True, check=True
    ).stdout


def issue(folder: Path, name: str, subject: str, section: str, issuer: str | None) -> None:
    """A key, a request, and a certificate by `issuer` (None: by itself)."""
    openssl(folder, "req", "-newkey", "rsa:2048", "-nodes", "-utf8", "-subj", subject,
            "-keyout", f"{name}.key", "-out", f"{name}.csr")  # fmt: skip
    signer = (
        ["-signkey", f"{name}.key"] if issuer is None else ["-CA", f"{issuer}.pem", "-CAkey", f"{issuer}.key"]
    )
    openssl(folder, "x509", "-req", "-in", f"{name}.csr", *signer, "-CAcreateserial", "-sha256",
            "-days", "30", "-extfile", "pki.cnf", "-extensions", section, "-out", f"{name}.pem")  # fmt: skip


@pytest.fixture(scope="module")
def pki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pki")
    (folder / "pki.cnf").write_text(CONFIG)
    issue(folder, "root", "/C=NO/O=Openssl Tillit AS/CN=Root", "authority", None)
    issue(folder, "intermediate", "/C=NO/O=Openssl Tillit AS/CN=Issuing, CA \\+ One", "authority", "root")
    subject = "/C=NO/O=Klient AS/organizationIdentifier=PSDNO-FSA-123456789/CN=Openssl Client"
    issue(folder, "client", subject, "seal", "intermediate")
    return folder


def text_of(pki: Path, *options: str) -> str:
    """One line that `openssl x509` prints of the client's certificate, after its `name=`."""
    printed = openssl(pki, "x509", "-in", "client.pem", "-noout", *options).decode().strip()
    return printed.partition("=")[2]


def signed(pki: Path, body: bytes, now: datetime, quoted_pairs: bool) -> list[tuple[str, str]]:
    """The headers of a payment, signed by `openssl dgst`."""
    certificate = openssl(pki, "x509", "-in", "client.pem", "-outform", "DER")
    in_one_line = openssl(pki, "base64", "-A", stdin=certificate).decode().strip()
    headers = field.unsigned(journey.HEADERS, body, now, in_one_line)
    names = field.names_to_sign(headers)
    text = field.signing_string(headers, names).encode()
    signature = openssl(pki, "dgst", "-sha256", "-sign", "client.key", stdin=text)
    serial, issuer = text_of(pki, "-serial"), text_of(pki, "-issuer", "-nameopt", "RFC2253")
    issuer = issuer.replace("\\", "\\\\") if quoted_pairs else issuer
    plain = field.signature_text(serial, issuer, names, signature)
    return [*headers, ("Signature", plain)]


@pytest.mark.parametrize("quoted_pairs", [False, True], ids=["pasted raw", "escaped"])
def test_a_request_signed_by_openssl_is_accepted(pki: Path, quoted_pairs: bool) -> None:
    with xs2a.Sandbox() as sandbox:
        body = json.dumps(journey.payment(sandbox)).encode()
        sandbox.trust((pki / "root.pem").read_text() + (pki / "intermediate.pem").read_text())
        headers = signed(pki, body, sandbox.clock.now(), quoted_pairs)
        answer = sandbox.handle("POST", journey.INSTANT, headers, body)
        assert answer.status == 201, (answer, answer.json())


@pytest.mark.parametrize(("serial", "is_read"), [("7f" * 20, True), ("ff" * 20, True), ("01" * 21, False)])
def test_a_serial_number_has_twenty_bytes_at_most(pki: Path, serial: str, is_read: bool) -> None:
    options = ("-key", "client.key", "-subj", "/CN=x", "-set_serial", f"0x{serial}")
    certificate = openssl(pki, "req", "-x509", *options)
    if is_read:
        assert xs2a.parse_certificate(certificate).serial_number == serial.upper().lstrip("0")
    else:
        with pytest.raises(xs2a.MisuseError, match="serial number has more than 20 bytes"):
            xs2a.parse_certificate(certificate)


def test_the_names_of_a_certificate_escape_what_is_not_seen(pki: Path) -> None:
    subject = "/O=Acme\u202eAS\u00a0/CN=a\tb\x01c"
    certificate = openssl(pki, "req", "-x509", "-utf8", "-key", "client.key", "-subj", subject)
    found = xs2a.parse_certificate(certificate)
    assert found.issuer == found.subject == r"CN=a\09b\01c,O=Acme\E2\80\AEAS\C2\A0"
    assert xs2a.parse_distinguished_name(found.issuer)[1] == [("2.5.4.10", "Acme\u202eAS\u00a0")]


def test_openssl_and_parse_certificate_agree(pki: Path) -> None:
    found = xs2a.parse_certificate((pki / "client.pem").read_text())
    assert found == xs2a.parse_certificate(openssl(pki, "x509", "-in", "client.pem", "-outform", "DER"))
    assert found.serial_number == text_of(pki, "-serial").lstrip("0")
    for ours, option in ((found.subject, "-subject"), (found.issuer, "-issuer")):
        theirs = text_of(pki, option, "-nameopt", "RFC2253")
        assert xs2a.parse_distinguished_name(ours) == xs2a.parse_distinguished_name(theirs)
    dates = [text_of(pki, option) for option in ("-startdate", "-enddate")]
    parsed = [datetime.strptime(date, "%b %d %H:%M:%S %Y GMT").replace(tzinfo=timezone.utc) for date in dates]
    assert [found.not_before, found.not_after] == parsed
    assert found.roles == ("PSP_PI", "PSP_AI")
    assert found.organisation_id == "PSDNO-FSA-123456789"


def test_openssl_verifies_what_tpp_sign_signed(sandbox: xs2a.Sandbox, tmp_path: Path) -> None:
    tpp = sandbox.register_tpp("Acme Pay")
    headers = tpp.sign("GET", "/v1/accounts", [("TPP-Redirect-URI", journey.CALLBACK)])
    signature = dict(headers)["Signature"]
    names = signature.split('headers="')[1].split('"')[0].split()
    value = signature.split('signature="')[1].split('"')[0]
    (tmp_path / "signature").write_bytes(openssl(tmp_path, "base64", "-d", "-A", stdin=value.encode()))
    (tmp_path / "tpp.pem").write_text(tpp.certificate_pem)
    (tmp_path / "public.pem").write_bytes(openssl(tmp_path, "x509", "-in", "tpp.pem", "-noout", "-pubkey"))
    text = xs2a.signing_string("GET", "/v1/accounts", headers, names).encode()
    arguments = ["dgst", "-sha256", "-verify", "public.pem", "-signature", "signature"]
    assert b"Verified OK" in openssl(tmp_path, *arguments, stdin=text)
