//! Whom a payment or basket call names.

use uuid::Uuid;

use crate::consent::decide::named_context;
use crate::error::Result as EngineResult;
use crate::pipeline::authorise::Authorised;
use crate::pipeline::stop::Stop;
use crate::reason::{Reason, Refusal};
use crate::store::Store;
use crate::types::{ActingPsu, Context, CorporateKey, Party};

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
    // Asked only where the call itself names no context. Of a session that was opened by another person nothing
    // follows for this one.
    let session = match &headers.session_id {
        Some(id) if headers.context.is_none() => {
            store.session(tpp, id)?.filter(|session| session.psu.psu == psu)
        }
        _ => None,
    };
    let names_corporate = headers.psu_corporate_id.is_some();
    let context = named_context(headers.context, session.as_ref(), names_corporate);
    let context = context.unwrap_or(Context::Private);
    if context == Context::Corporate && !names_corporate {
        return Err(Refusal::at(Reason::CorporateIdNeeded, "PSU-Corporate-ID").into());
    }
    let named = headers.psu_corporate_id.map(|id| corporate(store.corporate_by_id(tpp, &psu, id)));
    let corporate = named.transpose()?.filter(|_| context == Context::Corporate);
    Ok(ActingPsu { psu, context, corporate })
}

/// What the headers themselves name. Where they name no person, whoever takes the role completes the SCA.
pub(super) fn named(
    authorised: &Authorised<'_>,
    psu: Option<&ActingPsu>,
    store: &dyn Store,
) -> Result<Party, Stop> {
    let headers = authorised.parsed().call_headers();
    let (tpp, psu) = (authorised.tpp(), psu.map(|acting| acting.psu.clone()));
    let named = headers.psu_corporate_id.map(|id| match &psu {
        Some(psu) => corporate(store.corporate_by_id(tpp, psu, id)),
        None => corporate(store.corporate_of_id(tpp, id)),
    });
    let corporate = named.transpose()?.filter(|_| headers.context != Some(Context::Private));
    Ok(Party { psu, context: headers.context, corporate })
}

fn corporate(found: EngineResult<Option<CorporateKey>>) -> Result<CorporateKey, Stop> {
    found?.ok_or_else(|| Refusal::at(Reason::CorporateIdUnknown, "PSU-Corporate-ID").into())
}
