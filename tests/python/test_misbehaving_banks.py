"""A bank that does what it must not: SYSTEM_ERROR to the TPP, nothing is changed, and the next call works."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
import xs2a
from gateway import Gateway, authorisation_id, gateway, payment
from payment_journey import BATCHED, INSTANT
from toy_bank import KARI, ToyBank

DOMESTIC = "/v1/payments/norwegian-domestic-credit-transfers"
SECRET = "13039319955"


class Analyst(ToyBank):
    """The toy bank with a risk analysis."""

    def requires_sca(self, **_asked: Any) -> dict[str, Any]:
        return {"demand": "asRuled"}


class TroubledBank:
    """The toy bank, but for one method that misbehaves."""

    def __init__(self) -> None:
        self.well = Analyst()
        self.trouble: tuple[str, Callable[[Any], Any]] | None = None

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.well, name)
        if self.trouble is None or self.trouble[0] != name:
            return method
        spoil = self.trouble[1]
        return lambda **asked: spoil(method(**asked))


def raises(_answer: Any) -> Any:
    raise RuntimeError(f"the core is away: {SECRET}")


async def later() -> None:
    """What a method gives that is written with ``async``."""


def endless(answer: Any) -> Any:
    around: dict[str, Any] = dict(answer)
    around["surprise"] = around
    return around


def nested(depth: int) -> Any:
    value: Any = SECRET
    for _ in range(depth):
        value = [value]
    return value


def of_another(answer: Any) -> Any:
    """An answer to another question."""
    others = {
        "psu": {"person": "a person", "context": "PRIVATE"},
        "account": {"bban": "95360573099", "currency": "NOK"},
    }
    names = ("accountId", "cardAccountId", "account", "bban", "sourceCurrency", "paymentId", "person", "psu")
    for name in names:
        if name in answer:
            return {**answer, name: others.get(name, "USD" if "Currency" in name else "another")}
    raise AssertionError(answer)


SPOILT: dict[str, Callable[[Any], Any]] = {
    "raises": raises,
    "text": lambda _answer: "text",
    "number": lambda _answer: 1,
    "list": lambda _answer: [],
    "true": lambda _answer: True,
    "an empty object": lambda _answer: {},
    "one member more": lambda answer: {**answer, "surprise": 1},
    "17 MiB": lambda answer: {**answer, "surprise": "x" * (17 << 20)},
    "a lone surrogate": lambda answer: {**answer, "surprise": "\ud800"},
    "not a number": lambda answer: {**answer, "surprise": float("nan")},
    "what is not JSON": lambda _answer: object(),
    "a key that is no text": lambda answer: {**answer, (SECRET,): 1},
    "itself": endless,
    "100 000 lists": lambda answer: {**answer, "surprise": nested(100_000)},
    "a coroutine": lambda _answer: later(),
    "two coroutines": lambda answer: {**answer, "surprise": [later(), later()]},
    "an answer to another question": of_another,
    "none": lambda _answer: None,
}
NULLABLE = {
    "psu",
    "debtor_account",
    "kid_agreement",
    "rate",
    "requires_sca",
    "account",
    "transaction",
    "card_account",
}
REPEATS_NOTHING = {"psu", "fee", "requires_sca"}

Known = dict[str, str]
Scene = Callable[[Gateway, Known], Any]


def reading(target: str) -> Scene:
    def scene(own: Gateway, known: Known) -> xs2a.Response:
        return own.call("GET", target, **known)

    return scene


def approving(**keywords: str) -> Scene:
    def scene(own: Gateway, known: Known) -> Any:
        created = own.create(f"{INSTANT}?allowLogicalDuplicate=true", payment("3.00"), **keywords)
        return lambda: own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)

    return scene


def cancelling(own: Gateway, known: Known) -> Any:
    created = own.create(f"{DOMESTIC}?allowLogicalDuplicate=true", payment("4.00"))
    own.approve(created)
    started = own.call("POST", f"{created['_links']['self']['href']}/cancellation-authorisations").json()
    return lambda: own.engine.complete_sca(authorisation_id(started), "approved", person=KARI)


def creating(target: str, body: dict[str, Any]) -> Scene:
    def scene(own: Gateway, known: Known) -> xs2a.Response:
        return own.call("POST", f"{target}?allowLogicalDuplicate=true", body)

    return scene


ABROAD = payment(
    instructedAmount={"amount": "10.00", "currency": "EUR"},
    creditorAccount={"iban": "DE89370400440532013000", "currency": "EUR"},
    creditorAgent="DEUTDEFF",
)
WITH_KID = payment(
    "2.00",
    remittanceInformationStructured={"reference": "2345676"},
    remittanceInformationUnstructured=None,
)
ACCOUNT, CARD = "/v1/accounts/acc-95360573002", "/v1/card-accounts/card-1"

SCENES: dict[str, Scene] = {
    "psu": approving(X_PSU_IDENTITY="13039319955"),
    "debtor_account": approving(),
    "kid_agreement": creating(
        DOMESTIC,
        WITH_KID,
    ),
    "fee": creating(DOMESTIC, payment("2.00")),
    "rate": creating(BATCHED, ABROAD),
    "requires_sca": reading("/v1/accounts"),
    "cancel_payment": cancelling,
    "agreements": reading("/v1/agreements"),
    "accounts": reading("/v1/accounts"),
    "account": reading(ACCOUNT),
    "balances": reading(f"{ACCOUNT}/balances"),
    "booked": reading(f"{ACCOUNT}/transactions?bookingStatus=booked"),
    "pending": reading(f"{ACCOUNT}/transactions?bookingStatus=pending"),
    "transaction": reading(f"{ACCOUNT}/transactions/t-0"),
    "card_accounts": reading("/v1/card-accounts"),
    "card_account": reading(CARD),
    "card_balances": reading(f"{CARD}/balances"),
    "card_booked": reading(f"{CARD}/transactions?bookingStatus=booked"),
    "card_pending": reading(f"{CARD}/transactions?bookingStatus=pending"),
}


def methods_of_a_bank() -> set[str]:
    return {name for name in vars(xs2a.Bank) if not name.startswith("_")}


def test_every_method_has_its_scene() -> None:
    assert SCENES.keys() | {"submit_payment"} == methods_of_a_bank() | {"requires_sca"}


@pytest.mark.parametrize("method", SCENES)
def test_an_answer_that_no_bank_may_give_changes_nothing(
    method: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with gateway(TroubledBank()) as own:
        own.approve(own.create())
        known = {"PSU_ID": own.consent()["psu-id"], "PSU_Context": "", "TPP_Session_ID": "session-1"}
        well = own.bank.well
        for why, spoil in SPOILT.items():
            if (why == "none" and method in NULLABLE) or (
                why == "an answer to another question" and method in REPEATS_NOTHING
            ):
                continue
            if method in ("psu", "debtor_account", "cancel_payment"):
                an_approval_fails(own, method, spoil, known)
            else:
                own.bank.trouble = (method, spoil)
                before = (dict(well.orders), dict(well.balance))
                refused = SCENES[method](own, known)
                assert refused.status == 500, (why, refused.status, refused.body)
                assert refused.json()["tppMessages"][0]["code"] == "SYSTEM_ERROR"
                assert SECRET.encode() not in refused.body
                own.bank.trouble = None
                assert (dict(well.orders), dict(well.balance)) == before
                answer = SCENES[method](own, known)
                assert answer.status in (200, 201), (why, answer.json())
        logged = {
            record.getMessage().split(":")[0] for record in caplog.records if record.name == "xs2a.bank"
        }
        assert logged == {f"the bank's `{method}` failed"}
        assert SECRET not in caplog.text


def an_approval_fails(own: Gateway, method: str, spoil: Callable[[Any], Any], known: Known) -> None:
    """The link stays open; asked again, the same approval passes.

    Nothing is due, but for a bank that may have cancelled: in a minute it is asked for the payment's status.
    """
    approve = SCENES[method](own, known)
    taken = set(own.bank.well.orders)
    own.bank.trouble = (method, spoil)
    with pytest.raises(xs2a.BankError, match=method):
        approve()
    own.bank.trouble = None
    in_a_minute = own.sandbox.clock.now() + timedelta(minutes=1)
    assert own.engine.next_due() == (in_a_minute if method == "cancel_payment" else None)
    assert set(own.bank.well.orders) == taken
    assert "code=" not in approve()
    own.engine.run_due()
    assert own.engine.next_due() is None


@pytest.mark.parametrize("why", SPOILT)
def test_an_order_that_the_bank_fumbles_is_delivered_again(why: str) -> None:
    with gateway(TroubledBank()) as own:
        created = own.create()
        own.bank.trouble = ("submit_payment", SPOILT[why])
        own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)
        assert own.engine.run_due() == xs2a.RunReport(submitted=0, failed=1)
        assert own.status(created) == "PDNG"
        own.bank.trouble = None
        own.sandbox.clock.advance(timedelta(seconds=1))
        assert own.engine.run_due() == xs2a.RunReport(submitted=1, failed=0)
        assert own.status(created) == "ACSC"
        assert own.bank.well.balance["95360573037"] == 250


def test_a_late_answer_is_not_used_and_a_late_order_counts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with gateway(TroubledBank()) as own:

        def late(answer: Any) -> Any:
            own.sandbox.clock.advance(timedelta(seconds=10, microseconds=1))
            return answer

        own.bank.trouble = ("fee", late)
        refused = own.call("POST", INSTANT, payment())
        assert (refused.status, refused.reason) == (500, "SYS-02")
        own.bank.trouble = ("submit_payment", late)
        created = own.create()
        own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)
        assert own.engine.run_due() == xs2a.RunReport(submitted=1, failed=0)
        assert own.status(created) == "ACSC"
    logged = {record.levelno: record.getMessage() for record in caplog.records}
    assert "fee: the answer took 10.000001 seconds" in logged[logging.ERROR]
    assert "the bank was slow" in logged[logging.WARNING]


@pytest.mark.parametrize("why", SPOILT)
def test_ten_unusable_answers_make_a_dead_letter_ten_exceptions_do_not(why: str) -> None:
    with gateway(TroubledBank()) as own:
        created = own.create()
        own.bank.trouble = ("submit_payment", SPOILT[why])
        own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)
        for attempt in range(1, 12):
            assert own.engine.dead_letters() == [], attempt
            report = own.engine.run_due()
            own.sandbox.clock.advance(timedelta(hours=1))
            if attempt == 10 and why != "raises":
                assert report == xs2a.RunReport(dead_letters=1)
                break
            assert report == xs2a.RunReport(failed=1), attempt


class Proxy:
    """Hands every question to a bank that may be gone: then no method can be looked up."""

    def __init__(self, bank: Any) -> None:
        self.bank = bank

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bank, name)


def test_a_bank_whose_methods_cannot_be_looked_up_is_away(caplog: pytest.LogCaptureFixture) -> None:
    with gateway(Proxy(Analyst())) as own:
        waiting, asked = own.create(), own.create(body=payment("2.00"))
        own.engine.complete_sca(authorisation_id(waiting), "approved", person=KARI)
        own.bank.bank = None
        with pytest.raises(xs2a.BankError, match="debtor_account: Python raised"):
            own.engine.complete_sca(authorisation_id(asked), "approved", person=KARI)
        assert own.engine.authorisation(authorisation_id(asked)) is not None
        for _ in range(11):
            assert own.engine.run_due() == xs2a.RunReport(failed=1)
            own.sandbox.clock.advance(timedelta(hours=1))
        assert own.engine.dead_letters() == []
    logged = {record.getMessage().split("\n")[0] for record in caplog.records if record.name == "xs2a.bank"}
    assert logged == {
        f"the bank's `{name}` failed: AttributeError" for name in ("debtor_account", "submit_payment")
    }


def test_a_risk_analysis_that_was_there_is_not_left_out_later() -> None:
    with gateway(Proxy(Analyst())) as own:
        target = "/v1/accounts"
        known = {"PSU_ID": own.consent()["psu-id"], "PSU_Context": "", "TPP_Session_ID": "session-1"}
        assert own.call("GET", target, **known).status == 200
        without = ToyBank()
        vars(without).update(vars(own.bank.bank))
        own.bank.bank = without
        refused = own.call("GET", target, **known)
        assert (refused.status, refused.reason) == (500, "SYS-02")


class Customer:
    """What no log may show."""

    def __repr__(self) -> str:
        return SECRET


@pytest.mark.parametrize(
    ("answer", "logged"),
    [
        (Customer(), "JSON has no type `Customer`"),
        ({"account": [Customer()]}, "JSON has no type `Customer`"),
        (datetime(2026, 9, 1, tzinfo=timezone.utc), "JSON has no type `datetime`"),
        (float("nan"), "the type `float` cannot be written as JSON (ValueError)"),
        ({(SECRET,): 1}, "the type `dict` cannot be written as JSON (TypeError)"),
        (nested(100_000), "the type `list` cannot be written as JSON (RecursionError)"),
    ],
)
def test_an_answer_that_is_no_json_is_reported_by_its_type(
    answer: Any, logged: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with gateway(TroubledBank()) as own:
        created = own.create()
        own.bank.trouble = ("debtor_account", lambda _answer: answer)
        with pytest.raises(xs2a.BankError) as failed:
            own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)
    assert str(failed.value) == f"debtor_account: the answer: {logged}"
    assert logged in caplog.text
    assert SECRET not in caplog.text
    assert not [record for record in caplog.records if record.name == "xs2a.bank"]


def poisoned(_answer: Any) -> Any:
    try:
        raise ValueError("poison 13039319955 Kari Nordmann")
    except ValueError as cause:
        raise xs2a.MisuseError("13039319955 too") from cause


def fail(own: Gateway, caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    own.bank.trouble = ("fee", poisoned)
    assert own.call("POST", DOMESTIC, payment("2.00")).status == 500
    return [record for record in caplog.records if record.name == "xs2a.bank"]


def test_of_an_exception_the_log_has_types_and_places_alone(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with gateway(TroubledBank()) as own:
        (logged,) = fail(own, caplog)
    first, *places = logged.getMessage().splitlines()
    assert (logged.levelno, logged.exc_info) == (logging.ERROR, None)
    assert first == "the bank's `fee` failed: xs2a.MisuseError"
    line = poisoned.__code__.co_firstlineno
    assert f'  File "{__file__}", line {line + 4}, in poisoned' in places
    assert places[-2:] == ["because of ValueError", f'  File "{__file__}", line {line + 2}, in poisoned']
    assert SECRET not in caplog.text
    assert "Kari" not in caplog.text


def test_at_debug_the_log_has_the_whole_exception(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "xs2a.bank")
    with gateway(TroubledBank()) as own:
        logged, whole = fail(own, caplog)
    assert [logged.levelno, whole.levelno] == [logging.ERROR, logging.DEBUG]
    shown = logging.Formatter().format(whole)
    assert "Traceback" in shown
    assert "ValueError: poison 13039319955 Kari Nordmann" in shown
    assert SECRET not in logging.Formatter().format(logged)


def test_of_long_exception_chains_the_log_has_ten(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def deep(number: int) -> None:
        try:
            raise ValueError(SECRET)
        finally:
            if number:
                deep(number - 1)

    def round_and_round(_answer: Any) -> Any:
        first, second = ValueError(), TypeError()
        first.__context__, second.__context__ = second, first
        raise first

    def unlinked(_answer: Any) -> Any:
        try:
            deep(0)
        except ValueError:
            raise KeyError(SECRET) from None

    with gateway(TroubledBank()) as own:
        counts = []
        for spoil in (lambda _answer: deep(50), round_and_round, unlinked):
            caplog.clear()
            own.bank.trouble = ("fee", spoil)
            assert own.call("POST", DOMESTIC, payment("2.00")).status == 500
            (logged,) = (record.getMessage() for record in caplog.records if record.name == "xs2a.bank")
            assert SECRET not in logged
            assert logged.count("\n  File ") <= 10 * 20
            counts.append(logged.count("\nbecause of "))
    assert counts == [9, 1, 0]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_a_stop_comes_out_of_the_call(stop: type[BaseException]) -> None:
    def stops(_answer: Any) -> Any:
        raise stop

    with gateway(TroubledBank()) as own:
        own.bank.trouble = ("fee", stops)
        with pytest.raises(stop):
            own.create()
        own.bank.trouble = None
        assert own.create()["transactionStatus"] == "RCVD"


def test_a_failing_register_refuses_every_call(caplog: pytest.LogCaptureFixture) -> None:
    def fails(_organisation_id: str) -> bool:
        raise OSError(f"the register is away: {SECRET}")

    def rubbish(_organisation_id: str) -> Any:
        return SECRET

    def awaits(_organisation_id: str) -> Any:
        return later()

    caplog.set_level(logging.INFO)
    for registry in (fails, rubbish, awaits):
        with gateway(registry=registry) as own:
            answer = own.call("POST", "/v1/bank-offered-consents", PSU_Context="")
            assert answer.status == 500, answer.json()
    logged = [record for record in caplog.records if record.name == "xs2a.bank"]
    assert [record.levelno for record in logged] == [logging.ERROR] * 3
    assert logged[0].getMessage().startswith("the register failed: OSError\n")
    assert [record.getMessage() for record in logged[1:]] == [
        f"the register answered with the type `{name}`, not with True or False"
        for name in ("str", "coroutine")
    ]
    assert SECRET not in caplog.text


def test_what_a_clock_raises_comes_out_of_the_call() -> None:
    def is_frozen() -> datetime:
        raise OSError("no time")

    def naive() -> datetime:
        return datetime(2026, 9, 1)  # noqa: DTZ001

    clocks: list[tuple[Any, Any]] = [(is_frozen, OSError), (naive, xs2a.MisuseError), (lambda: 1, TypeError)]
    for clock, error in clocks:
        with pytest.raises(error), gateway(clock=clock):
            """The time is asked for when an engine is made, too."""
        shown = [lambda: datetime(2026, 9, 1, 10, tzinfo=timezone.utc)]
        with gateway(clock=lambda shown=shown: shown[-1]()) as own:
            shown.append(clock)
            with pytest.raises(error):
                own.engine.handle("GET", "/v1/accounts", [])


def test_a_bank_without_a_risk_analysis_leaves_it_to_the_rules() -> None:
    bank = ToyBank()
    assert not hasattr(bank, "requires_sca")
    with gateway(bank) as own:
        assert own.create()["_links"]["scaRedirect"]
