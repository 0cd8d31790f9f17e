"""A verifier of its own: what a bank checks, in the order of its reasons, with pyca/cryptography and the standard
library. It shares no code with build.py, so that a request is judged by what is in it.
"""
import base64
import binascii
import datetime
import email.header
import email.utils
import hashlib
import re
import urllib.parse

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

MANDATORY = ["date", "digest", "x-request-id", "psu-id", "psu-corporate-id", "tpp-redirect-uri"]
OIDS = {"C": "2.5.4.6", "O": "2.5.4.10", "OU": "2.5.4.11", "L": "2.5.4.7", "ST": "2.5.4.8", "S": "2.5.4.8",
        "CN": "2.5.4.3", "ORGANIZATIONIDENTIFIER": "2.5.4.97"}
OFTEN = {OIDS[name] for name in ("C", "O", "OU", "L", "ST", "CN")}
TOKEN = re.compile(r"^\(?[A-Za-z0-9!#$%&'*+.^_`|~-]+\)?$")
PART = re.compile(r'\s*([A-Za-z0-9_.-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^",]*))\s*')
DATES = ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %d %H:%M:%S %Y"]


class Refused(Exception):
    """The first reason for which a bank refuses."""


def value(case, name):
    found = [value.strip() for own, value in case["headers"] if own.lower() == name]
    return ", ".join(found) if found else None


def strict_base64(text):
    padded = text + "=" * (-len(text) % 4)
    try:
        return base64.b64decode(padded, validate=True)
    except (binascii.Error, ValueError):
        return None


def sent_certificate(case):
    """The certificate that the request carries first."""
    text = value(case, "tpp-signature-certificate")
    if "%" in text:
        text = urllib.parse.unquote(text.replace("+", " ") if "BEGIN+" in text else text)
    if "-----BEGIN" in text:
        blocks = re.findall("-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", text, re.DOTALL)
        text = blocks[0] if blocks else "!"
    data = strict_base64(re.sub(r"\s", "", text))
    if not data:
        raise Refused("CRT-01")
    try:
        return x509.load_der_x509_certificate(data)
    except ValueError:
        raise Refused("CRT-03") from None


def certificate(case):
    """The certificate, if it may sign requests."""
    found = sent_certificate(case)
    usage = found.extensions.get_extension_for_class(x509.KeyUsage).value
    if not (usage.digital_signature or usage.content_commitment):
        raise Refused("CRT-06")
    return found


def check_digest(case):
    header = value(case, "digest")
    if header is None:
        return
    body, wrong, known = base64.b64decode(case["body"]), False, False
    for item in filter(str.strip, header.split(",")):
        label, equals, text = item.strip().partition("=")
        if not equals or not label:
            raise Refused("DIG-01")
        algorithm = {"sha-256": "sha256", "sha-512": "sha512"}.get(label.lower())
        if algorithm:
            found = strict_base64(text)
            if found is None:
                raise Refused("DIG-01")
            wrong, known = wrong or found != hashlib.new(algorithm, body).digest(), True
    if not known:
        raise Refused("DIG-02")
    if wrong:
        raise Refused("DIG-03")


def parsed_date(text):
    for form in DATES:
        try:
            return datetime.datetime.strptime(text, form).replace(tzinfo=datetime.timezone.utc)
        except ValueError:
            continue
    if re.fullmatch(r"\w{3}, \d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d (GMT|UTC|[+-]\d{4})", text):
        return email.utils.parsedate_to_datetime(text)
    raise Refused("DAT-01")


def check_date(case):
    deviation = parsed_date(value(case, "date")) - datetime.datetime.fromisoformat(case["now"].replace("Z", "+00:00"))
    if abs(deviation.total_seconds()) > 60:
        raise Refused("DAT-02")


def decoded_words(text):
    if not text.startswith("=?"):
        return text
    try:
        return "".join(data if isinstance(data, str) else data.decode(charset or "ascii")
                       for data, charset in email.header.decode_header(text))
    except (UnicodeDecodeError, LookupError, binascii.Error):
        raise Refused("SIG-01") from None


