#!/usr/bin/env python3
"""Makes signatures.json with pyca/cryptography: signed requests, each with the one reason for its refusal
(null: it is accepted). Keys are made again and thrown away; the file is committed.

Fields of a case: id, comment, method, target, headers (list of pairs), body (base64), now (RFC 3339),
trust_anchors (PEM, or null: the chain is not looked at), expected (reason id or null), path (the header
of the reason).
"""
import base64
import datetime
import email.header
import json
import pathlib
import textwrap
import urllib.parse

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import NameOID as N

HERE = pathlib.Path(__file__).parent
NOW = datetime.datetime(2026, 11, 20, 12, 0, 0, tzinfo=datetime.timezone.utc)
ORGANISATION = x509.ObjectIdentifier("2.5.4.97")
BODY = '{"instructedAmount":{"amount":"100.00","currency":"NOK"},"creditorName":"Åse"}'.encode()
MANDATORY = ["date", "digest", "x-request-id", "psu-id", "psu-corporate-id", "tpp-redirect-uri"]
USAGES = ["digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
          "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"]


def rsa_key(bits=2048):
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


KEY, OTHER_KEY = rsa_key(), rsa_key()


def der(tag, *parts):
    content = b"".join(parts)
    length = len(content)
    head = bytes([length]) if length < 128 else bytes([0x81, length]) if length < 256 else bytes(
        [0x82, length >> 8, length & 255])
    return bytes([tag]) + head + content


def qc_statements(*roles):
    arc = bytes.fromhex("0400819827")
    items = [der(0x30, der(6, arc, bytes([1, role])), der(12, name.encode())) for role, name in roles]
    info = der(0x30, der(0x30, *items), der(12, b"Finanstilsynet"), der(12, b"NO-FSA"))
    return der(0x30, der(0x30, der(6, arc, bytes([2])), info))


C, L, ST, O, OU, CN = (N.COUNTRY_NAME, N.LOCALITY_NAME, N.STATE_OR_PROVINCE_NAME, N.ORGANIZATION_NAME,
                       N.ORGANIZATIONAL_UNIT_NAME, N.COMMON_NAME)


def name(*parts):
    return x509.Name([x509.RelativeDistinguishedName(
        [x509.NameAttribute(oid, value) for oid, value in (part if isinstance(part, list) else [part])])
        for part in parts])


ROOT = name((N.COUNTRY_NAME, "NO"), (N.ORGANIZATION_NAME, "Tillit AS"), (N.COMMON_NAME, "Tillit Root CA"))
# Issuers in the order of their certificates, and what clients write of them.
REARRANGED_ISSUERS = {
    "unit-before-organisation": (name((C, "NO"), (O, "Tillit AS"), (OU, "PSD2"), (CN, "Tillit CA")),
                                 "CN=Tillit CA,O=Tillit AS,OU=PSD2,C=NO"),
    "all-six": (name((C, "SE"), (ST, "Skåne"), (L, "Malmö"), (O, "Intyg AB"), (OU, "Qualified"), (CN, "Intyg CA")),
                "CN=Intyg CA,O=Intyg AB,OU=Qualified,L=Malmö,S=Skåne,C=SE"),
    "name-first": (name((CN, "D-TRUST CA 3"), (ORGANISATION, "NTRDE-HRB74346"), (O, "D-Trust GmbH"), (C, "DE")),
                   "CN=D-TRUST CA 3,O=D-Trust GmbH,C=DE"),
    "units-repeated": (name((C, "IT"), (O, "Firma, S.p.A."), (ORGANISATION, "VATIT-05006900962"), (OU, "Trust Service"),
                            (OU, "Class 3"), (CN, "Firma + Sigillo")),
                       "CN=Firma \\+ Sigillo,O=Firma\\, S.p.A.,OU=Class 3,OU=Trust Service,C=IT"),
    "multi-valued": (name([(CN, "Certo CA"), (N.SERIAL_NUMBER, "7")], [(O, "Certo"), (OU, "0002 1")], (C, "FR")),
                     "CN=Certo CA,O=Certo,OU=0002 1,C=FR"),
    "domain-components": (name((N.DOMAIN_COMPONENT, "no"), (N.DOMAIN_COMPONENT, "tillit"), (CN, "Intern CA")),
                          "CN=Intern CA"),
}
OTHER_ISSUERS = {
    "unit-absent": (REARRANGED_ISSUERS["unit-before-organisation"][0], "CN=Tillit CA,O=Tillit AS,C=NO"),
    "unit-repeated": (REARRANGED_ISSUERS["unit-before-organisation"][0],
                      "CN=Tillit CA,O=Tillit AS,OU=PSD2,OU=PSD2,C=NO"),
    "one-unit-twice": (REARRANGED_ISSUERS["units-repeated"][0],
                       "CN=Firma \\+ Sigillo,O=Firma\\, S.p.A.,OU=Class 3,OU=Class 3,C=IT"),
    "values-exchanged": (REARRANGED_ISSUERS["unit-before-organisation"][0], "CN=Tillit CA,O=PSD2,OU=Tillit AS,C=NO"),
}
ISSUING = name((N.COUNTRY_NAME, "NO"), (N.ORGANIZATION_NAME, "Tillit AS"), (ORGANISATION, "NTRNO-983163327"),
               (N.COMMON_NAME, "Tillit Class 3 CA, QC + PSD2"))
