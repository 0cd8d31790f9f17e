//! What a store keeps of the audit.

use std::ops::Range;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::payment_store::Event;
use crate::audit::record::AuditEvent;
use crate::error::Result;

/// The position of a line in the audit. Lines are sorted by time; within one microsecond the lines of the audit table
/// come first, in the order of writing, then those of the histories of payments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuditPosition {
    /// When it happened.
    pub at: DateTime<Utc>,
    /// 0 for a line of the audit table; the store's own number of the payment, from 1 on, for a line of a history.
    pub payment: i64,
    /// Counts the lines of that microsecond, or of that history.
    pub number: i64,
}

/// One line of the audit, as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditLine {
    /// What was noted by [`Write::AppendAudit`](super::Write::AppendAudit).
    Noted {
        /// Its position.
        position: AuditPosition,
        /// The event.
        event: AuditEvent,
    },
    /// What a payment went through, noted by [`Write::AppendEvent`](super::Write::AppendEvent).
    Payment {
        /// Its position.
        position: AuditPosition,
        /// The organisation identifier of the TPP that created the payment.
        tpp: Arc<str>,
        /// The event.
        event: Event,
    },
}

impl AuditLine {
    /// Its position.
    pub fn position(&self) -> AuditPosition {
        match self {
            Self::Noted { position, .. } | Self::Payment { position, .. } => *position,
        }
    }
}

/// The audit, and the histories of payments in it.
pub trait AuditStore: Send + Sync {
    /// The lines of the audit and of the histories of all payments, from the start of the range until before its
    /// end, in the order of their positions: those after `after`, at most `limit`.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn audit_lines(
        &self,
        range: &Range<DateTime<Utc>>,
        after: Option<AuditPosition>,
        limit: usize,
    ) -> Result<Vec<AuditLine>>;
}
