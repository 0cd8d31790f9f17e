"""Several threads deliver one burst of orders."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import xs2a
from gateway import authorisation_id, gateway, payment
from toy_bank import KARI, ToyBank

THREADS = 8


class SlowBank(ToyBank):
    """Needs 0.3 s for an order."""

    def __init__(self) -> None:
        super().__init__()
        self.counting = threading.Lock()
        self.now = self.most = 0

    def submit_payment(self, **question: Any) -> dict[str, Any]:
        with self.counting:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(0.3)
        with self.counting:
            self.now -= 1
        return super().submit_payment(**question)


@pytest.mark.parametrize("stored", ["memory", "file"])
def test_eight_threads_share_sixteen_orders(stored: str, tmp_path: Path) -> None:
    database = "sqlite::memory:" if stored == "memory" else f"sqlite://{tmp_path / 'bank.db'}"
    bank = SlowBank()
    with gateway(bank=bank, database=database) as own:
        for number in range(16):
            created = own.create(body=payment(f"{number + 1}.00"))
            own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)
        begun = time.monotonic()
        with ThreadPoolExecutor(THREADS) as pool:
            reports = list(pool.map(lambda _: own.engine.run_due(), range(THREADS)))
        taken = time.monotonic() - begun
        assert sum(report.submitted for report in reports) == 16
        assert all(isinstance(report, xs2a.RunReport) for report in reports)
        assert bank.most == THREADS
        # One thread alone needs 4.8 s. The rest is for a machine that does something else too.
        assert taken < 2.4, taken
