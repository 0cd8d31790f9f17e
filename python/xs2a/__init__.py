"""An embeddable PSD2 access-to-account engine, with a whole bank to test against.

>>> import xs2a
>>> with xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1) as sandbox:
...     tpp = sandbox.register_tpp("Acme Pay", roles=("AISP", "PISP"))
...     target = "/v1/payments/norwegian-cross-border-credit-transfers/no-such-payment/status"
...     headers = tpp.sign("GET", target, {"TPP-Redirect-URI": "https://tpp.example/callback"})
...     answer = sandbox.handle("GET", target, headers)
...     answer.status, answer.json()["tppMessages"][0]["code"]
(404, 'RESOURCE_UNKNOWN')

An answer of 400 or 500 is a normal result. Exceptions (``xs2a.Error`` and its subclasses) are for the host's
own mistakes and its environment, never for what a TPP sent.

Times are aware datetimes, in UTC where they come out; where one goes in, ISO 8601 text with an offset does
too. Any function may be called from any thread at the same time; the interpreter is released during calls.
"""

from xs2a import _time_limit as _time_limit  # before a test freezes the time
from xs2a._bank import Bank, Psu, check_bank_answer
from xs2a._calls import Calls
from xs2a._coverage import Coverage
from xs2a._errors import (
    BankError,
    ConfigError,
    ConflictError,
    Error,
    ExpiredError,
    InternalError,
    MisuseError,
    NotFoundError,
    NotOfferedError,
    OutcomeUnknownError,
    StoreError,
)
from xs2a._journal import Journal
from xs2a._native import (
    Clock,
    Engine,
    Fault,
    Faults,
    Population,
    Response,
    Sandbox,
    Signer,
    Table,
    Tpp,
    __version__,
    account_number_is_valid,
    basket_status,
    bic_is_valid,
    current_call,
    decode_encoded_word,
    diff,
    digest,
    explain,
    iban_is_valid,
    kid_is_valid,
    minor_units,
    mistakes,
    openapi,
    parse_certificate,
    parse_distinguished_name,
    parse_http_date,
    payment_transitions,
    signing_string,
    trusted_list_anchors,
    validate_payment,
    verify_response,
    verify_signature,
)
from xs2a._registry import CachedRegistry, Registry
from xs2a._values import (
    Call,
    Certificate,
    DeadLetter,
    Explanation,
    JournalCall,
    JournalNote,
    ProvokedRequest,
    RunReport,
    TppMessage,
    Verification,
)

__all__ = [
    "Bank",
    "BankError",
    "CachedRegistry",
    "Call",
    "Calls",
    "Certificate",
    "Clock",
    "ConfigError",
    "ConflictError",
    "Coverage",
    "DeadLetter",
    "Engine",
    "Error",
    "ExpiredError",
    "Explanation",
    "Fault",
    "Faults",
    "InternalError",
    "Journal",
    "JournalCall",
    "JournalNote",
    "MisuseError",
    "NotFoundError",
    "NotOfferedError",
    "OutcomeUnknownError",
    "Population",
    "ProvokedRequest",
    "Psu",
    "Registry",
    "Response",
    "RunReport",
    "Sandbox",
    "Signer",
    "StoreError",
    "Table",
    "Tpp",
    "TppMessage",
    "Verification",
    "__version__",
    "account_number_is_valid",
    "basket_status",
    "bic_is_valid",
    "check_bank_answer",
    "current_call",
    "decode_encoded_word",
    "diff",
    "digest",
    "explain",
    "iban_is_valid",
    "kid_is_valid",
    "minor_units",
    "mistakes",
    "openapi",
    "parse_certificate",
    "parse_distinguished_name",
    "parse_http_date",
    "payment_transitions",
    "signing_string",
    "trusted_list_anchors",
    "validate_payment",
    "verify_response",
    "verify_signature",
]
