//! The seam every store implements.
//!
//! Reads stand alone; all changes of one call are one [`Store::commit`], all or nothing. What must hold
//! between reading and writing (a version, a replay, a logical duplicate) is checked again inside the
//! commit, so two nodes that decide at the same time cannot both win.

use std::ops::Range;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::audit::record::AuditEvent;
use crate::basket::record::Basket;
use crate::consent::record::Consent;
use crate::error::Result;
use crate::payment::machine::PaymentStatus;
use crate::payment::product::Product;
use crate::payment::record::Payment;
use crate::sca::record::Authorisation;
use crate::session::record::Session;
use crate::types::{ActingPsu, AuthorisationId, BasketId, PaymentId};
use crate::types::{CorporateKey, PsuKey};

/// What a store says of an event of a payment that it does not hold: a bug of the caller.
pub(crate) const EVENT_WITHOUT_PAYMENT: &str = "an event of a payment that is not there";

/// One change. A `Vec` of them is what a decision comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// Marks the request id of a TPP as used. Unique for the replay window.
    UseRequestId(UsedRequestId),
    /// A new payment. With `duplicate_window_start` it is refused if a payment with the same duplicate fingerprint, or
    /// one of the alternative fingerprints, was created at or after that time and is neither RJCT nor CANC. Payments of
    /// two different PSUs are no duplicates; a payment whose PSU is not known yet is compared with those of every PSU.
    InsertPayment {
        /// The payment; shared, because the response is made of it too.
        payment: Arc<Payment>,
        /// Start of the window in which a duplicate is refused.
        duplicate_window_start: Option<DateTime<Utc>>,
        /// The fingerprints of the payment under other numbers of the debtor account. Not used without
        /// `duplicate_window_start`.
        alternative_fingerprints: Vec<[u8; 32]>,
    },
    /// The payment's new state; its version must be one above the stored one. When it was created and what it looks
    /// like are as they were.
    UpdatePayment(Box<Payment>),
    /// A new signing basket. Its payments are changed beside it, each by a write of its own.
    InsertBasket(Basket),
    /// The basket's new state; its version must be one above the stored one.
    UpdateBasket(Basket),
    /// A new authorisation.
    InsertAuthorisation(Authorisation),
    /// The authorisation's new state; its version must be one above the stored one.
    UpdateAuthorisation(Authorisation),
    /// The PSU-ID under which one TPP knows one person.
    RememberPsu {
        /// The TPP.
        tpp: Arc<str>,
        /// The person.
        psu: PsuKey,
        /// The id the TPP sees.
        psu_id: Uuid,
    },
    /// The PSU-Corporate-ID under which one TPP knows one corporate customer, opened to one person.
    RememberCorporate {
        /// The TPP.
        tpp: Arc<str>,
        /// The person who may use it.
        psu: PsuKey,
        /// The corporate customer.
        corporate: CorporateKey,
        /// The id the TPP sees: the same for every person of that TPP and customer.
        corporate_id: Uuid,
    },
    /// The session that a completed SCA opened, in place of one of the same id. Every other session of the same
    /// TPP and PSU in the same context is replaced, whatever the corporate customer.
    OpenSession(Session),
    /// What a PSU opened to a TPP, in place of what it had opened before in that role.
    GrantConsent(Consent),
    /// A PSU takes back what it opened to a TPP, in every role. Lost where nothing is open that was not taken back.
    RevokeConsent {
        /// The TPP.
        tpp: Arc<str>,
        /// The person.
        psu: PsuKey,
    },
    /// One more call without the PSU, unless there were `limit` of them that day.
    CountAccess {
        /// What is counted.
        counted: CountedAccess,
        /// How many are allowed.
        limit: u32,
    },
    /// An order for the bank, delivered from `due_at` on.
    EnqueueOrder(OutboxOrder),
    /// The order with the given payment id is due at another time: it failed, or whoever claimed it needs it for
    /// longer, or gives it back. Lost where it is not due at `was_due` any more: it waits no more, or somebody else
    /// claimed it.
    RescheduleOrder {
        /// What it is from now on.
        order: OutboxOrder,
        /// When it was due: for whoever claimed it, the end of that claim.
        was_due: DateTime<Utc>,
    },
    /// The bank answered to the order with the given payment id. It is taken out; one whose payment the bank was asked
    /// to cancel waits on instead, also where it was set aside meanwhile, and none of its failures counts as its own
    /// any more. Lost where there is none.
    AnswerOrder {
        /// The payment that was submitted.
        payment_id: PaymentId,
        /// Not before this it is delivered again, where it waits on.
        again_at: DateTime<Utc>,
    },
    /// The order with the given payment id is not delivered any more. Lost where there is none.
    RemoveOrder(PaymentId),
    /// The order with the given payment id, where it waits or is set aside, is not delivered any more.
    WithdrawOrder(PaymentId),
    /// The order with the given payment id is not delivered any more until somebody looks at it. Lost where it is not
    /// due at `was_due` any more, as above.
    MoveToDeadLetters {
        /// The order.
        order: DeadLetter,
        /// When it was due: for whoever claimed it, the end of that claim.
        was_due: DateTime<Utc>,
    },
    /// The order that cannot be read is not delivered any more until somebody looks at it. Lost where it waits no
    /// more.
    MoveUnreadableToDeadLetters {
        /// The order.
        order: UnreadableOrder,
        /// When it is set aside.
        since: DateTime<Utc>,
    },
    /// The order with the given payment id, which was set aside, waits again, as if it had never failed. Lost where
    /// it is not set aside.
    RetryOrder {
        /// The payment to be submitted.
        payment_id: PaymentId,
        /// When it is delivered.
        due_at: DateTime<Utc>,
    },
    /// The order with the given payment id, which was set aside, is done with: the bank told where its payment
    /// stands. One whose payment the bank was asked to cancel waits again instead. Lost where it is not set aside.
    ResolveOrder(PaymentId),
    /// The bank is about to be asked to cancel the payment of the order. Lost where there is no order.
    BeginCancelling(PaymentId),
    /// The bank answered that it does not cancel the payment, whose order may be there or not.
    EndCancelling(PaymentId),
    /// A line of the append-only history.
    AppendEvent(Event),
    /// A line of the append-only audit.
    AppendAudit(AuditEvent),
}

