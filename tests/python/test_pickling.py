"""What can be pickled comes out the same, in another process too; what cannot says why."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import payment_journey as journey
import pytest
import xs2a

Make = Callable[[xs2a.Sandbox, xs2a.Tpp], Any]


def seen(response: xs2a.Response) -> tuple[Any, ...]:
    record = response.operation, response.tpp, response.tpp_name, response.roles, response.timing
    return response.status, response.headers, response.body, response.reason, response.explanation, record


def refused(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> xs2a.Response:
    """By authentication: with an explanation."""
    target = f"{journey.INSTANT}/x/status"
    signed = [(name, value) for name, value in tpp.sign("GET", target, journey.HEADERS) if name != "Date"]
    return sandbox.handle("GET", target, [*signed, ("Date", "Tue, 01 Sep 2026 09:00:00 GMT")])


ANSWERS: dict[str, Make] = {
    "created": lambda sandbox, tpp: journey.post(sandbox, tpp, journey.payment(sandbox)),
    "refused by authentication": refused,
    "refused by a rule": lambda sandbox, tpp: journey.post(sandbox, tpp, journey.many_faults()),
    "the site": lambda sandbox, tpp: sandbox.handle("GET", "/sca/none", {}),
}


@pytest.mark.parametrize("twice", [lambda one: pickle.loads(pickle.dumps(one)), copy.copy, copy.deepcopy])
@pytest.mark.parametrize("make", ANSWERS.values(), ids=ANSWERS)
def test_a_response_comes_out_of_a_pickle_as_it_went_in(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, make: Make, twice: Callable[[Any], Any]
) -> None:
    response = make(sandbox, tpp)
    found = twice(response)
    assert type(found) is xs2a.Response
    assert seen(found) == seen(response)
    assert seen(twice(found)) == seen(response)
    assert repr(found) == repr(response)


def test_a_response_is_read_in_another_process(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    program = (
        "import pickle, sys; found = pickle.load(sys.stdin.buffer);"
        "print(found.status, found.reason, found.explanation.mistake, found.json()['tppMessages'][0]['code'])"
    )
    response = refused(sandbox, tpp)
    done = subprocess.run(
        [sys.executable, "-c", program], input=pickle.dumps(response), capture_output=True, check=True
    )
    assert response.explanation is not None
    code = response.json()["tppMessages"][0]["code"]
    expected = f"{response.status} {response.reason} {response.explanation.mistake} {code}"
    assert done.stdout.decode().strip() == expected


VALUES: dict[str, Make] = {
    "certificate": lambda _, tpp: xs2a.parse_certificate(tpp.certificate_pem),
    "verification": lambda _, tpp: xs2a.verify_signature(
        "GET", "/", tpp.sign("GET", "/"), b"", now=journey_now()
    ),
    "explanation": lambda sandbox, tpp: refused(sandbox, tpp).explanation,
    "journal": lambda sandbox, tpp: [refused(sandbox, tpp) and None, *sandbox.journal],
    "coverage": lambda sandbox, tpp: refused(sandbox, tpp) and sandbox.coverage(),
    "provoked": lambda sandbox, _: sandbox.provoke("KID_INVALID"),
    "messages": lambda *_: xs2a.validate_payment("payments", "x", {}),
    "policy": lambda sandbox, _: sandbox.policy,
    "ledger": lambda sandbox, _: sandbox.ledger(journey.first_account(sandbox, journey.PAYER)),
    "calls": lambda sandbox, tpp: refused(sandbox, tpp) and list(sandbox.calls()),
    "run report": lambda sandbox, _: sandbox.engine.run_due(),
}


def journey_now() -> str:
    return "2026-09-01T10:00:00Z"


@pytest.mark.parametrize("make", VALUES.values(), ids=VALUES)
def test_a_value_comes_out_of_a_pickle_as_it_went_in(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, make: Make
) -> None:
    value = make(sandbox, tpp)
    assert value
    assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)


BOUND: dict[str, tuple[Make, str]] = {
    "Sandbox": (lambda sandbox, _: sandbox, r"snapshot\(\)"),
    "Engine": (lambda sandbox, _: sandbox.engine, "open an Engine in the other one"),
    "Clock": (lambda sandbox, _: sandbox.clock, "belongs to a Sandbox"),
    "Faults": (lambda sandbox, _: sandbox.faults, "belongs to a Sandbox"),
    "Fault": (lambda sandbox, _: sandbox.faults.bank_down(), "belongs to a Sandbox"),
    "Tpp": (lambda _, tpp: tpp, "pickle a Signer of its certificate_pem and private_key_pem"),
}


@pytest.mark.parametrize("twice", [pickle.dumps, copy.copy, copy.deepcopy])
@pytest.mark.parametrize(("make", "why"), BOUND.values(), ids=BOUND)
def test_what_belongs_to_this_process_says_why_it_stays(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, make: Make, why: str, twice: Callable[[Any], Any]
) -> None:
    given = make(sandbox, tpp)
    with pytest.raises(
        TypeError, match=rf"^an xs2a\.{type(given).__name__} cannot be pickled or copied: .*{why}"
    ):
        twice(given)
