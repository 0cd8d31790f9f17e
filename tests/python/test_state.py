"""The state as text, what differs between two snapshots, the policies of a running sandbox, reconciling."""

from __future__ import annotations

import copy
import json
import operator
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import payment_journey as journey
import pytest
import raw_http
import xs2a


def test_a_policy_is_read_and_says_how_it_is_changed(sandbox: xs2a.Sandbox) -> None:
    sandbox.set_policy({"rates": {"USD": "10.00"}})
    policy: Any = sandbox.policy
    changes: list[Callable[[], object]] = [
        lambda: operator.setitem(policy, "audit", True),
        lambda: operator.delitem(policy, "audit"),
        lambda: policy.__ior__({"audit": True}),
        lambda: policy.update(audit=True),
        lambda: policy.setdefault("audit", True),
        lambda: policy.pop("audit"),
        lambda: policy.popitem(),
        lambda: policy.clear(),
        lambda: operator.setitem(policy["rates"], "USD", "1.00"),
    ]
    for change in changes:
        with pytest.raises(TypeError, match=r"a policy is read here: change it with sandbox\.set_policy"):
            change()
    assert sandbox.policy == policy
    assert policy["rates"] == {"USD": "10.00"}


def test_a_copy_of_the_policy_is_the_users_own(sandbox: xs2a.Sandbox) -> None:
    for own in (
        dict(sandbox.policy),
        copy.copy(sandbox.policy),
        copy.deepcopy(sandbox.policy),
        sandbox.policy.copy(),
    ):
        own["body_bytes_max"] = 1
        assert type(own) is dict
    assert sandbox.policy["body_bytes_max"] == 1024 * 1024
    assert json.loads(json.dumps(sandbox.policy)) == sandbox.policy
    known = {name: value for name, value in sandbox.policy.items() if name != "base_path"}
    with xs2a.Sandbox(policy=known) as other:
        assert other.policy == sandbox.policy


def test_an_imported_sandbox_goes_on_as_the_exported_one(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    _, link = journey.created(sandbox, tpp)
    exported = sandbox.export_json()
    with xs2a.Sandbox(now="2020-01-01T00:00:00Z", seed=9) as other:
        other.import_json(exported)
        assert other.export_json() == exported
        assert other.authorise(link, customer_number=journey.PAYER) == sandbox.authorise(
            link, customer_number=journey.PAYER
        )
        account = journey.first_account(sandbox, journey.PAYER)
        assert other.ledger(account) == sandbox.ledger(account)


def test_the_text_is_what_pythons_own_json_writes_sorted(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    journey.created(sandbox, tpp)
    exported = sandbox.export_json()
    canonical = json.dumps(json.loads(exported), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert exported == canonical


def test_a_state_may_be_changed_by_hand(sandbox: xs2a.Sandbox) -> None:
    state = json.loads(sandbox.export_json())
    state["accounts"][0].update(opening="7.50", booked="7.50")
    sandbox.import_json(json.dumps(state, indent=2))
    assert sandbox.ledger(state["accounts"][0]["bban"])["balance"]["amount"] == "7.50"
    assert sandbox.reconcile() == []


def test_a_change_is_not_repeated_where_the_replay_window_is_lost(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp
) -> None:
    target = f"{journey.INSTANT}?allowLogicalDuplicate=true"
    body = json.dumps(journey.payment(sandbox)).encode()
    headers = tpp.sign("POST", target, journey.HEADERS, body)
    assert sandbox.handle("POST", target, headers, body).status == 201
    state = json.loads(sandbox.export_json())
    assert state.pop("replayWindow")
    sandbox.import_json(json.dumps({**state, "replayWindow": []}))
    again = sandbox.handle("POST", target, headers, body)
    assert (again.status, again.reason) == (400, "RPL-01")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: state.update(version=2), "its version is 2, this library reads 1"),
        (lambda state: state.pop("payments"), "/payments: is missing"),
        (lambda state: state["accounts"][0].update(booked="1.00"), "/accounts/0/booked: is not the opening"),
        (lambda state: state["customers"][1].update(type="KING"), "/customers/1/type: must be PRIVATE or"),
    ],
)
def test_what_cannot_be_is_misuse_and_changes_nothing(
    sandbox: xs2a.Sandbox, change: object, message: str
) -> None:
    before = sandbox.export_json()
    state = json.loads(before)
    assert callable(change)
    change(state)
    with pytest.raises(xs2a.MisuseError, match=message):
        sandbox.import_json(json.dumps(state))
    assert sandbox.export_json() == before


