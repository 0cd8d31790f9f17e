"""A bank, a register or a clock that calls the engine which asks it: it ends, on a small stack too."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from gateway import gateway
from toy_bank import ToyBank

SMALL = 512 << 10
"""The stack of a thread that is not the first, on some systems."""
DEEPEST = 4
ACCOUNTS = "/v1/accounts"


class Recursive:
    """Asks again, as often as `left` says."""

    def __init__(self) -> None:
        self.again: Callable[[], object] = lambda: None
        self.left = 0

    def ask(self) -> None:
        if self.left:
            self.left -= 1
            self.again()


class Bank(ToyBank):
    """Calls the engine where it is asked for accounts."""

    def __init__(self) -> None:
        super().__init__()
        self.recursive = Recursive()

    def accounts(self, *, psu: Any) -> Any:
        self.recursive.ask()
        return super().accounts(psu=psu)


def on_a_small_stack(call: Callable[[], Any]) -> Any:
    answers: list[Any] = []
    before = threading.stack_size(SMALL)
    try:
        thread = threading.Thread(target=lambda: answers.append(call()))
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    return answers[0]


def test_a_bank_is_asked_four_deep_and_no_deeper(caplog: pytest.LogCaptureFixture) -> None:
    with gateway(Bank()) as own:
        own.approve(own.create())
        known = {"PSU_ID": own.consent()["psu-id"], "PSU_Context": "", "TPP_Session_ID": "session-1"}
        recursive = own.bank.recursive
        recursive.again = lambda: own.call("GET", ACCOUNTS, **known)
        for _ in range(2):
            recursive.left = DEEPEST - 1
            assert on_a_small_stack(lambda: own.call("GET", ACCOUNTS, **known)).status == 200
            assert not logged(caplog)
            recursive.left = DEEPEST
            refused = on_a_small_stack(lambda: own.call("GET", ACCOUNTS, **known))
            assert (refused.status, refused.reason) == (500, "SYS-02")
            assert logged(caplog) == {"the bank's `accounts` failed: RecursionError"}
            caplog.clear()


def test_a_register_is_asked_four_deep_and_no_deeper(caplog: pytest.LogCaptureFixture) -> None:
    recursive = Recursive()

    def is_registered(_organisation_id: str) -> bool:
        recursive.ask()
        return True

    with gateway(registry=is_registered) as own:
        recursive.again = lambda: own.call("GET", ACCOUNTS)
        recursive.left = DEEPEST - 1
        assert on_a_small_stack(lambda: own.call("GET", ACCOUNTS)).status == 401
        assert not logged(caplog)
        # The innermost that is asked has no answer; those around it go on.
        recursive.left = DEEPEST
        assert on_a_small_stack(lambda: own.call("GET", ACCOUNTS)).status == 401
        assert logged(caplog) == {"the register failed: RecursionError"}


def test_a_clock_is_asked_four_deep_and_no_deeper() -> None:
    recursive = Recursive()

    def clock() -> datetime:
        recursive.ask()
        return datetime.now().astimezone()

    with gateway(clock=clock) as own:
        recursive.again = lambda: own.engine.handle("GET", ACCOUNTS, [])
        recursive.left = DEEPEST - 1
        assert on_a_small_stack(lambda: own.engine.handle("GET", ACCOUNTS, [])).status == 400
        recursive.left = 1000

        def raises() -> bool:
            with pytest.raises(RecursionError):
                own.engine.handle("GET", ACCOUNTS, [])
            return True

        assert on_a_small_stack(raises)
        assert recursive.left == 1000 - DEEPEST


def logged(caplog: pytest.LogCaptureFixture) -> set[str]:
    """The first lines of what is in the log of the bank."""
    of_the_bank = [record for record in caplog.records if record.name == "xs2a.bank"]
    errors = [record for record in of_the_bank if record.levelno == logging.ERROR]
    return {record.getMessage().split("\n")[0] for record in errors}
