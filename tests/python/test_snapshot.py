"""Snapshot, restore, fork: the whole state as bytes, or as a second sandbox."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import payment_journey as journey
import pytest
import xs2a


def test_restore_brings_back_books_payments_and_clock(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path, link = journey.created(sandbox, tpp)
    balance, now = journey.balance(sandbox, journey.PAYER), sandbox.clock.now()
    image = sandbox.snapshot()
    sandbox.authorise(link, customer_number=journey.PAYER)
    sandbox.clock.advance(timedelta(days=1))
    sandbox.restore(image)
    assert (journey.balance(sandbox, journey.PAYER), sandbox.clock.now()) == (balance, now)
    assert journey.status(sandbox, tpp, path) == "RCVD"
    sandbox.authorise(link, customer_number=journey.PAYER)


def test_after_restore_the_same_calls_give_the_same_bytes(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    image = sandbox.snapshot()
    first = journey.post(sandbox, tpp, journey.payment(sandbox))
    sandbox.restore(image)
    assert journey.post(sandbox, tpp, journey.payment(sandbox)).body == first.body


def test_a_snapshot_moves_to_another_sandbox(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path, _ = journey.created(sandbox, tpp)
    signed = tpp.sign("GET", f"{path}/status", journey.HEADERS)
    with xs2a.Sandbox(now="2020-01-01T00:00:00Z", seed=9) as other:
        other.restore(memoryview(sandbox.snapshot()))
        assert other.handle("GET", f"{path}/status", signed).json()["transactionStatus"] == "RCVD"


def test_a_changed_snapshot_is_misuse_and_changes_nothing(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path, _ = journey.created(sandbox, tpp)
    image = bytearray(sandbox.snapshot())
    image[len(image) // 2] ^= 1
    for broken in (image, image[:-1], b"", b"no snapshot"):
        with pytest.raises(xs2a.MisuseError):
            sandbox.restore(broken)
    assert journey.status(sandbox, tpp, path) == "RCVD"


def test_a_fork_goes_its_own_way(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path, link = journey.created(sandbox, tpp)
    with sandbox.fork() as copy:
        copy.authorise(link, customer_number=journey.PAYER)
        assert journey.status(copy, tpp, path) == "ACSC"
        copy.clock.advance(timedelta(days=1))
    assert journey.status(sandbox, tpp, path) == "RCVD"
    assert sandbox.clock.now().day == 1


def test_a_tpp_of_a_fork_signs_by_the_clock_of_the_fork(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path, _ = journey.created(sandbox, tpp)
    with sandbox.fork() as copy:
        copy.clock.advance(timedelta(hours=1))
        assert copy.handle("GET", path, tpp.sign("GET", path, journey.HEADERS)).reason == "DAT-02"
        found = copy.tpp(tpp.organisation_id)
        assert copy.handle("GET", path, found.sign("GET", path, journey.HEADERS)).status == 200


def test_a_tpp_is_found_in_a_reopened_file_and_a_restored_image(tmp_path: Path) -> None:
    with xs2a.Sandbox(tmp_path / "bank.sqlite", now="2026-09-01T10:00:00Z") as first:
        tpp = first.register_tpp("Acme Pay")
        path, _ = journey.created(first, tpp)
        image = first.snapshot()
    with xs2a.Sandbox(tmp_path / "bank.sqlite", now="2026-09-02T10:00:00Z") as second:
        assert journey.status(second, second.tpp(tpp.organisation_id), path) == "RCVD"
    with xs2a.Sandbox(now="2020-01-01T00:00:00Z") as third:
        third.restore(image)
        assert journey.status(third, third.tpp(tpp.organisation_id), path) == "RCVD"


def test_ids_repeat_from_a_snapshot_or_an_export_not_from_a_file(tmp_path: Path) -> None:
    def next_id(bank: xs2a.Sandbox) -> str:
        with bank.fork() as copy:
            return copy.register_tpp("Acme Pay").certificate_pem

    with xs2a.Sandbox(tmp_path / "bank.sqlite", now="2026-09-01T10:00:00Z", seed=1) as first:
        image, text, drawn = first.snapshot(), first.export_json(), next_id(first)
    with xs2a.Sandbox(now="2026-09-01T10:00:00Z") as other:
        other.restore(image)
        assert next_id(other) == drawn
        other.import_json(text)
        assert next_id(other) == drawn
    generations = []
    for _ in range(3):
        with xs2a.Sandbox(tmp_path / "bank.sqlite") as reopened:
            generations.append(next_id(reopened))
    assert len({drawn, *generations}) == 4


def test_a_fork_of_a_file_leaves_the_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "bank.sqlite"
    with xs2a.Sandbox(file, now="2026-09-01T10:00:00Z") as sandbox, sandbox.fork() as copy:
        copy.clock.advance(timedelta(days=1))
    with xs2a.Sandbox(file) as reopened:
        assert reopened.clock.now().day == 1
