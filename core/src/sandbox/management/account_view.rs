//! Mock accounts as they are answered.

use serde::Serialize;

use super::agreement_view::number_of;
use super::balance::{BalanceView, Balances};
use super::handler_context::HandlerContext;
use super::outcome::Outcome;
use crate::store::sqlite::sandbox::{Account, AccountKey, Books};
use crate::types::AccountId;
use crate::wire::link::Link;

/// An account. It has no `Debug`, so that no log can show it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AccountView {
    id: String,
    customer_number: String,
    account_name: String,
    product: String,
    bban: String,
    iban: String,
    currency: &'static str,
    cash_account_type: String,
    credit_line: i32,
    balances: [BalanceView; 2],
    #[serde(rename = "_links")]
    links: AccountLinks,
}

#[derive(Serialize)]
struct AccountLinks {
    #[serde(rename = "self")]
    own: Link,
    balances: Link,
    transactions: Link,
}

/// A list of accounts.
#[derive(Serialize)]
pub(super) struct AccountsView {
    accounts: Vec<AccountView>,
}

impl AccountsView {
    /// Every account, the oldest first.
    pub(super) fn of(context: &HandlerContext<'_>, books: &Books<'_>) -> Outcome<Self> {
        let accounts = books.accounts()?;
        let accounts = accounts.iter().map(|account| AccountView::of(context, books, account));
        Ok(Self { accounts: accounts.collect::<Outcome<_>>()? })
    }
}

impl AccountView {
    pub(super) fn of(context: &HandlerContext<'_>, books: &Books<'_>, account: &Account) -> Outcome<Self> {
        let path = account_path(&account.id);
        Ok(Self {
            id: account.id.to_string(),
            customer_number: number_of(books, &account.owner)?,
            account_name: account.name.clone(),
            product: account.product.clone(),
            bban: account.bban.as_str().to_owned(),
            iban: account.iban.as_str().to_owned(),
            currency: account.currency.code(),
            cash_account_type: account.cash_account_type.clone(),
            credit_line: account.credit_line.whole_units(),
            balances: Balances::of(context, books, &AccountKey::from(&account.id))?.view(),
            links: AccountLinks {
                balances: Link::of(format!("{path}/balances"), &["PUT"]),
                transactions: Link::of(format!("{path}/transactions"), &["GET", "POST", "DELETE"]),
                own: Link::of(path, &["GET", "DELETE"]),
            },
        })
    }
}

/// Where an account is.
pub(super) fn account_path(id: &AccountId) -> String {
    format!("/v1/sandbox/accounts/{id}")
}
