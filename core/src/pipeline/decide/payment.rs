//! Payments: created, found, and their authorisation started.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::authorisation::{authorisation, started};
use super::Outcome;
use crate::bank::{ScaDemand, ScaOccasion};
use crate::limits::LOGICAL_DUPLICATE_HOURS;
use crate::payment::decide::{self, create, Creation};
use crate::payment::likeness::likenesses_by;
use crate::payment::machine::PaymentStatus;
use crate::payment::product::Product;
use crate::payment::record::Payment;
use crate::pipeline::admit::{Admitted, Expected};
use crate::pipeline::by_number::is_named_by;
use crate::pipeline::order;
use crate::pipeline::parse::PaymentPath;
use crate::pipeline::parts::Parts;
use crate::pipeline::read_body::NewPayment;
use crate::pipeline::risk::demand;
use crate::pipeline::stop::Stop;
use crate::reason::{Language, Reason};
use crate::sca::decide::{authorise, Approval};
use crate::sca::record::Purpose;
use crate::store::Write;
use crate::types::{DebtorAccount, Party, PaymentId};

pub(super) fn create_payment(
    admitted: &Admitted<'_>,
    new: NewPayment,
    parts: &Parts,
    language: Language,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Outcome), Stop> {
    let headers = admitted.parsed().call_headers();
    let (order, debtor) = (new.order, new.debtor);
    let party = admitted.psu().map_or_else(|| admitted.party().clone(), Party::from);
    let payment = Arc::new(create(Creation {
        id: PaymentId::from_bytes(parts.entropy().id_bytes(now)?),
        tpp: admitted.tpp(),
        product: new.product,
        party: &party,
        identity: headers.identity,
        fee: parts.bank().fee(new.product, &order)?,
        order,
        now,
    }));
    // Most payments are kept with an authorisation.
    let mut writes = Vec::with_capacity(2);
    writes.push(insertion(&payment, debtor.as_ref(), new.allow_logical_duplicate, now));
    let warnings = new.warnings;
    if let Some(authorised) = exempted(admitted, &payment, debtor, parts, now)? {
        let payment = Arc::new(authorised.clone());
        writes.extend(order::order(authorised, "sca exempted by the bank", now));
        return Ok((writes, Outcome::Created { payment, sca: None, warnings }));
    }
    if admitted.psu().is_some() {
        // The TPP starts the SCA of a PSU it knows.
        return Ok((writes, Outcome::Created { payment, sca: None, warnings }));
    }
    let purpose = Purpose::Payment(payment.id.clone());
    let authorisation = authorisation(admitted, Expected::default(), purpose, parts, language, now)?;
    let sca = Some(authorisation.id.clone());
    writes.push(Write::InsertAuthorisation(authorisation));
    Ok((writes, Outcome::Created { payment, sca, warnings }))
}

/// Keeps a new payment, unless a like one stands in the way.
fn insertion(
    payment: &Arc<Payment>,
    debtor: Option<&DebtorAccount>,
    allow_logical_duplicate: bool,
    now: DateTime<Utc>,
) -> Write {
    let refuse_like_since = match allow_logical_duplicate {
        true => None,
        false => now.checked_sub_signed(duplicates_reach()),
    };
    let also_like = match (refuse_like_since, debtor) {
        (Some(_), Some(debtor)) => {
            likenesses_by(&payment.tpp, payment.product, &payment.order, &debtor.other_numbers)
        }
        _ => Vec::new(),
    };
    Write::InsertPayment { payment: Arc::clone(payment), refuse_like_since, also_like }
}

/// The payment as the bank authorised it, where its risk analysis exempts an identified PSU from the SCA. An SCA that
/// would fail, because the call names another person beside them, is none to be exempted from.
fn exempted(
    admitted: &Admitted<'_>,
    payment: &Payment,
    debtor: Option<DebtorAccount>,
    parts: &Parts,
    now: DateTime<Utc>,
) -> Result<Option<Payment>, Stop> {
    let Some(psu) = admitted.psu() else { return Ok(None) };
    if !is_named_by(&psu.psu, [payment], None, parts)? {
        return Ok(None);
    }
    let occasion = ScaOccasion::Payment { product: payment.product, order: &payment.order };
    if demand(parts, admitted.parsed(), admitted.tpp(), psu, occasion)? != ScaDemand::Exempt {
        return Ok(None);
    }
    let mut authorised = payment.clone();
    authorise(&mut authorised, &Approval { psu, debtor, now })?;
    Ok(Some(authorised))
}

/// How far back a like payment stands in the way. Durations are exact: at 24 hours it is over.
fn duplicates_reach() -> TimeDelta {
    TimeDelta::hours(LOGICAL_DUPLICATE_HOURS) - TimeDelta::microseconds(1)
}

/// Starts the authorisation of a payment that waits for one.
pub(super) fn start_authorisation(
    admitted: &Admitted<'_>,
    path: &PaymentPath,
    parts: &Parts,
    language: Language,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Outcome), Stop> {
    let payment = find(admitted, path, parts)?;
    decide::start_authorisation(&payment, admitted.party())?;
    let purpose = Purpose::Payment(payment.id.clone());
    let authorisation = authorisation(admitted, owner(payment), purpose, parts, language, now)?;
    Ok(started(authorisation, Outcome::AuthorisationStarted))
}

/// Whose payment it is, as far as that is known.
pub(super) fn owner(payment: Payment) -> Expected {
    Expected { party: payment.party(), identity: payment.identity }
}

/// The payment whose details or status are asked for. With policy `domestic_unreadable_before_approval`, an ordinary
/// domestic one is unknown while it waits for its approval.
pub(super) fn read(admitted: &Admitted<'_>, path: &PaymentPath, parts: &Parts) -> Result<Payment, Stop> {
    let payment = find(admitted, path, parts)?;
    let waits = payment.product == Product::Domestic && payment.status == PaymentStatus::Rcvd;
    if waits && admitted.parsed().policy().domestic_unreadable_before_approval {
        return Err(Reason::PaymentUnknown.into());
    }
    Ok(payment)
}

/// The payment the path names, if it is this TPP's and of this product. Another TPP's payment is as
/// unknown as one that never was.
pub(super) fn find(admitted: &Admitted<'_>, path: &PaymentPath, parts: &Parts) -> Result<Payment, Stop> {
    let found = match &path.id {
        Some(id) => parts.store().payment(id)?,
        None => None,
    };
    let is_visible = |payment: &Payment| payment.tpp == *admitted.tpp() && payment.product == path.product;
    found.filter(is_visible).ok_or_else(|| Reason::PaymentUnknown.into())
}
