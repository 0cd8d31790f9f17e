//! What the bank's own site must show of an authorisation.

use chrono::{DateTime, Utc};

use crate::basket::machine::BasketState;
use crate::error::{Error, Result};
use crate::payment::machine::PaymentStatus;
use crate::payment::order::Order;
use crate::payment::record::Payment;
use crate::pipeline::parts::Parts;
use crate::sca::record::{Authorisation, Purpose};
use crate::types::{AuthorisationId, BasketId, PaymentId};

/// An authorisation that waits for its PSU: what the bank's own site must show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenAuthorisation {
    /// The authorisation: who is named, which context, when it dies.
    pub authorisation: Authorisation,
    /// What is to be approved.
    pub subject: Subject,
}

/// What an authorisation is about: amounts and payees are what the PSU must see (dynamic linking).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// An order to pay.
    Payment(Box<Order>),
    /// An order that is not to be carried out.
    Cancellation(Box<Order>),
    /// Several orders to pay, one by one: those of a signing basket that still wait.
    Basket(Vec<Order>),
    /// Access to accounts of the PSU's choice: those that [`Bank::accounts`](crate::bank::Bank::accounts)
    /// and [`Bank::card_accounts`](crate::bank::Bank::card_accounts) offer.
    Consent,
    /// Nothing but who the PSU is.
    Identification,
}

pub(super) fn open_authorisation(
    parts: &Parts,
    id: &AuthorisationId,
    now: DateTime<Utc>,
) -> Result<Option<OpenAuthorisation>> {
    let Some(authorisation) = parts.store().authorisation(id)?.filter(|found| found.is_open_at(now)) else {
        return Ok(None);
    };
    match subject(parts, &authorisation.purpose) {
        Ok(subject) => Ok(Some(OpenAuthorisation { authorisation, subject })),
        Err(_) if is_gone(parts, id)? => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether an authorisation that was there is not any more: a store that is emptied, as that of a sandbox is, takes
/// it away together with what it was for.
pub(super) fn is_gone(parts: &Parts, id: &AuthorisationId) -> Result<bool> {
    Ok(parts.store().authorisation(id)?.is_none())
}

fn subject(parts: &Parts, purpose: &Purpose) -> Result<Subject> {
    Ok(match purpose {
        Purpose::Payment(id) => Subject::Payment(Box::new(payment(parts, id)?.order)),
        Purpose::Cancellation(id) => Subject::Cancellation(Box::new(payment(parts, id)?.order)),
        Purpose::Basket(id) => Subject::Basket(waiting(parts, id)?),
        Purpose::Consent => Subject::Consent,
        Purpose::Identification => Subject::Identification,
    })
}

/// The orders of a basket that approving would send to the bank.
fn waiting(parts: &Parts, id: &BasketId) -> Result<Vec<Order>> {
    let missing = || Error::Internal("an authorisation's basket is missing".to_owned());
    let (basket, payments) = parts.basket(id)?.ok_or_else(missing)?;
    let is_open = basket.state == BasketState::Open;
    let waiting = payments.into_iter().filter(|payment| is_open && payment.status == PaymentStatus::Rcvd);
    Ok(waiting.map(|payment| payment.order).collect())
}

fn payment(parts: &Parts, id: &PaymentId) -> Result<Payment> {
    let missing = || Error::Internal("an authorisation's payment is missing".to_owned());
    parts.store().payment(id)?.ok_or_else(missing)
}
