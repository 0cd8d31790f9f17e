//! The PSU's answer comes in: the authorisation ends, the payment becomes an order, the PSU goes back.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::pipeline::parts::Parts;
use crate::reason::{Reason, Violation};
use crate::sca::callback::{failure, success, Approved, Redirect};
use crate::sca::decide::{approve_payment, Approval};
use crate::sca::machine::ScaStatus;
use crate::sca::record::{Authorisation, Purpose};
use crate::store::{Committed, Event, OutboxOrder, Write};
use crate::types::{ActingPsu, AuthorisationId, Context};

/// How strong customer authentication ended at the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScaOutcome {
    /// The PSU was authenticated and approved.
    Approved(ActingPsu),
    /// The PSU cancelled.
    Aborted,
    /// Authentication failed.
    Failed,
    /// The bank does not know whoever tried.
    PsuUnknown,
}

/// How often a lost race is tried again before it is the caller's to do so.
const ATTEMPTS_MAX: usize = 5;

pub(super) fn complete_sca(
    parts: &Parts,
    id: &AuthorisationId,
    outcome: &ScaOutcome,
    now: DateTime<Utc>,
) -> Result<Redirect> {
    check_role(outcome)?;
    for _ in 0..ATTEMPTS_MAX {
        let authorisation = parts.store().authorisation(id)?.filter(|found| found.is_open_at(now));
        let authorisation = authorisation.ok_or_else(|| {
            Error::Misuse("the authorisation is unknown, used, or older than 10 minutes".to_owned())
        })?;
        let (writes, redirect) = match outcome {
            ScaOutcome::Approved(psu) => approve(parts, authorisation, psu, now)?,
            ScaOutcome::Aborted => fail(authorisation, &Reason::ScaAborted.into()),
            ScaOutcome::Failed => fail(authorisation, &Reason::ScaFailed.into()),
            ScaOutcome::PsuUnknown => fail(authorisation, &Reason::ScaPsuUnknown.into()),
        };
        if parts.store().commit(&writes)? == Committed::Done {
            return Ok(redirect);
        }
    }
    Err(Error::Store("the authorisation is changed by others all the time; try again".to_owned()))
}

/// Exactly a PSU in the corporate context acts for a customer.
fn check_role(outcome: &ScaOutcome) -> Result<()> {
    match outcome {
        ScaOutcome::Approved(psu) if (psu.context == Context::Corporate) != psu.corporate.is_some() => {
            Err(Error::Misuse(
                "a corporate customer belongs to the corporate context, and to no other".to_owned(),
            ))
        }
        _ => Ok(()),
    }
}

/// The authorisation ends without approval; what it was for stays as it is.
fn fail(mut authorisation: Authorisation, violation: &Violation) -> (Vec<Write>, Redirect) {
    authorisation.status = ScaStatus::Failed;
    authorisation.version += 1;
    let redirect = failure(&authorisation, violation);
    (vec![Write::UpdateAuthorisation(authorisation)], redirect)
}

fn approve(
    parts: &Parts,
    mut authorisation: Authorisation,
    psu: &ActingPsu,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Redirect)> {
    let Purpose::Payment(payment_id) = &authorisation.purpose;
    let mut payment = parts
        .store()
        .payment(payment_id)?
        .ok_or_else(|| Error::Internal("an authorisation's payment is missing".to_owned()))?;
    let from = payment.status;
    let named = match &authorisation.identity {
        Some(identity) => Some(parts.bank().psu(identity)?),
        None => None,
    };
    let debtor = parts.bank().debtor_account(psu, &payment.transfer.debtor_account)?;
    if let Err(violation) =
        approve_payment(&authorisation, &mut payment, &Approval { psu, named, debtor, now })
    {
        return Ok(fail(authorisation, &violation));
    }
    let (approved, mut writes) = identify(parts, &authorisation.tpp, psu)?;
    authorisation.status = ScaStatus::Finalised;
    authorisation.version += 1;
    let redirect = success(&authorisation, &approved);
    writes.push(Write::UpdateAuthorisation(authorisation));
    writes.extend(order(payment, from, now));
    Ok((writes, redirect))
}

/// The authorised payment and its order to the bank: one commit, so that neither is ever without the other.
fn order(payment: Payment, from: PaymentStatus, now: DateTime<Utc>) -> [Write; 3] {
    let event = Event {
        payment_id: payment.id.clone(),
        at: now,
        from,
        to: payment.status,
        cause: "sca completed".to_owned(),
    };
    let order = OutboxOrder { payment_id: payment.id.clone(), attempts: 0, due_at: now };
    [Write::UpdatePayment(payment), Write::EnqueueOrder(order), Write::AppendEvent(event)]
}

/// The ids by which the TPP knows the PSU and, in a corporate context, the customer; made at first sight.
fn identify(parts: &Parts, tpp: &str, acting: &ActingPsu) -> Result<(Approved, Vec<Write>)> {
    let mut writes = Vec::new();
    let psu_id = match parts.store().psu_id(tpp, &acting.psu)? {
        Some(psu_id) => psu_id,
        None => {
            let psu_id = parts.entropy().uuid()?;
            writes.push(Write::RememberPsu { tpp: tpp.to_owned(), psu: acting.psu.clone(), psu_id });
            psu_id
        }
    };
    let corporate_id = corporate_id(parts, tpp, acting, &mut writes)?;
    Ok((Approved { psu_id, corporate_id, context: acting.context }, writes))
}

fn corporate_id(
    parts: &Parts,
    tpp: &str,
    acting: &ActingPsu,
    writes: &mut Vec<Write>,
) -> Result<Option<Uuid>> {
    let Some(corporate) = &acting.corporate else { return Ok(None) };
    let corporate_id = match parts.store().corporate_id(tpp, corporate)? {
        Some(corporate_id) => corporate_id,
        None => parts.entropy().uuid()?,
    };
    if parts.store().corporate_by_id(tpp, &acting.psu, corporate_id)?.is_none() {
        writes.push(Write::RememberCorporate {
            tpp: tpp.to_owned(),
            psu: acting.psu.clone(),
            corporate: corporate.clone(),
            corporate_id,
        });
    }
    Ok(Some(corporate_id))
}
