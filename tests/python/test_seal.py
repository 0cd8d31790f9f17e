"""A seal whose private key is elsewhere: a callable signs, and is replaced."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import field_client as field
import pytest
import xs2a
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from gateway import Gateway, gateway

NOW = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)


class Seal:
    """The bank's seal in a token: pyca/cryptography signs."""

    def __init__(self) -> None:
        self.holder = field.authority("Field Bank Root")
        self.leaf = field.leaf(self.holder, ["PSP_AS"])
        self.fault: Callable[[bytes], Any] | None = None

    def sign(self, text: bytes) -> bytes:
        if self.fault is not None:
            return self.fault(text)  # type: ignore[no-any-return]
        return self.leaf.key.sign(text, PKCS1v15(), hashes.SHA256())


def signed(own: Gateway, seal: Seal) -> bool:
    answer = own.call("GET", "/v1/accounts", PSU_Context="")
    return xs2a.verify_response(answer.headers, answer.body, trust_anchors=seal.holder.pem, now=NOW).ok


def fails(_text: bytes) -> bytes:
    raise OSError("the token was removed")


@pytest.mark.parametrize(
    "fault", [fails, lambda _text: b"garbage", lambda _text: None, lambda _text: "text", lambda _text: b""]
)
def test_answers_are_signed_by_a_callable_or_not_given(fault: Callable[[bytes], Any]) -> None:
    seal = Seal()
    with gateway(response_key=(seal.leaf.pem, seal.sign)) as own:
        assert signed(own, seal)
        seal.fault = fault
        answers = [own.call("GET", "/v1/accounts", PSU_Context="") for _ in range(2)]
        assert [(answer.status, answer.reason) for answer in answers] == [(500, "SYS-04"), (500, "SYS-02")]
        assert not any(name == "Signature" for answer in answers for name, _value in answer.headers)
        assert own.engine.health()["seal"]["signs"] is False
        seal.fault = None
        assert signed(own, seal)
        assert own.engine.health()["seal"]["signs"] is True


def test_the_seal_is_replaced_while_the_engine_runs() -> None:
    first, second = Seal(), Seal()
    with gateway(response_key=(first.leaf.pem, first.sign)) as own:
        own.engine.replace_response_key(certificate=second.leaf.pem, sign=second.sign)
        assert signed(own, second)
        assert not signed(own, first)
        pem = first.leaf.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        own.engine.replace_response_key(certificate=first.leaf.pem, private_key=pem)
        assert signed(own, first)
        first.fault = second.fault = fails
        assert signed(own, first)
        with pytest.raises(xs2a.BankError, match="sign"):
            own.engine.replace_response_key(certificate=second.leaf.pem, sign=second.sign)
        second.fault = lambda _text: b"x" * 256
        with pytest.raises(xs2a.ConfigError, match="does not verify"):
            own.engine.replace_response_key(certificate=second.leaf.pem, sign=second.sign)
        with pytest.raises(xs2a.ConfigError, match="not that of the certificate"):
            own.engine.replace_response_key(certificate=second.leaf.pem, private_key=pem)
        for wrong in ({}, {"private_key": pem, "sign": second.sign}):
            with pytest.raises(xs2a.MisuseError, match="either"):
                own.engine.replace_response_key(certificate=first.leaf.pem, **wrong)  # type: ignore[arg-type]
        assert signed(own, first)
        with pytest.raises(xs2a.MisuseError, match="test PKI"):
            own.sandbox.engine.replace_response_key(certificate=first.leaf.pem, private_key=pem)


def test_a_replaced_callable_is_let_go() -> None:
    first, second, third = Seal(), Seal(), Seal()
    with gateway(response_key=(first.leaf.pem, first.sign)) as own:
        own.engine.replace_response_key(certificate=second.leaf.pem, sign=second.sign)
        gone = weakref.ref(second)
        own.engine.replace_response_key(certificate=third.leaf.pem, sign=third.sign)
        del second
        gc.collect()
        assert gone() is None
        assert signed(own, third)
