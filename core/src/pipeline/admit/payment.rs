//! The PSU that a payment names.

use uuid::Uuid;

use crate::error::Result as EngineResult;
use crate::pipeline::authorise::Authorised;
use crate::pipeline::stop::Stop;
use crate::reason::{Reason, Refusal};
use crate::store::Store;
use crate::types::{ActingPsu, Context, CorporateKey};

/// The PSU that PSU-ID names, in its role. `None` where the call names none.
pub(super) fn identified(authorised: &Authorised<'_>, store: &dyn Store) -> Result<Option<ActingPsu>, Stop> {
    match authorised.parsed().call_headers().psu_id {
        Some(psu_id) => acting(authorised, psu_id, store).map(Some),
        None => Ok(None),
    }
}

fn acting(authorised: &Authorised<'_>, psu_id: Uuid, store: &dyn Store) -> Result<ActingPsu, Stop> {
    let headers = authorised.parsed().call_headers();
    let tpp = authorised.tpp();
    let psu = store.psu_by_id(tpp, psu_id)?.ok_or_else(|| Refusal::at(Reason::PsuUnknown, "PSU-ID"))?;
    let context = headers.context.unwrap_or(match headers.psu_corporate_id {
        Some(_) => Context::Corporate,
        None => Context::Private,
    });
    let corporate = match headers.psu_corporate_id.filter(|_| context == Context::Corporate) {
        Some(id) => Some(corporate(store.corporate_by_id(tpp, &psu, id))?),
        None => None,
    };
    Ok(ActingPsu { psu, context, corporate })
}

fn corporate(found: EngineResult<Option<CorporateKey>>) -> Result<CorporateKey, Stop> {
    found?.ok_or_else(|| Refusal::at(Reason::CorporateIdUnknown, "PSU-Corporate-ID").into())
}
