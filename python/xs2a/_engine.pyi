"""The stub of ``xs2a.Engine``, which lives in the native module."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from types import TracebackType
from typing import Any, Literal, final

from xs2a._bank import Bank
from xs2a._native import Response, Tpp, _Body, _Headers, _Pem, _Time
from xs2a._registry import CachedRegistry, Registry
from xs2a._values import DeadLetter, RunReport

@final
class Engine:
    """An access-to-account engine over the bank's own core.

    Its methods may be called from any thread at the same time, also by the bank that it asks, up to the depth
    that ``xs2a.Bank`` documents; after ``close`` they raise ``MisuseError``. ``sandbox.engine`` is the one
    behind a sandbox, which opens and closes it.
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
        response_key: tuple[_Pem, _Pem | Callable[[bytes], bytes]] | None = None,
        order_lease_seconds: int | None = None,
        bank_id: str | None = None,
        revocation: Callable[[bytes, bytes | None], Literal["good", "revoked", "stale", "unknown"]]
        | None = None,
    ) -> Engine:
        """Open an engine with the defaults of production.

        bank: an object with the methods of ``xs2a.Bank``.
        database: ``"sqlite:///absolute/path"``, a file that is created if it does not exist;
            ``"postgresql://user@host/database"`` (xs2a/docs/postgresql.md); or ``"sqlite::memory:"``, for
            tests.
        trust_anchors: PEM of the trusted certificates, as text, a bundle or several.
        registry: returns whether the TPP with an authorisation number, such as ``"PSDNO-FSA-912345678"``, is
            registered; called on every call, or less often with ``CachedRegistry``. None: every certificate
            that leads to a trust anchor counts, or only the TPPs in the extract of ``replace_register``.
        clock: returns the time, as an aware datetime. Its exceptions leave the call. None: the
            machine's, which a library that freezes the time does not change.
        policy: settings by name, such as ``{"sca_origin": "https://sca.bank.example"}``; all have a default
            (xs2a/docs/configuration.md).
        response_key: PEM of the certificate and of the private key that every answer is signed with.
            In the key's place a callable may sign, with a key in an HSM: it gets bytes and returns their
            signature, RSASSA-PKCS1-v1_5 with SHA-256, the hash included. Required with the policy
            ``sign_responses``.
        order_lease_seconds: for how many seconds, up to 4294967295, a node claims the orders that it
            delivers; the bank must answer within three quarters of that. None: 60.

        bank_id: the id of the bank, 1 to 64 letters, digits, ``.``, ``_`` and ``-``. The first engine with
            one stores it in the database, which then refuses every engine with another id, and with none.
        revocation: for revocation by OCSP, or by a service of yours. Gets a certificate and its issuer's in
            DER (None for a certificate that is itself a trust anchor); returns ``"good"``, ``"revoked"``,
            ``"stale"`` if no answer is current (policy ``stale_crl``), or ``"unknown"`` (policy
            ``missing_crl``). Called on every call for every certificate of the chain except its anchor: keep
            each answer until its nextUpdate. None: the lists of ``supply_crl`` decide.

        It logs to ``logging.getLogger("xs2a")`` and loggers below it.

        Raises ``ConfigError`` for a bank that lacks a method, an address, an anchor, a key or a policy that
        cannot be used, and for a database of another bank; ``StoreError`` for a database that cannot be
        opened.
        """

    def handle(
        self,
        method: str,
        target: str,
        headers: _Headers,
        body: _Body | None = b"",
        *,
        correlation_id: str | None = None,
    ) -> Response:
        """Answer one request, as ``Sandbox.handle`` does."""

    def handle_http(self, message: _Body) -> bytes:
        """Answer one HTTP/1.1 request as bytes, as ``Sandbox.handle_http`` does."""

    def authorisation(self, authorisation_id: str) -> dict[str, Any] | None:
        """What the bank's SCA site must show for the id in a link, ``{sca_origin}{base_path}/sca/{id}``;
        None: the link is unknown, used or expired.

        ``{"authorisationId", "tpp", "kind", "orders", "language", "expiresAt"}``, ``"tppName"`` if the
        register or the TPP's certificate has a name, and ``"person"``, ``"identity"``, ``"context"``,
        ``"corporate"``, ``"brand"`` if the call named them. kind:
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
        """End an authorisation with the outcome at the bank's SCA site. Returns the URL the
        customer is sent back to. Then call ``run_due``.

        person, context, corporate: who approved, by the bank's own references; only for ``"approved"``.
        accounts, card_accounts: ids of the accounts of a consent; both None: all that the bank offers. Only
            read for a consent.

        ``NotFoundError`` for a link that is unknown, ``ExpiredError`` for one that is used or older than ten
        minutes, ``NotOfferedError`` for an account that is not offered; these are kinds of ``MisuseError``,
        which is raised for arguments that cannot be combined. ``BankError`` if the bank fails. After the last
        three the link stays open.
        """

    def revoke_consent(self, person: str, tpp: Tpp | str) -> bool:
        """Revoke the consents of a person, by the bank's own reference, to a TPP, in every context. Returns
        True if there was one that was not revoked before, an expired one included; otherwise nothing is
        changed.

        tpp: its authorisation number. ``MisuseError`` for a person with U+0000 in it.
        """

    def consents(
        self,
        *,
        psu: str | None = None,
        tpp: Tpp | str | None = None,
        after: str | None = None,
        limit: int | None = 200,
    ) -> list[dict[str, Any]]:
        """Consents that count and ended ones, the newest first; those that were revoked or replaced for two
        years. Each has ``id``, ``state`` (``"valid"``, ``"expired"``, ``"revokedByPsu"`` or
        ``"replaced"``), ``tpp``, ``psu``, ``context``, ``purpose``, ``accounts``, ``cardAccounts``,
        ``grantedAt`` and ``validUntil``, and ``tppName``, ``corporate``, ``lastAccessAt``, ``endedAt`` and
        ``endedWhy`` if there is one. Times are RFC 3339 texts; ``lastAccessAt`` is at most a minute too
        early.

        psu: the person, by the bank's own reference. after: the ``id`` of the last row of the page before.
        limit: 1 to 1000. ``MisuseError`` for other values.
        """

    def payments(
        self,
        *,
        psu: str | None = None,
        tpp: Tpp | str | None = None,
        status: str | None = None,
        created_from: _Time | None = None,
        created_to: _Time | None = None,
        after: str | None = None,
        limit: int | None = 200,
    ) -> list[dict[str, Any]]:
        """Payments, the newest first. Each has ``id``, ``tpp``, ``product``, ``status``, ``order`` (the body
        as the TPP sent it), ``fee`` and ``createdAt``, and ``psu``, ``context``, ``corporate``,
        ``fundsAvailable``, ``onHold``, ``basketId`` and ``authorisedAt`` if there is one.

        created_to: the time before which they were created. after, limit: as for ``consents``. A page is
        shorter than ``limit`` if its orders have 8 MiB; the end of the list is an empty page.
        ``MisuseError`` for an unknown status, an ``after`` of no payment, and other values.
        """

    def payment(self, payment_id: str) -> dict[str, Any] | None:
        """A payment as in ``payments``, with its ``events``, oldest first: dicts of ``at``, ``from``, ``to``
        and ``cause``. None: no payment has the id."""

    def block(
        self,
        *,
        tpp: Tpp | str | None = None,
        certificate: str | None = None,
        until: _Time | None = None,
        why: str = "",
    ) -> None:
        """Refuse the calls of a TPP, or those made with one certificate, on every node from its next call on.
        The TPP is answered 403 FORBIDDEN. A call that is being answered is completed; what PSUs approved
        before stays.

        certificate: SHA-256 of its DER as 64 hexadecimal digits. until: when the block ends by itself. why:
        for the operator alone, at most 400 characters. ``MisuseError`` for both subjects or none, an
        ``until`` that is not later than now, and other values.
        """

    def unblock(self, *, tpp: Tpp | str | None = None, certificate: str | None = None) -> bool:
        """Remove a block. False: there was none."""

    def blocked(self) -> list[dict[str, Any]]:
        """The blocks that have not ended: dicts of ``tpp`` or ``certificate``, ``since``, ``why``, and
        ``until`` if the block ends by itself."""

    def report_payment_status(
        self, payment_id: str, status: str, funds_available: bool | None = None, *, on_hold: bool = False
    ) -> None:
        """Report the status of a payment at the bank, such as ``"ACSC"`` for one that was settled.
        ``MisuseError`` for an unknown payment or status, and for a status that cannot follow.

        on_hold: with ``"PDNG"``: the bank holds the payment, and its ``psuMessage`` says so until the next
            report, which is ``"PDNG"`` where the payment is merely released.
        """

    def run_due(self) -> RunReport:
        """Deliver the due orders to the bank. Call it from a timer, not later than ``next_due``, and after
        each completed SCA. It also writes evidence of reads and statistics that wait and deletes
        expired rows of the database, so a gateway without payments calls it from time to time too. In a
        sandbox every call ends with it.

        If the engine is closed during a run, or the bank raises ``KeyboardInterrupt`` or ``SystemExit``, as a
        signal handler may, the run ends after the present payment. The other orders stay due."""

    def next_due(self) -> datetime | None:
        """When ``run_due`` has something to do next, in UTC: to deliver an order, or to write evidence of
        reads or statistics. None: nothing waits now. The next call may add both, the next completed SCA may
        add an order, and so may the next call, if the bank exempts payments from their SCA."""

    def dead_letters(self) -> list[DeadLetter]:
        """Orders that are not delivered any more, the oldest first, at most 1000: the bank answered a status
        that the payment cannot get, or the order failed ten times by its own fault. Their payments do not
        change until ``retry_order`` or ``report_payment_status``. Monitor this list."""

    def health(self) -> dict[str, Any]:
        """Whether the engine can do its work now: ``{"ok", "store", "outbox", "trustAnchors", "seal",
        "revocationLists", "error"}``. ``"ok"``: the database can be read and written, a trust anchor is valid
        now, and so is the seal if there is one. It reads the database and writes nothing. What fails is part
        of the result; ``MisuseError`` for a closed engine alone."""

    def metrics(self) -> str:
        """The figures of this engine in Prometheus' text format, version 0.0.4: what it has counted since it
        was made, and the state of database, outbox and certificates now."""

    def erase_psu(self, psu: str) -> dict[str, Any]:
        """Delete what the database has of a person, by the bank's own reference, and no law keeps: consents,
        sessions, links, the ids by which TPPs know the person, counts of calls. Returns ``erased``, the
        number of deleted rows by their kind, and ``kept``, a list of dicts of ``what``, ``count``, ``until``
        and ``why``; ``until`` is absent for what stays until you delete it.

        ``ConflictError`` if a payment of the person is open; it names the payment, and nothing is deleted.
        """

    def statistics(
        self, first_day: date | str, last_day: date | str, *, tpp: Tpp | str | None = None
    ) -> list[dict[str, Any]]:
        """The figures of the interface for each day (Europe/Oslo) from the first to the last, at most 400:
        ``day``, ``seconds``, ``uptimePercent``, ``downtimeSeconds``, and ``aisp``, ``pisp`` and ``all``:
        dicts of ``requests``, ``refused``, ``errors``, and ``errorRate`` (0 to 1) and ``meanMillis`` if there
        is one. ``operations`` has the same by operation. xs2a/docs/statistics.md defines each figure.

        Days are dates, or texts such as ``"2026-09-01"``. tpp: only its requests; the interface is down for
            all TPPs. ``MisuseError`` for other days. A sandbox counts with policy ``statistics`` alone.
        """

    def statistics_csv(
        self, first_day: date | str, last_day: date | str, *, tpp: Tpp | str | None = None
    ) -> str:
        """As ``statistics``, as a CSV with a header and a row for each day, without ``operations``."""

    def retry_order(self, payment_id: str) -> None:
        """Let a dead letter be delivered again. ``MisuseError`` if the payment has none."""

    def audit(self, start: _Time, end: _Time) -> Iterator[dict[str, Any]]:
        """The audit from a time until before another, oldest first, line by line; xs2a/docs/audit.md has the
        members. It is read page by page, so the iterator raises ``MisuseError`` if the engine is closed
        before its end."""

    def replace_trust_anchors(self, trust_anchors: _Pem) -> int:
        """Replace the trust anchors: PEM of certificates, one or several. Only the new ones count from the
        next call on. Returns their number.

        ``ConfigError`` for a text without a certificate, or with one that cannot be read; the old ones stay.
        ``MisuseError``, here and below, for the engine of a sandbox.
        """

    def supply_crl(self, lists: str | _Body, authorities: _Pem) -> int:
        """Take certificate revocation lists: one in DER, or one or several in PEM. Each replaces the
        earlier list of the same issuer key. They count from the next call on. Returns their number. They are
        not stored in the database: supply them after every start, before the first request, or revoked
        certificates are accepted again.

        authorities: PEM of the certificates that may have issued them.

        ``ConfigError`` for a list or an authority that cannot be read; a list that is older than the one
        there, of an issuer that is not named, a delta list, without nextUpdate, with a wrong signature.
        No list is taken then.
        """

    def clear_crls(self) -> None:
        """Remove every supplied revocation list."""

    def next_crl_due(self) -> datetime | None:
        """When the first revocation list expires, in UTC: supply the next one before. None: there is none, as
        after each start."""

    def replace_response_key(
        self,
        *,
        certificate: _Pem,
        private_key: _Pem | None = None,
        sign: Callable[[bytes], bytes] | None = None,
    ) -> None:
        """Replace the seal that answers are signed with, by a private key or by a callable as
        ``response_key`` of the constructor takes it, which is called once here. It counts from the next call
        on. An engine that signed no answers signs them from then on.

        Each signature of a callable is verified with the certificate. If the callable raises, or its
        signature does not verify, the TPP is answered 500 without a signature and without data, and calls are
        refused, unprocessed, until it works again.

        ``ConfigError`` for a certificate or a key that cannot be used, and for a signature that does not
        verify; ``BankError`` if the callable raises; the old seal then stays. ``MisuseError`` unless there is
        one of the two, and for the engine of a sandbox.
        """

    def replace_register(self, extract: str | _Body) -> int:
        """Replace the extract of the European Banking Authority's register, JSON as published. From the next
        call on, a TPP is refused that is not in it, or that it does not allow the service in the bank's
        country (policy ``country``). Returns the number of institutions. It is not stored in the database:
        supply it after every start, before the first request.

        ``ConfigError`` for another form; the old one then stays. ``MisuseError`` for an engine with a
        ``registry`` of its own.
        """

    def forget_registration(self, organisation_id: str) -> None:
        """Remove the cached answer of the ``CachedRegistry`` about a TPP: it is asked at that TPP's next
        call. For notices of withdrawal. ``MisuseError`` for an engine without a ``registry``."""

    def close(self) -> None:
        """Close the engine, after it has written evidence of reads that waits: ``StoreError`` if that fails,
        and the engine is closed all the same. The database is closed when the calls in progress have ended;
        evidence of reads by them is lost. A ``run_due`` in progress ends after its present payment. Closing
        twice is allowed. A bank may refer to its engine: the garbage collector frees both. ``MisuseError``
        for the engine of a sandbox: close the sandbox."""

    def __enter__(self) -> Engine: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...
