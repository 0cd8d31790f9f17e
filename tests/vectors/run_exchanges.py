#!/usr/bin/env python3
"""Plays exchanges.json against a bank over plain HTTP. It knows of xs2a only how a served sandbox is controlled
(`Control`); for another implementation replace that class. README.md describes the format.

    pip install cryptography
    xs2a serve --now 2026-09-01T10:00:00Z --port 8080 --control-port 8081
    python run_exchanges.py http://127.0.0.1:8080 http://127.0.0.1:8081 [ID ...]
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import re
import sys
import urllib.parse
import uuid
from datetime import datetime
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

FORMAT = 1
FOLDER = Path(__file__).parent
VARIABLE = re.compile(r"\{([a-z-]+)\}")
TIMEOUT_SECONDS = 30

Fields = list[tuple[str, str]]


class Mismatch(Exception):
    """The bank did something other than expected."""


def request(base: str, method: str, target: str, fields: Fields, body: bytes) -> tuple[int, Fields, bytes]:
    """One call over a connection of its own; nothing is added but Host and Content-Length."""
    address = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=TIMEOUT_SECONDS)
    try:
        connection.putrequest(method, target, skip_accept_encoding=True)
        for name, value in fields:
            connection.putheader(name, value.encode())
        if body or method in ("POST", "PUT"):
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body or None)
        answer = connection.getresponse()
        return answer.status, answer.getheaders(), answer.read()
    finally:
        connection.close()


class Control:
    """How a sandbox that `xs2a serve` serves is put into the state of an exchange."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.snapshot = self.post("/snapshots", {})["id"]

    def post(self, path: str, body: object) -> Any:
        fields = [("Content-Type", "application/json")]
        status, _, answer = request(self.url, "POST", path, fields, json.dumps(body).encode())
        if status >= 400:
            raise Mismatch(f"control {path}: {status} {answer.decode()}")
        return json.loads(answer) if answer else None

    def begin(self, exchange: dict[str, Any]) -> None:
        """The data of the beginning, the clock and the trust anchors of the exchange."""
        self.post(f"/snapshots/{self.snapshot}/restore", {})
        self.set_clock(exchange["now"])
        self.post("/trust", {"pem": exchange["trust_anchors"]})

    def set_clock(self, now: str) -> None:
        self.post("/clock", {"now": now})

    def answer_as_psu(self, link: str, customer: str, approve: bool) -> str:
        """What the PSU does at the bank's site. Returns where the browser is sent."""
        body = {"scaRedirect": link, "customerNumber": customer, "approve": approve}
        callback: str = self.post("/authorise", body)["callback"]
        return callback


