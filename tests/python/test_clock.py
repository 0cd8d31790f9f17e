"""The clock: it changes only when it is moved, and the bank acts on the way."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import payment_journey as journey
import pytest
import xs2a

START = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)


def test_it_shows_an_aware_time_in_utc(sandbox: xs2a.Sandbox) -> None:
    assert sandbox.clock.now() == START
    assert sandbox.clock.now().tzinfo is timezone.utc


def test_it_is_constant(sandbox: xs2a.Sandbox) -> None:
    assert sandbox.clock.now() == sandbox.clock.now()


def test_without_now_it_starts_at_the_present() -> None:
    before = datetime.now(timezone.utc)
    with xs2a.Sandbox() as sandbox:
        assert abs(sandbox.clock.now() - before) < timedelta(minutes=1)


@pytest.mark.parametrize(
    "start",
    [
        "2026-09-01T10:00:00Z",
        "2026-09-01T12:00:00+02:00",
        "2026-09-01 12:00:00.000+02:00",
        START,
        START.astimezone(ZoneInfo("Europe/Oslo")),
        START.astimezone(timezone(timedelta(hours=-3, minutes=-30))),
    ],
)
def test_any_offset_means_the_same_point_in_time(start: datetime | str) -> None:
    with xs2a.Sandbox(now=start) as sandbox:
        assert sandbox.clock.now() == START


def test_microseconds_are_kept(sandbox: xs2a.Sandbox) -> None:
    sandbox.clock.set("2026-09-01T10:00:00.123456Z")
    assert sandbox.clock.now().microsecond == 123456


@pytest.mark.parametrize(
    "when", ["2026-09-01T10:00:00", "2026-09-01", "tomorrow", "", "2026-13-01T10:00:00Z"]
)
def test_text_without_an_offset_is_misuse(sandbox: xs2a.Sandbox, when: str) -> None:
    with pytest.raises(xs2a.MisuseError, match="offset"):
        sandbox.clock.set(when)


def test_a_naive_datetime_is_misuse(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(xs2a.MisuseError, match="naive"):
        sandbox.clock.set(datetime(2026, 9, 2))  # noqa: DTZ001


def test_a_datetime_whose_utc_has_no_date_is_misuse(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(xs2a.MisuseError, match="years"):
        sandbox.clock.set(datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))))


@pytest.mark.parametrize("when", [1788256800, START.date(), None])
def test_other_types_are_a_type_error(sandbox: xs2a.Sandbox, when: object) -> None:
    with pytest.raises(TypeError):
        sandbox.clock.set(when)  # type: ignore[arg-type]


def test_it_never_goes_back(sandbox: xs2a.Sandbox) -> None:
    sandbox.clock.set(START)
    with pytest.raises(xs2a.MisuseError):
        sandbox.clock.set(START - timedelta(microseconds=1))
    with pytest.raises(xs2a.MisuseError):
        sandbox.clock.advance(timedelta(seconds=-1))
    assert sandbox.clock.now() == START


def test_advance_moves_it_on(sandbox: xs2a.Sandbox) -> None:
    sandbox.clock.advance(timedelta(days=1, microseconds=1))
    assert sandbox.clock.now() == START + timedelta(days=1, microseconds=1)


def test_a_timedelta_beyond_every_calendar_is_misuse(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(xs2a.MisuseError):
        sandbox.clock.advance(timedelta.max)


def test_it_stops_at_the_end_of_the_year_9999() -> None:
    last = datetime.max.replace(tzinfo=timezone.utc)
    with xs2a.Sandbox(now="9999-12-31T23:59:59Z") as sandbox:
        for by in (timedelta(seconds=1), timedelta(days=1)):
            with pytest.raises(xs2a.MisuseError, match="9999"):
                sandbox.clock.advance(by)
        assert sandbox.clock.now() == last.replace(microsecond=0)
        sandbox.clock.set(last)
        assert sandbox.clock.now() == last
        with pytest.raises(xs2a.MisuseError, match="9999"):
            sandbox.clock.advance(timedelta(microseconds=1))
        assert sandbox.clock.now() == last


def test_a_sandbox_opens_in_the_years_of_datetime_alone() -> None:
    with xs2a.Sandbox(now="0001-01-01T00:00:00Z") as sandbox:
        assert sandbox.clock.now() == datetime.min.replace(tzinfo=timezone.utc)
    for beyond in ("0000-12-31T23:59:59Z", "+10000-01-01T00:00:00Z"):
        with pytest.raises(xs2a.MisuseError):
            xs2a.Sandbox(now=beyond)


def test_the_date_header_is_judged_by_it(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path, _ = journey.created(sandbox, tpp)
    target = f"{path}/status"
    signed = [tpp.sign("GET", target, journey.HEADERS) for _ in range(2)]
    sandbox.clock.advance(timedelta(seconds=60))
    assert sandbox.handle("GET", target, signed[0]).status == 200
    sandbox.clock.advance(timedelta(seconds=1))
    assert sandbox.handle("GET", target, signed[1]).reason == "DAT-02"


def test_the_next_event_is_the_batch_that_settles_a_payment(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path, link = journey.created(sandbox, tpp, journey.BATCHED, creditorAgent=journey.BIC)
    sandbox.authorise(link, customer_number=journey.PAYER)
    assert journey.status(sandbox, tpp, path) == "PDNG"
    batch = START.replace(hour=11)  # 13:00 in Oslo
    assert sandbox.clock.advance_to_next_event() == batch
    assert sandbox.clock.now() == batch
    assert journey.status(sandbox, tpp, path) == "ACSC"


def test_moving_over_a_batch_runs_it(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path, link = journey.created(sandbox, tpp, journey.BATCHED, creditorAgent=journey.BIC)
    sandbox.authorise(link, customer_number=journey.PAYER)
    sandbox.clock.advance(timedelta(hours=1))
    assert journey.status(sandbox, tpp, path) == "ACSC"
