//! A new signing basket.

use crate::basket::basket_rules::{create as fill, Creation};
use crate::basket::body::NamedPayments;
use crate::handler_error::HandlerError;
use crate::payment::record::Payment;
use crate::pipeline::outcome::{Decided, Outcome};
use crate::pipeline::stages::admit::Admitted;
use crate::reason::{Reason, Refusal};
use crate::store::Write;
use crate::types::{BasketId, PaymentId};

/// Puts payments into a new basket. Each of them is written too, one version on: of two calls that want the
/// same payment, one loses.
pub(super) fn create(admitted: &Admitted<'_>, named: &NamedPayments) -> Result<Decided, HandlerError> {
    let context = admitted.context();
    let psu = admitted.psu().ok_or_else(|| Refusal::at(Reason::HeaderMissing, "PSU-ID"))?;
    let filled = fill(Creation {
        id: BasketId::from_bytes(context.engine.entropy().id_bytes(context.now)?),
        tpp: admitted.tpp(),
        psu,
        caller: admitted.party(),
        payments: named.0.iter().map(|id| own_payment(admitted, id.as_ref())).collect::<Result<_, _>>()?,
        now: context.now,
    })?;
    let mut writes = vec![Write::InsertBasket(filled.basket.clone())];
    writes.extend(filled.payments.iter().cloned().map(Box::new).map(Write::UpdatePayment));
    Ok((writes, Outcome::BasketCreated(Box::new(filled.basket), filled.payments)))
}

/// A payment of this TPP. Another TPP's payment is as unknown as one that never was.
fn own_payment(admitted: &Admitted<'_>, id: Option<&PaymentId>) -> Result<Option<Payment>, HandlerError> {
    let found = match id {
        Some(id) => admitted.context().store().payments().payment(id)?,
        None => None,
    };
    Ok(found.filter(|payment| payment.tpp == *admitted.tpp()))
}
