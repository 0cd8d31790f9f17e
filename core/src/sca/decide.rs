//! Decisions about an authorisation: what the PSU's answer comes to.

use chrono::{DateTime, Utc};

use super::record::Authorisation;
use crate::payment::decide::debtor_fault;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::reason::{Reason, Violation};
use crate::types::{ActingPsu, DebtorAccount, PsuKey};

/// What approving is decided from, beside the records.
pub(crate) struct Approval<'a> {
    /// Who approved.
    pub(crate) psu: &'a ActingPsu,
    /// The person behind X-PSU-IDENTITY, where the call named one.
    pub(crate) named: Option<Option<PsuKey>>,
    /// The account that pays, as the bank knows it for this PSU.
    pub(crate) debtor: Option<DebtorAccount>,
    /// The present.
    pub(crate) now: DateTime<Utc>,
}

/// Makes the payment an authorised one.
///
/// # Errors
/// The violation that fails the SCA; the payment stays as it was and can be authorised again.
pub(crate) fn approve_payment(
    authorisation: &Authorisation,
    payment: &mut Payment,
    approval: &Approval<'_>,
) -> Result<(), Violation> {
    check_person(authorisation, payment, approval)?;
    if payment.status != PaymentStatus::Rcvd {
        return Err(Reason::PaymentNotAuthorisable.into());
    }
    if let Some(fault) = debtor_fault(&payment.transfer, approval.debtor) {
        return Err(fault.violation);
    }
    payment.psu = Some(approval.psu.psu.clone());
    payment.context = Some(approval.psu.context);
    payment.corporate = approval.psu.corporate.clone();
    payment.authorised_at = Some(approval.now);
    payment.become_status(PaymentStatus::Pdng).map_err(|_| Reason::PaymentNotAuthorisable.into())
}

/// Whoever answered must be whom the call named, in the context it named.
fn check_person(
    authorisation: &Authorisation,
    payment: &Payment,
    approval: &Approval<'_>,
) -> Result<(), Violation> {
    let person = &approval.psu.psu;
    let is_other = |named: Option<&PsuKey>| named.is_some_and(|named| named != person);
    let is_other_by_number = approval.named.as_ref().is_some_and(|named| named.as_ref() != Some(person));
    if is_other(authorisation.psu.as_ref()) || is_other(payment.psu.as_ref()) || is_other_by_number {
        return Err(Reason::ScaOtherPsu.into());
    }
    let context = authorisation.context.or(payment.context);
    let corporate = authorisation.corporate.as_ref().or(payment.corporate.as_ref());
    let fits = context.is_none_or(|context| context == approval.psu.context)
        && corporate.is_none_or(|corporate| approval.psu.corporate.as_ref() == Some(corporate));
    if fits {
        Ok(())
    } else {
        Err(Reason::ScaOtherContext.into())
    }
}
