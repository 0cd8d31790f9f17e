//! What the PSU does at the bank's site for strong customer authentication, without a browser.

use crate::account::record::{Account, CardAccount};
use crate::consent::record::Grant;
use crate::engine::{ScaOutcome, Subject};
use crate::error::{Error, Result};
use crate::sandbox::page::Offer;
use crate::sandbox::{OpenAgreement, SandboxBank};
use crate::types::{ActingPsu, AgreementId, Bban, Context, Iban};

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScaAnswer {
    /// Who answers: the customer number of a private customer.
    pub customer_number: String,
    /// For whom the person acts.
    pub context: Context,
    /// Only in the corporate context: the id or the name of an agreement. Required if there are several; the id is
    /// required if several have the same name.
    pub agreement: Option<String>,
    /// The accounts to open to the TPP: bban, iban or masked PAN each, a masked PAN for every card that shows it.
    /// `None`: all that are offered; a PSU without an account then gives a consent to no account, although the bank's
    /// page only offers to cancel. Only an SCA for a consent offers accounts.
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

    /// The outcome of the answer at the simulated bank.
    pub(super) fn outcome(&self, bank: &SandboxBank, subject: &Subject) -> Result<ScaOutcome> {
        if self.accounts.is_some() && *subject != Subject::Consent {
            return Err(misuse("`accounts`: only a consent offers accounts to choose from"));
        }
        if self.agreement.is_some() && self.context == Context::Private {
            return Err(misuse("`agreement`: there is one to choose only in the context CORPORATE"));
        }
        if !self.approve {
            return Ok(ScaOutcome::Aborted);
        }
        let Some(psu) = bank.person(&self.customer_number)? else { return Ok(ScaOutcome::PsuUnknown) };
        let agreement = match self.context {
            Context::Private => None,
            Context::Corporate => Some(self.choose(bank.open_agreements(&psu)?)?),
        };
        let corporate = agreement.as_ref().map(|agreement| agreement.corporate.clone());
        let psu = ActingPsu { psu, context: self.context, corporate };
        let grant = match subject {
            Subject::Consent => self.grant(bank, &psu, agreement.map(|agreement| agreement.id).as_ref())?,
            _ => Grant::Everything,
        };
        Ok(ScaOutcome::Approved { psu, grant })
    }

    /// The chosen one of the agreements offered.
    fn choose(&self, offered: Vec<OpenAgreement>) -> Result<OpenAgreement> {
        if offered.is_empty() {
            return Err(misuse("`context`: this person has no agreement to act under for a company"));
        }
        let listed_as = listed(offered.iter().map(|agreement| listed_as(agreement, &offered)));
        let is_chosen = |agreement: &OpenAgreement| match &self.agreement {
            Some(chosen) => *chosen == agreement.name || chosen == agreement.id.as_str(),
            None => true,
        };
        let mut chosen = offered.into_iter().filter(is_chosen);
        match (chosen.next(), chosen.next()) {
            (Some(agreement), None) => Ok(agreement),
            (Some(_), Some(_)) if self.agreement.is_some() => {
                Err(misuse(&format!("`agreement`: several have that name, so choose by the id: {listed_as}")))
            }
            _ => Err(misuse(&format!("`agreement` must be one that is offered, by name or id: {listed_as}"))),
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

fn misuse(text: &str) -> Error {
    Error::Misuse(text.to_owned())
}

/// The name of an agreement, and its id where it is not the only one of that name.
fn listed_as(agreement: &OpenAgreement, offered: &[OpenAgreement]) -> String {
    match offered.iter().filter(|other| other.name == agreement.name).count() {
        1 => agreement.name.clone(),
        _ => format!("{} ({})", agreement.name, agreement.id),
    }
}

/// How many entries of a list a message shows.
const LISTED_MAX: usize = 20;

fn listed(mut all: impl Iterator<Item = String>) -> String {
    let mut listed_as: Vec<_> = all.by_ref().take(LISTED_MAX).collect();
    match all.count() {
        0 => {}
        more => listed_as.push(format!("and {more} more")),
    }
    listed_as.join(", ")
}

/// The chosen accounts by their numbers.
fn granted(offer: &Offer, chosen: &[String]) -> Result<Grant> {
    let (mut accounts, mut card_accounts, mut strange) = (Vec::new(), Vec::new(), Vec::new());
    for number in chosen {
        let account = offer.accounts.iter().find(|account| is_named(account, number));
        // Several cards may look the same masked: all of them are meant.
        let mut cards = offer.cards.iter().filter(|card| is_card_named(card, number)).peekable();
        match account {
            Some(account) => accounts.push(account.id.clone()),
            None if cards.peek().is_none() => strange.push(format!("`{number}`")),
            None => card_accounts.extend(cards.map(|card| card.id.clone())),
        }
    }
    match strange.is_empty() {
        true => Ok(Grant::Only { accounts, card_accounts }),
        false => Err(not_offered(offer, strange)),
    }
}

/// The message that names the wrong choices and what is offered.
fn not_offered(offer: &Offer, strange: Vec<String>) -> Error {
    let verb = if strange.len() == 1 { "is" } else { "are" };
    let strange = listed(strange.into_iter());
    let numbers = offer.accounts.iter().filter_map(number);
    let all = listed(numbers.chain(offer.cards.iter().map(|card| card.masked_pan.clone())));
    let all = if all.is_empty() { "nothing" } else { all.as_str() };
    misuse(&format!(
        "`accounts`: {strange} {verb} not offered to this person in this context; offered: {all}"
    ))
}

/// The number that identifies an account in a message.
fn number(account: &Account) -> Option<String> {
    let iban = || account.iban.map(|iban| iban.as_str().to_owned());
    account.bban.map(|bban| bban.as_str().to_owned()).or_else(iban)
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
