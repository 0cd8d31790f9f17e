"""Runs a file of pytest tests, each with a bank of its own, and takes the time.

`xs2a`: the fixtures of the plugin, a fork for each test. `fake`: a fake bank as a team would write one, a few
dictionaries without a signature in sight, set back after each test as moto is. `fork`: no pytest, the fork
alone. Orders come by line; see bench/src/interface.rs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import xs2a
from turns import NOW, ORDER

WITH_XS2A = """
import pytest

TARGET = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
ORDER = {order}

@pytest.mark.parametrize("number", range({count}))
def test_a_payment_is_made(xs2a_sandbox, xs2a_client, number):
    created = xs2a_client.post(TARGET, json=ORDER).json()
    xs2a_sandbox.authorise(created["_links"]["scaRedirect"]["href"], customer_number="13039319955")
    status = xs2a_client.get(created["_links"]["status"]["href"]).json()
    assert status["transactionStatus"] == "ACSC"
"""

WITH_FAKE = """
import sys
import pytest

sys.path.insert(0, {bench!r})
import fake_bank

TARGET = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
ORDER = {order}
BANK = fake_bank.Bank()

@pytest.fixture
def bank():
    yield BANK
    BANK.reset()

@pytest.mark.parametrize("number", range({count}))
def test_a_payment_is_made(bank, number):
    created = bank.post(TARGET, ORDER)
    bank.authorise(created["_links"]["scaRedirect"]["href"], "13039319955")
    assert bank.get(created["_links"]["status"]["href"])["transactionStatus"] == "ACSC"
"""


def run_tests(folder: Path, source: str, count: int, *options: str) -> None:
    """One run of pytest over that many tests."""
    bench = str(Path(__file__).parent)
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_payments.py").write_text(source.format(order=ORDER, count=count, bench=bench))
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(folder)]
    done = subprocess.run(run, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)


def fork(sandbox: xs2a.Sandbox, count: int) -> None:
    """What the fixture does for each test."""
    for _ in range(count):
        with sandbox.fork():
            pass


def take_turns(work: Callable[[int], None]) -> None:
    """Executes the orders of its input lines and prints how many nanoseconds each took."""
    count = 0
    for line in sys.stdin:
        order = line.split()
        if order[0] == "prepare":
            count = int(order[1])
            print("ready", flush=True)
            continue
        start = time.perf_counter_ns()
        work(count)
        print(time.perf_counter_ns() - start, flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, xs2a.Sandbox(now=NOW, seed=1) as sandbox:
        sandbox.register_tpp("Acme Pay")
        tests = int(os.environ.get("XS2A_BENCH_TESTS", "1"))
        take_turns(
            {
                "xs2a": lambda _: run_tests(Path(folder), WITH_XS2A, tests),
                "fake": lambda _: run_tests(Path(folder), WITH_FAKE, tests, "-p", "no:xs2a"),
                "fork": lambda count: fork(sandbox, count),
            }[sys.argv[1]]
        )


if __name__ == "__main__":
    main()
