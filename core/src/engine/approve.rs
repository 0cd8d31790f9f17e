//! What an approved authorisation brings about, by what it was for.

mod approval;
mod basket;
mod cancellation;
mod consent;
mod payment;

pub(super) use self::approval::{Approval, ApprovalFailed, CommitTimestamp};
use crate::error::Result;
use crate::pipeline::engine_context::EngineContext;
use crate::sca::record::{Authorisation, Purpose};
use crate::store::Write;

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
        Purpose::Consent => Ok(consent::approve(engine, authorisation, approval)?),
        // That the PSU is known now, and the session, come with every SCA.
        Purpose::Identification => Ok(Vec::new()),
    };
    Ok(done.map_err(ApprovalFailed::from))
}
