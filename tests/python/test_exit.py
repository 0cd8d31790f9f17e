"""The interpreter ends while daemon threads are within the library: the process ends in order."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

THREADS = """
import threading, time

def in_threads(work, count=3):
    def loop():
        while True:
            work()
    for _ in range(count):
        threading.Thread(target=loop, daemon=True).start()
    time.sleep(0.2)
"""

SANDBOX = """
import xs2a
sandbox = xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1)
in_threads(lambda: sandbox.handle("GET", "/v1/accounts", [], b""))
"""

VALUES = """
import xs2a
sandbox = xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1)
sandbox.faults.add("NOT_FOUND", when=lambda call: len(call.headers) > 20)
tpp = sandbox.register_tpp("Acme Pay")
given = [("TPP-Redirect-URI", "https://tpp.example/callback")]

def work():
    sandbox.handle("GET", "/v1/accounts", tpp.sign("GET", "/v1/accounts", given)).json()
    sandbox.policy, sandbox.clock.now(), list(sandbox.journal[-2:])

in_threads(work)
"""

BANK = """
import logging, sys
from gateway import gateway

logging.getLogger("xs2a").setLevel(logging.DEBUG)
logging.getLogger("xs2a").addHandler(logging.FileHandler(sys.argv[1]))
kept = gateway()
own = kept.__enter__()

def work():
    own.approve(own.create("/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true"))

in_threads(work)
"""

# No client leaves `serve`, and each keeps its connection open.
SERVED = """
import http.client
from urllib.parse import urlsplit
import xs2a

sandbox = xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1)
serving = sandbox.serve()
address = urlsplit(serving.__enter__()).netloc

def asked(connection):
    connection.request("GET", "/v1/accounts")
    connection.getresponse().read()
    return connection
"""

SERVED_BUSY = (
    SERVED
    + """
def work(own=threading.local()):
    own.connection = asked(getattr(own, "connection", None) or http.client.HTTPConnection(address))

in_threads(work)
"""
)

SERVED_IDLE = SERVED + "kept = asked(http.client.HTTPConnection(address))\n"

SLOW_BANK = """
from gateway import gateway
from toy_bank import ToyBank

entered = threading.Event()

class Slow(ToyBank):
    def kid_agreement(self, *, bban):
        entered.set()
        time.sleep(3600)

kept = gateway(Slow())
own = kept.__enter__()
in_threads(own.create, 1)
assert entered.wait(60)
"""

# Handlers run in the opposite order of their registration: this one when that of the library has run already.
AWAITED = """
import atexit

go_on = True

def stop():
    global go_on
    go_on = False
    time.sleep(0.1)
    thread.join()
    print("joined", flush=True)

atexit.register(stop)
import xs2a
sandbox = xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1)

def work():
    while go_on:
        sandbox.handle("GET", "/v1/accounts", [], b"")

thread = threading.Thread(target=work, daemon=True)
thread.start()
time.sleep(0.2)
"""


# The handler runs when that of the library has run already.
FORKED = """
import atexit, os, sys, warnings

began = None
atexit.register(lambda: began is None or print(time.monotonic() - began))
import xs2a
sandbox = xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1)
tpp, asked = sandbox.register_tpp("Acme Pay"), threading.Event()
headers = tpp.sign("GET", "/v1/accounts", [("TPP-Redirect-URI", "https://tpp.example/callback")])

def when(_call):
    asked.set()
    time.sleep(3600)

sandbox.faults.add("CONFLICT", when=when)
in_threads(lambda: sandbox.handle("GET", "/v1/accounts", headers), 1)
assert asked.wait(60)
warnings.simplefilter("ignore", DeprecationWarning)
child = os.fork()
if child == 0:
    began = time.monotonic()
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


def ended(story: str, *arguments: str) -> str:
    """What it printed."""
    tests = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", THREADS + story, *arguments],
        env={**os.environ, "PYTHONPATH": tests},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert not done.stderr, done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("run", range(4))
@pytest.mark.parametrize(
    "story", [SANDBOX, VALUES, BANK, SERVED_BUSY], ids=["sandbox", "values", "bank", "served"]
)
def test_threads_that_go_on_calling_do_not_bring_the_process_down(
    tmp_path: Path, story: str, run: int
) -> None:
    ended(story, str(tmp_path / "log.txt"))


def test_the_end_does_not_wait_long_for_a_bank_that_does_not_answer() -> None:
    began = time.monotonic()
    ended(SLOW_BANK)
    assert time.monotonic() - began < 30


def test_the_exit_does_not_wait_for_clients_of_a_served_bank() -> None:
    began = time.monotonic()
    ended(SERVED_IDLE)
    assert time.monotonic() - began < 15


def test_a_handler_at_exit_may_wait_for_a_thread_that_calls() -> None:
    assert ended(AWAITED) == "joined\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_does_not_wait_for_the_threads_of_its_parent() -> None:
    assert float(ended(FORKED)) < 0.9
