#!/usr/bin/env python3
"""Makes trust.json with pyca/cryptography: engines that are called, and whose trust is replaced between the calls.
Keys are made again and thrown away; the file is committed.

    pip install cryptography==50.0.2
    python tests/vectors/make_trust_vectors.py

Fields of a case: id, comment, config (of an engine, its keys as in docs/configuration.md), steps in their order.
Fields of a step, beside `do`:

now            micros: the engine's clock from then on, since 1970 in UTC
call           headers (list of pairs): of POST /v1/bank-offered-consents without a body; status; reason (id, or
               empty: none)
lists          hex (of DER) or pem, authorities (PEM), count; or fails
clear
due            time: when the first list ceases to count (RFC 3339, or empty: never)
anchors        bundle (PEM), count; or fails
register       extract (JSON as text), count; or fails
trusted_list   list (XML), type, at (RFC 3339), bundle (the PEM that comes of it); or fails

many_anchors   pem: ten thousand certificates made of this one become the anchors: for the number 0042 its 4 characters
               from the 434th on, counted from 0, are `0042`. They lie in its key
many_sent      pem, and the fields of `call`: as many follow the certificate of the call

fails: a part of what the configuration error says; nothing is changed then.
"""
import base64
import json
import pathlib
import textwrap
import urllib.parse
import uuid
from datetime import datetime, timedelta, timezone

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID as N

HERE = pathlib.Path(__file__).parent
NOW = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)
SECOND, DAY, YEAR = timedelta(seconds=1), timedelta(days=1), timedelta(days=365)
ORGANISATION = "PSDNO-FSA-912345678"
ROLES = {"PSP_PI": 2, "PSP_AI": 3}
KINDS = {"seal": 2, "website": 3}
CASES = []


def der(tag, *parts):
    content = b"".join(parts)
    assert len(content) < 256
    return bytes([tag, *([] if len(content) < 128 else [0x81]), len(content)]) + content


def qc_statements(roles, kinds, is_qualified):
    """The PSD2 statement of ETSI TS 119 495, and those of ETSI EN 319 412-5: QcType, QcCompliance."""
    arc, etsi = bytes.fromhex("0400819827"), bytes.fromhex("04008e4601")
    items = [der(0x30, der(6, arc, bytes([1, ROLES[role]])), der(12, role.encode())) for role in roles]
    psd2 = der(0x30, der(6, arc, b"\x02"), der(0x30, der(0x30, *items), der(12, b"FSA"), der(12, b"NO-FSA")))
    compliance = [der(0x30, der(6, etsi, b"\x01"))] if is_qualified else []
    types = [der(6, etsi, bytes([6, KINDS[kind]])) for kind in kinds]
    types = [der(0x30, der(6, etsi, b"\x06"), der(0x30, *types))] if types else []
    return der(0x30, *compliance, psd2, *types)


def name(common, organisation=None):
    parts = [(N.COUNTRY_NAME, "NO"), (N.COMMON_NAME, common)]
    if organisation:
        parts.insert(1, (N.ORGANIZATION_IDENTIFIER, organisation))
    return x509.Name([x509.NameAttribute(oid, value) for oid, value in parts])


USAGES = ["digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
          "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"]


class Cert:
    """A certificate with its key; without an issuer it signs itself."""

    def __init__(self, common, issuer=None, *, authority=False, serial, bits=2048, usage=("digital_signature",),
                 roles=("PSP_AI", "PSP_PI"), kinds=(), is_qualified=False, critical=False,
                 start=NOW - YEAR, end=NOW + YEAR, key=None, organisation=None, subject=None, statements=None):
        self.name = subject or name(common, organisation if authority else ORGANISATION)
        self.key = key or rsa.generate_private_key(public_exponent=65537, key_size=bits)
        self.issuer = issuer or self
        builder = (x509.CertificateBuilder().subject_name(self.name).issuer_name(self.issuer.name)
                   .public_key(self.key.public_key()).serial_number(serial)
                   .not_valid_before(start).not_valid_after(end))
        if authority:
            usage = ("key_cert_sign", "crl_sign")
            builder = builder.add_extension(x509.BasicConstraints(True, None), True)
        else:
            statement = x509.ObjectIdentifier("1.3.6.1.5.5.7.1.3")
            statements = statements or qc_statements(roles, kinds, is_qualified)
            builder = builder.add_extension(x509.UnrecognizedExtension(statement, statements), False)
        builder = builder.add_extension(x509.KeyUsage(**{flag: flag in usage for flag in USAGES}), True)
        if critical:
            unknown = x509.ObjectIdentifier("1.2.3.4.5")
            builder = builder.add_extension(x509.UnrecognizedExtension(unknown, b"\x05\x00"), True)
        self.certificate = builder.sign(self.issuer.key, hashes.SHA256())

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    @property
    def line(self):
        return base64.b64encode(self.certificate.public_bytes(serialization.Encoding.DER)).decode()


