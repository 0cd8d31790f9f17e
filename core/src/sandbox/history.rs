//! Transactions of ordinary accounts as the bank reports them.

use super::visible::own_bic;
use super::{reserved, Rates};
use crate::account::record::{
    CurrencyExchange, Page, Party, Transaction, TransactionQuery, TransactionReference,
};
use crate::error::Result;
use crate::store::sqlite::sandbox::{self as stored, AccountKey, Books, LedgerAccount};
use crate::types::{AccountId, TransactionId};

/// A part of the booked transactions, the newest first.
pub(super) fn booked(
    books: &Books<'_>,
    id: &AccountId,
    query: &TransactionQuery,
) -> Result<Page<Transaction>> {
    let key = AccountKey::from(id);
    let Some(holder) = books.ledger_account(&key)? else { return Ok(Page { items: Vec::new(), total: 0 }) };
    let page = books.lines(&key, query)?;
    let items = page.items.into_iter().map(|line| view(books, &holder, line)).collect::<Result<_>>()?;
    Ok(Page { items, total: page.total })
}

/// Every pending transaction: orders that wait, then uses of a card that are authorised, each the newest first.
pub(super) fn pending(books: &Books<'_>, rates: &Rates, id: &AccountId) -> Result<Vec<Transaction>> {
    let Some(holder) = books.ledger_account(&AccountKey::from(id))? else { return Ok(Vec::new()) };
    let lines = reserved::lines(books, rates, &holder)?.into_iter();
    // A line that is not booked has no id yet, and bears no interest.
    let pending = |transaction| Transaction { id: None, value_date: None, ..transaction };
    let lines = lines.map(|line| view(books, &holder, line).map(pending));
    let authorised = books.authorisations(&holder.key)?.into_iter();
    lines.chain(authorised.map(|use_of_card| Ok(authorised_view(&holder, use_of_card)))).collect()
}

/// A use of a card that is not booked. It is exchanged when it is. It is booked on the day of use at the earliest;
/// under that day it is listed.
fn authorised_view(holder: &LedgerAccount, authorised: stored::CardAuthorisation) -> Transaction {
    let merchant = Party { name: Some(authorised.merchant), bban: None, iban: None, agent: None };
    let debtor = Some(holder.owner_name.clone()).filter(|name| !name.is_empty());
    Transaction {
        id: None,
        end_to_end_id: None,
        booking_date: Some(authorised.transaction_date),
        value_date: None,
        amount: authorised.amount,
        exchange: None,
        creditor: merchant,
        debtor: Party { name: debtor, bban: holder.bban, iban: holder.iban, agent: own_bic() },
        unstructured: Some(authorised.remittance),
        structured: Vec::new(),
        purpose_code: None,
        bank_transaction_code: Some(authorised.bank_transaction_code),
        proprietary_code: Some(authorised.proprietary_code),
    }
}

/// One booked transaction.
pub(super) fn one(books: &Books<'_>, account: &AccountId, id: &TransactionId) -> Result<Option<Transaction>> {
    let key = AccountKey::from(account);
    let Some(holder) = books.ledger_account(&key)? else { return Ok(None) };
    books.line(&key, id)?.map(|line| view(books, &holder, line)).transpose()
}

fn view(books: &Books<'_>, holder: &LedgerAccount, line: stored::Transaction) -> Result<Transaction> {
    let structured = references(books, &line)?;
    let (creditor, debtor) = sides(books, holder, &line)?;
    Ok(Transaction {
        id: Some(line.id),
        end_to_end_id: None,
        booking_date: Some(line.booking_date),
        value_date: Some(line.value_date),
        amount: line.amount,
        exchange: line.exchange.as_ref().map(|exchange| exchanged(exchange, None)),
        creditor,
        debtor,
        unstructured: line.remittance,
        structured,
        purpose_code: line.purpose_code,
        bank_transaction_code: Some(line.bank_transaction_code),
        proprietary_code: line.proprietary_code,
    })
}

