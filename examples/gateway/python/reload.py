"""What is read again while the gateway runs: the extract of the register, and the bank's seal."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import xs2a

log = logging.getLogger("gateway.reload")


def read_seal(config: dict[str, Any]) -> tuple[str, str | Callable[[bytes], bytes]]:
    """The certificate that answers are signed with, and its private key or what signs with it."""
    certificate = Path(config["certificate"]).read_text(encoding="utf-8")
    if "pkcs11" in config:
        # A gateway without a token needs no package for one.
        from pkcs11_seal import Pkcs11Seal

        return certificate, Pkcs11Seal(**config["pkcs11"]).sign
    return certificate, Path(config["private_key"]).read_text(encoding="utf-8")


def replace_seal(engine: xs2a.Engine, config: dict[str, Any]) -> None:
    """The next call is signed by the seal that the configuration names."""
    certificate, key = read_seal(config)
    if callable(key):
        engine.replace_response_key(certificate=certificate, sign=key)
    else:
        engine.replace_response_key(certificate=certificate, private_key=key)
    log.info("the seal was replaced")


def replace_register(engine: xs2a.Engine, path: str) -> None:
    """The engine gets the extract of the register in a file."""
    count = engine.replace_register(Path(path).read_bytes())
    log.info("the register was replaced: institutions=%d", count)


REPLACEMENTS: dict[str, Callable[[xs2a.Engine, Any], None]] = {
    "seal": replace_seal,
    "register": replace_register,
}


def reload(engine: xs2a.Engine, config_path: str) -> None:
    """Both, as the configuration names them now. What it does not name, and what cannot be used, stays as it
    is."""
    try:
        config: dict[str, Any] = json.loads(Path(config_path).read_text(encoding="utf-8"))
        named = [name for name in REPLACEMENTS if name in config]
    except (OSError, TypeError, ValueError) as error:
        log.error("neither seal nor register was replaced: %s: %s", type(error).__name__, error)
        return
    if not named:
        log.warning("neither seal nor register was replaced: `%s` has none of them", config_path)
    for name in named:
        try:
            REPLACEMENTS[name](engine, config[name])
        except Exception as error:  # of a file, a token, or the engine
            log.error("the %s was not replaced: %s: %s", name, type(error).__name__, error)
