"""`sandbox.calls`: calls of the journal, to be asserted on."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import payment_journey as journey
import pytest
import xs2a


@pytest.fixture
def paid(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> xs2a.Sandbox:
    """A bank that was called: a payment was created, one was refused, and a status was read."""
    path, link = journey.created(sandbox, tpp)
    sandbox.authorise(link)
    journey.post(sandbox, tpp, journey.payment(sandbox, amount="-1"))
    journey.status(sandbox, tpp, path)
    sandbox.clock.advance(timedelta(days=1))
    return sandbox


def test_calls_are_found_by_every_condition(paid: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    other = paid.register_tpp("Other")
    for conditions, count in (
        ({}, 3),
        ({"operation": "createPayment"}, 2),
        ({"operation": "createPayment", "status": 201}, 1),
        ({"method": "GET"}, 1),
        ({"method": "PUT"}, 0),
        ({"target": "/status"}, 1),
        ({"tpp": tpp}, 3),
        ({"tpp": tpp.organisation_id}, 3),
        ({"tpp": other}, 0),
        ({"status": 400}, 1),
        ({"operation": "getAccounts"}, 0),
    ):
        assert len(paid.calls(**conditions)) == count, conditions
    refused = paid.calls(status=400).last
    assert refused.reason is not None
    assert list(paid.calls(reason=refused.reason)) == [refused]


def test_a_reason_is_found_behind_the_first_one_too(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    journey.post(sandbox, tpp, journey.many_faults())
    reasons = sandbox.calls().last.reasons
    assert len(set(reasons)) > 1
    for reason in reasons:
        sandbox.calls(reason=reason).assert_called_once()


def test_they_are_a_sequence_of_now(paid: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    calls = paid.calls()
    assert [call.number for call in calls] == [calls.first.number, calls[1].number, calls.last.number]
    assert (calls[0], calls[-1], list(calls[1:])) == (calls.first, calls.last, list(calls)[1:])
    journey.call(paid, tpp, "GET", f"{journey.INSTANT}/x/status")
    assert (len(calls), len(paid.calls())) == (3, 4)


def test_what_holds_passes(paid: xs2a.Sandbox) -> None:
    created = paid.calls("createPayment")
    created.assert_called()
    created.assert_call_count(2)
    paid.calls("createPayment", status=201).assert_called_once()
    paid.calls("getAccounts").assert_not_called()
    amount = {"instructedAmount": {"amount": "-1"}}
    created.assert_called_with(
        target=journey.INSTANT, headers={"psu-context": "PRIVATE"}, json=amount, body=created.last.body
    )
    created.assert_any_call(json={"instructedAmount": {"amount": "250.00"}})


FAILING: dict[str, tuple[Callable[[xs2a.Calls], object], str]] = {
    "count": (lambda calls: calls.assert_call_count(3), "there are 2, 3 were expected"),
    "one fewer": (lambda calls: calls.assert_call_count(1), "there are 2, 1 were expected"),
    "once": (lambda calls: calls.assert_called_once(), "there are 2, 1 were expected"),
    "none": (lambda calls: calls.assert_not_called(), "there are 2, 0 were expected"),
    "some": (lambda calls: calls[2:].assert_called(), "there are 0, at least one was expected"),
    "first": (lambda calls: calls[2:].first, "at least one was expected"),
    "last": (lambda calls: calls[2:].last, "at least one was expected"),
    "target": (lambda calls: calls.assert_called_with(target="/v1/x"), "target is '/v1/payments"),
    "header": (lambda calls: calls.assert_called_with(headers={"X-None": "1"}), "X-None is None, not '1'"),
    "header's value": (
        lambda calls: calls.assert_called_with(headers={"PSU-Context": "x"}),
        "PSU-Context is 'PRIVATE', not 'x'",
    ),
    "body": (lambda calls: calls.assert_called_with(body=b""), "body is b'{"),
    "member": (
        lambda calls: calls.assert_called_with(json={"instructedAmount": {"amount": "250.00"}}),
        "/instructedAmount/amount is '-1', not '250.00'",
    ),
    "absent": (lambda calls: calls.assert_called_with(json={"nope": 1}), "/nope is absent"),
    "shape": (lambda calls: calls.assert_called_with(json=[]), "the body is {"),
    "any": (lambda calls: calls.assert_any_call(json={"creditorName": "x"}), "none was sent so"),
}


@pytest.mark.parametrize(("check", "said"), FAILING.values(), ids=FAILING)
def test_what_does_not_hold_fails_and_lists_the_calls(
    paid: xs2a.Sandbox, check: Callable[[xs2a.Calls], object], said: str
) -> None:
    calls = paid.calls("createPayment")
    with pytest.raises(AssertionError) as raised:
        check(calls)
    text = str(raised.value)
    assert text.startswith("calls operation='createPayment': ")
    assert said in text
    if "there are 2" in text:
        assert f"#{calls.last.number} POST {journey.INSTANT} -> 400 " in text


def test_json_separates_true_from_one_and_reads_no_other_body(sandbox: xs2a.Sandbox) -> None:
    for body in (json.dumps({"a": True, "b": [{"c": 1}]}).encode(), b"no JSON"):
        sandbox.handle("POST", "/v1/x", {}, body)
    first, last = sandbox.calls()[:1], sandbox.calls()[1:]
    first.assert_called_with(json={"a": True, "b": [{"c": 1}]})
    unlike: list[Any] = [{"a": 1}, {"b": [{}]}, {"b": []}]
    for wrong in unlike:
        with pytest.raises(AssertionError):
            first.assert_called_with(json=wrong)
    with pytest.raises(AssertionError, match="the body is not JSON"):
        last.assert_called_with(json={})


def test_a_long_list_is_cut(sandbox: xs2a.Sandbox) -> None:
    for _ in range(25):
        sandbox.handle("GET", "/v1/x", {})
    with pytest.raises(AssertionError, match=r"\(5 before\)") as raised:
        sandbox.calls().assert_not_called()
    assert len(str(raised.value).splitlines()) == 22


def test_an_operation_of_no_interface_is_misuse(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(xs2a.MisuseError, match=r"`createPaiment` is no operation; they are createPayment, "):
        sandbox.calls("createPaiment")
    with pytest.raises(TypeError, match="unexpected keyword argument 'operations'"):
        sandbox.calls(operations="createPayment")  # type: ignore[call-arg]
