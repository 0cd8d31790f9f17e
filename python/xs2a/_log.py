"""The log of an engine, in ``logging``."""

from __future__ import annotations

import logging

_LEVELS = {
    "trace": 5,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "error": logging.ERROR,
}


def log(level: str, target: str, message: str) -> None:
    """One line, to the logger of its place: ``xs2a::engine::deliver`` is ``xs2a.engine.deliver``."""
    logging.getLogger(target.replace("::", ".")).log(_LEVELS[level], "%s", message)
