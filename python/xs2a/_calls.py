"""Calls of a sandbox's journal, to be asserted on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, overload

from xs2a._answer import first_value, unpacked
from xs2a._coverage import Coverage
from xs2a._errors import MisuseError
from xs2a._expected import expect_type
from xs2a._native import Tpp
from xs2a._values import JournalCall

if TYPE_CHECKING:
    from xs2a._native import Sandbox

__all__ = ["Calls", "calls_of"]

_LISTED_MAX = 20


class Calls(Sequence[JournalCall]):
    """What ``sandbox.calls`` found, oldest first: a sequence with assertions, named as those of
    ``unittest.mock``. Each failed one is an ``AssertionError`` that lists the calls.
    """

    def __init__(self, calls: Sequence[JournalCall], wanted: str) -> None:
        self._calls, self._wanted = tuple(calls), wanted

    def __len__(self) -> int:
        return len(self._calls)

    @overload
    def __getitem__(self, index: int) -> JournalCall: ...
    @overload
    def __getitem__(self, index: slice) -> Calls: ...
    def __getitem__(self, index: int | slice) -> JournalCall | Calls:
        if isinstance(index, slice):
            return Calls(self._calls[index], self._wanted)
        return self._calls[index]

    def __iter__(self) -> Iterator[JournalCall]:
        return iter(self._calls)

    @property
    def first(self) -> JournalCall:
        """The oldest. ``AssertionError`` if there is none."""
        self.assert_called()
        return self._calls[0]

    @property
    def last(self) -> JournalCall:
        """The newest. ``AssertionError`` if there is none."""
        self.assert_called()
        return self._calls[-1]

    def assert_called(self) -> None:
        """There is one at least."""
        if not self._calls:
            self._fail("at least one was expected")

    def assert_called_once(self) -> None:
        """There is exactly one."""
        self.assert_call_count(1)

    def assert_not_called(self) -> None:
        """There is none."""
        self.assert_call_count(0)

    def assert_call_count(self, count: int) -> None:
        """There are exactly so many."""
        if len(self._calls) != count:
            self._fail(f"{count} were expected")

    def assert_called_with(
        self,
        *,
        target: str | None = None,
        headers: Mapping[str, str] | None = None,
        json: Any = None,
        body: bytes | None = None,
    ) -> None:
        """The newest was sent with all of this.

        target: path and query, the whole of both.
        headers: names, in any case, with the values sent; the call may have others.
        json: what its body is as JSON. Of an object the members named here count, those of objects within it
            likewise; a list is compared whole.
        body: the bytes of its body.
        """
        found = _differences(self.last, target, headers, json, body)
        if found:
            self._fail(f"the last one differs: {'; '.join(found)}")

    def assert_any_call(
        self,
        *,
        target: str | None = None,
        headers: Mapping[str, str] | None = None,
        json: Any = None,
        body: bytes | None = None,
    ) -> None:
        """One of them was sent with all of this, as ``assert_called_with`` compares it."""
        if not any(not _differences(call, target, headers, json, body) for call in self._calls):
            self._fail("none was sent so")

    def __repr__(self) -> str:
        return f"<Calls {self._wanted}: {len(self)}>"

    def _fail(self, expected: str) -> NoReturn:
        lines = [f"{_line(call)}" for call in self._calls[-_LISTED_MAX:]]
        more = len(self._calls) - len(lines)
        listed = "".join(f"\n  {line}" for line in [*([f"({more} before)"] if more else []), *lines])
        raise AssertionError(f"calls {self._wanted}: there are {len(self._calls)}, {expected}{listed}")


def calls_of(
    sandbox: Sandbox,
    operation: str | None = None,
    *,
    method: str | None = None,
    target: str | None = None,
    tpp: Tpp | str | None = None,
    status: int | None = None,
    reason: str | None = None,
) -> Calls:
    """The calls of a sandbox that meet every condition."""
    for name, value, kind, words in (
        ("operation", operation, str, "a str"),
        ("method", method, str, "a str"),
        ("target", target, str, "a str"),
        ("tpp", tpp, (str, Tpp), "a Tpp, or the organisation_id of one as str,"),
        ("status", status, int, "a whole number"),
        ("reason", reason, str, "a str"),
    ):
        if value is not None:
            expect_type(name, value, kind, words)
    if operation is not None and operation not in (names := _operations()):
        raise MisuseError(f"`{operation}` is no operation; they are {', '.join(names)}")
    conditions = {
        "operation": operation,
        "method": method,
        "target": target,
        "tpp": tpp.organisation_id if isinstance(tpp, Tpp) else tpp,
        "status": status,
        "reason": reason,
    }
    given = {name: value for name, value in conditions.items() if value is not None}
    found = [call for call in sandbox.journal.calls if all(_meets(call, *each) for each in given.items())]
    wanted = " ".join(f"{name}={value!r}" for name, value in given.items())
    return Calls(found, wanted or "of any kind")


def _operations() -> list[str]:
    nothing = Coverage()
    return [name for kind in ("operations", "sandboxRoutes") for name in nothing.untouched(kind)]


def _meets(call: JournalCall, name: str, value: Any) -> bool:
    if name == "target":
        return value in call.target
    if name == "reason":
        return value in call.reasons
    return bool(getattr(call, name) == value)


def _differences(
    call: JournalCall,
    target: str | None,
    headers: Mapping[str, str] | None,
    expected: Any,
    body: bytes | None,
) -> list[str]:
    found = []
    if target is not None and call.target != target:
        found.append(f"target is {call.target!r}, not {target!r}")
    for name, value in (headers or {}).items():
        sent = call.header(name)
        if sent != value:
            found.append(f"{name} is {sent!r}, not {value!r}")
    if body is not None and call.body != body:
        found.append(f"body is {call.body!r}, not {body!r}")
    return found if expected is None else [*found, *_json_differences(call, expected)]


def _json_differences(call: JournalCall, expected: Any) -> list[str]:
    try:
        sent = json.loads(unpacked(call.body, first_value(call.headers, "Content-Encoding")))
    except ValueError:
        return ["the body is not JSON"]
    return list(_members(sent, expected, ""))


def _members(sent: Any, expected: Any, place: str) -> Iterator[str]:
    if isinstance(sent, dict) and isinstance(expected, dict):
        for name, value in expected.items():
            if name in sent:
                yield from _members(sent[name], value, f"{place}/{name}")
            else:
                yield f"{place}/{name} is absent"
    elif sent != expected or isinstance(sent, bool) != isinstance(expected, bool):
        yield f"{place or 'the body'} is {sent!r}, not {expected!r}"


def _line(call: JournalCall) -> str:
    return f"#{call.number} {call.method} {call.target} -> {call.status} {call.reason or ''}".rstrip()
