//! What a TPP sees of transactions on ordinary accounts (contract: Transaction details).
//!
//! Members that the contract calls not offered (creditorId, ultimateCreditor, ultimateDebtor) are never present, and
//! structured references are only in the array, the preferred form.

use serde::Serialize;

use super::listing::{Listing, PageLinks};
use super::query::ListQuery;
use super::record::{Account, Party, Transaction, TransactionReference};
use super::view::{address, AccountNumbers, ExchangeView};
use crate::limits::NAME_CHARS_MAX;
use crate::payment::view::AmountView;
use crate::types::{Bic, Context};
use crate::wire::link::Link;

/// `{"account":{…},"transactions":{"booked":[…],"pending":[…],"_links":{…}}}`
#[derive(Debug, Serialize)]
pub(crate) struct TransactionsView<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<AccountNumbers<'t>>,
    transactions: PageView<'t>,
}

impl<'t> TransactionsView<'t> {
    /// A page of the account's list. Its transactions have links to their details in the corporate context.
    pub(crate) fn new(
        account: &'t Account,
        context: Context,
        query: &ListQuery,
        listing: &'t Listing<Transaction>,
    ) -> Self {
        let own = address(&account.id);
        let views = |all: &'t Vec<Transaction>| {
            all.iter().map(|transaction| TransactionView::new(&own, context, transaction)).collect()
        };
        Self {
            account: AccountNumbers::of(account.bban.as_ref(), account.iban.as_ref()),
            transactions: PageView {
                booked: listing.booked.as_ref().map(views),
                pending: listing.pending.as_ref().map(views),
                links: PageLinks::of_account(own.clone(), query, listing.total),
            },
        }
    }
}

#[derive(Debug, Serialize)]
struct PageView<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    booked: Option<Vec<TransactionView<'t>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<Vec<TransactionView<'t>>>,
    #[serde(rename = "_links")]
    links: PageLinks,
}

/// `{"transactionsDetails":{…}}`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DetailsView<'t> {
    transactions_details: TransactionView<'t>,
}

impl<'t> DetailsView<'t> {
    /// The details of one of the account's transactions.
    pub(crate) fn new(account: &Account, context: Context, transaction: &'t Transaction) -> Self {
        Self { transactions_details: TransactionView::new(&address(&account.id), context, transaction) }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TransactionView<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    bank_transaction_code: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_id: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_to_end_id: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    booking_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_date: Option<String>,
    transaction_amount: AmountView,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency_exchange: Option<ExchangeView<'t>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_name: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_account: Option<AccountNumbers<'t>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_agent: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    debtor_name: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    debtor_account: Option<AccountNumbers<'t>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    debtor_agent: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remittance_information_unstructured: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    purpose_code: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proprietary_bank_transaction_code: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remittance_information_unstructured_array: Option<[&'t str; 1]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remittance_information_structured_array: Vec<ReferenceView<'t>>,
    #[serde(rename = "_links", skip_serializing_if = "Option::is_none")]
    links: Option<TransactionLinks>,
}

impl<'t> TransactionView<'t> {
    fn new(account: &str, context: Context, transaction: &'t Transaction) -> Self {
        let Transaction { creditor, debtor, .. } = transaction;
        let unstructured = transaction.unstructured.as_deref();
        Self {
            bank_transaction_code: transaction.bank_transaction_code.as_deref(),
            transaction_id: transaction.id.as_ref().map(|id| id.as_str()),
            end_to_end_id: transaction.end_to_end_id.as_deref(),
            booking_date: transaction.booking_date.map(|day| day.to_string()),
            value_date: transaction.value_date.map(|day| day.to_string()),
            transaction_amount: transaction.amount.into(),
            currency_exchange: transaction.exchange.as_ref().map(ExchangeView::from),
            creditor_name: shown_name(creditor),
            creditor_account: numbers(creditor),
            creditor_agent: creditor.agent.as_ref().map(Bic::as_str),
            debtor_name: shown_name(debtor),
            debtor_account: numbers(debtor),
            debtor_agent: debtor.agent.as_ref().map(Bic::as_str),
            remittance_information_unstructured: unstructured,
            purpose_code: transaction.purpose_code.as_deref(),
            proprietary_bank_transaction_code: transaction.proprietary_code.as_deref(),
            remittance_information_unstructured_array: unstructured.map(|text| [text]),
            remittance_information_structured_array: transaction
                .structured
                .iter()
                .map(ReferenceView::from)
                .collect(),
            links: TransactionLinks::of(account, context, transaction),
        }
    }
}

