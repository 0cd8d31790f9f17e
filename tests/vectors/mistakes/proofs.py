"""For each mistake the evidence that a request holds it: what makes the mistake certain, from the bytes of the
request, the certificates that are named with it, and the text that the client signed.
"""
import base64
import binascii
import datetime
import hashlib

import bank
import identities
import relations
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

SHA_256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


def unescaped(text):
    """The bytes of a text in which `\\xNN` is a byte that is not UTF-8."""
    return text.encode().decode("unicode_escape").encode("latin-1") if "\\x" in text else text.encode()


def opened(case, leaf=None, signature=None):
    """What the signature holds inside its padding; None where the key does not open it."""
    leaf = leaf or bank.certificate(case)
    signature = bank.read_parts(case)["bytes"] if signature is None else signature
    try:
        return leaf.public_key().recover_data_from_signature(signature, padding.PKCS1v15(), None)
    except (InvalidSignature, ValueError):
        return None


def expected(case):
    return bank.signing_string(case, bank.read_parts(case)["names"])


def is_right(case, signature):
    return opened(case, signature=signature) == SHA_256_INFO + hashlib.sha256(expected(case)).digest()


def holds_other_text(case):
    signed = unescaped(case["signed"])
    right = expected(case)
    return opened(case) == SHA_256_INFO + sha_256(signed) and relations.is_related(case, signed, right)


def holds(transform):
    """The signature of this key holds that of the signing string."""
    return lambda case: opened(case) == transform(expected(case))


def sha_256(data):
    return hashlib.sha256(data).digest()


def is_pss(case):
    check = padding.PSS(padding.MGF1(hashes.SHA256()), padding.PSS.AUTO)
    bank.certificate(case).public_key().verify(bank.read_parts(case)["bytes"], expected(case), check, hashes.SHA256())
    return opened(case) is None


def is_of_named_certificate(case):
    others = [x509.load_pem_x509_certificate(pem.encode()) for pem in case["certificates"]]
    wanted = SHA_256_INFO + sha_256(expected(case))
    return opened(case) is None and any(opened(case, other) == wanted for other in others)


def is_of_unknown_key(case):
    key = identities.key("stranger").public_key()
    key.verify(bank.read_parts(case)["bytes"], expected(case), padding.PKCS1v15(), hashes.SHA256())
    return opened(case) is None and not case["certificates"]


def written_signature(case):
    return bank.parts(case)["signature"]


def from_base64url(text):
    if not set("-_") & set(text):
        raise ValueError("the alphabets do not differ in this text")
    return base64.b64decode(text.translate(str.maketrans("-_", "+/")) + "=" * (-len(text) % 4), validate=True)


def from_lines(text):
    if not set(" \\") & set(text):
        raise ValueError("no line break")
    return base64.b64decode(text.replace("\\n", "").replace(" ", ""), validate=True)


def decodes_right(decode):
    """Another reading of the part `signature` gives the right one."""
    def check(case):
        try:
            return is_right_without_form(case, decode(written_signature(case)))
        except (binascii.Error, ValueError):
            return False
    return check


def is_right_without_form(case, signature):
    found = bank.parts(case)
    key = bank.certificate(case).public_key()
    text = bank.signing_string(case, found["headers"].split())
    key.verify(signature, text, padding.PKCS1v15(), hashes.SHA256())
    return True


def is_shorter(case):
    key = bank.certificate(case).public_key()
    return len(bank.read_parts(case)["bytes"]) < key.key_size // 8


def digest_text(case):
    return bank.value(case, "digest").partition("=")[2]


def body(case):
    return base64.b64decode(case["body"])


def digest_is(*writings):
    return lambda case: any(digest_text(case) == write(sha_256(body(case))) for write in writings)


def digest_of_signed(case):
    signed = unescaped(case["signed"])
    wanted = base64.b64encode(sha_256(signed)).decode()
    return digest_text(case) == wanted and relations.is_related(case, signed, body(case))


def digest_of_other_algorithm(case):
    hashed = [hashlib.new(name, body(case)).digest() for name in ("sha1", "sha512", "sha384", "md5")]
    return any(text in digest_text(case) for data in hashed for text in (base64.b64encode(data).decode(), data.hex()))


def serial(case):
    return bank.parts(case)["keyid"].partition("SN=")[2].partition(",")[0]


def serial_is_decimal(case):
    return int(serial(case)) % (1 << 128) == bank.certificate(case).serial_number % (1 << 128)


def serial_is_of_other(case):
    others = [x509.load_pem_x509_certificate(pem.encode()) for pem in case["certificates"]]
    return int(serial(case), 16) in [other.serial_number for other in others]


def issuer_text(case):
    return bank.parts(case)["keyid"].partition("CA=")[2]


def issuer_is_reversed(case):
    written = bank.distinguished_name(issuer_text(case))
    return bank.is_issuer(written[::-1], bank.certificate(case).issuer, exact=True)


def issuer_is_subject(case):
    written = bank.distinguished_name(issuer_text(case))
    return bank.is_issuer(written, bank.certificate(case).subject, exact=False)


def issuer_differs(case):
    leaf = bank.certificate(case)
    written = bank.distinguished_name(issuer_text(case))
    return not bank.is_issuer(written, leaf.issuer, exact=False)


