"""An exception of the host's code in the log: what it was and where, without what it says."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator

_FRAMES_MAX = 20
"""Of each exception, the innermost."""
_CHAINED_MAX = 10


def log_failure(log: logging.Logger, what: str, raised: BaseException) -> None:
    """At ERROR the types and places; at DEBUG the whole exception, which may hold personal data."""
    log.error("%s: %s", what, "\n".join(_described(raised)))
    log.debug("%s, in full", what, exc_info=raised)


def _described(raised: BaseException) -> Iterator[str]:
    """Python's own traceback, but for the texts and the lines of source."""
    for number, one in enumerate(_chain(raised)):
        yield ("because of " if number else "") + _name(type(one))
        for frame, line in list(traceback.walk_tb(one.__traceback__))[-_FRAMES_MAX:]:
            yield f'  File "{frame.f_code.co_filename}", line {line}, in {frame.f_code.co_name}'


def _chain(raised: BaseException) -> list[BaseException]:
    """The exception and what led to it, as Python would show them; each once."""
    chain: list[BaseException] = []
    one: BaseException | None = raised
    while one is not None and len(chain) < _CHAINED_MAX and all(one is not other for other in chain):
        chain.append(one)
        is_shown = one.__cause__ is None and not one.__suppress_context__
        one = one.__context__ if is_shown else one.__cause__
    return chain


def _name(kind: type[BaseException]) -> str:
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
