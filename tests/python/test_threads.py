"""Any function may be called from any thread, and the interpreter is released during calls."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import payment_journey as journey
import pytest
import xs2a


def test_other_threads_run_while_a_call_does() -> None:
    body, span, ticks, done = bytes(300_000_000), [0.0, 0.0], [], threading.Event()

    def work() -> None:
        span[0] = time.perf_counter()
        xs2a.digest(body, "SHA-512")
        span[1] = time.perf_counter()
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        ticks.append(time.perf_counter())
        time.sleep(0.001)
    thread.join()
    tenth = (span[1] - span[0]) / 10
    assert [tick for tick in ticks if span[0] + tenth < tick < span[1] - tenth]


def test_threads_share_one_sandbox(sandbox: xs2a.Sandbox) -> None:
    before = Decimal(journey.balance(sandbox, journey.PAYER))

    def pay(number: int) -> str:
        tpp = sandbox.register_tpp(f"Acme {number}")
        path, link = journey.created(sandbox, tpp, amount=f"{number}.00")
        sandbox.authorise(link, customer_number=journey.PAYER)
        assert journey.status(sandbox, tpp, path) == "ACSC"
        return path

    with ThreadPoolExecutor(8) as pool:
        paths = list(pool.map(pay, range(1, 25)))
    assert len(set(paths)) == 24
    assert Decimal(journey.balance(sandbox, journey.PAYER)) == before - sum(range(1, 25))


def test_one_request_sent_by_many_threads_counts_once(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    target = f"{journey.created(sandbox, tpp)[0]}/status"
    signed = tpp.sign("GET", target, journey.HEADERS)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: sandbox.handle("GET", target, signed).status, range(16)))
    assert sorted(answers) == [200] + [400] * 15


def test_closing_lets_the_calls_under_way_end(tpp: xs2a.Tpp, sandbox: xs2a.Sandbox) -> None:
    outcomes: list[str] = []

    def call_until_closed() -> None:
        while True:
            try:
                assert sandbox.handle("GET", "/v1/x", []).status == 404
            except xs2a.MisuseError as error:
                outcomes.append(str(error))
                return

    threads = [threading.Thread(target=call_until_closed) for _ in range(4)]
    for thread in threads:
        thread.start()
    sandbox.close()
    for thread in threads:
        thread.join(timeout=30)
    assert len(outcomes) == 4
    with pytest.raises(xs2a.MisuseError):
        tpp.sign("GET", "/v1/x")
