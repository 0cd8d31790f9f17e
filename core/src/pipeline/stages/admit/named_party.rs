//! Whom a payment or basket call names.

use uuid::Uuid;

use crate::consent::consent_rules::named_context;
use crate::error::Result as EngineResult;
use crate::handler_error::HandlerError;
use crate::pipeline::stages::authorise::Authorised;
use crate::reason::{Reason, Refusal};
use crate::store::Store;
use crate::types::{ActingPsu, Context, CorporateKey, Party, PsuKey};

/// The PSU that PSU-ID names, in the role of the call, `None` where it names none; and what the headers themselves
/// name. Where they name no person, any person who takes the role may complete the SCA.
pub(super) fn named(
    authorised: &Authorised<'_>,
    store: &dyn Store,
) -> Result<(Option<ActingPsu>, Party), HandlerError> {
    let headers = authorised.parsed().call_headers();
    let tpp = authorised.tpp();
    let acting = match headers.psu_id {
        Some(psu_id) => Some(in_context(authorised, psu_id, store)?),
        None => None,
    };
    let corporate = headers.psu_corporate_id.map(|id| match &acting {
        Some((psu, _)) => known(store.psus().corporate_by_id(tpp, psu, id)),
        None => known(store.psus().corporate_of_id(tpp, id)),
    });
    let corporate = corporate.transpose()?;
    // A call that names a company acts for it, unless the person's private session says otherwise.
    let acts_for_company = acting.as_ref().is_some_and(|(_, context)| *context == Context::Corporate);
    let party = Party {
        psu: acting.as_ref().map(|(psu, _)| psu.clone()),
        context: headers.context.or(acts_for_company.then_some(Context::Corporate)),
        corporate: corporate.clone().filter(|_| headers.context != Some(Context::Private)),
    };
    let acting = acting.map(|(psu, context)| {
        let corporate = corporate.filter(|_| context == Context::Corporate);
        ActingPsu { psu, context, corporate }
    });
    Ok((acting, party))
}

/// The PSU, and the context of the call.
fn in_context(
    authorised: &Authorised<'_>,
    psu_id: Uuid,
    store: &dyn Store,
) -> Result<(PsuKey, Context), HandlerError> {
    let headers = authorised.parsed().call_headers();
    let tpp = authorised.tpp();
    let psu =
        store.psus().psu_by_id(tpp, psu_id)?.ok_or_else(|| Refusal::at(Reason::PsuUnknown, "PSU-ID"))?;
    // Read only if the call itself names no context. A session that another person opened is ignored for this one.
    let session = match &headers.session_id {
        Some(id) if headers.context.is_none() => {
            store.sca().session(tpp, id)?.filter(|session| session.psu.psu == psu)
        }
        _ => None,
    };
    let names_corporate = headers.psu_corporate_id.is_some();
    let context = named_context(headers.context, session.as_ref(), names_corporate);
    let context = context.unwrap_or(Context::Private);
    if context == Context::Corporate && !names_corporate {
        return Err(Refusal::at(Reason::CorporateIdNeeded, "PSU-Corporate-ID").into());
    }
    Ok((psu, context))
}

fn known(found: EngineResult<Option<CorporateKey>>) -> Result<CorporateKey, HandlerError> {
    found?.ok_or_else(|| Refusal::at(Reason::CorporateIdUnknown, "PSU-Corporate-ID").into())
}
