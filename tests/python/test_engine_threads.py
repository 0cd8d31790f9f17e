"""Eight threads on one engine over one bank: no deadlock, no order lost, none carried out twice."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from gateway import gateway, payment
from toy_bank import KARIS, OLAS, ToyBank

THREADS, EACH = 8, 5


class Meeting(ToyBank):
    """Two threads are in the bank at once; otherwise both would wait."""

    def __init__(self) -> None:
        super().__init__()
        self.barrier = threading.Barrier(2, timeout=60)

    def kid_agreement(self, *, bban: str) -> dict[str, object] | None:
        self.barrier.wait()
        return super().kid_agreement(bban=bban)


def test_the_bank_is_asked_by_several_threads_at_once() -> None:
    with gateway(Meeting()) as own, ThreadPoolExecutor(2) as pool:
        bodies = [payment(f"{number}.00") for number in (1, 2)]
        assert len(list(pool.map(lambda body: own.create(body=body), bodies))) == 2


def test_eight_threads_pay_and_deliver() -> None:
    with gateway() as own:

        def work(thread: int) -> list[str]:
            statuses = []
            for number in range(EACH):
                text = f"payment {thread} {number}"
                created = own.create(body=payment("1.00", remittanceInformationUnstructured=text))
                own.approve(created)
                statuses.append(own.status(created))
            return statuses

        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(work, range(THREADS)))
        while own.engine.next_due() is not None:
            own.sandbox.clock.advance(timedelta(seconds=1))
            own.engine.run_due()
        assert own.bank.balance[OLAS] == THREADS * EACH
        assert len(own.bank.booked_on[KARIS]) == THREADS * EACH
