//! Where the engine keeps what must not be lost.

mod audit_store;
mod block_store;
#[cfg(any(test, feature = "conformance"))]
#[expect(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "it is made of assertions")]
pub mod conformance;
mod consent_store;
mod fork_guarded;
mod migration;
mod open;
mod outbox_store;
mod payment_store;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
#[cfg(test)]
mod processes;
mod psu_store;
mod quota_store;
mod replay_store;
mod retention_store;
mod sca_store;
mod seam;
#[cfg(feature = "sqlite")]
pub(crate) mod sqlite;
mod statistics_store;
pub(crate) mod timed_store;
mod write;

pub use audit_store::{AuditLine, AuditPosition, AuditStore};
pub use block_store::{Block, BlockStore, BlockedKind, BlockedSubject};
pub use consent_store::{ConsentFilter, ConsentStore};
pub use open::open;
pub use outbox_store::{DeadLetter, DueOrders, OutboxOrder, OutboxStore, UnreadableOrder};
pub(crate) use payment_store::EVENT_WITHOUT_PAYMENT;
pub use payment_store::{Event, PaymentFilter, PaymentStore};
pub use psu_store::PsuStore;
pub use quota_store::{CountedAccess, QuotaStore};
pub use replay_store::{ReplayStore, UsedRequestId};
pub use retention_store::{PsuRows, RetentionStore};
pub use sca_store::ScaStore;
pub use seam::{CommitOutcome, Connections, Store};
pub use statistics_store::StatisticsStore;
pub use write::Write;

pub use crate::audit::kind::AuditKind;
pub use crate::audit::record::AuditEvent;
pub use crate::basket::machine::BasketState;
pub use crate::basket::record::Basket;
pub use crate::consent::machine::ConsentStatus;
pub use crate::consent::record::{Consent, ConsentEnd, Grant, ListedConsent};
pub use crate::payment::machine::PaymentStatus;
pub use crate::payment::record::Payment;
pub use crate::sca::machine::ScaStatus;
pub use crate::sca::record::{Authorisation, Purpose};
pub use crate::session::machine::SessionState;
pub use crate::session::record::Session;
pub use crate::statistics::record::{CallEnd, CallSum, CountedCalls, DayCalls, Outage};
