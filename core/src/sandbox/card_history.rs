//! Transactions of card accounts as the bank reports them.
//!
//! In the ledger what is spent is negative; on a card's list it is positive.

use super::history::{exchanged, references};
use super::{reserved, Rates};
use crate::account::record::{CardAcceptorAddress, CardTransaction, Page, TransactionQuery};
use crate::error::Result;
use crate::store::sqlite::sandbox::{self as stored, AccountKey, Books, CardDetails};
use crate::types::CardAccountId;

/// A part of the booked transactions, the newest first: uses of the card, and payments from its account and to it.
pub(super) fn booked(
    books: &Books<'_>,
    id: &CardAccountId,
    query: &TransactionQuery,
) -> Result<Page<CardTransaction>> {
    let page = books.lines(&AccountKey::from(id), query)?;
    let items = page.items.into_iter().map(|line| view(books, line)).collect::<Result<_>>()?;
    Ok(Page { items, total: page.total })
}

/// Every pending transaction: payments from the card account that wait, then uses of the card that are authorised, each
/// the newest first.
pub(super) fn pending(books: &Books<'_>, rates: &Rates, id: &CardAccountId) -> Result<Vec<CardTransaction>> {
    let Some(holder) = books.ledger_account(&AccountKey::from(id))? else { return Ok(Vec::new()) };
    let lines = reserved::lines(books, rates, &holder)?.into_iter();
    let pending = |transaction| CardTransaction { id: None, value_date: None, ..transaction };
    let lines = lines.map(|line| view(books, line).map(pending));
    let authorised = books.authorisations(&holder.key)?.into_iter();
    lines.chain(authorised.map(|use_of_card| Ok(authorised_view(use_of_card)))).collect()
}

/// A use of the card that is not booked. It is exchanged when it is.
fn authorised_view(authorised: stored::CardAuthorisation) -> CardTransaction {
    let address = CardAcceptorAddress {
        city: authorised.city,
        country: Some(authorised.country),
        ..CardAcceptorAddress::default()
    };
    CardTransaction {
        id: None,
        terminal_id: None,
        booking_date: None,
        transaction_date: Some(authorised.transaction_date),
        value_date: None,
        amount: authorised.amount.negated(),
        original_amount: Some(authorised.original_amount),
        exchange: None,
        markup_fee: None,
        markup_fee_percentage: None,
        card_acceptor_id: Some(authorised.card_acceptor_id),
        card_acceptor_address: Some(address),
        merchant_category_code: Some(authorised.merchant_category_code),
        masked_pan: Some(authorised.masked_pan),
        details: Some(authorised.remittance),
        invoiced: None,
        proprietary_code: Some(authorised.proprietary_code),
    }
}

fn view(books: &Books<'_>, line: stored::Transaction) -> Result<CardTransaction> {
    match books.card_details(&line.id)? {
        Some(details) => Ok(used(line, details)),
        None => paid(books, line),
    }
}

fn used(line: stored::Transaction, details: CardDetails) -> CardTransaction {
    let contract = details.contract_identification;
    CardTransaction {
        id: Some(details.card_transaction_id),
        terminal_id: details.terminal_id,
        booking_date: Some(line.booking_date),
        transaction_date: details.transaction_date,
        value_date: details.value_date,
        amount: line.amount.negated(),
        original_amount: Some(details.original_amount),
        exchange: line.exchange.as_ref().map(|exchange| exchanged(exchange, contract)),
        markup_fee: Some(details.markup_fee),
        markup_fee_percentage: details.markup_fee_percentage,
        card_acceptor_id: details.card_acceptor_id,
        card_acceptor_address: Some(details.card_acceptor_address)
            .filter(|address| *address != CardAcceptorAddress::default()),
        merchant_category_code: details.merchant_category_code,
        masked_pan: details.masked_pan,
        details: line.remittance,
        invoiced: details.invoiced,
        proprietary_code: line.proprietary_code,
    }
}

