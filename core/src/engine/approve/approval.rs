//! What the PSU approved, when that is committed, and why it may fail all the same.

use std::cell::OnceCell;

use chrono::{DateTime, Utc};

use crate::consent::record::Grant;
use crate::env::clock::Clock;
use crate::reason::Violation;
use crate::store::Write;
use crate::types::ActingPsu;

/// What the PSU gave.
pub(in crate::engine) struct Approval<'g> {
    /// Who, and for whom.
    pub(in crate::engine) psu: &'g ActingPsu,
    /// The accounts opened to the TPP.
    pub(in crate::engine) grant: &'g Grant,
    /// The time of all that is committed.
    pub(in crate::engine) timestamp: &'g CommitTimestamp<'g>,
}

/// The one time of all that one commit brings about: that of its first reading, which comes after the last question to
/// the bank. The bank may take long; until it answers others may note something of the same payment, and an auditor may
/// fetch the lines of the time that passes.
pub(in crate::engine) struct CommitTimestamp<'c> {
    clock: &'c dyn Clock,
    read: OnceCell<DateTime<Utc>>,
}

impl<'c> CommitTimestamp<'c> {
    pub(in crate::engine) fn of(clock: &'c dyn Clock) -> Self {
        Self { clock, read: OnceCell::new() }
    }

    /// To be read when nothing is left to be asked.
    pub(in crate::engine) fn time(&self) -> DateTime<Utc> {
        *self.read.get_or_init(|| self.clock.now())
    }
}

/// Why an approved authorisation fails all the same, and what is to be written beside its failure.
pub(in crate::engine) struct ApprovalFailed {
    /// What the call-back says.
    pub(in crate::engine) violation: Violation,
    /// What was learnt on the way.
    pub(in crate::engine) writes: Vec<Write>,
}

impl From<Violation> for ApprovalFailed {
    fn from(violation: Violation) -> Self {
        Self { violation, writes: Vec::new() }
    }
}
