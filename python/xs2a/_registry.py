"""A register of TPPs of the host's own: what it may be, and for how long its answers count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

from xs2a._errors import ConfigError
from xs2a._expected import expect_type


class Registry(Protocol):
    """Knows which TPPs are registered."""

    def is_registered(self, organisation_id: str) -> bool:
        """Whether the TPP with an authorisation number, such as ``"PSDNO-FSA-912345678"``, is registered."""


@dataclass(frozen=True)
class CachedRegistry:
    """A register that is slow to ask, whose answers count for a while. Where it fails when an answer is too
    old, the call is answered SYSTEM_ERROR. ``Engine.forget_registration`` forgets one answer."""

    registry: Registry | Callable[[str], bool]
    """Who is asked."""
    registered_for: timedelta
    """For how long it counts that a TPP is registered: whole seconds. At exactly this age it is asked
    again."""
    unknown_for: timedelta
    """For how long it counts that a TPP is not registered."""


def taken(registry: Any) -> tuple[Any, tuple[int, int] | None]:
    """Who is asked, and for how many seconds each of the two answers counts; None: for one call."""
    ages = None
    if isinstance(registry, CachedRegistry):
        ages = (
            _seconds("registered_for", registry.registered_for),
            _seconds("unknown_for", registry.unknown_for),
        )
        registry = registry.registry
    return getattr(registry, "is_registered", registry), ages


def _seconds(name: str, age: timedelta) -> int:
    expect_type(name, age, timedelta, "a timedelta")
    seconds, rest = divmod(age, timedelta(seconds=1))
    if rest or not 0 <= seconds < 2**32:
        raise ConfigError(f"{name}: {age} is no whole number of seconds from 0 to 2^32 - 1")
    return seconds
