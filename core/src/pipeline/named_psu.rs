//! The PSU and the customer that the ids in a call's headers name.

use uuid::Uuid;

use crate::error::Result;
use crate::store::Store;
use crate::types::{CorporateKey, PsuKey};
use crate::wire::call_headers::CallHeaders;

/// The PSU that PSU-ID names, if it is one that the TPP was given.
pub(crate) fn psu(headers: &CallHeaders, tpp: &str, store: &dyn Store) -> Result<Option<PsuKey>> {
    match headers.psu_id {
        Some(psu_id) => store.psus().psu_by_id(tpp, psu_id),
        None => Ok(None),
    }
}

/// The customer of this person that an id names, if the TPP was given it.
pub(crate) fn corporate(
    id: Option<Uuid>,
    psu: Option<&PsuKey>,
    tpp: &str,
    store: &dyn Store,
) -> Result<Option<CorporateKey>> {
    match (psu, id) {
        (Some(psu), Some(id)) => store.psus().corporate_by_id(tpp, psu, id),
        _ => Ok(None),
    }
}
