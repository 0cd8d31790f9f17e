//! What a TPP is shown of card accounts (contract: Account information; Sandbox card transactions).

use serde::Serialize;

use super::listing::{Listing, PageLinks};
use super::query::ListQuery;
use super::record::{Balance, CardAcceptorAddress, CardAccount, CardTransaction};
use super::view::{BalanceView, ExchangeView, OwnLink, ResourceLinks};
use crate::payment::view::AmountView;
use crate::types::CardAccountId;

/// `{"cardAccounts":[…]}`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CardAccountsView<'a> {
    card_accounts: Vec<CardAccountView<'a>>,
}

impl<'a> CardAccountsView<'a> {
    /// These card accounts in their order, each with its balances.
    pub(crate) fn new(card_accounts: impl IntoIterator<Item = (&'a CardAccount, &'a [Balance])>) -> Self {
        let view = |(account, balances)| CardAccountView::new(account, balances);
        Self { card_accounts: card_accounts.into_iter().map(view).collect() }
    }
}

/// `{"cardAccount":{…}}`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OneCardAccountView<'a> {
    card_account: CardAccountView<'a>,
}

impl<'a> OneCardAccountView<'a> {
    /// One card account with its balances.
    pub(crate) fn new(account: &'a CardAccount, balances: &'a [Balance]) -> Self {
        Self { card_account: CardAccountView::new(account, balances) }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CardAccountView<'a> {
    resource_id: &'a str,
    masked_pan: &'a str,
    currency: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    product: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    credit_limit: Option<AmountView>,
    balances: Vec<BalanceView>,
    #[serde(rename = "_links")]
    links: ResourceLinks,
}

impl<'a> CardAccountView<'a> {
    fn new(account: &'a CardAccount, balances: &[Balance]) -> Self {
        Self {
            resource_id: account.id.as_str(),
            masked_pan: &account.masked_pan,
            currency: account.currency.code(),
            name: account.name.as_deref(),
            product: account.product.as_deref(),
            credit_limit: account.credit_limit.map(AmountView::from),
            balances: BalanceView::all(balances),
            links: ResourceLinks::below(&address(&account.id)),
        }
    }
}

fn address(id: &CardAccountId) -> String {
    format!("/v1/card-accounts/{id}")
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CardNumber<'a> {
    masked_pan: &'a str,
}

/// `{"cardAccount":{…},"balances":[…],"_links":{…}}`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CardBalancesView<'a> {
    card_account: CardNumber<'a>,
    balances: Vec<BalanceView>,
    #[serde(rename = "_links")]
    links: OwnLink,
}

impl<'a> CardBalancesView<'a> {
    /// The balances of a card account.
    pub(crate) fn new(account: &'a CardAccount, balances: &[Balance]) -> Self {
        Self {
            card_account: CardNumber { masked_pan: &account.masked_pan },
            balances: BalanceView::all(balances),
            links: OwnLink::to(format!("{}/balances", address(&account.id))),
        }
    }
}

/// `{"cardAccount":{…},"cardTransactions":{"booked":[…],"pending":[…],"_links":{…}}}`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CardTransactionsView<'t> {
    card_account: CardNumber<'t>,
    card_transactions: PageView<'t>,
}

impl<'t> CardTransactionsView<'t> {
    /// A page of the card account's list.
    pub(crate) fn new(
        account: &'t CardAccount,
        query: &ListQuery,
        listing: &'t Listing<CardTransaction>,
    ) -> Self {
        let views = |all: &'t Vec<CardTransaction>| all.iter().map(CardTransactionView::from).collect();
        Self {
            card_account: CardNumber { masked_pan: &account.masked_pan },
            card_transactions: PageView {
                booked: listing.booked.as_ref().map(views),
                pending: listing.pending.as_ref().map(views),
                links: PageLinks::of_card_account(address(&account.id), query, listing.total),
            },
        }
    }
}

#[derive(Debug, Serialize)]
struct PageView<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    booked: Option<Vec<CardTransactionView<'t>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<Vec<CardTransactionView<'t>>>,
    #[serde(rename = "_links")]
    links: PageLinks,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CardTransactionView<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    card_transaction_id: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terminal_id: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    booking_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_date: Option<String>,
    transaction_amount: AmountView,
    #[serde(skip_serializing_if = "Option::is_none")]
    original_amount: Option<AmountView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency_exchange: Option<ExchangeView<'t>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    markup_fee: Option<AmountView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    markup_fee_percentage: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    card_acceptor_id: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    card_acceptor_address: Option<AddressView<'t>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    merchant_category_code: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    masked_pan: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_details: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invoiced: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proprietary_bank_transaction_code: Option<&'t str>,
}

