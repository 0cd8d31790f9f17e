"""Keys and certificates of the corpus. All of them follow from fixed seeds, so no private key is stored, and every
run makes the same bytes. They are for tests only: anyone can make these keys.
"""
import base64
import datetime
import functools
import hashlib
import math

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID as N

SEED = "xs2a test key, not secret"
EXPONENT = 65537
KEY_BITS = 2048
ORGANISATION = x509.ObjectIdentifier("2.5.4.97")
QC_STATEMENTS = x509.ObjectIdentifier("1.3.6.1.5.5.7.1.3")
NOT_BEFORE = datetime.datetime(2026, 1, 5, tzinfo=datetime.timezone.utc)
NOT_AFTER = datetime.datetime(2028, 1, 5, tzinfo=datetime.timezone.utc)
USAGES = ["digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
          "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"]


def seeded_number(label, bits):
    """A number of exactly that many bits, odd, its two highest bits set."""
    blocks = math.ceil(bits / 256)
    data = b"".join(hashlib.sha256(f"{SEED}/{label}/{at}".encode()).digest() for at in range(blocks))
    return int.from_bytes(data, "big") >> (8 * len(data) - bits) | 3 << bits - 2 | 1


SMALL_PRIMES = [number for number in range(2, 3000) if all(number % other for other in range(2, number))]
PRIMORIAL = math.prod(SMALL_PRIMES)


def is_probable_prime(number):
    """Miller-Rabin with the first eight primes as bases: enough for numbers that no attacker chose."""
    if math.gcd(number, PRIMORIAL) != 1:
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in SMALL_PRIMES[:8]:
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        if not any((power := power * power % number) == number - 1 for _ in range(twos - 1)):
            return False
    return True


def seeded_prime(label, bits):
    number = seeded_number(label, bits)
    while not (math.gcd(number - 1, EXPONENT) == 1 and is_probable_prime(number)):
        number += 2
    return number


@functools.lru_cache(maxsize=None)
def key(label):
    p, q = (seeded_prime(f"{label}/{part}", KEY_BITS // 2) for part in "pq")
    private = pow(EXPONENT, -1, math.lcm(p - 1, q - 1))
    public = rsa.RSAPublicNumbers(EXPONENT, p * q)
    return rsa.RSAPrivateNumbers(
        p, q, private, rsa.rsa_crt_dmp1(private, p), rsa.rsa_crt_dmq1(private, q), rsa.rsa_crt_iqmp(p, q), public,
    ).private_key()


def der(tag, *parts):
    content = b"".join(parts)
    assert len(content) < 256
    return bytes([tag, *([] if len(content) < 128 else [0x81]), len(content)]) + content


def psd2_statement():
    """The roles PSP_PI and PSP_AI as ETSI TS 119 495 writes them."""
    arc = bytes.fromhex("0400819827")
    roles = [der(0x30, der(6, arc, bytes([1, number])), der(12, role))
             for number, role in ((2, b"PSP_PI"), (3, b"PSP_AI"))]
    info = der(0x30, der(0x30, *roles), der(12, b"Finanstilsynet"), der(12, b"NO-FSA"))
    return der(0x30, der(0x30, der(6, arc, bytes([2])), info))


def name(**parts):
    """A name in the order of certificates: the country first."""
    oids = {"C": N.COUNTRY_NAME, "O": N.ORGANIZATION_NAME, "OU": N.ORGANIZATIONAL_UNIT_NAME,
            "L": N.LOCALITY_NAME, "ID": ORGANISATION, "CN": N.COMMON_NAME}
    return x509.Name([x509.NameAttribute(oids[part], value) for part, value in parts.items()])


class Identity:
    """A certificate, its key and its issuer."""

    def __init__(self, key_label, subject, issuer=None, *, serial, is_authority=False):
        self.key, self.issuer = key(key_label), issuer
        builder = (x509.CertificateBuilder().subject_name(subject)
                   .issuer_name(issuer.certificate.subject if issuer else subject)
                   .public_key(self.key.public_key()).serial_number(serial)
                   .not_valid_before(NOT_BEFORE).not_valid_after(NOT_AFTER))
        usages = ["key_cert_sign", "crl_sign"] if is_authority else ["digital_signature", "content_commitment"]
        builder = builder.add_extension(x509.KeyUsage(**{usage: usage in usages for usage in USAGES}), critical=True)
        if is_authority:
            builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        else:
            builder = builder.add_extension(x509.UnrecognizedExtension(QC_STATEMENTS, psd2_statement()), critical=False)
        signer = issuer.key if issuer else self.key
        self.certificate = builder.sign(signer, hashes.SHA256())  # PKCS #1 v1.5: no randomness

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    @property
    def der(self):
        return self.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def line(self):
        return base64.b64encode(self.der).decode()

    @property
    def key_pem(self):
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


def make_all():
    """Every identity by its name: `seal` signs where a recipe says nothing else."""
    fjord = {"C": "NO", "L": "Bergen", "O": "Fjordtillit AS", "ID": "NTRNO-912000001"}
    root = Identity("authority", name(C="NO", O="Fjordtillit AS", CN="Fjordtillit Root CA"), serial=0x1E5F,
                    is_authority=True)
    made = {"root": root}
    for label, authority, serial in (
        ("seal-ca", name(**fjord, CN="Fjordtillit Segl CA 2"), 0x3A9C41D7),
        ("web-ca", name(**fjord, CN="Fjordtillit Web CA 4"), 0x3A9C41D8),
        ("comma-ca", name(C="NO", O="Tillit, Segl + Kode AS", CN="Tillit CA, G3"), 0x51C0FFEE),
        ("oslo-ca", name(C="NO", O="Brønnøy Økonomi AS", CN="Ærlig Segl CA"), 0x0BADCAFE),
    ):
        made[label] = Identity("authority", authority, root, serial=serial, is_authority=True)
    subject = name(C="NO", O="Havnesund Betaling AS", ID="PSDNO-FSA-900111222", CN="Havnesund Betaling AS")
    for label, key_label, authority, serial in (
        ("seal", "seal", "seal-ca", 0x6B28E19F04D37AC5),
        ("old-seal", "old-seal", "seal-ca", 0x2D90B7715CE8134F),
        ("web", "web", "web-ca", 0x4C1196F3A8E05B2D),
        ("digits", "seal", "seal-ca", 0x7390481265092837),
        ("high-bit", "seal", "seal-ca", 0xE8B55D929413F0A1B2C3D4E5F6071829),
        ("comma", "seal", "comma-ca", 0x19D2A6E84B7F3C05),
        ("oslo", "seal", "oslo-ca", 0x5E03F8B96D21A47C),
    ):
        made[label] = Identity(key_label, subject, made[authority], serial=serial)
    return made
