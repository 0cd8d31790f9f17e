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


def log(level: str, target: str, line: str, message: str, fields: dict[str, str | int | bool]) -> None:
    """One record, to the logger of its target: ``xs2a::engine::deliver`` is ``xs2a.engine.deliver``.

    Its text is the line: the message with each field after it. For a formatter that writes fields by itself
    the record has them apart: ``record.event`` is the message alone, ``record.fields`` the dict.
    """
    extra = {"event": message, "fields": fields}
    logging.getLogger(target.replace("::", ".")).log(_LEVELS[level], "%s", line, extra=extra)
