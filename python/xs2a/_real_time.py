"""A sandbox's clock that goes along with the machine's."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from xs2a._errors import Error, MisuseError

if TYPE_CHECKING:
    from xs2a._native import Clock

__all__ = ["bring_to_the_present"]

# A clock that is moved writes to its file: once a second is enough, for dates in HTTP have no finer parts.
_STEP = timedelta(seconds=1)

_log = logging.getLogger("xs2a.serve")


def bring_to_the_present(clock: Clock) -> None:
    """Moves the clock to the machine's time, with all that falls due on the way. One that is ahead stays."""
    now = datetime.now(timezone.utc)
    if now - clock.now() < _STEP:
        return
    try:
        clock.set(now)
    except MisuseError:
        pass  # another thread was faster, by a moment more
    except Error:
        _log.exception("the clock could not be moved")
