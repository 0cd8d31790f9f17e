#!/usr/bin/env python3
"""Makes the first inputs of the fuzz targets from tests/vectors: `fuzz/seeds.py FOLDER [TARGET]`.

Each target has a folder of its name in FOLDER; with TARGET only that one is made. What a fuzzer added there
stays. An input that was found is committed in fuzz/found/TARGET and becomes a seed too.
"""

import base64
import contextlib
import hashlib
import json
import pathlib
import re
import sys
import urllib.parse

FUZZ = pathlib.Path(__file__).parent
SEEDS = pathlib.Path(sys.argv[1])
CHOSEN = sys.argv[2:]
VECTORS = FUZZ.parent / "tests" / "vectors"
PEM = re.compile(r"-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", re.DOTALL)
QC_STATEMENTS = bytes.fromhex("06082b06010505070103")
PRODUCTS, QUESTIONS = 8, 20

SUM = {"amount": "1.00", "currency": "NOK"}
PSU = {"person": "p", "context": "PRIVATE"}
ACCOUNT = {"accountId": "a", "currency": "NOK"}
CARD = {"cardAccountId": "c", "maskedPan": "1234****", "currency": "NOK"}
BALANCES = [{"balanceType": "expected", "balanceAmount": SUM}]
TRANSACTIONS = [{"bookingDate": "2026-05-01", "transactionAmount": SUM}]
# A currency without fraction digits.
IN_YEN = {
    "instructedAmount": {"amount": "1", "currency": "JPY"},
    "creditorName": "Fiktiv Handel GmbH",
    "creditorAgent": "DEUTDEFF",
    "creditorAccount": {"iban": "DE89370400440532013000", "currency": "JPY"},
    "creditorAddress": {"townName": "Berlin", "country": "DE"},
    "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
}
# An answer to each question, of docs/bank.md.
ANSWERS = [
    {"person": "p"},
    {"account": {"currency": "NOK", "bban": "95360573002"}, "currency": "EUR"},
    {"bban": "95360573002", "required": True, "modulus": 10, "digitsMin": 5, "digitsMax": 5},
    {"fee": SUM},
    {"sourceCurrency": "EUR", "targetCurrency": "NOK", "rate": "11.5"},
    {"demand": "exempt"},
    {"paymentId": "p", "transactionStatus": "PDNG"},
    {"paymentId": "p", "cancelled": True},
    {"person": "p", "agreements": [{"corporate": "c", "name": "n", "owner": "1"}]},
    {"psu": PSU, "accounts": [ACCOUNT]},
    ACCOUNT,
    {"accountId": "a", "balances": BALANCES},
    {"accountId": "a", "transactions": TRANSACTIONS, "total": 1},
    {"accountId": "a", "transactions": TRANSACTIONS},
    {"accountId": "a", "transactionId": "t", "transactionAmount": SUM},
    {"psu": PSU, "cardAccounts": [CARD]},
    CARD,
    {"cardAccountId": "c", "balances": BALANCES},
    {"cardAccountId": "c", "transactions": TRANSACTIONS, "total": 1},
    {"cardAccountId": "c", "transactions": TRANSACTIONS},
]


def vectors(name):
    return json.loads((VECTORS / name).read_text())


def texts(value):
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for part in value.values() for text in texts(part))
    elif isinstance(value, list):
        yield from (text for part in value for text in texts(part))


def add(target, content):
    if CHOSEN and target not in CHOSEN:
        return
    content = content.encode() if isinstance(content, str) else content
    folder = SEEDS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha256(content).hexdigest()[:16]).write_bytes(content)


def certificates(text):
    """The certificates in a text, as DER: PEM, percent-encoded or not, or base64 of DER."""
    if "-----BEGIN" not in text:
        text = urllib.parse.unquote(text)
    blocks = PEM.findall(text) or [part for part in [text.strip()] if part.startswith("MII")]
    for block in blocks:
        with contextlib.suppress(ValueError):
            yield base64.b64decode("".join(block.split()), validate=True)


