"""A bank served in real time, and clients that sign by its clock: a pause is no reason to refuse them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import httpx
import payment_journey as journey
import pytest
import requests
import xs2a
import xs2a.requests
from xs2a import _real_time
from xs2a.client import Client
from xs2a.httpx import Auth

TARGET = f"{journey.INSTANT}/%21%21id%3D/status"
HEADERS = dict(journey.HEADERS)
NOW = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)


class Present:
    """What the machine's clock shows: a test need not wait."""

    def __init__(self) -> None:
        self.now = NOW

    def pause(self, **by: float) -> None:
        """It goes on; nothing else happens."""
        self.now += timedelta(**by)


@pytest.fixture
def present(monkeypatch: pytest.MonkeyPatch) -> Present:
    present = Present()
    monkeypatch.setattr(_real_time, "_present", lambda: present.now)
    return present


@pytest.fixture
def url(sandbox: xs2a.Sandbox, present: Present) -> Iterator[str]:
    with sandbox.serve(real_time=True) as url:
        yield url


def by_httpx(tpp: xs2a.Tpp, url: str, target: str) -> int:
    return httpx.get(url + target, auth=Auth(tpp), headers=HEADERS).status_code


def by_requests(tpp: xs2a.Tpp, url: str, target: str) -> int:
    auth = xs2a.requests.Auth(tpp)
    return requests.get(url + target, auth=auth, headers=HEADERS, timeout=10).status_code


def by_hand(tpp: xs2a.Tpp, url: str, target: str) -> int:
    return httpx.get(url + target, headers=tpp.sign("GET", target, journey.HEADERS)).status_code


@pytest.mark.parametrize("get", [by_httpx, by_requests, by_hand])
def test_who_signs_by_the_banks_clock_is_answered_after_any_pause(
    tpp: xs2a.Tpp, url: str, present: Present, get: Callable[[xs2a.Tpp, str, str], int]
) -> None:
    for seconds in (0, 0.9, 59, 60, 61, 3600, 90 * 86400):
        present.pause(seconds=seconds)
        assert get(tpp, url, TARGET) == get(tpp, url, TARGET) == 404, seconds


@pytest.mark.parametrize("get", [by_httpx, by_requests])
def test_auth_signs_at_the_present_so_that_what_fell_due_is_done(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, url: str, present: Present, get: Callable[[xs2a.Tpp, str, str], int]
) -> None:
    present.pause(days=10)
    assert get(tpp, url, TARGET) == 404
    assert (sandbox.journal.calls[-1].at, sandbox.clock.now()) == (present.now, present.now)


def test_the_small_client_signs_at_the_present_too(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, url: str, present: Present
) -> None:
    present.pause(days=10)
    assert Client(sandbox, tpp, HEADERS).get(TARGET).status_code == 404
    assert sandbox.journal.calls[-1].at == present.now


def test_a_request_signed_by_hand_is_answered_at_its_date(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, url: str, present: Present
) -> None:
    present.pause(days=10)
    assert by_hand(tpp, url, TARGET) == 404
    assert (sandbox.journal.calls[-1].at, sandbox.clock.now()) == (NOW, present.now)


@pytest.mark.parametrize("slow", [61, 119, 121])
def test_a_client_whose_own_clock_is_slow_is_refused_all_the_same(
    tpp: xs2a.Tpp, url: str, present: Present, slow: int
) -> None:
    present.pause(seconds=120)
    date = format_datetime(present.now - timedelta(seconds=slow), usegmt=True)
    headers = tpp.sign("GET", TARGET, [("Date", date), *journey.HEADERS])
    assert httpx.get(url + TARGET, headers=headers).status_code == 400


def test_only_while_it_is_served_in_real_time_does_signing_move_a_clock(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, present: Present
) -> None:
    present.pause(days=10)
    with sandbox.serve() as url:
        assert by_httpx(tpp, url, TARGET) == 404
    for _ in range(2):
        with sandbox.serve(real_time=True) as url:
            assert by_httpx(tpp, url, TARGET) == 404
        stopped = present.now
        present.pause(days=10)
        with sandbox.serve() as url:
            assert by_httpx(tpp, url, TARGET) == 404
        assert sandbox.clock.now() == stopped


def test_a_bank_closed_while_it_is_served_blocks_no_caller(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, url: str, present: Present
) -> None:
    with ExitStack() as stack:
        other = stack.enter_context(sandbox.fork())
        stack.enter_context(other.serve(real_time=True))
        other.close()
        present.pause(days=1)
        assert by_httpx(tpp, url, TARGET) == 404


@pytest.mark.parametrize(("seconds", "warns"), [(60, False), (61, True)])
def test_who_serves_a_clock_that_is_ahead_is_warned(
    sandbox: xs2a.Sandbox,
    tpp: xs2a.Tpp,
    present: Present,
    caplog: pytest.LogCaptureFixture,
    seconds: int,
    warns: bool,
) -> None:
    sandbox.clock.advance(timedelta(seconds=seconds))
    with sandbox.serve():
        assert not caplog.messages, "a clock that does not move may be at any time"
    with sandbox.serve(real_time=True) as url:
        assert any("is ahead, at 2026-09-01T10:01:01" in text for text in caplog.messages) == warns
        date = format_datetime(present.now, usegmt=True)
        headers = tpp.sign("GET", TARGET, [("Date", date), *journey.HEADERS])
        assert httpx.get(url + TARGET, headers=headers).status_code == (400 if warns else 404)
        assert by_httpx(tpp, url, TARGET) == 404, "by the bank's clock"


# ------------------------------------------------------------ by the machine's own clock


def signed_with_the_real_date(tpp: xs2a.Tpp) -> list[tuple[str, str]]:
    date = format_datetime(datetime.now(timezone.utc), usegmt=True)
    return tpp.sign("GET", TARGET, [("Date", date), *journey.HEADERS])


@pytest.mark.parametrize(("real_time", "status"), [(True, 404), (False, 400)])
def test_with_real_time_a_client_may_sign_with_the_real_date(real_time: bool, status: int) -> None:
    behind = datetime.now(timezone.utc) - timedelta(hours=3)
    with xs2a.Sandbox(now=behind) as sandbox, sandbox.serve(real_time=real_time) as url:
        answer = httpx.get(url + TARGET, headers=signed_with_the_real_date(sandbox.register_tpp("Acme Pay")))
        assert answer.status_code == status, answer.text
        assert (datetime.now(timezone.utc) - sandbox.clock.now() < timedelta(minutes=1)) == real_time


def test_real_time_does_what_fell_due() -> None:
    behind = datetime.now(timezone.utc) - timedelta(days=10)
    with xs2a.Sandbox(now=behind) as sandbox:
        tpp = sandbox.register_tpp("Acme Pay")
        path, link = journey.created(sandbox, tpp, journey.BATCHED, creditorAgent=journey.BIC)
        sandbox.authorise(link)
        assert journey.status(sandbox, tpp, path) == "PDNG"
        with sandbox.serve(real_time=True) as url:
            httpx.get(f"{url}/v1/no-such-route")
        assert journey.status(sandbox, tpp, path) == "ACSC"


def test_real_time_leaves_a_clock_that_is_ahead() -> None:
    ahead = datetime.now(timezone.utc) + timedelta(days=1)
    with xs2a.Sandbox(now=ahead) as sandbox, sandbox.serve(real_time=True) as url:
        assert httpx.get(f"{url}/v1/no-such-route").status_code == 404
        assert sandbox.clock.now() == ahead
