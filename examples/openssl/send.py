"""Sends one request to a sandbox in a file: send.py DATABASE NOW TRUSTED METHOD TARGET HEADERS BODY."""

import sys
from pathlib import Path

import xs2a

database, now, trusted, method, target, headers, body = sys.argv[1:]
fields = [line.split(": ", 1) for line in Path(headers).read_text(encoding="utf-8").splitlines()]
with xs2a.Sandbox(database, now=now, seed=1) as sandbox:
    sandbox.trust(Path(trusted).read_text(encoding="utf-8"))
    answer = sandbox.handle(
        method, target, [(name, value) for name, value in fields], Path(body).read_bytes()
    )
    print(answer.status, answer.reason or "-")
    print(answer.body.decode())
