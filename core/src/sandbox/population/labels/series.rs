//! What recurs on an account: wages, bills, loans, standing orders.

use std::collections::HashMap;

use super::super::diary::Entry;
use super::super::kind::Kind;
use crate::store::sqlite::sandbox::CustomerType;
use crate::types::TransactionId;

/// How many digits of the KID of a person's bill are the same each time: the number of the customer.
const CUSTOMER_DIGITS: usize = 7;

/// What makes lines those of one series.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    what: What,
    name: Option<String>,
    number: Option<String>,
    detail: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    Income(&'static str),
    Bill,
    Standing,
    Loan(&'static str),
    Card,
    Withheld,
}

/// The series of one account, by their first lines.
pub(crate) struct SeriesOfAccount {
    owner: CustomerType,
    first: HashMap<Key, TransactionId>,
}

impl SeriesOfAccount {
    /// None yet, of an account of that kind of customer.
    pub(crate) fn of_owner(owner: CustomerType) -> Self {
        Self { owner, first: HashMap::new() }
    }

    /// The first line of the series that an entry belongs to. Entries come in the order of their days.
    pub(super) fn of(&mut self, entry: &Entry, id: &TransactionId) -> Option<TransactionId> {
        let (what, detail) = self.what(entry)?;
        let number = entry.other.bban.as_ref().map(|bban| bban.as_str().to_owned());
        let key = Key { what, name: entry.other.name.clone(), number, detail: detail.to_owned() };
        Some(self.first.entry(key).or_insert_with(|| id.clone()).clone())
    }

    fn what<'e>(&self, entry: &'e Entry) -> Option<(What, &'e str)> {
        // What cases and look-alikes add is paid once, such as the wages of another person.
        if entry.is_added {
            return None;
        }
        let is_person = self.owner == CustomerType::Private;
        let what = match entry.kind {
            Kind::Salary => What::Income("salary"),
            Kind::Pension => What::Income("pension"),
            Kind::Benefit => What::Income("benefit"),
            Kind::ChildBenefit => What::Income("child_benefit"),
            Kind::Studies => What::Income("studies"),
            Kind::MortgageInterest | Kind::MortgageInstalment => What::Loan("mortgage"),
            Kind::LoanInterest | Kind::LoanInstalment => What::Loan("consumer"),
            Kind::Standing => return Some((What::Standing, &entry.text)),
            // An invoice of a company is sent once; the KID of a person's bill begins with a number that stays.
            Kind::Bill if is_person && entry.sum < 0 => {
                return Some((What::Bill, entry.reference.as_deref()?.get(..CUSTOMER_DIGITS)?));
            }
            Kind::OwnTransfer if entry.text == CARD_PAYMENT => What::Card,
            Kind::Tax if !is_person => What::Withheld,
            Kind::OwnTransfer if !is_person => What::Withheld,
            _ => return None,
        };
        Some((what, ""))
    }
}

/// The message of the monthly payment of a credit card.
const CARD_PAYMENT: &str = "Betaling av kredittkort";
