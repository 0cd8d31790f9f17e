//! Payments that are not to be carried out (contract: States and transitions).

use chrono::{DateTime, Utc};

use super::create_payment::{find, owner};
use super::new_authorisation::{authorisation, started};
use super::Outcome;
use crate::bank::OrderStatus;
use crate::handler_error::HandlerError;
use crate::payment::machine::PaymentStatus;
use crate::payment::payment_rules::{self as decide, CancelledBy};
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::stages::admit::Admitted;
use crate::pipeline::stages::parse::PaymentPath;
use crate::pipeline::status_transition::status_transition;
use crate::reason::{Language, Reason};
use crate::sca::record::Purpose;
use crate::store::Write;

/// Cancels a payment that nobody has authorised; says of any other that it needs an SCA.
pub(super) fn cancel(
    admitted: &Admitted<'_>,
    path: &PaymentPath,
    engine: &EngineContext,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Outcome), HandlerError> {
    let payment = find(admitted, path, engine)?;
    match decide::cancel(&payment, admitted.party())? {
        CancelledBy::AnotherSca => Ok((Vec::new(), Outcome::CancellationNeedsSca(Box::new(payment)))),
        CancelledBy::TheCallAlone => {
            let writes =
                status_transition(payment, OrderStatus::of(PaymentStatus::Canc), "cancelled by the TPP", now)
                    .map_err(|_| Reason::PaymentNotCancellable)?;
            Ok((writes, Outcome::GivenUp))
        }
    }
}

/// Starts the authorisation of a cancellation.
pub(super) fn start_authorisation(
    admitted: &Admitted<'_>,
    path: &PaymentPath,
    engine: &EngineContext,
    language: Language,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Outcome), HandlerError> {
    let payment = find(admitted, path, engine)?;
    decide::start_cancellation(&payment, admitted.party())?;
    let purpose = Purpose::Cancellation(payment.id.clone());
    let authorisation = authorisation(admitted, owner(payment), purpose, engine, language, now)?;
    Ok(started(authorisation, Outcome::AuthorisationStarted))
}
