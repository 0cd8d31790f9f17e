"""What goes wrong on purpose: ``sandbox.faults`` and ``sandbox.provoke``."""

from __future__ import annotations

import copy
import gc
import threading
import weakref
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import parse_qs, urlsplit

import payment_journey as journey
import pytest
import xs2a

CODES = [
    "SYSTEM_ERROR",
    "BAD_REQUEST",
    "FORBIDDEN",
    "NOT_FOUND",
    "CONFLICT",
    "HTTP_HEADER_REQUIRED",
    "QUERY_PARAMETER_REQUIRED",
    "SCA_NOT_FOUND",
    "SCA_EXPIRED",
    "SCA_INVALID",
    "FORMAT_ERROR",
    "RESOURCE_UNKNOWN",
    "PSU_CREDENTIALS_INVALID",
    "CONSENT_UNKNOWN",
    "CONSENT_INVALID",
    "CONSENT_EXPIRED",
    "ACCESS_EXCEEDED",
    "PRODUCT_UNKNOWN",
    "PRODUCT_INVALID",
    "KID_MISSING",
    "KID_INVALID",
    "PAYMENT_FAILED",
    "EXECUTION_DATE_INVALID",
    "REFERENCE_MIX_INVALID",
]
START = datetime(2026, 9, 1, 10, 0, tzinfo=timezone.utc)


def accounts(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, target: str = "/v1/accounts") -> xs2a.Response:
    headers = tpp.sign("GET", target, {"TPP-Redirect-URI": journey.CALLBACK})
    return sandbox.handle("GET", target, headers)


def create(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, amount: str = "250.00") -> xs2a.Response:
    return journey.post(sandbox, tpp, journey.payment(sandbox, amount))


def code(response: xs2a.Response) -> str:
    return str(response.json()["tppMessages"][0]["code"])


@pytest.mark.parametrize("wanted", CODES)
def test_every_code_of_the_contract_is_answered_on_demand(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, wanted: str
) -> None:
    with sandbox.faults.add(wanted, operation="getAccounts") as fault:
        response = accounts(sandbox, tpp)
        assert code(response) == wanted
        assert response.reason is not None
        assert response.reason.startswith("FLT-")
        assert (fault.seen, fault.hits) == (1, 1)
    assert code(accounts(sandbox, tpp)) == "SCA_NOT_FOUND", "the with is over"
    assert fault.hits == 1


@pytest.mark.parametrize("wanted", CODES)
def test_every_code_of_the_contract_is_provoked(sandbox: xs2a.Sandbox, wanted: str) -> None:
    request = sandbox.provoke(wanted)
    response = sandbox.handle(request.method, request.target, request.headers, request.body)
    assert request.code == wanted
    assert (response.status, response.reason, code(response)) == (request.status, request.reason, wanted)


def test_a_cause_is_provoked_by_its_id_and_an_unknown_one_is_misuse(sandbox: xs2a.Sandbox) -> None:
    request = sandbox.provoke("DAT-02")
    assert (request.code, request.reason, request.status) == ("BAD_REQUEST", "DAT-02", 400)
    with pytest.raises(xs2a.MisuseError, match="DAT-02"):
        sandbox.provoke("TEAPOT")


