"""The host's own mistakes and its environment, as exceptions.

What a third party sent never raises one of these: it is answered, with a status and a reason.
Their texts are safe to log: they hold no data of a customer and no key.
"""


class Error(Exception):
    """The base of every exception of this package."""

    __module__ = "xs2a"


class ConfigError(Error, ValueError):
    """The configuration cannot be used: a policy key, a trust anchor, a path."""

    __module__ = "xs2a"


class StoreError(Error):
    """The database cannot be reached, is of another version, or refused an operation."""

    __module__ = "xs2a"


class OutcomeUnknownError(StoreError):
    """PostgreSQL was lost during a commit, and cannot say whether that is in: what was asked for may have
    been done."""

    __module__ = "xs2a"


class BankError(Error):
    """The bank behind the engine failed, or answered something it must not."""

    __module__ = "xs2a"


class MisuseError(Error, ValueError):
    """A call the host should not have made: a closed sandbox, a dead link, a naive datetime, text that is not
    what a ``parse_…`` function reads."""

    __module__ = "xs2a"


class InternalError(Error):
    """A bug of this library. Please report it."""

    __module__ = "xs2a"