/// Creditor and debtor. Of what leaves the account the holder is the debtor, of all else the creditor. An
/// order names the payee's bank; who pays by one has an account here.
fn sides(books: &Books<'_>, holder: &LedgerAccount, line: &stored::Transaction) -> Result<(Party, Party)> {
    let own_name = books.own_name(&line.id)?;
    // A transaction that was sent with an empty name has none.
    let own_name = own_name.unwrap_or_else(|| holder.owner_name.clone());
    let holder = Party {
        name: Some(own_name).filter(|name| !name.is_empty()),
        bban: holder.bban,
        iban: holder.iban,
        agent: own_bic(),
    };
    let leaves = line.amount.is_negative();
    let agent = match &line.payment_id {
        Some(payment) if leaves && has_counterpart(line) => books.creditor_agent(payment, line.entry)?,
        Some(_) if !leaves => own_bic(),
        _ => None,
    };
    let other = &line.counterpart;
    let other = Party { name: other.name.clone(), bban: other.bban, iban: other.iban, agent };
    Ok(if leaves { (other, holder) } else { (holder, other) })
}

/// The structured references of a line: its own, or those of the order that it settles. Free text is stored on the line
/// itself, and an order has one or the other; a fee has neither.
pub(super) fn references(books: &Books<'_>, line: &stored::Transaction) -> Result<Vec<TransactionReference>> {
    match &line.payment_id {
        Some(payment) if line.remittance.is_none() && has_counterpart(line) => {
            let references = books.references(payment, line.entry)?.into_iter();
            Ok(references.map(referenced).collect())
        }
        _ => Ok(line.reference.iter().cloned().map(kid).collect()),
    }
}

fn kid(reference: String) -> TransactionReference {
    TransactionReference { reference, reference_type: None, reference_issuer: None }
}

/// Whether a line has another side; that of a fee is the bank itself.
fn has_counterpart(line: &stored::Transaction) -> bool {
    line.counterpart.name.is_some()
}

fn referenced(reference: stored::OrderReference) -> TransactionReference {
    TransactionReference {
        reference: reference.reference,
        reference_type: reference.reference_type,
        reference_issuer: reference.reference_issuer,
    }
}

