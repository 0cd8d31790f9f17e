//! The id by which a TPP knows a corporate customer.

use std::sync::Arc;

use uuid::Uuid;

use super::engine_context::EngineContext;
use crate::error::Result;
use crate::store::Write;
use crate::types::{CorporateKey, PsuKey};

/// The id of a customer for one TPP, drawn at first sight; where it is not open to that person yet, `writes` gets what
/// opens it.
pub(crate) fn corporate_id(
    engine: &EngineContext,
    tpp: &Arc<str>,
    psu: &PsuKey,
    corporate: &CorporateKey,
    writes: &mut Vec<Write>,
) -> Result<Uuid> {
    let corporate_id = match engine.store().psus().corporate_id(tpp, corporate)? {
        Some(corporate_id) => corporate_id,
        None => engine.entropy().uuid()?,
    };
    if engine.store().psus().corporate_by_id(tpp, psu, corporate_id)?.is_none() {
        writes.push(Write::RememberCorporate {
            tpp: Arc::clone(tpp),
            psu: psu.clone(),
            corporate: corporate.clone(),
            corporate_id,
        });
    }
    Ok(corporate_id)
}