# ------------------------------------------------------------------------------------------------ steps


def now(at):
    return {"do": "now", "micros": int(at.timestamp()) * 1_000_000}


def call(leaf, reason="", *, chain=(), at=NOW, status=None, issuer=None, sent=None):
    """A signed call, and what becomes of it. `issuer`: as keyId names it, where not in full. `sent`: the certificate
    as the header has it, where it is not PEM in one line."""
    in_one_line = sent or "".join(one.pem for one in (leaf, *chain)).replace("\n", "")
    fields = [
        ("x-accept-fix", ""),
        ("TPP-Session-ID", "session-1"),
        ("TPP-Redirect-URI", "https://tpp.example/cb"),
        ("PSU-IP-Address", "192.0.2.1"),
        ("PSU-Context", "PRIVATE"),
        ("Date", at.strftime("%a, %d %b %Y %H:%M:%S GMT")),
        ("X-Request-ID", str(uuid.uuid4())),
        ("TPP-Signature-Certificate", in_one_line),
    ]
    values = {name.lower(): value for name, value in fields}
    names = ["date", "x-request-id", "tpp-redirect-uri"]
    signed = "\n".join(f"{name}: {values[name]}" for name in names).encode()
    signature = base64.b64encode(leaf.key.sign(signed, padding.PKCS1v15(), hashes.SHA256())).decode()
    issuer = issuer or leaf.certificate.issuer.rfc4514_string()
    key_id = f"SN={leaf.certificate.serial_number:X},CA={issuer}"
    plain = f'keyId="{key_id}",algorithm="rsa-sha256",headers="{" ".join(names)}",signature="{signature}"'
    status = status or {"": 201, "TPP": 403}.get(reason[:3], 400)
    return {"do": "call", "headers": [*fields, ("Signature", plain)], "status": status, "reason": reason}


def outcome(fails, **succeeds):
    return {"fails": fails} if fails else succeeds


def crl(issuer, number, *revoked, extension=None, days=1, at=NOW):
    builder = (x509.CertificateRevocationListBuilder().issuer_name(issuer.name).last_update(at)
               .next_update(at + days * DAY).add_extension(x509.CRLNumber(number), False))
    if extension:
        builder = builder.add_extension(extension, True)
    for certificate in revoked:
        entry = x509.RevokedCertificateBuilder().serial_number(certificate.certificate.serial_number)
        builder = builder.add_revoked_certificate(entry.revocation_date(at).build())
    return builder.sign(issuer.key, hashes.SHA256())


def hexed(one):
    return one.public_bytes(serialization.Encoding.DER).hex()


def lists(given, authorities, fails=None, count=1):
    """`given`: lists, several of them as PEM; text as it is; one list, whose last byte is lost."""
    if isinstance(given, str):
        form = {"pem": given}
    elif isinstance(given, x509.CertificateRevocationList):
        form = {"hex": hexed(given)[:-2]}
    elif len(given) == 1:
        form = {"hex": hexed(given[0])}
    else:
        form = {"pem": "".join(one.public_bytes(serialization.Encoding.PEM).decode() for one in given)}
    pem = "".join(one.pem for one in authorities)
    return {"do": "lists", **form, "authorities": pem, **outcome(fails, count=count)}


def due(time):
    return {"do": "due", "time": time and time.strftime("%Y-%m-%dT%H:%M:%SZ")}


def anchors(bundle, fails=None, count=1):
    return {"do": "anchors", "bundle": bundle, **outcome(fails, count=count)}


def register(extract, fails=None, count=0):
    return {"do": "register", "extract": extract, **outcome(fails, count=count)}


def institutions(*changes, services=({"NO": ["PS_070", "PS_080"]},)):
    """An extract with the TPP, whose authorisation was given, withdrawn, … on so many days, and its services."""
    entity = {"CA_OwnerID": "NO_FSA", "EntityCode": "NO_FSA!1", "EntityType": "PSD_PI",
              "Properties": [{"ENT_NAM": "Betaling AS"}, {"ENT_NAT_REF_COD": "912345678"}, {"ENT_AUT": list(changes)}],
              "Services": list(services)}
    return json.dumps([[{"disclaimer": "of the authority"}], [entity]])


