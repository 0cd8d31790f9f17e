"""Makes a whole request from a recipe. README.md says what the members of a recipe mean."""
import base64
import datetime
import functools
import uuid

import forms
import identities
import schemes

NOW = datetime.datetime(2026, 10, 14, 9, 30, tzinfo=datetime.timezone.utc)
MANDATORY = ["date", "digest", "x-request-id", "psu-id", "psu-corporate-id", "tpp-redirect-uri"]
CALLS = {
    "payment": ("POST", "/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true", forms.PAYMENT),
    "consent": ("POST", "/v1/bank-offered-consents", forms.CONSENT),
    "basket": ("POST", "/v1/signing-baskets", forms.BASKET),
    "accounts": ("GET", "/v1/accounts?withBalance=true", None),
    "transactions": ("GET", "/v1/accounts/9c1f%3D%3D/transactions?bookingStatus=both&dateFrom=2026-09-01", None),
    "delete": ("DELETE", "/v1/signing-baskets/5d0c9a7e-4f51-4c69-8a55-1f9b7a3f0c11", None),
}
WHO = functools.lru_cache(maxsize=None)(identities.make_all)


class Request:
    """A request on its way: the fields as pairs, the body, and what was signed."""

    def __init__(self, id_, recipe):
        self.id, self.recipe = id_, recipe
        self.method, self.target, self.data = CALLS[recipe.get("call", "payment")]
        self.target = recipe.get("target", self.target)
        self.now = NOW
        self.body = b"" if self.data is None else forms.body(recipe.get("body", "compact"), self.data)
        self.fields = []
        self.signed = None

    def value(self, name):
        found = [value.strip() for own, value in self.fields if own.lower() == name.lower()]
        return ", ".join(found) if found else None

    def set(self, name, value):
        self.fields = [field for field in self.fields if field[0].lower() != name.lower()]
        if value is not None:
            self.fields.append((name, value))

    def digested(self, form):
        return self.body if form is None or self.data is None and form == "compact" else forms.body(form, self.data)

    def write_fields(self):
        recipe = self.recipe
        if self.data is not None:
            self.set("Content-Type", "application/json")
        self.set("Date", forms.date(self.now, **recipe.get("date", {})))
        self.set("X-Request-ID", str(uuid.uuid5(uuid.NAMESPACE_URL, f"https://tpp.example/{self.id}")))
        self.set("PSU-ID", "3f0a6f1e-52c7-4b8e-9a43-6c1d2b7e8f90")
        self.set("TPP-Redirect-URI", "https://tpp.example/callback?state=a%20b")
        if self.data is not None or "digest" in recipe:
            self.set("Digest", self.digest_value(recipe.get("digest", {})))
        for name, value in recipe.get("headers", []):
            if name.startswith("+"):
                self.fields.append((name[1:], value))
            else:
                self.set(name, value)

    def digest_value(self, changes):
        changes = dict(changes)
        if "value" in changes:
            return changes["value"]
        return forms.digest(self.digested(changes.pop("of", None)), **changes)

    def names(self):
        listed = self.recipe.get("list")
        if listed is None:
            listed = [name for name in MANDATORY if self.value(name) is not None]
        return [*self.recipe.get("list_first", []), *listed, *self.recipe.get("list_more", [])]

    def line_value(self, name, changes):
        if name in changes.get("values", {}):
            return changes["values"][name]
        if name == "(request-target)":
            method = changes.get("method", self.method.lower())
            return f"{method} {changes.get('target', self.target)}"
        if name == "date" and "date" in changes:
            return forms.date(self.now, **changes["date"])
        if name == "digest" and "digest" in changes:
            return self.digest_value(changes["digest"])
        return self.value(name) or ""

    def text(self, earlier):
        """The bytes that the client signs: the signing string, unless the recipe changes it."""
        changes = self.recipe.get("text", {})
        if changes.get("whole") == "body":
            return self.body
        if changes.get("whole") == "digest":
            return self.value("digest").encode()
        if changes.get("whole") == "earlier":
            return earlier[0].text(())
        values = dict(changes.get("values", {}))
        for name in changes.get("earlier_values", []):
            values[name] = earlier[0].value(name)
        changes = {**changes, "values": values}
        names = changes.get("order") or self.names()
        names = [*changes.get("first", []), *(name for name in names if name not in changes.get("drop", []))]
        names += changes.get("more", [])
        spell = {"title": str.title, "upper": str.upper}.get(changes.get("names"), str)
        colon = changes.get("colon", ": ")
        lines = [(spell(name) + colon if changes.get("only") != "values" else "") + self.line_value(name, changes)
                 for name in names]
        whole = changes.get("start", "") + changes.get("join", "\n").join(lines) + changes.get("end", "")
        return whole.encode(changes.get("charset", "utf-8"))

    def sign(self, earlier=()):
        recipe, who = self.recipe, WHO()
        signer = recipe.get("sign", {})
        by = signer.get("by", recipe.get("as", "seal"))
        key = identities.key(by) if by == "stranger" else who[by].key
        self.signed = self.text(earlier)
        how = signer.get("how", "sha-256")
        signature = schemes.SCHEMES[how](key, self.signed)
        if how != "sha-256":
            self.signed = None
        self.set("TPP-Signature-Certificate", self.certificate_value())
        self.set("Signature", self.signature_value(forms.SIGNATURES[recipe.get("signature", "base64")](signature)))

    def certificate_value(self):
        changes = self.recipe.get("certificate", {})
        write = forms.CERTIFICATES[changes.get("form", "line")]
        chain = changes.get("of", [self.recipe.get("as", "seal")])
        return "".join(write(WHO()[one]) for one in chain)

    def key_id(self):
        changes = self.recipe.get("key_id", {})
        if "text" in changes:
            return changes["text"]
        own = WHO()[self.recipe.get("as", "seal")].certificate
        number = WHO()[changes["serial_of"]].certificate.serial_number if "serial_of" in changes else own.serial_number
        issuer = changes.get("issuer", own.issuer.rfc4514_string())
        return f"SN={SERIALS[changes.get('serial', 'hex')](number)},CA={issuer}"

    def signature_value(self, signature):
        changes = self.recipe.get("field", {})
        names = [changes.get("names", {}).get(name, name) for name in self.names()]
        parts = {
            "keyId": self.key_id(),
            "algorithm": changes.get("algorithm", "rsa-sha256"),
            "headers": changes.get("names_join", " ").join(names),
            "signature": signature,
        }
        written = [f'{name}="{parts[name]}"' for name in changes.get("parts", parts)] + changes.get("more", [])
        value = changes.get("scheme", "") + changes.get("join", ",").join(written)
        for one, other in changes.get("replace", []):
            value = value.replace(one, other)
        return wrapped(value, *changes["wrap"]) if "wrap" in changes else value

    def send(self):
        """What something on the way changes after the signature was made."""
        for name, value in self.recipe.get("sent", {}).get("headers", []):
            self.set(name, value)


def swapped(number):
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return data[::-1].hex().upper()


SERIALS = {
    "hex": lambda number: format(number, "X"),
    "lower": lambda number: format(number, "x"),
    "leading-zeros": lambda number: "0000" + format(number, "X"),
    "decimal": str,
    "colons": lambda number: ":".join(format(number, "X")[at:at + 2] for at in range(0, len(format(number, "X")), 2)),
    "0x": hex,
    "swapped": swapped,
    "negative-decimal": lambda number: str(number - (1 << 128)),
}


def wrapped(text, charset, encoding, bytes_as=None):
    """RFC 2047; `bytes_as`: the charset of the bytes, where it is not the one named."""
    data = text.encode(bytes_as or charset)
    if encoding == "B":
        return f"=?{charset}?B?{base64.b64encode(data).decode()}?="
    quoted = "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"={byte:02X}" for byte in data)
    return f"=?{charset}?Q?{quoted}?="


def request(id_, recipe):
    """The request of a recipe, and those that came before it."""
    earlier = [request(f"{id_}/earlier/{at}", one)[0] for at, one in enumerate(recipe.get("earlier", []))]
    made = Request(id_, recipe)
    made.write_fields()
    made.sign(earlier)
    made.send()
    return made, earlier
