"""Sandboxes' clocks that go along with the machine's."""

from __future__ import annotations

import logging
import threading
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import TYPE_CHECKING

from xs2a._errors import Error, MisuseError
from xs2a._native import DATE_DEVIATION_SECONDS_MAX

if TYPE_CHECKING:
    from xs2a._native import Clock

__all__ = ["bring_to_the_present", "follow", "is_ahead", "keep_up", "leave", "was_signed_before"]

DATE_DEVIATION_MAX = timedelta(seconds=DATE_DEVIATION_SECONDS_MAX)

# A clock that is moved writes to its file: once a second is enough, for dates in HTTP have no finer parts.
_STEP = timedelta(seconds=1)

_log = logging.getLogger("xs2a.serve")

_following: list[Clock] = []
_changing = threading.Lock()


def follow(clock: Clock) -> None:
    """Lets a clock be brought to the present by ``keep_up`` too, until ``leave``."""
    with _changing:
        _following.append(clock)


def leave(clock: Clock) -> None:
    """Takes back one ``follow``."""
    with _changing:
        _following.remove(clock)


def keep_up() -> None:
    """Brings all that follow to the present. To be called before a TPP of this process signs: it signs by its
    bank's clock, and if that has not moved for long the signature would be old when it arrives."""
    with _changing:
        clocks = list(_following)
    for clock in clocks:
        bring_to_the_present(clock)


def bring_to_the_present(clock: Clock) -> None:
    """Moves the clock to the machine's time, with all that falls due on the way. One that is ahead stays."""
    now = _present()
    try:
        if now - clock.now() >= _STEP:
            clock.set(now)
    except MisuseError:
        pass  # another thread was faster, by a moment more; or the bank is closed
    except Error:
        _log.exception("the clock could not be moved")


def is_ahead(clock: Clock) -> bool:
    """Whether a client that signs by the machine's time is refused until that reaches the clock's time."""
    return clock.now() > _present() + DATE_DEVIATION_MAX


def was_signed_before(clock: Clock, headers: list[tuple[str, bytes]]) -> bool:
    """Whether a request has exactly the clock's time, and the clock has not moved for so long that the
    request would be refused once the clock is at the present."""
    bank_time = clock.now()
    if _present() - bank_time < DATE_DEVIATION_MAX - _STEP:  # a Date is up to a second older
        return False
    date = format_datetime(bank_time.astimezone(timezone.utc), usegmt=True).encode()
    return any(name.lower() == "date" and value == date for name, value in headers)


def _present() -> datetime:
    return datetime.now(timezone.utc)
