//! Mock customers as they are answered.

use std::collections::BTreeSet;

use serde::Serialize;

use super::outcome::Outcome;
use crate::store::sqlite::sandbox::{Agreement, Books, Customer, Engagement};
use crate::types::CustomerId;
use crate::wire::link::Link;

/// Which parts of a customer are shown; the others are empty arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) accounts: bool,
    pub(super) agreements: bool,
}

impl Shown {
    pub(super) const ALL: Self = Self { accounts: true, agreements: true };
}

/// A customer. It has no `Debug`, so that no log can show it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CustomerView {
    customer_id: String,
    customer_number: String,
    customer_type: &'static str,
    customer_name: String,
    agreements: Vec<CustomerAgreementView>,
    accounts: Vec<String>,
    card_accounts: Vec<String>,
    #[serde(rename = "_links")]
    links: CustomerLinks,
}

#[derive(Serialize)]
struct CustomerLinks {
    #[serde(rename = "self")]
    own: Link,
}

/// An agreement that bears on a customer, with the ids of its engagements.
#[derive(Serialize)]
struct CustomerAgreementView {
    id: String,
    name: String,
    engagements: Vec<String>,
}

/// A list of customers.
#[derive(Serialize)]
pub(super) struct CustomersView {
    customers: Vec<CustomerView>,
}

impl CustomersView {
    /// Every customer, the oldest first.
    pub(super) fn of(books: &Books<'_>, shown: Shown) -> Outcome<Self> {
        let customers = books.customers()?;
        let customers = customers.iter().map(|customer| CustomerView::of(books, customer, shown));
        Ok(Self { customers: customers.collect::<Outcome<_>>()? })
    }
}

impl CustomerView {
    pub(super) fn of(books: &Books<'_>, customer: &Customer, shown: Shown) -> Outcome<Self> {
        let (mut accounts, mut card_accounts, mut agreements) = (Vec::new(), Vec::new(), Vec::new());
        if shown.accounts {
            accounts =
                books.accounts_of(&customer.id)?.iter().map(|account| account.id.to_string()).collect();
            card_accounts =
                books.card_accounts_of(&customer.id)?.iter().map(|card| card.id.to_string()).collect();
        }
        if shown.agreements {
            agreements = agreements_of(books, &customer.id)?;
        }
        Ok(Self {
            customer_id: customer.id.to_string(),
            customer_number: customer.number.as_str().to_owned(),
            customer_type: customer.kind.as_str(),
            customer_name: customer.name.clone(),
            agreements,
            accounts,
            card_accounts,
            links: CustomerLinks { own: Link::of(customer_path(&customer.id), &["GET", "DELETE"]) },
        })
    }
}

/// The customer's own agreements with all their engagements, then those of others with the customer's.
fn agreements_of(books: &Books<'_>, customer: &CustomerId) -> Outcome<Vec<CustomerAgreementView>> {
    let mut shown = Vec::new();
    for agreement in books.agreements_of(customer)? {
        let engagements = books.engagements_under(&agreement.id)?;
        shown.push(view(agreement, engagements.iter()));
    }
    let engaged = books.engagements_of(customer)?;
    let mut seen = BTreeSet::new();
    for id in engaged.iter().map(|engagement| &engagement.agreement).filter(|id| seen.insert(*id)) {
        let of_others = books.agreement(id)?.filter(|agreement| agreement.owner != *customer);
        if let Some(agreement) = of_others {
            shown.push(view(agreement, engaged.iter().filter(|engagement| engagement.agreement == *id)));
        }
    }
    Ok(shown)
}

fn view<'e>(
    agreement: Agreement,
    engagements: impl Iterator<Item = &'e Engagement>,
) -> CustomerAgreementView {
    CustomerAgreementView {
        id: agreement.id.to_string(),
        name: agreement.name,
        engagements: engagements.map(|engagement| engagement.id.to_string()).collect(),
    }
}

/// Where a customer is.
pub(super) fn customer_path(id: &CustomerId) -> String {
    format!("/v1/sandbox/customers/{id}")
}
