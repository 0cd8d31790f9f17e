"""A bank's PSD2 gateway: WSGI, xs2a, and a toy core-banking behind it.

    python serve_gateway.py CONFIG DATABASE

CONFIG is a JSON file (examples/gateway/README.md), DATABASE an address such as
``sqlite:///var/lib/xs2a/gateway.db`` or ``postgresql:///gateway?host=/run/postgresql``. It says on standard
output where it listens, logs to standard error, and ends at SIGTERM when the requests under way are answered.
TLS is a proxy's in front of it.
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

import xs2a
from core_bank import CoreBank
from http_server import Server
from ledger import Ledger
from upkeep import Upkeep
from wsgi_app import Operators, Public

STOP_SECONDS_MAX = 10.0
BODY_BYTES_MAX = 1 << 20
SIGNALS = {signal.SIGTERM, signal.SIGINT}

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
        # The properties of a request are members of their own.
        line.update(getattr(record, "seen", {"message": record.getMessage()}))
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)


def serve(config: dict[str, Any], database: str) -> None:
    """Serves until a signal comes."""
    policy = config.get("policy", {})
    body_bytes_max = policy.get("body_bytes_max", BODY_BYTES_MAX)
    with ExitStack() as stack:
        ledger = stack.enter_context(closing(Ledger(Path(config["ledger"]))))
        engine = stack.enter_context(
            xs2a.Engine(
                CoreBank(ledger),
                database=database,
                trust_anchors=Path(config["trust_anchors"]).read_text(encoding="utf-8"),
                policy=policy,
            )
        )
        operators = Server(
            config["address"], config.get("operators_port", 8081), Operators(engine, ledger), 0
        )
        stack.callback(operators.stop, STOP_SECONDS_MAX)
        upkeep = Upkeep(engine) if config.get("upkeep", True) else None
        if upkeep is not None:
            stack.callback(upkeep.stop)
        public = Public(engine, upkeep, policy.get("base_path", ""), body_bytes_max)
        server = Server(config["address"], config.get("port", 8080), public, body_bytes_max)
        stack.callback(server.stop, STOP_SECONDS_MAX)
        operators.start()
        server.start()
        print(f"listening at {server.server_port}, for operators at {operators.server_port}", flush=True)
        log.info("signal %d: no new connections", signal.sigwait(SIGNALS))


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
        serve(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.argv[2])
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, OSError, xs2a.Error) as error:
        log.error("the gateway cannot be: %s: %s", type(error).__name__, error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