def test_a_status_is_chosen_where_a_code_has_several(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    with sandbox.faults.add("BAD_REQUEST", status=415):
        assert accounts(sandbox, tpp).status == 415
    with sandbox.faults.add("ACCESS_EXCEEDED"):
        response = accounts(sandbox, tpp)
        assert (response.status, response.header("Retry-After")) == (429, "43200")
    with pytest.raises(xs2a.MisuseError, match="409 or 405"):
        sandbox.faults.add("CONFLICT", status=400)


def test_nth_times_and_conditions(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    other = sandbox.register_tpp("Other")
    fault = sandbox.faults.add("CONFLICT", tpp=tpp, target="withBalance", nth=2, times=2)
    target = "/v1/accounts?withBalance=true"
    assert [accounts(sandbox, tpp, target).status for _ in range(5)] == [401, 409, 409, 401, 401]
    assert accounts(sandbox, other, target).status == accounts(sandbox, tpp).status == 401
    assert (fault.seen, fault.hits) == (5, 2)
    of_other = sandbox.faults.add("FORBIDDEN", tpp=other.organisation_id, nth=1)
    assert [accounts(sandbox, other).status for _ in range(2)] == [403, 401]
    assert [fault.id for fault in sandbox.faults] == [fault.id, of_other.id]


def test_a_predicate_sees_the_call(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    seen: list[xs2a.Call] = []

    def when(call: xs2a.Call) -> bool:
        seen.append(call)
        return b"250.00" in call.body

    with sandbox.faults.add("PAYMENT_FAILED", when=when):
        assert accounts(sandbox, tpp).status == 401
        assert code(create(sandbox, tpp)) == "PAYMENT_FAILED"
        assert create(sandbox, tpp, "251.00").status == 201
    assert [call.operation for call in seen] == ["getAccounts", "createPayment", "createPayment"]
    first, created = seen[0], seen[1]
    assert (first.method, first.target, first.product, first.body) == ("GET", "/v1/accounts", None, b"")
    assert first.tpp == tpp.organisation_id
    assert first.header("tpp-redirect-uri") == journey.CALLBACK
    assert first.header("PSU-ID") is None
    assert created.product == "instant-norwegian-domestic-credit-transfers-straks"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_predicate_that_raises_says_no_and_is_reported(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", reported.append)

    def when(call: xs2a.Call) -> bool:
        raise LookupError(call.operation)

    with sandbox.faults.add("CONFLICT", when=when):
        assert accounts(sandbox, tpp).status == 401
    assert [type(report.exc_value) for report in reported] == [LookupError]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_a_predicate_that_is_interrupted_ends_the_call(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, stop: type[BaseException]
) -> None:
    def when(_call: xs2a.Call) -> bool:
        raise stop

    with sandbox.faults.add("CONFLICT", when=when), pytest.raises(stop):
        accounts(sandbox, tpp)
    assert accounts(sandbox, tpp).status == 401


def test_a_predicate_may_ask_the_sandbox(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    with sandbox.faults.add("CONFLICT", when=lambda _: len(sandbox.faults) == 1):
        assert accounts(sandbox, tpp).status == 409


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_predicate_that_is_asked_about_its_own_calls_ends(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", reported.append)
    inner: list[int] = []
    calls = 1

    def when(_call: xs2a.Call) -> bool:
        inner.extend([accounts(sandbox, tpp).status for _ in range(calls)])
        return True

    with sandbox.faults.add("CONFLICT", when=when):
        for _ in range(2):
            assert accounts(sandbox, tpp).status == 409
            # The innermost is not asked about: that one says no.
            assert inner == [401] + [409] * 3
            assert [type(report.exc_value) for report in reported] == [RecursionError]
            inner.clear()
            reported.clear()
        # One that makes several calls is not asked about all of theirs.
        calls = 10
        assert accounts(sandbox, tpp).status == 409
        assert len(inner) == len(reported) + 3 == 40


def test_a_predicate_lives_until_its_fault_is_removed_or_closed() -> None:
    class Kept:
        """An object whose end a weak reference shows; a sandbox has none."""

    ways: list[Callable[[xs2a.Sandbox, xs2a.Fault], object]] = [
        lambda _sandbox, fault: fault.remove(),
        lambda sandbox, _fault: sandbox.close(),
    ]

    def kept_by_a_predicate(let_go: Callable[[xs2a.Sandbox, xs2a.Fault], object]) -> weakref.ref[Kept]:
        sandbox, kept = xs2a.Sandbox(now=START, seed=3), Kept()
        fault = sandbox.faults.add("CONFLICT", when=lambda _: bool(sandbox) and bool(kept))
        let_go(sandbox, fault)
        return weakref.ref(kept)

    for let_go in ways:
        gone = kept_by_a_predicate(let_go)
        gc.collect()
        assert gone() is None


def test_a_predicate_may_close_the_sandbox_during_its_call() -> None:
    def closing_by(close: Callable[[xs2a.Sandbox], object]) -> None:
        with xs2a.Sandbox(now=START, seed=3) as sandbox:
            tpp = sandbox.register_tpp("Acme Pay")
            sandbox.faults.add("CONFLICT", when=lambda _: close(sandbox) is None)
            assert accounts(sandbox, tpp).status == 409
            with pytest.raises(xs2a.MisuseError, match="closed"):
                sandbox.handle("GET", "/v1/accounts", [])

    def by_another_thread(sandbox: xs2a.Sandbox) -> None:
        thread = threading.Thread(target=sandbox.close)
        thread.start()
        thread.join()

    # Where it hangs, so does a thread that is left behind, not the tests.
    ways: list[Callable[[xs2a.Sandbox], object]] = [
        xs2a.Sandbox.close,
        lambda sandbox: sandbox.__exit__(None, None, None),
        by_another_thread,
    ]
    ended: list[int] = []
    for number, close in enumerate(ways):

        def run(number: int = number, close: Callable[[xs2a.Sandbox], object] = close) -> None:
            closing_by(close)
            ended.append(number)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(timeout=30)
    assert ended == [0, 1, 2]


def test_a_predicate_that_cannot_be_asked_is_a_type_error(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(TypeError, match="callable"):
        sandbox.faults.slow(timedelta(seconds=1), when="NOK")  # type: ignore[arg-type]
    assert len(sandbox.faults) == 0


def test_chance_is_the_same_for_the_same_seed() -> None:
    def drawn(seed: int) -> list[int]:
        with xs2a.Sandbox(now=START, seed=seed) as sandbox:
            tpp = sandbox.register_tpp("Acme Pay")
            sandbox.faults.add("CONFLICT", probability=0.5)
            return [accounts(sandbox, tpp).status for _ in range(32)]

    assert drawn(1) == drawn(1) != drawn(2)
    assert set(drawn(1)) == {401, 409}


def test_a_bank_that_is_down_answers_system_error_and_raises_at_the_sca(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp
) -> None:
    path, link = journey.created(sandbox, tpp)
    with sandbox.faults.bank_down():
        response = create(sandbox, tpp, "1.00")
        assert (response.status, response.reason) == (500, "SYS-02")
        with pytest.raises(xs2a.BankError):
            sandbox.authorise(link)
        assert journey.status(sandbox, tpp, path) == "RCVD"
    sandbox.authorise(link)
    assert journey.status(sandbox, tpp, path) == "ACSC"


def test_a_late_answer_moves_the_clock_and_its_link_may_be_dead(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    with sandbox.faults.slow(timedelta(minutes=10), operation="createPayment"):
        path, link = journey.created(sandbox, tpp)
    assert sandbox.clock.now() == START + timedelta(minutes=10)
    with pytest.raises(xs2a.MisuseError):
        sandbox.authorise(link)
    assert journey.status(sandbox, tpp, path) == "RCVD"


def test_an_sca_aborts_fails_or_expires(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    def called_back(set_fault: Callable[[], xs2a.Fault]) -> str:
        with set_fault():
            target = f"{journey.INSTANT}?allowLogicalDuplicate=true"
            url = sandbox.authorise(journey.created(sandbox, tpp, target)[1])
        return parse_qs(urlsplit(url).query)["code"][0]

    faults = sandbox.faults
    assert called_back(lambda: faults.sca("aborted")) == "SCA_INVALID"
    assert called_back(lambda: faults.sca("failed")) == "SCA_INVALID"
    assert called_back(lambda: faults.sca("failed", "PSU_CREDENTIALS_INVALID")) == "PSU_CREDENTIALS_INVALID"
    with pytest.raises(xs2a.MisuseError, match="10 minutes"):
        called_back(lambda: faults.sca("expired"))
    assert sandbox.clock.now() == START + timedelta(minutes=10)


def test_a_payment_that_is_not_taken_is_delivered_again(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    fault = sandbox.faults.submit_payment(times=2)
    path, link = journey.created(sandbox, tpp)
    sandbox.authorise(link)
    statuses = [journey.status(sandbox, tpp, path)]
    while sandbox.clock.advance_to_next_event() is not None:
        statuses.append(journey.status(sandbox, tpp, path))
    assert statuses == ["PDNG", "PDNG", "ACSC"]
    # One second and two, each up to a quarter less.
    assert timedelta(seconds=2.25) <= sandbox.clock.now() - START <= timedelta(seconds=3)
    assert (fault.seen, fault.hits) == (3, 2)


def test_a_bank_without_rates_fails_the_payment(sandbox: xs2a.Sandbox) -> None:
    provoked = sandbox.provoke("PAYMENT_FAILED")
    assert provoked.reason == "PAY-07"
    sandbox.faults.clear()
    response = sandbox.handle(provoked.method, provoked.target, provoked.headers, provoked.body)
    assert response.status == 201, "without the fault there is a rate"
    provoked = sandbox.provoke("PAYMENT_FAILED")
    sandbox.faults.clear()
    with sandbox.faults.no_rate(operation="createPayment"):
        response = sandbox.handle(provoked.method, provoked.target, provoked.headers, provoked.body)
    assert response.reason == "PAY-07"


def test_forks_and_snapshots_have_no_faults(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    image = sandbox.snapshot()
    sandbox.faults.add("CONFLICT")
    assert sandbox.snapshot() == image
    with sandbox.fork() as fork:
        assert len(fork.faults) == 0
        assert accounts(fork, fork.tpp(tpp.organisation_id)).status == 401
    sandbox.restore(image)
    assert accounts(sandbox, tpp).status == 409


def test_what_cannot_be_meant_is_misuse(sandbox: xs2a.Sandbox) -> None:
    faults = sandbox.faults
    wrong: list[Callable[[], xs2a.Fault]] = [
        lambda: faults.add("TEAPOT"),
        lambda: faults.add("CONFLICT", status=-1),
        lambda: faults.add("CONFLICT", status=70000),
        lambda: faults.add("CONFLICT", operation="getNothing"),
        lambda: faults.add("CONFLICT", product="sepa"),
        lambda: faults.add("CONFLICT", nth=0),
        lambda: faults.add("CONFLICT", nth=-1),
        lambda: faults.add("CONFLICT", times=0),
        lambda: faults.add("CONFLICT", probability=0.0),
        lambda: faults.add("CONFLICT", probability=1.1),
        lambda: faults.add("CONFLICT", probability=float("nan")),
        lambda: faults.slow(timedelta(0)),
        lambda: faults.slow(timedelta(seconds=-1)),
        lambda: faults.slow(timedelta(days=367)),
        lambda: faults.sca("lost"),  # type: ignore[arg-type]
        lambda: faults.sca("expired", "CONFLICT"),
    ]
    for number, meant in enumerate(wrong):
        with pytest.raises(xs2a.MisuseError):
            meant()
        assert len(faults) == 0, number
    with pytest.raises(xs2a.MisuseError, match=r"^fault: a slow answer takes more than 0 seconds"):
        faults.slow(timedelta(0))
    with pytest.raises(TypeError):
        faults.add("CONFLICT", nth="1")  # type: ignore[arg-type]


def test_a_fault_says_what_it_is_and_outlives_its_sandbox(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    fault = sandbox.faults.add("CONFLICT", nth=1)
    accounts(sandbox, tpp)
    assert repr(fault) == '<Fault 1 {"kind":"refusal","code":"CONFLICT","nth":1} hits=1>'
    fault.remove()
    fault.remove()
    sandbox.close()
    assert fault.hits == 1
    with pytest.raises(xs2a.MisuseError):
        sandbox.faults.clear()


def test_a_provoked_request_is_a_value(sandbox: xs2a.Sandbox) -> None:
    request = sandbox.provoke("KID_MISSING")
    assert request == copy.deepcopy(request)
    assert request != sandbox.provoke("KID_MISSING"), "each is signed by a TPP of its own"
    assert len({request, copy.deepcopy(request)}) == 1
    assert sandbox.handle(request.method, request.target, request.headers, request.body).reason == "KID-01"


def test_a_call_that_a_predicate_sees_is_a_value(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    seen: set[xs2a.Call] = set()

    def when(call: xs2a.Call) -> bool:
        seen.add(call)
        return False

    sandbox.faults.add("CONFLICT", when=when)
    accounts(sandbox, tpp)
    [call] = seen
    assert {call} == {copy.deepcopy(call)}
    assert sandbox.fork().handle(call.method, call.target, call.headers, call.body).reason == "RPL-01"
