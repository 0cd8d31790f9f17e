//! Every member of every body: missing, empty, one over, of another type, with other characters. Members that a body
//! has and the table has not are found out.

use std::collections::BTreeSet;

use serde_json::{json, Value};

use crate::counter::{
    balance, closing, long, Fault, ACCOUNTS, AGREEMENTS, CARD_ACCOUNTS, COMPANY, COMPANY_ACCOUNT, CUSTOMERS,
    PERSON,
};
use crate::management::card_accounts::card;
use crate::world::{body, changed, text, World, PAYER_ACCOUNT};
use Kind::{Bban, Code, Country, CurrencyCode, Iban, Int, Invoiced, List, Listed, Moment, Number, Object};
use Kind::{Rate, Switch, Text};
use Presence::{MayBeEmpty, Optional, Required, ThereOrEmpty};

/// What a member is.
#[derive(Clone, Copy)]
enum Kind {
    /// A text of so many characters at most.
    Text(usize),
    /// A bank transaction code.
    Code,
    /// A customer number.
    Number,
    CurrencyCode,
    Country,
    /// A whole number of 32 bits, that or more.
    Int(i32),
    Switch,
    /// A boolean that may be said as a text.
    Invoiced,
    Moment,
    Rate,
    Bban,
    Iban,
    /// A word of a list.
    Listed,
    Object,
    List,
}

/// Whether a member must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Required,
    Optional,
    /// Optional; the empty text means that there is no value.
    MayBeEmpty,
    /// Required; the empty text means that there is no value.
    ThereOrEmpty,
}