/// An exchange, with the contract it was made under.
pub(super) fn exchanged(exchange: &stored::Exchange, contract: Option<String>) -> CurrencyExchange {
    CurrencyExchange {
        source: exchange.source,
        target: exchange.target,
        unit: exchange.unit,
        rate: exchange.rate,
        quotation_date: exchange.quotation_date,
        contract,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::record::BalanceType;
    use crate::bank::{Bank, PaymentOrder};
    use crate::payment::order::{RemittanceInformation, StructuredReference};
    use crate::payment::product::Product;
    use crate::sandbox::batch::next_run;
    use crate::sandbox::default_data::account_id;
    use crate::sandbox::fixture::{
        bulk, cross_border, domestic, in_currency, instant, noon, on_day, order, single, under, Fixture,
    };
    use crate::types::{Bic, Currency, Money, PurposeCode, Reference, Repertoire, Text};

    const DEBTOR: &str = "95360573002";
    const CREDITOR: &str = "95360573037";
    const WHOLE: TransactionQuery = TransactionQuery { from: None, to: None, offset: 0, limit: 1000 };

    fn booked(fixture: &Fixture, bban: &str) -> Vec<Transaction> {
        let page = fixture.bank.account_data().booked(&account_id(bban), &WHOLE).unwrap();
        assert_eq!(page.total, page.items.len() as u64);
        page.items
    }

    fn pending(fixture: &Fixture, bban: &str) -> Vec<Transaction> {
        fixture.bank.account_data().pending(&account_id(bban)).unwrap()
    }

    /// Day and sum of each.
    fn rows(transactions: &[Transaction]) -> Vec<String> {
        let row = |transaction: &Transaction| {
            format!("{} {}", transaction.booking_date.unwrap(), transaction.amount)
        };
        transactions.iter().map(row).collect()
    }

    /// The balances, which what is pending must explain.
    fn balances(fixture: &Fixture, bban: &str) -> [String; 2] {
        let balances = fixture.bank.account_data().balances(&account_id(bban)).unwrap();
        let kinds = balances.iter().map(|balance| balance.kind);
        assert!(kinds.eq([BalanceType::ClosingBooked, BalanceType::Expected]));
        let pending = pending(fixture, bban);
        let explained = pending
            .iter()
            .try_fold(balances[0].amount, |sum, transaction| sum.checked_add(transaction.amount));
        assert_eq!(explained, Some(balances[1].amount));
        [balances[0].amount.to_string(), balances[1].amount.to_string()]
    }

    fn with_text(mut order: PaymentOrder, text: &str) -> PaymentOrder {
        let text = Text::parse(text, Repertoire::Latin1).unwrap();
        single(&mut order).remittance = Some(RemittanceInformation::Unstructured(text));
        order
    }

    fn with_references(mut order: PaymentOrder) -> PaymentOrder {
        let text = |text: &str| Reference::parse(text, Repertoire::Latin1).unwrap();
        let reference = |reference: &str, reference_type| StructuredReference {
            reference: text(reference),
            reference_type,
            reference_issuer: None,
        };
        let references = vec![reference("1234567897", None), reference("42", Some(text("CINV")))];
        single(&mut order).remittance = Some(RemittanceInformation::StructuredArray(references));
        order
    }

    #[test]
    fn an_order_is_pending_until_its_batch_books_it() {
        let fixture = Fixture::new();
        fixture.submit(&cross_border(instant(1, "100.00")), noon());
        let waiting = pending(&fixture, DEBTOR);
        assert_eq!(rows(&waiting), ["2026-11-20 -30.00", "2026-11-20 -100.00"]);
        assert!(waiting.iter().all(|line| line.id.is_none() && line.value_date.is_none()));
        assert_eq!(balances(&fixture, DEBTOR), ["100000.00", "99870.00"]);
        assert!(booked(&fixture, DEBTOR).is_empty() && pending(&fixture, CREDITOR).is_empty());
        fixture.bank.run(next_run(noon())).unwrap();
        assert_eq!(rows(&booked(&fixture, DEBTOR)), rows(&waiting));
        assert_eq!(rows(&booked(&fixture, CREDITOR)), ["2026-11-20 100.00"]);
        assert!(pending(&fixture, DEBTOR).is_empty());
        assert_eq!(balances(&fixture, DEBTOR), ["99870.00", "99870.00"]);
    }

    #[test]
    fn pending_transactions_have_their_day_and_the_newest_is_first() {
        let fixture = Fixture::new();
        fixture.submit(&on_day("2026-12-01", domestic(1, "1.00")), noon());
        fixture.submit(&domestic(2, "2.00"), noon());
        fixture.submit(&on_day("2026-12-01", domestic(3, "3.00")), noon());
        fixture.submit(&bulk(4, &[(CREDITOR, "4.00"), ("95360573290", "5.00")]), noon());
        let expected = [
            "2026-12-01 -3.00",
            "2026-12-01 -1.00",
            "2026-11-20 -5.00",
            "2026-11-20 -4.00",
            "2026-11-20 -2.00",
        ];
        assert_eq!(rows(&pending(&fixture, DEBTOR)), expected);
        assert_eq!(balances(&fixture, DEBTOR), ["100000.00", "99985.00"]);
    }

    #[test]
    fn what_no_batch_will_book_is_not_pending() {
        let fixture = Fixture::new();
        fixture.bank.set_rates(Rates::default().without(Currency::ZWD));
        fixture.submit(&under(Product::PeriodicDomestic, instant(1, "10.00")), noon());
        fixture.submit(&in_currency(domestic(2, "1.00"), "1.00", Currency::ZWD), noon());
        fixture.submit(&instant(3, "10.00"), noon());
        assert!(pending(&fixture, DEBTOR).is_empty());
        assert_eq!(balances(&fixture, DEBTOR), ["99990.00", "99990.00"]);
    }

    #[test]
    fn an_order_the_money_is_not_there_for_is_pending_until_it_is_refused() {
        let fixture = Fixture::new();
        fixture.submit(&domestic(1, "100000.01"), noon());
        assert_eq!(balances(&fixture, DEBTOR), ["100000.00", "-0.01"]);
        fixture.bank.run(next_run(noon())).unwrap();
        assert_eq!(balances(&fixture, DEBTOR), ["100000.00", "100000.00"]);
    }

    #[test]
    fn the_holder_is_debtor_of_what_leaves_and_creditor_of_what_comes() {
        let fixture = Fixture::new();
        let mut order = with_text(instant(1, "5.00"), "Lønn");
        single(&mut order).creditor_agent = Bic::parse("DNBANOKK").ok();
        single(&mut order).purpose_code = Some(PurposeCode::SALA);
        fixture.submit(&order, noon());
        let (paid, received) = (&booked(&fixture, DEBTOR)[0], &booked(&fixture, CREDITOR)[0]);
        let shown = |party: &Party| {
            let (bban, agent) = (party.bban.map(|bban| bban.as_str().to_owned()), party.agent);
            let agent = agent.map(|agent| agent.as_str().to_owned());
            [party.name.clone(), bban, agent].map(Option::unwrap_or_default)
        };
        let holder = ["Testodius Test", DEBTOR, "XSAANO20"];
        assert_eq!(shown(&paid.debtor), holder);
        assert_eq!(shown(&paid.creditor), ["Payee Test", CREDITOR, "DNBANOKK"]);
        assert_eq!(paid.creditor.iban.unwrap().as_str(), "NO3495360573037");
        assert_eq!(shown(&received.debtor), holder);
        assert_eq!(shown(&received.creditor), ["Testine Test", CREDITOR, "XSAANO20"]);
        for line in [paid, received] {
            assert_eq!((line.unstructured.as_deref(), line.structured.len()), (Some("Lønn"), 0));
            assert_eq!(line.purpose_code.as_deref(), Some("SALA"));
            assert_eq!(line.proprietary_code.as_deref(), Some("STRAKSBETALING"));
        }
        assert_eq!(paid.bank_transaction_code.as_deref(), Some("PMNT-IRCT-DMCT"));
    }

    #[test]
    fn references_are_on_both_sides_and_not_on_the_fee() {
        let fixture = Fixture::new();
        fixture.submit(&with_references(cross_border(instant(1, "5.00"))), noon());
        let references = |lines: &[Transaction]| -> Vec<Vec<String>> {
            let of = |line: &Transaction| {
                line.structured.iter().map(|reference| reference.reference.clone()).collect()
            };
            lines.iter().map(of).collect()
        };
        let both = vec!["1234567897".to_owned(), "42".to_owned()];
        assert_eq!(references(&pending(&fixture, DEBTOR)), [Vec::new(), both.clone()]);
        fixture.bank.run(next_run(noon())).unwrap();
        let lines = booked(&fixture, DEBTOR);
        assert_eq!(references(&lines), [Vec::new(), both.clone()]);
        assert_eq!(lines[1].structured[1].reference_type.as_deref(), Some("CINV"));
        assert!(lines[0].creditor == Party::default(), "a fee has no counterpart");
        assert_eq!(references(&booked(&fixture, CREDITOR)), [both]);
    }

    #[test]
    fn the_entries_of_a_bulk_keep_their_own_references_and_agents() {
        let fixture = Fixture::new();
        let mut order = bulk(1, &[(CREDITOR, "1.00"), (CREDITOR, "2.00")]);
        let crate::payment::order::Order::Bulk(entries) = &mut order.order else { panic!("a bulk") };
        let referenced = with_references(instant(2, "2.00"));
        entries.entries[1].remittance = referenced.order.transfers()[0].remittance.clone();
        entries.entries[1].creditor_agent = Bic::parse("DNBANOKK").ok();
        fixture.submit(&order, noon());
        fixture.bank.run(next_run(noon())).unwrap();
        let shown: Vec<_> = booked(&fixture, DEBTOR)
            .into_iter()
            .map(|line| (line.amount.to_string(), line.structured.len(), line.creditor.agent.is_some()))
            .collect();
        assert_eq!(shown, [("-2.00".to_owned(), 2, true), ("-1.00".to_owned(), 0, false)]);
    }

    #[test]
    fn an_exchange_is_shown_with_its_rate_and_day() {
        let fixture = Fixture::new();
        fixture.submit(&cross_border(order(1, "95360573045", CREDITOR, "1000.00")), noon());
        fixture.bank.run(next_run(noon())).unwrap();
        let exchange = booked(&fixture, "95360573045")[1].exchange.clone().unwrap();
        assert_eq!((exchange.source, exchange.target), (Currency::EUR, Currency::NOK));
        assert_eq!((exchange.unit, exchange.rate.to_string().as_str()), (Currency::EUR, "11.725"));
        assert_eq!(exchange.quotation_date.to_string(), "2026-11-20");
        assert!(booked(&fixture, CREDITOR)[0].exchange.is_none());
    }

    #[test]
    fn a_transaction_is_found_by_its_id_on_its_own_account_alone() {
        let fixture = Fixture::new();
        fixture.submit(&instant(1, "5.00"), noon());
        let listed = booked(&fixture, DEBTOR).remove(0);
        let id = listed.id.clone().unwrap();
        let found = |bban: &str, id| fixture.bank.account_data().transaction(&account_id(bban), id).unwrap();
        assert!(found(DEBTOR, &id) == Some(listed));
        assert!(found(CREDITOR, &id).is_none());
        assert!(found(DEBTOR, &TransactionId::parse("enc!!none").unwrap()).is_none());
    }

    #[test]
    fn an_account_that_is_gone_has_no_history_and_no_balance() {
        let fixture = Fixture::new();
        let gone = account_id("unknown");
        assert_eq!(fixture.bank.account_data().booked(&gone, &WHOLE).unwrap().total, 0);
        assert!(fixture.bank.account_data().pending(&gone).unwrap().is_empty());
        assert!(fixture.bank.account_data().balances(&gone).unwrap().is_empty());
    }

    #[test]
    fn a_page_is_chosen_by_day_and_place() {
        let fixture = Fixture::new();
        for n in 1..=6 {
            let day = chrono::TimeDelta::days(i64::from(n / 2));
            fixture.submit(&instant(n, &format!("{n}.00")), noon() + day);
        }
        let page = |from: &str, to: &str, offset, limit| {
            let (from, to) = (from.parse().ok(), to.parse().ok());
            let page = fixture
                .bank
                .account_data()
                .booked(&account_id(DEBTOR), &TransactionQuery { from, to, offset, limit });
            let page = page.unwrap();
            let amounts: Vec<_> =
                page.items.iter().map(|line| Money::negated(line.amount).to_string()).collect();
            (amounts.join(" "), page.total)
        };
        assert_eq!(page("", "", 0, 9), ("6.00 5.00 4.00 3.00 2.00 1.00".to_owned(), 6));
        assert_eq!(page("", "", 1, 2), ("5.00 4.00".to_owned(), 6));
        assert_eq!(page("2026-11-21", "2026-11-22", 0, 9), ("5.00 4.00 3.00 2.00".to_owned(), 4));
        assert_eq!(page("2026-11-21", "2026-11-22", 3, 9), ("2.00".to_owned(), 4));
        assert_eq!(page("2026-11-22", "", 0, 2), ("6.00 5.00".to_owned(), 3));
        assert_eq!(page("", "2026-11-20", 0, 9), ("1.00".to_owned(), 1));
        assert_eq!(page("2026-11-24", "", 0, 9), (String::new(), 0));
        assert_eq!(page("", "", 6, 9), (String::new(), 6));
        assert_eq!(page("", "", 0, 0), (String::new(), 6));
    }
}
