"""Exceptions: for the host's own mistakes and its environment, and fit for Python habits."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Any

import pytest
import xs2a

ALL = [xs2a.ConfigError, xs2a.StoreError, xs2a.BankError, xs2a.MisuseError, xs2a.InternalError]


@pytest.mark.parametrize("error", ALL)
def test_every_error_is_an_xs2a_error(error: type[xs2a.Error]) -> None:
    assert issubclass(error, xs2a.Error)
    assert f"{error.__module__}.{error.__qualname__}" == f"xs2a.{error.__name__}"
    assert error.__doc__


@pytest.mark.parametrize("error", ALL)
def test_mistakes_in_a_value_are_value_errors_too(error: type[xs2a.Error]) -> None:
    assert issubclass(error, ValueError) == (error in (xs2a.ConfigError, xs2a.MisuseError))


@pytest.mark.parametrize("error", ALL)
def test_errors_can_be_pickled(error: type[xs2a.Error]) -> None:
    found = pickle.loads(pickle.dumps(error("why")))
    assert (type(found), str(found)) == (error, "why")


def test_text_that_cannot_be_parsed_is_a_value_error() -> None:
    for parse in (xs2a.parse_http_date, xs2a.parse_distinguished_name, xs2a.parse_certificate):
        with pytest.raises(xs2a.MisuseError) as found:
            parse("=no such thing")
        assert isinstance(found.value, ValueError)


def test_the_text_does_not_repeat_the_class() -> None:
    with pytest.raises(xs2a.MisuseError) as found:
        xs2a.minor_units("NOPE")
    assert not str(found.value).startswith("misuse")


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_misuse(seed: int) -> None:
    with pytest.raises(xs2a.MisuseError):
        xs2a.Sandbox(seed=seed)


def test_a_policy_that_json_cannot_carry_is_a_config_error() -> None:
    for value in (float("nan"), object(), b"bytes"):
        with pytest.raises(xs2a.ConfigError):
            xs2a.Sandbox(policy={"rates": value})


class Interrupted(tzinfo):
    """As where Ctrl-C is pressed within Python code of the caller's: when the time is turned into UTC."""

    asked = 0

    def utcoffset(self, _at: datetime | None) -> timedelta:
        self.asked += 1
        if self.asked > 1:
            raise KeyboardInterrupt
        return timedelta(0)

    def dst(self, _at: datetime | None) -> None: ...

    def tzname(self, _at: datetime | None) -> None: ...


def test_ctrl_c_within_an_argument_is_no_mistake_of_the_argument() -> None:
    class Seed:
        def __index__(self) -> int:
            raise KeyboardInterrupt

    class Rates(dict[str, str]):
        def items(self) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        xs2a.Sandbox(seed=Seed())  # type: ignore[arg-type]
    with pytest.raises(KeyboardInterrupt):
        xs2a.Sandbox(policy={"rates": Rates(USD="10.00")})
    with pytest.raises(KeyboardInterrupt):
        xs2a.Sandbox(now=datetime(2026, 9, 1, tzinfo=Interrupted()))


def test_a_policy_is_a_dict() -> None:
    with pytest.raises(TypeError):
        xs2a.Sandbox(policy="{}")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "call",
    [
        lambda sandbox: sandbox.tpp("x\nERROR forged"),
        lambda sandbox: sandbox.engine.report_payment_status("x\nERROR forged", "ACSC"),
        lambda sandbox: xs2a.digest(b"", "x\nERROR forged"),
        lambda sandbox: list(sandbox.engine.audit("x\nERROR forged", "2026-09-01")),
    ],
)
def test_a_message_is_one_line_with_any_argument(
    sandbox: xs2a.Sandbox, call: Callable[[xs2a.Sandbox], object]
) -> None:
    with pytest.raises((xs2a.Error, ValueError)) as found:
        call(sandbox)
    assert len(str(found.value).splitlines()) == 1


def test_a_base_path_begins_with_a_slash() -> None:
    with pytest.raises(xs2a.ConfigError):
        xs2a.Sandbox(base_path="api")


def test_an_anchor_that_is_none_is_a_config_error(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(xs2a.ConfigError):
        sandbox.trust("no certificate")


def test_the_native_classes_cannot_be_made_by_hand() -> None:
    for native in (xs2a.Clock, xs2a.Tpp, xs2a.Response):
        with pytest.raises(TypeError):
            native()


def test_plain_values_are_frozen_comparable_and_hashable() -> None:
    when = datetime(2026, 9, 1, tzinfo=timezone.utc)
    value = xs2a.Certificate("1F", "CN=A", "CN=B", when, when, ("PSP_AI",), None)
    assert value == copy.deepcopy(value)
    assert hash(value) == hash(dataclasses.replace(value))
    assert "PSP_AI" in repr(value)
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.issuer = "CN=C"  # type: ignore[misc]


def test_a_verification_is_true_when_it_verified() -> None:
    assert xs2a.Verification(True, None, None, None)
    assert not xs2a.Verification(False, "SIG-13", "text", None)
