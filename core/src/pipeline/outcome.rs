//! What a command comes to.

use std::sync::Arc;

use uuid::Uuid;

use super::account_read::{AccountRead, Answered};
use crate::account::record::CorporateAgreement;
use crate::bank::BankAnswer;
use crate::basket::record::Basket;
use crate::payment::record::Payment;
use crate::reason::{Finding, Reason, Refusal};
use crate::store::Write;
use crate::types::{ActingPsu, AuthorisationId};

/// What is to be written, and what will be answered.
pub(crate) type Decided = (Vec<Write>, Outcome);

/// What the answer speaks of.
pub(crate) enum Outcome {
    /// A payment was created; with a link where a single SCA was started.
    Created { payment: Arc<Payment>, sca: Option<AuthorisationId>, warnings: Vec<Finding> },
    /// A payment was looked up.
    Details(Box<Payment>),
    /// A payment's status was looked up.
    Status(Box<Payment>),
    /// An authorisation was started.
    AuthorisationStarted(AuthorisationId),
    /// The call is refused, with a link to the SCA that would cure it.
    ScaRequired { refusal: Refusal, sca: AuthorisationId },
    /// An SCA was started in which the PSU opens accounts.
    ConsentStarted(AuthorisationId),
    /// An SCA was started that makes the PSU known.
    IdentificationStarted(AuthorisationId),
    /// Account data was read, for that PSU.
    AccountsRead { psu: ActingPsu, read: Box<AccountRead<Answered>> },
    /// The agreements of a PSU, each with the id by which the TPP names the customer.
    Agreements(Vec<(Uuid, CorporateAgreement)>),
    /// What the path names is given up; the answer has no content.
    GivenUp,
    /// A payment is cancelled only by an SCA.
    CancellationNeedsSca(Box<Payment>),
    /// A signing basket was created, with these payments.
    BasketCreated(Box<Basket>, Vec<Payment>),
    /// A signing basket was looked up, with its payments.
    BasketDetails(Box<Basket>, Vec<Payment>),
    /// A signing basket's status was looked up; it follows from these payments.
    BasketStatus(Box<Basket>, Vec<Payment>),
    /// One of the bank's own operations: its answer, once commit had the bank perform it.
    OfBank(Option<BankAnswer>),
}

impl Outcome {
    /// Whether the call itself ordered something of the bank: a payment that the bank exempted from its SCA.
    pub(crate) fn has_order(&self) -> bool {
        matches!(self, Self::Created { payment, .. } if payment.authorised_at.is_some())
    }

    /// Every reason and warning of the answer, in its order.
    pub(crate) fn reasons(&self) -> Vec<Reason> {
        match self {
            Self::Created { warnings, .. } => reasons(warnings.iter()),
            Self::ScaRequired { refusal, .. } => reasons(refusal.findings()),
            _ => Vec::new(),
        }
    }
}

fn reasons<'f>(findings: impl Iterator<Item = &'f Finding>) -> Vec<Reason> {
    findings.map(|finding| finding.violation.reason).collect()
}
