//! An existing payment: read, cancelled, or an authorisation of it started (contract: States and transitions).

use super::new_authorisation::{authorisation, started};
use crate::bank::OrderStatus;
use crate::handler_error::HandlerError;
use crate::payment::machine::PaymentStatus;
use crate::payment::payment_rules::{self, CancelledBy};
use crate::payment::product::Product;
use crate::payment::record::Payment;
use crate::pipeline::access::ExpectedPsu;
use crate::pipeline::call::{PaymentAct, PaymentPath};
use crate::pipeline::outcome::{Decided, Outcome};
use crate::pipeline::stages::admit::Admitted;
use crate::pipeline::status_transition::status_transition;
use crate::reason::Reason;
use crate::sca::record::Purpose;

pub(super) fn act(
    act: PaymentAct,
    admitted: &Admitted<'_>,
    path: &PaymentPath,
) -> Result<Decided, HandlerError> {
    let payment = find(admitted, path)?;
    match act {
        PaymentAct::Read => Ok((Vec::new(), Outcome::Details(readable(admitted, payment)?))),
        PaymentAct::ReadStatus => Ok((Vec::new(), Outcome::Status(readable(admitted, payment)?))),
        PaymentAct::StartAuthorisation => start_authorisation(admitted, payment),
        PaymentAct::Cancel => cancel(admitted, payment),
        PaymentAct::StartCancelling => start_cancelling(admitted, payment),
    }
}

/// The payment the path names, if it is this TPP's and of this product. Another TPP's payment is as
/// unknown as one that never was.
fn find(admitted: &Admitted<'_>, path: &PaymentPath) -> Result<Payment, HandlerError> {
    let found = match &path.id {
        Some(id) => admitted.context().store().payments().payment(id)?,
        None => None,
    };
    let is_visible = |payment: &Payment| payment.tpp == *admitted.tpp() && payment.product == path.product;
    found.filter(is_visible).ok_or_else(|| Reason::PaymentUnknown.into())
}

/// The payment whose details or status are asked for. With policy `domestic_unreadable_before_approval`, an ordinary
/// domestic one is unknown while it waits for its approval.
fn readable(admitted: &Admitted<'_>, payment: Payment) -> Result<Box<Payment>, Reason> {
    let waits = payment.product == Product::Domestic && payment.status == PaymentStatus::Rcvd;
    if waits && admitted.context().policy.domestic_unreadable_before_approval {
        return Err(Reason::PaymentUnknown);
    }
    Ok(Box::new(payment))
}

/// Starts the authorisation of a payment that waits for one.
fn start_authorisation(admitted: &Admitted<'_>, payment: Payment) -> Result<Decided, HandlerError> {
    payment_rules::start_authorisation(&payment, admitted.party())?;
    let purpose = Purpose::Payment(payment.id.clone());
    let authorisation = authorisation(admitted, owner(payment), purpose)?;
    Ok(started(authorisation, Outcome::AuthorisationStarted))
}

/// Cancels a payment that is not authorised; any other needs an SCA.
fn cancel(admitted: &Admitted<'_>, payment: Payment) -> Result<Decided, HandlerError> {
    match payment_rules::cancel(&payment, admitted.party())? {
        CancelledBy::AnotherSca => Ok((Vec::new(), Outcome::CancellationNeedsSca(Box::new(payment)))),
        CancelledBy::TheCallAlone => {
            let cancelled = OrderStatus::of(PaymentStatus::Canc);
            let now = admitted.context().now;
            let writes = status_transition(payment, cancelled, "cancelled by the TPP", now)
                .map_err(|_| Reason::PaymentNotCancellable)?;
            Ok((writes, Outcome::GivenUp))
        }
    }
}

/// Starts the authorisation of a cancellation.
fn start_cancelling(admitted: &Admitted<'_>, payment: Payment) -> Result<Decided, HandlerError> {
    payment_rules::start_cancellation(&payment, admitted.party())?;
    let purpose = Purpose::Cancellation(payment.id.clone());
    let authorisation = authorisation(admitted, owner(payment), purpose)?;
    Ok(started(authorisation, Outcome::AuthorisationStarted))
}

/// The party whose payment it is, as far as that is known.
fn owner(payment: Payment) -> ExpectedPsu {
    ExpectedPsu { party: payment.party(), identity: payment.identity }
}
