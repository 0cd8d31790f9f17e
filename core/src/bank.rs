//! The seam to the bank's own core (what the field calls an SPI).
//!
//! The engine asks; the bank answers. No database transaction is open while it does, so a slow bank slows
//! down one call and never the others. Every method may fail with [`Error::Bank`]: the
//! TPP is then answered SYSTEM_ERROR and nothing is stored. Every other error than that and [`Error::BankAnswer`]
//! counts as the first, with its kind in the text.
//!
//! What is answered goes to third parties or into the store, so that it is looked at, whatever language the bank is
//! written in: texts, days, rates, fees and masked numbers may be what docs/bank.md says of them. Anything else counts
//! as [`Error::BankAnswer`], and the TPP is answered as above.
//!
//! The engine measures by its clock how long an answer takes, and cannot cut a call off: each runs on its caller's
//! thread, so a bank sets time-outs of its own. An answer to a question that took longer than the policy
//! `bank_seconds_max` is not used: it counts as [`Error::Bank`]. Deeds count however late they answer, or bank and
//! engine would not agree on what happened; that they were slow is logged. Deeds are [`Bank::submit_payment`],
//! [`Bank::cancel_payment`], and [`Bank::perform`] where the operation is no GET; all else are questions.

use std::fmt::{self, Debug};

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use crate::account::record::{
    Account, Balance, CardAccount, CardTransaction, CorporateAgreement, Page, Transaction, TransactionQuery,
};
use crate::env::entropy::Entropy;
use crate::error::{Error, Result};
use crate::operation::Operation;
use crate::payment::machine::PaymentStatus;
use crate::payment::order::Order;
use crate::payment::product::Product;
use crate::policy::Policy;
use crate::reason::Refusal;
use crate::types::{
    AccountId, AccountReference, ActingPsu, Bban, CardAccountId, Currency, DebtorAccount, IdentityNumber,
    KidAgreement, Money, PaymentId, PsuKey, TransactionId,
};
use crate::wire::target::Target;

pub use crate::types::{PsuClient, ScaDemand};

/// An authorised payment on its way to the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentOrder {
    /// The idempotency key: the same id is never carried out twice.
    pub payment_id: PaymentId,
    /// The product it was ordered under.
    pub product: Product,
    /// Who ordered it.
    pub psu: ActingPsu,
    /// The order itself.
    pub order: Order,
    /// The fee that was shown at creation.
    pub fee: Money,
    /// When the SCA was completed, or the bank exempted the payment from it.
    pub authorised_at: DateTime<Utc>,
}

/// Where a submitted payment stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderStatus {
    /// Its status; PDNG where the bank will settle it later.
    pub status: PaymentStatus,
    /// Whether the money was there, where that is known.
    pub funds_available: Option<bool>,
}

impl OrderStatus {
    /// A status, and no news of the funds.
    pub const fn of(status: PaymentStatus) -> Self {
        Self { status, funds_available: None }
    }
}

/// What somebody is about to do, where the bank may want more than the rules, or less.
#[derive(Debug, Clone, Copy)]
pub enum ScaOccasion<'c> {
    /// Account data is about to be read, and the consent is in order. Unless `is_ruled`, so are account, history and
    /// quota; otherwise those are checked after the answer, because an exemption lets the call go on to them.
    ///
    /// [`ScaDemand::Demanded`] refuses the call with a link to an SCA, whatever the session. After that SCA the bank is
    /// asked again, and says whether it is enough.
    /// [`ScaDemand::Exempt`] counts where the rules ask for an SCA, and there the call goes on as one without a
    /// session: the history of 90 days.
    AccountInformation {
        /// The name of the operation, such as `getTransactions`.
        operation: &'static str,
        /// Whether the rules ask for an SCA, because none was completed under the session that the call names. All
        /// other rows of the table of access stand whatever the bank says.
        is_ruled: bool,
        /// When the last SCA under the call's session was completed; `None` where it names no session or a new one.
        sca_completed_at: Option<DateTime<Utc>>,
    },
    /// An identified PSU's payment is about to be created, and nothing is wrong with it. The rules ask for an SCA
    /// with dynamic linking.
    ///
    /// With [`ScaDemand::Exempt`] the payment is created authorised by the bank, and becomes an order at once.
    Payment {
        /// The product.
        product: Product,
        /// The order.
        order: &'c Order,
    },
}

