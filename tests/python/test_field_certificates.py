"""Certificates and keyIds as authorities and clients in the field write them, on both sides of each rule."""

from __future__ import annotations

import base64
from datetime import datetime, timedelta, timezone
from urllib.parse import quote, quote_plus

import field_client as field
import payment_journey as journey
import pytest
import xs2a
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.x509.oid import NameOID
from gateway import gateway

GIVEN = [("TPP-Redirect-URI", journey.CALLBACK)]
TARGET = "/v1/bank-offered-consents"
NOW = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)


@pytest.fixture(scope="module")
def root() -> field.Holder:
    return field.authority("Field Root")


def call(sandbox: xs2a.Sandbox, headers: list[tuple[str, str]]) -> str | None:
    """The reason of the refusal."""
    answer = sandbox.handle("POST", TARGET, headers)
    assert (answer.status == 201) == (answer.reason is None)
    return answer.reason


# ------------------------------------------------------------------ forms of the header


def folded(text: str, width: int, joint: str) -> str:
    return joint.join(text[at : at + width] for at in range(0, len(text), width))


@pytest.mark.parametrize("joint", ["\n", "\r\n", "\n ", "\r\n\t"])
@pytest.mark.parametrize("width", [1, 64, 76])
def test_base64_of_a_certificate_may_have_line_breaks(
    sandbox: xs2a.Sandbox, root: field.Holder, joint: str, width: int
) -> None:
    sandbox.trust(root.pem)
    holder = field.leaf(root, ["PSP_AI"])
    plain = base64.b64encode(holder.der).decode()
    text = folded(plain, width, joint)
    for form in (text, f"{text}{joint}", quote(text), quote_plus(text), folded(holder.pem, width, joint)):
        # PEM whose armour is broken into lines is none.
        expected = "CRT-01" if "BEGIN" not in form and "-" in form else None
        assert call(sandbox, field.sign(holder, GIVEN, b"", NOW, form)) == expected, form[:80]


@pytest.mark.parametrize("character", ["\0", "\x0b", "\x0c", "\x1b", "\x7f"])
def test_a_certificate_has_no_other_control_character(
    sandbox: xs2a.Sandbox, root: field.Holder, character: str
) -> None:
    sandbox.trust(root.pem)
    holder = field.leaf(root, ["PSP_AI"])
    plain = base64.b64encode(holder.der).decode()
    form = f"{plain[:76]}{character}{plain[76:]}"
    assert call(sandbox, field.sign(holder, GIVEN, b"", NOW, form)) == "HDR-03"


@pytest.mark.parametrize("name", ["TPP-Redirect-URI", "X-Request-ID", "Signature", "PSU-IP-Address"])
def test_no_other_header_has_line_breaks(sandbox: xs2a.Sandbox, root: field.Holder, name: str) -> None:
    sandbox.trust(root.pem)
    signed = field.sign(field.leaf(root, ["PSP_AI"]), [*GIVEN, ("PSU-IP-Address", "192.0.2.1")], b"", NOW)
    broken = [(given, f"{value[:4]}\n{value[4:]}" if given == name else value) for given, value in signed]
    assert call(sandbox, broken) == "HDR-03"


# ------------------------------------------------------------------ the issuer in keyId

LONG = {
    NameOID.COUNTRY_NAME: "NO",
    NameOID.STATE_OR_PROVINCE_NAME: "Oslo",
    NameOID.LOCALITY_NAME: "Oslo",
    NameOID.ORGANIZATION_NAME: "Tillit, Segl + Co",
    NameOID.ORGANIZATIONAL_UNIT_NAME: "PSD2",
    NameOID.ORGANIZATION_IDENTIFIER: "NTRNO-1",
    NameOID.COMMON_NAME: "Issuing CA",
}


def authority_of_a_long_name() -> field.Holder:
    name = x509.Name([x509.NameAttribute(oid, value) for oid, value in LONG.items()])
    return field.authority("", name=name)


