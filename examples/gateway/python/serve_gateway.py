"""A bank's PSD2 gateway: WSGI, xs2a, and a toy core-banking behind it.

    python serve_gateway.py CONFIG DATABASE

CONFIG is a JSON file (examples/gateway/README.md), DATABASE an address such as
``sqlite:///var/lib/xs2a/gateway.db`` or ``postgresql:///gateway?host=/run/postgresql``. It says on standard
output where it listens, logs to standard error, reads the seal and the register again at SIGHUP, and ends at
SIGTERM when the requests under way are answered. TLS is a proxy's in front of it.
"""

from __future__ import annotations

import json
import logging
import signal
import sys
from contextlib import ExitStack, closing
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import reload
import xs2a
from core_bank import CoreBank
from http_server import Server
from ledger import Ledger
from operators import BODY_BYTES_MAX as OPERATORS_BODY_BYTES_MAX
from operators import Operators
from revocation import Revocation
from upkeep import Upkeep
from wsgi_app import Public

STOP_SECONDS_MAX = 10.0
BODY_BYTES_MAX = 1 << 20
SIGNALS = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}

log = logging.getLogger("gateway")


class JsonLines(logging.Formatter):
    """One JSON object a line. No name, no account and no key is ever in it."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "at": at.replace("+00:00", "Z"),
            "level": record.levelname.lower().replace("warning", "warn"),
            "place": record.name,
        }
        fields = getattr(record, "fields", None)
        if fields is not None:
            # A record of the engine: its values are members of an object, so no text can forge one.
            line.update(message=getattr(record, "event", ""), fields=fields)
        else:
            # The properties of a request are members of their own.
            line.update(getattr(record, "seen", {"message": record.getMessage()}))
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)


def serve(config_path: str, database: str) -> None:
    """Serves until a signal comes."""
    config: dict[str, Any] = json.loads(Path(config_path).read_text(encoding="utf-8"))
    policy = config.get("policy", {})
    body_bytes_max = policy.get("body_bytes_max", BODY_BYTES_MAX)
    with ExitStack() as stack:
        ledger = stack.enter_context(closing(Ledger(Path(config["ledger"]), config.get("order_seconds", 0))))
        engine = stack.enter_context(
            xs2a.Engine(
                CoreBank(ledger),
                database=database,
                trust_anchors=Path(config["trust_anchors"]).read_text(encoding="utf-8"),
                policy=policy,
                response_key=reload.read_seal(config["seal"]) if "seal" in config else None,
                revocation=Revocation(config["revoked"]) if "revoked" in config else None,
            )
        )
        if "register" in config:  # before the first request of a TPP
            reload.replace_register(engine, config["register"])
        upkeep = Upkeep(engine) if config.get("upkeep", True) else None
        if upkeep is not None:
            stack.callback(upkeep.stop)
        of_operators = Operators(engine, ledger, upkeep)
        operators_port = config.get("operators_port", 8081)
        operators = Server(config["address"], operators_port, of_operators, OPERATORS_BODY_BYTES_MAX)
        stack.callback(operators.stop, STOP_SECONDS_MAX)
        public = Public(engine, upkeep, policy.get("base_path", ""), body_bytes_max)
        server = Server(config["address"], config.get("port", 8080), public, body_bytes_max)
        stack.callback(server.stop, STOP_SECONDS_MAX)
        stack.callback(of_operators.stop)
        operators.start()
        server.start()
        print(f"listening at {server.server_port}, for operators at {operators.server_port}", flush=True)
        while (came := signal.sigwait(SIGNALS)) == signal.SIGHUP:
            reload.reload(engine, config_path)
        log.info("signal %d: no new connections", came)


def main() -> int:
    if len(sys.argv) != 3:
        print("usage: serve_gateway.py CONFIG DATABASE", file=sys.stderr)
        return 2
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[lines])
    # Every thread that comes inherits this: the signals wait for sigwait().
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        serve(sys.argv[1], sys.argv[2])
    except (
        AttributeError,
        ImportError,
        KeyError,
        TypeError,
        ValueError,
        OverflowError,
        OSError,
        RuntimeError,  # of a token
        xs2a.Error,
    ) as error:
        log.error("the gateway cannot be: %s: %s", type(error).__name__, error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
