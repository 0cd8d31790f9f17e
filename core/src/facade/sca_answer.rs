//! What the PSU does at the bank's site for strong customer authentication, without a browser.

use crate::account::record::{Account, CardAccount};
use crate::consent::record::Grant;
use crate::engine::{ScaOutcome, Subject};
use crate::error::{Error, Result};
use crate::sandbox::page::Offer;
use crate::sandbox::{OpenAgreement, SandboxBank};
use crate::types::{ActingPsu, AgreementId, Bban, Context, Iban, PsuKey};

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScaAnswer {
    /// Who answers: the customer number of a private customer.
    pub customer_number: String,
    /// For whom the person acts.
    pub context: Context,
    /// In the corporate context: the id or the name of an agreement. Needed where there are several.
    pub agreement: Option<String>,
    /// The accounts to open to the TPP: bban, iban or masked PAN each, a masked PAN for every card that shows it; all
    /// that are offered where absent. Only an SCA for a consent offers some to choose from.
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
    pub(super) fn outcome(&self, bank: &SandboxBank, subject: &Subject) -> Result<ScaOutcome> {
        if self.accounts.is_some() && *subject != Subject::Consent {
            return Err(Error::Misuse(
                "`accounts`: only a consent offers accounts to choose from".to_owned(),
            ));
        }
        if !self.approve {
            return Ok(ScaOutcome::Aborted);
        }
        let Some(psu) = bank.person(&self.customer_number)? else { return Ok(ScaOutcome::PsuUnknown) };
        let agreement = match self.context {
            Context::Private => None,
            Context::Corporate => Some(self.choose(bank, &psu)?),
        };
        let corporate = agreement.as_ref().map(|agreement| agreement.corporate.clone());
        let psu = ActingPsu { psu, context: self.context, corporate };
        let grant = match subject {
            Subject::Consent => self.grant(bank, &psu, agreement.map(|agreement| agreement.id).as_ref())?,
            _ => Grant::Everything,
        };
        Ok(ScaOutcome::Approved { psu, grant })
    }

    /// The chosen agreement.
    fn choose(&self, bank: &SandboxBank, psu: &PsuKey) -> Result<OpenAgreement> {
        let offered = bank.open_agreements(psu)?;
        let is_chosen = |agreement: &&OpenAgreement| match &self.agreement {
            Some(chosen) => *chosen == agreement.name || chosen == agreement.id.as_str(),
            None => offered.len() == 1,
        };
        match offered.iter().find(is_chosen) {
            Some(agreement) => Ok(agreement.clone()),
            None => {
                let names: Vec<_> = offered.iter().map(|agreement| agreement.name.as_str()).collect();
                Err(Error::Misuse(format!("`agreement` must be one that is offered: {}", names.join(", "))))
            }
        }
    }

    /// What the chosen accounts are of those offered.
    fn grant(&self, bank: &SandboxBank, psu: &ActingPsu, agreement: Option<&AgreementId>) -> Result<Grant> {
        let offer = bank.offer(psu, agreement)?;
        if let Some(chosen) = &self.accounts {
            return granted(&offer, chosen);
        }
        // Another agreement with the same customer may offer more, which this one does not open.
        let all = bank.offer(psu, None)?;
        match (all.accounts.len(), all.cards.len()) == (offer.accounts.len(), offer.cards.len()) {
            true => Ok(Grant::Everything),
            false => Ok(Grant::Only {
                accounts: offer.accounts.into_iter().map(|account| account.id).collect(),
                card_accounts: offer.cards.into_iter().map(|card| card.id).collect(),
            }),
        }
    }
}

/// The chosen accounts by their numbers.
fn granted(offer: &Offer, chosen: &[String]) -> Result<Grant> {
    let (mut accounts, mut card_accounts) = (Vec::new(), Vec::new());
    for number in chosen {
        let account = offer.accounts.iter().find(|account| is_named(account, number));
        let cards: Vec<_> = offer.cards.iter().filter(|card| is_card_named(card, number)).collect();
        if account.is_none() && cards.is_empty() {
            let fault = "`accounts`: one of them is not offered to this person in this context";
            return Err(Error::Misuse(fault.to_owned()));
        }
        match account {
            Some(account) => accounts.push(account.id.clone()),
            // Several cards may look the same masked: all of them are meant.
            None => card_accounts.extend(cards.into_iter().map(|card| card.id.clone())),
        }
    }
    Ok(Grant::Only { accounts, card_accounts })
}

/// Whether a text is the number of an account, by dots and spaces as people write them.
fn is_named(account: &Account, number: &str) -> bool {
    let bban = Bban::parse(number).ok();
    let iban = Iban::parse(number).ok();
    (bban.is_some() && bban == account.bban) || (iban.is_some() && iban == account.iban)
}

fn is_card_named(card: &CardAccount, number: &str) -> bool {
    card.masked_pan == number
}
