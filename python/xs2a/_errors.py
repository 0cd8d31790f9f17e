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
    """The bank behind the engine failed, or answered something it must not.

    A bank raises it itself to say why it has no answer: unlike that of any other exception, its text is part
    of the engine's log and of a dead letter. Name the fault in it, not the customer; beyond 400 characters it
    is cut."""

    __module__ = "xs2a"


class MisuseError(Error, ValueError):
    """A call the host should not have made: a closed sandbox, a dead link, a naive datetime, text that is not
    what a ``parse_…`` function reads."""

    __module__ = "xs2a"


class NotFoundError(MisuseError):
    """What the call names does not exist: an authorisation, a payment, a dead letter. Normal in operation."""

    __module__ = "xs2a"


class ExpiredError(MisuseError):
    """The authorisation is used, or older than ten minutes. Normal in operation."""

    __module__ = "xs2a"


class ConflictError(MisuseError):
    """The state of the payment does not allow the call. Normal in operation: another channel was faster."""

    __module__ = "xs2a"


class NotOfferedError(MisuseError):
    """An account of the choice is not among those that the bank offers this customer now."""

    __module__ = "xs2a"


class InternalError(Error):
    """A bug of this library. Please report it."""

    __module__ = "xs2a"
