//! What the pages are made of.

use maud::{html, Markup};

use super::consent::Offer;
use super::orders::Ordered;
use super::texts;
use super::token::{Step, TokenKey};
use crate::reason::Language;
use crate::sca::record::{Authorisation, Purpose};

/// One look at a page: whose link it is, and in which language.
#[derive(Clone, Copy)]
pub(crate) struct PageContext<'v> {
    /// The language of the page.
    pub(crate) language: Language,
    /// The authorisation behind the link.
    pub(crate) authorisation: &'v Authorisation,
    /// What the TPP is called.
    pub(crate) tpp: &'v str,
    /// How many payments are to be approved or stopped. 0 if it is about something else, and for a basket of which
    /// nothing waits any more.
    pub(crate) payments: usize,
    /// What tokens are made with.
    pub(crate) key: &'v TokenKey,
}

impl PageContext<'_> {
    /// The token of the form of a step, with the answers given before it.
    pub(super) fn token(&self, step: Step, answers: &[&str]) -> String {
        self.key.token(&self.authorisation.id, step, answers)
    }

    /// What the TPP asks for, in one sentence without details, or that nothing is left of it; and the brand by which
    /// the PSU may know the TPP.
    pub(super) fn request(&self) -> Markup {
        let asks = match (&self.authorisation.purpose, self.payments) {
            (Purpose::Basket(_), 0) => None,
            (Purpose::Payment(_) | Purpose::Basket(_), 1) => Some(texts::ASKS_PAYMENT),
            (Purpose::Payment(_) | Purpose::Basket(_), _) => Some(texts::ASKS_PAYMENTS),
            (Purpose::Cancellation(_), 1) => Some(texts::ASKS_CANCELLATION),
            (Purpose::Cancellation(_), _) => Some(texts::ASKS_CANCELLATIONS),
            (Purpose::Consent, _) => Some(texts::ASKS_CONSENT),
            (Purpose::Identification, _) => Some(texts::ASKS_IDENTIFICATION),
        };
        html! {
            @if let Some(asks) = asks {
                p { (asks.with(self.language, &[self.tpp])) }
            } @else {
                p role="alert" { (texts::NOTHING_TO_APPROVE.text(self.language)) }
            }
            @if let Some(brand) = &self.authorisation.brand {
                p { (texts::KNOWN_AS.with(self.language, &[self.tpp, brand])) }
            }
        }
    }
}

/// A person who has identified: the number that was entered, and the customer's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SignedIn {
    /// The customer number.
    pub(crate) customer_number: String,
    /// The name, with invisible characters made visible.
    pub(crate) name: String,
}

impl SignedIn {
    /// The line that shows who has identified.
    pub(super) fn shown(&self, language: Language) -> Markup {
        html! { p.hint { (texts::SIGNED_IN.with(language, &[&self.name, &self.customer_number])) } }
    }
}

/// What the PSU is asked to approve.
pub(crate) enum ApprovalPrompt<'e> {
    /// Orders to pay.
    Pay(Ordered<'e>),
    /// An order that is not to be carried out.
    Cancel(Ordered<'e>),
    /// Access to some of these accounts.
    Open(&'e Offer),
    /// Nothing but who the PSU is.
    Identify,
}
