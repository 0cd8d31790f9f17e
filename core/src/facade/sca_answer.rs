//! What the PSU does at the bank's site for strong customer authentication, without a browser.

use crate::engine::ScaOutcome;
use crate::error::{Error, Result};
use crate::sandbox::{OpenAgreement, SandboxBank};
use crate::types::{ActingPsu, Context, CorporateKey, PsuKey};

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScaAnswer {
    /// Who answers: the customer number of a private customer.
    pub customer_number: String,
    /// For whom the person acts.
    pub context: Context,
    /// In the corporate context: the id or the name of an agreement. Needed where there are several.
    pub agreement: Option<String>,
    /// The accounts to grant access to: bban, iban or masked PAN each. A payment offers none to choose from.
    pub accounts: Option<Vec<String>>,
    /// Whether the PSU approves or cancels.
    pub approve: bool,
}

impl ScaAnswer {
    /// The answer of a private customer who approves.
    pub fn approve(customer_number: &str) -> Self {
        Self {
            customer_number: customer_number.to_owned(),
            context: Context::Private,
            agreement: None,
            accounts: None,
            approve: true,
        }
    }

    /// What the answer comes to at the simulated bank.
    pub(super) fn outcome(&self, bank: &SandboxBank) -> Result<ScaOutcome> {
        if self.accounts.is_some() {
            return Err(Error::Misuse("`accounts`: a payment offers no accounts to choose from".to_owned()));
        }
        if !self.approve {
            return Ok(ScaOutcome::Aborted);
        }
        let Some(psu) = bank.person(&self.customer_number)? else { return Ok(ScaOutcome::PsuUnknown) };
        let corporate = match self.context {
            Context::Private => None,
            Context::Corporate => Some(self.choose(bank, &psu)?),
        };
        Ok(ScaOutcome::Approved(ActingPsu { psu, context: self.context, corporate }))
    }

    /// The corporate customer of the chosen agreement.
    fn choose(&self, bank: &SandboxBank, psu: &PsuKey) -> Result<CorporateKey> {
        let offered = bank.open_agreements(psu)?;
        let is_chosen = |agreement: &&OpenAgreement| match &self.agreement {
            Some(chosen) => *chosen == agreement.name || chosen == agreement.id.as_str(),
            None => offered.len() == 1,
        };
        match offered.iter().find(is_chosen) {
            Some(agreement) => Ok(agreement.corporate.clone()),
            None => {
                let names: Vec<_> = offered.iter().map(|agreement| agreement.name.as_str()).collect();
                Err(Error::Misuse(format!("`agreement` must be one that is offered: {}", names.join(", "))))
            }
        }
    }
}