/// What the bank knows when it is asked about an SCA.
#[derive(Debug, Clone, Copy)]
pub struct ScaQuestion<'c> {
    /// What is about to happen.
    pub occasion: ScaOccasion<'c>,
    /// The organisation identifier of the calling TPP.
    pub tpp: &'c str,
    /// Who acts, in what role.
    pub psu: &'c ActingPsu,
    /// What the TPP told of the PSU's own call.
    pub client: &'c PsuClient,
}

/// What became of a request to cancel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancellation {
    /// The payment will not be carried out, or not any more.
    Cancelled,
    /// It is too late, for good: this is where the payment stands.
    TooLate(OrderStatus),
}

/// A call of one of the bank's own operations, as the engine hands it over: routed, signed, not replayed, of a
/// registered TPP with the role it takes. Only the body and the query are unread.
#[derive(Clone, Copy)]
pub struct BankCall<'c> {
    /// The row of [`Bank::operations`].
    pub operation: &'static Operation,
    /// The values of its path parameters, in the order of the path.
    pub parameters: &'c [String],
    /// The path and the query.
    pub target: &'c Target<'c>,
    /// The body as it came.
    pub body: &'c [u8],
    /// The organisation identifier of the calling TPP.
    pub tpp: &'c str,
    /// The engine's policy.
    pub policy: &'c Policy,
    /// The engine's randomness.
    pub entropy: &'c dyn Entropy,
}

/// What the bank answers to a call of its own operations. Another status, body or path than is said here counts as
/// [`Error::BankAnswer`].
#[derive(Clone, PartialEq, Eq)]
pub struct BankAnswer {
    /// The HTTP status, from 200 to 399: what is refused is a [`Refusal`].
    pub status: u16,
    /// The body in JSON; empty where there is none, as of a 204.
    pub body: Vec<u8>,
    /// The path of what was made: it begins with `/v1/`, and is printable ASCII without spaces.
    pub location: Option<String>,
}

/// Log-safe: what was asked, not what it was about.
impl Debug for BankCall<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("BankCall").field("operation", &self.operation.name).finish_non_exhaustive()
    }
}

/// Log-safe: the status alone.
impl Debug for BankAnswer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("BankAnswer").field("status", &self.status).finish_non_exhaustive()
    }
}

/// The bank behind the engine.
pub trait Bank: Send + Sync {
    /// The person with this national identity number.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn psu(&self, identity: &IdentityNumber) -> Result<Option<PsuKey>>;

    /// The account, if this PSU may pay from it in that role. The currency of the reference is not
    /// looked at.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn debtor_account(&self, psu: &ActingPsu, account: &AccountReference) -> Result<Option<DebtorAccount>>;

    /// The KID agreement of a creditor's account, if it has one.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>>;

    /// What the payment costs the debtor, in the currency the bank charges in; not negative.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn fee(&self, product: Product, order: &Order) -> Result<Money>;

    /// How many units of the second currency one unit of the first is worth, more than none. `None`: not traded.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn rate(&self, from: Currency, to: Currency) -> Result<Option<Decimal>>;

    /// Whether an SCA is asked for: the bank's risk analysis may demand one or exempt from one. Asked at most once a
    /// call; never of signing baskets, cancellations, and PSUs who are not identified. By default the rules decide.
    ///
    /// Source: contract, "Authentication" (the service may exempt or require SCA by risk analysis).
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn requires_sca(&self, _question: &ScaQuestion<'_>) -> Result<ScaDemand> {
        Ok(ScaDemand::AsRuled)
    }

