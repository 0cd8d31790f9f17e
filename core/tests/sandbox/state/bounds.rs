//! How far the values of an exported sandbox go: as far as the routes that write them, and no further.

use chrono::TimeDelta;
use serde_json::{json, Value};
use xs2a::ScaAnswer;

use crate::counter::{
    closing, long, ACCOUNTS, AGREEMENTS, CARD_ACCOUNTS, COMPANY, COMPANY_ACCOUNT, CUSTOMERS, PERSON,
};
use crate::state::busy::Busy;
use crate::state::hand::{changed, exported, refusal};
use crate::world::products::SEPA;
use crate::world::*;

/// A text of that many characters that the widest repertoire has, and no other.
fn wide(chars: usize) -> Value {
    json!("Ł".repeat(chars))
}

/// A use of a card with everything as long as it may be.
fn card_use() -> Value {
    json!({
        "cardTransactionId": wide(35), "terminalId": wide(35), "bookingDate": "0001-01-01",
        "transactionDate": "0001-01-01", "valueDate": "0001-01-01",
        "transactionAmount": {"currency": "NOK", "amount": i32::MIN},
        "originalAmount": {"currency": "EUR", "amount": i32::MAX},
        "currencyExchange": {
            "sourceCurrency": "NOK", "exchangeRate": "0012.345678901234567", "unitCurrency": "EUR",
            "targetCurrency": "EUR", "quotationDate": "9999-12-31", "contractIdentification": wide(35),
        },
        "merchantCategoryCode": wide(4), "markupFee": {"currency": "NOK", "amount": 5},
        "markupFeePercentage": wide(35), "cardAcceptorId": wide(35), "maskedPan": wide(35),
        "cardAcceptorAddress": {
            "street": wide(70), "buildingNumber": wide(70), "postalCode": wide(70), "city": wide(70), "country": "DE",
        },
        "transactionDetails": wide(140), "proprietaryBankTransactionCode": wide(35),
    })
}

/// A transaction with everything as long as it may be.
fn transaction() -> Value {
    json!({
        "amount": i32::MAX, "currency": "NOK", "valueDate": "2026-09-01T09:59:59.999999Z",
        "bookingDate": "2026-09-01", "remittanceInformationUnstructured": wide(140), "creditorId": wide(35),
        "creditorName": wide(70), "creditorAccount": {"bban": long(30), "iban": "DE89370400440532013000"},
        "ultimateCreditor": wide(70), "debtorName": wide(70), "debtorAccount": {"bban": PAYER_ACCOUNT},
        "ultimateDebtor": wide(70), "purposeCode": wide(4), "bankTransactionCode": wide(14),
    })
}

/// As [`transaction`], with everything as short as it may be.
fn short() -> Value {
    json!({
        "amount": 1, "currency": "NOK", "valueDate": "0001-01-01", "bookingDate": "0001-01-01",
        "remittanceInformationUnstructured": "", "creditorId": "", "creditorName": "", "ultimateCreditor": "",
        "creditorAccount": {"bban": PAYER_ACCOUNT}, "debtorName": "", "debtorAccount": {"bban": "1"},
        "ultimateDebtor": "", "purposeCode": "", "bankTransactionCode": wide(4),
    })
}

fn engagement() -> Value {
    json!({
        "customer": PERSON, "account": {"bban": COMPANY_ACCOUNT}, "name": wide(70), "roles": [],
        "registerLimit": 0, "approvalLimit": i32::MAX,
    })
}