def issuer_is_in_other_charset(case):
    """The issuer in another reading of its bytes; or letters that a charset lacks became question marks."""
    issuer = bank.certificate(case).issuer
    for one, other in (("latin-1", "utf-8"), ("utf-8", "latin-1")):
        try:
            reading = issuer_text(case).encode(one).decode(other)
        except UnicodeError:
            continue
        if reading != issuer_text(case) and bank.is_issuer(bank.distinguished_name(reading), issuer, exact=False):
            return True
    plain = issuer.rfc4514_string().encode("ascii", "replace").decode()
    return "?" in plain and issuer_text(case) == plain


def certificate_is_authority(case):
    extension = bank.sent_certificate(case).extensions.get_extension_for_class(x509.BasicConstraints)
    return extension.value.ca


def certificate_is_base64url(case):
    x509.load_der_x509_certificate(from_base64url(bank.value(case, "tpp-signature-certificate")))
    return True


def certificate_is_cut(case):
    """PEM without its end, or fewer bytes than the DER says of itself (its length fills the bytes 2 and 3)."""
    text = bank.value(case, "tpp-signature-certificate")
    if "-----BEGIN" in text:
        return "-----END" not in text
    data = base64.b64decode(text)
    return data[:2] == b"\x30\x82" and len(data) < int.from_bytes(data[2:4], "big") + 4


def seconds_off(case):
    now = datetime.datetime.fromisoformat(case["now"].replace("Z", "+00:00"))
    return (bank.parsed_date(bank.value(case, "date")) - now).total_seconds()


def is_off_by_zone(case):
    return abs(seconds_off(case)) >= 1740 and (abs(seconds_off(case)) + 60) % 1800 <= 120


def has_no_date(case):
    try:
        bank.parsed_date(bank.value(case, "date"))
    except bank.Refused:
        return True
    return False


def base64_of_hex(data):
    return base64.b64encode(data.hex().encode()).decode()


HASH, DIGEST, KEY, FORM, CLOCK = "hash", "digest", "key", "form", "clock"
TEXTS, BODIES = relations.TEXTS, relations.BODIES
# Each mistake: the proofs that an explanation may name, and the evidence.
PROOFS = {
    **dict.fromkeys(TEXTS, ((HASH,), holds_other_text)),
    "wrong-key": ((KEY,), is_of_unknown_key),
    "key-of-another-certificate": ((KEY, HASH), is_of_named_certificate),
    "pss": ((KEY, HASH), is_pss),
    "sha-1": ((KEY, HASH), holds(
        lambda text: bytes.fromhex("3021300906052b0e03021a05000414") + hashlib.sha1(text).digest())),
    "sha-512": ((KEY, HASH), holds(
        lambda text: bytes.fromhex("3051300d060960864801650304020305000440") + hashlib.sha512(text).digest())),
    "hashed-twice": ((KEY, HASH), holds(lambda text: SHA_256_INFO + sha_256(sha_256(text)))),
    "hex-of-hash-signed": ((KEY, HASH), lambda case: any(
        opened(case) == SHA_256_INFO + sha_256(text.encode())
        for text in (sha_256(expected(case)).hex(), sha_256(expected(case)).hex().upper()))),
    "no-digest-info": ((KEY, HASH), holds(sha_256)),
    "signature-reversed": ((KEY, HASH, FORM), lambda case: is_right(case, bank.read_parts(case)["bytes"][::-1])),
    "signature-hex": ((FORM, HASH), decodes_right(bytes.fromhex)),
    "signature-base64-twice": ((FORM, HASH), decodes_right(lambda text: base64.b64decode(base64.b64decode(text)))),
    "signature-base64url": ((FORM, HASH), decodes_right(from_base64url)),
    "signature-line-breaks": ((FORM, HASH), decodes_right(from_lines)),
    "signature-cut": ((FORM, HASH), is_shorter),
    "digest-hex": ((DIGEST, FORM), digest_is(bytes.hex, lambda data: data.hex().upper())),
    "digest-base64-of-hex": ((DIGEST,), digest_is(
        base64_of_hex, lambda data: base64.b64encode(data.hex().upper().encode()).decode())),
    "digest-base64url": ((DIGEST, FORM), lambda case: from_base64url(digest_text(case)) == sha_256(body(case))),
    "digest-other-algorithm": ((DIGEST,), digest_of_other_algorithm),
    **dict.fromkeys(BODIES, ((DIGEST,), digest_of_signed)),
    "serial-decimal": ((FORM,), serial_is_decimal),
    "serial-of-another-certificate": ((FORM, KEY), serial_is_of_other),
    "issuer-reversed": ((FORM,), issuer_is_reversed),
    "issuer-is-subject": ((FORM,), issuer_is_subject),
    "issuer-value-differs": ((FORM,), issuer_differs),
    "issuer-charset": ((FORM,), issuer_is_in_other_charset),
    "certificate-of-issuer": ((FORM, KEY), certificate_is_authority),
    "certificate-base64url": ((FORM,), certificate_is_base64url),
    "certificate-cut": ((FORM,), certificate_is_cut),
    "date-local-time-as-gmt": ((CLOCK,), is_off_by_zone),
    "date-stale": ((CLOCK,), lambda case: abs(seconds_off(case)) > 60 and not is_off_by_zone(case)),
    "date-form": ((FORM, CLOCK), has_no_date),
}
