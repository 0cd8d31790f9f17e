//! An existing signing basket: read, deleted, or its authorisation started.

use super::new_authorisation::{authorisation, started};
use crate::basket::basket_rules;
use crate::basket::machine::BasketState;
use crate::basket::record::Basket;
use crate::handler_error::HandlerError;
use crate::payment::record::Payment;
use crate::pipeline::access::ExpectedPsu;
use crate::pipeline::call::BasketAct;
use crate::pipeline::outcome::{Decided, Outcome};
use crate::pipeline::stages::admit::Admitted;
use crate::reason::Reason;
use crate::sca::record::Purpose;
use crate::store::Write;
use crate::types::BasketId;

pub(super) fn act(
    act: BasketAct,
    admitted: &Admitted<'_>,
    id: Option<&BasketId>,
) -> Result<Decided, HandlerError> {
    let (basket, payments) = find(admitted, id)?;
    match act {
        BasketAct::Read => Ok((Vec::new(), Outcome::BasketDetails(Box::new(basket), payments))),
        BasketAct::ReadStatus => Ok((Vec::new(), Outcome::BasketStatus(Box::new(basket), payments))),
        BasketAct::Delete => delete(admitted, basket, payments),
        BasketAct::StartAuthorisation => start_authorisation(admitted, basket, &payments),
    }
}

/// Gives a basket up and lets its payments go.
fn delete(
    admitted: &Admitted<'_>,
    mut basket: Basket,
    payments: Vec<Payment>,
) -> Result<Decided, HandlerError> {
    basket_rules::delete(&mut basket, admitted.party())?;
    let mut writes = vec![Write::UpdateBasket(basket)];
    writes.extend(payments.into_iter().map(|mut payment| {
        payment.version += 1;
        payment.basket = None;
        Write::UpdatePayment(Box::new(payment))
    }));
    Ok((writes, Outcome::GivenUp))
}

/// Starts the authorisation of a basket that waits for one.
fn start_authorisation(
    admitted: &Admitted<'_>,
    basket: Basket,
    payments: &[Payment],
) -> Result<Decided, HandlerError> {
    basket_rules::start_authorisation(&basket, payments, admitted.party())?;
    let owner = ExpectedPsu { party: basket.party(), identity: None };
    let authorisation = authorisation(admitted, owner, Purpose::Basket(basket.id))?;
    Ok(started(authorisation, Outcome::AuthorisationStarted))
}

/// The basket the path names with its payments, if it is this TPP's and was not deleted. Another TPP's basket
/// is as unknown as one that never was.
fn find(admitted: &Admitted<'_>, id: Option<&BasketId>) -> Result<(Basket, Vec<Payment>), HandlerError> {
    let found = match id {
        Some(id) => admitted.context().engine.basket(id)?,
        None => None,
    };
    let is_visible = |basket: &Basket| basket.tpp == *admitted.tpp() && basket.state != BasketState::Deleted;
    found.filter(|(basket, _)| is_visible(basket)).ok_or_else(|| Reason::BasketUnknown.into())
}