def trusted_list(services, kind, bundle, at=NOW, fails=None):
    """`services`: certificate, uses, status."""
    uri = "http://uri.etsi.org/TrstSvc"

    def service(authority, uses, status):
        extensions = "".join(
            f'<Extension Critical="true"><AdditionalServiceInformation><URI xml:lang="en">{uri}/TrustedList/SvcInfoExt/'
            f"{use}</URI></AdditionalServiceInformation></Extension>" for use in uses)
        return (
            f"<TSPService><ServiceInformation><ServiceTypeIdentifier>{uri}/Svctype/CA/QC</ServiceTypeIdentifier>"
            f"<ServiceDigitalIdentity><DigitalId><X509Certificate>{authority.line}</X509Certificate></DigitalId>"
            f"</ServiceDigitalIdentity><ServiceStatus>{uri}/TrustedList/Svcstatus/{status}</ServiceStatus>"
            f"<StatusStartingTime>2016-06-30T22:00:00Z</StatusStartingTime><ServiceInformationExtensions>{extensions}"
            "</ServiceInformationExtensions></ServiceInformation></TSPService>")

    xml = services if isinstance(services, str) else (
        '<?xml version="1.0" encoding="UTF-8"?><TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#">'
        "<SchemeInformation><NextUpdate><dateTime>2026-12-01T10:00:00Z</dateTime></NextUpdate></SchemeInformation>"
        "<TrustServiceProviderList><TrustServiceProvider><TSPServices>"
        + "".join(service(*one) for one in services)
        + "</TSPServices></TrustServiceProvider></TrustServiceProviderList></TrustServiceStatusList>")
    return {"do": "trusted_list", "list": xml, "type": kind, "at": at.isoformat().replace("+00:00", "Z"),
            **outcome(fails, bundle=bundle)}


def case(id_, comment, steps, trusted, **policy):
    config = {"database": "sqlite::memory:", "trust_anchors": "".join(one.pem for one in trusted), "policy": policy}
    CASES.append({"id": id_, "comment": comment, "config": config, "steps": [now(NOW), *steps]})


# ------------------------------------------------------------------------------------------------ cases

root = Cert("Root", authority=True, serial=1)
issuing = Cert("Issuing", root, authority=True, serial=2)
leaf = Cert("Betaling AS", issuing, serial=3)
both = (root, issuing)


def one_call(id_, comment, certificate, reason, chain=(issuing,)):
    case(id_, comment, [call(certificate, reason, chain=chain)], [root])


def certificates():
    one_call("sound", "a leaf, its issuer, the issuer's root", leaf, "")
    one_call("wrong-purpose", "a key for encryption",
             Cert("Betaling AS", issuing, serial=4, usage=("key_encipherment",)), "CRT-06")
    one_call("weak-key", "RSA of 1024 bits", Cert("Betaling AS", issuing, serial=5, bits=1024), "CRT-04")
    one_call("wrong-role", "accounts are read by PSP_AI",
             Cert("Betaling AS", issuing, serial=6, roles=("PSP_PI",)), "TPP-02")
    one_call("right-role", "and by no other", Cert("Betaling AS", issuing, serial=7, roles=("PSP_AI",)), "")
    own = Cert("Betaling AS", serial=8)
    one_call("self-signed", "no authority signed it", own, "CRT-08", [own])
    one_call("unknown-critical-extension", "1.2.3.4.5, critical",
             Cert("Betaling AS", issuing, serial=9, critical=True), "CRT-05")
    end = NOW + DAY
    short = Cert("Betaling AS", issuing, serial=10, start=NOW, end=end)
    steps = []
    for at, reason in ((NOW - SECOND, "CRT-13"), (NOW, ""), (end, ""), (end + SECOND, "CRT-14")):
        steps += [now(at), call(short, reason, chain=[issuing], at=at)]
    case("validity", "both ends count", steps, [root])
    old = Cert("Old", root, authority=True, serial=11, end=NOW - SECOND)
    one_call("expired-issuer", "the leaf alone is valid", Cert("Betaling AS", old, serial=12), "CRT-14", [old])
    # A by B, and B by A.
    a_key, b_key = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
    a_own = Cert("A", authority=True, serial=13, key=a_key)
    b_own = Cert("B", authority=True, serial=14, key=b_key)
    a = Cert("A", b_own, authority=True, serial=15, key=a_key)
    b = Cert("B", a_own, authority=True, serial=16, key=b_key)
    of_a = Cert("Betaling AS", a, serial=17)
    one_call("loop", "two authorities sign each other", of_a, "CRT-08", [a, b])
    case("loop-with-an-end", "one of the two is trusted", [call(of_a, chain=[a, b])], [b_own])


