//! Mock accounts (contract: Sandbox management).

use super::account_number::AccountNumbers;
use super::account_view::{account_path, AccountView, AccountsView};
use super::balance::{self, BalanceBody, Balances};
use super::customer;
use super::engaging;
use super::handler_context::{created, found, gone, quiet, HandlerContext};
use super::members::Int;
use super::outcome::Outcome;
use crate::bank::BankAnswer;
use crate::reason::{Reason, Refusal};
use crate::sandbox::free_number;
use crate::store::sqlite::sandbox::{Account, AccountKey, Books, CustomerNumber};
use crate::types::{AccountId, Bban, Currency, Iban, Money, Name, Reference, Text};
use crate::wire::described::described;
use crate::wire::reader::Reader;

/// What an account is where its creation does not say.
const NAME: &str = "Brukskonto";
const PRODUCT: &str = "BRUKSKONTO";
const CASH_ACCOUNT_TYPE: &str = "CACC";

described! {
    /// An account. A private owner is engaged with it at once.
    AccountBody "account" {
        /// The number of the customer who owns it.
        customer_number: CustomerNumber = required "customerNumber";
        /// Its currency.
        currency: Currency = required "currency";
        /// What its owner calls it; else `Brukskonto`.
        account_name: Name = optional "accountName";
        /// What the bank calls its kind; else `BRUKSKONTO`.
        product: Reference = optional "product";
        /// Its kind in ISO 20022; else `CACC`.
        cash_account_type: Text<4> = optional "cashAccountType";
        /// How far below zero it may go, in whole units of its currency; else 0.
        credit_line: Int<0> = optional "creditLine";
        /// What it is opened with, in its currency; else nothing.
        balances: Vec<BalanceBody> = optional "balances";
        /// Its Norwegian account number, 11 digits, of no other account or card account; else the bank gives it one.
        bban: Bban = optional "bban";
        /// The same as an IBAN; either is enough.
        iban: Iban = optional "iban";
    }
}

/// Makes an account; a private customer is engaged with it at once.
pub(super) fn create(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.write(|books| {
        let body: AccountBody = context.known_body(|tree, reader| {
            check_numbers(context, quiet(tree, "bban", reader), quiet(tree, "iban", reader), reader);
            balance::check_member(tree, reader);
            customer::check_member(books, tree, reader)
        })?;
        let owner = customer::of_number(books, &body.customer_number)?;
        let (bban, iban) = numbers(context, books, &body)?;
        let sent = body.balances.as_deref().unwrap_or_default();
        let balances = Balances::opening(sent, body.currency);
        let text = |text: Option<String>, default: &str| text.unwrap_or_else(|| default.to_owned());
        let account = Account {
            id: AccountId::from_bytes(context.fresh()?),
            owner: owner.id.clone(),
            bban,
            iban,
            currency: body.currency,
            name: text(body.account_name.map(Name::into_string), NAME),
            product: text(body.product.map(Reference::into_string), PRODUCT),
            cash_account_type: text(body.cash_account_type.map(Text::into_string), CASH_ACCOUNT_TYPE),
            credit_line: Money::from_whole_units(body.credit_line.map_or(0, |line| line.0), body.currency),
            opening: balances.closing_booked,
            booked: balances.closing_booked,
        };
        let key = AccountKey::from(&account.id);
        books.insert_account(&account)?;
        balances.hold_back(books, &key, Money::zero(body.currency))?;
        engaging::engage_owner(context, books, &owner, key)?;
        created(&AccountView::of(context, books, &account)?, Some(account_path(&account.id)))
    })
}

/// An account of this bank has a Norwegian number, the same in both forms.
fn check_numbers(context: &HandlerContext<'_>, bban: Option<Bban>, iban: Option<Iban>, reader: &mut Reader) {
    if let Some(bban) = &bban {
        if !bban.is_norwegian() {
            reader.error_at("/bban", Reason::BbanNotNorwegian);
        } else if !bban.norwegian_check_digit_ok() {
            reader.find_at(context.call.policy.account_check_digit.into(), "/bban", Reason::BbanCheckDigit);
        }
    }
    match (iban.map(|iban| iban.bban()), bban) {
        (Some(None), _) => reader.error_at("/iban", Reason::BbanNotNorwegian),
        (Some(Some(inside)), Some(bban)) if bban.is_norwegian() && inside != bban => {
            reader.error_at("/iban", Reason::AccountNumbersDiffer);
        }
        _ => {}
    }
}

/// The numbers that were sent, if no account has them; else new ones.
fn numbers(context: &HandlerContext<'_>, books: &Books<'_>, body: &AccountBody) -> Outcome<(Bban, Iban)> {
    let sent = AccountNumbers { bban: body.bban, iban: body.iban }.completed();
    let Some((bban, iban)) = sent.bban.zip(sent.iban) else {
        let draw = || context.call.entropy.bytes().map(u64::from_be_bytes);
        return Ok(free_number::draw(draw, |bban| free_number::is_taken(books, bban))?);
    };
    if free_number::is_taken(books, &bban)? {
        let place = if body.bban.is_some() { "/bban" } else { "/iban" };
        return Err(Refusal::at(Reason::AccountNumberTaken, place).into());
    }
    Ok((bban, iban))
}

/// Every account.
pub(super) fn list(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.read(|books| found(&AccountsView::of(context, books)?))
}

/// One account.
pub(super) fn show(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.read(|books| found(&AccountView::of(context, books, &named(context, books)?)?))
}

/// The account that the path names.
pub(super) fn named(context: &HandlerContext<'_>, books: &Books<'_>) -> Outcome<Account> {
    let id = context.id(0, AccountId::parse, Reason::MockAccountUnknown)?;
    Ok(books.account(&id)?.ok_or(Reason::MockAccountUnknown)?)
}

/// Closes an account.
pub(super) fn delete(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    let id = context.id(0, AccountId::parse, Reason::MockAccountUnknown)?;
    context.write(|books| gone(books.delete_account(&id)?, Reason::MockAccountUnknown))
}

/// Sets balances.
pub(super) fn set_balances(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    // The account comes first: without one there is no currency to hold the body against.
    let currency = context.read(|books| Ok(named(context, books)?.currency))?;
    let sent: Vec<BalanceBody> = context.checked_body(|tree, reader| {
        balance::check(tree, Some(currency), reader);
    })?;
    context.write(|books| {
        let key = AccountKey::from(&named(context, books)?.id);
        found(&balance::set(context, books, &key, &sent)?.view())
    })
}
