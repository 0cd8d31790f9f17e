"""The record of a call beside its answer, and the ids that follow it to bank, log and audit."""

from __future__ import annotations

import json
import logging
import time
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
import xs2a
from gateway import Gateway, gateway, payment
from payment_journey import HEADERS, INSTANT
from toy_bank import ToyBank

NOW = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
PAUSE = 0.05


class Noting(ToyBank):
    """Keeps the ids that it sees, and takes its time."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[dict[str, str]] = []
        self.is_well = True

    def fee(self, *, product: str, order: dict[str, Any]) -> dict[str, Any]:
        self.seen.append(xs2a.current_call())
        time.sleep(PAUSE)
        if not self.is_well:
            raise OSError("the line is dead")
        return super().fee(product=product, order=order)


def create(own: Gateway, trace: str | None = None, correlation_id: str | None = None) -> xs2a.Response:
    target = f"{INSTANT}?allowLogicalDuplicate=true"
    raw = json.dumps(payment()).encode()
    headers = [*HEADERS, *([] if trace is None else [("traceparent", trace)])]
    signed = own.tpp.sign("POST", target, headers, raw)
    return own.engine.handle("POST", target, signed, raw, correlation_id=correlation_id)


def test_an_answer_has_the_record_of_its_call() -> None:
    with gateway(Noting()) as own:
        answer = create(own)
        assert (answer.status, answer.operation, answer.tpp) == (
            201,
            "createPayment",
            own.tpp.organisation_id,
        )
        assert (answer.tpp_name, set(answer.roles)) == ("Acme Pay", {"PSP_AI", "PSP_PI"})
        assert set(answer.timing) == {"total", "bank", "store"}
        assert answer.timing["bank"] >= PAUSE * 1e6
        assert answer.timing["total"] >= answer.timing["bank"] + answer.timing["store"] > 0


def test_of_an_unknown_caller_the_record_has_the_operation_alone() -> None:
    with gateway() as own:
        answer = own.engine.handle("GET", "/v1/accounts", {})
        assert (answer.operation, answer.tpp, answer.tpp_name, answer.roles) == (
            "getAccounts",
            None,
            None,
            (),
        )
        assert own.engine.handle("GET", "/v1/nowhere", {}).operation is None


def test_the_ids_of_a_call_follow_it_to_bank_log_and_audit(caplog: pytest.LogCaptureFixture) -> None:
    bank = Noting()
    with gateway(bank) as own, caplog.at_level(logging.ERROR, "xs2a"):
        create(own, TRACE, "gateway-7")
        create(own)
        assert bank.seen == [{"traceparent": TRACE, "correlation_id": "gateway-7"}, {}]
        assert xs2a.current_call() == {}
        first, _, third, _ = (line["details"] for line in own.engine.audit(NOW, NOW + timedelta(minutes=1)))
        assert (first["traceparent"], first["correlationId"]) == (TRACE, "gateway-7")
        assert "traceparent" not in third
        bank.is_well = False
        assert create(own, TRACE, "gateway-8").status == 500
    (record,) = (record for record in caplog.records if record.name == "xs2a.pipeline.stages.respond")
    assert record.event == "a request could not be processed"  # type: ignore[attr-defined]
    fields = record.fields  # type: ignore[attr-defined]
    assert (fields["operation"], fields["traceparent"], fields["correlation_id"]) == (
        "createPayment",
        TRACE,
        "gateway-8",
    )
    lines = [record.getMessage() for record in caplog.records]
    assert any(line.endswith(f' traceparent="{TRACE}" correlation_id="gateway-8"') for line in lines), lines


@pytest.mark.parametrize("wrong", ["", "a b", "a\nb", "å", "x" * 65])
def test_another_text_is_no_correlation_id(wrong: str, sandbox: xs2a.Sandbox) -> None:
    with gateway() as own:
        for handle in (own.engine.handle, sandbox.handle):
            with pytest.raises(xs2a.MisuseError, match="1 to 64 visible ASCII"):
                handle("GET", "/v1/accounts", {}, correlation_id=wrong)
            assert handle("GET", "/v1/accounts", {}, correlation_id="x" * 64).status == 400
