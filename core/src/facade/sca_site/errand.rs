//! What the person is asked, put together for the page that shows it.

use crate::basket::decide::waiting;
use crate::engine::Subject;
use crate::error::{Error, Result};
use crate::facade::sandbox::Sandbox;
use crate::payment::order::Order;
use crate::sandbox::page::{Errand, Offer, Ordered};
use crate::sca::record::{Authorisation, Purpose};
use crate::types::{ActingPsu, AgreementId, Money};

/// What a consent may be given for, where the authorisation is for one; under an agreement, where one was chosen.
pub(super) fn offer(
    sandbox: &Sandbox,
    subject: &Subject,
    acting: &ActingPsu,
    agreement: Option<&AgreementId>,
) -> Result<Option<Offer>> {
    match subject {
        Subject::Consent => sandbox.bank.offer(acting, agreement).map(Some),
        Subject::Payment(_) | Subject::Cancellation(_) | Subject::Basket(_) | Subject::Identification => {
            Ok(None)
        }
    }
}

/// The question, with everything that must be seen before it is answered.
pub(super) fn errand<'e>(
    sandbox: &Sandbox,
    authorisation: &Authorisation,
    subject: &'e Subject,
    offer: Option<&'e Offer>,
) -> Result<Errand<'e>> {
    let ordered = |orders: Vec<&'e Order>| -> Result<Ordered<'e>> {
        Ok(Ordered { orders, fees: fees(sandbox, &authorisation.purpose)? })
    };
    match (subject, offer) {
        (Subject::Payment(order), _) => Ok(Errand::Pay(ordered(vec![order])?)),
        (Subject::Cancellation(order), _) => {
            // What is stopped costs nothing.
            Ok(Errand::Cancel(Ordered { orders: vec![order], fees: Vec::new() }))
        }
        (Subject::Basket(orders), _) => Ok(Errand::Pay(ordered(orders.iter().collect())?)),
        (Subject::Identification, _) => Ok(Errand::Identify),
        (Subject::Consent, Some(offer)) => Ok(Errand::Open(offer)),
        (Subject::Consent, None) => Err(Error::Internal("a consent without an offer".to_owned())),
    }
}

/// What the bank charges for what would be ordered, as it was told at creation: of a basket, for the payments that
/// still wait.
fn fees(sandbox: &Sandbox, purpose: &Purpose) -> Result<Vec<Money>> {
    let parts = &sandbox.engine.parts;
    let payments = match purpose {
        Purpose::Payment(id) => parts.store().payment(id)?.into_iter().collect(),
        Purpose::Basket(id) => {
            let found = parts.basket(id)?;
            found.map_or_else(Vec::new, |(basket, payments)| waiting(&basket, payments).collect())
        }
        Purpose::Cancellation(_) | Purpose::Consent | Purpose::Identification => Vec::new(),
    };
    Ok(payments.into_iter().map(|payment| payment.fee).collect())
}
