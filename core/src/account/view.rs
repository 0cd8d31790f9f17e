//! What a TPP is shown of accounts and balances (contract: Account information).

use serde::Serialize;

use super::record::{Account, Balance, CurrencyExchange};
use crate::payment::view::AmountView;
use crate::types::{AccountId, Bban, Bic, Iban};
use crate::wire::link::Link;

/// `{"accounts":[…]}`
#[derive(Debug, Serialize)]
pub(crate) struct AccountsView<'a> {
    accounts: Vec<AccountView<'a>>,
}

impl<'a> AccountsView<'a> {
    /// These accounts in their order, each with its balances where they were asked for.
    pub(crate) fn new(accounts: impl IntoIterator<Item = (&'a Account, Option<&'a [Balance]>)>) -> Self {
        let view = |(account, balances)| AccountView::new(account, balances);
        Self { accounts: accounts.into_iter().map(view).collect() }
    }
}

/// `{"account":{…}}`
#[derive(Debug, Serialize)]
pub(crate) struct OneAccountView<'a> {
    account: AccountView<'a>,
}

impl<'a> OneAccountView<'a> {
    /// One account, with its balances where they were asked for.
    pub(crate) fn new(account: &'a Account, balances: Option<&'a [Balance]>) -> Self {
        Self { account: AccountView::new(account, balances) }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountView<'a> {
    resource_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bban: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iban: Option<&'a str>,
    currency: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    product: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cash_account_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bic: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    balances: Option<Vec<BalanceView>>,
    #[serde(rename = "_links")]
    links: ResourceLinks,
}

impl<'a> AccountView<'a> {
    fn new(account: &'a Account, balances: Option<&[Balance]>) -> Self {
        Self {
            resource_id: account.id.as_str(),
            bban: account.bban.as_ref().map(Bban::as_str),
            iban: account.iban.as_ref().map(Iban::as_str),
            currency: account.currency.code(),
            name: account.name.as_deref(),
            product: account.product.as_deref(),
            cash_account_type: account.cash_account_type.as_deref(),
            bic: account.bic.as_ref().map(Bic::as_str),
            balances: balances.map(BalanceView::all),
            links: ResourceLinks::below(&address(&account.id)),
        }
    }
}

/// The address of an account.
pub(super) fn address(id: &AccountId) -> String {
    format!("/v1/accounts/{id}")
}

/// Where an account or a card account, its balances and its transactions are read.
#[derive(Debug, Serialize)]
pub(super) struct ResourceLinks {
    #[serde(rename = "self")]
    own: Link,
    balances: Link,
    transactions: Link,
}

impl ResourceLinks {
    pub(super) fn below(address: &str) -> Self {
        Self {
            own: Link::get(address.to_owned()),
            balances: Link::get(format!("{address}/balances")),
            transactions: Link::get(format!("{address}/transactions?bookingStatus=both")),
        }
    }
}

/// The numbers of an account that an answer is about.
#[derive(Debug, Serialize)]
pub(super) struct AccountNumbers<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    bban: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iban: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency: Option<&'static str>,
}

impl<'a> AccountNumbers<'a> {
    /// Nothing but the numbers; `None` where there is neither.
    pub(super) fn of(bban: Option<&'a Bban>, iban: Option<&'a Iban>) -> Option<Self> {
        let is_known = bban.is_some() || iban.is_some();
        is_known.then(|| Self { bban: bban.map(Bban::as_str), iban: iban.map(Iban::as_str), currency: None })
    }
}

/// `{"account":{…},"balances":[…],"_links":{…}}`
#[derive(Debug, Serialize)]
pub(crate) struct BalancesView<'a> {
    account: AccountNumbers<'a>,
    balances: Vec<BalanceView>,
    #[serde(rename = "_links")]
    links: OwnLink,
}

impl<'a> BalancesView<'a> {
    /// The balances of an account.
    pub(crate) fn new(account: &'a Account, balances: &[Balance]) -> Self {
        Self {
            account: AccountNumbers {
                bban: account.bban.as_ref().map(Bban::as_str),
                iban: account.iban.as_ref().map(Iban::as_str),
                currency: Some(account.currency.code()),
            },
            balances: BalanceView::all(balances),
            links: OwnLink::to(format!("{}/balances", address(&account.id))),
        }
    }
}

/// Links with nothing but `self`.
#[derive(Debug, Serialize)]
pub(super) struct OwnLink {
    #[serde(rename = "self")]
    own: Link,
}

impl OwnLink {
    pub(super) fn to(href: String) -> Self {
        Self { own: Link::get(href) }
    }
}

/// A balance.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BalanceView {
    balance_amount: AmountView,
    balance_type: &'static str,
}

impl BalanceView {
    pub(super) fn all(balances: &[Balance]) -> Vec<Self> {
        let view = |balance: &Balance| Self {
            balance_amount: balance.amount.into(),
            balance_type: balance.kind.as_str(),
        };
        balances.iter().map(view).collect()
    }
}

