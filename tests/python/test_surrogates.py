"""Text that UTF-8 cannot carry, and numbers that JSON cannot: the caller's mistake in any argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import payment_journey as journey
import pytest
import xs2a

LONE = "\ud800"


def test_a_lone_surrogate_is_misuse_in_every_argument(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    link = journey.created(sandbox, tpp)[1]
    calls: list[Callable[[], Any]] = [
        lambda: sandbox.handle(LONE, "/v1/accounts", []),
        lambda: sandbox.handle("GET", f"/v1/{LONE}", []),
        lambda: sandbox.engine.handle("GET", f"/v1/{LONE}", []),
        lambda: sandbox.engine.authorisation(LONE),
        lambda: tpp.sign("GET", f"/v1/{LONE}"),
        lambda: tpp.sign(LONE, "/v1/x"),
        lambda: sandbox.register_tpp(LONE),
        lambda: sandbox.register_tpp("Acme Pay", [LONE]),
        lambda: sandbox.tpp(LONE),
        lambda: sandbox.trust(LONE),
        lambda: sandbox.authorise(LONE),
        lambda: sandbox.authorise(link, LONE),
        lambda: sandbox.authorise(link, context="CORPORATE", agreement=LONE),
        lambda: sandbox.authorise(link, accounts=[LONE]),
        lambda: sandbox.revoke_consent(journey.PAYER, LONE),
        lambda: sandbox.import_json(LONE),
        lambda: sandbox.ledger(LONE),
        lambda: sandbox.provoke(LONE),
        lambda: sandbox.clock.set(LONE),
        lambda: sandbox.faults.add("CONFLICT", target=LONE),
        lambda: sandbox.faults.add("CONFLICT", tpp=LONE),
        lambda: sandbox.journal.har(origin=LONE),
        lambda: xs2a.Sandbox(base_path=LONE),
        lambda: xs2a.kid_is_valid(LONE),
        lambda: xs2a.parse_certificate(LONE),
        lambda: xs2a.signing_string("GET", LONE, {}, []),
        lambda: xs2a.digest(b"", LONE),
        lambda: xs2a.validate_payment("payments", LONE, b"{}"),
        lambda: xs2a.validate_payment("payments", "sepa-credit-transfers", LONE),
        lambda: xs2a.validate_payment("payments", "sepa-credit-transfers", {"creditorName": LONE}),
    ]
    for call in calls:
        with pytest.raises(xs2a.MisuseError, match="lone surrogate"):
            call()


def test_a_policy_with_a_lone_surrogate_is_a_config_error() -> None:
    with pytest.raises(xs2a.ConfigError, match="not JSON"):
        xs2a.Sandbox(policy={"sca_origin": LONE})


def test_a_payment_with_a_number_that_json_does_not_have_is_misuse() -> None:
    for number in (float("nan"), float("inf")):
        with pytest.raises(xs2a.MisuseError, match="not JSON"):
            xs2a.validate_payment("payments", "sepa-credit-transfers", {"a": number})
    with pytest.raises(TypeError):
        xs2a.validate_payment("payments", "sepa-credit-transfers", {"a": object()})


def test_what_is_neither_a_tpp_nor_the_id_of_one_is_a_type_error(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(TypeError, match="Tpp"):
        sandbox.revoke_consent(journey.PAYER, 7)  # type: ignore[arg-type]
