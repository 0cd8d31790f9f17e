#!/usr/bin/env python3
"""Makes exchanges.json with pyca/cryptography: whole exchanges of a TPP with a bank. What is expected is what the
contract says, never what this library answered. Keys are made again and thrown away; the file is committed. README.md
describes the format.

    pip install cryptography==50.0.2
    python tests/vectors/make_exchanges.py
"""
import base64
import json
import pathlib
import uuid
from datetime import datetime, timedelta, timezone

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID as N

from run_exchanges import Exchange

HERE = pathlib.Path(__file__).parent
NOW = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)
YEAR = timedelta(days=365)
REDIRECT = "https://tpp.example/callback?state=42"
STRAKS = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
DOMESTIC = "/v1/payments/norwegian-domestic-credit-transfers"
CROSS_BORDER = "/v1/payments/norwegian-cross-border-credit-transfers"
PAYER, PAYER_ACCOUNT, PAYEE_ACCOUNT = "13039319955", "95360573002", "95360573037"
ROLES = {"PSP_PI": 2, "PSP_AI": 3}
EXCHANGES = []


def der(tag, *parts):
    content = b"".join(parts)
    assert len(content) < 128
    return bytes([tag, len(content)]) + content


def statement(*roles):
    """The PSD2 statement of ETSI TS 119 495."""
    arc = bytes.fromhex("0400819827")
    items = [der(0x30, der(6, arc, bytes([1, ROLES[role]])), der(12, role.encode())) for role in roles]
    return der(0x30, der(0x30, der(6, arc, b"\x02"), der(0x30, der(0x30, *items), der(12, b"F"), der(12, b"NO-FSA"))))


def name(*parts):
    return x509.Name([x509.NameAttribute(kind, value) for kind, value in parts])


class Certificate:
    """A certificate with its key; without an issuer it signs itself."""

    def __init__(self, issuer=None, roles=("PSP_PI", "PSP_AI"), start=NOW - YEAR, end=NOW + YEAR, serial=0x1F2E):
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        subject = [(N.COUNTRY_NAME, "NO"), (N.COMMON_NAME, "Vector Pay AS")]
        subject.append((N.ORGANIZATION_IDENTIFIER, "PSDNO-FSA-912345678"))
        self.name = name(*subject) if issuer else name((N.COUNTRY_NAME, "NO"), (N.COMMON_NAME, "Vector CA"))
        builder = (x509.CertificateBuilder().subject_name(self.name).public_key(self.key.public_key())
                   .issuer_name(issuer.name if issuer else self.name).serial_number(serial)
                   .not_valid_before(start).not_valid_after(end)
                   .add_extension(x509.BasicConstraints(ca=not issuer, path_length=None), critical=True))
        if issuer:
            qc = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.5.5.7.1.3"), statement(*roles))
            builder = builder.add_extension(qc, critical=False)
        self.certificate = builder.sign(issuer.key if issuer else self.key, hashes.SHA256())

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    @property
    def key_pem(self):
        form = serialization.PrivateFormat.PKCS8
        return self.key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()).decode()


ROOT, OTHER_ROOT = Certificate(), Certificate()
TPP = Certificate(ROOT)


def text(moment):
    return moment.isoformat().replace("+00:00", "Z")


def exchange(id_, comment, *steps, tpp=TPP, root=ROOT, now=NOW):
    EXCHANGES.append({"id": id_, "comment": comment, "now": text(now), "trust_anchors": root.pem,
                      "certificate": tpp.pem, "private_key": tpp.key_pem, "steps": list(steps)})


def expected(status, body=None, headers=None):
    return {"status": status, "headers": headers or {}, "body": body}


def refusal(status, code, path=None):
    message = {"category": "ERROR", "code": code, "text": "{any}"}
    return expected(status, {"tppMessages": [message if path is None else {**message, "path": path}]})


CREATION = [
    ("x-accept-fix", ""), ("TPP-Session-ID", "session-1"), ("TPP-Redirect-URI", REDIRECT), ("PSU-Context", "PRIVATE"),
    ("PSU-IP-Address", "192.0.2.1"), ("Content-Type", "application/json"),
]
READING = [("TPP-Redirect-URI", REDIRECT)]


def call(method, target, answer, *, headers=READING, body=None, with_=(), without=()):
    """A request that is signed when it is played. `with_` and `without`: headers in place of the usual ones."""
    left_out = {name.lower() for name in (*without, *dict(with_))}
    fields = [field for field in headers if field[0].lower() not in left_out] + list(with_)
    sent = "" if body is None else body if isinstance(body, str) else json.dumps(body)
    return {"do": "call", "method": method, "target": target, "headers": fields, "body": sent, "sign": True,
            "expected": answer}


def whole(step, tpp=TPP, now=NOW, change=lambda fields: fields, body=None):
    """The same request signed here, with every header, and then changed: it can be sent as it is."""
    signer = Exchange({"id": "", "now": text(now), "certificate": tpp.pem, "private_key": tpp.key_pem}, "", None)
    fixed = [*step["headers"], ("X-Request-ID", str(uuid.UUID(int=len(EXCHANGES) + 1)))]
    fields = signer.signed(step["method"], step["target"], fixed, step["body"].encode())
    return {**step, "headers": change(fields), "body": step["body"] if body is None else body, "sign": False}


