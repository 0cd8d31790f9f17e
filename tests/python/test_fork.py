"""A process that was forked since uses no database of before; what lies in memory it has for itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")

# In an interpreter of its own: pytest's may have threads, and those do not survive a fork.
STORY = """
import os
import sys

import xs2a

path = sys.argv[1] or None
sandbox = xs2a.Sandbox(database=path, now="2026-09-01T10:00:00Z", seed=1)
sandbox.register_tpp("Before", roles=("AISP",))
before = sandbox.export_json()
child = os.fork()
if child == 0:
    ended = 1
    try:
        try:
            sandbox.export_json()
            sandbox.register_tpp("In the child", roles=("AISP",))
            printed = "nothing"
        except xs2a.StoreError as error:
            printed = str(error)
        sandbox.close()
        print(printed, flush=True)
        ended = 0
    finally:
        os._exit(ended)
_, ended = os.waitpid(child, 0)
assert ended == 0, ended
assert sandbox.export_json() == before
sandbox.register_tpp("After", roles=("AISP",))
sandbox.close()
"""


def error_in_the_child(path: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", STORY, path], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_file_is_used_by_the_process_alone_that_opened_it(tmp_path: Path) -> None:
    printed = error_in_the_child(str(tmp_path / "bank.db"))
    assert "opened in another process, before a fork" in printed, printed


def test_a_sandbox_in_memory_goes_on_in_both() -> None:
    assert error_in_the_child("") == "nothing"


AGAIN = """
import os
import sys

import xs2a

path, closes_first = sys.argv[1], sys.argv[2] == "closed"
sandbox = xs2a.Sandbox(path, now="2026-09-01T10:00:00Z", seed=1)
sandbox.register_tpp("Before", roles=("AISP",))
if closes_first:
    sandbox.close()
child = os.fork()
if child == 0:
    try:
        with xs2a.Sandbox(path) as again:
            again.register_tpp("In the child", roles=("AISP",))
        print("opened", flush=True)
    except xs2a.StoreError as error:
        print(error, flush=True)
    finally:
        os._exit(0)
os.waitpid(child, 0)
sandbox.close()
"""


def opened_again(path: Path, when: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", AGAIN, path, when], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_file_that_was_open_at_the_fork_is_not_opened_again(tmp_path: Path) -> None:
    """SQLite would take no lock in the child, and what it commits be lost when the parent closes."""
    assert "was open when this process was forked" in opened_again(tmp_path / "bank.db", "open")
    assert opened_again(tmp_path / "other.db", "closed") == "opened"


SIGNING = """
import os
import threading
import warnings

import xs2a

tpp = xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1).register_tpp("Acme Pay")


def sign():
    return tpp.sign("GET", "/v1/accounts", [("X-Request-ID", "4eba4445-1a4b-47b8-bdd5-4e56ef026b19")])


def sign_for_ever():
    while True:
        sign()


# Python 3.12 and later say so of each fork beside threads, which is what this is about.
warnings.simplefilter("ignore", DeprecationWarning)
expected = sign()
for _ in range(2):
    threading.Thread(target=sign_for_ever, daemon=True).start()
for _ in range(20):
    child = os.fork()
    if child == 0:
        os._exit(0 if sign() == expected else 1)
    _, ended = os.waitpid(child, 0)
    assert ended == 0, ended
"""


def test_a_key_that_was_signing_when_the_process_forked_signs_in_the_child() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SIGNING], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


SERVING = """
import http.client
import os
import warnings
from urllib.parse import urlsplit

import xs2a

warnings.simplefilter("ignore", DeprecationWarning)
with xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1) as sandbox:
    serving = sandbox.serve()
    connection = http.client.HTTPConnection(urlsplit(serving.__enter__()).netloc, timeout=10)
    for _ in range(2):
        connection.request("GET", "/v1/accounts")
        assert connection.getresponse().read()
        child = os.fork()
        if child == 0:
            serving.__exit__(None, None, None)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    serving.__exit__(None, None, None)
"""


def test_a_forked_process_that_leaves_a_server_leaves_its_clients_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SERVING], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
