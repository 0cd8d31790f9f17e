"""The forms in which clients write a body, a Date, a digest, a signature or a certificate: the right one and those
that are met in its place.
"""
import base64
import datetime
import hashlib
import json
import textwrap
import urllib.parse

PAYMENT = {
    "instructedAmount": {"currency": "NOK", "amount": "1250.00"},
    "creditorName": "Blåbær og Kaffe AS",
    "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
    "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
    "creditorAddress": {"country": "NO", "city": "Bodø"},
    "remittanceInformationUnstructured": "faktura 12/2026",
}
CONSENT = {"access": {"allPsd2": "allAccounts"}, "recurringIndicator": True, "frequencyPerDay": 4}
BASKET = {"paymentIds": ["8b0f7c52-3a41-4d0e-9a57-6f1f0f4f5a10", "0c8be3d4-77a2-4a4b-8f0d-2d6c5b9b1e21"]}


def compact(value, **options):
    return json.dumps(value, separators=(",", ":"), **{"ensure_ascii": False, **options})


def pretty(value, indent):
    return json.dumps(value, indent=indent, ensure_ascii=False)


def altered(value):
    """The same call with other data, as a body that was written into a script by hand."""
    return {**value, "remittanceInformationUnstructured": "test"}


BODIES = {
    "compact": compact,
    "python": lambda value: json.dumps(value, ensure_ascii=False),
    "python-ascii": json.dumps,
    "pretty-2": lambda value: pretty(value, 2),
    "pretty-4": lambda value: pretty(value, 4),
    "sorted": lambda value: compact(value, sort_keys=True),
    "ascii": lambda value: compact(value, ensure_ascii=True),
    "php": lambda value: compact(value, ensure_ascii=True).replace("/", "\\/"),
    "without-spaces": lambda value: compact(value).replace(" ", ""),
    "pretty-crlf": lambda value: pretty(value, 2).replace("\n", "\r\n"),
    "bom": lambda value: "\ufeff" + compact(value),
    "newline": lambda value: compact(value) + "\n",
    "crlf-at-end": lambda value: compact(value) + "\r\n",
    "pretty-2-newline": lambda value: pretty(value, 2) + "\n",
    "latin-1": lambda value: compact(value).encode("latin-1"),
    "utf-16": lambda value: compact(value).encode("utf-16-le"),
    "json-string": lambda value: json.dumps(compact(value), ensure_ascii=False),
    "form": lambda value: urllib.parse.urlencode({name: compact(part) for name, part in value.items()}),
    "template": lambda value: compact(value).replace("1250.00", "{{amount}}"),
    "other": lambda value: compact(altered(value)),
    "quotes": lambda value: str(value),
    "empty": lambda value: b"",
    "empty-object": lambda value: b"{}",
}


def body(form, value):
    text = BODIES[form](value)
    return text if isinstance(text, bytes) else text.encode()


DATES = {
    "imf": "%a, %d %b %Y %H:%M:%S GMT",
    "offset": "%a, %d %b %Y %H:%M:%S +0000",
    "utc": "%a, %d %b %Y %H:%M:%S UTC",
    "no-zone": "%a, %d %b %Y %H:%M:%S",
    "fraction": "%a, %d %b %Y %H:%M:%S.137 GMT",
    "no-weekday-utc": "%d %b %Y %H:%M:%S UTC",
    "iso": "%Y-%m-%dT%H:%M:%SZ",
    "iso-milliseconds": "%Y-%m-%dT%H:%M:%S.000Z",
    "javascript": "%a %b %d %Y %H:%M:%S GMT+0000 (Coordinated Universal Time)",
    "dotnet": "%m/%d/%Y %H:%M:%S",
    "german": "Mi, %d Okt %Y %H:%M:%S GMT",
    "asctime": "%a %b %d %H:%M:%S %Y",
    "rfc850": "%A, %d-%b-%y %H:%M:%S GMT",
}


def date(now, seconds=0, form="imf"):
    time = now + datetime.timedelta(seconds=seconds)
    if form == "epoch":
        return str(int(time.timestamp()))
    return time.strftime(DATES[form])


def base64url(data):
    return base64.urlsafe_b64encode(data).decode()


def plain_base64(data):
    return base64.b64encode(data).decode()


DIGESTS = {
    "base64": plain_base64,
    "hex": bytes.hex,
    "base64-of-hex": lambda data: plain_base64(data.hex().encode()),
    "base64-of-upper-hex": lambda data: plain_base64(data.hex().upper().encode()),
    "base64url": base64url,
    "base64url-unpadded": lambda data: base64url(data).rstrip("="),
    "unpadded": lambda data: plain_base64(data).rstrip("="),
    "line-break": lambda data: plain_base64(data) + "\n",
    "quoted": lambda data: f'"{plain_base64(data)}"',
    "structured": lambda data: f":{plain_base64(data)}:",
}


def digest(data, form="base64", algorithm="sha256", label="SHA-256="):
    return label + DIGESTS[form](hashlib.new(algorithm, data).digest())


def in_lines(text, joint, width=76):
    return joint.join(textwrap.wrap(text, width))


SIGNATURES = {
    "base64": plain_base64,
    "hex": bytes.hex,
    "upper-hex": lambda data: data.hex().upper(),
    "base64-twice": lambda data: plain_base64(plain_base64(data).encode()),
    "base64-of-hex": lambda data: plain_base64(data.hex().encode()),
    "base64url": base64url,
    "base64url-unpadded": lambda data: base64url(data).rstrip("="),
    "unpadded": lambda data: plain_base64(data).rstrip("="),
    "url-encoded": lambda data: urllib.parse.quote(plain_base64(data), safe=""),
    "lines-76": lambda data: in_lines(plain_base64(data), " "),
    "lines-64": lambda data: in_lines(plain_base64(data), " ", 64),
    "lines-escaped": lambda data: in_lines(plain_base64(data), "\\n"),
    "cut": lambda data: plain_base64(data[:-15]),
    "cut-at-255-characters": lambda data: plain_base64(data)[:255],
    "no-leading-zero": lambda data: plain_base64(data.lstrip(b"\0")),
    "reversed": lambda data: plain_base64(data[::-1]),
}


def pem_line(pem):
    return pem.replace("\n", "")


CERTIFICATES = {
    "line": lambda one: one.line,
    "pem-line": lambda one: pem_line(one.pem),
    "pem-spaces": lambda one: one.pem.strip().replace("\n", " "),
    "pem-url": lambda one: urllib.parse.quote(one.pem, safe=""),
    "pem-form": lambda one: urllib.parse.quote_plus(one.pem),
    "base64url": lambda one: base64url(one.der),
    "base64url-unpadded": lambda one: base64url(one.der).rstrip("="),
    "base64-of-pem": lambda one: plain_base64(one.pem.encode()),
    "first-line": lambda one: one.pem.splitlines()[0],
    "without-end": lambda one: pem_line(one.pem).replace("-----END CERTIFICATE-----", ""),
    "cut-at-1024-characters": lambda one: one.line[:1024],
    "cut-by-a-certificate-line": lambda one: plain_base64(one.der[:-48]),
    "thumbprint": lambda one: hashlib.sha1(one.der).hexdigest(),
}