def test_a_text_that_is_none_is_misuse(sandbox: xs2a.Sandbox) -> None:
    exported = sandbox.export_json()
    for text in ("", "{}", exported[:-1], exported[1:], exported + "x"):
        with pytest.raises(xs2a.MisuseError):
            sandbox.import_json(text)


def test_differences_are_words(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    _, link = journey.created(sandbox, tpp)
    before = sandbox.snapshot()
    assert xs2a.diff(before, before) == []
    sandbox.authorise(link, customer_number=journey.PAYER)
    lines = xs2a.diff(before, memoryview(sandbox.snapshot()))
    assert any(line.startswith("payment enc!!") and "RCVD → " in line for line in lines)
    sandbox.restore(before)
    sandbox.clock.advance(timedelta(seconds=1))
    (line,) = xs2a.diff(before, sandbox.snapshot())
    assert line.startswith("clock: ")
    for none in (b"none", before[:-1]):
        with pytest.raises(xs2a.MisuseError):
            xs2a.diff(none, none)
    for take in (sandbox.restore, lambda text: xs2a.diff(text, text)):
        with pytest.raises(
            TypeError, match="a snapshot is bytes, not str: an exported text goes to import_json"
        ):
            take(sandbox.export_json())  # type: ignore[arg-type]


def test_a_policy_holds_from_the_next_call_on(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    body = journey.payment(sandbox)
    assert sandbox.policy["body_bytes_max"] == 1024 * 1024
    sandbox.set_policy({"body_bytes_max": 10})
    assert sandbox.body_bytes_max == 10
    assert journey.post(sandbox, tpp, body).status == 413
    sandbox.set_policy({"body_bytes_max": 10_000, "rates": {"EUR": "11.5"}})
    assert journey.post(sandbox, tpp, body).status == 201
    policy = sandbox.policy
    sandbox.set_policy(policy)
    assert sandbox.policy == policy
    assert sandbox.fork().policy == policy


def test_an_unknown_policy_is_named_and_nothing_is_changed(sandbox: xs2a.Sandbox) -> None:
    before = sandbox.policy
    for policy, named in (
        ({"replay_protection": False, "unknown": 1}, "unknown"),
        ({"repertoire": "utf-9"}, "utf-9"),
        ({"rates": {"EUR": float("nan")}}, "JSON"),
    ):
        with pytest.raises(xs2a.ConfigError, match=named):
            sandbox.set_policy(policy)
    with pytest.raises(TypeError):
        sandbox.set_policy(None)  # type: ignore[arg-type]
    assert sandbox.policy == before


def test_a_served_sandbox_takes_larger_bodies_at_once(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    sandbox.set_policy({"body_bytes_max": 10})
    body = json.dumps(journey.payment(sandbox)).encode()
    headers = tpp.sign("POST", journey.INSTANT, journey.HEADERS, body)
    length = ("Content-Length", str(len(body)))
    request = raw_http.head("POST", journey.INSTANT, [*headers, length]) + body
    with sandbox.serve() as url:
        assert raw_http.status(raw_http.send(url, request)) == 413
        sandbox.set_policy({"body_bytes_max": 10_000})
        assert raw_http.status(raw_http.send(url, request)) == 201


def test_the_books_balance(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    _, link = journey.created(sandbox, tpp)
    sandbox.authorise(link, customer_number=journey.PAYER)
    assert sandbox.reconcile() == []
