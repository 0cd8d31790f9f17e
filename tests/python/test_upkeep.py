"""What an operator of an engine handles: dead letters, the audit, the log, the bank's seal."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
import xs2a
from gateway import Gateway, authorisation_id, gateway
from payment_journey import INSTANT
from toy_bank import KARI, ToyBank

NOW = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)
LATER = NOW + timedelta(minutes=1)


class Nonsense(ToyBank):
    """Reports a payment that it takes as new, until it is well."""

    is_well = False

    def submit_payment(self, *, payment_id: str, **asked: Any) -> dict[str, Any]:
        if self.is_well:
            return super().submit_payment(payment_id=payment_id, **asked)
        return {"paymentId": payment_id, "transactionStatus": "RCVD"}


class Ending(ToyBank):
    """Does something at the second payment."""

    end: Callable[[], None] = staticmethod(lambda: None)
    turns = 0

    def submit_payment(self, *, payment_id: str, **asked: Any) -> dict[str, Any]:
        self.turns += 1
        if self.turns == 2:
            self.end()
        return super().submit_payment(payment_id=payment_id, **asked)


def order(own: Gateway, count: int) -> None:
    for _ in range(count):
        created = own.create(f"{INSTANT}?allowLogicalDuplicate=true")
        own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_a_run_whose_bank_is_interrupted_ends_and_the_rest_stays_due(stop: type[BaseException]) -> None:
    def interrupted() -> None:
        raise stop

    bank = Ending()
    with gateway(bank) as own:
        order(own, 5)
        bank.end = interrupted
        with pytest.raises(stop):
            own.engine.run_due()
        assert bank.turns == 2
        assert own.engine.next_due() == NOW
        assert own.engine.run_due() == xs2a.RunReport(submitted=3)


def test_a_run_whose_engine_is_closed_ends_after_the_payment_it_is_at() -> None:
    bank = Ending()
    with gateway(bank) as own:
        order(own, 5)
        bank.end = own.engine.close
        assert own.engine.run_due() == xs2a.RunReport(submitted=2)
        assert bank.turns == 2


def test_an_impossible_order_becomes_a_dead_letter_and_is_retried(caplog: pytest.LogCaptureFixture) -> None:
    bank = Nonsense()
    with gateway(bank) as own:
        assert own.engine.dead_letters() == []
        created = own.create()
        own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)
        assert own.engine.run_due() == xs2a.RunReport(dead_letters=1)
        assert own.engine.next_due() is None
        (order,) = own.engine.dead_letters()
        assert (order.payment_id, order.attempts, order.since) == (created["paymentId"], 1, NOW)
        assert "RCVD" in order.why
        assert own.status(created) == "PDNG"
        bank.is_well = True
        own.engine.retry_order(order.payment_id)
        for unknown in (order.payment_id, "none"):
            with pytest.raises(xs2a.MisuseError):
                own.engine.retry_order(unknown)
        assert own.engine.run_due() == xs2a.RunReport(submitted=1)
        assert own.status(created) == "ACSC"
    (logged,) = [record for record in caplog.records if record.name == "xs2a.engine.deliver"]
    assert logged.levelno == logging.ERROR
    assert "dead letter" in logged.getMessage()


def test_a_payment_that_came_to_its_end_is_withdrawn_or_settled() -> None:
    with gateway(Nonsense()) as own:
        created = own.create()
        own.approve(created)
        own.engine.report_payment_status(created["paymentId"], "ACSC", True)
        assert own.engine.dead_letters() == []


def test_the_audit_is_read_line_by_line() -> None:
    with gateway() as own:
        created = own.create()
        own.approve(created)
        lines = list(own.engine.audit(NOW, LATER))
        events = [line["event"] for line in lines]
        assert events[0] == "payment.created"
        assert "payment.status" in events
        assert {line["at"] for line in lines} == {"2026-09-01T10:00:00.000000Z"}
        assert lines[0]["id"] == created["paymentId"]
        assert list(own.engine.audit("2026-09-01T09:00:00Z", NOW)) == []
        assert list(own.engine.audit(LATER, NOW)) == []
        with pytest.raises(xs2a.MisuseError):
            own.engine.audit(datetime(2026, 9, 1), LATER)  # noqa: DTZ001
        unread = own.engine.audit(NOW, LATER)
        assert next(unread) == lines[0]
        own.engine.close()
        with pytest.raises(xs2a.MisuseError, match="closed"):
            list(unread)


def test_the_engine_logs_to_python(caplog: pytest.LogCaptureFixture) -> None:
    def fails(_organisation_id: str) -> bool:
        raise OSError("the register is away")

    with gateway(registry=fails) as own:
        assert own.call("POST", "/v1/bank-offered-consents", PSU_Context="").status == 500
    logged = [record for record in caplog.records if record.name.startswith("xs2a.pipeline")]
    assert [record.levelno for record in logged] == [logging.ERROR]
    assert "registry" in logged[0].getMessage()


def test_a_log_that_fails_spoils_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fails(logging.Filter):
        def filter(self, record: logging.LogRecord) -> bool:
            raise OSError(record.name)

    def away(_organisation_id: str) -> bool:
        raise OSError("the register is away")

    seen: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda logged: seen.append(str(logged.exc_value)))
    log, fails = logging.getLogger("xs2a.pipeline.stages.respond"), Fails()
    log.addFilter(fails)
    try:
        with gateway(registry=away) as own:
            assert own.call("POST", "/v1/bank-offered-consents", PSU_Context="").status == 500
    finally:
        log.removeFilter(fails)
    assert seen == ["xs2a.pipeline.stages.respond"]


def test_answers_are_signed_with_the_banks_key() -> None:
    with xs2a.Sandbox(now=NOW, seed=3) as pki:
        seal = pki.register_tpp("The bank")
        other = pki.register_tpp("Another")
        pair = (seal.certificate_pem, seal.private_key_pem)
        with gateway(response_key=pair, policy={"sign_responses": True}) as own:
            answer = own.call("GET", "/v1/accounts")
            found = xs2a.verify_response(answer.headers, answer.body, now=NOW, trust_anchors=pki.root_pem)
            assert found.ok, found
            assert found.certificate is not None
            assert found.certificate.organisation_id == seal.organisation_id
        with gateway(response_key=list(pair)):
            """As JSON has it."""
        for parts in [(), pair[:1], (*pair, "more")]:
            with pytest.raises(xs2a.ConfigError, match="response_key"), gateway(response_key=parts):
                pass
        for kind in (pair[0], dict([pair])):
            with pytest.raises(TypeError, match="response_key"), gateway(response_key=kind):
                pass
        secret = other.private_key_pem
        for wrong in [(seal.certificate_pem, secret), (seal.certificate_pem, "no key"), ("none", secret)]:
            with (
                pytest.raises(xs2a.ConfigError, match="response key") as refused,
                gateway(response_key=wrong),
            ):
                pass
            assert secret[100:140] not in str(refused.value)
        with (
            pytest.raises(xs2a.ConfigError, match="sign_responses"),
            gateway(policy={"sign_responses": True}),
        ):
            pass


def test_the_site_gets_the_brand_that_the_tpp_uses() -> None:
    with gateway() as own:
        for brand in ("Acme for all", ""):
            created = own.create(f"{INSTANT}?allowLogicalDuplicate=true", TPP_Brand_Logging_Information=brand)
            shown = own.engine.authorisation(authorisation_id(created))
            assert shown is not None
            assert shown.get("brand", "") == brand


@pytest.mark.parametrize(("lease", "times_asked"), [(None, 1), (60, 1), (0, 2)])
def test_an_order_in_progress_is_claimed_for_the_configured_time(lease: int | None, times_asked: int) -> None:
    class Slow(ToyBank):
        """Takes so long for an order that another run looks for work."""

        engine: xs2a.Engine

        def submit_payment(self, **asked: Any) -> dict[str, Any]:
            if "submit_payment" not in self.asked:
                self.asked.append("submit_payment")
                self.engine.run_due()
            return super().submit_payment(**asked)

    bank = Slow()
    with gateway(bank, order_lease_seconds=lease) as own:
        bank.engine = own.engine
        created = own.create()
        own.approve(created)
        assert bank.asked.count("submit_payment") == 1 + times_asked
        assert own.status(created) == "ACSC"