def kinds():
    stated = [((), False), ((), True), (("seal",), True), (("website",), True), (("seal", "website"), True),
              (("seal", "website"), False)]
    leaves = [(kinds, is_qualified, Cert("Betaling AS", issuing, serial=number, kinds=kinds, is_qualified=is_qualified))
              for number, (kinds, is_qualified) in enumerate(stated, 20)]
    for policy, wanted in (("any", None), ("qseal", "seal"), ("qwac", "website")):
        steps = [call(one, "" if not wanted or is_qualified and wanted in kinds else "CRT-18", chain=[issuing])
                 for kinds, is_qualified, one in leaves]
        comment = "nothing stated, qualified, QSealC, QWAC, both, both unqualified"
        case(f"type-{policy}", comment, steps, [root], certificate_type=policy)


def issuers():
    # The organizationIdentifier of an issuer is one of the attributes that a client may leave out by policy, and the
    # order of the parts does not count.
    named = Cert("Named", root, authority=True, serial=30, organisation="NTRNO-987654321")
    of_named = Cert("Betaling AS", named, serial=31)
    whole = of_named.certificate.issuer.rfc4514_string()
    without = ",".join(part for part in whole.split(",") if "NTRNO" not in part)
    assert without == "CN=Named,C=NO" != whole
    for policy, reason in (("lenient", ""), ("exact", "SIG-12")):
        steps = [call(of_named, chain=[named]), call(of_named, reason, chain=[named], issuer=without),
                 call(of_named, reason, chain=[named], issuer="C=NO,CN=Named"),
                 call(of_named, reason, chain=[named], issuer=",".join(reversed(whole.split(",")))),
                 call(of_named, "SIG-12", chain=[named], issuer="CN=NO,C=Named"),
                 call(of_named, "SIG-12", chain=[named], issuer=without.replace("Named", "Other"))]
        comment = "named in full, without its organizationIdentifier, in other orders, another"
        case(f"issuer-{policy}", comment, steps, [root],
             key_id_issuer=policy)


def organisations():
    """Identifiers that name no organisation, and QCStatements that readers differ about."""
    serials = iter(range(40, 100))

    def subject(*identifiers):
        return x509.Name([x509.NameAttribute(N.COUNTRY_NAME, "NO"), x509.NameAttribute(N.COMMON_NAME, "Betaling AS"),
                          *(x509.NameAttribute(N.ORGANIZATION_IDENTIFIER, one) for one in identifiers)])

    def outcome_of(reason, **shape):
        return call(Cert("Betaling AS", issuing, serial=next(serials), **shape), reason, chain=[issuing])

    faulty = ["PSDNO-FSA-1\0", "PSDNO\nFSA-1", "PSDNO-FSA-1\r\n", "\tPSDNO-FSA-1", "PSDNO-FSA-\u202e1",
              "PSDNO-FSA-1\u200b", "PSDNO-FSA-1\u00a0", "\u2003PSDNO-FSA-1", "PSDNO\u00adFSA-1",
              "PSDNO-FSA-1\u0085", "PSDNO-\u3164-1", "PSDNO-FSA-\u28001", "PSDNO-FSA-\u200d1", "P" * 129, "P" * 3000,
              "\u0301"]
    steps = [outcome_of("CRT-21", subject=subject(one)) for one in faulty]
    printable = ("P" * 128, " PSDNO-FSA-1  ", "PSDNO FSA Å/1", "VATNO-987654321")
    steps += [outcome_of("", subject=subject(one)) for one in printable]
    steps += [outcome_of("CRT-07", subject=subject(*ids)) for ids in ((), ("  ",))]
    pairs = [("PSDNO-FSA-1", "PSDNO-FSA-2"), ("VATNO-987654321", "PSDNO-FSA-1"), ("PSDNO-FSA-1", "PSDNO-FSA-1"),
             (" ", "A")]
    steps += [outcome_of("CRT-20", subject=subject(*ids)) for ids in pairs]
    case("organisation-identifiers", "printable, of at most 128 characters, and one", steps, [root])
    sound = qc_statements(("PSP_AI",), (), False)
    inner = sound[2:]
    assert sound[1] == len(inner) < 128
    steps = [
        outcome_of("", statements=sound),
        outcome_of("CRT-23", statements=der(0x30, inner, inner)),
        outcome_of("CRT-23", statements=der(0x30, inner, der(0x30, inner))),
        outcome_of("CRT-22", statements=sound + b"\0"),
        outcome_of("CRT-22", statements=sound + sound),
        outcome_of("CRT-22", statements=der(0x30, inner, b"\x30\x05\x06\x01\x2a")),
        outcome_of("CRT-22", statements=der(0x31, inner)),
    ]
    case("psd2-statements", "one, in one SEQUENCE that is read to its end", steps, [root])