    /// Takes an authorised payment. May be called again with the same payment id after a crash; the
    /// second call answers where the payment stands and does nothing else. So does the first for a payment that
    /// was cancelled before: CANC. The second may come long after the first: where [`Bank::cancel_payment`] gave no
    /// answer that could be noted. It comes again then, at last every hour, until the payment can be
    /// cancelled no more.
    ///
    /// The day on which it was to be executed, or the last day of a periodic one, may be over: nobody looks at it
    /// again after the creation, and the PSU may approve late, or the bank may have been away. The bank executes it on
    /// the next day that it can, or answers RJCT.
    ///
    /// # Errors
    /// [`Error::Bank`] where the bank is away: the order stays in the outbox and is delivered again, however long
    /// that takes. [`Error::BankAnswer`] where the answer makes no sense: the order is delivered again too, and set
    /// aside when that happened ten times. So does a panic. An answer that the payment cannot become sets the order
    /// aside at once.
    fn submit_payment(&self, order: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus>;

    /// Gives up an authorised payment. One the bank never took is cancelled too, for ever: an order that
    /// comes later is not carried out. May be called again with the same id.
    ///
    /// # Errors
    /// [`Error::Bank`]: the payment stays as it was, and the bank is asked by [`Bank::submit_payment`] where it stands,
    /// until it can be cancelled no more, or the bank says that it is too late for that.
    fn cancel_payment(&self, payment: &PaymentId, now: DateTime<Utc>) -> Result<Cancellation>;

    /// The corporate agreements a person may act under, the oldest first.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn agreements(&self, psu: &PsuKey) -> Result<Vec<CorporateAgreement>>;

    /// The ordinary accounts that this PSU may open to a TPP in that role, the oldest first.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn accounts(&self, psu: &ActingPsu) -> Result<Vec<Account>>;

    /// One of [`Bank::accounts`]: the one with this id. Another one counts as no usable answer.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn account(&self, psu: &ActingPsu, id: &AccountId) -> Result<Option<Account>>;

    /// The balances of one of [`Bank::accounts`].
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn balances(&self, id: &AccountId) -> Result<Vec<Balance>>;

    /// A part of the booked transactions of one of [`Bank::accounts`], the newest first by booking date, then
    /// by creation. One whose booking date lies outside the period counts as no usable answer, and so do more than the
    /// limit, a later day after an earlier one, and a total below the offset and what is listed. Where the query has
    /// a first or a last day, what has no booking date lies outside.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn booked(&self, id: &AccountId, query: &TransactionQuery) -> Result<Page<Transaction>>;

    /// Every pending transaction of one of [`Bank::accounts`], the newest first. One with an id counts as no usable
    /// answer.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn pending(&self, id: &AccountId) -> Result<Vec<Transaction>>;

    /// One booked transaction of one of [`Bank::accounts`]: the one with this id. Another one counts as no usable
    /// answer, and so does one without an id.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn transaction(&self, account: &AccountId, id: &TransactionId) -> Result<Option<Transaction>>;

    /// The card accounts that this PSU may open to a TPP in that role, the oldest first.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn card_accounts(&self, psu: &ActingPsu) -> Result<Vec<CardAccount>>;

    /// One of [`Bank::card_accounts`]: the one with this id. Another one counts as no usable answer.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn card_account(&self, psu: &ActingPsu, id: &CardAccountId) -> Result<Option<CardAccount>>;

    /// The balances of one of [`Bank::card_accounts`].
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn card_balances(&self, id: &CardAccountId) -> Result<Vec<Balance>>;

    /// A part of the booked transactions of one of [`Bank::card_accounts`], in the order of [`Bank::booked`] and with
    /// its rules of what counts as no usable answer.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn card_booked(&self, id: &CardAccountId, query: &TransactionQuery) -> Result<Page<CardTransaction>>;

    /// The pending transactions of one of [`Bank::card_accounts`], the newest first.
    ///
    /// # Errors
    /// [`Error::Bank`].
    fn card_pending(&self, id: &CardAccountId) -> Result<Vec<CardTransaction>>;

    /// The operations of the bank's own: rows with the id [`OperationId::OfBank`](crate::operation::OperationId),
    /// which the engine answers beside its own; it is not built over others. A path of the engine's own table comes
    /// first. None by default.
    fn operations(&self) -> &'static [Operation] {
        &[]
    }

    /// Performs one of [`Bank::operations`], whole or not at all.
    ///
    /// # Errors
    /// [`Error::Bank`]. What is the TPP's doing is a [`Refusal`] instead.
    fn perform(
        &self,
        call: &BankCall<'_>,
        _now: DateTime<Utc>,
    ) -> Result<std::result::Result<BankAnswer, Refusal>> {
        Err(Error::Internal(format!("the bank does not perform {}", call.operation.name)))
    }
}
