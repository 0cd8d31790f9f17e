#!/usr/bin/env python3
"""Makes encoded_words.json and http_dates.json with Python's email package, and distinguished_names.json
with pyca/cryptography and the openssl command. Run it in this folder; the files are committed."""
import datetime
import email.charset
import email.header
import email.utils
import json
import pathlib
import subprocess
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

HERE = pathlib.Path(__file__).parent


def write(name, cases):
    text = json.dumps(cases, indent=1, ensure_ascii=False)
    (HERE / name).write_text(text + "\n", encoding="utf-8")


def encoded_words():
    texts = {
        "ascii": 'keyId="SN=1F,CA=CN=x",algorithm="rsa-sha256",headers="date",signature="AQID"',
        "norwegian": 'keyId="SN=1F,CA=CN=Bærekraftig Åpen Økonomi AS,C=NO",algorithm="rsa-sha256"',
        "long": "CN=" + "å" * 300,
        "specials": "a_b=c?d e",
    }
    for name, text in texts.items():
        for charset, encoding in [("utf-8", "B"), ("utf-8", "Q"), ("iso-8859-1", "Q"), ("iso-8859-1", "B")]:
            kind = email.charset.Charset(charset)
            kind.header_encoding = email.charset.BASE64 if encoding == "B" else email.charset.QP
            # Folding splits into adjacent words; a header value has them separated by a space.
            folded = email.header.Header(text, kind, maxlinelen=76).encode(linesep="", splitchars="")
            one = kind.header_encode(text)
            for form, encoded in [("folded", folded), ("one", one)]:
                yield {
                    "id": f"{name}-{charset}-{encoding}-{form}",
                    "comment": "by Python's email.header",
                    "encoded": encoded,
                    "expected": text,
                }
    for name, encoded in {
        "open": "=?utf-8?B?YQ==",
        "charset": "=?koi8-r?B?YQ==?=",
        "encoding": "=?utf-8?X?YQ==?=",
        "not-utf8": "=?utf-8?B?/w==?=",
    }.items():
        yield {"id": f"broken-{name}", "comment": "cannot be decoded", "encoded": encoded, "expected": None}


def http_dates():
    for second in [0, 784111777, 951782399, 951782400, 1645361585, 1795176000, 4102444799]:
        time = datetime.datetime.fromtimestamp(second, datetime.timezone.utc)
        expected = time.strftime("%Y-%m-%dT%H:%M:%SZ")
        forms = {
            "imf-fixdate": email.utils.format_datetime(time, usegmt=True),
            "asctime": time.ctime(),
            "rfc-850": time.strftime("%A, %d-%b-%y %H:%M:%S GMT"),
            "unpadded": email.utils.format_datetime(time, usegmt=True).replace(", 0", ", "),
        }
        for hours in (1, 2, -5):
            zone = datetime.timezone(datetime.timedelta(hours=hours, minutes=30 if hours < 0 else 0))
            forms[f"offset{hours:+}"] = email.utils.format_datetime(time.astimezone(zone))
        for zone in ("UTC", "UT", "Z"):
            forms[f"zone-{zone.lower()}"] = forms["imf-fixdate"].replace("GMT", zone)
        if time.year > 2069:
            del forms["rfc-850"]  # without a clock its two-digit year is 1970 to 2069
        for form, text in forms.items():
            yield {"id": f"{second}-{form}", "comment": "", "text": text, "expected": expected}
    for text in ["Thu, 30 Feb 2023 00:00:00 GMT", "2026-11-20T12:00:00Z", "Fri, 20 Nov 2026 12:00:00 EST", ""]:
        yield {"id": f"refused-{text[:16]}", "comment": "no HTTP date", "text": text, "expected": None}


OIDS = x509.oid.NameOID
NAMES = {
    "plain": [[(OIDS.COUNTRY_NAME, "NO")], [(OIDS.ORGANIZATION_NAME, "Buypass AS-983163327")],
              [(OIDS.COMMON_NAME, "Buypass Class 3 Test4 CA 3")]],
    "specials": [[(OIDS.ORGANIZATION_NAME, 'A, B + C; "D" <E> \\ = #F')], [(OIDS.COMMON_NAME, "#hash ")],
                 [(OIDS.COMMON_NAME, " lead")]],
    "norwegian": [[(OIDS.COUNTRY_NAME, "NO")], [(OIDS.STATE_OR_PROVINCE_NAME, "Møre og Romsdal")],
                  [(OIDS.LOCALITY_NAME, "Ålesund")], [(OIDS.COMMON_NAME, "Ærlig CA")]],
    "multi-valued": [[(OIDS.COUNTRY_NAME, "DE")],
                     [(OIDS.COMMON_NAME, "x"), (OIDS.ORGANIZATIONAL_UNIT_NAME, "y")]],
    "psd2": [[(OIDS.COUNTRY_NAME, "NO")], [(OIDS.ORGANIZATION_NAME, "Acme Pay")],
             [(x509.ObjectIdentifier("2.5.4.97"), "PSDNO-FSA-123456789")], [(OIDS.COMMON_NAME, "acme.example")]],
    "mail": [[(OIDS.EMAIL_ADDRESS, "ca@example.org")], [(OIDS.SERIAL_NUMBER, "42")], [(OIDS.SURNAME, "Å")],
             [(OIDS.DOMAIN_COMPONENT, "example")], [(OIDS.USER_ID, "u1")], [(OIDS.STREET_ADDRESS, "Gata 1")]],
}


def distinguished_names():
    key = ec.generate_private_key(ec.SECP256R1())
    for name, rdns in NAMES.items():
        subject = x509.Name([
            x509.RelativeDistinguishedName([x509.NameAttribute(oid, value) for oid, value in rdn]) for rdn in rdns
        ])
        expected = [[[oid.dotted_string, value] for oid, value in rdn] for rdn in reversed(rdns)]
        yield {"id": f"{name}-pyca", "comment": "Name.rfc4514_string()",
               "text": subject.rfc4514_string(), "expected": expected}
        certificate = (
            x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
            .serial_number(1).not_valid_before(datetime.datetime(2020, 1, 1))
            .not_valid_after(datetime.datetime(2030, 1, 1)).sign(key, hashes.SHA256())
        )
        with tempfile.NamedTemporaryFile(suffix=".pem") as file:
            file.write(certificate.public_bytes(serialization.Encoding.PEM))
            file.flush()
            for form in ["RFC2253", "RFC2253,-esc_msb,utf8", "RFC2253,oid,dump_all,dump_der",
                         "RFC2253,space_eq,sep_comma_plus_space", "RFC2253,use_quote", "RFC2253,lname"]:
                command = ["openssl", "x509", "-in", file.name, "-noout", "-subject", "-nameopt", form]
                output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                text = output.rstrip("\n").removeprefix("subject=")
                # The order inside a multi-valued RDN is that of the DER, which openssl turns around.
                turned = [list(reversed(rdn)) for rdn in expected]
                yield {"id": f"{name}-openssl-{form}", "comment": "openssl x509 -nameopt",
                       "text": text, "expected": turned}
    for text in ["CN", "CN=a,", "FOO=a", "CN=#0", "CN=a,b", 'CN="a']:
        yield {"id": f"refused-{text}", "comment": "no distinguished name", "text": text, "expected": None}


if __name__ == "__main__":
    write("encoded_words.json", list(encoded_words()))
    write("http_dates.json", list(http_dates()))
    write("distinguished_names.json", list(distinguished_names()))