type Row = (&'static str, Kind, Presence);

impl Kind {
    /// Empty, one over, of another type, with other characters: each with its reason.
    fn faults(self) -> Vec<(Value, &'static str)> {
        let over = json!(2_147_483_648_i64);
        match self {
            Text(most) => {
                vec![
                    (json!(""), "BOD-05"),
                    (long(most + 1), "BOD-06"),
                    (json!(1), "BOD-02"),
                    (json!("😀"), "BOD-07"),
                ]
            }
            Code => vec![
                (json!(""), "BOD-05"),
                (json!("PMN"), "BOD-25"),
                (long(15), "BOD-06"),
                (json!(1), "BOD-02"),
                (json!("PMN😀"), "BOD-07"),
            ],
            Number => vec![
                (json!(""), "SBX-11"),
                (json!("12345"), "SBX-11"),
                (json!("123456789012"), "SBX-11"),
                (json!(123_456), "BOD-02"),
                (json!("12345x"), "SBX-11"),
                (json!("１２３４５６"), "SBX-11"),
            ],
            CurrencyCode => vec![
                (json!(""), "CUR-01"),
                (json!("NOKK"), "CUR-01"),
                (json!(578), "BOD-02"),
                (json!("nok"), "CUR-01"),
            ],
            Country => {
                vec![
                    (json!("NOR"), "CTY-01"),
                    (json!(47), "BOD-02"),
                    (json!("no"), "CTY-01"),
                    (json!("XX"), "CTY-01"),
                ]
            }
            Int(least) => {
                let mut faults = vec![
                    (json!(""), "BOD-21"),
                    (over, "BOD-21"),
                    (json!("1"), "BOD-21"),
                    (json!(1.5), "BOD-21"),
                ];
                match i64::from(least) - 1 {
                    below if below < i64::from(i32::MIN) => faults.push((json!(below), "BOD-21")),
                    below => faults.push((json!(below), "BOD-24")),
                }
                faults
            }
            Switch => vec![(json!(""), "BOD-22"), (json!("true"), "BOD-22"), (json!(1), "BOD-22")],
            Invoiced => vec![(json!("yes"), "BOD-22"), (json!("TRUE"), "BOD-22"), (json!(1), "BOD-22")],
            Moment => vec![
                (json!("2026-02-29"), "BOD-23"),
                (json!(20_260_801), "BOD-02"),
                (json!("1.8.2026"), "BOD-23"),
                (json!("2026-08-01T10:00:00"), "BOD-23"),
            ],
            Rate => vec![
                (json!(""), "BOD-26"),
                (json!("0"), "BOD-26"),
                (json!("123456789012345678901"), "BOD-26"),
                (json!(11.5), "BOD-02"),
                (json!("11,5"), "BOD-26"),
            ],
            Bban => vec![(long(31), "ACC-01"), (json!(1), "BOD-02"), (json!("9536057300é"), "ACC-01")],
            Iban => vec![
                (json!(format!("NO{}", "1".repeat(33))), "ACC-04"),
                (json!(1), "BOD-02"),
                (json!("NO789536057331é"), "ACC-04"),
                (json!("NO0095360573002"), "ACC-05"),
            ],
            Listed => vec![(json!(""), "BOD-08"), (json!(1), "BOD-02"), (json!("other"), "BOD-08")],
            Object => vec![(json!(""), "BOD-03"), (json!([]), "BOD-03"), (json!(1), "BOD-03")],
            List => vec![(json!(""), "BOD-04"), (json!({}), "BOD-04"), (json!(1), "BOD-04")],
        }
    }

    /// The empty value, where it is not among the faults of its kind.
    fn empty(self) -> Option<(Value, &'static str)> {
        match self {
            Country => Some((json!(""), "CTY-01")),
            Moment => Some((json!(""), "BOD-23")),
            Bban => Some((json!(""), "ACC-01")),
            Iban => Some((json!(""), "ACC-04")),
            Invoiced => Some((json!(""), "BOD-22")),
            _ => None,
        }
    }

    /// The longest or largest value that is taken.
    fn most(self) -> Option<Value> {
        match self {
            Text(most) => Some(long(most)),
            Code => Some(long(14)),
            Int(_) => Some(json!(i32::MAX)),
            _ => None,
        }
    }
}

/// A route, a body with every member that it takes, and what they are.
struct Body {
    method: &'static str,
    target: String,
    full: Value,
    rows: Vec<Row>,
}

/// The pointers of all members, of arrays those of the first item.
fn members(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, member) in object {
                found.insert(format!("{at}/{name}"));
                members(member, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => items.iter().take(1).for_each(|item| members(item, &format!("{at}/0"), found)),
        _ => {}
    }
}

fn assert_every_member(world: &World, body_of: Body) {
    let Body { method, target, full, rows } = body_of;
    let mut there = BTreeSet::new();
    members(&full, "", &mut there);
    let listed: BTreeSet<String> = rows.iter().map(|(pointer, ..)| (*pointer).to_owned()).collect();
    assert_eq!(listed, there, "{method} {target}: every member has its row");
    let mut faults: Vec<Fault> = Vec::new();
    for (pointer, kind, presence) in rows {
        if matches!(presence, Required | ThereOrEmpty) {
            faults.push((pointer, Value::Null, "BOD-01", pointer));
        }
        let mut values = kind.faults();
        values.extend(kind.empty());
        let may_be_empty = matches!(presence, MayBeEmpty | ThereOrEmpty);
        values.retain(|(value, _)| !may_be_empty || *value != json!(""));
        faults.extend(values.into_iter().map(|(value, reason)| (pointer, value, reason, pointer)));
        let taken = kind.most().into_iter();
        let taken = taken.chain(may_be_empty.then(|| json!("")));
        let taken = taken.chain((!matches!(presence, Required | ThereOrEmpty)).then_some(Value::Null));
        for value in taken {
            let sent = changed(full.clone(), &[(pointer, value.clone())]);
            let response = world.clone().send(method, &target, &sent);
            assert!(response.status() < 300, "{pointer} {value}: {}", body(&response));
        }
    }
    world.assert_faults(method, &target, &full, &faults);
}

#[test]
fn of_a_customer() {
    let full = json!({"customerNumber": "123456", "customerType": "PRIVATE", "customerName": "Ny Kunde"});
    let rows = vec![
        ("/customerNumber", Number, Required),
        ("/customerType", Listed, Required),
        ("/customerName", Text(70), Required),
    ];
    assert_every_member(&World::new(), Body { method: "POST", target: CUSTOMERS.to_owned(), full, rows });
}

fn engagement() -> Value {
    json!({
        "customer": PERSON,
        "name": "Drift",
        "account": {"bban": COMPANY_ACCOUNT, "iban": "NO7895360573118"},
        "roles": ["REGISTER", "VIEW"],
        "accessRights": true,
        "paymentRights": true,
        "transferRights": true,
        "registerLimit": 0,
        "approvalLimit": 0,
    })
}

/// The rows of an engagement, below `$place`.
macro_rules! engagement_rows {
    ($place:literal) => {
        [
            (concat!($place, "/customer"), Number, Required),
            (concat!($place, "/name"), Text(70), Optional),
            (concat!($place, "/account"), Object, Required),
            (concat!($place, "/account/bban"), Bban, MayBeEmpty),
            (concat!($place, "/account/iban"), Iban, MayBeEmpty),
            (concat!($place, "/roles"), List, Required),
            (concat!($place, "/accessRights"), Switch, Optional),
            (concat!($place, "/paymentRights"), Switch, Optional),
            (concat!($place, "/transferRights"), Switch, Optional),
            (concat!($place, "/registerLimit"), Int(0), Optional),
            (concat!($place, "/approvalLimit"), Int(0), Optional),
        ]
    };
}

#[test]
fn of_an_agreement() {
    let full = json!({"name": "Ny avtale", "owner": COMPANY, "engagements": [engagement()]});
    let mut rows =
        vec![("/name", Text(70), Required), ("/owner", Number, Required), ("/engagements", List, Required)];
    rows.extend(engagement_rows!("/engagements/0"));
    assert_every_member(&World::new(), Body { method: "POST", target: AGREEMENTS.to_owned(), full, rows });
}

#[test]
fn of_an_engagement() {
    let world = World::new();
    let made = world.made(AGREEMENTS, &json!({"name": "Ny", "owner": COMPANY, "engagements": []}));
    let target = format!("{AGREEMENTS}/{}/engagements", text(&made, "/id"));
    let rows = engagement_rows!("").to_vec();
    assert_every_member(&world, Body { method: "POST", target, full: engagement(), rows });
}

/// The rows of a list of balances, below `$place`.
macro_rules! balance_rows {
    ($place:literal) => {
        [
            (concat!($place, "/0/balanceType"), Listed, Required),
            (concat!($place, "/0/balanceAmount"), Object, Required),
            (concat!($place, "/0/balanceAmount/amount"), Int(i32::MIN), Required),
            (concat!($place, "/0/balanceAmount/currency"), CurrencyCode, Required),
        ]
    };
}

#[test]
fn of_an_account() {
    let full = json!({
        "customerNumber": PERSON, "currency": "NOK", "accountName": "kontotest", "product": "FERIEKONTO",
        "cashAccountType": "SVGS", "creditLine": 500, "balances": [closing(1), balance("expected", 1, "NOK")],
        "bban": "95360573312", "iban": "NO7895360573312",
    });
    let mut rows = vec![
        ("/customerNumber", Number, Required),
        ("/currency", CurrencyCode, Required),
        ("/accountName", Text(70), Optional),
        ("/product", Text(35), Optional),
        ("/cashAccountType", Text(4), Optional),
        ("/creditLine", Int(0), Optional),
        ("/balances", List, Optional),
        ("/bban", Bban, Optional),
        ("/iban", Iban, Optional),
    ];
    rows.extend(balance_rows!("/balances"));
    assert_every_member(&World::new(), Body { method: "POST", target: ACCOUNTS.to_owned(), full, rows });
}

#[test]
fn of_the_balances_of_an_account_and_of_a_card() {
    let world = World::new();
    let account = text(&world.account_of(PAYER_ACCOUNT), "/id").to_owned();
    let card = text(&world.found(CARD_ACCOUNTS), "/cardAccounts/0/resourceId").to_owned();
    for target in [format!("{ACCOUNTS}/{account}/balances"), format!("{CARD_ACCOUNTS}/{card}/balances")] {
        let rows = balance_rows!("").to_vec();
        assert_every_member(&world, Body { method: "PUT", target, full: json!([closing(1)]), rows });
    }
}

#[test]
fn of_an_account_transaction() {
    let world = World::new();
    let target = format!("{ACCOUNTS}/{}/transactions", text(&world.account_of(PAYER_ACCOUNT), "/id"));
    let full = json!([{
        "amount": 100, "currency": "NOK", "valueDate": "2026-08-02", "bookingDate": "2026-08-01",
        "remittanceInformationUnstructured": "Husleie", "creditorId": "C-1", "creditorName": "Utleier",
        "creditorAccount": {"iban": "NO3495360573037", "bban": "95360573037"}, "ultimateCreditor": "Eier",
        "debtorName": "Leietaker", "debtorAccount": {"iban": "NO0995360573002", "bban": PAYER_ACCOUNT},
        "ultimateDebtor": "Beboer", "purposeCode": "OTHR", "bankTransactionCode": "PMNT-ICDT-DMCT",
    }]);
    let rows = vec![
        ("/0/amount", Int(1), Required),
        ("/0/currency", CurrencyCode, Required),
        ("/0/valueDate", Moment, Required),
        ("/0/bookingDate", Moment, Required),
        ("/0/remittanceInformationUnstructured", Text(140), ThereOrEmpty),
        ("/0/creditorId", Text(35), ThereOrEmpty),
        ("/0/creditorName", Text(70), ThereOrEmpty),
        ("/0/creditorAccount", Object, Required),
        ("/0/creditorAccount/bban", Bban, MayBeEmpty),
        ("/0/creditorAccount/iban", Iban, MayBeEmpty),
        ("/0/ultimateCreditor", Text(70), ThereOrEmpty),
        ("/0/debtorName", Text(70), ThereOrEmpty),
        ("/0/debtorAccount", Object, Required),
        ("/0/debtorAccount/bban", Bban, MayBeEmpty),
        ("/0/debtorAccount/iban", Iban, MayBeEmpty),
        ("/0/ultimateDebtor", Text(70), ThereOrEmpty),
        ("/0/purposeCode", Text(4), ThereOrEmpty),
        ("/0/bankTransactionCode", Code, Required),
    ];
    assert_every_member(&world, Body { method: "POST", target, full, rows });
}

#[test]
fn of_a_card_account() {
    let mut rows = vec![
        ("/customerNumber", Number, Required),
        ("/maskedPan", Text(35), Required),
        ("/currency", CurrencyCode, Required),
        ("/creditLimit", Object, Required),
        ("/creditLimit/currency", CurrencyCode, Required),
        ("/creditLimit/amount", Int(0), Required),
        ("/balances", List, Required),
        ("/cardId", Text(35), Required),
        ("/cardIdVNo", Text(35), Required),
        ("/accountNumber", Text(35), Required),
        ("/expiry", Text(35), Required),
        ("/name", Text(70), Required),
        ("/product", Text(35), Required),
        ("/status", Listed, Required),
    ];
    rows.extend(balance_rows!("/balances"));
    let target = CARD_ACCOUNTS.to_owned();
    assert_every_member(&World::new(), Body { method: "POST", target, full: card(), rows });
}

#[test]
fn of_a_card_transaction() {
    let world = World::new();
    let card = text(&world.found(CARD_ACCOUNTS), "/cardAccounts/0/resourceId").to_owned();
    let target = format!("{CARD_ACCOUNTS}/{card}/transactions");
    let full = json!([{
        "cardTransactionId": "CT-1", "terminalId": "T-7", "bookingDate": "2026-08-10",
        "transactionDate": "2026-08-08", "valueDate": "2026-08-11",
        "transactionAmount": {"currency": "NOK", "amount": 120},
        "originalAmount": {"currency": "EUR", "amount": 10},
        "currencyExchange": {
            "sourceCurrency": "NOK", "exchangeRate": "11.50", "unitCurrency": "EUR", "targetCurrency": "EUR",
            "quotationDate": "2026-08-08", "contractIdentification": "K-1",
        },
        "merchantCategoryCode": "5812", "markupFee": {"currency": "NOK", "amount": 5},
        "markupFeePercentage": "20", "cardAcceptorId": "A-1",
        "cardAcceptorAddress": {
            "street": "Unter den Linden", "buildingNumber": "1", "postalCode": "10117", "city": "Berlin",
            "country": "DE",
        },
        "maskedPan": "123456******0009", "transactionDetails": "Middag", "invoiced": "true",
        "proprietaryBankTransactionCode": "KJØP",
    }]);
    let rows = vec![
        ("/0/cardTransactionId", Text(35), MayBeEmpty),
        ("/0/terminalId", Text(35), MayBeEmpty),
        ("/0/bookingDate", Moment, Required),
        ("/0/transactionDate", Moment, MayBeEmpty),
        ("/0/valueDate", Moment, MayBeEmpty),
        ("/0/transactionAmount", Object, Required),
        ("/0/transactionAmount/currency", CurrencyCode, Required),
        ("/0/transactionAmount/amount", Int(i32::MIN), Required),
        ("/0/originalAmount", Object, Required),
        ("/0/originalAmount/currency", CurrencyCode, Required),
        ("/0/originalAmount/amount", Int(i32::MIN), Required),
        ("/0/currencyExchange", Object, Optional),
        ("/0/currencyExchange/sourceCurrency", CurrencyCode, Required),
        ("/0/currencyExchange/exchangeRate", Rate, Required),
        ("/0/currencyExchange/unitCurrency", CurrencyCode, Required),
        ("/0/currencyExchange/targetCurrency", CurrencyCode, Required),
        ("/0/currencyExchange/quotationDate", Moment, Required),
        ("/0/currencyExchange/contractIdentification", Text(35), Optional),
        ("/0/merchantCategoryCode", Text(4), MayBeEmpty),
        ("/0/markupFee", Object, Required),
        ("/0/markupFee/currency", CurrencyCode, Required),
        ("/0/markupFee/amount", Int(i32::MIN), Required),
        ("/0/markupFeePercentage", Text(35), MayBeEmpty),
        ("/0/cardAcceptorId", Text(35), MayBeEmpty),
        ("/0/cardAcceptorAddress", Object, Required),
        ("/0/cardAcceptorAddress/street", Text(70), MayBeEmpty),
        ("/0/cardAcceptorAddress/buildingNumber", Text(70), MayBeEmpty),
        ("/0/cardAcceptorAddress/postalCode", Text(70), MayBeEmpty),
        ("/0/cardAcceptorAddress/city", Text(70), MayBeEmpty),
        ("/0/cardAcceptorAddress/country", Country, MayBeEmpty),
        ("/0/maskedPan", Text(35), MayBeEmpty),
        ("/0/transactionDetails", Text(140), MayBeEmpty),
        ("/0/invoiced", Invoiced, MayBeEmpty),
        ("/0/proprietaryBankTransactionCode", Text(35), MayBeEmpty),
    ];
    assert_every_member(&world, Body { method: "POST", target, full, rows });
}
