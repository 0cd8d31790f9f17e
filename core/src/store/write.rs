//! The changes that a commit may consist of.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::block_store::{Block, BlockedSubject};
use super::outbox_store::{DeadLetter, OutboxOrder, UnreadableOrder};
use super::payment_store::Event;
use super::quota_store::CountedAccess;
use super::replay_store::UsedRequestId;
use crate::audit::record::AuditEvent;
use crate::basket::record::Basket;
use crate::consent::record::Consent;
use crate::payment::record::Payment;
use crate::sca::record::Authorisation;
use crate::session::record::Session;
use crate::statistics::record::{CallSum, CountedCalls, Outage};
use crate::types::{ActingPsu, CorporateKey, PaymentId, PsuKey};

/// One change. A `Vec` of them is the result of a decision.
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
    /// The payment's new state; its version must be one above the stored one. Its creation time and fingerprint are
    /// unchanged.
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
    /// The session that a completed SCA opened, in place of one of the same id. Every other session of the same TPP and
    /// PSU in the same context is replaced, for every corporate customer. Lost if the session is outdated
    /// ([`ScaStore::is_session_outdated`](super::ScaStore::is_session_outdated)).
    OpenSession(Session),
    /// What a PSU opened to a TPP, in place of what it had opened before in that role.
    GrantConsent(Consent),
    /// A PSU takes back what it opened to a TPP, in every role. Lost where nothing is open that was not taken back.
    RevokeConsent {
        /// When.
        at: DateTime<Utc>,
        /// The TPP.
        tpp: Arc<str>,
        /// The person.
        psu: PsuKey,
    },
    /// The TPP read under the consent of a PSU in that role, if there is one that neither was revoked nor replaced.
    NoteAccess {
        /// The TPP.
        tpp: Arc<str>,
        /// The PSU in its role.
        psu: ActingPsu,
        /// When.
        at: DateTime<Utc>,
    },
    /// Calls are refused from now on, in place of an earlier block of the same subject. Blocks that ended before are
    /// deleted.
    Block(Block),
    /// Calls are not refused any more. Lost where no block of the subject exists that has not ended at that time.
    Unblock {
        /// Whose calls.
        subject: BlockedSubject,
        /// When.
        at: DateTime<Utc>,
    },
    /// One more call without the PSU, unless there were `limit` of them that day.
    CountAccess {
        /// What is counted.
        counted: CountedAccess,
        /// How many are allowed.
        limit: u32,
    },
    /// More calls, for statistics.
    CountCalls {
        /// What they are counted by.
        counted: CountedCalls,
        /// How many, and how long they took.
        sum: CallSum,
    },
    /// The interface is or was down; the outage of the same beginning lasts until the later of both ends.
    NoteOutage(Outage),
    /// Deletes the rows of a person but for payments, baskets, and the audit. Lost where a payment of the person was
    /// authorised and has no final status, or has an order for the bank.
    ErasePsu(PsuKey),
    /// An order for the bank, delivered from `due_at` on.
    EnqueueOrder(OutboxOrder),
    /// The order with the given payment id is due at another time: it failed, or the node that claimed it renews or
    /// returns its claim. Lost if it is not due at `was_due` any more: it no longer waits, or another node has claimed
    /// it.
    RescheduleOrder {
        /// What it is from now on.
        order: OutboxOrder,
        /// When it was due: for the node that claimed it, the end of that claim.
        was_due: DateTime<Utc>,
    },
    /// The bank answered to the order with the given payment id. It is removed. If the bank was asked to cancel the
    /// payment, the order waits on instead, also if it has become a dead letter, and its own failures are reset. Lost
    /// if there is none.
    AnswerOrder {
        /// The payment that was submitted.
        payment_id: PaymentId,
        /// The earliest time of the next delivery, if it waits on.
        again_at: DateTime<Utc>,
    },
    /// The order with the given payment id is not delivered any more. Lost where there is none.
    RemoveOrder(PaymentId),
    /// The order with the given payment id, waiting or a dead letter, is not delivered any more.
    WithdrawOrder(PaymentId),
    /// The order with the given payment id becomes a dead letter: it is not delivered until the operator acts. Lost if
    /// it is not due at `was_due` any more, as above.
    MoveToDeadLetters {
        /// The order.
        order: DeadLetter,
        /// When it was due: for the node that claimed it, the end of that claim.
        was_due: DateTime<Utc>,
    },
    /// The unreadable order becomes a dead letter: it is not delivered until the operator acts. Lost if it no longer
    /// waits.
    MoveUnreadableToDeadLetters {
        /// The order.
        order: UnreadableOrder,
        /// When it becomes a dead letter.
        since: DateTime<Utc>,
    },
    /// The dead letter with the given payment id waits again, with its failures reset. Lost if it is no dead letter.
    RetryOrder {
        /// The payment to be submitted.
        payment_id: PaymentId,
        /// When it is delivered.
        due_at: DateTime<Utc>,
    },
    /// The dead letter with the given payment id is resolved, because the bank reported the status of its payment. If
    /// the bank was asked to cancel the payment, the order waits again instead. Lost if it is no dead letter.
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
