//! SCAs for account information: they open accounts, or make the PSU known.

use super::new_authorisation::{authorisation_by, started};
use crate::error::Result as EngineResult;
use crate::handler_error::HandlerError;
use crate::pipeline::access::{ExpectedPsu, ScaRequired};
use crate::pipeline::named_psu;
use crate::pipeline::outcome::{Decided, Outcome};
use crate::pipeline::stages::admit::Admitted;
use crate::sca::record::Purpose;
use crate::types::{Context, Party};

/// Starts an SCA in which the PSU opens accounts.
pub(super) fn for_consent(admitted: &Admitted<'_>) -> Result<Decided, HandlerError> {
    let authorisation = authorisation_by(admitted, named(admitted)?, Purpose::Consent)?;
    Ok(started(authorisation, Outcome::ConsentStarted))
}

/// Starts an SCA that makes the PSU known, and opens nothing.
pub(super) fn for_identification(admitted: &Admitted<'_>) -> Result<Decided, HandlerError> {
    let authorisation = authorisation_by(admitted, named(admitted)?, Purpose::Identification)?;
    Ok(started(authorisation, Outcome::IdentificationStarted))
}

/// Starts the SCA that would cure a refusal.
pub(super) fn required(admitted: &Admitted<'_>, required: ScaRequired) -> Result<Decided, HandlerError> {
    let ScaRequired { refusal, purpose, expected } = required;
    let authorisation = authorisation_by(admitted, expected, purpose)?;
    Ok(started(authorisation, |sca| Outcome::ScaRequired { refusal, sca }))
}

/// The PSU that a call names. Ids that the TPP was not given name no PSU: the SCA gives the right ones. Where no
/// context is named, the PSU chooses it.
fn named(admitted: &Admitted<'_>) -> EngineResult<ExpectedPsu> {
    let headers = admitted.parsed().call_headers();
    let (tpp, store) = (admitted.tpp(), admitted.context().store());
    let psu = named_psu::psu(headers, tpp, store)?;
    let corporate_id = headers.psu_corporate_id.filter(|_| headers.context != Some(Context::Private));
    let corporate = named_psu::corporate(corporate_id, psu.as_ref(), tpp, store)?;
    let context = headers.context.or(corporate.as_ref().map(|_| Context::Corporate));
    Ok(ExpectedPsu { party: Party { psu, context, corporate }, identity: None })
}