/// An X-Request-ID that was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedRequestId {
    /// The TPP.
    pub tpp: Arc<str>,
    /// The id.
    pub request_id: Uuid,
    /// When it was used.
    pub at: DateTime<Utc>,
    /// From when on a use counts as a replay: uses before are forgotten.
    pub since: DateTime<Utc>,
}

/// What calls without the PSU are counted by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CountedAccess {
    /// The TPP.
    pub tpp: Arc<str>,
    /// The person.
    pub psu: PsuKey,
    /// The id of the account or card account.
    pub account: String,
    /// The name of the operation.
    pub operation: String,
    /// The day (Europe/Oslo).
    pub day: NaiveDate,
}

/// An order in the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxOrder {
    /// The payment to be submitted.
    pub payment_id: PaymentId,
    /// How often delivery failed.
    pub attempts: u32,
    /// How many of those failures were the order's own, and not those of a bank that is away.
    pub faults: u32,
    /// When it is delivered, or delivered again.
    pub due_at: DateTime<Utc>,
    /// The product of its payment, as that is stored: nothing is written of it here. `None` where the payment is
    /// missing, or names a product that this library does not know.
    pub product: Option<Product>,
}

/// An order that stays in the outbox and is not delivered: delivering it again would not help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    /// The id of the payment that was to be submitted, as it stands in the store: where its row cannot be read, this
    /// may be no id that a payment can have.
    pub payment_id: String,
    /// How often delivery failed; 0 where that cannot be read.
    pub attempts: u32,
    /// Why, in English; safe to log.
    pub why: String,
    /// When it was set aside; for an order that cannot be read, and that no run has met yet, when it was due.
    pub since: DateTime<Utc>,
}

impl DeadLetter {
    /// Why an order is set aside whose row does not tell one that this library writes.
    pub const UNREADABLE: &'static str = "it cannot be read";
}

