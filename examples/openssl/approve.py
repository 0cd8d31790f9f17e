"""Approves the payment of an answer: approve.py DATABASE ANSWER."""

import json
import sys
from pathlib import Path

import xs2a

database, answer = sys.argv[1:]
created = json.loads(Path(answer).read_text(encoding="utf-8").splitlines()[1])
with xs2a.Sandbox(database, seed=1) as sandbox:
    link = created["_links"]["scaRedirect"]["href"]
    print(link)
    print(sandbox.authorise(link, customer_number="13039319955"))
