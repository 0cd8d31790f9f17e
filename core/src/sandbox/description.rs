//! The default set as it is shown to whoever writes tests against it.

use serde::Serialize;

use super::default_data::{
    account_id, agreement_id, broken, card_account_id, customer_id, numbers, owner_of,
};
use super::default_set::{
    AccountRow, AgreementRow, CardRow, CustomerRow, CARD_CREDIT_LIMIT, CORPORATE_AGREEMENTS, CUSTOMERS,
    ENGAGED_PERSON, ENGAGED_ROLES, KID_ACCOUNT, KID_AGREEMENT, KID_EXAMPLE,
};
use crate::error::Result;
use crate::types::{Currency, Money};

/// The whole default set. All of it is public and none of it real.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DefaultData {
    /// The customers, private ones first.
    pub customers: Vec<DefaultCustomer>,
    /// The ordinary accounts of all of them.
    pub accounts: Vec<DefaultAccount>,
    /// The agreements of the corporate customers.
    pub agreements: Vec<DefaultAgreement>,
    /// The creditor who wants a KID.
    pub kid_creditor: KidCreditor,
    /// The person who acts for companies.
    pub engaged_person: EngagedPerson,
}

/// A customer of the default set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DefaultCustomer {
    /// Its id in the sandbox's own answers.
    pub customer_id: String,
    /// What a person types to authenticate.
    pub customer_number: &'static str,
    /// PRIVATE or CORPORATE.
    pub customer_type: &'static str,
    /// Its name.
    pub customer_name: &'static str,
    /// Its ordinary accounts.
    pub accounts: Vec<DefaultAccount>,
    /// Its card accounts.
    pub card_accounts: Vec<DefaultCardAccount>,
}

/// An account of the default set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DefaultAccount {
    /// The number of the customer who owns it.
    pub customer_number: &'static str,
    /// Its id in answers.
    pub resource_id: String,
    /// Its account number.
    pub bban: String,
    /// The same number as an IBAN.
    pub iban: String,
    /// Its currency.
    pub currency: &'static str,
    /// What its owner calls it.
    pub name: &'static str,
    /// Its opening balance, exact.
    pub balance: String,
}

/// A card account of the default set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DefaultCardAccount {
    /// Its id in answers.
    pub resource_id: String,
    /// Its account number.
    pub account_number: &'static str,
    /// The card number with its middle hidden.
    pub masked_pan: &'static str,
    /// Its currency.
    pub currency: &'static str,
    /// How far below zero it may go, exact.
    pub credit_limit: String,
    /// Its opening balance, exact.
    pub balance: String,
}

/// An agreement of the default set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DefaultAgreement {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: &'static str,
    /// The customer number of the company.
    pub owner: &'static str,
    /// The customer number of the person it engages.
    pub person: &'static str,
    /// The roles of that person.
    pub roles: Vec<&'static str>,
    /// The account numbers it offers that person.
    pub accounts: Vec<&'static str>,
}

/// The creditor of the default set who wants a KID.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KidCreditor {
    /// The account number.
    pub bban: String,
    /// The same number as an IBAN.
    pub iban: String,
    /// The owner's name.
    pub name: &'static str,
    /// Whether every payment needs a KID.
    pub required: bool,
    /// How its check digit is computed: 10 or 11.
    pub modulus: u8,
    /// The fewest digits.
    pub digits_min: u8,
    /// The most digits.
    pub digits_max: u8,
    /// A KID that is accepted.
    pub example: &'static str,
}

/// The person of the default set who acts for companies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EngagedPerson {
    /// The customer number.
    pub customer_number: &'static str,
    /// The name.
    pub customer_name: &'static str,
    /// The names of the agreements.
    pub agreements: Vec<&'static str>,
}

/// The default set, whatever the state of any sandbox.
///
/// # Errors
/// [`Error::Internal`](crate::Error::Internal) where its own table is broken, which a test rules out.
pub fn describe() -> Result<DefaultData> {
    Ok(DefaultData {
        customers: CUSTOMERS.iter().map(customer).collect::<Result<_>>()?,
        accounts: CUSTOMERS.iter().flat_map(accounts).collect::<Result<_>>()?,
        agreements: CORPORATE_AGREEMENTS.iter().map(agreement).collect::<Result<_>>()?,
        kid_creditor: kid_creditor()?,
        engaged_person: EngagedPerson {
            customer_number: ENGAGED_PERSON,
            customer_name: name_where(|row| row.number == ENGAGED_PERSON)?,
            agreements: CORPORATE_AGREEMENTS.iter().map(|agreement| agreement.name).collect(),
        },
    })
}

fn customer(row: &CustomerRow) -> Result<DefaultCustomer> {
    Ok(DefaultCustomer {
        customer_id: customer_id(row.number).to_string(),
        customer_number: row.number,
        customer_type: row.kind.as_str(),
        customer_name: row.name,
        accounts: accounts(row).collect::<Result<_>>()?,
        card_accounts: row.cards.iter().map(card_account).collect(),
    })
}

fn accounts(owner: &CustomerRow) -> impl Iterator<Item = Result<DefaultAccount>> + use<'_> {
    owner.accounts.iter().map(|row| account(owner.number, row))
}

fn account(customer_number: &'static str, row: &AccountRow) -> Result<DefaultAccount> {
    let (bban, iban) = numbers(row.bban)?;
    Ok(DefaultAccount {
        customer_number,
        resource_id: account_id(row.bban).to_string(),
        bban: bban.as_str().to_owned(),
        iban: iban.as_str().to_owned(),
        currency: row.currency.code(),
        name: row.kind.name,
        balance: Money::from_whole_units(row.opening, row.currency).to_string(),
    })
}

fn card_account(row: &CardRow) -> DefaultCardAccount {
    DefaultCardAccount {
        resource_id: card_account_id(row.account_number).to_string(),
        account_number: row.account_number,
        masked_pan: row.masked_pan,
        currency: Currency::NOK.code(),
        credit_limit: Money::from_whole_units(CARD_CREDIT_LIMIT, Currency::NOK).to_string(),
        balance: Money::zero(Currency::NOK).to_string(),
    }
}

fn agreement(row: &AgreementRow) -> Result<DefaultAgreement> {
    Ok(DefaultAgreement {
        id: agreement_id(row.owner).to_string(),
        name: row.name,
        owner: row.owner,
        person: ENGAGED_PERSON,
        roles: ENGAGED_ROLES.iter().map(|role| role.as_str()).collect(),
        accounts: owner_of(row)?.accounts.iter().map(|account| account.bban).collect(),
    })
}

fn kid_creditor() -> Result<KidCreditor> {
    let (bban, iban) = numbers(KID_ACCOUNT)?;
    Ok(KidCreditor {
        bban: bban.as_str().to_owned(),
        iban: iban.as_str().to_owned(),
        name: name_where(|row| row.accounts.iter().any(|account| account.bban == KID_ACCOUNT))?,
        required: KID_AGREEMENT.required,
        modulus: KID_AGREEMENT.modulus.number(),
        digits_min: KID_AGREEMENT.digits_min,
        digits_max: KID_AGREEMENT.digits_max,
        example: KID_EXAMPLE,
    })
}

fn name_where(fits: impl Fn(&CustomerRow) -> bool) -> Result<&'static str> {
    let found = CUSTOMERS.iter().find(|row| fits(row));
    found.map(|row| row.name).ok_or_else(|| broken("a customer who is named"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_set_is_the_same_for_ever() {
        insta::assert_json_snapshot!("default_data", describe().unwrap());
    }
}