@pytest.mark.parametrize(
    ("issuer", "lenient", "exact"),
    [
        # As the certificate has it, most specific part first.
        (r"CN=Issuing CA,2.5.4.97=NTRNO-1,OU=PSD2,O=Tillit\, Segl \+ Co,L=Oslo,ST=Oslo,C=NO", None, None),
        (r"CN=issuing ca,2.5.4.97=NTRNO-1,OU=PSD2,O=Tillit\2c Segl \2b  Co,L=Oslo,S=Oslo,C=no", None, None),
        # The order of the operator's client, and others; what is none of the usual attributes may be absent.
        (r"CN=Issuing CA,O=Tillit\, Segl \+ Co,OU=PSD2,L=Oslo,S=Oslo,C=NO", None, "SIG-12"),
        (r"C=NO,ST=Oslo,L=Oslo,O=Tillit\, Segl \+ Co,OU=PSD2,2.5.4.97=NTRNO-1,CN=Issuing CA", None, "SIG-12"),
        (r"O=Tillit\, Segl \+ Co,CN=Issuing CA,C=NO,L=Oslo,OU=PSD2,ST=Oslo", None, "SIG-12"),
        # A value of another, one too few, one too many, and two that have each other's.
        (r"CN=Issuing CB,O=Tillit\, Segl \+ Co,OU=PSD2,L=Oslo,S=Oslo,C=NO", "SIG-12", "SIG-12"),
        (r"CN=Issuing CA,O=Tillit\, Segl \+ Co,L=Oslo,S=Oslo,C=NO", "SIG-12", "SIG-12"),
        (r"CN=Issuing CA,O=Tillit\, Segl \+ Co,OU=PSD2,OU=PSD2,L=Oslo,S=Oslo,C=NO", "SIG-12", "SIG-12"),
        (r"CN=Issuing CA,O=PSD2,OU=Tillit\, Segl \+ Co,L=Oslo,S=Oslo,C=NO", "SIG-12", "SIG-12"),
        (
            r"CN=Issuing CA,2.5.4.97=NTRNO-2,O=Tillit\, Segl \+ Co,OU=PSD2,L=Oslo,S=Oslo,C=NO",
            "SIG-12",
            "SIG-12",
        ),
    ],
)
def test_key_id_names_the_issuer_in_any_order_unless_exact(
    issuer: str, lenient: str | None, exact: str | None
) -> None:
    authority = authority_of_a_long_name()
    holder = field.leaf(authority, ["PSP_AI"])
    for policy, expected in (({}, lenient), ({"key_id_issuer": "exact"}, exact)):
        with xs2a.Sandbox(now=NOW, policy=policy) as bank:
            bank.trust(authority.pem)
            assert call(bank, field.sign(holder, GIVEN, b"", NOW, issuer=issuer)) == expected


# ------------------------------------------------------------------ whom a certificate names


@pytest.mark.parametrize(
    ("identities", "reason"),
    [
        (("x",), None),
        (("PSDNO FSA-1",), None),
        (("PSDNO-FSA-\u00c5",), None),
        (("x" * 128,), None),
        (("x" * 129,), "CRT-21"),
        (("x" * 3000,), "CRT-21"),
        (("PSDNO-FSA-1\0",), "CRT-21"),
        (("PSDNO\n-FSA-1",), "CRT-21"),
        (("\tPSDNO-FSA-1",), "CRT-21"),
        (("PSDNO-\u202eFSA-1",), "CRT-21"),
        (("PSDNO-\u00adFSA-1",), "CRT-21"),
        (("\u00a0PSDNO-FSA-1",), "CRT-21"),
        (("PSDNO-FSA-1\u2003",), "CRT-21"),
        (("\u3164",), "CRT-21"),
        ((), "CRT-07"),
        (("PSDNO-FSA-1", "PSDNO-FSA-1"), "CRT-20"),
        (("PSDNO-FSA-1", "VATNO-1"), "CRT-20"),
        (("PSDNO-FSA-1", "\0"), "CRT-20"),
    ],
)
def test_an_organisation_is_one_text_of_printable_characters(
    sandbox: xs2a.Sandbox, root: field.Holder, identities: tuple[str, ...], reason: str | None
) -> None:
    sandbox.trust(root.pem)
    holder = field.leaf(root, ["PSP_AI"], identities=identities)
    assert call(sandbox, field.sign(holder, GIVEN, b"", NOW)) == reason
    found = xs2a.parse_certificate(holder.pem)
    assert found.organisation_id == (None if reason else identities[0])


def statements(*more: bytes, behind: bytes = b"") -> bytes:
    """QCStatements with the PSD2 statement and others, and what follows the SEQUENCE."""
    content = field.qc_statements(["PSP_AI"])
    inner = content[2:] if content[1] < 0x80 else content[3:]
    return field.sequence(inner, *more) + behind