def element(der, start=0):
    """Where the content of an element begins, and where it ends."""
    length, place = der[start + 1], start + 2
    if length & 0x80:
        size = length & 0x7F
        length, place = int.from_bytes(der[place : place + size], "big"), place + size
    return place, place + length


def issuer(der):
    """The issuer of a certificate: after version, serial number and algorithm."""
    place, _ = element(der, element(der)[0])
    for _ in range(3):
        place = element(der, place)[1]
    return der[place : element(der, place)[1]]


def add_certificates(text):
    found = list(certificates(text))
    if not found or len(found) > 20:
        return
    add("certificate_chain", b"".join(len(der).to_bytes(2, "big") + der for der in found))
    add("pem_bundle", text)
    for der in found:
        if QC_STATEMENTS in der:
            place = der.index(QC_STATEMENTS) + len(QC_STATEMENTS)
            place += 3 if der[place] == 1 else 0
            start, end = element(der, place)
            add("qc_statements", der[start:end])
        with contextlib.suppress(IndexError):
            add("distinguished_name", issuer(der))


def add_request(case):
    body = base64.b64decode(case["body"])
    lines = [case["method"], case["target"], ""]
    for name, value in case["headers"]:
        lines.append(f"{name}:{value}")
        if name.lower() == "signature":
            add("signature_header", value)
            names = re.search(r'headers="([^"]*)"', value)
            lines[2] = names[1] if names else ""
        if name.lower() == "tpp-signature-certificate":
            add_certificates(value)
    add("signing_string", "\n".join(lines))
    if len(body) < 4096:
        for product in range(PRODUCTS):
            add("payment_body", bytes([product]) + body)


def add_policies():
    schema = json.loads((FUZZ.parent / "docs" / "configuration.schema.json").read_text())
    for name, form in schema["properties"]["policy"]["properties"].items():
        value = form.get("default", (form.get("enum") or form.get("examples") or [0])[0])
        for given in (value, not value) if isinstance(value, bool) else (value,):
            add("configuration", b"\1" + json.dumps({name: given}).encode())


def main():
    for case in vectors("signatures.json") + vectors("mistakes/requests.json"):
        add_request(case)
        add_certificates(case.get("trust_anchors") or "")
    for case in vectors("trust.json"):
        add("configuration", b"\0" + json.dumps(case["config"]).encode())
        for text in texts(case):
            add_certificates(text)
        for step in case["steps"]:
            if "hex" in step:
                add("revocation_list", bytes.fromhex(step["hex"]))
            if "list" in step:
                add("trusted_list", step["list"])
    for case in vectors("distinguished_names.json"):
        add("distinguished_name", case["text"])
    for case in vectors("encoded_words.json"):
        add("encoded_word", case["encoded"])
    for case in vectors("http_messages.json"):
        add("http_message", case["message"].encode("latin-1"))
    for question, answer in enumerate(ANSWERS):
        add("bank_answer", bytes([question]) + json.dumps(answer).encode())
    add_policies()
    for value in ["null", "0", "-1", '""', '"2026-09-01T10:00:00Z"', '"ACSC"', "[]", "{}"]:
        for place in range(0, 1600, 160):
            chunk = place.to_bytes(2, "big") + value.encode()
            add("sandbox_state", b"\0" + len(chunk).to_bytes(2, "big") + chunk)
    add("sandbox_state", b"\0")
    for product in range(PRODUCTS):
        add("payment_body", bytes([product]) + json.dumps(IN_YEN).encode())
    # A walk has no form that is written by hand; bytes at random are the beginning of one.
    for number in range(64):
        add("signed_walk", b"".join(hashlib.sha512(bytes([number, part])).digest() for part in range(8)))
    for found in sorted((FUZZ / "found").glob("*/*")):
        add(found.parent.name, found.read_bytes())


if __name__ == "__main__":
    main()
