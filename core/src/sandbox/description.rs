//! The default set as it is shown to authors of tests.

use serde::Serialize;

use super::default_data::{account_of, agreement_of, broken, card_of, customer_of, numbers, owner_of};
use super::default_set::{
    AgreementRow, CustomerRow, CORPORATE_AGREEMENTS, CUSTOMERS, ENGAGED_PERSON, ENGAGED_ROLES, KID_ACCOUNT,
    KID_AGREEMENT, KID_EXAMPLE,
};
use super::listed::{ListedAccount, ListedAgreement, ListedCardAccount, ListedCustomer};
use crate::error::Result;

/// The whole default set. All of it is public and none of it real.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DefaultData {
    /// The customers, private ones first.
    pub customers: Vec<ListedCustomer>,
    /// The ordinary accounts of all of them.
    pub accounts: Vec<ListedAccount>,
    /// The agreements of the corporate customers.
    pub agreements: Vec<ListedAgreement>,
    /// The creditor who wants a KID.
    pub kid_creditor: KidCreditor,
    /// The person who acts for companies.
    pub engaged_person: EngagedPerson,
}

/// The creditor of the default set who wants a KID.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KidCreditor {
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
pub(crate) struct EngagedPerson {
    /// The customer number.
    pub customer_number: &'static str,
    /// The name.
    pub customer_name: &'static str,
    /// The names of the agreements.
    pub agreements: Vec<&'static str>,
}

/// The default set, independent of the state of any sandbox.
///
/// # Errors
/// [`Error::Internal`](crate::Error::Internal) where its own table is broken, which a test rules out.
pub(crate) fn describe() -> Result<DefaultData> {
    let customers = CUSTOMERS.iter().map(customer).collect::<Result<Vec<_>>>()?;
    Ok(DefaultData {
        accounts: customers.iter().flat_map(|customer| customer.accounts.iter().cloned()).collect(),
        customers,
        agreements: CORPORATE_AGREEMENTS.iter().map(agreement).collect::<Result<_>>()?,
        kid_creditor: kid_creditor()?,
        engaged_person: EngagedPerson {
            customer_number: ENGAGED_PERSON,
            customer_name: engaged_person()?.name,
            agreements: CORPORATE_AGREEMENTS.iter().map(|agreement| agreement.name).collect(),
        },
    })
}

/// Its balances are the opening ones.
fn customer(row: &CustomerRow) -> Result<ListedCustomer> {
    let customer = customer_of(row)?;
    let mut listed = ListedCustomer::of(&customer);
    for row in row.accounts {
        let account = account_of(&customer.id, row)?;
        listed.accounts.push(ListedAccount::of(&account, &customer, account.opening));
    }
    for row in row.cards {
        let card = card_of(&customer.id, row);
        listed.card_accounts.push(ListedCardAccount::of(&card, card.opening));
    }
    Ok(listed)
}

fn agreement(row: &AgreementRow) -> Result<ListedAgreement> {
    let owner = owner_of(row)?;
    let (agreement, person) = (agreement_of(owner, row.name), customer_of(engaged_person()?)?);
    Ok(ListedAgreement::of(&agreement, &customer(owner)?, &person, ENGAGED_ROLES))
}

fn engaged_person() -> Result<&'static CustomerRow> {
    row_where(|row| row.number == ENGAGED_PERSON)
}

fn kid_creditor() -> Result<KidCreditor> {
    let (bban, iban) = numbers(KID_ACCOUNT)?;
    Ok(KidCreditor {
        bban: bban.as_str().to_owned(),
        iban: iban.as_str().to_owned(),
        name: row_where(|row| row.accounts.iter().any(|account| account.bban == KID_ACCOUNT))?.name,
        required: KID_AGREEMENT.required,
        modulus: KID_AGREEMENT.modulus.number(),
        digits_min: KID_AGREEMENT.digits_min,
        digits_max: KID_AGREEMENT.digits_max,
        example: KID_EXAMPLE,
    })
}

fn row_where(fits: impl Fn(&CustomerRow) -> bool) -> Result<&'static CustomerRow> {
    CUSTOMERS.iter().find(|row| fits(row)).ok_or_else(|| broken("a customer who is named"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_set_is_the_same_for_ever() {
        insta::assert_json_snapshot!("default_data", describe().unwrap());
    }
}
