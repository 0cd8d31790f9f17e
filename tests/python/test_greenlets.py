"""Greenlets, as gevent has them: while one waits for what it was asked, no other of its thread calls."""

from __future__ import annotations

import logging
import threading
from typing import Any

import pytest
import xs2a
from gateway import Gateway, gateway, payment
from greenlet import getcurrent, greenlet
from payment_journey import INSTANT
from toy_bank import ToyBank


class GivingWay(ToyBank):
    """Its core is behind a network: the calling greenlet yields until it has answered."""

    def kid_agreement(self, *, bban: str) -> Any:
        parent = getcurrent().parent
        if parent is not None:
            parent.switch("asked")
        return super().kid_agreement(bban=bban)


def create(gate: Gateway, amount: str) -> int:
    answer = gate.call("POST", INSTANT, payment(amount))
    assert answer.status == 201, (answer.reason, answer.json())
    return answer.status


def test_another_greenlet_is_refused_and_nothing_else_is_disturbed() -> None:
    with gateway(GivingWay()) as gate:
        waiting = greenlet(lambda: create(gate, "1.00"))
        assert waiting.switch() == "asked"
        for _ in range(2):
            with pytest.raises(xs2a.MisuseError, match="greenlet"):
                create(gate, "2.00")
        other = greenlet(lambda: create(gate, "3.00"))
        with pytest.raises(xs2a.MisuseError, match="greenlet"):
            other.switch()
        assert xs2a.kid_is_valid("1234567897")

        served = []
        thread = threading.Thread(target=lambda: served.append(create(gate, "4.00")))
        thread.start()
        thread.join()
        assert served == [201]

        assert waiting.switch() == 201
        assert create(gate, "5.00") == 201


def test_a_log_handler_that_gives_way_is_no_exception() -> None:
    class GivesWay(logging.Handler):
        def emit(self, _record: logging.LogRecord) -> None:
            parent = getcurrent().parent
            if parent is not None:
                parent.switch("logging")

    class Away(ToyBank):
        def kid_agreement(self, *, bban: str) -> Any:
            raise ConnectionError(bban)

    log, handler = logging.getLogger("xs2a"), GivesWay()
    log.addHandler(handler)
    try:
        with gateway(Away()) as gate:
            waiting = greenlet(lambda: gate.call("POST", INSTANT, payment("1.00")).status)
            assert waiting.switch() == "logging"
            with pytest.raises(xs2a.MisuseError, match="greenlet"):
                gate.call("POST", INSTANT, payment("2.00"))
            while not waiting.dead:
                answered = waiting.switch()
            assert answered == 500
    finally:
        log.removeHandler(handler)


def test_a_bank_may_call_its_engine_in_the_greenlet_that_asked() -> None:
    class Calling(ToyBank):
        def kid_agreement(self, *, bban: str) -> Any:
            gate.engine.next_due()
            return super().kid_agreement(bban=bban)

    with gateway(Calling()) as gate:
        assert greenlet(lambda: create(gate, "1.00")).switch() == 201
