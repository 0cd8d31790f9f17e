#!/usr/bin/env python3
"""Makes the key pairs and the root certificate of the sandbox's test PKI.

Run once; the files are committed. The keys are public: a host that trusts the root outside of a sandbox accepts
every caller. Needs the openssl command and the Python package cryptography.
"""
import datetime
import pathlib
import subprocess

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID

HERE = pathlib.Path(__file__).parent

for name in ["ca", "bank", *(f"tpp_{n}" for n in range(8))]:
    command = ["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
    key = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    (HERE / f"{name}.key.pem").write_text(key)

key = serialization.load_pem_private_key((HERE / "ca.key.pem").read_bytes(), None)
subject = x509.Name([
    x509.NameAttribute(NameOID.COUNTRY_NAME, "NO"),
    x509.NameAttribute(NameOID.ORGANIZATION_NAME, "xs2a"),
    x509.NameAttribute(NameOID.COMMON_NAME, "xs2a Sandbox Test CA"),
])
usage = dict.fromkeys([
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
    "encipher_only", "decipher_only",
], False)
root = (
    x509.CertificateBuilder()
    .subject_name(subject)
    .issuer_name(subject)
    .public_key(key.public_key())
    .serial_number(1)
    .not_valid_before(datetime.datetime(1950, 1, 1))
    .not_valid_after(datetime.datetime(9999, 12, 31, 23, 59, 59))
    .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    .add_extension(x509.KeyUsage(key_cert_sign=True, crl_sign=True, **usage), critical=True)
    .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    .sign(key, hashes.SHA256())
)
(HERE / "root.pem").write_bytes(root.public_bytes(serialization.Encoding.PEM))
