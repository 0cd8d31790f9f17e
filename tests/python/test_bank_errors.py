"""The text with which a bank says why it has no answer."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import xs2a
from gateway import authorisation_id, gateway
from toy_bank import KARI, ToyBank


class ClosedBank(ToyBank):
    """A bank that takes no payments while its core is closed."""

    def __init__(self, why: xs2a.BankError) -> None:
        super().__init__()
        self.why = why
        self.is_closed = False

    def debtor_account(self, **asked: Any) -> Any:
        if self.is_closed:
            raise self.why
        return super().debtor_account(**asked)

    def submit_payment(self, **asked: Any) -> Any:
        if self.is_closed:
            raise self.why
        return super().submit_payment(**asked)


class CoreIsClosed(xs2a.BankError):
    """As a bank may derive its own."""


@pytest.mark.parametrize("kind", [xs2a.BankError, CoreIsClosed])
def test_the_text_of_a_bank_error_reaches_log_and_host(
    kind: type[xs2a.BankError], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    long = "closed " + "x" * 400

    bank = ClosedBank(kind(long))
    with gateway(bank) as own:
        created = own.create()
        bank.is_closed = True
        with pytest.raises(xs2a.BankError) as failed:
            own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)
        assert str(failed.value) == f"debtor_account: {long[:400]}"
        bank.is_closed = False
        own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)
        bank.is_closed = True
        assert own.engine.run_due() == xs2a.RunReport(failed=1)
    logged = [record.fields["error"] for record in caplog.records if hasattr(record, "fields")]
    assert logged == [f"bank: {method}: {long[:400]}" for method in ("debtor_account", "submit_payment")]
