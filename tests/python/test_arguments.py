"""Arguments of another type: each is a `TypeError` in Python's words that names argument and types."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import xs2a
from xs2a.httpx import Auth, Transport

# What PyO3 and Rust call things, and what Python users do not.
FOREIGN_WORDS = re.compile(r"\bPy[A-Z]\w+|cannot be converted to|downcast|\bRust\b|[Pp]y[Oo]3")


# What the type checker would refuse is called by this name.
PACKAGE: Any = xs2a


class Odd:
    """A value that no argument takes."""


def called(function: Callable[..., Any], name: str) -> str:
    """What the call says if the argument of that name is odd, and others are absent or of a usable type."""
    parameters = inspect.signature(function).parameters.values()
    odd = 1 if name == "approve" else Odd()
    positional = [
        odd if one.name == name else USABLE.get(one.name, "x") for one in parameters if is_required(one, name)
    ]
    keywords = {one.name: odd for one in parameters if one.name == name and not is_required(one, name)}
    keywords |= {
        one.name: USABLE[one.name]
        for one in parameters
        if one.kind is one.KEYWORD_ONLY and one.default is one.empty and one.name != name
    }
    with pytest.raises(TypeError) as raised:
        function(*positional, **keywords)
    return str(raised.value)


def is_required(parameter: inspect.Parameter, name: str) -> bool:
    return parameter.kind is not parameter.KEYWORD_ONLY and parameter.default is parameter.empty


USABLE: dict[str, Any] = {
    "headers": {},
    "body": b"",
    "now": "2026-09-01T10:00:00Z",
    "at": "2026-09-01T10:00:00Z",
    "names": ["date"],
    "list_of_payment_statuses": ["RCVD"],
    "t": "2026-09-01T10:00:00Z",
    "start": "2026-09-01T10:00:00Z",
    "end": "2026-09-01T10:00:00Z",
    "before": b"",
    "after": b"",
    "policy": {},
    "context": "PRIVATE",
    "family": False,
    "bank": Odd(),
    "registry": None,
    "trust_anchors": "",
    "database": "sqlite::memory:",
    "certificate_type": "any",
    "certificate": "",
}


def functions(sandbox: xs2a.Sandbox) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every function of the package, and every method of what it gives out."""
    tpp = sandbox.register_tpp("Acme Pay")
    with sandbox.faults.bank_down() as fault:
        pass
    signer = xs2a.Signer(tpp.certificate_pem, tpp.private_key_pem)
    response = sandbox.handle("GET", "/v1/x", {})
    objects = (sandbox, tpp, signer, response, sandbox.clock, sandbox.faults, fault, sandbox.engine)
    for given in (*objects, sandbox.journal, sandbox.coverage()):
        for name, member in inspect.getmembers(given, inspect.isroutine):
            if not name.startswith("_"):
                yield f"{type(given).__name__}.{name}", member
    for name in xs2a.__all__:
        function = getattr(xs2a, name)
        if inspect.isbuiltin(function) or name in {"Sandbox", "Engine", "Signer", "Journal"}:
            yield name, function
    yield "Auth", Auth
    yield "Transport", Transport
    yield "Coverage.from_json", xs2a.Coverage.from_json


# Any object is compared; a bank is looked at for its methods.
TAKES_ANY = {
    "Journal.index.value",
    "Journal.index.start",
    "Journal.index.stop",
    "Journal.count.value",
    "Engine.bank",
}


