//! Customers and what is theirs, as they are listed for authors of tests.

use serde::Serialize;

use crate::store::sqlite::sandbox::{Account, Agreement, CardAccount, Customer, Role};
use crate::types::Money;

/// A customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedCustomer {
    /// Its id in the sandbox's own answers.
    pub customer_id: String,
    /// What a person types to authenticate.
    pub customer_number: String,
    /// PRIVATE or CORPORATE.
    pub customer_type: &'static str,
    /// Its name.
    pub customer_name: String,
    /// Its ordinary accounts.
    pub accounts: Vec<ListedAccount>,
    /// Its card accounts.
    pub card_accounts: Vec<ListedCardAccount>,
}

/// An ordinary account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedAccount {
    /// The number of the customer who owns it.
    pub customer_number: String,
    /// Its id in answers.
    pub resource_id: String,
    /// Its account number.
    pub bban: String,
    /// The same number as an IBAN.
    pub iban: String,
    /// Its currency.
    pub currency: &'static str,
    /// What its owner calls it.
    pub name: String,
    /// What is on it, exact.
    pub balance: String,
}

/// A card account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedCardAccount {
    /// Its id in answers.
    pub resource_id: String,
    /// Its account number.
    pub account_number: String,
    /// The card number with its middle hidden.
    pub masked_pan: String,
    /// Its currency.
    pub currency: &'static str,
    /// How far below zero it may go, exact.
    pub credit_limit: String,
    /// What is on it, exact.
    pub balance: String,
}

/// An agreement of a company.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedAgreement {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// The customer number of the company.
    pub owner: String,
    /// The customer number of the person it engages.
    pub person: String,
    /// The roles of that person.
    pub roles: Vec<&'static str>,
    /// The account numbers it offers that person.
    pub accounts: Vec<String>,
}

impl ListedCustomer {
    /// A customer who has nothing yet.
    pub(super) fn of(customer: &Customer) -> Self {
        Self {
            customer_id: customer.id.to_string(),
            customer_number: customer.number.as_str().to_owned(),
            customer_type: customer.kind.as_str(),
            customer_name: customer.name.clone(),
            accounts: Vec::new(),
            card_accounts: Vec::new(),
        }
    }
}

impl ListedAccount {
    /// An account of that customer, with so much on it.
    pub(super) fn of(account: &Account, owner: &Customer, balance: Money) -> Self {
        Self {
            customer_number: owner.number.as_str().to_owned(),
            resource_id: account.id.to_string(),
            bban: account.bban.as_str().to_owned(),
            iban: account.iban.as_str().to_owned(),
            currency: account.currency.code(),
            name: account.name.clone(),
            balance: balance.to_string(),
        }
    }
}

impl ListedCardAccount {
    /// A card account with so much on it.
    pub(super) fn of(card: &CardAccount, balance: Money) -> Self {
        Self {
            resource_id: card.id.to_string(),
            account_number: card.account_number.clone(),
            masked_pan: card.masked_pan.clone(),
            currency: card.currency.code(),
            credit_limit: card.credit_limit.to_string(),
            balance: balance.to_string(),
        }
    }
}

impl ListedAgreement {
    /// An agreement of that company, under which that person acts, in those roles, on all of its accounts.
    pub(super) fn of(
        agreement: &Agreement,
        owner: &ListedCustomer,
        person: &Customer,
        roles: &[Role],
    ) -> Self {
        Self {
            id: agreement.id.to_string(),
            name: agreement.name.clone(),
            owner: owner.customer_number.clone(),
            person: person.number.as_str().to_owned(),
            roles: roles.iter().map(|role| role.as_str()).collect(),
            accounts: owner.accounts.iter().map(|account| account.bban.clone()).collect(),
        }
    }
}
