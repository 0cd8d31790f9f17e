//! One entry.

use chrono::{DateTime, TimeDelta, Utc};

use super::draws::Draws;
use super::packed_call::PackedCall;
use super::side_effect::SideEffect;
use crate::payment::machine::PaymentStatus;
use crate::reason::Reason;
use crate::sandbox::population::PopulationPlan;
use crate::types::Context;

/// One thing that was done with a sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalEntry {
    /// Counts from 1. A fork continues its parent's numbers.
    pub number: u64,
    /// What the sandbox's clock showed when it began.
    pub at: DateTime<Utc>,
    /// What it was.
    pub step: Step,
    /// What happened inside the bank during the step: faults that struck, payments that moved.
    pub happened: Vec<SideEffect>,
    /// Which ids of the sandbox's stream it drew.
    pub(super) draws: Draws,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A request, and its answer.
    Call(PackedCall),
    /// A TPP was registered.
    RegisterTpp {
        /// Its authorisation number.
        organisation_id: String,
        /// Its name.
        name: String,
        /// Its roles as given.
        roles: Vec<String>,
    },
    /// An authority was trusted.
    Trust {
        /// Its certificates.
        pem: String,
    },
    /// A customer answered at the SCA site, without a browser.
    Authorise(AuthoriseStep),
    /// A customer took back what was opened to a TPP.
    RevokeConsent {
        /// The customer.
        customer_number: String,
        /// The TPP.
        organisation_id: String,
    },
    /// Another channel of the bank reported the status of a payment.
    ReportPaymentStatus {
        /// The payment.
        payment_id: String,
        /// Its status.
        status: PaymentStatus,
        /// Whether the money is there.
        funds_available: Option<bool>,
    },
    /// The bank put a payment on hold.
    Hold {
        /// The payment.
        payment_id: String,
        /// Why.
        why: Option<String>,
    },
    /// The bank released a payment.
    Release {
        /// The payment.
        payment_id: String,
    },
    /// The clock was moved.
    MoveClock {
        /// Where to.
        to: DateTime<Utc>,
    },
    /// A card account got another status.
    SetCardStatus {
        /// The card account.
        card_account_id: String,
        /// The status.
        status: String,
    },
    /// The links to the SCA site begin otherwise now.
    SetScaOrigin {
        /// Scheme and host.
        origin: String,
    },
    /// Policies were switched.
    SetPolicy {
        /// What was put over those before, as the text of a JSON object.
        policy: String,
    },
    /// The result of the bank's risk analysis for a customer was set.
    SetScaDemand {
        /// The customer.
        customer_number: String,
        /// The result.
        demand: String,
    },
    /// A fault was set.
    SetFault(FaultStep),
    /// A fault was taken away.
    RemoveFault {
        /// Its number.
        id: u64,
        /// How many calls, SCAs or deliveries had been such as it was for.
        seen: u64,
        /// How often it had struck.
        hits: u64,
    },
    /// Every fault was taken away.
    ClearFaults,
    /// Customers moved in.
    Populate {
        /// How many, and with how long a history.
        plan: PopulationPlan,
    },
    /// The default data set was put back.
    Initialize,
    /// The state of a snapshot was put in place.
    Restore,
}

/// A fault as it was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultStep {
    /// Its number in the sandbox, from 1 on.
    pub id: u64,
    /// What it does, to whom and when, in words.
    pub words: String,
    /// The same as the text of a JSON object.
    pub json: String,
    /// Whether a condition in code belongs to it, which nothing can write down.
    pub has_predicate: bool,
}

/// What a customer answered, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthoriseStep {
    /// The link.
    pub sca_redirect: String,
    /// Who answered.
    pub customer_number: String,
    /// For whom.
    pub context: Context,
    /// The chosen agreement.
    pub agreement: Option<String>,
    /// The chosen accounts.
    pub accounts: Option<Vec<String>>,
    /// Whether the customer approved.
    pub approve: bool,
    /// The URL the customer was sent back to, or what was wrong with the question.
    pub outcome: Result<String, String>,
    /// Why the SCA failed, where it did.
    pub reason: Option<Reason>,
}

/// What an entry weighs beside the texts in it.
pub(super) const WEIGHT_ALLOWANCE: usize = 512;

impl JournalEntry {
    /// By how much its answer came later than the call.
    pub(super) fn late(&self) -> TimeDelta {
        let late = self.happened.iter().map(|effect| match effect {
            SideEffect::AnswerLate { by } => *by,
            _ => TimeDelta::zero(),
        });
        late.max().unwrap_or_default()
    }

    /// Its size in bytes: what varies, and an allowance for the rest.
    pub(super) fn weight(&self) -> usize {
        let happened: usize = self.happened.iter().map(SideEffect::weight).sum();
        self.step.weight() + happened + WEIGHT_ALLOWANCE
    }
}

/// The size of the texts in bytes. Every field is named, so that a new one does not compile until it is weighed.
impl Step {
    fn weight(&self) -> usize {
        match self {
            Self::Call(call) => call.weight(),
            Self::RegisterTpp { organisation_id, name, roles } => {
                organisation_id.len() + name.len() + weight_of_list(roles)
            }
            Self::Trust { pem: text }
            | Self::SetScaOrigin { origin: text }
            | Self::SetPolicy { policy: text }
            | Self::Release { payment_id: text }
            | Self::ReportPaymentStatus { payment_id: text, status: _, funds_available: _ } => text.len(),
            Self::Hold { payment_id, why } => payment_id.len() + why.as_ref().map_or(0, String::len),
            Self::Authorise(step) => step.weight(),
            Self::RevokeConsent { customer_number, organisation_id } => {
                customer_number.len() + organisation_id.len()
            }
            Self::SetCardStatus { card_account_id, status } => card_account_id.len() + status.len(),
            Self::SetScaDemand { customer_number, demand } => customer_number.len() + demand.len(),
            Self::SetFault(FaultStep { id: _, words, json, has_predicate: _ }) => words.len() + json.len(),
            Self::MoveClock { to: _ }
            | Self::RemoveFault { id: _, seen: _, hits: _ }
            | Self::ClearFaults
            | Self::Populate { plan: _ }
            | Self::Initialize
            | Self::Restore => 0,
        }
    }
}

impl AuthoriseStep {
    fn weight(&self) -> usize {
        let Self {
            sca_redirect,
            customer_number,
            context: _,
            agreement,
            accounts,
            approve: _,
            outcome,
            reason: _,
        } = self;
        let agreement = agreement.as_ref().map_or(0, String::len);
        let accounts = accounts.as_deref().map_or(0, weight_of_list);
        let outcome = outcome.as_ref().map_or_else(String::len, String::len);
        sca_redirect.len() + customer_number.len() + agreement + accounts + outcome
    }
}

fn weight_of_list(texts: &[String]) -> usize {
    const PER_TEXT: usize = 64;
    texts.iter().map(|text| text.len() + PER_TEXT).sum()
}