impl<'t> From<&'t CardTransaction> for CardTransactionView<'t> {
    fn from(transaction: &'t CardTransaction) -> Self {
        Self {
            card_transaction_id: transaction.id.as_deref(),
            terminal_id: transaction.terminal_id.as_deref(),
            booking_date: transaction.booking_date.map(|day| day.to_string()),
            transaction_date: transaction.transaction_date.map(|day| day.to_string()),
            value_date: transaction.value_date.map(|day| day.to_string()),
            transaction_amount: transaction.amount.into(),
            original_amount: transaction.original_amount.map(AmountView::from),
            currency_exchange: transaction.exchange.as_ref().map(ExchangeView::from),
            markup_fee: transaction.markup_fee.map(AmountView::from),
            markup_fee_percentage: transaction.markup_fee_percentage.as_deref(),
            card_acceptor_id: transaction.card_acceptor_id.as_deref(),
            card_acceptor_address: transaction.card_acceptor_address.as_ref().map(AddressView::from),
            merchant_category_code: transaction.merchant_category_code.as_deref(),
            masked_pan: transaction.masked_pan.as_deref(),
            transaction_details: transaction.details.as_deref(),
            invoiced: transaction.invoiced,
            proprietary_bank_transaction_code: transaction.proprietary_code.as_deref(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AddressView<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    street: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    building_number: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postal_code: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    country: Option<&'t str>,
}

impl<'t> From<&'t CardAcceptorAddress> for AddressView<'t> {
    fn from(address: &'t CardAcceptorAddress) -> Self {
        Self {
            street: address.street.as_deref(),
            building_number: address.building_number.as_deref(),
            postal_code: address.postal_code.as_deref(),
            city: address.city.as_deref(),
            country: address.country.as_deref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::query::BookingStatus;
    use crate::account::record::{BalanceType, CurrencyExchange, TransactionQuery};
    use crate::account::view::tests::{money, shown};
    use crate::types::{date, Currency, Money};

    fn card() -> CardAccount {
        CardAccount {
            id: CardAccountId::parse("enc!!card=").unwrap(),
            masked_pan: "123456******1234".to_owned(),
            currency: Currency::NOK,
            name: Some("Kredittkort".to_owned()),
            product: Some("KREDITTKORT".to_owned()),
            credit_limit: Some(money("50000.00")),
        }
    }

    fn balances() -> [Balance; 1] {
        [Balance { kind: BalanceType::ForwardAvailable, amount: money("49000.10") }]
    }

    const BALANCES: &str = concat!(
        r#""balances":[{"balanceAmount":{"amount":"49000.10","currency":"NOK"},"#,
        r#""balanceType":"forwardAvailable"}]"#
    );
    const CARD: &str = concat!(
        r#"{"resourceId":"enc!!card=","maskedPan":"123456******1234","currency":"NOK","name":"Kredittkort","#,
        r#""product":"KREDITTKORT","creditLimit":{"amount":"50000.00","currency":"NOK"},"#,
        r#""balances":[{"balanceAmount":{"amount":"49000.10","currency":"NOK"},"#,
        r#""balanceType":"forwardAvailable"}],"#,
        r#""_links":{"self":{"href":"/v1/card-accounts/enc!!card=","verbs":["GET"]},"#,
        r#""balances":{"href":"/v1/card-accounts/enc!!card=/balances","verbs":["GET"]},"#,
        r#""transactions":{"href":"/v1/card-accounts/enc!!card=/transactions?bookingStatus=both","#,
        r#""verbs":["GET"]}}}"#
    );

    #[test]
    fn card_accounts_are_shown_with_their_balances() {
        let (card, balances) = (card(), balances());
        let list = CardAccountsView::new([(&card, &balances[..])]);
        assert_eq!(shown(&list), format!(r#"{{"cardAccounts":[{CARD}]}}"#));
        assert_eq!(shown(&OneCardAccountView::new(&card, &balances)), format!(r#"{{"cardAccount":{CARD}}}"#));
        assert_eq!(shown(&CardAccountsView::new([])), r#"{"cardAccounts":[]}"#);
    }

    #[test]
    fn balances_name_the_card() {
        let own = r#"{"self":{"href":"/v1/card-accounts/enc!!card=/balances","verbs":["GET"]}}"#;
        let number = r#"{"maskedPan":"123456******1234"}"#;
        let expected = format!(r#"{{"cardAccount":{number},{BALANCES},"_links":{own}}}"#);
        assert_eq!(shown(&CardBalancesView::new(&card(), &balances())), expected);
    }

    /// A reservation of which the bank knows little.
    fn reserved() -> CardTransaction {
        CardTransaction {
            id: None,
            terminal_id: None,
            booking_date: None,
            transaction_date: date::parse("2020-01-01"),
            value_date: None,
            amount: money("12.50"),
            original_amount: None,
            exchange: None,
            markup_fee: None,
            markup_fee_percentage: None,
            card_acceptor_id: None,
            card_acceptor_address: None,
            merchant_category_code: None,
            masked_pan: None,
            details: None,
            invoiced: None,
            proprietary_code: None,
        }
    }

    const RESERVED: &str =
        r#"{"transactionDate":"2020-01-01","transactionAmount":{"amount":"12.50","currency":"NOK"}}"#;

    /// A purchase abroad with everything that a card transaction can say.
    fn bought() -> CardTransaction {
        let text = |text: &str| Some(text.to_owned());
        CardTransaction {
            id: text("201900007"),
            terminal_id: text("74310"),
            booking_date: date::parse("2019-05-08"),
            value_date: date::parse("2019-05-09"),
            original_amount: Money::parse("10.00", Currency::EUR).ok(),
            exchange: Some(CurrencyExchange {
                source: Currency::EUR,
                target: Currency::NOK,
                unit: Currency::EUR,
                rate: "9.8".parse().unwrap(),
                quotation_date: date::parse("2019-05-07").unwrap(),
                contract: None,
            }),
            markup_fee: Some(money("2.00")),
            markup_fee_percentage: text("2"),
            card_acceptor_id: text("4711"),
            card_acceptor_address: Some(CardAcceptorAddress {
                street: text("Unter den Linden"),
                building_number: text("1"),
                postal_code: text("10117"),
                city: text("Berlin"),
                country: text("DE"),
            }),
            merchant_category_code: text("5812"),
            masked_pan: text("123456******1234"),
            details: text("RESTAURANT"),
            invoiced: Some(false),
            proprietary_code: text("PURCHASE"),
            ..reserved()
        }
    }

    const BOUGHT: &str = concat!(
        r#"{"cardTransactionId":"201900007","terminalId":"74310","bookingDate":"2019-05-08","#,
        r#""transactionDate":"2020-01-01","valueDate":"2019-05-09","#,
        r#""transactionAmount":{"amount":"12.50","currency":"NOK"},"#,
        r#""originalAmount":{"amount":"10.00","currency":"EUR"},"#,
        r#""currencyExchange":{"sourceCurrency":"EUR","exchangeRate":"9.8","unitCurrency":"EUR","#,
        r#""targetCurrency":"NOK","quotationDate":"2019-05-07"},"#,
        r#""markupFee":{"amount":"2.00","currency":"NOK"},"markupFeePercentage":"2","#,
        r#""cardAcceptorId":"4711","cardAcceptorAddress":{"street":"Unter den Linden","buildingNumber":"1","#,
        r#""postalCode":"10117","city":"Berlin","country":"DE"},"merchantCategoryCode":"5812","#,
        r#""maskedPan":"123456******1234","transactionDetails":"RESTAURANT","invoiced":false,"#,
        r#""proprietaryBankTransactionCode":"PURCHASE"}"#
    );

    #[test]
    fn a_page_of_card_transactions_leads_to_the_others() {
        let (card, status) = (card(), BookingStatus::Both);
        let part = TransactionQuery { from: None, to: None, offset: 0, limit: 1 };
        let listing = Listing { booked: Some(vec![bought()]), pending: Some(vec![reserved()]), total: 2 };
        let link = |name: &str, offset: u64| {
            let query = format!("bookingStatus=both&offset={offset}&limit=1");
            let href = format!("/v1/card-accounts/enc!!card=/transactions?{query}");
            format!(r#""{name}":{{"href":"{href}","verbs":["GET"]}}"#)
        };
        let account = r#""cardAccount":{"href":"/v1/card-accounts/enc!!card=","verbs":["GET"]}"#;
        let links = [link("self", 0), link("first", 0), link("next", 1), link("last", 1)].join(",");
        let transactions =
            format!(r#"{{"booked":[{BOUGHT}],"pending":[{RESERVED}],"_links":{{{account},{links}}}}}"#);
        let number = r#"{"maskedPan":"123456******1234"}"#;
        let expected = format!(r#"{{"cardAccount":{number},"cardTransactions":{transactions}}}"#);
        assert_eq!(shown(&CardTransactionsView::new(&card, &ListQuery { status, part }, &listing)), expected);
    }
}
