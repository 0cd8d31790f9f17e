"""The stub of ``xs2a.Engine``, which lives in the native module."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, final

from xs2a._bank import Bank
from xs2a._native import Response, Tpp, _Body, _Headers, _Pem, _Time
from xs2a._registry import CachedRegistry, Registry
from xs2a._values import RunReport, SetAsideOrder

@final
class Engine:
    """An access-to-account engine over the bank's own core.

    Its methods may be called from any thread at the same time, by the bank that it asks too, as deep as
    ``xs2a.Bank`` says; after ``close`` they raise ``MisuseError``. ``sandbox.engine`` is the one behind a
    sandbox, which opens and closes it.
    """

    def __new__(
        cls,
        bank: Bank,
        *,
        database: str,
        trust_anchors: _Pem,
        registry: CachedRegistry | Registry | Callable[[str], bool] | None = None,
        clock: Callable[[], datetime] | None = None,
        policy: dict[str, Any] | None = None,
        response_key: tuple[_Pem, _Pem] | None = None,
        order_lease_seconds: int | None = None,
    ) -> Engine:
        """Open an engine, in production's defaults.

        bank: an object with the methods of ``xs2a.Bank``.
        database: ``"sqlite:///absolute/path"``, a file that is made where there is none;
            ``"postgresql://user@host/database"`` (docs/guide/postgresql.md); or ``"sqlite::memory:"``, for
            tests.
        trust_anchors: PEM of the certificates that count, as text, a bundle or several.
        registry: returns whether the TPP with an authorisation number, such as ``"PSDNO-FSA-912345678"``, is
            registered; asked on every call, or as ``CachedRegistry`` says. None: every certificate that leads
            to a trust anchor counts, or who is in what ``replace_register`` was given.
        clock: returns the time, as an aware datetime. What it raises comes out of the call. None: the
            machine's.
        policy: settings by name, such as ``{"sca_origin": "https://sca.bank.example"}``; all have a default
            (docs/configuration.md).
        response_key: PEM of the certificate and of the private key that every answer is signed with.
            Required where the policy has ``sign_responses``.
        order_lease_seconds: for how many seconds, up to 4294967295, the node that delivers orders has them
            for itself; ``bank`` takes less than three quarters of that for one. None: 60.

        It logs to ``logging.getLogger("xs2a")`` and loggers below it.

        Raises ``ConfigError`` for a bank that lacks a method, an address, an anchor, a key or a policy that
        cannot be used; ``StoreError`` for a database that cannot be opened.
        """

    def handle(self, method: str, target: str, headers: _Headers, body: _Body | None = b"") -> Response:
        """Answer one request, as ``Sandbox.handle`` does."""

    def handle_http(self, message: _Body) -> bytes:
        """Answer one HTTP/1.1 request as bytes, as ``Sandbox.handle_http`` does."""

    def authorisation(self, authorisation_id: str) -> dict[str, Any] | None:
        """What the bank's SCA site must show for the id in a link, ``{sca_origin}{base_path}/sca/{id}``;
        None: the link is unknown, used or dead.

        ``{"authorisationId", "tpp", "kind", "orders", "language", "expiresAt"}``, and ``"person"``,
        ``"identity"``, ``"context"``, ``"corporate"``, ``"brand"`` where the call named them. kind:
        ``"payment"``, ``"cancellation"``, ``"basket"``, ``"consent"``, ``"identification"``. orders: payment
        bodies, with amounts and payees, each with its ``paymentId``, ``product`` and ``fee`` as the bank
        receives them.
        """

    def complete_sca(
        self,
        authorisation_id: str,
        outcome: Literal["approved", "aborted", "failed", "psuUnknown", "otherPsu"],
        *,
        person: str | None = None,
        context: Literal["PRIVATE", "CORPORATE"] = "PRIVATE",
        corporate: str | None = None,
        accounts: Iterable[str] | None = None,
        card_accounts: Iterable[str] | None = None,
    ) -> str:
        """End an authorisation with what the customer (PSU) did at the bank's SCA site. Returns the URL the
        customer is sent back to. Then call ``run_due``.

        person, context, corporate: who approved, by the bank's own references; for ``"approved"`` alone.
        accounts, card_accounts: ids of what a consent opens; both None: all that the bank offers. An SCA
            for anything else opens none, and they are not looked at.

        ``MisuseError`` for a link that is unknown, used or dead, an account that is not offered, and
        arguments that do not belong together; ``BankError`` where the bank fails. The link then stays open.
        """

    def revoke_consent(self, person: str, tpp: Tpp | str) -> None:
        """Take back what a person, by the bank's own reference, opened to a TPP, in every context. Doing so
        again changes nothing.

        tpp: its authorisation number. ``MisuseError`` for a person with U+0000 in it.
        """

    def report_payment_status(
        self, payment_id: str, status: str, funds_available: bool | None = None
    ) -> None:
        """Report the status of a payment at the bank, such as ``"ACSC"`` for one that was settled.
        ``MisuseError`` for an unknown payment or status, and for a status that cannot follow."""

    def run_due(self) -> RunReport:
        """Hand to the bank what is due by now: from a timer, no later than ``next_due`` says, and after each
        completed SCA. It also forgets what is over in the database, so that a gateway without payments calls
        it once in a while too. In a sandbox nothing is left over: every call ends with this.

        It ends after the payment it is at where the engine is closed, or the bank raises
        ``KeyboardInterrupt`` or ``SystemExit``, as a signal's handler may. The rest stays due."""

    def next_due(self) -> datetime | None:
        """When ``run_due`` has something to do next, in UTC; None: nothing is waiting now. The next completed
        SCA may order something, and so may the next call, where the bank exempts payments from theirs."""

    def set_aside(self) -> list[SetAsideOrder]:
        """Payments that the bank cannot take, the longest first, at most 1000: it answered what cannot be, or
        they failed ten times by their own fault. Each stays as it was until ``retry_order``, or until
        ``report_payment_status`` reports its status. Watch this list."""

    def retry_order(self, payment_id: str) -> None:
        """Let a payment that is set aside be delivered again. ``MisuseError`` where it is not."""

    def audit(self, start: _Time, end: _Time) -> Iterator[dict[str, Any]]:
        """The audit from a time until before another, oldest first, line by line; docs/guide/audit.md has the
        members. It is read as the iterator goes, so an engine that is closed before its end
        raises ``MisuseError``."""

    def replace_trust_anchors(self, trust_anchors: _Pem) -> int:
        """Put other trust anchors in the place of those there are: PEM of certificates, one or several. From
        the next call on the new ones count alone. Returns how many there are.

        ``ConfigError`` for what holds no certificate, or one that cannot be read; the old ones then stay.
        ``MisuseError``, here and below, for the engine of a sandbox.
        """

    def supply_crl(self, lists: str | _Body, authorities: _Pem) -> int:
        """Take certificate revocation lists: one in DER, or one or several in PEM, each in the place of the
        one that its issuer's key signed before. They count from the next call on. Returns how many there
        were. They are not in the database: supply them after every start, before the first request, or who
        is revoked is in again.

        authorities: PEM of the certificates of those who may have issued them.

        ``ConfigError`` for a list or an authority that cannot be read; a list that is older than the one
        there, of an issuer that is not named, a delta list, without nextUpdate, with a wrong signature.
        Nothing is taken then.
        """

    def clear_crls(self) -> None:
        """Forget every revocation list that was supplied."""

    def next_crl_due(self) -> datetime | None:
        """When the first revocation list ceases to count, in UTC: supply the next one before. None: there is
        none, as after each start."""

    def replace_register(self, extract: str | _Body) -> int:
        """Put an extract of the European Banking Authority's register, JSON as that publishes it, in the
        place of the one there is. From the next call on a TPP that it has not is refused. Returns how many
        institutions count. It is not in the database: supply it after every start, before the first request.

        ``ConfigError`` for another form; the old one then stays. ``MisuseError`` for an engine with a
        ``registry`` of its own.
        """

    def forget_registration(self, organisation_id: str) -> None:
        """Forget what the ``CachedRegistry`` answered about a TPP: it is asked at that TPP's next call. For
        notices of withdrawal. ``MisuseError`` for an engine without a ``registry``."""

    def close(self) -> None:
        """Close the engine; the database is closed when the calls under way have ended, of which ``run_due``
        ends after the payment it is at. Closing twice is fine. A bank that keeps its engine need not be taken
        apart: the garbage collector frees both.
        ``MisuseError`` for the engine of a sandbox: close that."""

    def __enter__(self) -> Engine: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...
