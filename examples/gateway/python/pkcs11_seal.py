"""The bank's seal in a hardware security module, by PKCS#11 (python-pkcs11).

The private key never leaves the token. The engine calls ``sign`` when the seal is put in place and for each
answer, verifies what it returns, and refuses calls while it fails.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pkcs11
from pkcs11 import Attribute, KeyType, ObjectClass, TokenFlag
from pkcs11.exceptions import (
    MultipleObjectsReturned,
    NoSuchKey,
    PinExpired,
    PinIncorrect,
    PinInvalid,
    PinLenRange,
    PinLocked,
    PKCS11Error,
    UserAlreadyLoggedIn,
)

log = logging.getLogger("gateway.seal")

# python-pkcs11 initialises a module for one thread at a time. The seal before may still be signing.
ONE_CALL = threading.Lock()
PIN_REFUSALS = (PinExpired, PinIncorrect, PinInvalid, PinLenRange, PinLocked)
LAST_TRY = TokenFlag.USER_PIN_FINAL_TRY | TokenFlag.USER_PIN_LOCKED


class SharedSession:
    """A token's one session in the process. python-pkcs11 closes a session only by ``close``."""

    def __init__(self, module: str, token: str) -> None:
        self._module, self._label = module, token
        self.session: pkcs11.Session | None = None

    def open(self, pin_file: Path) -> pkcs11.Session:
        token = pkcs11.lib(self._module).get_token(token_label=self._label)
        if token.flags & LAST_TRY:
            raise RuntimeError(
                f"no login: the token `{self._label}` has locked the PIN, or locks it after one more failure"
            )
        pin = pin_file.read_text(encoding="utf-8").strip()
        if not pin:
            raise ValueError(f"`{pin_file}` is empty")
        try:
            # A login that is refused leaves its session open: one for each SIGHUP at most.
            self.session = token.open(user_pin=pin)
        except UserAlreadyLoggedIn:
            self.session = token.open()
        return self.session

    def close(self) -> None:
        session, self.session = self.session, None
        # A session may be lost with the token: then closing it fails.
        with suppress(PKCS11Error):
            if session is not None:
                session.close()


SESSIONS: dict[tuple[str, str], SharedSession] = {}


class Pkcs11Seal:
    """A key of a token."""

    def __init__(self, module: str, token: str, key: str, pin_file: str) -> None:
        self._shared = SESSIONS.setdefault((module, token), SharedSession(module, token))
        self._label, self._pin_file = key, Path(pin_file)
        self._key: Any = None
        self._is_pin_refused = False

    def sign(self, text: bytes) -> bytes:
        """RSASSA-PKCS1-v1_5 with SHA-256, as ``response_key`` of an engine asks for."""
        try:
            with ONE_CALL:
                return self._sign(text)
        except Exception as error:
            # The engine logs the class of an exception and no text.
            log.error("the token does not sign: %s: %s", type(error).__name__, error)
            raise

    def _sign(self, text: bytes) -> bytes:
        session = self._shared.session
        if session is not None:
            try:
                return self._signature(session, text)
            except PKCS11Error:
                # The token may have been reset or out of reach; vendors differ in the errors for that.
                self._shared.close()
        return self._signature(self._log_in(), text)

    def _log_in(self) -> pkcs11.Session:
        # A token locks a PIN after a few wrong ones. The next seal, at SIGHUP, tries again.
        if self._is_pin_refused:
            raise RuntimeError(
                f"no login: the token refused the PIN in `{self._pin_file}`; correct it and send SIGHUP"
            )
        try:
            return self._shared.open(self._pin_file)
        except PIN_REFUSALS:
            self._is_pin_refused = True
            raise

    def _signature(self, session: pkcs11.Session, text: bytes) -> bytes:
        if self._key is None or self._key.session is not session:
            self._key = self._find_key(session)
        signature: bytes = self._key.sign(text, mechanism=pkcs11.Mechanism.SHA256_RSA_PKCS)
        return signature

    def _find_key(self, session: pkcs11.Session) -> Any:
        wanted = {
            Attribute.CLASS: ObjectClass.PRIVATE_KEY,
            Attribute.KEY_TYPE: KeyType.RSA,
            Attribute.SIGN: True,
            Attribute.LABEL: self._label,
        }
        keys = list(session.get_objects(wanted))
        if not keys:
            raise NoSuchKey(f"no RSA key of the token that signs has the label `{self._label}`")
        if len(keys) > 1:
            raise MultipleObjectsReturned(
                f"more than one RSA key of the token that signs has the label `{self._label}`"
            )
        return keys[0]
