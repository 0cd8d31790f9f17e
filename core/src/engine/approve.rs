//! What an approved authorisation brings about, by what it was for.

mod basket;
mod cancellation;
mod consent;
mod payment;

use std::cell::OnceCell;

use chrono::{DateTime, Utc};

use crate::consent::record::Grant;
use crate::env::clock::Clock;
use crate::error::Result;
use crate::pipeline::engine_context::EngineContext;
use crate::reason::Violation;
use crate::sca::record::{Authorisation, Purpose};
use crate::store::Write;
use crate::types::ActingPsu;

/// What the PSU gave.
pub(super) struct Approval<'g> {
    /// Who, and for whom.
    pub(super) psu: &'g ActingPsu,
    /// The accounts opened to the TPP.
    pub(super) grant: &'g Grant,
    /// The time of whatever is committed.
    pub(super) timestamp: &'g CommitTimestamp<'g>,
}

/// The one time of all that one commit brings about: that of its first reading, which comes after the last question to
/// the bank. The bank may take long; meanwhile others may note something of the same payment, and an auditor may fetch
/// the lines of the time that passes.
pub(super) struct CommitTimestamp<'c> {
    clock: &'c dyn Clock,
    read: OnceCell<DateTime<Utc>>,
}

impl<'c> CommitTimestamp<'c> {
    pub(super) fn of(clock: &'c dyn Clock) -> Self {
        Self { clock, read: OnceCell::new() }
    }

    /// To be read when nothing is left to be asked.
    pub(super) fn time(&self) -> DateTime<Utc> {
        *self.read.get_or_init(|| self.clock.now())
    }
}

/// Why an approved authorisation fails all the same, and what is to be written beside its failure.
pub(super) struct ApprovalFailed {
    /// What the call-back says.
    pub(super) violation: Violation,
    /// What was learnt on the way.
    pub(super) writes: Vec<Write>,
}

impl From<Violation> for ApprovalFailed {
    fn from(violation: Violation) -> Self {
        Self { violation, writes: Vec::new() }
    }
}

/// The writes beside those of the authorisation itself, or what fails the SCA. That the PSU is whom the authorisation
/// names was checked before.
pub(super) fn what_was_asked(
    engine: &EngineContext,
    authorisation: &Authorisation,
    approval: &Approval<'_>,
) -> Result<std::result::Result<Vec<Write>, ApprovalFailed>> {
    let done = match &authorisation.purpose {
        Purpose::Payment(id) => payment::approve(engine, id, authorisation.identity, approval)?,
        Purpose::Cancellation(id) => return cancellation::approve(engine, id, approval),
        Purpose::Basket(id) => basket::approve(engine, id, authorisation.identity, approval)?,
        Purpose::Consent => Ok(consent::approve(engine, &authorisation.tpp, approval)?),
        // That the PSU is known now, and the session, come with every SCA.
        Purpose::Identification => Ok(Vec::new()),
    };
    Ok(done.map_err(ApprovalFailed::from))
}
