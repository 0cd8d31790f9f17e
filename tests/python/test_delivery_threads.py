"""Several threads deliver one burst of orders."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import xs2a
from gateway import authorisation_id, gateway, payment
from toy_bank import KARI, ToyBank

THREADS = 8


class BankOfThreads(ToyBank):
    """Answers when it is asked about eight orders at the same time; fails if that does not happen."""

    def __init__(self) -> None:
        super().__init__()
        self.all_ask = threading.Barrier(THREADS, timeout=60)

    def submit_payment(self, **question: Any) -> dict[str, Any]:
        self.all_ask.wait()
        return super().submit_payment(**question)


@pytest.mark.parametrize("stored", ["memory", "file"])
def test_eight_threads_share_sixteen_orders(stored: str, tmp_path: Path) -> None:
    database = "sqlite::memory:" if stored == "memory" else f"sqlite://{tmp_path / 'bank.db'}"
    with gateway(bank=BankOfThreads(), database=database) as own:
        for number in range(2 * THREADS):
            created = own.create(body=payment(f"{number + 1}.00"))
            own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)
        with ThreadPoolExecutor(THREADS) as pool:
            reports = list(pool.map(lambda _: own.engine.run_due(), range(THREADS)))
        assert [report.submitted for report in reports] == [2] * THREADS
        assert all(isinstance(report, xs2a.RunReport) for report in reports)
