"""Which certificates are revoked: those whose DER is a file in a folder. A bank asks OCSP in its place, and
keeps each answer until its nextUpdate."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Literal

CERTIFICATE_BYTES_MAX = 1 << 16
# What the DER of a certificate begins with: the tag of a SEQUENCE. A file in PEM would never be equal to one.
SEQUENCE = b"\x30"

log = logging.getLogger("gateway.revocation")


def read_certificate(path: Path) -> bytes:
    """The DER in a file; ``ValueError`` for another file."""
    with path.open("rb") as file:
        der = file.read(CERTIFICATE_BYTES_MAX + 1)
    if not der.startswith(SEQUENCE) or len(der) > CERTIFICATE_BYTES_MAX:
        raise ValueError(f"{path} is not the DER of a certificate of at most {CERTIFICATE_BYTES_MAX} bytes")
    return der


class Revocation:
    """The ``revocation`` of ``xs2a.Engine``. It reads the folder each time: a file counts from the next call
    of a TPP on."""

    def __init__(self, folder: str) -> None:
        """``OSError`` for a folder that cannot be read, ``ValueError`` for none."""
        if not folder:
            raise ValueError("`revoked` is empty")
        self._folder = Path(folder)
        list(self._folder.iterdir())

    def __call__(self, certificate: bytes, issuer: bytes | None) -> Literal["good", "revoked"]:
        """An ``OSError`` or a ``ValueError`` leaves it, and the TPP is answered SYSTEM_ERROR."""
        try:
            return "revoked" if self._has(certificate) else "good"
        except (OSError, ValueError) as error:  # the engine logs where it came from, without its text
            log.error("no certificate is accepted: %s", error)
            raise

    def _has(self, certificate: bytes) -> bool:
        # A name with a dot first is a file that is still being written.
        names = [path for path in self._folder.iterdir() if not path.name.startswith(".")]
        return any(read_certificate(path) == certificate for path in names)