/// Everything that the sandbox's own routes make.
fn make_with_routes(world: &World) {
    for (number, kind) in [("123456", "PRIVATE"), ("12345678901", "CORPORATE")] {
        let sent = json!({"customerNumber": number, "customerType": kind, "customerName": wide(70)});
        world.made(CUSTOMERS, &sent);
    }
    world.made(AGREEMENTS, &json!({"name": wide(70), "owner": COMPANY, "engagements": [engagement()]}));
    let account = world.made(
        ACCOUNTS,
        &json!({
            "customerNumber": PERSON, "currency": "NOK", "accountName": wide(70), "product": wide(35),
            "cashAccountType": wide(4), "creditLine": i32::MAX, "balances": [closing(i32::MIN)],
        }),
    );
    world.put(&format!("{ACCOUNTS}/{}/balances", text(&account, "/id")), &json!([closing(i32::MAX)]));
    let of_payer = format!("{ACCOUNTS}/{}/transactions", text(&world.account_of(PAYER_ACCOUNT), "/id"));
    world.made(&of_payer, &json!([transaction(), short()]));
    let card = world.made(
        CARD_ACCOUNTS,
        &json!({
            "customerNumber": PERSON, "maskedPan": wide(35), "currency": "NOK", "name": wide(70),
            "creditLimit": {"currency": "NOK", "amount": 0}, "balances": [], "cardId": wide(35),
            "cardIdVNo": wide(35), "accountNumber": wide(35), "expiry": wide(35), "product": wide(35),
            "status": "blocked",
        }),
    );
    let of_card = format!("{CARD_ACCOUNTS}/{}/transactions", text(&card, "/resourceId"));
    world.made(&of_card, &json!([card_use()]));
}

/// A payment by calls with everything as long as it may be.
fn pay(world: &World) {
    let session = "s".repeat(256);
    let brand = "B".repeat(600);
    let order = crate::world::changed(
        products::sepa(),
        &[
            ("/creditorName", wide(70)),
            ("/ultimateDebtor", wide(70)),
            ("/purposeCode", json!("SALA")),
            ("/remittanceInformationUnstructured", wide(140)),
        ],
    );
    let headers = [("TPP-Session-ID", session.as_str()), ("TPP-Brand-Logging-Information", brand.as_str())];
    let created = accepted(&world.create_with(SEPA, &headers, &order));
    world.answer(&created, &ScaAnswer::approve(PAYER));
    let reference = json!({"reference": wide(35), "referenceType": wide(35), "referenceIssuer": wide(35)});
    let order = crate::world::changed(
        order,
        &[
            ("/remittanceInformationUnstructured", Value::Null),
            ("/remittanceInformationStructured", reference),
            ("/instructedAmount/amount", json!("1.00")),
        ],
    );
    world.pay(SEPA, &order, PAYER);
    world.sandbox.advance(TimeDelta::days(1)).unwrap();
}