def set_header(name_, value):
    return lambda fields: [(own, value if own == name_ else other) for own, other in fields]


def drop(name_):
    return lambda fields: [field for field in fields if field[0] != name_]


def payment(amount="250.00", **members):
    return {
        "instructedAmount": {"amount": amount, "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": PAYEE_ACCOUNT, "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "debtorAccount": {"bban": PAYER_ACCOUNT, "currency": "NOK"},
        "remittanceInformationUnstructured": "Invoice 1001",
        **members,
    }


def create(answer, target=STRAKS, body=None, **changes):
    return call("POST", target, answer, headers=CREATION, body=body or payment(), **changes)


def psu(approve, link="{sca-redirect}", parameters=None):
    return {"do": "psu", "link": link, "customer": PAYER, "approve": approve,
            "expected": {"redirect": "https://tpp.example/callback",
                         "parameters": {"state": "42", **(parameters or {})}}}


def clock(moment):
    return {"do": "clock", "now": text(moment)}


def created(status="RCVD"):
    links = {"self": {"href": "{self}"}, "scaRedirect": {"href": "{sca-redirect}"}}
    return expected(201, {"transactionStatus": status, "paymentId": "{payment-id}", "_links": links})


def status(value, target="{self}/status"):
    return call("GET", target, expected(200, {"transactionStatus": value}))


def payments():
    exchange("payment-approved", "a payment with a single SCA, which the PSU approves, is executed",
             create(created()), status("RCVD"), psu(True, parameters={"psu-id": "{psu-id}"}), status("ACSC"))
    exchange("payment-aborted", "the PSU cancels at the bank's site: the payment still waits for its SCA",
             create(created()), psu(False), status("RCVD"))
    exchange("payment-read", "a payment is read as it was sent",
             create(created()), call("GET", "{self}", expected(200, payment())))
    exchange("payment-cancelled", "before its SCA a DELETE is enough",
             create(created()), call("DELETE", "{self}", expected(204), headers=CREATION), status("CANC"))
    exchange("payment-unknown", "a payment that does not exist",
             call("GET", f"{STRAKS}/unknown", refusal(404, "RESOURCE_UNKNOWN")))
    exchange("payment-duplicate", "the same payment twice is taken for a mistake, unless the TPP says that it is none",
             create(created()), create(refusal(409, "CONFLICT")),
             create(expected(201, {"paymentId": "{second-id}"}), f"{STRAKS}?allowLogicalDuplicate=true"))
    exchange("payment-later", "a payment for a later day waits for it",
             create(created(), DOMESTIC, payment(requestedExecutionDate="2026-09-03")), psu(True), status("PDNG"),
             clock(NOW + timedelta(days=3)), status("ACSC"))


def baskets():
    """Payments of a PSU whom an earlier payment made known, so that they wait together for one SCA."""
    known = [field for field in CREATION if field[0] != "PSU-Context"] + [("PSU-ID", "{psu-id}")]

    def of_known(name_, amount):
        answer = expected(201, {"paymentId": f"{{{name_}-id}}", "_links": {"self": {"href": f"{{{name_}}}"}}})
        return call("POST", STRAKS, answer, headers=known, body=payment(amount))

    links = {"self": {"href": "{basket}"}}
    basket = call("POST", "/v1/signing-baskets", expected(201, {"transactionStatus": "RCVD", "_links": links}),
                  headers=known, body={"paymentIds": ["{first-id}", "{second-id}"]})
    start = call("POST", "{basket}/authorisations",
                 expected(201, {"_links": {"scaRedirect": {"href": "{basket-redirect}"}}}), headers=known,
                 without=["Content-Type"])
    begin = [create(created()), psu(True, parameters={"psu-id": "{psu-id}"}), of_known("first", "251.00"),
             of_known("second", "252.00"), basket]
    exchange("basket-approved", "one SCA approves two payments", *begin, start, psu(True, "{basket-redirect}"),
             status("ACSC", "{first}/status"), status("ACSC", "{second}/status"))
    exchange("basket-holds-its-payments", "a payment in an open basket is not deleted by itself", *begin,
             call("DELETE", "{first}", refusal(409, "CONFLICT"), headers=known), status("RCVD", "{first}/status"))


def bodies():
    for id_, comment, path, body in [
        ("amount-zero", "an amount of nothing", "/instructedAmount/amount", payment("0.00")),
        ("amount-fraction", "three fraction digits of a currency that has two", "/instructedAmount/amount",
         payment("1.000")),
        ("member-missing", "a payment without its payee", "/creditorName",
         {name_: value for name_, value in payment().items() if name_ != "creditorName"}),
        ("text-too-long", "a text of 141 characters", "/remittanceInformationUnstructured",
         payment(remittanceInformationUnstructured="x" * 141)),
    ]:
        exchange(id_, comment, whole(create(refusal(400, "FORMAT_ERROR", path), body=body)))
    abroad = payment(
        creditorAccount={"iban": "DE88370400440532013000", "currency": "EUR"}, creditorAgent="DEUTDEFF",
        instructedAmount={"amount": "100.00", "currency": "EUR"},
        creditorAddress={"townName": "Berlin", "country": "DE"})
    del abroad["remittanceInformationUnstructured"]
    exchange("iban-check-digits", "an IBAN whose check digits do not fit",
             whole(create(refusal(400, "FORMAT_ERROR", "/creditorAccount/iban"), CROSS_BORDER, abroad)))
    abroad["creditorAccount"] = {"iban": "DE89370400440532013000", "currency": "EUR"}
    exchange("iban-sound", "the same with the check digits that fit", whole(create(created(), CROSS_BORDER, abroad)))
    exchange("amount-least", "the least amount", whole(create(created(), body=payment("0.01"))))
    exchange("body-no-json", "a body that is no JSON", whole(create(refusal(400, "FORMAT_ERROR"), body="{")))


def signatures():
    sound = create(created())
    refused = create(refusal(400, "BAD_REQUEST", "Signature"))
    exchange("request-whole", "a sound request with every header, as it is sent", whole(sound))
    exchange("signature-other-key", "signed by a key that is not the certificate's",
             whole(refused, change=set_header("X-Request-ID", str(uuid.UUID(int=0x99)))))
    exchange("digest-other-body", "a body that was changed after it was signed",
             whole(create(refusal(400, "BAD_REQUEST", "Digest")), body=json.dumps(payment("260.00"))))
    exchange("signature-missing", "a request without a signature",
             whole(create(refusal(400, "HTTP_HEADER_REQUIRED", "Signature")), change=drop("Signature")))
    exchange("redirect-missing", "a creation that does not say where the PSU returns",
             whole(create(refusal(400, "HTTP_HEADER_REQUIRED", "TPP-Redirect-URI"), without=["TPP-Redirect-URI"])))
    exchange("date-60-seconds", "a Date 60 seconds before the bank's clock",
             whole(sound, now=NOW - timedelta(seconds=60)))
    exchange("date-61-seconds", "a Date 61 seconds before the bank's clock",
             whole(create(refusal(400, "BAD_REQUEST", "Date")), now=NOW - timedelta(seconds=61)))
    again = whole(sound)
    exchange("request-id-again", "a request counts once",
             again, {**again, "expected": refusal(400, "BAD_REQUEST", "X-Request-ID")})


def certificates():
    path = "TPP-Signature-Certificate"
    refused = create(refusal(400, "BAD_REQUEST", path))
    exchange("certificate-unknown-issuer", "an issuer that the bank does not trust",
             whole(refused, tpp=(stranger := Certificate(OTHER_ROOT))), tpp=stranger)
    exchange("certificate-expired", "a certificate that expired a second ago",
             whole(refused, tpp=(old := Certificate(ROOT, end=NOW - timedelta(seconds=1)))), tpp=old)
    exchange("certificate-last-second", "a certificate in its last second",
             whole(create(created()), tpp=(last := Certificate(ROOT, end=NOW))), tpp=last)
    exchange("role-missing", "an account information service that initiates a payment",
             whole(create(refusal(403, "FORBIDDEN")), tpp=(aisp := Certificate(ROOT, roles=["PSP_AI"]))), tpp=aisp)


def accounts():
    reading = [("TPP-Session-ID", "session-1"), *READING, ("PSU-IP-Address", "192.0.2.1")]
    links = {"scaRedirect": {"href": "{sca-redirect}"}}
    consent = call("POST", "/v1/bank-offered-consents", expected(201, {"_links": links}),
                   headers=CREATION, without=["Content-Type"])
    known = [*reading, ("PSU-ID", "{psu-id}")]
    exchange("accounts-opened", "a PSU opens the accounts to the TPP, which then reads them",
             consent, psu(True, parameters={"psu-id": "{psu-id}"}),
             call("GET", "/v1/accounts", expected(200, {"accounts": [{"resourceId": "{any}"}] * 2}), headers=known))
    exchange("accounts-session-unknown", "a session under which no PSU opened anything",
             consent, psu(True, parameters={"psu-id": "{psu-id}"}),
             call("GET", "/v1/accounts", expected(401, {"tppMessages": [{"category": "ERROR"}]}), headers=known,
                  with_=[("TPP-Session-ID", "session-2")]))


def routes():
    exchange("path-unknown", "a path that the interface does not have",
             whole(call("GET", "/v1/nothing", expected(404, {"tppMessages": [{"category": "ERROR"}]}))))
    exchange("method-unknown", "a method that the path does not have",
             whole(call("PUT", STRAKS, expected(405, {"tppMessages": [{"category": "ERROR"}]}), headers=CREATION)))


def main():
    for part in (payments, baskets, bodies, signatures, certificates, accounts, routes):
        part()
    (HERE / "exchanges.json").write_text(json.dumps(EXCHANGES, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
