"""What the control interface reads and answers. The schemas of its OpenAPI document are made from these."""

# Not `from __future__ import annotations`: the types are read at run time, under Python 3.9 too.

from datetime import date, datetime
from typing import Annotated, Any, Literal, Optional, Union

from msgspec import UNSET, Meta, Struct, UnsetType

__all__ = [
    "Authorise",
    "Bank",
    "BankChange",
    "BlockQuery",
    "Callback",
    "CardStatus",
    "ClockState",
    "ConsentQuery",
    "ConsentRevocation",
    "CoverageQuery",
    "EntryForm",
    "EntryView",
    "ExplanationView",
    "FaultBody",
    "FaultView",
    "Health",
    "Hold",
    "JournalQuery",
    "NewBlock",
    "NewTpp",
    "OneMove",
    "PaymentQuery",
    "PaymentReport",
    "Population",
    "Provoke",
    "ProvokedView",
    "Release",
    "Restored",
    "ScaDemand",
    "Sign",
    "SignedView",
    "SnapshotView",
    "StateQuery",
    "TableListed",
    "TableQuery",
    "TppListed",
    "TppView",
    "Trust",
    "TrustView",
]

Word = Annotated[str, Meta(min_length=1, max_length=200)]
LongText = Annotated[str, Meta(max_length=8192)]
Pem = Annotated[str, Meta(min_length=1, description="One or more certificates in PEM.")]
Count = Annotated[int, Meta(ge=1, le=2**63 - 1)]


def _part(unit: str) -> str:
    return f"((0|[1-9][0-9]{{0,5}}){unit})?"


# As a text: what JSON Schema calls a duration may also have weeks, months and years.
Duration = Annotated[
    str,
    Meta(
        description="ISO 8601 in days, hours, minutes and seconds, such as `PT1H`.",
        pattern=f"^P(?=[T0-9]){_part('D')}(T(?=[0-9]){_part('H')}{_part('M')}{_part('S')})?$",
    ),
]
Moment = Annotated[datetime, Meta(tz=True)]


