//! Transactions on mock accounts as they are answered.

use serde::Serialize;

use super::account_view::account_path;
use super::agreement_view::NumbersView;
use super::outcome::Outcome;
use crate::store::sqlite::sandbox::{Account, Books, Transaction};
use crate::wire::link::Link;

/// A transaction (contract: Sandbox account transaction, list item). What a payment left out is an empty text.
/// It has no `Debug`, so that no log can show it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TransactionView {
    id: String,
    /// Without a sign: the debtor's account shows the direction.
    amount: i32,
    currency: &'static str,
    value_date: String,
    remittance_information_unstructured: String,
    creditor_name: String,
    creditor_account: NumbersView,
    debtor_name: String,
    debtor_account: NumbersView,
    bank_transaction_code: String,
    ultimate_debtor: String,
    ultimate_creditor: String,
    purpose_code: String,
    booking_date: String,
    #[serde(rename = "_links")]
    links: TransactionLinks,
}

#[derive(Serialize)]
struct TransactionLinks {
    #[serde(rename = "self")]
    own: Link,
}

impl TransactionView {
    /// A line as the books have it.
    pub(super) fn of(books: &Books<'_>, account: &Account, line: Transaction) -> Outcome<Self> {
        Ok(Self::new(account, own_name(books, account, &line)?, line))
    }

    /// A line that calls the account's own side by that name.
    pub(super) fn new(account: &Account, own_name: String, line: Transaction) -> Self {
        let own = (own_name, NumbersView::of(Some(&account.bban), Some(&account.iban)));
        let other = line.counterpart;
        let numbers = NumbersView::of(other.bban.as_ref(), other.iban.as_ref());
        let other = (other.name.unwrap_or_default(), numbers);
        let (debtor, creditor) = if line.amount.is_negative() { (own, other) } else { (other, own) };
        Self {
            amount: line.amount.whole_units().saturating_abs(),
            currency: line.amount.currency().code(),
            value_date: line.value_date.to_string(),
            remittance_information_unstructured: line.remittance.unwrap_or_default(),
            creditor_name: creditor.0,
            creditor_account: creditor.1,
            debtor_name: debtor.0,
            debtor_account: debtor.1,
            bank_transaction_code: line.bank_transaction_code,
            ultimate_debtor: line.ultimate_debtor.unwrap_or_default(),
            ultimate_creditor: line.ultimate_creditor.unwrap_or_default(),
            purpose_code: line.purpose_code.unwrap_or_default(),
            booking_date: line.booking_date.to_string(),
            links: TransactionLinks {
                own: Link::get(format!("{}/transactions/{}", account_path(&account.id), line.id)),
            },
            id: line.id.to_string(),
        }
    }
}

/// What the line calls the account's own side, or its owner.
fn own_name(books: &Books<'_>, account: &Account, line: &Transaction) -> Outcome<String> {
    if let Some(name) = books.own_name(&line.id)? {
        return Ok(name);
    }
    Ok(books.customer(&account.owner)?.map(|owner| owner.name).unwrap_or_default())
}
