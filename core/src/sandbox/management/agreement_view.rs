//! Mock agreements and engagements as they are answered.

use serde::Serialize;

use super::outcome::Outcome;
use crate::store::sqlite::sandbox::{AccountKey, Agreement, Books, Engagement, Role};
use crate::types::{bare_card_number, AgreementId, Bban, CardAccountId, CustomerId, Iban};
use crate::wire::link::Link;

/// An agreement. It has no `Debug`, so that no log can show it.
#[derive(Serialize)]
pub(super) struct AgreementView {
    id: String,
    name: String,
    owner: String,
    engagements: Vec<EngagementView>,
    #[serde(rename = "_links")]
    links: AgreementLinks,
}

#[derive(Serialize)]
struct AgreementLinks {
    #[serde(rename = "self")]
    own: Link,
    engagements: Link,
}

/// An engagement.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EngagementView {
    id: String,
    customer: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    account: NumbersView,
    roles: Vec<&'static str>,
    access_rights: bool,
    payment_rights: bool,
    transfer_rights: bool,
    register_limit: i32,
    approval_limit: i32,
}

/// The numbers of an account; empty where there is none.
#[derive(Serialize)]
pub(super) struct NumbersView {
    iban: String,
    bban: String,
}

impl NumbersView {
    pub(super) fn of(bban: Option<&Bban>, iban: Option<&Iban>) -> Self {
        let iban = iban.map(|iban| iban.as_str().to_owned()).unwrap_or_default();
        let bban = bban.map(|bban| bban.as_str().to_owned()).unwrap_or_default();
        Self { iban, bban }
    }

    fn of_account(books: &Books<'_>, key: &AccountKey) -> Outcome<Self> {
        let account = books.ledger_account(key)?;
        if let Some((bban, iban)) = account.and_then(|account| account.bban.zip(account.iban)) {
            return Ok(Self::of(Some(&bban), Some(&iban)));
        }
        let card = CardAccountId::parse(key.as_str());
        let card = card.map(|id| books.card_account(&id)).transpose()?.flatten();
        // What a body takes back: a bban has no hyphens, which a card account's number may be set out with.
        let bban = card.map(|card| bare_card_number(&card.account_number)).unwrap_or_default();
        let iban = Bban::parse(&bban).ok().and_then(|bban| Iban::of_norwegian(&bban));
        Ok(Self { iban: iban.map(|iban| iban.as_str().to_owned()).unwrap_or_default(), bban })
    }
}

/// A list of agreements.
#[derive(Serialize)]
pub(super) struct AgreementsView {
    agreements: Vec<AgreementView>,
}

impl AgreementsView {
    /// Every agreement, the oldest first.
    pub(super) fn of(books: &Books<'_>) -> Outcome<Self> {
        let agreements = books.agreements()?.into_iter().map(|agreement| AgreementView::of(books, agreement));
        Ok(Self { agreements: agreements.collect::<Outcome<_>>()? })
    }
}

impl AgreementView {
    pub(super) fn of(books: &Books<'_>, agreement: Agreement) -> Outcome<Self> {
        let engagements = books.engagements_under(&agreement.id)?.into_iter();
        let path = agreement_path(&agreement.id);
        Ok(Self {
            id: agreement.id.to_string(),
            name: agreement.name,
            owner: number_of(books, &agreement.owner)?,
            engagements: engagements
                .map(|engagement| EngagementView::of(books, engagement))
                .collect::<Outcome<_>>()?,
            links: AgreementLinks {
                engagements: Link::post(format!("{path}/engagements")),
                own: Link::of(path, &["GET", "DELETE"]),
            },
        })
    }
}

impl EngagementView {
    pub(super) fn of(books: &Books<'_>, engagement: Engagement) -> Outcome<Self> {
        Ok(Self {
            id: engagement.id.to_string(),
            customer: number_of(books, &engagement.person)?,
            name: engagement.name,
            account: NumbersView::of_account(books, &engagement.account)?,
            roles: engagement.roles.into_iter().map(Role::as_str).collect(),
            access_rights: engagement.access_rights,
            payment_rights: engagement.payment_rights,
            transfer_rights: engagement.transfer_rights,
            register_limit: engagement.register_limit,
            approval_limit: engagement.approval_limit,
        })
    }
}

/// The number of a customer, by which it is named.
pub(super) fn number_of(books: &Books<'_>, customer: &CustomerId) -> Outcome<String> {
    let customer = books.customer(customer)?;
    Ok(customer.map(|customer| customer.number.as_str().to_owned()).unwrap_or_default())
}

/// Where an agreement is.
pub(super) fn agreement_path(id: &AgreementId) -> String {
    format!("/v1/sandbox/agreements/{id}")
}