#[test]
fn everything_that_the_routes_accept_is_exported() {
    let world = World::with_policy(r#"{"repertoire":"bmp","accept_foreign_debtor":true}"#);
    make_with_routes(&world);
    pay(&world);
    let text = world.sandbox.export_json().unwrap();
    assert!(text.contains(&"B".repeat(512)), "the brand is kept");
    let other = World::new();
    other.sandbox.import_json(&text).unwrap();
    assert_eq!(other.sandbox.export_json().unwrap(), text);
}

/// Section and member, and the most characters.
const TEXTS: [(&str, usize); 44] = [
    ("customers/0/name", 70),
    ("accounts/0/name", 70),
    ("accounts/0/product", 35),
    ("accounts/0/cashAccountType", 4),
    ("cardAccounts/0/accountNumber", 35),
    ("cardAccounts/0/maskedPan", 35),
    ("cardAccounts/0/cardId", 35),
    ("cardAccounts/0/cardIdVNo", 35),
    ("cardAccounts/0/expiry", 35),
    ("agreements/0/name", 70),
    ("engagements/0/name", 70),
    ("transactions/0/counterpartName", 70),
    ("transactions/0/creditorId", 35),
    ("transactions/0/ultimateCreditor", 70),
    ("transactions/0/ultimateDebtor", 70),
    ("transactions/0/remittance", 140),
    ("transactions/0/purposeCode", 4),
    ("transactions/0/bankTransactionCode", 14),
    ("transactions/0/proprietaryCode", 35),
    ("cardTransactions/0/cardTransactionId", 35),
    ("cardTransactions/0/terminalId", 35),
    ("cardTransactions/0/contractIdentification", 35),
    ("cardTransactions/0/markupFeePercentage", 35),
    ("cardTransactions/0/cardAcceptorId", 35),
    ("cardTransactions/0/street", 70),
    ("cardTransactions/0/buildingNumber", 70),
    ("cardTransactions/0/postalCode", 70),
    ("cardTransactions/0/city", 70),
    ("cardTransactions/0/merchantCategoryCode", 4),
    ("cardTransactions/0/maskedPan", 35),
    ("bankOrderEntries/0/creditorName", 70),
    ("bankOrderEntries/0/ultimateDebtor", 70),
    ("bankOrderEntries/0/purposeCode", 4),
    ("bankOrderEntries/0/remittance", 140),
    ("bankOrderReferences/0/reference", 35),
    ("bankOrderReferences/0/referenceType", 35),
    ("bankOrderReferences/0/referenceIssuer", 35),
    ("authorisations/0/session", 128),
    ("authorisations/0/brand", 512),
    ("sessions/0/id", 128),
    ("payments/0/psu", 0),
    ("sessions/0/psu", 0),
    ("consents/0/psu", 0),
    ("psuIds/0/psu", 0),
];

#[test]
fn a_text_is_as_long_as_the_routes_take_it_and_no_longer() {
    let Busy { world, .. } = Busy::new();
    let document = exported(&world.sandbox);
    let places = TEXTS.map(|(place, most)| (format!("/{place}"), most));
    let longest: Vec<_> = places
        .iter()
        .filter(|(_, most)| *most > 0)
        .map(|(place, most)| (place.as_str(), wide(*most)))
        .collect();
    world.sandbox.import_json(&changed(document.clone(), &longest).to_string()).unwrap();
    for (place, most) in &places {
        let fault = refusal(&world.sandbox, &changed(document.clone(), &[(place, wide(most + 1))]));
        assert!(fault.contains(&format!("values: {place}: must be ")) && !fault.contains(';'), "{fault}");
    }
    for (place, value) in [
        ("/transactions/0/bankTransactionCode", json!("")),
        ("/transactions/0/bankTransactionCode", json!("PMN")),
        ("/transactions/0/remittance", json!("")),
        ("/customers/0/name", json!("Kari\nNormann")),
        ("/customers/0/name", json!("😀")),
        ("/cardTransactions/0/country", json!("XX")),
        ("/tpps/0/name", json!(" ")),
        ("/engagements/0/registerLimit", json!(-1)),
        ("/accounts/0/id", json!("a/b")),
    ] {
        let fault = refusal(&world.sandbox, &changed(document.clone(), &[(place, value)]));
        assert!(fault.contains(&format!("values: {place}: must be ")), "{fault}");
    }
}

/// The first line of the payer was made by a payment at noon of 2026-09-01.
#[test]
fn a_line_is_booked_no_later_than_it_counts_and_neither_after_its_day() {
    let Busy { world, .. } = Busy::new();
    let document = exported(&world.sandbox);
    let dated = |booking: &str, value: &str| {
        let dates =
            [("/transactions/0/bookingDate", json!(booking)), ("/transactions/0/valueDate", json!(value))];
        changed(document.clone(), &dates)
    };
    for (booking, value) in [
        ("2026-09-01", "2026-09-01"),
        ("2026-08-31", "2026-09-01"),
        ("2026-08-31", "2026-08-31"),
        ("0001-01-01", "0001-01-01"),
    ] {
        world.sandbox.import_json(&dated(booking, value).to_string()).unwrap();
    }
    for (booking, value, fault) in [
        ("2026-09-01", "2026-08-31", "bookingDate: lies after the value date"),
        ("2026-09-01", "2026-09-02", "valueDate: lies after the day on which the line was made"),
        ("2026-09-02", "2026-09-01", "bookingDate: lies after the day on which the line was made"),
        ("0000-12-31", "0001-01-01", "bookingDate: must be a date YYYY-MM-DD"),
        ("0001-01-01", "0000-12-31", "valueDate: must be a date YYYY-MM-DD"),
    ] {
        let found = refusal(&world.sandbox, &dated(booking, value));
        assert!(found.contains(&format!("/transactions/0/{fault}")), "{booking} {value}: {found}");
    }
}

#[test]
fn the_members_of_a_line_fit_each_other() {
    let Busy { world, .. } = Busy::new();
    // The batch pays in another currency.
    world.sandbox.advance(TimeDelta::days(1)).unwrap();
    let document = exported(&world.sandbox);
    let lines = document["transactions"].as_array().unwrap();
    let exchanged = lines.iter().position(|line| line["exchangeRate"].is_string()).unwrap();
    let by_card = lines.iter().position(|line| line["payment"].is_null()).unwrap();
    let exchange = |member: &str| format!("/transactions/{exchanged}/exchange{member}");
    for (place, value, fault) in [
        (exchange("Source"), Value::Null, "is missing"),
        (exchange("Rate"), json!("-1"), "must be a decimal number that is not negative"),
        (exchange("Rate"), json!("+1"), "must be a decimal number that is not negative"),
        (format!("/transactions/{by_card}/entry"), json!(1), "is that of no order"),
        (format!("/transactions/{by_card}/exchangeUnit"), json!("NOK"), "is missing"),
        ("/transactions/0/payment".to_owned(), json!("none"), "names what is not there"),
        (
            "/transactions/0/counterpartIban".to_owned(),
            json!("NO0995360573002"),
            "has another account number in it",
        ),
        (
            "/bankOrderEntries/0/creditorIban".to_owned(),
            json!("NO0995360573002"),
            "has another account number in it",
        ),
    ] {
        let found = refusal(&world.sandbox, &changed(document.clone(), &[(&place, value)]));
        assert!(found.contains(fault), "{place}: {found}");
    }
    world
        .sandbox
        .import_json(&changed(document.clone(), &[(&exchange("Rate"), json!("0"))]).to_string())
        .unwrap();
}

#[test]
fn no_person_acts_for_a_company_in_the_private_context() {
    let Busy { world, .. } = Busy::new();
    let document = exported(&world.sandbox);
    for table in ["sessions", "consents"] {
        let rows = document[table].as_array().unwrap();
        let private = rows.iter().position(|row| row["context"] == "PRIVATE").unwrap();
        let place = format!("/{table}/{private}/corporate");
        let found =
            refusal(&world.sandbox, &changed(document.clone(), &[(&place, rows[private]["psu"].clone())]));
        assert!(found.contains(&format!("{place}: belongs to the corporate context alone")), "{found}");
    }
}

#[test]
fn a_counter_in_a_document_leaves_values_to_count_on() {
    let world = World::new();
    accepted(&world.create(STRAKS, &straks()));
    let document = exported(&world.sandbox);
    let generation = document["facts"].as_array().unwrap().iter();
    let generation = generation.clone().position(|fact| fact["key"] == "sandbox generation").unwrap();
    let generation = format!("/facts/{generation}/value");
    for (place, most, beyond) in [
        ("/entropy/counter", json!("9223372036854775808"), json!("9223372036854775809")),
        ("/entropy/counter", json!("0"), json!("18446744073709551615")),
        (generation.as_str(), json!(9_007_199_254_740_991_i64), json!("9007199254740992")),
        (generation.as_str(), json!(0), json!(-1)),
        ("/payments/0/version", json!(i32::MAX), json!(i64::from(i32::MAX) + 1)),
    ] {
        world.sandbox.import_json(&changed(document.clone(), &[(place, most)]).to_string()).unwrap();
        let fault = refusal(&world.sandbox, &changed(document.clone(), &[(place, beyond)]));
        assert!(fault.contains(&format!("values: {place}: ")), "{fault}");
    }
}