COMPLIANCE = field.sequence(field.der(0x06, bytes([4, 0, 0x8E, 0x46, 1, 1])))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (statements(), None),
        (statements(COMPLIANCE), None),
        (statements(statements()[2:]), "CRT-23"),
        (statements(COMPLIANCE, statements()[2:]), "CRT-23"),
        (statements(behind=b"\0"), "CRT-22"),
        (statements(behind=COMPLIANCE), "CRT-22"),
        (statements(behind=statements()), "CRT-22"),
    ],
)
def test_a_certificate_has_one_psd2_statement_and_nothing_behind(
    sandbox: xs2a.Sandbox, root: field.Holder, content: bytes, reason: str | None
) -> None:
    sandbox.trust(root.pem)
    holder = field.leaf(root, [], content)
    assert call(sandbox, field.sign(holder, GIVEN, b"", NOW)) == reason


@pytest.mark.parametrize("text", ["a\0b", "a\nb", "a\u202eb", "a\u200bb", "a\u00adb", "a\x1b[2Jb"])
def test_the_names_of_a_certificate_show_what_cannot_be_seen(text: str) -> None:
    issuer = field.authority(text)
    found = xs2a.parse_certificate(field.leaf(issuer, ["PSP_AI"], identities=(text,)).pem)
    for shown in (found.issuer, found.subject):
        assert shown.isprintable()
        assert text in [value for rdn in xs2a.parse_distinguished_name(shown) for _, value in rdn]


# ------------------------------------------------------------------ serial numbers


SHA256_WITH_RSA = field.sequence(bytes.fromhex("06092a864886f70d01010b0500"))


def sealed(issuer: field.Holder, content: bytes) -> bytes:
    signature = issuer.key.sign(content, padding.PKCS1v15(), hashes.SHA256())
    return field.sequence(content, SHA256_WITH_RSA, field.der(0x03, b"\0", signature))


def number(value: int) -> bytes:
    return field.der(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def with_serial(issuer: field.Holder, serial: int) -> field.Holder:
    """A certificate with a serial number that pyca/cryptography makes none with."""
    holder = field.leaf(issuer, ["PSP_AI"])
    content = holder.certificate.tbs_certificate_bytes
    version, rest = content[4:9], content[9:]  # behind a tag and a length of three bytes
    assert (content[:2], version, rest[0]) == (b"\x30\x82", b"\xa0\x03\x02\x01\x02", 0x02)
    der = sealed(issuer, field.sequence(version, number(serial), rest[2 + rest[1] :]))
    return field.Holder(x509.load_der_x509_certificate(der), holder.key)


def revoking(issuer: field.Holder, serial: int) -> bytes:
    """A revocation list that names a serial number, in DER."""
    at = field.der(0x17, NOW.strftime("%y%m%d%H%M%SZ").encode())
    until = field.der(0x17, (NOW + timedelta(days=1)).strftime("%y%m%d%H%M%SZ").encode())
    entries = field.sequence(field.sequence(number(serial), at))
    crl_number = field.sequence(field.der(0x06, b"\x55\x1d\x14"), field.der(0x04, number(1)))
    name = issuer.certificate.subject.public_bytes()
    parts = (number(1), SHA256_WITH_RSA, name, at, until, entries)
    return sealed(issuer, field.sequence(*parts, field.der(0xA0, field.sequence(crl_number))))


@pytest.mark.parametrize(
    ("bits", "is_taken"), [(8, True), (159, True), (160, True), (161, False), (168, False), (800, False)]
)
def test_a_certificate_is_taken_where_a_list_can_name_it(
    root: field.Holder, bits: int, is_taken: bool
) -> None:
    serial = (1 << bits) - 3
    holder = with_serial(root, serial)
    assert holder.certificate.serial_number == serial
    with gateway(trust_anchors=root.pem) as own:

        def reason() -> str | None:
            return own.engine.handle("POST", TARGET, field.sign(holder, GIVEN, b"", NOW)).reason

        if is_taken:
            assert xs2a.parse_certificate(holder.pem).serial_number == f"{serial:X}"
            assert reason() is None
            assert own.engine.supply_crl(revoking(root, serial), root.pem) == 1
            assert reason() == "CRT-15"
        else:
            assert reason() == "CRT-03"
            with pytest.raises(xs2a.MisuseError, match="more than 20 bytes"):
                xs2a.parse_certificate(holder.pem)
            with pytest.raises(xs2a.ConfigError):
                own.engine.supply_crl(revoking(root, serial), root.pem)
