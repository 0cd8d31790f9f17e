//! Mock card accounts (contract: Sandbox card account).

use serde::Serialize;

use super::agreement_view::number_of;
use super::balance::{self, BalanceBody, BalanceView, Balances, SumView};
use super::customer;
use super::engaging;
use super::handler_context::{created, found, gone, quiet, HandlerContext};
use super::members::Limit;
use super::outcome::Outcome;
use crate::bank::BankAnswer;
use crate::reason::Reason;
use crate::store::sqlite::sandbox::{AccountKey, Books, CardAccount, CardStatus, CustomerNumber};
use crate::types::{CardAccountId, Currency, Money, Name, Reference};
use crate::wire::described::described;
use crate::wire::link::Link;

described! {
    /// A card account. A private owner is engaged with it at once.
    CardAccountBody "card-account" {
        /// The number of the customer who owns it.
        customer_number: CustomerNumber = required "customerNumber";
        /// The card number with its middle hidden.
        masked_pan: Reference = required "maskedPan";
        /// Its currency.
        currency: Currency = required "currency";
        /// How much may be owed, in the card's currency.
        credit_limit: Limit = required "creditLimit";
        /// What it is opened with, in its currency; it may be empty.
        balances: Vec<BalanceBody> = required "balances";
        /// The card's id.
        card_id: Reference = required "cardId";
        /// The card's version.
        card_id_v_no: Reference = required "cardIdVNo";
        /// Its account number, kept as it is sent. Where it is looked for, dots, spaces and hyphens count for nothing.
        account_number: Reference = required "accountNumber";
        /// When the card expires, such as `2030-01`.
        expiry: Reference = required "expiry";
        /// What its owner calls it.
        name: Name = required "name";
        /// What the bank calls its kind.
        product: Reference = required "product";
        /// Its status.
        status: CardStatus = required "status";
    }
}

/// Makes a card account; a private customer is engaged with it at once.
pub(super) fn create(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.write(|books| {
        let body: CardAccountBody = context.known_body(|tree, reader| {
            let currency: Option<Currency> = quiet(tree, "currency", reader);
            let limit = tree.member("creditLimit");
            let of_limit = limit.and_then(|limit| quiet::<Currency>(limit, "currency", reader));
            if currency.zip(of_limit).is_some_and(|(currency, of_limit)| of_limit != currency) {
                reader.error_at("/creditLimit/currency", Reason::DebtorAccountCurrency);
            }
            balance::check_member(tree, reader);
            customer::check_member(books, tree, reader)
        })?;
        let owner = customer::of_number(books, &body.customer_number)?;
        let balances = Balances::opening(&body.balances, body.currency);
        let card = CardAccount {
            id: CardAccountId::from_bytes(context.fresh()?),
            owner: owner.id.clone(),
            account_number: body.account_number.into_string(),
            masked_pan: body.masked_pan.into_string(),
            currency: body.currency,
            name: body.name.into_string(),
            product: body.product.into_string(),
            card_id: body.card_id.into_string(),
            card_id_v_no: body.card_id_v_no.into_string(),
            expiry: body.expiry.into_string(),
            status: body.status,
            credit_limit: Money::from(&body.credit_limit),
            opening: balances.closing_booked,
            booked: balances.closing_booked,
        };
        let key = AccountKey::from(&card.id);
        books.insert_card_account(&card)?;
        balances.hold_back(books, &key, Money::zero(body.currency))?;
        engaging::engage_owner(context, books, &owner, key)?;
        let path = card_path(&card.id);
        created(&CardAccountView::of(context, books, card)?, Some(path))
    })
}

/// Every card account, those marked deleted too.
pub(super) fn list(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.read(|books| {
        let cards = books.card_accounts()?.into_iter().map(|card| CardAccountView::of(context, books, card));
        found(&CardAccountsView { card_accounts: cards.collect::<Outcome<_>>()? })
    })
}

/// One card account.
pub(super) fn show(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.read(|books| found(&CardAccountView::of(context, books, named(context, books)?)?))
}

/// The card account that the path names.
pub(super) fn named(context: &HandlerContext<'_>, books: &Books<'_>) -> Outcome<CardAccount> {
    let id = context.id(0, CardAccountId::parse, Reason::MockCardAccountUnknown)?;
    Ok(books.card_account(&id)?.ok_or(Reason::MockCardAccountUnknown)?)
}

/// Marks a card account deleted, which is for ever.
pub(super) fn delete(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.write(|books| {
        let card = named(context, books)?;
        let was_there = card.status != CardStatus::Deleted;
        books.set_card_status(&card.id, CardStatus::Deleted)?;
        gone(was_there, Reason::MockCardAccountUnknown)
    })
}

/// Sets balances.
pub(super) fn set_balances(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    // The card account comes first: without one there is no currency to hold the body against.
    let currency = context.read(|books| Ok(named(context, books)?.currency))?;
    let sent: Vec<BalanceBody> = context.checked_body(|tree, reader| {
        balance::check(tree, Some(currency), reader);
    })?;
    context.write(|books| {
        let key = AccountKey::from(&named(context, books)?.id);
        found(&balance::set(context, books, &key, &sent)?.view())
    })
}

/// A card account as it is answered. It has no `Debug`, so that no log can show it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CardAccountView {
    resource_id: String,
    customer_number: String,
    masked_pan: String,
    currency: &'static str,
    credit_limit: SumView,
    balances: [BalanceView; 2],
    card_id: String,
    card_id_v_no: String,
    account_number: String,
    expiry: String,
    name: String,
    product: String,
    status: &'static str,
    #[serde(rename = "_links")]
    links: CardAccountLinks,
}

#[derive(Serialize)]
struct CardAccountLinks {
    #[serde(rename = "self")]
    own: Link,
    balances: Link,
    transactions: Link,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CardAccountsView {
    card_accounts: Vec<CardAccountView>,
}

impl CardAccountView {
    fn of(context: &HandlerContext<'_>, books: &Books<'_>, card: CardAccount) -> Outcome<Self> {
        let path = card_path(&card.id);
        Ok(Self {
            resource_id: card.id.to_string(),
            customer_number: number_of(books, &card.owner)?,
            masked_pan: card.masked_pan,
            currency: card.currency.code(),
            credit_limit: card.credit_limit.into(),
            balances: Balances::of(context, books, &AccountKey::from(&card.id))?.view(),
            card_id: card.card_id,
            card_id_v_no: card.card_id_v_no,
            account_number: card.account_number,
            expiry: card.expiry,
            name: card.name,
            product: card.product,
            status: card.status.as_str(),
            links: CardAccountLinks {
                balances: Link::of(format!("{path}/balances"), &["PUT"]),
                transactions: Link::of(format!("{path}/transactions"), &["GET", "POST"]),
                own: Link::of(path, &["GET", "DELETE"]),
            },
        })
    }
}

/// Where a card account is.
pub(super) fn card_path(id: &CardAccountId) -> String {
    format!("/v1/sandbox/card-accounts/{id}")
}