/// An order that is due, and whose row does not tell one that this library writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableOrder {
    /// The number of its row in the table outbox.
    pub number: i64,
    /// The payment that was to be submitted; `None` where that cannot be read either.
    pub payment_id: Option<PaymentId>,
}

/// What is due.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DueOrders {
    /// What whoever asks delivers; after a claim as it was before.
    pub orders: Vec<OutboxOrder>,
    /// What was met on the way to them and cannot be read: whoever asks sets it aside.
    pub unreadable: Vec<UnreadableOrder>,
}

/// One status change of one payment, for the auditor. The payment itself tells when it was created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The payment.
    pub payment_id: PaymentId,
    /// When it happened.
    pub at: DateTime<Utc>,
    /// The status it left.
    pub from: PaymentStatus,
    /// The status it got.
    pub to: PaymentStatus,
    /// What caused it, such as `sca completed`, `sca exempted by the bank`, `bank: submitted`, `bank: reported`.
    pub cause: String,
}

/// Where a line of the audit stands. Lines follow each other by time; within one microsecond those that were noted
/// come first, in the order they were written, and then those of the histories of payments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuditPosition {
    /// When it happened.
    pub at: DateTime<Utc>,
    /// 0 for what was noted; the store's own number of the payment, from 1 on, for a line of a history.
    pub payment: i64,
    /// Counts the lines of that microsecond, or of that history.
    pub number: i64,
}

/// One line of the audit, as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditLine {
    /// What was noted by [`Write::AppendAudit`].
    Noted {
        /// Where it stands.
        position: AuditPosition,
        /// What it tells.
        event: AuditEvent,
    },
    /// What a payment went through, noted by [`Write::AppendEvent`].
    Payment {
        /// Where it stands.
        position: AuditPosition,
        /// The organisation identifier of the TPP that created the payment.
        tpp: Arc<str>,
        /// What it tells.
        event: Event,
    },
}

impl AuditLine {
    /// Where it stands.
    pub fn position(&self) -> AuditPosition {
        match self {
            Self::Noted { position, .. } | Self::Payment { position, .. } => *position,
        }
    }
}

/// How a commit ended. Only [`CommitOutcome::Applied`] changed anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitOutcome {
    /// All writes are in, durably.
    Applied,
    /// A version had moved on, or a unique value was taken.
    VersionConflict,
    /// A like payment stands in the way.
    DuplicatePayment,
    /// The request id was used within its window.
    RequestReplayed,
    /// As many calls without the PSU as are allowed were counted that day.
    QuotaExceeded,
}

/// What the engine needs of a database. Every method may fail with
/// [`Error::Store`](crate::Error::Store), and with [`Error::Record`](crate::Error::Record) where it is well and the one
/// record in question is the obstacle.
pub trait Store: Send + Sync {
    /// Whether anybody else will see the data: another process or node, or this one after a restart.
    fn is_shared(&self) -> bool;

    /// Applies the writes in order, all or nothing.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome>;

    /// A payment of any TPP.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn payment(&self, id: &PaymentId) -> Result<Option<Payment>>;

    /// The history of a payment, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn events(&self, id: &PaymentId) -> Result<Vec<Event>>;

