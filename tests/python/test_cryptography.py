"""Certificates and signatures by pyca/cryptography, made as a client in the field makes them."""

from __future__ import annotations

import base64
import json
from datetime import timedelta
from urllib.parse import quote

import field_client as field
import payment_journey as journey
import pytest
import xs2a
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa


@pytest.fixture(scope="module")
def root() -> field.Holder:
    return field.authority("Field Root")


@pytest.fixture(scope="module")
def intermediate(root: field.Holder) -> field.Holder:
    return field.authority("Field Issuing CA", root)


@pytest.fixture(scope="module")
def client(intermediate: field.Holder) -> field.Holder:
    return field.leaf(intermediate, ["PSP_AI", "PSP_PI"])


def pay(sandbox: xs2a.Sandbox, holder: field.Holder, certificate_text: str | None = None) -> xs2a.Response:
    body = json.dumps(journey.payment(sandbox)).encode()
    headers = field.sign(holder, journey.HEADERS, body, sandbox.clock.now(), certificate_text)
    return sandbox.handle("POST", f"{journey.INSTANT}?allowLogicalDuplicate=true", headers, body)


def test_a_chain_made_elsewhere_works_once_trusted(
    sandbox: xs2a.Sandbox, root: field.Holder, intermediate: field.Holder, client: field.Holder
) -> None:
    assert pay(sandbox, client).reason == "CRT-08"
    sandbox.trust([root.pem, intermediate.pem.encode()])
    answer = pay(sandbox, client)
    assert answer.status == 201, answer.json()
    sandbox.authorise(answer.json()["_links"]["scaRedirect"]["href"], customer_number=journey.PAYER)


def test_an_intermediate_may_come_with_the_request(
    sandbox: xs2a.Sandbox, root: field.Holder, intermediate: field.Holder, client: field.Holder
) -> None:
    sandbox.trust(root.pem)
    assert pay(sandbox, client).reason == "CRT-08", "an intermediate that was not supplied"
    bundle = client.pem + intermediate.pem
    assert pay(sandbox, client, quote(bundle)).status == 201
    assert pay(sandbox, client, bundle.replace("\n", "")).status == 201


def test_a_trusted_intermediate_is_an_anchor(
    sandbox: xs2a.Sandbox, intermediate: field.Holder, client: field.Holder
) -> None:
    sandbox.trust(intermediate.pem)
    assert pay(sandbox, client).status == 201


def test_a_certificate_may_be_trusted_by_itself(sandbox: xs2a.Sandbox, client: field.Holder) -> None:
    sandbox.trust(client.pem)
    assert pay(sandbox, client).status == 201


def test_verify_signature_agrees(
    root: field.Holder, intermediate: field.Holder, client: field.Holder, sandbox: xs2a.Sandbox
) -> None:
    now, target, body = sandbox.clock.now(), journey.INSTANT, b"{}"
    headers = field.sign(client, journey.HEADERS, body, now)
    for anchors in (
        None,
        root.pem + intermediate.pem,
        [root.pem, intermediate.pem],
        intermediate.pem.encode(),
    ):
        found = xs2a.verify_signature("POST", target, headers, body, now=now, trust_anchors=anchors)
        assert found, found
        assert found.certificate == xs2a.parse_certificate(client.der)
    stranger = field.authority("Stranger").pem
    found = xs2a.verify_signature("POST", target, headers, body, now=now, trust_anchors=stranger)
    assert (bool(found), found.reason) == (False, "CRT-08")


@pytest.mark.parametrize("name", ["Date", "X-Request-ID", "Digest", "TPP-Redirect-URI"])
def test_a_changed_header_is_refused(client: field.Holder, sandbox: xs2a.Sandbox, name: str) -> None:
    now, body = sandbox.clock.now(), b"{}"
    headers = field.sign(client, journey.HEADERS, body, now)
    other = dict(
        field.sign(client, [("TPP-Redirect-URI", "https://tpp.example/")], b"{ }", now + timedelta(seconds=1))
    )
    changed = [(found, other[found] if found == name else value) for found, value in headers]
    found = xs2a.verify_signature("POST", journey.INSTANT, changed, body, now=now)
    assert found.reason == ("DIG-03" if name == "Digest" else "SIG-13")
    assert found.text


@pytest.mark.parametrize("name", ["TPP-Signature-Certificate", "Date", "Signature"])
def test_a_header_that_is_missing_is_named(client: field.Holder, sandbox: xs2a.Sandbox, name: str) -> None:
    now = sandbox.clock.now()
    headers = [pair for pair in field.sign(client, journey.HEADERS, b"", now) if pair[0] != name]
    found = xs2a.verify_signature("GET", "/v1/x", headers, b"", now=now)
    assert (found.reason, found.text) == ("HDR-04", f"{name}: the header is required")


