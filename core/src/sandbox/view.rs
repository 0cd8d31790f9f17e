//! An account's ledger as it is shown to authors of tests.

use serde::Serialize;

use super::access;
use super::history::references;
use crate::error::Result;
use crate::store::sqlite::sandbox::{Books, Exchange, LedgerAccount, Transaction};
use crate::store::sqlite::Database;
use crate::types::{Bban, Iban};

/// An account, its balance and its lines. It has no `Debug`, so that no log can show it.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LedgerView {
    /// The account.
    pub account: AccountView,
    /// Its booked balance.
    pub balance: BalanceView,
    /// Its lines, the newest first.
    pub bookings: Vec<BookingView>,
}

/// Which account it is.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccountView {
    /// Its id in answers.
    pub resource_id: String,
    /// Its account number; a card account has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bban: Option<String>,
    /// The same number as an IBAN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iban: Option<String>,
    /// Its currency.
    pub currency: &'static str,
    /// What its owner calls it.
    pub name: String,
}

/// A sum, exact, in the minor units of its currency.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BalanceView {
    /// The number, signed.
    pub amount: String,
    /// Its currency.
    pub currency: &'static str,
}

/// A line.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BookingView {
    /// Its id.
    pub transaction_id: String,
    /// The payment it settles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_id: Option<String>,
    /// When it was booked: YYYY-MM-DD.
    pub booking_date: String,
    /// From when on it bears interest: YYYY-MM-DD.
    pub value_date: String,
    /// The sum, signed: what leaves the account is negative.
    pub amount: String,
    /// The account's currency.
    pub currency: &'static str,
    /// The message, or the first structured reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The other side's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterpart_name: Option<String>,
    /// The other side's account number, or its IBAN where it has no Norwegian number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterpart_account: Option<String>,
    /// Why, as a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose_code: Option<String>,
    /// What it is in ISO 20022.
    pub bank_transaction_code: String,
    /// What the bank calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proprietary_bank_transaction_code: Option<String>,
    /// The exchange, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency_exchange: Option<ExchangeView>,
}

/// An exchange (contract: Transaction details, currencyExchange).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExchangeView {
    /// The currency given.
    pub source_currency: &'static str,
    /// How many units of the other currency one unit is worth.
    pub exchange_rate: String,
    /// The currency of which the rate prices one unit.
    pub unit_currency: &'static str,
    /// The currency got.
    pub target_currency: &'static str,
    /// The day of the rate: YYYY-MM-DD.
    pub quotation_date: String,
}

/// The ledger of the account with that number: a bban or an IBAN, dots and spaces aside, or the account
/// number or masked PAN of a card account, where one that is written just so comes first, and a deleted one last.
/// `None` where there is no such account.
///
/// # Errors
/// [`Error::Store`](crate::Error::Store).
pub(crate) fn ledger(database: &Database, account_number: &str) -> Result<Option<LedgerView>> {
    database.read_books(|books| {
        let account = account_of_number(books, account_number)?;
        account.map(|account| view(books, account)).transpose()
    })
}

fn account_of_number(books: &Books<'_>, number: &str) -> Result<Option<LedgerAccount>> {
    let bban = Bban::parse(number).ok();
    if let Some(account) = bban.map(|bban| books.ledger_account_by_bban(&bban)).transpose()?.flatten() {
        return Ok(Some(account));
    }
    let iban = Iban::parse(number).ok();
    if let Some(account) = iban.map(|iban| books.ledger_account_by_iban(&iban)).transpose()?.flatten() {
        return Ok(Some(account));
    }
    card_account_of_number(books, number)
}

fn card_account_of_number(books: &Books<'_>, number: &str) -> Result<Option<LedgerAccount>> {
    let mut cards = books.card_ledger_accounts_showing(number)?;
    cards.extend(books.card_ledger_accounts_by_account_number(number)?);
    let mut first_deleted = None;
    for card in cards {
        if !access::is_deleted(books, &card)? {
            return Ok(Some(card));
        }
        first_deleted.get_or_insert(card);
    }
    Ok(first_deleted)
}

fn view(books: &Books<'_>, account: LedgerAccount) -> Result<LedgerView> {
    let lines = books.transactions(&account.key)?;
    let bookings = lines.into_iter().map(|line| booking(books, line)).collect::<Result<_>>()?;
    let currency = account.currency.code();
    Ok(LedgerView {
        balance: BalanceView { amount: account.booked.to_string(), currency },
        account: AccountView {
            resource_id: account.key.as_str().to_owned(),
            bban: account.bban.map(|bban| bban.as_str().to_owned()),
            iban: account.iban.map(|iban| iban.as_str().to_owned()),
            currency,
            name: account.name,
        },
        bookings,
    })
}

