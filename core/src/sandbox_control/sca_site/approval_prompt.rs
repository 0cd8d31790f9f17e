//! What the person is asked, put together for the page that shows it.

use crate::engine::Subject;
use crate::error::{Error, Result};
use crate::payment::record::Payment;
use crate::sandbox::page::{ApprovalPrompt, Offer, Ordered};
use crate::sandbox_control::sandbox::Sandbox;
use crate::types::{ActingPsu, AgreementId};

/// What a consent may be given for, where the authorisation is for one; under an agreement, where one was chosen.
pub(super) fn offer(
    sandbox: &Sandbox,
    subject: &Subject,
    acting: &ActingPsu,
    agreement: Option<&AgreementId>,
) -> Result<Option<Offer>> {
    match subject {
        Subject::Consent => sandbox.bank.offer(acting, agreement).map(Some),
        Subject::Payment(_) | Subject::Cancellation(_) | Subject::Basket(_) | Subject::Identification => {
            Ok(None)
        }
    }
}

/// The question, with everything that must be seen before it is answered.
pub(super) fn prompt<'e>(subject: &'e Subject, offer: Option<&'e Offer>) -> Result<ApprovalPrompt<'e>> {
    match (subject, offer) {
        (Subject::Payment(payment), _) => {
            Ok(ApprovalPrompt::Pay(to_pay(std::slice::from_ref(payment.as_ref()))))
        }
        (Subject::Cancellation(payment), _) => {
            // What is stopped costs nothing.
            Ok(ApprovalPrompt::Cancel(Ordered { orders: vec![&payment.order], fees: Vec::new() }))
        }
        (Subject::Basket(payments), _) => Ok(ApprovalPrompt::Pay(to_pay(payments))),
        (Subject::Identification, _) => Ok(ApprovalPrompt::Identify),
        (Subject::Consent, Some(offer)) => Ok(ApprovalPrompt::Open(offer)),
        (Subject::Consent, None) => Err(Error::Internal("a consent without an offer".to_owned())),
    }
}

/// Payments with the bank's charge for each, as stated at creation.
fn to_pay(payments: &[Payment]) -> Ordered<'_> {
    Ordered {
        orders: payments.iter().map(|payment| &payment.order).collect(),
        fees: payments.iter().map(|payment| payment.fee).collect(),
    }
}