LEAF = name((N.COUNTRY_NAME, "NO"), (N.ORGANIZATION_NAME, "Betaling AS"), (ORGANISATION, "PSDNO-FSA-912345678"),
            (N.COMMON_NAME, "Betaling AS"))


class Cert:
    """A certificate with its key and what issued it."""

    def __init__(self, subject, key=None, issuer=None, *, ca=False, path=None, usage=None, critical=(),
                 days=(-365, 365), window=None, serial=None, hash_=None, pss=None, signer=None, qc=True):
        self.subject, self.key, self.issuer = subject, key or rsa_key(), issuer
        signer = signer or (issuer.key if issuer else self.key)
        start, end = window or [NOW.replace(hour=0) + datetime.timedelta(days=day) for day in days]
        issuer_name = issuer.subject if issuer else subject
        builder = (x509.CertificateBuilder().subject_name(subject).issuer_name(issuer_name)
                   .public_key(self.key.public_key()).serial_number(serial or x509.random_serial_number())
                   .not_valid_before(start).not_valid_after(end))
        if usage is None:
            usage = ["key_cert_sign", "crl_sign"] if ca else ["digital_signature"]
        if usage:
            flags = {flag: flag in usage for flag in USAGES}
            builder = builder.add_extension(x509.KeyUsage(**flags), critical=True)
        if ca:
            builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=path), critical=True)
        builder = builder.add_extension(
            x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False)
        if issuer:
            builder = builder.add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key()), critical=False)
        if qc and not ca:
            statement = qc_statements((2, "PSP_PI"), (3, "PSP_AI"))
            builder = builder.add_extension(
                x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.5.5.7.1.3"), statement), critical=False)
        for oid in critical:
            builder = builder.add_extension(
                x509.UnrecognizedExtension(x509.ObjectIdentifier(oid), b"\x05\x00"), critical=True)
        extra = {}
        if pss is not None:
            extra["rsa_padding"] = padding.PSS(padding.MGF1(hash_ or hashes.SHA256()), pss)
        self.certificate = builder.sign(signer, hash_ or hashes.SHA256(), **extra)

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    @property
    def der(self):
        return self.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def line(self):
        return base64.b64encode(self.der).decode()


root = Cert(ROOT, ca=True)
issuing = Cert(ISSUING, issuer=root, ca=True, path=0)
leaf = Cert(LEAF, KEY, issuing, serial=0x0A1B2C3D4E5F60718293)
CASES = []


def http_date(time):
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT")


def key_id(certificate, ca=None, sn=None):
    serial = format(certificate.certificate.serial_number, "X") if sn is None else sn
    return f"SN={serial},CA={certificate.certificate.issuer.rfc4514_string() if ca is None else ca}"


def case(id_, comment, expected=None, path=None, *, cert=leaf, chain=(issuing,), anchors=(root,), method="POST",
         target="/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true", body=BODY,
         headers=None, names=None, key=None, keyid=None, signature_text=None, signed=None, certificate=None,
         drop=(), now=NOW, date=None, text=None):
    """One request; every argument beyond the first four replaces a piece of the sound one."""
    digest = hashes.Hash(hashes.SHA256())
    digest.update(body)
    fields = [
        ("Date", date or http_date(NOW)),
        ("X-Request-ID", "4eba4445-1a4b-47b8-bdd5-4e56ef026b19"),
        ("PSU-ID", "6f0c1d2e-0000-4000-8000-000000000001"),
        ("TPP-Redirect-URI", "https://tpp.example/cb?state=abc"),
        ("Accept", "application/json"),
    ]
    if body:
        fields.append(("Digest", "SHA-256=" + base64.b64encode(digest.finalize()).decode()))
    for header in headers or ():
        fields = [field for field in fields if field[0] != header[0]]
    fields += headers or []
    fields = [field for field in fields if field[0] not in drop]

    def value(wanted):
        if wanted == "(request-target)":
            return f"{method.lower()} {target}"
        found = [text.strip() for own, text in fields if own.lower() == wanted]
        return ", ".join(found) if found else None

    names = [one for one in MANDATORY if value(one) is not None] if names is None else names
    string = "\n".join(f"{one}: {value(one)}" for one in names) if signed is None else signed
    signature = (key or cert.key).sign(string.encode(), padding.PKCS1v15(), hashes.SHA256())
    plain = (f'keyId="{keyid or key_id(cert)}",algorithm="rsa-sha256",headers="{" ".join(names)}",'
             f'signature="{base64.b64encode(signature).decode()}"')
    if text:
        plain = text(plain)
    if "Signature" not in drop:
        fields.append(("Signature", plain))
    if "TPP-Signature-Certificate" not in drop:
        sent = cert.line if not chain else "".join(one.pem for one in (cert, *chain)).replace("\n", "")
        fields.append(("TPP-Signature-Certificate", sent if certificate is None else certificate))
    CASES.append({
        "id": id_, "comment": comment, "method": method, "target": target, "headers": fields,
        "body": base64.b64encode(body).decode(), "now": now.isoformat().replace("+00:00", "Z"),
        "trust_anchors": None if anchors is None else "".join(one.pem for one in anchors),
        "expected": expected, "path": path,
    })


def wrap(charset="utf-8"):
    return lambda text: f"=?{charset}?B?{base64.b64encode(text.encode(charset)).decode()}?="


def quoted_printable(text):
    return "=?utf-8?Q?" + "".join(
        chr(byte) if chr(byte).isalnum() and byte < 128 else f"={byte:02X}" for byte in text.encode()) + "?="


def seconds(count):
    return http_date(NOW + datetime.timedelta(seconds=count))


def digest_of(algorithm, data):
    state = hashes.Hash({"SHA-256": hashes.SHA256(), "SHA-512": hashes.SHA512()}[algorithm])
    state.update(data)
    return f"{algorithm}={base64.b64encode(state.finalize()).decode()}"


def sound_requests():
    case("plain", "as the contract writes it")
    case("no-body", "a GET without Digest", method="GET", target="/v1/accounts?withBalance=true", body=b"")
    case("wrapped-utf8-b", "the whole Signature is one encoded word", text=wrap())
    case("wrapped-latin1-b", "the same in ISO-8859-1", text=wrap("iso-8859-1"))
    case("wrapped-utf8-q", "the same in Q encoding", text=quoted_printable)
    case("wrapped-folded", "several adjacent words", text=lambda text: email.header.Header(
        text, "utf-8", maxlinelen=76).encode(linesep="", splitchars=""))
    case("serial-lower-case", "SN in lower case, as production clients send it",
         keyid=key_id(leaf, sn=format(leaf.certificate.serial_number, "x")))
    case("serial-leading-zeros", "SN with leading zeros",
         keyid=key_id(leaf, sn="00" + format(leaf.certificate.serial_number, "X")))
    case("issuer-without-organisation-id", "CA may leave out attributes beyond CN, O, OU, L, ST and C",
         keyid=key_id(leaf, ca="CN=Tillit Class 3 CA\\, QC \\+ PSD2,O=Tillit AS,C=NO"))
    case("issuer-hex-value", "CA as Java writes it: identifier and #hex", keyid=key_id(
        leaf, ca='CN="Tillit Class 3 CA, QC + PSD2",2.5.4.97=#0c0f4e54524e4f2d393833313633333237,O=Tillit AS,C=NO'
        .replace('"', '\\"')))
    case("issuer-quoted-pair", "backslashes of CA doubled, as a quoted-string asks for", keyid=key_id(
        leaf, ca=leaf.certificate.issuer.rfc4514_string().replace("\\", "\\\\")))
    case("issuer-spelling", "CA in other case and spacing", keyid=key_id(
        leaf, ca="cn=tillit  class 3 ca\\, qc \\+ psd2 , OID.2.5.4.97=ntrno-983163327 ; o=TILLIT AS, c=no"))
    case("issuer-reversed", "CA in the order of the certificate, not of RFC 2253", keyid=key_id(
        leaf, ca=",".join(reversed(["CN=Tillit Class 3 CA\\, QC \\+ PSD2", "O=Tillit AS", "C=NO"]))))
    for id_, (issuer, written) in REARRANGED_ISSUERS.items():
        authority = Cert(issuer, ca=True)
        case(f"issuer-{id_}", "CA as a client writes it that knows CN, O, OU, L, S and C alone, in this order",
             cert=(one := Cert(LEAF, KEY, authority)), chain=(), anchors=(authority,), keyid=key_id(one, ca=written))
    case("request-target", "(request-target) and further names", names=["(request-target)", *MANDATORY[:4],
                                                                     "tpp-redirect-uri", "accept"])
    case("repeated-field", "fields of one name join with a comma", headers=[("Accept", " a "), ("Accept", "b")],
         names=[*MANDATORY[:4], "tpp-redirect-uri", "accept"])
    case("parts-in-other-order", "any order, spaces around the commas, a leading word, unknown parts",
         text=lambda text: "Signature created=1402170695, " + " , ".join(
             sorted((part.rstrip('"') + '"' for part in text.split('",')), reverse=True)))
    for count in (-60, 60):
        case(f"date-{count:+}", "60 seconds off", date=seconds(count))
    case("date-offset", "a numeric offset and an unpadded day",
         date="Fri, 20 Nov 2026 13:00:00 +0100")
    case("date-asctime", "the asctime form", date="Fri Nov 20 12:00:00 2026")
    case("date-rfc850", "the RFC 850 form", date="Friday, 20-Nov-26 12:00:00 GMT")
    case("digest-512", "SHA-512 alone", headers=[("Digest", digest_of("SHA-512", BODY))])
    case("digest-both", "two digests and one of no interest", headers=[
        ("Digest", f'{digest_of("SHA-256", BODY)}, md5=x,{digest_of("SHA-512", BODY).replace("SHA", "sha")}')])
    case("certificate-line", "base64 of DER in one line, the issuer among the anchors", chain=(), anchors=(issuing,))
    case("certificate-pem", "PEM with line breaks as spaces",
         certificate=(leaf.pem + issuing.pem).replace("\n", " "))
    lines = "\n".join(textwrap.wrap(leaf.line, 64))
    for id_, folded in {"lf": lines, "crlf": lines.replace("\n", "\r\n"), "folded": lines.replace("\n", "\r\n "),
                        "tabs": lines.replace("\n", "\n\t"), "spaces": lines.replace("\n", " "),
                        "last": lines + "\n", "url-encoded": urllib.parse.quote(lines + "\r\n"),
                        "form-encoded": urllib.parse.quote_plus(lines.replace("\n", " "))}.items():
        case(f"certificate-base64-{id_}", "base64 of DER in lines", chain=(), anchors=(issuing,), certificate=folded)
    case("certificate-url-encoded", "URL-encoded PEM", certificate=urllib.parse.quote(leaf.pem + issuing.pem))
    case("certificate-form-encoded", "the same as forms encode it",
         certificate=urllib.parse.quote_plus(leaf.pem + issuing.pem))
    case("no-anchors", "without anchors the chain is not looked at", chain=(), anchors=None)
    case("no-anchors-expired", "nor is validity", chain=(), anchors=None,
         now=NOW, cert=Cert(LEAF, KEY, issuing, days=(-30, -1)))
    case("leaf-trusted", "a certificate that the host trusts needs no issuer", chain=(), anchors=(leaf,))
    case("self-signed-trusted", "neither does a self-signed one", chain=(), anchors=(own := Cert(LEAF, KEY),),
         cert=own)
    case("usage-commitment", "contentCommitment alone", cert=Cert(LEAF, KEY, issuing, usage=["content_commitment"]))
    case("usage-absent", "no key usage", cert=Cert(LEAF, KEY, issuing, usage=[]))
    case("rsa-3072", "a key of 3072 bits", cert=Cert(LEAF, rsa_key(3072), issuing))
    for curve in (ec.SECP256R1(), ec.SECP384R1(), ec.SECP521R1()):
        hash_ = hashes.SHA256() if curve.key_size == 256 else hashes.SHA384()
        above = Cert(ROOT, ec.generate_private_key(curve), ca=True, hash_=hash_)
        below = Cert(ISSUING, ec.generate_private_key(curve), above, ca=True, hash_=hash_)
        case(f"ecdsa-{curve.key_size}", "elliptic authorities", chain=(below,), anchors=(above,),
             cert=Cert(LEAF, KEY, below, hash_=hash_))
    for hash_ in (hashes.SHA384(), hashes.SHA512()):
        case(f"rsa-{hash_.name}", "a certificate signed over another hash", cert=Cert(LEAF, KEY, issuing, hash_=hash_))
    for hash_ in (hashes.SHA256(), hashes.SHA384(), hashes.SHA512()):
        case(f"pss-{hash_.name}", "a certificate signed with PSS",
             cert=Cert(LEAF, KEY, issuing, hash_=hash_, pss=padding.PSS.DIGEST_LENGTH))
    norwegian = Cert(name((N.COUNTRY_NAME, "NO"), [(N.COMMON_NAME, "Ærlig & Åpen"), (N.ORGANIZATIONAL_UNIT_NAME, "Ø")]),
                     ca=True)
    for charset in ("utf-8", "iso-8859-1"):
        case(f"issuer-norwegian-{charset}", "an issuer beyond ASCII, wrapped as the contract asks",
             cert=Cert(LEAF, KEY, norwegian), chain=(), anchors=(norwegian,), text=wrap(charset))
    deep = [root]
    for level in range(6):
        deep.append(Cert(name((N.COMMON_NAME, f"Level {level}")), issuer=deep[-1], ca=True, path=5 - level))
    case("chain-of-eight", "eight certificates from leaf to anchor, path lengths as tight as they can be",
         cert=Cert(LEAF, KEY, deep[-1]), chain=tuple(deep[:0:-1]))
    case("chain-shuffled", "intermediates in any order, with one that does not belong",
         cert=Cert(LEAF, KEY, deep[2]), chain=(deep[1], deep[6], deep[2]))
    renewed = Cert(ISSUING, issuing.key, Cert(name((N.COMMON_NAME, "Old Root")), ca=True, days=(-900, -10)), ca=True)
    case("cross-signed", "one of two ways to trust has expired", chain=(renewed, issuing),
         anchors=(renewed.issuer, root))
    rolled = Cert(ROOT, ca=True)
    case("root-rolled-over", "two roots of one name", anchors=(rolled, root))
    edge = Cert(LEAF, KEY, issuing, window=(NOW, NOW))
    case("validity-edge", "the first and last second of validity", cert=edge)


def refused_certificates():
    at = "TPP-Signature-Certificate"
    case("CRT-01", "neither base64 nor PEM", "CRT-01", at, certificate="not a certificate!")
    case("CRT-02", "nine certificates", "CRT-02", at, chain=(issuing,) * 8)
    case("CRT-03", "base64 of something else", "CRT-03", at, certificate=base64.b64encode(b"nothing").decode())
    case("CRT-03-tail", "a byte after the certificate", "CRT-03", at,
         certificate=base64.b64encode(leaf.der + b"\0").decode())
    case("CRT-04", "2047 bits", "CRT-04", at, cert=Cert(LEAF, rsa_key(2047), issuing))
    elliptic = Cert(LEAF, ec.generate_private_key(ec.SECP256R1()), issuing)
    case("CRT-04-elliptic", "no RSA key", "CRT-04", at, cert=elliptic, key=KEY)
    case("CRT-05", "an unknown critical extension", "CRT-05", at, cert=Cert(LEAF, KEY, issuing, critical=["1.2.3.4"]))
    case("CRT-06", "key usage for encipherment alone", "CRT-06", at,
         cert=Cert(LEAF, KEY, issuing, usage=["key_encipherment"]))
    case("CRT-08", "the intermediate was not sent", "CRT-08", at, chain=())
    case("CRT-08-no-anchors", "nothing is trusted", "CRT-08", at, anchors=(), chain=(issuing, root))
    case("CRT-08-self-signed", "self-signed and not trusted", "CRT-08", at, cert=Cert(LEAF, KEY), chain=())
    loop_a, loop_b = rsa_key(), rsa_key()
    name_a, name_b = name((N.COMMON_NAME, "A")), name((N.COMMON_NAME, "B"))
    shell = lambda subject, key: type("Shell", (), {"subject": subject, "key": key})()
    a = Cert(name_a, loop_a, shell(name_b, loop_b), ca=True)
    b = Cert(name_b, loop_b, shell(name_a, loop_a), ca=True)
    looped = Cert(LEAF, KEY, a)
    case("CRT-08-loop", "two authorities that sign each other", "CRT-08", at, cert=looped, chain=(a, b))
    case("CRT-09", "signed by another key of the issuer's name", "CRT-09", at,
         cert=Cert(LEAF, KEY, issuing, signer=OTHER_KEY))
    case("CRT-09-root", "the same one step above", "CRT-09", at,
         chain=(Cert(ISSUING, issuing.key, root, ca=True, signer=OTHER_KEY),))
    weak = Cert(ROOT, rsa_key(1024), ca=True)
    case("CRT-19-weak", "an authority with a key of 1024 bits", "CRT-19", at,
         cert=Cert(LEAF, KEY, weak), chain=(), anchors=(weak,))
    case("CRT-19", "a hash that is not supported", "CRT-19", at,
         cert=Cert(LEAF, KEY, issuing, hash_=hashes.SHA3_256()))
    case("CRT-19-salt", "PSS with another salt than one of the hash's length", "CRT-19", at,
         cert=Cert(LEAF, KEY, issuing, pss=padding.PSS.MAX_LENGTH))
    case("CRT-10", "the issuer is no authority", "CRT-10", at,
         cert=Cert(LEAF, OTHER_KEY, leaf), key=OTHER_KEY, chain=(leaf, issuing))
    unsigning = Cert(ISSUING, issuing.key, root, ca=True, usage=["crl_sign"])
    case("CRT-10-usage", "an authority that may sign revocation lists alone", "CRT-10", at, chain=(unsigning,))
    plain = Cert(ROOT, KEY)
    case("CRT-10-anchor", "a trusted certificate that is no authority forms only its own chain", "CRT-10", at,
         cert=Cert(LEAF, OTHER_KEY, plain), key=OTHER_KEY, chain=(), anchors=(plain,))
    case("CRT-11", "an authority with an unknown critical extension", "CRT-11", at,
         chain=(Cert(ISSUING, issuing.key, root, ca=True, critical=["1.2.3.4"]),))
    case("CRT-11-names", "name constraints are not understood", "CRT-11", at,
         chain=(Cert(ISSUING, issuing.key, root, ca=True, critical=["2.5.29.30"]),))
    below = Cert(name((N.COMMON_NAME, "Below")), issuer=issuing, ca=True)
    case("CRT-12", "one authority more than the path length allows", "CRT-12", at,
         cert=Cert(LEAF, KEY, below), chain=(below, issuing))
    deep = [root]
    for level in range(7):
        deep.append(Cert(name((N.COMMON_NAME, f"Level {level}")), issuer=deep[-1], ca=True))
    case("CRT-12-nine", "nine certificates from leaf to anchor", "CRT-12", at,
         cert=Cert(LEAF, KEY, deep[-1]), chain=tuple(deep[:0:-1]))
    second = datetime.timedelta(seconds=1)
    case("CRT-13", "valid one second later", "CRT-13", at,
         cert=Cert(LEAF, KEY, issuing, window=(NOW + second, NOW + 2 * second)))
    case("CRT-14", "expired one second ago", "CRT-14", at,
         cert=Cert(LEAF, KEY, issuing, window=(NOW - 2 * second, NOW - second)))
    case("CRT-14-root", "an expired root", "CRT-14", at,
         cert=Cert(LEAF, KEY, old := Cert(ROOT, ca=True, days=(-900, -1))), chain=(), anchors=(old,))


def refused_headers():
    case("HDR-04-date", "no Date", "HDR-04", "Date", drop=("Date",))
    case("HDR-04-signature", "no Signature", "HDR-04", "Signature", drop=("Signature",))
    case("HDR-04-certificate", "no certificate", "HDR-04", "TPP-Signature-Certificate",
         drop=("TPP-Signature-Certificate",))
    case("DIG-01", "Digest is no list of pairs", "DIG-01", "Digest", headers=[("Digest", "SHA-256")])
    case("DIG-02", "no known algorithm", "DIG-02", "Digest", headers=[("Digest", "md5=1B2M2Y8AsgTpgAmY7PhCfg==")])
    case("DIG-03", "the digest of another body", "DIG-03", "Digest",
         headers=[("Digest", digest_of("SHA-256", BODY + b" "))])
    case("DIG-03-second", "the second digest is wrong", "DIG-03", "Digest",
         headers=[("Digest", digest_of("SHA-256", BODY) + "," + digest_of("SHA-512", b""))])
    case("DAT-01", "no date", "DAT-01", "Date", date="yesterday")
    for count in (-61, 61):
        case(f"DAT-02{count:+}", "61 seconds off", "DAT-02", "Date", date=seconds(count))


def refused_signatures():
    at = "Signature"
    refuse = lambda id_, comment, **change: case(id_, comment, id_[:6], at, **change)
    refuse("SIG-01", "an encoded word that cannot be decoded", text=lambda text: wrap()(text).replace("?B?", "?B?!"))
    refuse("SIG-02", "a quote is missing", text=lambda text: text[:-1])
    refuse("SIG-02-nothing", "no parts at all", text=lambda text: "Bearer abc")
    for part in ("keyId", "algorithm", "headers", "signature"):
        refuse(f"SIG-03-{part}", "a part is missing", text=lambda text, part=part: text.replace(f"{part}=", "x="))
    refuse("SIG-04", "a part occurs twice", text=lambda text: text + ',algorithm="rsa-sha256"')
    refuse("SIG-05", "the signature is not base64", text=lambda text: text[:-1] + '*"')
    refuse("SIG-06", "another algorithm", text=lambda text: text.replace("rsa-sha256", "rsa-sha512"))
    refuse("SIG-14", "names joined by commas", text=lambda text: text.replace('headers="date ', 'headers="date,'))
    for missing in ("date", "digest", "x-request-id", "psu-id", "tpp-redirect-uri"):
        listed = [one for one in MANDATORY if one not in (missing, "psu-corporate-id")]
        refuse(f"SIG-07-{missing}", "a mandatory header is not covered", names=listed)
    refuse("SIG-07-psu-corporate-id", "a mandatory header is not covered",
           headers=[("PSU-Corporate-ID", "6f0c1d2e-0000-4000-8000-000000000002")],
           names=[one for one in MANDATORY if one != "psu-corporate-id"])
    refuse("SIG-08", "a header is listed that is not there", names=MANDATORY)
    listed = [one for one in MANDATORY if one != "psu-corporate-id"]
    refuse("SIG-09", "a header is listed twice", names=[*listed, "date"])
    refuse("SIG-10", "keyId without CA", keyid="SN=1F")
    refuse("SIG-15", "a serial number with colons", keyid=key_id(leaf, sn="0A:1B:2C:3D:4E:5F:60:71:82:93"))
    refuse("SIG-16", "CA is no distinguished name", keyid=key_id(leaf, ca="Tillit AS"))
    refuse("SIG-11", "another serial number", keyid=key_id(leaf, sn="1F"))
    refuse("SIG-12", "another issuer", keyid=key_id(leaf, ca="CN=Somebody,C=NO"))
    for id_, (issuer, written) in OTHER_ISSUERS.items():
        authority = Cert(issuer, ca=True)
        refuse(f"SIG-12-{id_}", "an issuer of which a required attribute is absent, or occurs too often",
               cert=(one := Cert(LEAF, KEY, authority)), chain=(), anchors=(authority,), keyid=key_id(one, ca=written))
    refuse("SIG-13", "signed by another key", key=OTHER_KEY)
    refuse("SIG-13-string", "a signature over another string", signed="date: yesterday")
    refuse("SIG-13-cut", "a signature that lost its last bytes", text=lambda text: text[:-9] + '"')


def main():
    sound_requests()
    refused_certificates()
    refused_headers()
    refused_signatures()
    (HERE / "signatures.json").write_text(json.dumps(CASES, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
