//! Signing baskets: created, found, given up, and their authorisation started.

use chrono::{DateTime, Utc};

use super::new_authorisation::{authorisation, started};
use super::Outcome;
use crate::basket::basket_rules::{self as decide, Creation};
use crate::basket::body::NamedPayments;
use crate::basket::machine::BasketState;
use crate::basket::record::Basket;
use crate::handler_error::HandlerError;
use crate::payment::record::Payment;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::stages::admit::{Admitted, Expected};
use crate::reason::{Language, Reason, Refusal};
use crate::sca::record::Purpose;
use crate::store::Write;
use crate::types::{BasketId, PaymentId};

/// Puts payments into a new basket. Each of them is written too, one version on: of two calls that want the
/// same payment, one loses.
pub(super) fn create(
    admitted: &Admitted<'_>,
    named: &NamedPayments,
    engine: &EngineContext,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Outcome), HandlerError> {
    let psu = admitted.psu().ok_or_else(|| Refusal::at(Reason::HeaderMissing, "PSU-ID"))?;
    let filled = decide::create(Creation {
        id: BasketId::from_bytes(engine.entropy().id_bytes(now)?),
        tpp: admitted.tpp(),
        psu,
        caller: admitted.party(),
        payments: named
            .0
            .iter()
            .map(|id| own_payment(admitted, id.as_ref(), engine))
            .collect::<Result<_, _>>()?,
        now,
    })?;
    let mut writes = vec![Write::InsertBasket(filled.basket.clone())];
    writes.extend(filled.payments.iter().cloned().map(Box::new).map(Write::UpdatePayment));
    Ok((writes, Outcome::BasketCreated(Box::new(filled.basket), filled.payments)))
}

/// A payment of this TPP. Another TPP's payment is as unknown as one that never was.
fn own_payment(
    admitted: &Admitted<'_>,
    id: Option<&PaymentId>,
    engine: &EngineContext,
) -> Result<Option<Payment>, HandlerError> {
    let found = match id {
        Some(id) => engine.store().payment(id)?,
        None => None,
    };
    Ok(found.filter(|payment| payment.tpp == *admitted.tpp()))
}

/// Gives a basket up and lets its payments go.
pub(super) fn delete(
    admitted: &Admitted<'_>,
    id: Option<&BasketId>,
    engine: &EngineContext,
) -> Result<(Vec<Write>, Outcome), HandlerError> {
    let (mut basket, payments) = find(admitted, id, engine)?;
    decide::delete(&mut basket, admitted.party())?;
    let mut writes = vec![Write::UpdateBasket(basket)];
    writes.extend(payments.into_iter().map(|mut payment| {
        payment.version += 1;
        payment.basket = None;
        Write::UpdatePayment(Box::new(payment))
    }));
    Ok((writes, Outcome::GivenUp))
}

/// Starts the authorisation of a basket that waits for one.
pub(super) fn start_authorisation(
    admitted: &Admitted<'_>,
    id: Option<&BasketId>,
    engine: &EngineContext,
    language: Language,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Outcome), HandlerError> {
    let (basket, payments) = find(admitted, id, engine)?;
    decide::start_authorisation(&basket, &payments, admitted.party())?;
    let owner = Expected { party: basket.party(), identity: None };
    let authorisation = authorisation(admitted, owner, Purpose::Basket(basket.id), engine, language, now)?;
    Ok(started(authorisation, Outcome::AuthorisationStarted))
}

/// The basket the path names with its payments, if it is this TPP's and was not deleted. Another TPP's basket
/// is as unknown as one that never was.
pub(super) fn find(
    admitted: &Admitted<'_>,
    id: Option<&BasketId>,
    engine: &EngineContext,
) -> Result<(Basket, Vec<Payment>), HandlerError> {
    let found = match id {
        Some(id) => engine.basket(id)?,
        None => None,
    };
    let is_visible = |basket: &Basket| basket.tpp == *admitted.tpp() && basket.state != BasketState::Deleted;
    found.filter(|(basket, _)| is_visible(basket)).ok_or_else(|| Reason::BasketUnknown.into())
}
