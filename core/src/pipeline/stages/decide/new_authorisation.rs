//! A new authorisation: the thing behind the link that the answer carries.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::Outcome;
use crate::handler_error::HandlerError;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::stages::admit::{Admitted, Expected};
use crate::reason::{Language, Reason};
use crate::sca::machine::ScaStatus;
use crate::sca::record::{Authorisation, Purpose};
use crate::store::Write;
use crate::types::{AuthorisationId, Context};

/// Keeps a new authorisation, and answers as `outcome` says of its id.
pub(super) fn started(
    authorisation: Authorisation,
    outcome: impl FnOnce(AuthorisationId) -> Outcome,
) -> (Vec<Write>, Outcome) {
    let outcome = outcome(authorisation.id.clone());
    (vec![Write::InsertAuthorisation(authorisation)], outcome)
}

/// A new authorisation by whom the call names. What the call leaves open, `owner` fills in: whom the thing to
/// be authorised belongs to, as far as that is known, so that nobody else is shown it.
pub(super) fn authorisation(
    admitted: &Admitted<'_>,
    owner: Expected,
    purpose: Purpose,
    engine: &EngineContext,
    language: Language,
    now: DateTime<Utc>,
) -> Result<Authorisation, HandlerError> {
    let mut party = admitted.party().clone().or(owner.party);
    party.corporate = party.corporate.filter(|_| party.context == Some(Context::Corporate));
    let expected = Expected { party, identity: owner.identity };
    authorisation_by(admitted, expected, purpose, engine, language, now)
}

/// A new authorisation by whoever is expected to complete it.
pub(super) fn authorisation_by(
    admitted: &Admitted<'_>,
    expected: Expected,
    purpose: Purpose,
    engine: &EngineContext,
    language: Language,
    now: DateTime<Utc>,
) -> Result<Authorisation, HandlerError> {
    let headers = admitted.parsed().call_headers();
    let session_id = match &headers.session_id {
        Some(session_id) => session_id.clone(),
        None => engine.entropy().uuid()?.to_string(),
    };
    Ok(Authorisation {
        id: AuthorisationId::from_bytes(engine.entropy().id_bytes(now)?),
        version: 1,
        tpp: Arc::clone(admitted.tpp()),
        purpose,
        redirect_uri: headers.redirect_uri.clone().ok_or(Reason::Internal)?,
        session_id,
        psu: expected.party.psu,
        identity: headers.identity.or(expected.identity),
        context: expected.party.context,
        corporate: expected.party.corporate,
        brand: headers.psu_client().brand,
        language,
        created_at: now,
        status: ScaStatus::Started,
    })
}
