//! Transactions on mock accounts (contract: Sandbox account transaction).

use super::account::named;
use super::account_number::{self, AccountNumbers, NumbersIfKnown};
use super::account_transaction_view::TransactionView;
use super::handler_context::{created, found, gone, quiet, HandlerContext};
use super::listing;
use super::members::{BankTransactionCode, Int};
use super::moment::{check_dates, Moment};
use super::outcome::Outcome;
use crate::bank::BankAnswer;
use crate::reason::Reason;
use crate::store::sqlite::sandbox::{Account, AccountKey, Counterpart, Transaction};
use crate::types::{Currency, Money, Name, Reference, Remittance, Text, TransactionId};
use crate::wire::described::described;
use crate::wire::json::Json;
use crate::wire::or_empty::OrEmpty;
use crate::wire::reader::Reader;

described! {
    /// A transaction. Every member is required; an empty text counts as none, as it does in an answer. One of debtor
    /// and creditor is this account: the debtor, and with policy `accept_foreign_debtor` either.
    TransactionBody "account-transaction" {
        /// The sum, in whole units.
        amount: Int<1> = required "amount";
        /// Its currency, which is the account's.
        currency: Currency = required "currency";
        /// From when on it bears interest: before now.
        value_date: Moment = required "valueDate";
        /// When it was booked: before now, and not after `valueDate`.
        booking_date: Moment = required "bookingDate";
        /// The free message.
        remittance: OrEmpty<Remittance> = required "remittanceInformationUnstructured";
        /// The creditor's own identification, which is not shown again.
        creditor_id: OrEmpty<Reference> = required "creditorId";
        /// Who is paid.
        creditor_name: OrEmpty<Name> = required "creditorName";
        /// Where to.
        creditor_account: NumbersIfKnown = required "creditorAccount";
        /// For whom the creditor gets the money.
        ultimate_creditor: OrEmpty<Name> = required "ultimateCreditor";
        /// Who pays.
        debtor_name: OrEmpty<Name> = required "debtorName";
        /// Where from.
        debtor_account: NumbersIfKnown = required "debtorAccount";
        /// For whom the debtor pays.
        ultimate_debtor: OrEmpty<Name> = required "ultimateDebtor";
        /// Why, as a code.
        purpose_code: OrEmpty<Text<4>> = required "purposeCode";
        /// What it is in ISO 20022, such as `PMNT-ICDT-DMCT`.
        bank_transaction_code: BankTransactionCode = required "bankTransactionCode";
    }
}

/// Books transactions, all or none of them.
pub(super) fn create(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    // The account is read first, because the rules of the body need it.
    let account = context.read(|books| named(context, books))?;
    let items: Vec<TransactionBody> =
        context.checked_body(|tree, reader| check(context, &account, tree, reader))?;
    context.write(|books| {
        let account = named(context, books)?;
        let (mut lines, mut own_names) = (Vec::new(), Vec::new());
        for item in items {
            let is_paid_from = item.debtor_account.name(&account.bban, &account.iban);
            let own_name = if is_paid_from { &item.debtor_name } else { &item.creditor_name };
            own_names.push(own_name.0.as_ref().map(Name::as_str).unwrap_or_default().to_owned());
            lines.push(line(context, &account, item, is_paid_from)?);
        }
        books.book_all(&AccountKey::from(&account.id), &lines)?;
        let mut views = Vec::new();
        for (line, own_name) in lines.into_iter().zip(own_names) {
            books.insert_own_name(&line.id, &own_name)?;
            views.push(TransactionView::new(&account, own_name, line));
        }
        created(&views, None)
    })
}

/// The rules that need more than the type of a member: the dates, the currency, and whose money it is. Each is checked
/// if the members it needs can be read, independent of other errors.
fn check(context: &HandlerContext<'_>, account: &Account, tree: &Json<'_>, reader: &mut Reader) {
    let Json::Array(items) = tree else { return };
    for (index, item) in items.iter().enumerate() {
        reader.within(&index.to_string(), |reader| {
            check_dates(item, context.now, reader);
            if quiet::<Currency>(item, "currency", reader).is_some_and(|found| found != account.currency) {
                reader.error_at("/currency", Reason::DebtorAccountCurrency);
            }
            let is_other = |numbers: &NumbersIfKnown| !numbers.name(&account.bban, &account.iban);
            let debtor = quiet::<NumbersIfKnown>(item, "debtorAccount", reader);
            let Some(debtor) = debtor.filter(is_other) else { return };
            if !context.call.policy.accept_foreign_debtor {
                let fault = debtor.0.map_or_else(account_number::none, |_| Reason::DebtorForeign.into());
                reader.error_at("/debtorAccount", fault);
            } else if quiet(item, "creditorAccount", reader).is_some_and(|creditor| is_other(&creditor)) {
                reader.error_at("/creditorAccount", Reason::CreditorForeign);
            }
        });
    }
}

/// The line that a transaction comes to.
fn line(
    context: &HandlerContext<'_>,
    account: &Account,
    item: TransactionBody,
    is_paid_from: bool,
) -> Outcome<Transaction> {
    let (name, numbers) = match is_paid_from {
        true => (item.creditor_name, item.creditor_account),
        false => (item.debtor_name, item.debtor_account),
    };
    let (bban, iban) = numbers.0.map(AccountNumbers::completed).map_or((None, None), |it| (it.bban, it.iban));
    let sum = Money::from_whole_units(item.amount.0, item.currency);
    Ok(Transaction {
        id: TransactionId::from_bytes(context.fresh()?),
        account: AccountKey::from(&account.id),
        payment_id: None,
        entry: 0,
        booking_date: item.booking_date.day(),
        value_date: item.value_date.day(),
        amount: if is_paid_from { sum.negated() } else { sum },
        counterpart: Counterpart { name: name.filled().map(Name::into_string), bban, iban },
        creditor_id: item.creditor_id.filled().map(Reference::into_string),
        ultimate_creditor: item.ultimate_creditor.filled().map(Name::into_string),
        ultimate_debtor: item.ultimate_debtor.filled().map(Name::into_string),
        remittance: item.remittance.filled().map(Remittance::into_string),
        purpose_code: item.purpose_code.filled().map(Text::into_string),
        bank_transaction_code: item.bank_transaction_code.0.into_string(),
        proprietary_code: None,
        exchange: None,
        created_at: context.now,
        reference: None,
    })
}

/// The transactions of an account, those of payments too, the newest first.
pub(super) fn list(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.read(|books| {
        let account = named(context, books)?;
        let query = listing::read(context.call.target)?;
        let lines = books.lines(&AccountKey::from(&account.id), &query)?.items;
        let views = lines.into_iter().map(|line| TransactionView::of(books, &account, line));
        found(&views.collect::<Outcome<Vec<_>>>()?)
    })
}

/// One transaction.
pub(super) fn show(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.read(|books| {
        let account = named(context, books)?;
        let id = context.id(1, TransactionId::parse, Reason::MockTransactionUnknown)?;
        let line = books.line(&AccountKey::from(&account.id), &id)?;
        found(&TransactionView::of(books, &account, line.ok_or(Reason::MockTransactionUnknown)?)?)
    })
}

/// Takes every transaction of an account back; its balance is as if they had never been booked.
pub(super) fn delete(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.write(|books| {
        let account = named(context, books)?;
        let count = books.unbook_all(&AccountKey::from(&account.id))?;
        gone(count > 0, Reason::MockTransactionUnknown)
    })
}
