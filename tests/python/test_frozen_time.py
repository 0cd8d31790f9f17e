"""Libraries that freeze the time: a new sandbox begins where `datetime.now` is, and `serve` follows it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta, timezone
from pathlib import Path

import freezegun
import httpx
import payment_journey as journey
import pytest
import time_machine
import xs2a
from xs2a.httpx import Auth

FROZEN = datetime(2031, 3, 14, 9, 26, 53, tzinfo=timezone.utc)
TARGET = f"{journey.INSTANT}/x/status"
HEADERS = dict(journey.HEADERS)

Freeze = Callable[[datetime], AbstractContextManager[object]]


def by_time_machine(to: datetime) -> AbstractContextManager[object]:
    return time_machine.travel(to, tick=False)


def by_freezegun(to: datetime) -> AbstractContextManager[object]:
    freezer: AbstractContextManager[object] = freezegun.freeze_time(to)
    return freezer


both = pytest.mark.parametrize("freeze", [by_freezegun, by_time_machine])


@both
def test_a_sandbox_begins_at_the_frozen_present(freeze: Freeze, tmp_path: Path) -> None:
    with freeze(FROZEN):
        for database in (None, tmp_path / "bank.db"):
            with xs2a.Sandbox(database) as bank:
                assert bank.clock.now() == FROZEN
    with xs2a.Sandbox() as bank:
        assert abs(bank.clock.now() - datetime.now(timezone.utc)) < timedelta(seconds=10)


@both
def test_now_and_the_clock_of_a_file_come_before_the_present(freeze: Freeze, tmp_path: Path) -> None:
    later = FROZEN + timedelta(days=1)
    with freeze(FROZEN):
        with xs2a.Sandbox(tmp_path / "bank.db", now=later) as bank:
            assert bank.clock.now() == later
        with xs2a.Sandbox(tmp_path / "bank.db") as bank:
            assert bank.clock.now() == later


@both
def test_a_bank_served_in_real_time_follows_the_frozen_time(freeze: Freeze) -> None:
    with freeze(FROZEN):
        bank = xs2a.Sandbox()
        auth = Auth(bank.register_tpp("Acme Pay"))
    with bank:
        for days in (0, 1, 400):
            with freeze(FROZEN + timedelta(days=days)), bank.serve(real_time=True) as url:
                assert httpx.get(url + TARGET, headers=HEADERS, auth=auth).status_code == 404
                assert bank.clock.now() == FROZEN + timedelta(days=days)


@both
def test_a_bank_served_for_reads_alone_forgets_what_is_over(freeze: Freeze) -> None:
    def kept() -> list[int]:
        state = json.loads(bank.export_json())
        return [len(state[kind]) for kind in ("authorisations", "usedRequestIds", "replayWindow")]

    with freeze(FROZEN):
        bank = xs2a.Sandbox()
        auth = Auth(bank.register_tpp("Acme Pay"))
    with bank:
        for days in range(0, 8, 2):
            with freeze(FROZEN + timedelta(days=days)), bank.serve(real_time=True) as url:
                for _ in range(3):
                    # Each is refused with a link to the SCA that it needs.
                    refused = httpx.get(f"{url}/v1/accounts", headers=HEADERS, auth=auth)
                    assert refused.json()["tppMessages"][0]["code"] == "SCA_NOT_FOUND"
                assert kept() == [3, 3, 3]


@both
def test_a_signer_dates_by_the_frozen_present(freeze: Freeze, tpp: xs2a.Tpp) -> None:
    signer = xs2a.Signer(tpp.certificate_pem, tpp.private_key_pem)
    with freeze(FROZEN):
        assert dict(signer.sign("GET", "/"))["Date"] == "Fri, 14 Mar 2031 09:26:53 GMT"


@both
def test_what_defaults_to_the_present_takes_the_frozen_one(freeze: Freeze, tpp: xs2a.Tpp) -> None:
    signed = xs2a.Signer(tpp.certificate_pem, tpp.private_key_pem)
    with freeze(FROZEN):
        headers = signed.sign("GET", TARGET)
        assert xs2a.explain("GET", TARGET, headers).ok
        assert xs2a.validate_payment("payments", "x", {}) != []
    assert not xs2a.explain("GET", TARGET, headers).ok


@both
def test_a_signed_answer_is_checked_at_the_frozen_present(freeze: Freeze) -> None:
    with freeze(FROZEN):
        with xs2a.Sandbox(policy={"sign_responses": True}) as bank:
            answer = journey.call(bank, bank.register_tpp("Acme Pay"), "GET", TARGET)
        found = xs2a.verify_response(answer.headers, answer.body, trust_anchors=bank_root())
        assert found.ok, found
    assert not xs2a.verify_response(answer.headers, answer.body, trust_anchors=bank_root()).ok


def bank_root() -> str:
    with xs2a.Sandbox() as bank:
        return bank.root_pem