/// An exchange (contract: Transaction details, currencyExchange).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExchangeView<'e> {
    source_currency: &'static str,
    exchange_rate: String,
    unit_currency: &'static str,
    target_currency: &'static str,
    quotation_date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    contract_identification: Option<&'e str>,
}

impl<'e> From<&'e CurrencyExchange> for ExchangeView<'e> {
    fn from(exchange: &'e CurrencyExchange) -> Self {
        Self {
            source_currency: exchange.source.code(),
            exchange_rate: exchange.rate.to_string(),
            unit_currency: exchange.unit.code(),
            target_currency: exchange.target.code(),
            quotation_date: exchange.quotation_date.to_string(),
            contract_identification: exchange.contract.as_deref(),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::account::record::BalanceType;
    use crate::types::{Currency, Money};
    use crate::wire::json;

    /// The compact JSON of a view.
    pub(in crate::account) fn shown(view: &impl Serialize) -> String {
        json::write_text(view).unwrap()
    }

    pub(in crate::account) fn money(text: &str) -> Money {
        Money::parse(text, Currency::NOK).unwrap()
    }

    pub(in crate::account) fn account() -> Account {
        Account {
            id: AccountId::parse("enc!!a_b-c=").unwrap(),
            bban: Bban::parse("95360573002").ok(),
            iban: Iban::parse("NO0995360573002").ok(),
            bic: Bic::parse("DNBANOKK").ok(),
            currency: Currency::NOK,
            name: Some("Brukskonto".to_owned()),
            product: Some("BRUKSKONTO".to_owned()),
            cash_account_type: Some("CACC".to_owned()),
        }
    }

    fn balances() -> [Balance; 2] {
        [
            Balance { kind: BalanceType::ClosingBooked, amount: money("100.26") },
            Balance { kind: BalanceType::Expected, amount: money("-0.10") },
        ]
    }

    const NUMBERS: &str = r#""bban":"95360573002","iban":"NO0995360573002","currency":"NOK""#;
    const BALANCES: &str = concat!(
        r#""balances":[{"balanceAmount":{"amount":"100.26","currency":"NOK"},"balanceType":"closingBooked"},"#,
        r#"{"balanceAmount":{"amount":"-0.10","currency":"NOK"},"balanceType":"expected"}]"#
    );
    const LINKS: &str = concat!(
        r#""_links":{"self":{"href":"/v1/accounts/enc!!a_b-c=","verbs":["GET"]},"#,
        r#""balances":{"href":"/v1/accounts/enc!!a_b-c=/balances","verbs":["GET"]},"#,
        r#""transactions":{"href":"/v1/accounts/enc!!a_b-c=/transactions?bookingStatus=both","verbs":["GET"]}}"#
    );

    fn expected(balances: &str) -> String {
        let kind = r#""name":"Brukskonto","product":"BRUKSKONTO","cashAccountType":"CACC","bic":"DNBANOKK""#;
        format!(r#"{{"resourceId":"enc!!a_b-c=",{NUMBERS},{kind},{balances}{LINKS}}}"#)
    }

    #[test]
    fn accounts_are_listed_with_balances_where_asked_for() {
        let (account, balances) = (account(), balances());
        let view = AccountsView::new([(&account, None), (&account, Some(&balances[..]))]);
        let (without, with) = (expected(""), expected(&format!("{BALANCES},")));
        assert_eq!(shown(&view), format!(r#"{{"accounts":[{without},{with}]}}"#));
        assert_eq!(shown(&AccountsView::new([])), r#"{"accounts":[]}"#);
    }

    #[test]
    fn one_account_is_wrapped() {
        let (account, balances) = (account(), balances());
        let view = OneAccountView::new(&account, Some(&balances));
        assert_eq!(shown(&view), format!(r#"{{"account":{}}}"#, expected(&format!("{BALANCES},"))));
    }

    #[test]
    fn what_an_account_lacks_is_left_out() {
        let (id, currency) = (AccountId::parse("a").unwrap(), Currency::EUR);
        let (bban, iban, bic, name, product, cash_account_type) = (None, None, None, None, None, None);
        let account = Account { id, bban, iban, bic, currency, name, product, cash_account_type };
        let links = LINKS.replace("enc!!a_b-c=", "a");
        let expected = format!(r#"{{"account":{{"resourceId":"a","currency":"EUR",{links}}}}}"#);
        assert_eq!(shown(&OneAccountView::new(&account, None)), expected);
    }

    #[test]
    fn balances_name_their_account() {
        let own = r#"{"self":{"href":"/v1/accounts/enc!!a_b-c=/balances","verbs":["GET"]}}"#;
        let expected = format!(r#"{{"account":{{{NUMBERS}}},{BALANCES},"_links":{own}}}"#);
        assert_eq!(shown(&BalancesView::new(&account(), &balances())), expected);
    }
}