class Input(Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """What is read: an unknown member is refused."""


class Output(Struct, rename="camel", kw_only=True):
    """What is answered."""


class Health(Output):
    status: Literal["ok"]
    version: str
    bank: str
    """The URL of the bank, base path included."""


class Bank(Output):
    url: str
    base_path: str
    sca_origin: str
    body_bytes_max: int
    default_data: dict[str, Any]


class BankChange(Input):
    sca_origin: Annotated[str, Meta(min_length=1, max_length=300)]


class ClockState(Output):
    now: datetime
    next_event: Optional[datetime]
    follows_real_time: bool


class ClockMove(Input):
    """Exactly one of the three."""

    now: Union[Moment, UnsetType] = UNSET
    advance: Union[Duration, UnsetType] = UNSET
    to: Union[Literal["next-event"], UnsetType] = UNSET

    def __post_init__(self) -> None:
        if sum(value is not UNSET for value in (self.now, self.advance, self.to)) != 1:
            raise ValueError("give exactly one of `now`, `advance` and `to`")


OneMove = Annotated[ClockMove, Meta(extra_json_schema={"minProperties": 1, "maxProperties": 1})]


class FaultBody(Input):
    """A fault, with the members of `Fault.spec`; which belong together depends on `kind`."""

    kind: Literal["refusal", "bank_down", "no_rate", "slow", "sca", "submit_payment"] = "refusal"
    code: Union[Word, UnsetType] = UNSET
    status: Union[Annotated[int, Meta(ge=400, le=599)], UnsetType] = UNSET
    seconds: Union[Annotated[float, Meta(gt=0, le=31_622_400)], UnsetType] = UNSET
    outcome: Union[Literal["aborted", "expired", "failed"], UnsetType] = UNSET
    operation: Union[Word, UnsetType] = UNSET
    tpp: Union[Word, UnsetType] = UNSET
    product: Union[Word, UnsetType] = UNSET
    target: Union[Word, UnsetType] = UNSET
    nth: Union[Count, UnsetType] = UNSET
    times: Union[Count, UnsetType] = UNSET
    probability: Union[Annotated[float, Meta(gt=0, le=1)], UnsetType] = UNSET


class FaultView(Output):
    id: int
    spec: dict[str, Any]
    seen: int
    hits: int


class Provoke(Input):
    code: Word


class ProvokedView(Output):
    method: str
    target: str
    headers: list[tuple[str, str]]
    body: str
    code: str
    status: int
    reason: str


class Authorise(Input):
    """As `sandbox.authorise`."""

    sca_redirect: Annotated[str, Meta(min_length=1, max_length=2000)]
    customer_number: Word = "13039319955"
    context: Literal["PRIVATE", "CORPORATE"] = "PRIVATE"
    agreement: Optional[Word] = None
    accounts: Optional[Annotated[list[Word], Meta(max_length=1000)]] = None
    approve: bool = True


class Callback(Output):
    callback: str
    """Where the PSU is sent back to."""


class ConsentRevocation(Input):
    customer_number: Word
    tpp: Word
    """The organisation id of a TPP."""


class PaymentReport(Input):
    payment_id: Word
    status: Word
    funds_available: Optional[bool] = None


class Hold(Input):
    payment_id: Word
    why: Optional[Annotated[str, Meta(max_length=400)]] = None


class Release(Input):
    payment_id: Word


class CardStatus(Input):
    card_account_id: Word
    status: Literal["enabled", "blocked", "deleted"]


class ScaDemand(Input):
    customer_number: Word
    demand: Literal["demanded", "exempt", "as_ruled"]


class NewTpp(Input):
    name: Word
    roles: Annotated[tuple[Word, ...], Meta(max_length=10)] = ("AISP", "PISP")


class TppView(Output):
    name: str
    organisation_id: str
    roles: list[str]
    certificate_pem: str
    private_key_pem: str


class TppListed(Output):
    name: str
    organisation_id: str


class Sign(Input):
    """A request to be signed as the TPP's client would; see `Tpp.sign`."""

    method: Annotated[str, Meta(min_length=1, max_length=20)]
    target: LongText
    headers: Annotated[tuple[tuple[str, str], ...], Meta(max_length=100)] = ()
    body: str = ""


class SignedView(Output):
    headers: list[tuple[str, str]]


class Trust(Input):
    pem: Pem


class TrustView(Output):
    root_pem: str


class Population(Input):
    persons: Annotated[int, Meta(ge=0, le=100_000)] = 100
    companies: Annotated[int, Meta(ge=0, le=10_000)] = 4
    months: Annotated[int, Meta(ge=0, le=120)] = 12
    lives_on: Annotated[bool, Meta(description="Whether the lives go on when the clock moves.")] = False
    cases: Annotated[int, Meta(ge=0, le=1000)] = 0
    events: Annotated[bool, Meta(description="Whether there are life events.")] = False


class SnapshotView(Output):
    id: int
    at: datetime
    """What the clock showed."""
    bytes: int


class Restored(Output):
    """What a snapshot was restored to."""

    now: datetime


# In a query msgspec would take a number for a time.
TimeText = Annotated[
    str, Meta(min_length=1, max_length=40, description="RFC 3339, such as `2026-09-01T10:00:00Z`.")
]


class ConsentQuery(Input):
    psu: Union[Word, UnsetType] = UNSET
    tpp: Union[Word, UnsetType] = UNSET
    after: Union[Word, UnsetType] = UNSET
    """The `id` of the last row of the page before."""
    limit: Annotated[int, Meta(ge=1, le=1000)] = 200


class PaymentQuery(ConsentQuery):
    status: Union[Word, UnsetType] = UNSET
    created_from: Union[TimeText, UnsetType] = UNSET
    created_to: Union[TimeText, UnsetType] = UNSET


class StatisticsQuery(Input):
    """Both days are included, Europe/Oslo."""

    first_day: date
    last_day: date
    tpp: Union[Word, UnsetType] = UNSET


class NewBlock(Input):
    """Either a TPP or a certificate."""

    tpp: Union[Word, UnsetType] = UNSET
    certificate: Union[Word, UnsetType] = UNSET
    """SHA-256 of its DER, hexadecimal."""
    until: Union[Moment, UnsetType] = UNSET
    why: Annotated[str, Meta(max_length=400)] = ""


class BlockQuery(Input):
    tpp: Union[Word, UnsetType] = UNSET
    certificate: Union[Word, UnsetType] = UNSET


class TableListed(Output):
    name: str
    columns: list[str]


class TableQuery(Input):
    format: Literal["arrow", "parquet", "csv"] = "arrow"
    columns: Optional[Word] = None
    """Their names, with commas between; every column if it is absent."""


class StateQuery(Input):
    limit: Annotated[int, Meta(ge=1, le=10_000)] = 100
    member: Union[Word, UnsetType] = UNSET
    value: Union[Word, UnsetType] = UNSET


class CoverageQuery(Input):
    family: bool = False


class EntryForm(Input):
    form: Literal["json", "har", "curl", "text"] = "json"
    redact: bool = True


class JournalQuery(Input):
    form: Literal["json", "har", "curl", "pytest", "text"] = "json"
    last: Union[Annotated[int, Meta(ge=1, le=10_000)], UnsetType] = UNSET
    redact: bool = True
    tpp: Union[Word, UnsetType] = UNSET
    operation: Union[Word, UnsetType] = UNSET
    status: Union[Annotated[int, Meta(ge=100, le=599)], UnsetType] = UNSET
    reason: Union[Word, UnsetType] = UNSET


class EntryView(Output):
    number: int
    at: datetime
    kind: Literal["call", "control"]
    text: str
    """What was done, in words."""
    happened: list[str]
    method: Optional[str] = None
    target: Optional[str] = None
    headers: Optional[list[tuple[str, str]]] = None
    body: Optional[str] = None
    """As text; bytes that are not UTF-8 as `\\xNN`."""
    status: Optional[int] = None
    answer_headers: Optional[list[tuple[str, str]]] = None
    answer_body: Optional[str] = None
    """As `body`, decompressed."""
    reason: Optional[str] = None
    reasons: Optional[list[str]] = None
    operation: Optional[str] = None
    tpp: Optional[str] = None


class ExplanationView(Output):
    ok: bool
    reason: Optional[str]
    mistake: Optional[str]
    text: str
    proof: Optional[str]
    expected: Optional[str]
    signed: Optional[str]