def test_every_argument_is_refused_in_words_of_python(sandbox: xs2a.Sandbox) -> None:
    looked_at = []
    for place, function in functions(sandbox):
        for name in inspect.signature(function).parameters:
            if f"{place}.{name}" in TAKES_ANY:
                continue
            said = called(function, name)
            assert not FOREIGN_WORDS.search(said), f"{place}({name}): {said}"
            assert "expected, not" in said, f"{place}({name}): {said}"
            looked_at.append(f"{place}.{name}")
    assert len(looked_at) > 130, looked_at


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda bank: bank.handle(5, "/", {}), "argument 'method': a str is expected, not int"),
        (lambda bank: bank.clock.advance(5), "argument 'by': a timedelta is expected, not int"),
        (lambda bank: bank.authorise("x", approve="no"), "argument 'approve': a bool is expected, not str"),
        (
            lambda bank: bank.authorise("x", accounts=5),
            "argument 'accounts': a list or tuple of str is expected, not int",
        ),
        (lambda bank: bank.authorise("x", accounts=[5]), "argument 'accounts': a str is expected, not int"),
        (lambda bank: bank.coverage(family=None), "argument 'family': a bool is expected, not NoneType"),
        (
            lambda bank: bank.populate(persons=1.5),
            "argument 'persons': a whole number is expected, not float",
        ),
        (
            lambda bank: bank.faults.add("KID_INVALID", probability="1"),
            "argument 'probability': a number is expected, not str",
        ),
        (
            lambda bank: bank.handle("GET", "/", {"a": 1}),
            "argument 'headers': a header value of str or bytes is expected, not int",
        ),
        (
            lambda bank: bank.handle("GET", "/", [("a", "b", "c")]),
            "argument 'headers': a header is (name, value), not 3 items",
        ),
        (lambda _: PACKAGE.Sandbox(5), "argument 'database': a str or a path of str is expected, not int"),
        (
            lambda _: PACKAGE.Sandbox(b"bank.db"),
            "argument 'database': a str or a path of str is expected, not bytes",
        ),
        (lambda _: PACKAGE.Sandbox(seed="1"), "argument 'seed': a whole number is expected, not str"),
        (
            lambda _: PACKAGE.Sandbox(now=5),
            "argument 'now': an aware datetime or ISO 8601 text is expected, not int",
        ),
        (
            lambda _: PACKAGE.explain("GET", "/", {}, earlier=[5]),
            "argument 'earlier': a call as (method, target, headers, body) is expected, not int",
        ),
        (lambda _: PACKAGE.Coverage.from_json(5), "argument 'text': a str is expected, not int"),
        (lambda bank: bank.serve(port="80"), "argument 'port': a whole number is expected, not str"),
    ],
)
def test_an_argument_and_both_types_are_named(
    sandbox: xs2a.Sandbox, call: Callable[[Any], object], said: str
) -> None:
    with pytest.raises(TypeError) as raised:
        call(sandbox)
    assert str(raised.value) == said


def test_an_exception_while_reading_keeps_its_text(sandbox: xs2a.Sandbox) -> None:
    def texts() -> Iterator[str]:
        raise KeyError("mine")
        yield ""

    with pytest.raises(KeyError, match="mine"):
        sandbox.authorise("x", accounts=texts())


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda bank: bank.ledger("123"), "`123`"),
        (lambda bank: bank.ledger(""), "``"),
        (lambda bank: bank.set_card_status("abc", "blocked"), "`abc`"),
        (lambda bank: bank.set_sca_demand("01010112345", "exempt"), "`…2345`"),
        (lambda bank: bank.revoke_consent("01010112345", "PSDNO-FSA-000001"), "`…2345`"),
        (lambda bank: bank.tpp("PSDNO-1"), "`PSDNO-1`"),
        (lambda bank: bank.report_payment_status("x", "NOPE"), "`NOPE`"),
        (lambda bank: bank.calls("createPaiment"), "`createPaiment`"),
        (lambda bank: bank.faults.bank_down(operation="getAcounts"), "`getAcounts`"),
    ],
)
def test_what_was_looked_for_is_named(
    sandbox: xs2a.Sandbox, call: Callable[[xs2a.Sandbox], object], named: str
) -> None:
    with pytest.raises(xs2a.MisuseError, match=re.escape(named)) as raised:
        call(sandbox)
    assert "docs/" not in str(raised.value)


def test_the_operations_that_a_help_text_points_to_are_taken(sandbox: xs2a.Sandbox) -> None:
    names = [name for kind in ("operations", "sandboxRoutes") for name in xs2a.Coverage().untouched(kind)]
    assert "createPayment" in names
    for call in (
        lambda: sandbox.calls("getAcounts"),
        lambda: sandbox.faults.bank_down(operation="getAcounts"),
    ):
        with pytest.raises(xs2a.MisuseError, match=r"`getAcounts` is no operation; they are .*getAccounts"):
            call()
    for name in names:
        sandbox.calls(name)
        with sandbox.faults.bank_down(operation=name):
            pass
