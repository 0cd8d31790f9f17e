//! A new authorisation: what the link in the answer leads to.

use std::sync::Arc;

use crate::handler_error::HandlerError;
use crate::pipeline::access::ExpectedPsu;
use crate::pipeline::outcome::{Decided, Outcome};
use crate::pipeline::stages::admit::Admitted;
use crate::reason::Reason;
use crate::sca::machine::ScaStatus;
use crate::sca::record::{Authorisation, Purpose};
use crate::store::Write;
use crate::types::{AuthorisationId, Context};

/// Keeps a new authorisation; `outcome` makes the answer of its id.
pub(super) fn started(
    authorisation: Authorisation,
    outcome: impl FnOnce(AuthorisationId) -> Outcome,
) -> Decided {
    let outcome = outcome(authorisation.id.clone());
    (vec![Write::InsertAuthorisation(authorisation)], outcome)
}

/// A new authorisation by the party that the call names. What the call leaves open is taken from `owner`: the party
/// that the payment or basket belongs to, as far as it is known, so that no other PSU is shown it.
pub(super) fn authorisation(
    admitted: &Admitted<'_>,
    owner: ExpectedPsu,
    purpose: Purpose,
) -> Result<Authorisation, HandlerError> {
    let mut party = admitted.party().clone().or(owner.party);
    party.corporate = party.corporate.filter(|_| party.context == Some(Context::Corporate));
    authorisation_by(admitted, ExpectedPsu { party, identity: owner.identity }, purpose)
}

/// A new authorisation by the expected PSU.
pub(super) fn authorisation_by(
    admitted: &Admitted<'_>,
    expected: ExpectedPsu,
    purpose: Purpose,
) -> Result<Authorisation, HandlerError> {
    let context = admitted.context();
    let entropy = context.engine.entropy();
    let headers = admitted.parsed().call_headers();
    let session_id = match &headers.session_id {
        Some(session_id) => session_id.clone(),
        None => entropy.uuid()?.to_string(),
    };
    Ok(Authorisation {
        id: AuthorisationId::from_bytes(entropy.id_bytes(context.now)?),
        version: 1,
        tpp: Arc::clone(admitted.tpp()),
        purpose,
        redirect_uri: headers.redirect_uri.clone().ok_or(Reason::Internal)?,
        session_id,
        psu: expected.party.psu,
        identity: headers.identity.or(expected.identity),
        context: expected.party.context,
        corporate: expected.party.corporate,
        tpp_name: admitted.tpp_name(),
        brand: headers.psu_client().brand,
        redirect_preferred: headers.redirect_preferred.unwrap_or(true),
        language: context.language(),
        psu_language: context.negotiated.psu_language,
        created_at: context.now,
        status: ScaStatus::Started,
    })
}