def serial_numbers():
    """Each certificate that is accepted can be revoked. The longest serial number has 20 bytes, without a zero before
    them that DER asks for."""
    high = [Cert("Betaling AS", issuing, serial=number) for number in ((1 << 159) - 1, 0x7F << 152 | 5)]
    steps = []
    for number, one in enumerate(high):
        steps += [call(one, chain=[issuing]), lists([crl(issuing, number + 1, one)], both),
                  call(one, "CRT-15", chain=[issuing]), {"do": "clear"}]
    case("serial-of-twenty-bytes", "accepted, and revoked by a list", steps, [root])


def forms():
    """The header in lines: from a file, a proxy's variable or a client that folds."""
    for id_, text in (("base64", "\n".join(textwrap.wrap(leaf.line, 64)) + "\n"), ("pem", leaf.pem + issuing.pem)):
        forms = [text, text.replace("\n", "\r\n"), text.replace("\n", "\n "), text.replace("\n", "\r\n\t"),
                 text.replace("\n", " "), "\r\n" + text, urllib.parse.quote(text), urllib.parse.quote_plus(text)]
        steps = [call(leaf, sent=form) for form in forms]
        faulty = [call(leaf, "HDR-03", sent=text[:70] + fault + text[70:]) for fault in ("\0", "\v", "\x7f")]
        faulty.append(call(leaf, "CRT-01", sent=text[:70] + "\r\nX-Injected: 1\r\n" + text[70:]))
        case(f"lines-{id_}", "line breaks of every kind, other control characters", steps + faulty, [issuing])


def revocation():
    good, sound = call(leaf, chain=[issuing]), crl(issuing, 2)
    case("revoked", "from the next call on, the leaf or an issuer of it", [
        call(leaf, chain=[issuing]), due(""),
        lists([crl(issuing, 1, leaf)], both), call(leaf, "CRT-15", chain=[issuing]), due(NOW + DAY),
        lists([crl(issuing, 2)], both), call(leaf, chain=[issuing]),
        lists([crl(root, 1, issuing), crl(issuing, 3)], both, count=2), call(leaf, "CRT-15", chain=[issuing]),
        {"do": "clear"}, due(""), call(leaf, chain=[issuing]),
    ], [root])
    missing = [call(leaf, "CRT-17", chain=[issuing]), lists([crl(issuing, 1)], both),
               call(leaf, "CRT-17", chain=[issuing]), lists([crl(root, 1)], both), call(leaf, chain=[issuing])]
    case("missing", "each issuer needs a list", missing, [root], missing_crl="refuse")
    late = NOW + DAY + SECOND
    for policy, reason in (("refuse", "CRT-16"), ("accept", "")):
        case(f"stale-{policy}", "after its nextUpdate", [
            lists([crl(issuing, 1)], both), now(NOW + DAY), call(leaf, chain=[issuing], at=NOW + DAY),
            now(late), call(leaf, reason, chain=[issuing], at=late),
        ], [root], stale_crl=policy)
    stranger = Cert("Issuing", authority=True, serial=2)
    delta = crl(issuing, 9, leaf, extension=x509.DeltaCRLIndicator(1))
    point = x509.IssuingDistributionPoint(None, None, False, False, None, True, False)
    indirect = crl(issuing, 9, leaf, extension=point)
    torn = "-----BEGIN X509 CRL-----\nAQID\n-----END X509 CRL-----\n"
    case("lists-that-are-not-taken", "what was there stays", [
        lists([sound], both),
        lists([crl(issuing, 1, leaf)], both, "older"),
        lists([crl(stranger, 9, leaf)], both, "signature"),
        lists([crl(issuing, 9, leaf)], [root], "no authority"),
        lists([delta], both, "delta"), lists([indirect], both, "other issuers"),
        lists("", both, "neither DER nor PEM"), lists(root.pem, both, "neither DER nor PEM"),
        lists(torn, both, "RFC 5280"),
        lists(crl(issuing, 9, leaf), both, "RFC 5280"),
        lists([crl(issuing, 9, leaf), crl(stranger, 9)], both, "signature"),
        {**lists([sound], both, "authorities: "), "authorities": "none"},
        good, due(NOW + DAY),
    ], [root])


