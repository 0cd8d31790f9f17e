"""A certificate of this machine and its key, by openssl."""

from __future__ import annotations

import subprocess
from pathlib import Path


def make(folder: Path) -> tuple[Path, Path]:
    """Certificate and key in PEM, in that folder, for 127.0.0.1."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    request = "req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    command = ["openssl", *request.split(), "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, capture_output=True, check=True)
    return certificate, key