def parts(case):
    """The members of the header Signature by their names."""
    text = re.sub(r"(?i)^signature\s+(?!=)", "", decoded_words(value(case, "signature")).strip())
    found, rest = {}, text
    while rest:
        match = PART.match(rest)
        after = rest[match.end():] if match else "!"
        if after[:1] not in ("", ",") or after.rstrip() == ",":
            raise Refused("SIG-02")
        found.setdefault(match[1].lower(), []).append(match[2] if match[2] is not None else match[3])
        rest = after[1:]
    names = ("keyid", "algorithm", "headers", "signature")
    if any(name not in found for name in names):
        raise Refused("SIG-03")
    if any(len(found[name]) > 1 for name in names):
        raise Refused("SIG-04")
    return {name: found[name][0] for name in names}


def read_parts(case):
    """The members, each in a form that can be read."""
    found = parts(case)
    found["bytes"] = strict_base64(found["signature"])
    if found["bytes"] is None:
        raise Refused("SIG-05")
    if found["algorithm"].lower() != "rsa-sha256":
        raise Refused("SIG-06")
    found["names"] = found["headers"].split()
    if not all(TOKEN.match(name) for name in found["names"]):
        raise Refused("SIG-14")
    return found


def check_complete(case, names):
    listed = [name.lower() for name in names]
    if any(name not in listed and value(case, name) is not None for name in MANDATORY):
        raise Refused("SIG-07")
    if any(name != "(request-target)" and value(case, name) is None for name in listed):
        raise Refused("SIG-08")
    if len(set(listed)) < len(listed):
        raise Refused("SIG-09")


def signing_string(case, names):
    lines = []
    for name in map(str.lower, names):
        target = f"{case['method'].lower()} {case['target']}"
        lines.append(f"{name}: {target if name == '(request-target)' else value(case, name)}")
    return "\n".join(lines).encode()


def distinguished_name(text):
    """RFC 4514 as pairs of identifier and folded value, one attribute in each RDN."""
    found = []
    for part in re.split(r"(?<!\\)[,;]", text):
        own, equals, content = part.strip().partition("=")
        own = own.strip().upper().removeprefix("OID.")
        oid = OIDS.get(own, own)
        if not equals or not re.fullmatch(r"[0-9.]+", oid):
            raise Refused("SIG-16")
        content = content.strip()
        if content.startswith("#"):
            content = bytes.fromhex(content[1:])[2:].decode()
        content = re.sub(r"\\(.)", r"\1", content)
        found.append((oid, " ".join(content.split()).casefold()))
    return found


def is_issuer(written, actual, exact):
    """Whether a name is that of the issuer: the whole name, or without the attributes that are rare in a keyId."""
    actual = [(one.oid.dotted_string, " ".join(one.value.split()).casefold()) for one in reversed(list(actual))]
    if exact:
        return written == actual
    shortened = [one for one in actual if one[0] in OFTEN or one in written]
    return written == shortened


def check_key_id(case, found, leaf):
    text = re.sub(r'\\(["\\])', r"\1", found["keyid"])
    match = re.fullmatch(r"(?i)\s*SN\s*=([^,]*),\s*CA\s*=(.*)", text)
    if not match:
        raise Refused("SIG-10")
    serial = match[1].strip()
    if not re.fullmatch(r"-?[0-9A-Fa-f]+", serial):
        raise Refused("SIG-15")
    written = distinguished_name(match[2])
    if int(serial, 16) != leaf.serial_number:
        raise Refused("SIG-11")
    if not is_issuer(written, leaf.issuer, (case.get("policy") or {}).get("key_id_issuer") == "exact"):
        raise Refused("SIG-12")


def check_signature(case, found, leaf):
    try:
        leaf.public_key().verify(found["bytes"], signing_string(case, found["names"]), padding.PKCS1v15(),
                                 hashes.SHA256())
    except InvalidSignature:
        raise Refused("SIG-13") from None


def reasons(case):
    """Every reason to refuse the request, in order; empty where it is right. One check that fails does not hide those
    that do not depend on it.
    """
    found = []

    def attempt(check, *arguments):
        try:
            return check(*arguments)
        except Refused as refused:
            found.append(str(refused))
            return None

    leaf = attempt(certificate, case)
    attempt(check_digest, case)
    attempt(check_date, case)
    read = attempt(read_parts, case)
    if read:
        before = len(found)
        attempt(check_complete, case, read["names"])
        if leaf:
            attempt(check_key_id, case, read, leaf)
            if "SIG-08" not in found[before:]:
                attempt(check_signature, case, read, leaf)
    return found