/// A name, cut to the length that the contract allows: a bank may have the 140 characters of ISO 20022, and one long
/// name must not make the whole list fail.
fn shown_name(party: &Party) -> Option<&str> {
    let name = party.name.as_deref()?;
    let end = name.char_indices().nth(NAME_CHARS_MAX).map_or(name.len(), |(end, _)| end);
    name.get(..end)
}

fn numbers(party: &Party) -> Option<AccountNumbers<'_>> {
    AccountNumbers::of(party.bban.as_ref(), party.iban.as_ref())
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TransactionLinks {
    transaction_details: Link,
}

impl TransactionLinks {
    /// The contract offers this link in the corporate context alone. What is pending has no details.
    fn of(account: &str, context: Context, transaction: &Transaction) -> Option<Self> {
        let id = transaction.id.as_ref().filter(|_| context == Context::Corporate)?;
        Some(Self { transaction_details: Link::get(format!("{account}/transactions/{id}")) })
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReferenceView<'t> {
    reference: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_type: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_issuer: Option<&'t str>,
}

impl<'t> From<&'t TransactionReference> for ReferenceView<'t> {
    fn from(reference: &'t TransactionReference) -> Self {
        Self {
            reference: &reference.reference,
            reference_type: reference.reference_type.as_deref(),
            reference_issuer: reference.reference_issuer.as_deref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::query::BookingStatus;
    use crate::account::record::{CurrencyExchange, TransactionQuery};
    use crate::account::view::tests::{account, money, shown};
    use crate::types::{date, Bban, Currency, Iban, Money, TransactionId};

    /// A purchase as it is reserved: the holder pays.
    fn reserved() -> Transaction {
        let holder = account();
        Transaction {
            id: None,
            end_to_end_id: None,
            booking_date: date::parse("2021-08-01"),
            value_date: None,
            amount: money("-236.00"),
            exchange: None,
            creditor: Party::default(),
            debtor: Party { name: None, bban: holder.bban, iban: holder.iban, agent: None },
            unstructured: Some("SHOP \"TEXT\"".to_owned()),
            structured: Vec::new(),
            purpose_code: None,
            bank_transaction_code: None,
            proprietary_code: Some("R_943".to_owned()),
        }
    }

    const RESERVED: &str = concat!(
        r#"{"bookingDate":"2021-08-01","transactionAmount":{"amount":"-236.00","currency":"NOK"},"#,
        r#""debtorAccount":{"bban":"95360573002","iban":"NO0995360573002"},"#,
        r#""remittanceInformationUnstructured":"SHOP \"TEXT\"","proprietaryBankTransactionCode":"R_943","#,
        r#""remittanceInformationUnstructuredArray":["SHOP \"TEXT\""]}"#
    );

    /// Money from abroad with everything that a transaction can say.
    fn received() -> Transaction {
        let holder = account();
        let reference = |text: &str, kind: Option<&str>, issuer: Option<&str>| TransactionReference {
            reference: text.to_owned(),
            reference_type: kind.map(str::to_owned),
            reference_issuer: issuer.map(str::to_owned),
        };
        Transaction {
            id: TransactionId::parse("enc!!t1"),
            end_to_end_id: Some("E2E-1".to_owned()),
            booking_date: date::parse("2021-07-30"),
            value_date: date::parse("2021-07-31"),
            amount: Money::parse("1172", Currency::JPY).unwrap(),
            exchange: Some(CurrencyExchange {
                source: Currency::EUR,
                target: Currency::NOK,
                unit: Currency::EUR,
                rate: "11.725".parse().unwrap(),
                quotation_date: date::parse("2021-07-29").unwrap(),
                contract: Some("C-1".to_owned()),
            }),
            creditor: Party {
                name: Some("Testodius Test".to_owned()),
                bban: holder.bban,
                iban: holder.iban,
                agent: holder.bic,
            },
            debtor: Party {
                name: Some("Muster GmbH".to_owned()),
                bban: None,
                iban: Iban::parse("DE89370400440532013000").ok(),
                agent: Bic::parse("DEUTDEFF").ok(),
            },
            unstructured: None,
            structured: vec![
                reference("1234567897", Some("SCOR"), None),
                reference("33523568", Some("CINV"), Some("BITS-EFAKTURA")),
            ],
            purpose_code: Some("SALA".to_owned()),
            bank_transaction_code: Some("PMNT-RRCT-XBCT".to_owned()),
            proprietary_code: None,
        }
    }

    const RECEIVED: &str = concat!(
        r#""bankTransactionCode":"PMNT-RRCT-XBCT","transactionId":"enc!!t1","endToEndId":"E2E-1","#,
        r#""bookingDate":"2021-07-30","valueDate":"2021-07-31","#,
        r#""transactionAmount":{"amount":"1172","currency":"JPY"},"#,
        r#""currencyExchange":{"sourceCurrency":"EUR","exchangeRate":"11.725","unitCurrency":"EUR","#,
        r#""targetCurrency":"NOK","quotationDate":"2021-07-29","contractIdentification":"C-1"},"#,
        r#""creditorName":"Testodius Test","#,
        r#""creditorAccount":{"bban":"95360573002","iban":"NO0995360573002"},"creditorAgent":"DNBANOKK","#,
        r#""debtorName":"Muster GmbH","debtorAccount":{"iban":"DE89370400440532013000"},"#,
        r#""debtorAgent":"DEUTDEFF","purposeCode":"SALA","#,
        r#""remittanceInformationStructuredArray":[{"reference":"1234567897","referenceType":"SCOR"},"#,
        r#"{"reference":"33523568","referenceType":"CINV","referenceIssuer":"BITS-EFAKTURA"}]"#
    );
    const DETAILS_LINK: &str = concat!(
        r#","_links":{"transactionDetails":"#,
        r#"{"href":"/v1/accounts/enc!!a_b-c=/transactions/enc!!t1","verbs":["GET"]}}"#
    );

    fn query(status: BookingStatus, offset: u64, limit: u32) -> ListQuery {
        let (from, to) = (date::parse("2021-07-01"), date::parse("2021-08-01"));
        ListQuery { status, part: TransactionQuery { from, to, offset, limit } }
    }

    fn link(name: &str, status: &str, offset: u64) -> String {
        let period = "dateFrom=2021-07-01&dateTo=2021-08-01";
        let target = format!("bookingStatus={status}&{period}&offset={offset}&limit=10");
        format!(r#","{name}":{{"href":"/v1/accounts/enc!!a_b-c=/transactions?{target}","verbs":["GET"]}}"#)
    }

    const ACCOUNT: &str = r#""account":{"bban":"95360573002","iban":"NO0995360573002"}"#;
    const ACCOUNT_LINK: &str = r#""account":{"href":"/v1/accounts/enc!!a_b-c=","verbs":["GET"]}"#;

    #[test]
    fn a_page_shows_what_was_asked_for_and_leads_to_the_others() {
        let account = account();
        let listing = Listing { booked: Some(vec![received()]), pending: Some(vec![reserved()]), total: 35 };
        let view =
            TransactionsView::new(&account, Context::Private, &query(BookingStatus::All, 10, 10), &listing);
        let links: String = [("self", 10), ("first", 0), ("next", 20), ("previous", 0), ("last", 30)]
            .into_iter()
            .map(|(name, offset)| link(name, "all", offset))
            .collect();
        let links = format!(r#""_links":{{{ACCOUNT_LINK}{links}}}"#);
        let transactions = format!(r#"{{"booked":[{{{RECEIVED}}}],"pending":[{RESERVED}],{links}}}"#);
        let expected = format!(r#"{{{ACCOUNT},"transactions":{transactions}}}"#);
        assert_eq!(shown(&view), expected);
    }

    #[test]
    fn seventy_characters_of_a_name_are_shown() {
        let named = |length: usize| Party { name: Some("ø".repeat(length)), ..received().creditor };
        let shown = |length| shown_name(&named(length)).map(|name| name.chars().count());
        assert_eq!([70, 71, 140].map(shown), [Some(70); 3]);
        assert_eq!((shown(1), shown_name(&reserved().debtor)), (Some(1), None));
    }

    #[test]
    fn what_was_not_asked_for_is_not_there() {
        let account = account();
        let shown = |status, listing: &Listing<Transaction>| {
            shown(&TransactionsView::new(&account, Context::Private, &query(status, 0, 10), listing))
        };
        let own = |status| format!(r#""_links":{{{ACCOUNT_LINK}{}}}"#, link("self", status, 0));
        let listing = Listing { booked: Some(Vec::new()), pending: None, total: 0 };
        let expected = format!(r#"{{{ACCOUNT},"transactions":{{"booked":[],{}}}}}"#, own("booked"));
        assert_eq!(shown(BookingStatus::Booked, &listing), expected);
        let listing = Listing { booked: None, pending: Some(Vec::new()), total: 0 };
        let expected = format!(r#"{{{ACCOUNT},"transactions":{{"pending":[],{}}}}}"#, own("pending"));
        assert_eq!(shown(BookingStatus::Pending, &listing), expected);
    }

    #[test]
    fn details_are_wrapped_and_linked_in_the_corporate_context_alone() {
        let (account, transaction) = (account(), received());
        let details = |context| shown(&DetailsView::new(&account, context, &transaction));
        assert_eq!(details(Context::Private), format!(r#"{{"transactionsDetails":{{{RECEIVED}}}}}"#));
        assert_eq!(
            details(Context::Corporate),
            format!(r#"{{"transactionsDetails":{{{RECEIVED}{DETAILS_LINK}}}}}"#)
        );
    }

    #[test]
    fn a_list_links_what_is_booked_in_the_corporate_context() {
        let account = account();
        let listing = Listing { booked: Some(vec![received()]), pending: Some(vec![reserved()]), total: 1 };
        let query = query(BookingStatus::Both, 0, 10);
        let list = shown(&TransactionsView::new(&account, Context::Corporate, &query, &listing));
        assert!(list.contains(&format!(r#""booked":[{{{RECEIVED}{DETAILS_LINK}}}]"#)), "{list}");
        assert!(list.contains(&format!(r#""pending":[{RESERVED}]"#)), "{list}");
    }

    #[test]
    fn an_account_of_one_number_is_shown_by_it() {
        let account = Account { bban: None, ..account() };
        let listing = Listing { booked: Some(Vec::new()), pending: None, total: 0 };
        let query = query(BookingStatus::Booked, 0, 10);
        let list = shown(&TransactionsView::new(&account, Context::Private, &query, &listing));
        assert!(list.starts_with(r#"{"account":{"iban":"NO0995360573002"},"#), "{list}");
        let mut transaction = reserved();
        transaction.debtor = Party { bban: Bban::parse("95360573002").ok(), ..Party::default() };
        let details = shown(&DetailsView::new(&account, Context::Private, &transaction));
        assert!(details.contains(r#""debtorAccount":{"bban":"95360573002"}"#), "{details}");
    }
}
