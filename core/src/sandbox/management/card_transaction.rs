//! Transactions on mock card accounts (contract: Sandbox card transactions).

use super::card_account::named;
use super::card_transaction_body::{CardTransactionBody, ExchangeBody};
use super::card_transaction_view::{CardTransactionView, CardTransactionsView};
use super::handler_context::{created, found, quiet, HandlerContext};
use super::listing;
use super::moment::{check_dates, Moment};
use super::outcome::Outcome;
use crate::bank::BankAnswer;
use crate::reason::Reason;
use crate::store::sqlite::sandbox::{
    AccountKey, CardAccount, CardDetails, Counterpart, Exchange, Transaction,
};
use crate::types::{Currency, Money, Reference, Remittance, Text, TransactionId};
use crate::wire::json::Json;
use crate::wire::or_empty::filled;
use crate::wire::reader::Reader;

/// A use of a credit card in ISO 20022: payments, customer card transactions, credit card payment.
const BANK_TRANSACTION_CODE: &str = "PMNT-CCRD-POSC";

/// Books uses of a card, all or none of them.
pub(super) fn create(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    // The card account is read first, because the rules of the body need it.
    let currency = context.read(|books| Ok(named(context, books)?.currency))?;
    let items: Vec<CardTransactionBody> = context.checked_body(|tree, reader| {
        check(context, currency, tree, reader);
    })?;
    context.write(|books| {
        let card = named(context, books)?;
        let mut views = Vec::new();
        for item in items {
            let (line, details) = line(context, &card, item)?;
            books.book_card(&line, &details)?;
            views.push(CardTransactionView::of(&line, details));
        }
        created(&CardTransactionsView::of(card, views), None)
    })
}

/// The rules that need more than the type of a member: the dates, and the account's currency. Each is checked if the
/// members it needs can be read, independent of other errors.
fn check(context: &HandlerContext<'_>, currency: Currency, tree: &Json<'_>, reader: &mut Reader) {
    let Json::Array(items) = tree else { return };
    for (index, item) in items.iter().enumerate() {
        reader.within(&index.to_string(), |reader| {
            check_dates(item, context.now, reader);
            let amount = item.member("transactionAmount");
            let sent = amount.and_then(|amount| quiet::<Currency>(amount, "currency", reader));
            if sent.is_some_and(|sent| sent != currency) {
                reader.error_at("/transactionAmount/currency", Reason::DebtorAccountCurrency);
            }
        });
    }
}

/// The line that a use of a card comes to: what is spent leaves the account.
fn line(
    context: &HandlerContext<'_>,
    card: &CardAccount,
    item: CardTransactionBody,
) -> Outcome<(Transaction, CardDetails)> {
    let id = TransactionId::from_bytes(context.fresh()?);
    let value_date = filled(item.value_date).map(Moment::day);
    let text = |text: Option<Reference>| text.map(Text::into_string);
    let contract = item.currency_exchange.as_ref().and_then(|exchange| {
        exchange.contract_identification.as_ref().map(|contract| contract.as_str().to_owned())
    });
    let details = CardDetails {
        card_transaction_id: text(filled(item.card_transaction_id)).unwrap_or_else(|| id.to_string()),
        terminal_id: text(filled(item.terminal_id)),
        transaction_date: filled(item.transaction_date).map(Moment::day),
        value_date,
        original_amount: Money::from(&item.original_amount),
        contract_identification: contract,
        markup_fee: Money::from(&item.markup_fee),
        markup_fee_percentage: text(filled(item.markup_fee_percentage)),
        card_acceptor_id: text(filled(item.card_acceptor_id)),
        card_acceptor_address: item.card_acceptor_address.into(),
        merchant_category_code: filled(item.merchant_category_code).map(Text::into_string),
        masked_pan: text(filled(item.masked_pan)),
        invoiced: item.invoiced.and_then(|invoiced| invoiced.0),
    };
    let line = Transaction {
        id,
        account: AccountKey::from(&card.id),
        payment_id: None,
        entry: 0,
        booking_date: item.booking_date.day(),
        value_date: value_date.unwrap_or_else(|| item.booking_date.day()),
        amount: Money::from(&item.transaction_amount).negated(),
        counterpart: Counterpart::default(),
        creditor_id: None,
        ultimate_creditor: None,
        ultimate_debtor: None,
        remittance: filled(item.transaction_details).map(Remittance::into_string),
        purpose_code: None,
        bank_transaction_code: BANK_TRANSACTION_CODE.to_owned(),
        proprietary_code: text(filled(item.proprietary_code)),
        exchange: item.currency_exchange.as_ref().map(exchange),
        created_at: context.now,
        reference: None,
    };
    Ok((line, details))
}

fn exchange(sent: &ExchangeBody) -> Exchange {
    Exchange {
        source: sent.source,
        target: sent.target,
        unit: sent.unit,
        rate: sent.rate.0,
        quotation_date: sent.quotation_date.day(),
    }
}

/// The uses of a card that were made by hand, the newest first. None of them is pending.
pub(super) fn list(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.read(|books| {
        let card = named(context, books)?;
        let (wants_booked, query) = listing::read_of_card(context.call.target)?;
        let account = AccountKey::from(&card.id);
        let uses = if wants_booked { books.card_uses(&account, &query)? } else { Vec::new() };
        let mut views = Vec::with_capacity(uses.len());
        for line in uses {
            let details = books.card_details(&line.id)?.ok_or(Reason::Internal)?;
            views.push(CardTransactionView::of(&line, details));
        }
        found(&CardTransactionsView::of(card, views))
    })
}