class Exchange:
    """One exchange, and the values that answers gave to its variables."""

    def __init__(self, exchange: dict[str, Any], bank: str, control: Control) -> None:
        self.exchange = exchange
        self.bank = bank
        self.control = control
        self.now: str = exchange["now"]
        self.values: dict[str, str] = {}

    def play(self) -> None:
        self.control.begin(self.exchange)
        for number, step in enumerate(self.exchange["steps"], 1):
            try:
                getattr(self, "do_" + step["do"])(step)
            except Mismatch as mismatch:
                raise Mismatch(f"{self.exchange['id']}, step {number}: {mismatch}") from mismatch

    def do_clock(self, step: dict[str, Any]) -> None:
        self.now = step["now"]
        self.control.set_clock(self.now)

    def do_psu(self, step: dict[str, Any]) -> None:
        url = self.control.answer_as_psu(self.filled(step["link"]), step["customer"], step["approve"])
        expected = step["expected"]
        if not url.startswith(expected["redirect"]):
            raise Mismatch(f"the browser is sent to {url}, not to {expected['redirect']}")
        found = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        self.match(expected["parameters"], found, "the redirect")

    def do_call(self, step: dict[str, Any]) -> None:
        target, body = self.filled(step["target"]), self.filled(step["body"]).encode()
        fields = [(name, self.filled(value)) for name, value in step["headers"]]
        if step["sign"]:
            fields = self.signed(step["method"], target, fields, body)
        status, headers, answer = request(self.bank, step["method"], target, fields, body)
        expected = step["expected"]
        if status != expected["status"]:
            raise Mismatch(f"{status} {answer.decode(errors='replace')[:300]}, not {expected['status']}")
        given = {name.lower(): value for name, value in headers}
        self.match({name.lower(): value for name, value in expected["headers"].items()}, given, "header")
        if expected["body"] is not None:
            self.match(expected["body"], json.loads(answer), "")
        elif answer:
            raise Mismatch(f"a body: {answer.decode(errors='replace')[:300]}")

    def filled(self, text: str) -> str:
        """The text with the values of its variables; what is no variable stays."""
        return VARIABLE.sub(lambda found: self.values.get(found[1], found[0]), text)

    def match(self, expected: Any, found: Any, place: str) -> None:
        """Members and last items that are not expected are allowed: a bank may answer more."""
        if isinstance(expected, dict):
            for name, value in expected.items():
                if not isinstance(found, dict) or name not in found:
                    raise Mismatch(f"{place}/{name} is missing")
                self.match(value, found[name], f"{place}/{name}")
        elif isinstance(expected, list):
            if not isinstance(found, list) or len(found) < len(expected):
                raise Mismatch(f"{place} has fewer than {len(expected)} items: {found}")
            for index, value in enumerate(expected):
                self.match(value, found[index], f"{place}/{index}")
        elif isinstance(expected, str) and VARIABLE.fullmatch(expected):
            if not isinstance(found, str) or not found:
                raise Mismatch(f"{place} is no text: {found}")
            # `any` is a value that no later step needs.
            if expected != "{any}" and self.values.setdefault(expected[1:-1], found) != found:
                raise Mismatch(f"{place} is {found}, and was {self.values[expected[1:-1]]} before")
        elif (self.filled(expected) if isinstance(expected, str) else expected) != found:
            raise Mismatch(f"{place} is {found!r}, not {expected!r}")

    def signed(self, method: str, target: str, fields: Fields, body: bytes) -> Fields:
        """Adds Date, X-Request-ID, Digest, the certificate and the signature, where they are absent."""
        certificate = x509.load_pem_x509_certificate(self.exchange["certificate"].encode())
        at = datetime.fromisoformat(self.now.replace("Z", "+00:00"))
        der = certificate.public_bytes(serialization.Encoding.DER)
        added = [
            ("Date", at.strftime("%a, %d %b %Y %H:%M:%S GMT")),
            ("X-Request-ID", str(uuid.uuid4())),
            ("TPP-Signature-Certificate", base64.b64encode(der).decode()),
        ]
        if method != "GET":
            added.append(("Digest", "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode()))
        present = {name.lower() for name, _ in fields}
        fields = fields + [field for field in added if field[0].lower() not in present]
        values = {name.lower(): value for name, value in fields}
        names = [name for name in SIGNED if name in values]
        string = "\n".join(f"{name}: {values[name]}" for name in names)
        key = serialization.load_pem_private_key(self.exchange["private_key"].encode(), None)
        signature = key.sign(string.encode(), padding.PKCS1v15(), hashes.SHA256())  # type: ignore
        key_id = f"SN={certificate.serial_number:X},CA={certificate.issuer.rfc4514_string()}"
        parts = {"keyId": key_id, "algorithm": "rsa-sha256", "headers": " ".join(names)}
        parts["signature"] = base64.b64encode(signature).decode()
        return [*fields, ("Signature", ",".join(f'{name}="{value}"' for name, value in parts.items()))]


# What a request signs of what it sends, in this order.
SIGNED = ("date", "digest", "x-request-id", "psu-id", "psu-corporate-id", "tpp-redirect-uri")


def main(bank: str, control: str, *ids: str) -> int:
    described = json.loads((FOLDER / "format.json").read_text(encoding="utf-8"))
    if described["format"] != FORMAT:
        print(f"this runner reads format {FORMAT}, not {described['format']}")
        return 2
    exchanges = json.loads((FOLDER / "exchanges.json").read_text(encoding="utf-8"))
    unknown = set(ids) - {exchange["id"] for exchange in exchanges}
    if unknown:
        print(f"no exchange is called {', '.join(sorted(unknown))}")
        return 2
    steering, failed, played = Control(control), 0, 0
    for exchange in exchanges:
        if ids and exchange["id"] not in ids:
            continue
        played += 1
        try:
            Exchange(exchange, bank, steering).play()
        except Mismatch as mismatch:
            failed += 1
            print(mismatch)
    print(f"{played - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
