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
pub(crate) struct Visit<'v> {
    /// The language of the page.
    pub(crate) language: Language,
    /// The authorisation behind the link.
    pub(crate) authorisation: &'v Authorisation,
    /// What the TPP is called.
    pub(crate) tpp: &'v str,
    /// What tokens are made with.
    pub(crate) key: &'v TokenKey,
}

impl Visit<'_> {
    /// The token of the form of a step, with the answers given before it.
    pub(super) fn token(&self, step: Step, answers: &[&str]) -> String {
        self.key.token(&self.authorisation.id, step, answers)
    }

    /// What the TPP wants, in one sentence and without a word of what is in it; and by which brand the PSU may know
    /// the TPP.
    pub(super) fn request(&self) -> Markup {
        let asks = match &self.authorisation.purpose {
            Purpose::Payment(_) => texts::ASKS_PAYMENT,
            Purpose::Cancellation(_) => texts::ASKS_CANCELLATION,
            Purpose::Basket(_) => texts::ASKS_BASKET,
            Purpose::Consent => texts::ASKS_CONSENT,
            Purpose::Identification => texts::ASKS_IDENTIFICATION,
        };
        html! {
            p { (asks.with(self.language, &[self.tpp])) }
            @if let Some(brand) = &self.authorisation.brand {
                p { (texts::KNOWN_AS.with(self.language, &[self.tpp, brand])) }
            }
        }
    }
}

/// What the PSU is asked to say yes or no to.
pub(crate) enum Errand<'e> {
    /// Orders to pay.
    Pay(Ordered<'e>),
    /// An order that is not to be carried out.
    Cancel(Ordered<'e>),
    /// Access to some of these accounts.
    Open(&'e Offer),
    /// Nothing but who the PSU is.
    Identify,
}
