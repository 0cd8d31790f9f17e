//! A new payment, with its authorisation or, where the bank exempts it from the SCA, with its order.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::new_authorisation::authorisation;
use crate::bank::{ScaDemand, ScaOccasion};
use crate::handler_error::HandlerError;
use crate::limits::LOGICAL_DUPLICATE_HOURS;
use crate::payment::duplicate_fingerprint::duplicate_fingerprints_by;
use crate::payment::payment_rules::{self, Creation};
use crate::payment::record::Payment;
use crate::pipeline::access::ExpectedPsu;
use crate::pipeline::enqueue_submission::enqueue_submission;
use crate::pipeline::outcome::{Decided, Outcome};
use crate::pipeline::psu_identity::matches_psu_identity;
use crate::pipeline::sca_requirement::sca_requirement;
use crate::pipeline::stages::admit::Admitted;
use crate::pipeline::stages::read_body::NewPayment;
use crate::sca::record::Purpose;
use crate::sca::sca_rules::{authorise, PaymentApproval};
use crate::store::Write;
use crate::types::{DebtorAccount, Party, PaymentId};

pub(super) fn create(admitted: &Admitted<'_>, new: NewPayment) -> Result<Decided, HandlerError> {
    let context = admitted.context();
    let now = context.now;
    let headers = admitted.parsed().call_headers();
    let (order, debtor) = (new.order, new.debtor);
    let party = admitted.psu().map_or_else(|| admitted.party().clone(), Party::from);
    let payment = Arc::new(payment_rules::create(Creation {
        id: PaymentId::from_bytes(context.engine.entropy().id_bytes(now)?),
        tpp: admitted.tpp(),
        product: new.product,
        party: &party,
        identity: headers.identity,
        fee: context.bank().payments().fee(new.product, &order)?,
        order,
        now,
    }));
    // Most payments are kept with an authorisation.
    let mut writes = Vec::with_capacity(2);
    writes.push(insertion(&payment, debtor.as_ref(), new.allow_logical_duplicate, now));
    let warnings = new.warnings;
    if let Some(authorised) = exempted(admitted, &payment, debtor)? {
        let payment = Arc::new(authorised.clone());
        writes.extend(enqueue_submission(authorised, "sca exempted by the bank", now));
        return Ok((writes, Outcome::Created { payment, sca: None, warnings }));
    }
    if admitted.psu().is_some() {
        // The TPP starts the SCA of a PSU it knows.
        return Ok((writes, Outcome::Created { payment, sca: None, warnings }));
    }
    let purpose = Purpose::Payment(payment.id.clone());
    let authorisation = authorisation(admitted, ExpectedPsu::default(), purpose)?;
    let sca = Some(authorisation.id.clone());
    writes.push(Write::InsertAuthorisation(authorisation));
    Ok((writes, Outcome::Created { payment, sca, warnings }))
}

/// Keeps a new payment, unless a duplicate of it exists.
fn insertion(
    payment: &Arc<Payment>,
    debtor: Option<&DebtorAccount>,
    allow_logical_duplicate: bool,
    now: DateTime<Utc>,
) -> Write {
    let duplicate_window_start = match allow_logical_duplicate {
        true => None,
        false => now.checked_sub_signed(duplicates_reach()),
    };
    let alternative_fingerprints = match (duplicate_window_start, debtor) {
        (Some(_), Some(debtor)) => {
            duplicate_fingerprints_by(&payment.tpp, payment.product, &payment.order, &debtor.other_numbers)
        }
        _ => Vec::new(),
    };
    Write::InsertPayment { payment: Arc::clone(payment), duplicate_window_start, alternative_fingerprints }
}

/// The payment as the bank authorised it, where its risk analysis exempts an identified PSU from the SCA. There is no
/// exemption if the call also names another person, because that SCA would fail.
fn exempted(
    admitted: &Admitted<'_>,
    payment: &Payment,
    debtor: Option<DebtorAccount>,
) -> Result<Option<Payment>, HandlerError> {
    let Some(psu) = admitted.psu() else { return Ok(None) };
    let context = admitted.context();
    if !matches_psu_identity(&psu.psu, [payment], None, context.bank())? {
        return Ok(None);
    }
    let occasion = ScaOccasion::Payment { product: payment.product, order: &payment.order };
    let headers = admitted.parsed().call_headers();
    if sca_requirement(context.bank(), headers, admitted.tpp(), psu, occasion)? != ScaDemand::Exempt {
        return Ok(None);
    }
    let mut authorised = payment.clone();
    authorise(&mut authorised, &PaymentApproval { psu, debtor, now: context.now })?;
    Ok(Some(authorised))
}

/// How far back a payment counts as a duplicate. Durations are exact: at 24 hours it no longer does.
fn duplicates_reach() -> TimeDelta {
    TimeDelta::hours(LOGICAL_DUPLICATE_HOURS) - TimeDelta::microseconds(1)
}