fn booking(books: &Books<'_>, line: Transaction) -> Result<BookingView> {
    let reference = references(books, &line)?.into_iter().next().map(|first| first.reference);
    let text = line.remittance.or(reference);
    let other = line.counterpart;
    Ok(BookingView {
        transaction_id: line.id.to_string(),
        payment_id: line.payment_id.map(|id| id.to_string()),
        booking_date: line.booking_date.to_string(),
        value_date: line.value_date.to_string(),
        amount: line.amount.to_string(),
        currency: line.amount.currency().code(),
        text,
        counterpart_name: other.name,
        counterpart_account: other
            .bban
            .map(|bban| bban.as_str().to_owned())
            .or(other.iban.map(|iban| iban.as_str().to_owned())),
        purpose_code: line.purpose_code,
        bank_transaction_code: line.bank_transaction_code,
        proprietary_bank_transaction_code: line.proprietary_code,
        currency_exchange: line.exchange.as_ref().map(exchange),
    })
}

fn exchange(exchange: &Exchange) -> ExchangeView {
    ExchangeView {
        source_currency: exchange.source.code(),
        exchange_rate: exchange.rate.to_string(),
        unit_currency: exchange.unit.code(),
        target_currency: exchange.target.code(),
        quotation_date: exchange.quotation_date.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payment::order::{RemittanceInformation, StructuredReference};
    use crate::sandbox::batch::next_run;
    use crate::sandbox::fixture::{bulk, cross_border, noon, order, single, Fixture};
    use crate::types::{Reference, Repertoire};

    #[test]
    fn an_account_is_found_by_each_of_its_numbers() {
        let fixture = Fixture::new();
        let name = |number: &str| ledger(fixture.database(), number).unwrap().map(|view| view.account.name);
        for number in ["95360573002", "9536.05.73002", "NO0995360573002", "NO09 9536 0573 002"] {
            assert_eq!(name(number).as_deref(), Some("Brukskonto"), "{number}");
        }
        for number in ["95360573029", "123456******0001"] {
            assert_eq!(name(number).as_deref(), Some("Kredittkort"), "{number}");
        }
        for number in ["", "95360573290", "DE89370400440532013000", "' OR 1=1 --"] {
            assert_eq!(name(number), None, "{number}");
        }
    }

    #[test]
    fn a_ledger_is_shown_in_full() {
        let fixture = Fixture::new();
        let text = |text: &str| Reference::parse(text, Repertoire::Latin1).unwrap();
        let mut payment = cross_border(order(1, "95360573045", "91351631959", "1234.50"));
        single(&mut payment).remittance = Some(RemittanceInformation::Structured(StructuredReference {
            reference: text("1234567897"),
            reference_type: None,
            reference_issuer: None,
        }));
        fixture.submit(&payment, noon());
        fixture.bank.run(next_run(noon())).unwrap();
        insta::assert_json_snapshot!(
            "ledger_of_the_debtor",
            ledger(fixture.database(), "95360573045").unwrap()
        );
        insta::assert_json_snapshot!(
            "ledger_of_the_creditor",
            ledger(fixture.database(), "91351631959").unwrap()
        );
    }

    #[test]
    fn the_newest_line_is_first() {
        let fixture = Fixture::new();
        for (n, amount) in [(1, "1.00"), (2, "2.00"), (3, "3.00")] {
            let day = chrono::TimeDelta::days(if n == 2 { 5 } else { 0 });
            fixture.submit(&order(n, "95360573002", "95360573037", amount), noon() + day);
        }
        assert_eq!(fixture.amounts("95360573002"), ["-2.00", "-3.00", "-1.00"]);
    }

    #[test]
    fn each_line_of_a_bulk_shows_the_reference_of_its_own_entry() {
        let fixture = Fixture::new();
        let mut payment =
            bulk(1, &[("95360573037", "1.00"), ("95360573037", "2.00"), ("95360573010", "3.00")]);
        let text = |text: &str| Reference::parse(text, Repertoire::Latin1).unwrap();
        if let crate::payment::order::Order::Bulk(bulk) = &mut payment.order {
            for (entry, reference) in bulk.entries.iter_mut().zip(["1234567897", "26", "34"]) {
                let reference = StructuredReference {
                    reference: text(reference),
                    reference_type: None,
                    reference_issuer: None,
                };
                entry.remittance = Some(RemittanceInformation::StructuredArray(vec![reference]));
            }
        }
        fixture.submit(&payment, noon());
        fixture.bank.run(next_run(noon())).unwrap();
        let texts = |account: &str| -> Vec<_> {
            let bookings = ledger(fixture.database(), account).unwrap().unwrap().bookings;
            bookings.into_iter().map(|booking| booking.text.unwrap()).collect()
        };
        assert_eq!(texts("95360573002"), ["34", "26", "1234567897"]);
        assert_eq!(texts("95360573037"), ["26", "1234567897"]);
    }
}