def test_the_date_is_allowed_sixty_seconds(client: field.Holder, sandbox: xs2a.Sandbox) -> None:
    now = sandbox.clock.now()
    headers = field.sign(client, journey.HEADERS, b"", now)
    for seconds, reason in ((60, None), (-60, None), (61, "DAT-02"), (-61, "DAT-02")):
        later = now + timedelta(seconds=seconds)
        assert xs2a.verify_signature("GET", "/v1/x", headers, b"", now=later).reason == reason


def test_a_certificate_is_judged_by_the_sandbox_clock(
    sandbox: xs2a.Sandbox, intermediate: field.Holder, client: field.Holder
) -> None:
    sandbox.trust(intermediate.pem)
    sandbox.clock.set(client.certificate.not_valid_after_utc)
    assert pay(sandbox, client).status == 201
    sandbox.clock.advance(timedelta(seconds=1))
    assert pay(sandbox, client).reason == "CRT-14"


def test_the_roles_of_the_certificate_count(sandbox: xs2a.Sandbox, intermediate: field.Holder) -> None:
    sandbox.trust(intermediate.pem)
    reader = field.leaf(intermediate, ["PSP_AI"])
    assert pay(sandbox, reader).status == 403


def test_parse_certificate_agrees_with_pyca(client: field.Holder) -> None:
    found, expected = xs2a.parse_certificate(client.pem), client.certificate
    assert found == xs2a.parse_certificate(client.der)
    assert int(found.serial_number, 16) == expected.serial_number
    assert found.serial_number == f"{expected.serial_number:X}"
    assert (found.not_before, found.not_after) == (
        expected.not_valid_before_utc,
        expected.not_valid_after_utc,
    )
    assert set(found.roles) == {"PSP_AI", "PSP_PI"}
    assert found.organisation_id == "PSDNO-FSA-987654321"
    for ours, theirs in ((found.issuer, expected.issuer), (found.subject, expected.subject)):
        assert xs2a.parse_distinguished_name(ours) == [
            [(attribute.oid.dotted_string, attribute.value) for attribute in rdn]
            for rdn in reversed(theirs.rdns)
        ]


@pytest.mark.parametrize("flat", [False, True])
def test_malformed_nestings_of_the_field_are_read(intermediate: field.Holder, flat: bool) -> None:
    role = field.der(0x06, field.ROLE_ARC + b"\x03") + field.der(0x0C, b"PSP_AI")
    roles = field.sequence(role) if flat else field.sequence(field.sequence(role))
    info = field.sequence(roles, field.der(0x0C, b"Finanstilsynet"), field.der(0x0C, b"NO-FSA"))
    statement = field.sequence(field.der(0x06, field.PSD2_STATEMENT), info)
    statements = field.sequence(statement) if flat else statement  # without the outer SEQUENCE
    holder = field.leaf(intermediate, [], statements)
    assert xs2a.parse_certificate(holder.der).roles == ("PSP_AI",)


def test_what_tpp_sign_signs_is_verified_by_pyca(tpp: xs2a.Tpp) -> None:
    body = b"{}"
    headers = dict(tpp.sign("POST", journey.INSTANT, journey.HEADERS, body))
    parts = dict(part.split("=", 1) for part in headers["Signature"].split('",'))
    names = parts["headers"].strip('"').split()
    signed = field.signing_string(list(headers.items()), names)
    assert signed == xs2a.signing_string("POST", journey.INSTANT, headers, names)
    certificate = x509.load_der_x509_certificate(base64.b64decode(headers["TPP-Signature-Certificate"]))
    key = certificate.public_key()
    assert isinstance(key, rsa.RSAPublicKey)
    key.verify(
        base64.b64decode(parts["signature"].strip('"')), signed.encode(), padding.PKCS1v15(), hashes.SHA256()
    )


def test_the_key_of_a_tpp_belongs_to_its_certificate(tpp: xs2a.Tpp) -> None:
    key = serialization.load_pem_private_key(tpp.private_key_pem.encode(), password=None)
    certificate = x509.load_pem_x509_certificate(tpp.certificate_pem.encode())
    assert key.public_key() == certificate.public_key()


def test_a_tpp_of_the_sandbox_may_sign_elsewhere(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    key = serialization.load_pem_private_key(tpp.private_key_pem.encode(), password=None)
    assert isinstance(key, rsa.RSAPrivateKey)
    holder = field.Holder(x509.load_pem_x509_certificate(tpp.certificate_pem.encode()), key)
    assert pay(sandbox, holder).status == 201