    /// The lines of the audit and of the histories of all payments, from the start of the range until before its
    /// end, in the order of their positions: those after `after`, at most `limit`.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn audit(
        &self,
        range: &Range<DateTime<Utc>>,
        after: Option<AuditPosition>,
        limit: usize,
    ) -> Result<Vec<AuditLine>>;

    /// A signing basket of any TPP, deleted ones too.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn basket(&self, id: &BasketId) -> Result<Option<Basket>>;

    /// An authorisation.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn authorisation(&self, id: &AuthorisationId) -> Result<Option<Authorisation>>;

    /// The person that a TPP knows by this PSU-ID.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn psu_by_id(&self, tpp: &str, psu_id: Uuid) -> Result<Option<PsuKey>>;

    /// The PSU-ID by which a TPP knows this person.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn psu_id(&self, tpp: &str, psu: &PsuKey) -> Result<Option<Uuid>>;

    /// The corporate customer that a TPP knows by this PSU-Corporate-ID, if it was opened to this person.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn corporate_by_id(&self, tpp: &str, psu: &PsuKey, corporate_id: Uuid) -> Result<Option<CorporateKey>>;

    /// The corporate customer that a TPP knows by this PSU-Corporate-ID, whoever it was opened to.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn corporate_of_id(&self, tpp: &str, corporate_id: Uuid) -> Result<Option<CorporateKey>>;

    /// The PSU-Corporate-ID by which a TPP knows this corporate customer, whoever it was opened to.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn corporate_id(&self, tpp: &str, corporate: &CorporateKey) -> Result<Option<Uuid>>;

    /// The session of a TPP with that id.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn session(&self, tpp: &str, id: &str) -> Result<Option<Session>>;

    /// What a PSU, in that role, opened to a TPP: also where that is over or was taken back.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn consent(&self, tpp: &str, psu: &ActingPsu) -> Result<Option<Consent>>;

    /// How many calls without the PSU were counted.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn access_count(&self, counted: &CountedAccess) -> Result<u32>;

    /// Forgets the counts of days before that one, at most `limit`. Gives how many those were.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn purge_access_counts(&self, before: NaiveDate, limit: usize) -> Result<usize>;

    /// Forgets sessions that were opened at or before that time, at most `limit`. Gives how many those were.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn purge_sessions(&self, until: DateTime<Utc>, limit: usize) -> Result<usize>;

    /// Forgets authorisations that were created at or before that time, answered or not, at most `limit`. Gives how
    /// many rows that took: fewer than `limit` where none of them is left.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn purge_authorisations(&self, until: DateTime<Utc>, limit: usize) -> Result<usize>;

    /// The orders due at that time, the longest waiting first, at most `limit`. What cannot be read and stands before
    /// them keeps no other from its turn: it is told beside them, to be set aside by [`Write::MoveUnreadableToDeadLetters`];
    /// where nobody does, it is told again. Nothing is told only where none is due.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn due_orders(&self, now: DateTime<Utc>, limit: usize) -> Result<DueOrders>;

    /// As [`Store::due_orders`], and each is due again only at `until`: of several nodes one gets it, and where that
    /// node dies, it comes again. The orders are told as they were before. Nothing is told only where none is due, or
    /// others are claiming those that are; of what cannot be read, a claim may tell a part, and no orders yet.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn claim_orders(&self, now: DateTime<Utc>, until: DateTime<Utc>, limit: usize) -> Result<DueOrders>;

    /// When the next order is due, one that cannot be read too; `None` where none waits.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn next_order_due(&self) -> Result<Option<DateTime<Utc>>>;

    /// Whether an order waits that is due after `after`; one that cannot be read is one too. Never where the payment
    /// that came last was made after `now`: then it is this clock that is behind.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn has_order_due_after(&self, after: DateTime<Utc>, now: DateTime<Utc>) -> Result<bool>;

    /// Whatever waits for a time after `after` is due `now`, unless the payment that came last was made after that. How
    /// often it failed stays. Gives how many those are.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn clamp_future_due_times(&self, after: DateTime<Utc>, now: DateTime<Utc>) -> Result<usize>;

    /// The orders that are set aside, and those that wait and cannot be read, the longest first and among equals the
    /// first enqueued, at most `limit`.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>>;

    /// Whether the order of that payment is set aside. One that waits and cannot be read is not yet.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn is_dead_letter(&self, id: &PaymentId) -> Result<bool>;

    /// The request ids used at or after that time, oldest first, at most `limit` of the newest.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn used_request_ids(
        &self,
        since: DateTime<Utc>,
        limit: usize,
    ) -> Result<Vec<(String, Uuid, DateTime<Utc>)>>;

    /// Forgets request ids used before that time, at most `limit`. Gives how many those were.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn purge_request_ids(&self, before: DateTime<Utc>, limit: usize) -> Result<usize>;
}
