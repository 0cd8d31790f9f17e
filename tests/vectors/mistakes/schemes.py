"""How clients turn a text into an RSA signature: PKCS #1 v1.5 over SHA-256, and what is met in its place. All of it
is deterministic; RSA-PSS takes its salt from the text.
"""
import hashlib

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

SHA_256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")
SHA_256_INFO_WITHOUT_NULL = bytes.fromhex("302f300b06096086480165030402010420")
SHA_1_INFO = bytes.fromhex("3021300906052b0e03021a05000414")
MD5_INFO = bytes.fromhex("3020300c06082a864886f70d020505000410")


def sha_256(data):
    return hashlib.sha256(data).digest()


def raw(key, block):
    numbers = key.private_numbers()
    modulus = numbers.public_numbers.n
    return pow(int.from_bytes(block, "big"), numbers.d, modulus).to_bytes(key.key_size // 8, "big")


def type_1(key, content):
    """PKCS #1 v1.5 around any content, a DigestInfo or not."""
    fill = key.key_size // 8 - 3 - len(content)
    return raw(key, b"\x00\x01" + b"\xff" * fill + b"\x00" + content)


def mask(seed, length):
    out = b"".join(hashlib.sha256(seed + counter.to_bytes(4, "big")).digest() for counter in range(length // 32 + 1))
    return out[:length]


def pss(key, data, salt_length):
    """RFC 8017 section 9.1.1 with SHA-256 and MGF1."""
    length = key.key_size // 8
    salt = mask(b"salt" + data, salt_length)
    hashed = sha_256(bytes(8) + sha_256(data) + salt)
    block = bytes(length - salt_length - 34) + b"\x01" + salt
    masked = bytes(one ^ other for one, other in zip(block, mask(hashed, len(block))))
    return raw(key, bytes([masked[0] & 0x7F]) + masked[1:] + hashed + b"\xbc")


def pkcs1(key, data, algorithm):
    return key.sign(data, padding.PKCS1v15(), algorithm)


SCHEMES = {
    "sha-256": lambda key, data: pkcs1(key, data, hashes.SHA256()),
    "sha-384": lambda key, data: pkcs1(key, data, hashes.SHA384()),
    "sha-512": lambda key, data: pkcs1(key, data, hashes.SHA512()),
    "sha-1": lambda key, data: type_1(key, SHA_1_INFO + hashlib.sha1(data).digest()),
    "md5": lambda key, data: type_1(key, MD5_INFO + hashlib.md5(data).digest()),
    "pss": lambda key, data: pss(key, data, 32),
    "pss-longest-salt": lambda key, data: pss(key, data, key.key_size // 8 - 34),
    "hashed-twice": lambda key, data: pkcs1(key, sha_256(data), hashes.SHA256()),
    "hex-of-hash": lambda key, data: pkcs1(key, sha_256(data).hex().encode(), hashes.SHA256()),
    "upper-hex-of-hash": lambda key, data: pkcs1(key, sha_256(data).hex().upper().encode(), hashes.SHA256()),
    "no-digest-info": lambda key, data: type_1(key, sha_256(data)),
    "hex-without-digest-info": lambda key, data: type_1(key, sha_256(data).hex().encode()),
    "digest-info-without-null": lambda key, data: type_1(key, SHA_256_INFO_WITHOUT_NULL + sha_256(data)),
}