def replaced():
    stranger = Cert("Stranger", authority=True, serial=1)
    case("anchors", "from the next call on", [
        call(leaf, chain=[issuing]),
        anchors(stranger.pem), call(leaf, "CRT-08", chain=[issuing]),
        anchors(stranger.pem + issuing.pem, count=2), call(leaf),
        anchors("", "trust_anchors: "), anchors("none", "trust_anchors: "),
        anchors(root.pem + "-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n", "trust_anchors: "),
        call(leaf),
    ], [root])
    given, withdrawn, again = "2019-04-12", "2026-08-31", "2026-09-01"
    case("register", "from the next call on", [
        call(leaf, chain=[issuing]),
        register("[[], []]"), call(leaf, "TPP-01", chain=[issuing]),
        register(institutions(given), count=1), call(leaf, chain=[issuing]),
        register("", "register extract: "), register("[[],[{}]]", "register extract: "),
        register("[[]]", "register extract: "), call(leaf, chain=[issuing]),
        register(institutions(given, withdrawn)), call(leaf, "TPP-01", chain=[issuing]),
        register(institutions(given, withdrawn, again), count=1), call(leaf, chain=[issuing]),
    ], [root])
    def services(*listed):
        return register(institutions(given, services=listed), count=1)

    reads, pays = "PS_080", "PS_070"
    case("register-services", "a consent needs account information in the bank's country", [
        services({"NO": reads}), call(leaf, chain=[issuing]),
        services({"NO": pays}), call(leaf, "TPP-05", chain=[issuing]),
        services({"SE": [reads, pays]}, {"NO": [pays]}), call(leaf, "TPP-05", chain=[issuing]),
        services({"SE": reads}, {"NO": [pays, reads]}), call(leaf, chain=[issuing]),
        services(), call(leaf, "TPP-05", chain=[issuing]),
        register(json.dumps([[], [{"CA_OwnerID": "NO_FSA", "EntityType": "PSD_PI", "Services": [1]}]]),
                 "register extract: "),
    ], [root])
    case("register-passport", "the bank's country is another", [
        services({"NO": [reads, pays]}), call(leaf, "TPP-05", chain=[issuing]),
        services({"NO": [reads, pays]}, {"SE": reads}), call(leaf, chain=[issuing]),
    ], [root], country="SE")
    overdue = datetime(2026, 12, 1, 10, 0, 1, tzinfo=timezone.utc)
    granted = [(stranger, ["ForeSeals"], "withdrawn"), (issuing, ["ForeSeals"], "granted"),
               (root, ["ForeSeals", "ForWebSiteAuthentication"], "granted"), (issuing, ["ForeSeals"], "granted")]
    case("trusted-list", "what it grants becomes the anchors", [
        call(leaf, "CRT-08"),
        trusted_list(granted, "qseal", issuing.pem + root.pem),
        trusted_list(granted, "qwac", root.pem),
        trusted_list(granted, "any", issuing.pem + root.pem),
        trusted_list([(root, [], "granted")], "any", ""),
        trusted_list(granted, "qseal", issuing.pem + root.pem, overdue - SECOND),
        trusted_list(granted, "qseal", None, overdue, "trusted list: the next list is overdue"),
        trusted_list("", "any", None, fails="trusted list: "),
        trusted_list("<html/>", "any", None, fails="trusted list: "),
        trusted_list("<TrustServiceStatusList", "any", None, fails="trusted list: "),
        anchors(issuing.pem + root.pem, count=2), call(leaf),
    ], [stranger])


def many():
    steps = [call(leaf, "CRT-09"), call(leaf, "CRT-09", chain=[issuing])]
    first = {"do": "many_anchors", "pem": issuing.pem}
    sent = {**call(leaf, "HDR-02"), "do": "many_sent", "pem": issuing.pem}
    last = [anchors(root.pem), call(leaf, chain=[issuing])]
    case("ten-thousand", "in bounded time", [sent, first, *steps, *last], [root])


if __name__ == "__main__":
    certificates()
    kinds()
    issuers()
    organisations()
    serial_numbers()
    forms()
    revocation()
    replaced()
    many()
    rows = ",\n".join(json.dumps(one) for one in CASES)
    (HERE / "trust.json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")