/// A line that no use of the card made: a payment from the account or to it, or a fee. Its text is the message, the
/// first reference, or the name of the other party.
fn paid(books: &Books<'_>, line: stored::Transaction) -> Result<CardTransaction> {
    let reference = references(books, &line)?.into_iter().next().map(|first| first.reference);
    Ok(CardTransaction {
        id: Some(line.id.to_string()),
        terminal_id: None,
        booking_date: Some(line.booking_date),
        transaction_date: None,
        value_date: Some(line.value_date),
        amount: line.amount.negated(),
        original_amount: None,
        exchange: line.exchange.as_ref().map(|exchange| exchanged(exchange, None)),
        markup_fee: None,
        markup_fee_percentage: None,
        card_acceptor_id: None,
        card_acceptor_address: None,
        merchant_category_code: None,
        masked_pan: None,
        details: line.remittance.or(reference).or(line.counterpart.name),
        invoiced: None,
        proprietary_code: line.proprietary_code,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::record::BalanceType;
    use crate::bank::{Bank, PaymentOrder};
    use crate::sandbox::batch::next_run;
    use crate::sandbox::default_data::card_account_id;
    use crate::sandbox::fixture::{card, cross_border, instant, noon, order, single, Fixture};
    use crate::sandbox::ledger::reconcile;
    use crate::store::sqlite::sandbox::{Counterpart, Exchange};
    use crate::types::{AccountReference, Currency, Money, TransactionId};

    const CARD: &str = "95360573029";
    const PAN: &str = "123456******0001";
    const WHOLE: TransactionQuery = TransactionQuery { from: None, to: None, offset: 0, limit: 1000 };

    fn money(text: &str, currency: Currency) -> Money {
        Money::parse(text, currency).unwrap()
    }

    /// A purchase in euro for so many kroner.
    fn line(n: u8, kroner: &str) -> stored::Transaction {
        let day = "2026-11-18".parse().unwrap();
        stored::Transaction {
            id: TransactionId::from_bytes([n; 18]),
            account: AccountKey::from(&card_account_id(CARD)),
            payment_id: None,
            entry: 0,
            booking_date: day,
            value_date: day,
            amount: money(kroner, Currency::NOK).negated(),
            counterpart: Counterpart::default(),
            creditor_id: None,
            ultimate_creditor: None,
            ultimate_debtor: None,
            remittance: Some("RESTAURANT".to_owned()),
            purpose_code: None,
            bank_transaction_code: "PMNT-CCRD-POSD".to_owned(),
            proprietary_code: Some("PURCHASE".to_owned()),
            exchange: Some(Exchange {
                source: Currency::EUR,
                target: Currency::NOK,
                unit: Currency::EUR,
                rate: "11.7".parse().unwrap(),
                quotation_date: day,
            }),
            created_at: noon(),
            reference: None,
        }
    }

    fn details() -> CardDetails {
        let text = |text: &str| Some(text.to_owned());
        CardDetails {
            card_transaction_id: "201900007".to_owned(),
            terminal_id: text("74310"),
            transaction_date: "2026-11-17".parse().ok(),
            value_date: "2026-11-19".parse().ok(),
            original_amount: money("10.00", Currency::EUR),
            contract_identification: text("C-1"),
            markup_fee: money("2.00", Currency::NOK),
            markup_fee_percentage: text("20"),
            card_acceptor_id: text("4711"),
            card_acceptor_address: CardAcceptorAddress { city: text("Berlin"), ..Default::default() },
            merchant_category_code: text("5812"),
            masked_pan: text(PAN),
            invoiced: Some(true),
        }
    }

    fn use_card(fixture: &Fixture, n: u8, kroner: &str, details: &CardDetails) {
        fixture.database().write_books(|books| books.book_card(&line(n, kroner), details)).unwrap();
        assert_eq!(reconcile(fixture.database()).unwrap(), []);
    }

    fn booked(fixture: &Fixture) -> Vec<CardTransaction> {
        let page = fixture.bank.card_account_data().card_booked(&card_account_id(CARD), &WHOLE).unwrap();
        assert_eq!(page.total, page.items.len() as u64);
        page.items
    }

    fn balances(fixture: &Fixture) -> Vec<(BalanceType, String)> {
        let balances = fixture.bank.card_account_data().card_balances(&card_account_id(CARD)).unwrap();
        balances.into_iter().map(|balance| (balance.kind, balance.amount.to_string())).collect()
    }

    /// An order that the card account pays.
    fn by_card(order: PaymentOrder) -> PaymentOrder {
        let mut order = order;
        single(&mut order).debtor_account =
            AccountReference { identification: card(PAN), currency: Currency::NOK };
        order
    }

    #[test]
    fn a_use_of_a_card_is_shown_in_full_and_positive() {
        let fixture = Fixture::new();
        use_card(&fixture, 1, "119.00", &details());
        let used = booked(&fixture).remove(0);
        let expected = CardTransaction {
            id: Some("201900007".to_owned()),
            terminal_id: details().terminal_id,
            booking_date: "2026-11-18".parse().ok(),
            transaction_date: "2026-11-17".parse().ok(),
            value_date: "2026-11-19".parse().ok(),
            amount: money("119.00", Currency::NOK),
            original_amount: Some(money("10.00", Currency::EUR)),
            exchange: line(1, "1.00").exchange.map(|own| exchanged(&own, Some("C-1".to_owned()))),
            markup_fee: Some(money("2.00", Currency::NOK)),
            markup_fee_percentage: Some("20".to_owned()),
            card_acceptor_id: Some("4711".to_owned()),
            card_acceptor_address: Some(details().card_acceptor_address),
            merchant_category_code: Some("5812".to_owned()),
            masked_pan: Some(PAN.to_owned()),
            details: Some("RESTAURANT".to_owned()),
            invoiced: Some(true),
            proprietary_code: Some("PURCHASE".to_owned()),
        };
        assert!(used == expected);
    }

    #[test]
    fn what_was_not_given_is_not_shown() {
        let fixture = Fixture::new();
        let bare = CardDetails {
            terminal_id: None,
            transaction_date: None,
            value_date: None,
            contract_identification: None,
            markup_fee_percentage: None,
            card_acceptor_id: None,
            card_acceptor_address: CardAcceptorAddress::default(),
            merchant_category_code: None,
            masked_pan: None,
            invoiced: None,
            ..details()
        };
        use_card(&fixture, 1, "1.00", &bare);
        let used = booked(&fixture).remove(0);
        assert!(used.terminal_id.is_none() && used.transaction_date.is_none() && used.value_date.is_none());
        assert!(used.card_acceptor_address.is_none() && used.invoiced.is_none() && used.masked_pan.is_none());
        assert_eq!(used.exchange.unwrap().contract, None);
    }

    #[test]
    fn a_card_owes_what_was_spent_and_has_the_rest_of_its_limit() {
        let fixture = Fixture::new();
        use_card(&fixture, 1, "119.00", &details());
        use_card(&fixture, 2, "-19.00", &details());
        let amounts: Vec<_> = booked(&fixture).iter().map(|used| used.amount.to_string()).collect();
        assert_eq!(amounts, ["-19.00", "119.00"], "the newest first; a refund is negative");
        fixture.submit(&by_card(cross_border(instant(1, "50.00"))), noon());
        let expected = [
            (BalanceType::ClosingBooked, "-100.00".to_owned()),
            (BalanceType::Expected, "-180.00".to_owned()),
            (BalanceType::ForwardAvailable, "49820.00".to_owned()),
        ];
        assert_eq!(balances(&fixture), expected);
    }

    #[test]
    fn a_payment_from_the_card_account_waits_and_is_then_listed() {
        let fixture = Fixture::new();
        fixture.submit(&by_card(cross_border(instant(1, "50.00"))), noon());
        let pending = || fixture.bank.card_account_data().card_pending(&card_account_id(CARD)).unwrap();
        let shown = |transactions: Vec<CardTransaction>| -> Vec<(String, Option<String>, bool)> {
            let one = |transaction: CardTransaction| {
                (transaction.amount.to_string(), transaction.details, transaction.id.is_some())
            };
            transactions.into_iter().map(one).collect()
        };
        let row = |amount: &str, details: Option<&str>, has_id| {
            (amount.to_owned(), details.map(str::to_owned), has_id)
        };
        let lines = |has_id| [row("30.00", None, has_id), row("50.00", Some("Payee Test"), has_id)];
        assert!(pending().iter().all(|transaction| transaction.value_date.is_none()));
        assert_eq!(shown(pending()), lines(false));
        fixture.bank.run(next_run(noon())).unwrap();
        assert_eq!(shown(booked(&fixture)), lines(true));
        assert!(pending().is_empty());
    }

    #[test]
    fn a_payment_to_the_card_account_is_negative_and_lowers_the_debt() {
        let fixture = Fixture::new();
        use_card(&fixture, 1, "119.00", &details());
        fixture.submit(&order(1, "95360573010", CARD, "19.00"), noon());
        let paid = booked(&fixture).remove(0);
        assert_eq!(
            (paid.amount.to_string(), paid.details),
            ("-19.00".to_owned(), Some("Testodius Test".to_owned()))
        );
        assert!(paid.id.is_some() && paid.original_amount.is_none() && paid.invoiced.is_none());
        let expected = [
            (BalanceType::ClosingBooked, "-100.00".to_owned()),
            (BalanceType::Expected, "-100.00".to_owned()),
            (BalanceType::ForwardAvailable, "49900.00".to_owned()),
        ];
        assert_eq!(balances(&fixture), expected);
    }

    #[test]
    fn the_details_of_a_use_go_with_its_account() {
        let fixture = Fixture::new();
        use_card(&fixture, 1, "1.00", &details());
        let kept = || fixture.database().read_books(|books| books.card_details(&line(1, "1.00").id)).unwrap();
        assert!(kept() == Some(details()));
        crate::sandbox::default_data::initialize(fixture.database()).unwrap();
        assert!(kept().is_none());
    }

    #[test]
    fn a_card_account_that_is_gone_has_no_history_and_no_balance() {
        let (fixture, gone) = (Fixture::new(), card_account_id("unknown"));
        assert_eq!(fixture.bank.card_account_data().card_booked(&gone, &WHOLE).unwrap().total, 0);
        assert!(fixture.bank.card_account_data().card_pending(&gone).unwrap().is_empty());
        assert!(fixture.bank.card_account_data().card_balances(&gone).unwrap().is_empty());
    }
}
