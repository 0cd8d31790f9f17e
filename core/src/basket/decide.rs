//! Decisions about signing baskets: pure functions over what was read before.

use chrono::{DateTime, Utc};

use super::machine::BasketState;
use super::record::Basket;
use crate::payment::machine::PaymentStatus;
use crate::payment::product::Service;
use crate::payment::record::Payment;
use crate::reason::{Finding, Reason, Refusal};
use crate::types::{ActingPsu, BasketId, Context, CorporateKey, PsuKey};

/// What a creation is decided from.
pub(crate) struct Creation<'c> {
    pub(crate) id: BasketId,
    pub(crate) tpp: &'c str,
    /// The PSU the call named.
    pub(crate) psu: &'c ActingPsu,
    /// The payments it named, in their order; `None` for one that this TPP does not have.
    pub(crate) payments: Vec<Option<Payment>>,
    pub(crate) now: DateTime<Utc>,
}

/// A new basket, and its payments as they are from now on.
#[derive(Debug)]
pub(crate) struct Filled {
    pub(crate) basket: Basket,
    pub(crate) payments: Vec<Payment>,
}

/// Puts payments into a new basket.
///
/// # Errors
/// The first of these that any payment earns, for every payment that earns it: RESOURCE_UNKNOWN; then
/// REFERENCE_MIX_INVALID for bulk and periodic payments, those in an open basket, and those that one PSU in
/// one context cannot authorise together; PSU_CREDENTIALS_INVALID for a call that names another PSU than the
/// payments; CONFLICT for a payment that is not received.
pub(crate) fn create(creation: Creation<'_>) -> Result<Filled, Refusal> {
    let mut payments = known(creation.payments)?;
    refuse_each(&payments, Reason::BasketProductMixed, |payment| {
        payment.product.service() != Service::Payments
    })?;
    refuse_each(&payments, Reason::BasketPaymentTaken, |payment| payment.basket.is_some())?;
    let mut party = Party::default();
    refuse_each(&payments, Reason::BasketPsusMixed, |payment| !party.joined_by(payment))?;
    if party.psu.as_ref().is_some_and(|owner| *owner != creation.psu.psu) {
        return Err(Refusal::at(Reason::PsuOfAnotherPayment, "PSU-ID"));
    }
    refuse_each(&payments, Reason::BasketPaymentNotReceived, |payment| {
        payment.status != PaymentStatus::Rcvd
    })?;
    let context = party.context.unwrap_or(creation.psu.context);
    let corporate = party.corporate.or_else(|| creation.psu.corporate.clone());
    let basket = Basket {
        id: creation.id,
        version: 1,
        tpp: creation.tpp.to_owned(),
        payments: payments.iter().map(|payment| payment.id.clone()).collect(),
        psu: creation.psu.psu.clone(),
        context,
        corporate: corporate.filter(|_| context == Context::Corporate),
        state: BasketState::Open,
        created_at: creation.now,
    };
    for payment in &mut payments {
        payment.version += 1;
        payment.basket = Some(basket.id.clone());
    }
    Ok(Filled { basket, payments })
}

/// The payments, if the TPP has them all.
fn known(found: Vec<Option<Payment>>) -> Result<Vec<Payment>, Refusal> {
    let missing = found.iter().enumerate().filter(|(_, payment)| payment.is_none());
    let findings: Vec<_> = missing.map(|(index, _)| at(index, Reason::BasketPaymentUnknown)).collect();
    match Refusal::from_findings(findings) {
        Some(refusal) => Err(refusal),
        None => Ok(found.into_iter().flatten().collect()),
    }
}

/// One finding for each payment of which that is true.
fn refuse_each(
    payments: &[Payment],
    reason: Reason,
    mut is_so: impl FnMut(&Payment) -> bool,
) -> Result<(), Refusal> {
    let faulty = payments.iter().enumerate().filter(|(_, payment)| is_so(payment));
    let findings = faulty.map(|(index, _)| at(index, reason)).collect();
    Refusal::from_findings(findings).map_or(Ok(()), Err)
}

fn at(index: usize, reason: Reason) -> Finding {
    Finding::error(reason, format!("/paymentIds/{index}"))
}

/// Whom the payments seen so far belong to, as far as that is known. What a payment leaves open, such as the
/// PSU of a single SCA, goes with anybody.
#[derive(Default)]
struct Party {
    psu: Option<PsuKey>,
    context: Option<Context>,
    corporate: Option<CorporateKey>,
}

impl Party {
    /// Takes a payment in, if the same person in the same context can authorise it too.
    fn joined_by(&mut self, payment: &Payment) -> bool {
        let fits = agree(self.psu.as_ref(), payment.psu.as_ref())
            && agree(self.context.as_ref(), payment.context.as_ref())
            && agree(self.corporate.as_ref(), payment.corporate.as_ref());
        if fits {
            self.psu = self.psu.take().or_else(|| payment.psu.clone());
            self.context = self.context.or(payment.context);
            self.corporate = self.corporate.take().or_else(|| payment.corporate.clone());
        }
        fits
    }
}

/// Whether two values are the same, or one of them is not known.
fn agree<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}

/// Gives a basket up that nobody has authorised.
///
/// # Errors
/// PSU_CREDENTIALS_INVALID for another PSU; CONFLICT for a basket that is authorised.
pub(crate) fn delete(basket: &mut Basket, psu: Option<&ActingPsu>) -> Result<(), Refusal> {
    check_psu(basket, psu)?;
    match basket.become_state(BasketState::Deleted) {
        true => Ok(()),
        false => Err(Reason::BasketNotDeletable.into()),
    }
}

/// Whether the TPP may start an authorisation of this basket for this PSU.
///
/// # Errors
/// PSU_CREDENTIALS_INVALID for another PSU; CONFLICT where there is nothing to authorise.
pub(crate) fn start_authorisation(
    basket: &Basket,
    payments: &[Payment],
    psu: Option<&ActingPsu>,
) -> Result<(), Refusal> {
    check_psu(basket, psu)?;
    match is_authorisable(basket, payments) {
        true => Ok(()),
        false => Err(Reason::BasketNotAuthorisable.into()),
    }
}

/// Whether a payment of the basket waits for its SCA.
pub(crate) fn is_authorisable(basket: &Basket, payments: &[Payment]) -> bool {
    basket.state == BasketState::Open && payments.iter().any(|payment| payment.status == PaymentStatus::Rcvd)
}

fn check_psu(basket: &Basket, psu: Option<&ActingPsu>) -> Result<(), Refusal> {
    match psu {
        Some(acting) if basket.psu != acting.psu => Err(Refusal::at(Reason::PsuOfAnotherBasket, "PSU-ID")),
        _ => Ok(()),
    }
}
