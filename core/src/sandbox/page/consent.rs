//! The accounts and cards a person may open to a TPP.

use maud::{html, Markup};

use super::spelling;
use super::texts;
use crate::account::record::{Account, CardAccount};
use crate::reason::Language;

/// The id of the part of the page where accounts are chosen.
pub(super) const FIELD: &str = "offer";

/// What may be chosen from.
#[derive(Debug)]
pub(crate) struct Offer {
    /// Ordinary accounts.
    pub(crate) accounts: Vec<Account>,
    /// Card accounts.
    pub(crate) cards: Vec<CardAccount>,
}

impl Offer {
    /// Whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.accounts.is_empty() && self.cards.is_empty()
    }
}

/// Everything that is offered, chosen already or not.
pub(super) fn choices(offer: &Offer, are_chosen: bool, language: Language) -> Markup {
    html! {
        div #(FIELD) {
            @if !offer.accounts.is_empty() {
                fieldset aria-describedby=[(!are_chosen).then_some("fault")] {
                    legend { (texts::ACCOUNTS.text(language)) }
                    @for account in &offer.accounts { (account_choice(account, are_chosen, language)) }
                }
            }
            @if !offer.cards.is_empty() {
                fieldset aria-describedby=[(!are_chosen).then_some("fault")] {
                    legend { (texts::CARDS.text(language)) }
                    @for card in &offer.cards { (card_choice(card, are_chosen, language)) }
                }
            }
        }
    }
}

fn account_choice(account: &Account, is_chosen: bool, language: Language) -> Markup {
    let domestic = account.bban.as_ref().map(|bban| spelling::domestic(bban.as_str()));
    let international = account.iban.as_ref().map(|iban| spelling::international(iban.as_str()));
    let name = account.name.as_deref().unwrap_or(texts::ACCOUNT_NAMELESS.text(language));
    let number = domestic.or(international).unwrap_or_default();
    choice("account", account.id.as_str(), name, &number, account.currency.code(), is_chosen)
}

fn card_choice(card: &CardAccount, is_chosen: bool, language: Language) -> Markup {
    let name = card.name.as_deref().unwrap_or(texts::CARD_NAMELESS.text(language));
    choice("card", card.id.as_str(), name, &card.masked_pan, card.currency.code(), is_chosen)
}

fn choice(field: &str, id: &str, name: &str, number: &str, currency: &str, is_chosen: bool) -> Markup {
    html! {
        label.option {
            input type="checkbox" name=(field) value=(id) checked[is_chosen];
            span { b { (name) } " " small { (number) " " (currency) } }
        }
    }
}
