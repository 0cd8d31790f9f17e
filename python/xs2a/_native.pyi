"""The native half of the package. Users import ``xs2a``, where all of this and the plain values are.

Unless documented otherwise a function raises ``TypeError`` for a value of another type and
``xs2a.MisuseError`` for an invalid value. ``contract`` is the API contract this library implements.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from os import PathLike
from types import TracebackType
from typing import Any, Literal, TypeAlias, final

from xs2a._calls import Calls
from xs2a._coverage import Coverage
from xs2a._engine import Engine
from xs2a._journal import Journal
from xs2a._serve import Serving
from xs2a._table import Population, Table
from xs2a._trust import trusted_list_anchors
from xs2a._values import (
    Call,
    Certificate,
    Explanation,
    JournalCall,
    JournalNote,
    ProvokedRequest,
    TppMessage,
    Verification,
)
from xs2a._wsgi import Application

__all__ = [
    "COVERAGE_KINDS",
    "DATE_DEVIATION_SECONDS_MAX",
    "Clock",
    "Engine",
    "Fault",
    "Faults",
    "Population",
    "Response",
    "Sandbox",
    "Signer",
    "Table",
    "Tpp",
    "__version__",
    "account_number_is_valid",
    "basket_status",
    "bic_is_valid",
    "check_bank_answer_text",
    "coverage_of",
    "coverage_sum",
    "coverage_text",
    "coverage_untouched",
    "current_call",
    "decode_encoded_word",
    "diff",
    "digest",
    "explain",
    "iban_is_valid",
    "journal_clear",
    "journal_entries",
    "journal_explanation",
    "journal_export",
    "journal_last_number",
    "journal_length",
    "journal_newest_calls",
    "kid_is_valid",
    "minor_units",
    "mistakes",
    "openapi",
    "parse_certificate",
    "parse_distinguished_name",
    "parse_http_date",
    "payment_transitions",
    "restored_response",
    "signing_string",
    "state_rows",
    "trusted_list_anchors",
    "validate_payment",
    "verify_response",
    "verify_signature",
]

COVERAGE_KINDS: tuple[str, ...]
"""The kinds of rows of a coverage, by their names in the report."""
DATE_DEVIATION_SECONDS_MAX: int
"""The largest allowed difference between a request's Date and the bank's clock (contract: Limits)."""
__version__: str

_Body: TypeAlias = bytes | bytearray | memoryview
_Headers: TypeAlias = Mapping[str, str | bytes] | Iterable[tuple[str, str | bytes]]
_Time: TypeAlias = datetime | str
_Pem: TypeAlias = str | bytes | Sequence[str | bytes]

@final
class Sandbox:
    """A whole bank in memory or in one file: an engine, made-up customers, a clock you move, a test PKI.

    The same seed, the same ``now`` and the same calls give the same bytes, ids included. Its methods, and
    those of the objects that it returns, may be called from any thread at the same time; after ``close`` they
    raise ``MisuseError``. Use it as a context manager, or call ``close``.
    """

    def __new__(
        cls,
        database: str | PathLike[str] | None = None,
        *,
        now: _Time | None = None,
        seed: int = 0,
        base_path: str = "",
        policy: dict[str, Any] | None = None,
    ) -> Sandbox:
        """Open a sandbox; a new one holds the default data set.

        database: the path of an SQLite file, created if it does not exist; None for memory. Each time a file
            is opened, its next ids come from a new generation, so they do not repeat. For repeatable ids
            begin with ``restore`` of a ``snapshot`` or ``import_json`` of an ``export_json``.
        now: where the clock starts, an aware datetime or ISO 8601 text with an offset. None: the present as
            ``datetime.now`` shows it, also where a library freezes the time; for a file that exists, the
            stored time of its clock.
        seed: 0 to 2**64 - 1; every id, and the serial number of every certificate, comes from it. The root
            and the key pairs of the test PKI do not: they ship with the library, the same in every sandbox.
        base_path: the path before ``/v1`` in request targets, such as ``"/api-sandbox"``.
        policy: settings by name, such as ``{"require_session_headers": False}``; all have a default.

        Raises ``ConfigError`` for an unknown policy key, an invalid policy value or an invalid base path,
        ``StoreError`` for a database that cannot be opened, ``MisuseError`` for a naive datetime, a time
        outside of the years 1 to 9999 (UTC), a seed out of range, or a time before the stored time of the
        file's clock.
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
        """Answer one request, as a web server passes it on.

        method: such as ``"POST"``.
        target: path and query as sent, percent-encoding included.
        headers: a mapping, or (name, value) pairs in the order sent, where a name may come twice. A str value
            is sent as UTF-8; pass a value of another encoding as bytes (WSGI servers decode as
            latin-1: ``value.encode("latin-1")`` gives back what was sent).
        body: the bytes received, before any parsing, because the Digest covers them. A str is a
            ``TypeError``.
        correlation_id: your own id of the call, 1 to 64 visible ASCII characters. The bank gets it by
            ``current_call``; lines of log and audit have it.

        Every request is answered: 400 and 500 are normal results and never raise.
        ``MisuseError`` for a closed sandbox, a str with lone surrogates or another correlation_id.
        """

    def handle_http(self, message: _Body) -> bytes:
        """As ``handle``, for one HTTP/1.1 request as bytes. Returns the answer as the bytes to send.

        message: one complete request and nothing after it, whose body has a Content-Length. Any other message
            is answered 400, with the section of RFC 9112 that it breaks and the byte. It is not journalled.

        Close the connection after an answer that has ``Connection: close``.
        """

    def register_tpp(self, name: str, roles: Iterable[str] = ("AISP", "PISP")) -> Tpp:
        """Register a TPP, with a certificate and a key of the test PKI.

        The key is one of eight, in turn, and every sandbox has the same root: ``verify_signature`` accepts
        the certificate with the ``root_pem`` of another sandbox too.

        roles: ``"AISP"`` (account information), ``"PISP"`` (payment initiation), or a name of ETSI
            TS 119 495, such as ``"PSP_AI"``. Without a role it may only call operations that need none.

        ``MisuseError`` for another role, and for an empty name.
        """

    def tpp(self, organisation_id: str) -> Tpp:
        """A TPP that was registered before, such as ``"PSDNO-FSA-000001"``. It signs by the clock of this
        sandbox, so a test can continue in a fork, after ``restore``, and in a file that is opened again.

        ``MisuseError`` where the sandbox has no such TPP.
        """

    def trust(self, pem: _Pem) -> None:
        """Trust one more certificate, or each of a bundle: an authority, or a TPP's own. TPPs with
        certificates under it are then accepted and count as registered. Another process with a sandbox on
        the same file reads it when it opens the file again.

        pem: PEM text as str or bytes, or several of them. ``ConfigError`` where it holds no certificate that
            can be read.
        """

    def authorise(
        self,
        sca_redirect: str,
        customer_number: str = "13039319955",
        context: Literal["PRIVATE", "CORPORATE"] = "PRIVATE",
        agreement: str | None = None,
        accounts: Iterable[str] | None = None,
        approve: bool = True,
    ) -> str:
        """Do what the customer (PSU) does at the bank's SCA site, without a browser.

        sca_redirect: the ``href`` of the answer's ``_links.scaRedirect``.
        customer_number: the number that the customer enters; an unknown one fails the SCA, as the callback
            shows.
        context: for ``"CORPORATE"`` the agreement is chosen too.
        agreement: for ``"CORPORATE"`` alone, name or id of an agreement (the id where several have one name);
            None: the only one.
        accounts: the accounts of a consent, each a bban, an iban or a masked PAN; None: all that are
            offered, for a company those of the agreement. With None a customer without an account gives a
            consent to no account, although the bank's page only offers Cancel.
        approve: False: the customer cancels.

        Returns the URL the customer is sent back to: the request's TPP-Redirect-URI with psu-id,
        psu-corporate-id (corporate only), tpp-session-id and context, or with system, status, code and
        message after a failed SCA (contract: Authentication). ``MisuseError`` for a link that is unknown,
        used or expired, and for an agreement or an account that is not offered: it names those that are.
        ``BankError`` where a fault makes the bank fail.
        """

    def revoke_consent(self, customer_number: str, tpp: Tpp | str) -> None:
        """Revoke the consents of a customer to a TPP, in every context, as the customer may do at the bank at
        any time. A repetition changes nothing. The TPP is not notified: its next call is answered
        CONSENT_UNKNOWN.

        tpp: a TPP, or its organisation_id. ``MisuseError`` for a number that no private customer has, and
            for a TPP that is neither registered here nor known to the customer.
        """

    def report_payment_status(
        self, payment_id: str, status: str, funds_available: bool | None = None, *, on_hold: bool = False
    ) -> None:
        """Report the status of a payment from another channel of the bank, such as ``"CANC"`` for one that
        the customer cancelled in the bank's app. A payment that is reported cancelled or rejected is
        not carried out; it stays readable (contract: States and transitions). One that is reported settled
        (``"ACSC"``) is booked at once, before its batch; for a bulk in PART and for a periodic payment only
        the status changes. A bulk reported ``"PART"`` is not carried out any more: its entries were paid
        elsewhere.
        ``MisuseError`` for an unknown payment or status, for a status that cannot follow, and for ``"ACSC"``
        of a payment that cannot be booked completely, such as without funds; for ``"ACWP"`` of a bulk that is
        not booked yet: from there it could not become PART.

        on_hold: with ``"PDNG"``: as ``hold`` does.
        """

    def hold(self, payment_id: str, why: str | None = None) -> None:
        """Put a payment on hold: it is PDNG, with a ``psuMessage`` of its own that ends with ``why``, and no
        batch settles it until it is released, rejected or cancelled.

        why: at most 400 characters. ``MisuseError`` for an unknown payment, and for one that is not
            authorised or is settled.
        """

    def release(self, payment_id: str) -> None:
        """Release a payment that is on hold. If its day came before, the next batch settles it.
        ``MisuseError`` for an unknown payment, and for one that is not on hold."""

    @property
    def clock(self) -> Clock:
        """The clock of this sandbox."""

    @property
    def engine(self) -> Engine:
        """The engine behind this sandbox. The sandbox itself runs what is due after every call; its
        ``report_payment_status`` is the sandbox's."""

    @property
    def faults(self) -> Faults:
        """The injected faults. They belong to this object and not to its state: a snapshot holds none,
        ``restore`` and ``initialize`` keep them, and a fork begins without faults."""

    def provoke(self, code: str) -> ProvokedRequest:
        """A signed request that is answered with a code of the contract's section Errors, such as
        ``"KID_INVALID"``, if it is the sandbox's next request. It can be handled once.

        code: a code, or the id of a reason with a recipe, such as ``"DAT-02"``; ``MisuseError`` for another
            one, with the list of them.

        The sandbox is prepared for that: a TPP is registered, the first private customer
        of the default set may open accounts to it or order payments, ``CONSENT_EXPIRED`` moves the clock by
        180 days, ``SYSTEM_ERROR`` and ``PAYMENT_FAILED`` set a fault that strikes that TPP once. Use a fork
        if the sandbox must not change. ``MisuseError`` if the default set was changed so that it is not
        possible, and before 1950, when no certificate of the test PKI is valid; ``BankError`` if a fault
        makes the bank fail.

        The code is certain with default policies: with others the bank may refuse the request for another
        reason first, or accept it.
        """

    def snapshot(self) -> bytes:
        """The whole state, clock included, as bytes to keep."""

    def restore(self, image: _Body) -> None:
        """Restore a snapshot, clock included. ``MisuseError`` for bytes that are not a snapshot."""

    def _repr_html_(self) -> str: ...
    def export_json(self) -> str:
        """The whole state as canonical JSON (RFC 8785), to read, to keep under version control, to change.
        Equal states are equal texts. Policies and base path are not in it."""

    def import_json(self, text: str) -> None:
        """Import the state of an exported text: the same sandbox, the ids that follow included.

        The text may be spelled and spaced in any way, and changed by hand. ``MisuseError`` lists invalid
        values with their places (JSON Pointer), up to twenty at once; nothing is changed then. References
        between rows are checked if each row is valid by itself; sums and the keys of TPPs are checked last.
        The ``duplicateFingerprint`` of a payment is computed again.
        """

    def fork(self) -> Sandbox:
        """An independent copy in memory, at the same time and with the same TPPs."""

    def initialize(self) -> None:
        """Wipe customers, accounts, payments and authorisations, and load the default data set. Trust
        anchors, TPPs and the clock stay."""

    def set_card_status(self, card_account_id: str, status: str) -> None:
        """Give a card account the status ``enabled``, ``blocked`` or ``deleted``. Deleted is final.

        ``MisuseError`` after that, and for an unknown card account or status.
        """

    def set_sca_demand(self, customer_number: str, demand: str) -> None:
        """Set the result of the bank's risk analysis for a private customer from now on.

        ``demanded``: reading accounts is answered 401 SCA_INVALID with an ``scaRedirect`` until this person
        completes an SCA. ``exempt``: a payment with their PSU-ID is authorised without an SCA, and a
        TPP-Session-ID that was never seen reads accounts as a call without one does. ``as_ruled``: neither.
        ``MisuseError`` for a number that no private customer has, and for an unknown demand.
        """

    @property
    def policy(self) -> dict[str, Any]:
        """Every policy with its present value, to be read: what would change it raises ``TypeError``. Change
        policies with ``set_policy``; ``dict(sandbox.policy)`` is a copy of your own."""

    def set_policy(self, policy: dict[str, Any]) -> None:
        """Change some policies; the others stay. It takes effect from the next call on: each call is answered
        under one set of policies. Policies are not part of a snapshot; a fork begins with
        the present ones. ``ConfigError`` for an unknown key or an invalid value; nothing is changed
        then."""

    def reconcile(self) -> list[dict[str, Any]]:
        """Accounts whose balance differs from the sum of their bookings: normally ``[]``. Each entry is
        ``{"resourceId", "bban", "proven": {"amount", "currency"}, "booked": {…}}``."""

    def default_data(self) -> dict[str, Any]:
        """The default data set: ``{"customers": [{"customerNumber", "accounts": [{"bban", "iban",
        "currency"}], …}], …}``, with the creditor that has a KID agreement and the person engaged in both
        corporations."""

    def populate(
        self,
        *,
        persons: int = 100,
        companies: int = 4,
        months: int = 12,
        generator: str = "2026.1",
        lives_on: bool = False,
        cases: int = 0,
        events: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> dict[str, Any]:
        """Add generated customers with accounts, agreements and a consistent history of bookings: wages that
        one account pays and another receives, bills, purchases, cards that are used and paid.

        ``months``: the length of the history before the present month, of which it has the days before today;
        with 0 nothing is booked. The same seed and clock give the same first population, and the same second
        one; ``xs2a.Population`` has the rows of the first without a database. ``generator``: the version of
        the generator; what a version generates stays the same. ``cases``: so many cases of fraud or money
        laundering for a thousand persons, rounded up, at most 1000, which ``xs2a.Population(…, labels=True)``
        of the same arguments lists; honest payments that look like cases come with them. ``cases`` with
        ``lives_on`` is a ``MisuseError``. ``events``: persons change jobs, move, have children, retire and
        die, which ``xs2a.Population(…, labels=True, events=True)`` lists. The numbers of customers belong to
        no real person: identity numbers have 80 added to the month, organisation numbers begin with 3 and
        account numbers with 9999, card numbers are masked.

        ``lives_on``: when the clock moves, the lives go on. At each midnight in Oslo the bank books the day
        that ended, the same whether the clock moves in one step or in many, and the same as a longer
        ``months`` with the same first day. Lives take no notice of other payments to and from their accounts.
        They go on for at most 240 months from the first day, and 960 000 customers times months:
        moving the clock beyond that is a ``MisuseError``, and so is what a database in memory cannot hold.

        ``{"from": "2025-09-01", "transactions": …, "cardTransactions": …, "customers": […], "agreements":
        […]}``: the first day (None without a history), the numbers of bookings, all new customers and the
        agreements of companies, in the shapes of :meth:`default_data`, with the balances after the history.
        Without persons no company has an agreement.

        ``progress``: called again and again with how many customers have moved in, and how many there will
        be. What it raises ends the call, is raised by it, and nothing is changed. It cannot call a sandbox.

        At most 100 000 persons, 10 000 companies, 120 months, and 240 000 customers times months:
        ``MisuseError`` beyond that, if the history would begin before the year 1, and if the bank has no
        numbers left. A database in memory holds 1 GiB, some 29 000 persons times months: a population that
        does not fit is a ``MisuseError`` at once; use a file. ``StoreError`` if memory or disk is full.
        Nothing is changed then.
        """

    def tables(self) -> list[str]:
        """The names of the tables that :meth:`table` gives: among them ``customers``, ``accounts`` and
        ``transactions``."""

    def table(self, name: str, *, columns: Sequence[str] | None = None) -> Table:
        """A table of what the bank holds, for data frames and databases; with ``columns`` those alone, in
        that order. ``xs2a/docs/tables.md`` describes every column.

        ``MisuseError`` for a table or a column that does not exist, for one that is named twice, and for no
        columns.
        """

    def ledger(self, account: str) -> dict[str, Any]:
        """The ledger of one account, named by its bban or iban.

        ``{"account": {"resourceId", "currency", "name"}, "balance": {"amount", "currency"}, "bookings":
        […]}``, newest booking first; amounts are exact decimal text, negative where money left. The account
        has ``bban`` and ``iban`` where it has such numbers; a card account has neither. A booking, of either,
        has ``transactionId``, ``bookingDate``, ``valueDate``, ``amount``, ``currency`` and
        ``bankTransactionCode``. It may lack ``paymentId``, ``text`` (a fee, and a payment without message
        and reference), ``counterpartName``, ``counterpartAccount``, ``purposeCode``,
        ``proprietaryBankTransactionCode`` and ``currencyExchange``.
        ``MisuseError`` for a number that no account has. A notebook shows it as a table.
        """

    @property
    def journal(self) -> Journal:
        """The journal of this sandbox: every call with its answer, and every control step."""

    def calls(
        self,
        operation: str | None = None,
        *,
        method: str | None = None,
        target: str | None = None,
        tpp: Tpp | str | None = None,
        status: int | None = None,
        reason: str | None = None,
    ) -> Calls:
        """The calls of the journal that meet every condition given, oldest first, to be asserted on:
        ``sandbox.calls("createPayment").assert_called_once()``. They are those of now; a later call is not
        among them.

        operation: its name, such as ``"createPayment"``; ``xs2a.Coverage().untouched("operations")`` has all.
        method: such as ``"POST"``.
        target: a text that path and query contain.
        tpp: a TPP, or its organisation_id.
        status: the HTTP status of the answer.
        reason: the stable id of a refusal or warning of the answer, such as ``"SIG-07"``.

        ``MisuseError`` for an operation that does not exist, which would never be called.
        """

    def coverage(self, *, family: bool = False) -> Coverage:
        """Which operations, reasons, states and transitions it has seen; with ``family`` also those of the
        sandbox it was forked from and of all other forks of that, closed ones too."""

    @property
    def root_pem(self) -> str:
        """The root certificate of the test PKI, PEM: the trust anchor of the certificate that comes with
        answers where the policy has ``sign_responses``, and of TPPs' certificates. The same in every sandbox.
        Its key is public; trust it nowhere else."""

    @property
    def base_path(self) -> str:
        """The path before ``/v1`` in request targets."""

    @property
    def sca_origin(self) -> str:
        """Scheme and host of links to the bank's site: the policy's, or the value that was set here.

        Set it to the address at which you serve the bank; ``serve`` does so if the policy has none. A fork
        begins with the policy's. ``ConfigError`` for a text that is not scheme and host.
        """

    @sca_origin.setter
    def sca_origin(self, origin: str) -> None: ...
    @property
    def body_bytes_max(self) -> int:
        """The largest accepted request body in bytes (policy ``body_bytes_max``). A server can stop reading
        after it: a longer one is answered 413."""

    @property
    def wsgi(self) -> Application:
        """This sandbox as a WSGI application (PEP 3333), for a server of your own.

        Needs a server that passes the target as it was sent, in ``REQUEST_URI`` or ``RAW_URI``, as cheroot,
        gunicorn, uWSGI, waitress and Werkzeug do. WSGI folds repeated headers into one; ``serve`` does not.
        """

    def serve(
        self,
        port: int = 0,
        host: str = "127.0.0.1",
        certificate: str | PathLike[str] | None = None,
        key: str | PathLike[str] | None = None,
        *,
        real_time: bool = False,
        control: bool = False,
        control_port: int = 0,
        control_host: str = "127.0.0.1",
        control_token: str | None = None,
    ) -> Serving:
        """Serve this sandbox over HTTP/1.1 while the context lasts: ``with sandbox.serve() as url:``.

        The URL ends with the base path, so that an ``href`` of ``_links`` can follow it. Calls in the process
        and over the network use the same bank. Needs ``pip install xs2a[serve]``.

        port: 0: a free one.
        host: the address to listen at; ``"0.0.0.0"`` for all addresses of this machine. Links to the bank's
            site begin with it. ``0.0.0.0`` does not work in links from another machine: then set the policy
            ``sca_origin``.
        certificate, key: PEM files for TLS 1.2 and higher; the key may be in the certificate's file. None:
            plain HTTP.
        real_time: the clock follows the machine's: it is moved to the present before each served call, for
            clients that sign with the real time, and before ``Auth`` or ``xs2a.client`` signs. A request that
            ``tpp.sign`` signed by a clock that has not moved for a minute is answered at that time, and the
            clock moves to the present after it. A clock does not go back: while it is more than a minute
            ahead, because of ``now``, ``clock``, slow faults or an expired SCA, clients that sign with the
            real time are refused, until the machine's clock reaches it or an earlier snapshot is restored. On
            entering a warning is logged then. False: it changes only when you move it.

        control: also serve the control interface and the console, at an address of their own: on entering
            ``control_url`` of what this returns is set; ``GET /openapi.json`` there lists the routes.
        control_port, control_host: where; the port 0 is one that is free.
        control_token: what each call of the control interface must send as ``Authorization: Bearer …``;
            None: nothing.

        ``ConfigError`` for a port outside of 0 to 65535; on entering, for a port in use, an empty host
        or an address this machine does not have, or a certificate that cannot be used.
        """

    def close(self) -> None:
        """Close the database as soon as the calls in progress have ended. It does not wait for them, because
        one of them may call it, in the ``when`` of a fault. Evidence of reads that waits (policy
        ``audit_reads``) is written before: ``StoreError`` if that fails, and the sandbox is closed all the
        same. Closing twice is allowed."""

    def __enter__(self) -> Sandbox: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...

@final
class Faults:
    """The faults of a sandbox: ``sandbox.faults``. Iterating gives the active ones, the oldest first.

    Faults apply to a call after its signature, its TPP and the TPP's role were accepted: a faulty call itself
    is answered as usual. If several faults would end a call, the oldest does. Each method returns a
    ``Fault``, which ``remove`` or the end of a ``with`` removes.

    Arguments of most methods:

    operation: only calls of this operation, by its name, such as ``"getAccounts"``;
        ``xs2a.Coverage().untouched("operations")`` has all. None: every operation but the sandbox's own.
    tpp: only calls of this TPP, or of the one with this organisation_id.
    product: only calls whose path names this payment product.
    target: only calls whose path and query hold this text.
    when: only calls for which this returns true. It may be called from any thread. An exception counts as
        false and goes to ``sys.unraisablehook``; ``KeyboardInterrupt`` and ``SystemExit`` leave the call. It
        may call the sandbox, and is called for that call too, up to four levels deep: a deeper one is a
        ``RecursionError``, which counts as false. A reference to the sandbox in it is released when the fault
        is removed or the sandbox is closed.
    nth: from the nth of these calls on; without ``times`` only the nth.
    times: the largest number of strikes.
    probability: above 0 and up to 1; drawn from the sandbox's seed, without changing ids. If no fault is
        active, the first fault that is set after ``restore``, ``import_json``, ``initialize`` or ``clear``
        strikes the same calls as the first of a new sandbox, and so on.

    ``MisuseError`` for an unknown value, and for arguments that cannot be combined.
    """

    def add(
        self,
        code: str,
        *,
        status: int | None = None,
        operation: str | None = None,
        tpp: Tpp | str | None = None,
        product: str | None = None,
        target: str | None = None,
        when: Callable[[Call], object] | None = None,
        nth: int | None = None,
        times: int | None = None,
        probability: float | None = None,
    ) -> Fault:
        """Refuse calls with a code of the contract, as the bank would: with its status and headers, and on
        account information with the link if an SCA would resolve it. ``response.reason`` begins with
        ``FLT-``.

        status: for ``BAD_REQUEST`` (400, 405, 406, 413, 415), ``CONFLICT`` (409, 405) and
            ``RESOURCE_UNKNOWN`` (404, 400), which of them; None: the first.
        """

    def bank_down(
        self,
        *,
        operation: str | None = None,
        tpp: Tpp | str | None = None,
        product: str | None = None,
        target: str | None = None,
        when: Callable[[Call], object] | None = None,
        nth: int | None = None,
        times: int | None = None,
        probability: float | None = None,
    ) -> Fault:
        """Let the bank behind the engine fail: a call that asks it is answered SYSTEM_ERROR, any other call
        as usual. Without a condition on calls ``authorise`` raises ``BankError`` too, and authorised payments
        wait until the bank is back."""

    def no_rate(
        self,
        *,
        operation: str | None = None,
        tpp: Tpp | str | None = None,
        product: str | None = None,
        target: str | None = None,
        when: Callable[[Call], object] | None = None,
        nth: int | None = None,
        times: int | None = None,
        probability: float | None = None,
    ) -> Fault:
        """Let the bank have no exchange rates: PAYMENT_FAILED for a payment in another currency."""

    def slow(
        self,
        by: timedelta,
        *,
        operation: str | None = None,
        tpp: Tpp | str | None = None,
        product: str | None = None,
        target: str | None = None,
        when: Callable[[Call], object] | None = None,
        nth: int | None = None,
        times: int | None = None,
        probability: float | None = None,
    ) -> Fault:
        """Let the answer come late, by the sandbox's clock: when ``handle`` returns, the clock has moved, and
        due events have taken place. A link whose answer takes 10 minutes is expired."""

    def sca(
        self,
        outcome: Literal["aborted", "expired", "failed"],
        code: str | None = None,
        *,
        status: int | None = None,
        tpp: Tpp | str | None = None,
        nth: int | None = None,
        times: int | None = None,
        probability: float | None = None,
    ) -> Fault:
        """Let an SCA that the customer approves end with another outcome, by ``authorise`` and at the bank's
        page.

        ``"aborted"``: the customer cancels. ``"expired"``: the customer takes longer than the link is valid:
        the clock moves, ``authorise`` raises ``MisuseError``. ``"failed"``: the callback has ``code`` (None:
        SCA_INVALID).
        """

    def submit_payment(
        self,
        *,
        product: str | None = None,
        nth: int | None = None,
        times: int | None = None,
        probability: float | None = None,
    ) -> Fault:
        """Let the bank not take authorised payments when they are delivered. They are delivered again after
        1, 2, 4 … seconds (``clock.advance_to_next_event()``), and are carried out once."""

    def add_spec(self, spec: dict[str, Any]) -> Fault:
        """Set a fault as ``Fault.spec`` describes it, such as ``{"kind": "slow", "seconds": 2}``.
        ``MisuseError`` for an unknown member and a value that cannot be."""

    def clear(self) -> None:
        """Remove every fault, and restart the random draws of ``probability``."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Fault]: ...

@final
class Fault:
    """One fault. As a context manager it is removed at the end."""

    @property
    def id(self) -> int:
        """Its number in its sandbox, from 1 on."""

    @property
    def seen(self) -> int:
        """How many calls, SCAs or deliveries met its conditions."""

    @property
    def hits(self) -> int:
        """How often it struck. ``bank_down`` and ``no_rate`` strike every call that meets their conditions,
        whether or not it asks the bank."""

    @property
    def spec(self) -> dict[str, Any]:
        """What goes wrong, when and how often: ``kind`` (``refusal``, ``bank_down``, ``no_rate``, ``slow``,
        ``sca``, ``submit_payment``) and the arguments that were given; of a slow answer ``seconds``. The
        argument ``when`` is not in it."""

    def remove(self) -> None:
        """Remove it; its counts stay. A repetition changes nothing."""

    def __enter__(self) -> Fault: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...

@final
class Clock:
    """The clock of a sandbox: it changes only when it is moved, and never goes back.

    If events of the bank (payment batches) become due when it moves, each takes place at its own time and in
    order.
    """

    def now(self) -> datetime:
        """The time it shows, in UTC."""

    def set(self, t: _Time) -> None:
        """Move it to a time: an aware datetime or ISO 8601 text with an offset. ``MisuseError`` for an
        earlier time, one after the year 9999 (UTC), or a naive datetime."""

    def advance(self, by: timedelta) -> None:
        """Move it on. ``MisuseError`` for a negative timedelta, or one beyond the year 9999."""

    def next_event(self) -> datetime | None:
        """The next time at which the bank does something, in UTC; None: nothing is ever due. The clock
        stays."""

    def advance_to_next_event(self) -> datetime | None:
        """Move it to the time of the bank's next event, which then takes place. Returns that time, in UTC;
        None: no event waits, and the clock does not move."""

@final
class Tpp:
    """A TPP of a sandbox's test PKI: a certificate, a key, and the signing a client would do."""

    @property
    def name(self) -> str:
        """The name it was registered with."""

    @property
    def organisation_id(self) -> str:
        """The authorisation number of its certificate (organizationIdentifier, ETSI TS 119 495)."""

    @property
    def roles(self) -> tuple[str, ...]:
        """Its roles as given: ``"AISP"``, ``"PISP"``."""

    @property
    def certificate_pem(self) -> str:
        """Its certificate as PEM."""

    @property
    def private_key_pem(self) -> str:
        """Its private key as PEM (PKCS #8). A test key that ships with the library: it protects nothing."""

    def sign(
        self, method: str, target: str, headers: _Headers | None = (), body: _Body | None = b""
    ) -> list[tuple[str, str]]:
        """The given headers, plus Date (by the sandbox's clock), X-Request-ID, Digest (for a body, and for
        every POST, PUT and PATCH), TPP-Signature-Certificate and Signature, each where absent (contract:
        Authentication). X-Request-ID is derived from the sandbox's seed, so every run begins with the same
        ids: for another engine than the TPP's sandbox, pass your own X-Request-ID and Date.

        A given header is kept and signed unchanged, so a wrong one makes a wrong request.
        ``MisuseError`` for a value that is not UTF-8.
        """

@final
class Signer:
    """A TPP's certificate and private key, apart from any sandbox: it signs in another process what a served
    sandbox, or any bank of this interface, takes. ``xs2a serve --tpp FOLDER`` writes both files::

        folder = Path("acme")
        signer = xs2a.Signer(
            (folder / "certificate.pem").read_bytes(), (folder / "private_key.pem").read_bytes()
        )

    What takes a ``Tpp`` to sign takes a signer too, such as ``xs2a.httpx.Auth``. It can be pickled; the
    pickle holds the private key.
    """

    def __new__(cls, certificate: str | _Body, private_key: str | _Body) -> Signer:
        """certificate: PEM as text or bytes, or DER as bytes; of several the first.
        private_key: its RSA key of 2048 to 8192 bits, PKCS #8 or PKCS #1, without a password.

        ``ConfigError`` for what cannot be read, a certificate that may not sign, and a key of another
        certificate.
        """

    @property
    def certificate(self) -> Certificate:
        """What the certificate says of the TPP."""

    def sign(
        self, method: str, target: str, headers: _Headers | None = (), body: _Body | None = b""
    ) -> list[tuple[str, str]]:
        """The given headers, plus Date (the present as ``datetime.now`` shows it), X-Request-ID (a new one),
        Digest (for a body, and for every POST, PUT and PATCH), TPP-Signature-Certificate and Signature, each
        where absent (contract: Authentication).

        target: path and query as they will be sent, percent-encoding included.
        A header given is kept as it is and signed as it is. ``MisuseError`` for a value that is not UTF-8.
        """

@final
class Response:
    """The complete answer to one request. It can be pickled. A notebook shows it as a table."""

    @property
    def status(self) -> int:
        """The HTTP status."""

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Name and value of each header, in the order they are to be sent."""

    @property
    def body(self) -> bytes:
        """The body as sent: compressed where Content-Encoding says gzip; empty where there is none."""

    @property
    def reason(self) -> str | None:
        """The stable id of the first refusal, such as ``"SIG-07"``; None where nothing was refused. For logs
        and tests; not sent to the TPP."""

    @property
    def operation(self) -> str | None:
        """The name of the operation that the request was routed to, such as ``"createPayment"``; None for an
        unknown path."""

    @property
    def tpp(self) -> str | None:
        """The organisation identifier in the TPP's certificate, such as ``"PSDNO-FSA-912345678"``; None
        unless the certificate is valid. The call is proven to be that TPP's unless it was refused for its
        signature."""

    @property
    def tpp_name(self) -> str | None:
        """The name of the TPP in the subject of its certificate, as ``tpp``."""

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles in the TPP's certificate, such as ``("PSP_AI",)``, as ``tpp``."""

    @property
    def timing(self) -> dict[str, int]:
        """How long the call took, in microseconds: ``"total"``, and of that ``"bank"`` and ``"store"``,
        waiting for the bank and for the store."""

    @property
    def explanation(self) -> Explanation | None:
        """Of an answer of a sandbox: which mistake made certificate, Digest, Date or signature
        fail. Computed when it is asked for, 50 ms at most; None where authentication did not refuse the
        request."""

    def header(self, name: str) -> str | None:
        """The value of the first header of that name, in any case."""

    def json(self) -> Any:
        """The body as Python objects, decompressed first where need be. ``json.JSONDecodeError`` (a
        ``ValueError``) where it is not JSON: a 204, the SCA page."""

    def _repr_html_(self) -> str: ...

def journal_length(sandbox: Sandbox) -> int:
    """How many entries there are."""

def journal_entries(sandbox: Sandbox, start: int, stop: int) -> list[JournalCall | JournalNote]:
    """Entries from one place to another."""

def journal_export(
    sandbox: Sandbox, form: str, redact: bool, last: int | None, origin: str | None, number: int | None = None
) -> str: ...
def journal_last_number(sandbox: Sandbox) -> int:
    """The number of the newest entry, also of one that was deleted; 0 before the first."""

def journal_newest_calls(
    sandbox: Sandbox,
    limit: int,
    *,
    tpp: str | None = None,
    operation: str | None = None,
    status: int | None = None,
    reason: str | None = None,
) -> list[JournalCall]:
    """The newest calls with these attributes, newest first; absent ones are not looked at."""

def journal_explanation(sandbox: Sandbox, number: int) -> Explanation | None: ...
def journal_clear(sandbox: Sandbox) -> None: ...
def coverage_of(sandbox: Sandbox, family: bool) -> str: ...
def coverage_sum(coverages: Sequence[str]) -> str: ...
def coverage_text(coverage: str, untouched: bool) -> str: ...
def coverage_untouched(coverage: str, kind: str) -> list[str]: ...
def state_rows(
    sandbox: Sandbox, section: str, limit: int, member: str | None = None, value: str | None = None
) -> list[dict[str, Any]]:
    """The newest rows of one section of ``Sandbox.export_json``, newest first; with ``member`` only those
    whose member has that text. ``MisuseError`` for a section or a member that does not exist."""

def restored_response(
    status: int,
    headers: Sequence[tuple[str, str]],
    body: bytes,
    reason: str | None,
    explanation: Explanation | None,
    call: tuple[str | None, str | None, str | None, Sequence[str], Sequence[int]],
) -> Response: ...
def signing_string(method: str, target: str, headers: _Headers, names: Iterable[str]) -> str:
    """The text a TPP signs: a line ``name: value`` for each name, in that order (contract: Authentication).

    names: header names as in the ``headers`` part of Signature; ``"(request-target)"`` is allowed. Fields
    that occur more than once are joined with ``", "``. ``MisuseError`` for a name the request does not have
    or that is listed twice.
    """

def diff(before: _Body, after: _Body) -> list[str]:
    """What changed from one snapshot to another, one line each: ``payment enc!!…: RCVD → ACSC``. ``[]``: they
    hold the same. The order is the same each time; a thousand lines are the most, and a last one counts the
    others.

    ``MisuseError`` for bytes that are no whole snapshot.
    """

def digest(body: _Body, algorithm: str = "SHA-256") -> str:
    """The value of the Digest header for a body: ``"SHA-256=…"`` (RFC 3230, RFC 5843).

    algorithm: ``"SHA-256"`` or ``"SHA-512"``, in any case; another is a ``MisuseError``.
    """

def verify_signature(
    method: str,
    target: str,
    headers: _Headers,
    body: _Body,
    *,
    now: _Time,
    trust_anchors: _Pem | None = None,
) -> Verification:
    """Check certificate, Digest, Date and Signature of a request, as the engine does.

    What the engine asks besides is not looked at: an ``X-Request-ID``, an organizationIdentifier, a role.

    now: the time to judge Date and certificate by.
    trust_anchors: PEM of the trusted authorities, as text, a bundle or several; None: the chain is not looked
        at.

    A request that does not verify is a result, with its reason. ``ConfigError`` for anchors that cannot be
    read.
    """

def verify_response(
    headers: _Headers,
    body: _Body,
    *,
    now: _Time | None = None,
    trust_anchors: _Pem | None = None,
) -> Verification:
    """Check certificate (``ASPSP-Signature-Certificate``), Digest, Date and Signature of a bank's answer.

    body: as it was received, before it is decompressed.
    now: the time to judge Date and certificate by; None: the present.
    trust_anchors: PEM of the trusted authorities, as text, a bundle or several; None: the chain is not looked
        at. For a sandbox: ``sandbox.root_pem``.

    Whose certificate it is (``certificate.organisation_id``), and that ``X-Request-ID`` is the request's, is
    for the caller to see: TPPs have certificates of the same authorities. The status and the other headers
    are not signed. An answer that does not verify is a result, with its reason. ``ConfigError`` for anchors
    that cannot be read.
    """

def validate_payment(
    service: str,
    product: str,
    body: _Body | str | dict[str, Any],
    *,
    at: _Time | None = None,
    environment: Literal["sandbox", "production"] = "sandbox",
    accept_fix: Iterable[str] | None = (),
) -> list[TppMessage]:
    """Every fault and warning of a payment body, as an answer would list them; empty: nothing to say.

    What only the bank knows is not asked: KID agreements of creditors, the PSU's accounts. Sums in other
    currencies are judged by the sandbox's rates.

    service: ``"payments"``, ``"periodic-payments"`` or ``"bulk-payments"``.
    product: such as ``"norwegian-cross-border-credit-transfers"``. A service or product there is not gets the
        one message that says so.
    body: the JSON as bytes or text, or a dict.
    at: the time to judge by (rules come into force on dates); None: the present.
    environment: ``"sandbox"`` or ``"production"``, else ``MisuseError``.
    accept_fix: names of x-accept-fix, such as ``["structured-addresses"]``, or values of it as they are sent
        (contract: Versioning).
    """

def openapi(
    *, environment: Literal["sandbox", "production"] = "sandbox", base_path: str = ""
) -> dict[str, Any]:
    """The interface that TPPs call, as an OpenAPI 3.1 document: a sandbox's has its own routes, production's
    has not. base_path is the path before ``/v1``, such as ``sandbox.base_path``. ``MisuseError`` for
    another environment, ``ConfigError`` for a base path that no sandbox would take."""

def payment_transitions() -> dict[str, list[str]]:
    """What each payment status may become; a final one has an empty list (contract: States and
    transitions)."""

def basket_status(list_of_payment_statuses: Iterable[str]) -> str:
    """The status of a signing basket, the worst case of its payments' statuses: ``"RJCT"`` where any is RJCT
    or CANC, else ``"RCVD"`` where all are RCVD, ``"PATC"`` where some are, and ``"ACTC"`` (contract: Signing
    basket). ``MisuseError`` for an empty list and for a text that is no status of a payment."""

def explain(
    method: str,
    target: str,
    headers: _Headers,
    body: _Body = b"",
    *,
    now: _Time | None = None,
    certificates: _Pem = (),
    base_paths: Iterable[str] = (),
    earlier: Iterable[tuple[str, str, _Headers, _Body]] = (),
    policy: dict[str, Any] | None = None,
    budget: timedelta | None = None,
) -> Explanation:
    """Which mistake of a client made a signature, Digest, keyId, certificate or Date fail.

    A mistake is named only if it is proven.

    now: the bank's clock; the present by default.
    certificates: PEM of other TPPs, and earlier ones of this TPP.
    base_paths: what a gateway may add to the path or strip from it, such as ``"/psd2"``.
    earlier: method, target, headers and body of calls before this one.
    policy: as of an engine, such as ``{"key_id_issuer": "exact"}``.
    budget: how long the search may take; 50 ms by default.

    ``MisuseError`` for a negative budget; ``ConfigError`` for certificates that cannot be read, and for a
    policy that no engine takes.
    """

def mistakes() -> list[tuple[str, str]]:
    """Every mistake that ``explain`` names: its id and a sentence."""

def current_call() -> dict[str, str]:
    """The ids of the call of a TPP that this thread runs, for a bank to pass on to its own systems:
    ``"traceparent"``, the header of W3C Trace Context, and ``"correlation_id"``. Only those that the call
    has; ``{}`` outside of a call and in ``run_due`` and ``complete_sca``."""

def minor_units(currency: str) -> int:
    """How many fraction digits an amount of a currency has: 2 for NOK, 0 for JPY (ISO 4217). XDR alone has
    none laid down: its amounts have any number of them up to five, and 5 is what this says. ``MisuseError``
    for a code the contract does not list."""

def kid_is_valid(text: str) -> bool:
    """Whether a text is a KID: 2 to 25 digits, the last may be ``-``, valid by mod 10 or mod 11."""

def account_number_is_valid(text: str) -> bool:
    """Whether a text is a Norwegian account number: 11 digits, valid by mod 11; dots and spaces are
    allowed."""

def check_bank_answer_text(method: str, question: str, answer: str) -> None:
    """As :func:`xs2a.check_bank_answer`, with question and answer as JSON."""

def iban_is_valid(text: str) -> bool:
    """Whether a text is an IBAN: country, length and mod 97 (ISO 13616)."""

def bic_is_valid(text: str) -> bool:
    """Whether a text is a BIC by the contract's expression, over the whole text."""

def parse_distinguished_name(text: str) -> list[list[tuple[str, str]]]:
    """The parts of a distinguished name (RFC 2253, RFC 4514): RDNs as written, each a list of (oid, value).
    ``MisuseError`` for text that is none."""

def parse_certificate(pem_or_der: str | bytes) -> Certificate:
    """What a certificate says of a TPP: PEM, or base64 of DER as a TPP sends it, as str; DER as bytes.
    ``MisuseError`` for what is not X.509."""

def parse_http_date(text: str) -> datetime:
    """The time of an HTTP date, in UTC: IMF-fixdate, the two obsolete forms of RFC 7231, an unpadded day, a
    numeric offset, ``UTC``, ``UT`` or ``Z`` for ``GMT``, in the years 1 to 9999. ``MisuseError`` for other
    text. A leap second is the second after it; a year of two digits is one from 1970 to 2069, while an
    engine takes the one nearest to its clock."""

def decode_encoded_word(text: str) -> str:
    """The text of an RFC 2047 encoded word, B or Q, utf-8 or iso-8859-1, of any length; any other text as it
    is. ``MisuseError`` for a word that cannot be decoded."""
