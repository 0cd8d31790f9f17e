//! The corporate agreements of a PSU.

use std::sync::Arc;

use uuid::Uuid;

use super::corporate_id::corporate_id;
use super::engine_context::EngineContext;
use super::outcome::{Decided, Outcome};
use crate::account::record::CorporateAgreement;
use crate::handler_error::HandlerError;
use crate::reason::Reason;
use crate::types::ActingPsu;

/// Lists the agreements. A customer that the TPP sees for the first time gets its id here.
pub(crate) fn list_agreements(
    engine: &EngineContext,
    tpp: &Arc<str>,
    psu: Option<&ActingPsu>,
) -> Result<Decided, HandlerError> {
    let psu = &psu.ok_or(Reason::Internal)?.psu;
    let mut writes = Vec::new();
    let mut listed: Vec<(Uuid, CorporateAgreement)> = Vec::new();
    for agreement in engine.bank().customers().agreements(psu)? {
        let seen = listed.iter().find(|(_, other)| other.corporate == agreement.corporate);
        let corporate_id = match seen {
            Some((corporate_id, _)) => *corporate_id,
            None => corporate_id(engine, tpp, psu, &agreement.corporate, &mut writes)?,
        };
        listed.push((corporate_id, agreement));
    }
    Ok((writes, Outcome::Agreements(listed)))
}
