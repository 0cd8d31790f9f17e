//! An SCA that the bank refuses for a reason of its own.

use chrono::{DateTime, Utc};

use super::complete_sca::{end, fail, open, over};
use crate::error::Result;
use crate::pipeline::engine_context::EngineContext;
use crate::reason::Violation;
use crate::sca::callback::Redirect;
use crate::types::AuthorisationId;

/// Ends an authorisation without approval and reports the reason to the TPP. A caller that loses the race finds the
/// link used.
pub(super) fn refuse_sca(
    engine: &EngineContext,
    id: &AuthorisationId,
    violation: &Violation,
    now: DateTime<Utc>,
) -> Result<Redirect> {
    end(engine, fail(open(engine, id, now)?, violation), None, now)?.ok_or_else(over)
}
