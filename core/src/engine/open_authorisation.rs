//! What the bank's own site must show of an authorisation.

use chrono::{DateTime, Utc};

use crate::basket::basket_rules::waiting;
use crate::error::Result;
use crate::payment::record::Payment;
use crate::pipeline::engine_context::EngineContext;
use crate::sca::record::{Authorisation, Purpose};
use crate::types::AuthorisationId;

/// An authorisation that waits for its PSU: what the bank's own site must show.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenAuthorisation {
    /// The authorisation: who is named, which context, when it dies.
    pub authorisation: Authorisation,
    /// What is to be approved.
    pub subject: Subject,
}

/// What an authorisation is about: the amounts and payees of its orders are what the PSU must see (dynamic linking),
/// and what the bank charges.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// A payment.
    Payment(Box<Payment>),
    /// A payment that is not to be carried out.
    Cancellation(Box<Payment>),
    /// Several payments, one by one: those of a signing basket that still wait.
    Basket(Vec<Payment>),
    /// Access to accounts of the PSU's choice: those that
    /// [`BankAccounts::accounts`](crate::bank::BankAccounts::accounts) and
    /// [`BankCardAccounts::card_accounts`](crate::bank::BankCardAccounts::card_accounts) offer.
    Consent,
    /// Nothing but who the PSU is.
    Identification,
}

pub(super) fn open_authorisation(
    engine: &EngineContext,
    id: &AuthorisationId,
    now: DateTime<Utc>,
) -> Result<Option<OpenAuthorisation>> {
    let Some(authorisation) = engine.store().sca().authorisation(id)?.filter(|found| found.is_open_at(now))
    else {
        return Ok(None);
    };
    match subject(engine, &authorisation.purpose) {
        Ok(subject) => Ok(Some(OpenAuthorisation { authorisation, subject })),
        Err(_) if is_gone(engine, id)? => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether an authorisation that was there is not any more: a store that is emptied, as that of a sandbox is, takes
/// it away together with what it was for.
pub(super) fn is_gone(engine: &EngineContext, id: &AuthorisationId) -> Result<bool> {
    Ok(engine.store().sca().authorisation(id)?.is_none())
}

fn subject(engine: &EngineContext, purpose: &Purpose) -> Result<Subject> {
    Ok(match purpose {
        Purpose::Payment(id) => Subject::Payment(Box::new(engine.payment_to_approve(id)?)),
        Purpose::Cancellation(id) => Subject::Cancellation(Box::new(engine.payment_to_approve(id)?)),
        Purpose::Basket(id) => {
            let (basket, payments) = engine.basket_to_approve(id)?;
            Subject::Basket(waiting(&basket, payments).collect())
        }
        Purpose::Consent => Subject::Consent,
        Purpose::Identification => Subject::Identification,
    })
}
