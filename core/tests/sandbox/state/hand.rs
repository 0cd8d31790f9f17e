//! Exported sandboxes that were changed by hand: what can be is taken, what cannot is named with its place.

use serde_json::{json, Value};
use xs2a::{Error, Sandbox};

use crate::state::busy::Busy;
use crate::world::{changed as changed_in, *};

pub(crate) fn exported(sandbox: &Sandbox) -> Value {
    serde_json::from_str(&sandbox.export_json().unwrap()).unwrap()
}

pub(crate) fn refusal(sandbox: &Sandbox, document: &Value) -> String {
    match sandbox.import_json(&document.to_string()) {
        Err(Error::Misuse(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_name_a_clock_and_a_balance_with_its_reason_can_be_changed() {
    let world = World::new();
    let mut document = exported(&world.sandbox);
    document["customers"][0]["name"] = json!("Kari Æ. Normann");
    document["clock"] = json!("2026-12-24T17:00:00+01:00");
    for member in ["opening", "booked"] {
        document["accounts"][0][member] = json!("7.50");
    }
    world.sandbox.import_json(&document.to_string()).unwrap();
    assert_eq!(world.sandbox.now(), at("2026-12-24T16:00:00Z"));
    assert_eq!(world.balance(PAYER_ACCOUNT), "7.50");
    world.assert_reconciled();
}

#[test]
fn a_customer_with_an_account_can_be_added() {
    let world = World::new();
    let mut document = exported(&world.sandbox);
    let customer = json!({
        "id": "customer-new",
        "number": 1000,
        "customerNumber": "99999999",
        "name": "Ny",
        "type": "PRIVATE",
    });
    document["customers"].as_array_mut().unwrap().push(customer);
    let mut account = document["accounts"][0].clone();
    for (member, value) in [
        ("id", "account-new"),
        ("owner", "customer-new"),
        ("bban", "12345678903"),
        ("iban", "NO7112345678903"),
    ] {
        account[member] = json!(value);
    }
    account["number"] = json!(1000);
    document["accounts"].as_array_mut().unwrap().push(account);
    world.sandbox.import_json(&document.to_string()).unwrap();
    assert_eq!(world.balance("12345678903"), "100000.00");
}

#[test]
fn what_cannot_be_is_named_with_its_place_and_changes_nothing() {
    let Busy { world, .. } = Busy::new();
    let good = exported(&world.sandbox);
    let before = world.sandbox.export_json().unwrap();
    let faults = [
        ("/clock", json!("2026-09-01"), "/clock: must be a time"),
        ("/clock", json!(0), "/clock: must be a time"),
        ("/entropy/seed", json!(1), "/entropy/seed: must be a whole number as a text"),
        ("/replayWindow", json!({}), "/replayWindow: must be an array"),
        ("/replayWindow/0/requestId", json!("x"), "/replayWindow/0: must have"),
        ("/unknown", json!([]), "/unknown: is not known"),
        ("/payments", json!({}), "/payments: must be an array"),
        ("/payments/0", json!([]), "/payments/0: must be an object"),
        ("/payments/0/status", json!("DONE"), "/payments/0/status: must be a status of a payment"),
        ("/payments/0/status", Value::Null, "/payments/0/status: is missing"),
        ("/payments/0/more", json!(1), "/payments/0/more: is not known"),
        ("/payments/0/fee", json!("0.0"), "/payments/0/fee: must be a sum"),
        ("/payments/0/fee", json!(0), "/payments/0/fee: must be a sum"),
        ("/payments/0/order", json!({}), "/payments/0/order: must be what a payment orders"),
        ("/payments/0/order/instructedAmount/amount", json!("1"), "/payments/0/order: must be"),
        ("/payments/0/basket", json!("none"), "/payments/0/basket: names what is not there"),
        (
            "/payments/0/duplicateFingerprint",
            json!("00"),
            "/payments/0/duplicateFingerprint: must be 32 bytes",
        ),
        (
            "/payments/1/id",
            good["payments"][0]["id"].clone(),
            "/payments/1: has an id or a number that another",
        ),
        (
            "/payments/1/number",
            good["payments"][0]["number"].clone(),
            "/payments/1: has an id or a number that another",
        ),
        (
            "/payments/1/number",
            json!(i64::MAX),
            "/payments/1/number: must be a whole number from 1 to 4503599627370495",
        ),
        ("/paymentEvents/0/payment", json!("none"), "/paymentEvents/0/payment: names what is not there"),
        ("/baskets/0/payments", json!(["none"]), "/baskets/0/payments: names what is not there"),
        ("/authorisations/0/purpose", json!("party"), "/authorisations/0: holds a value that cannot be"),
        (
            "/authorisations/0/redirectUri",
            json!("http://x"),
            "/authorisations/0/redirectUri: must be a redirect URI",
        ),
        ("/accounts/0/booked", json!("99750.01"), "/accounts/0/booked: is not the opening balance and"),
        ("/accounts/0/booked", json!("1.001"), "/accounts/0/booked: must be a sum"),
        ("/accounts/0/currency", json!("QQQ"), "/accounts/0/currency: must be a currency"),
        ("/accounts/0/owner", json!("none"), "/accounts/0/owner: names what is not there"),
        ("/accounts/0/iban", json!("NO00"), "/accounts/0/iban: must be an IBAN"),
        ("/accounts/0/iban", Value::Null, "/accounts/0/iban: is missing"),
        ("/accounts/0/bban", Value::Null, "/accounts/0/bban: is missing"),
        ("/accounts/0/cashAccountType", Value::Null, "/accounts/0/cashAccountType: is missing"),
        ("/accounts/0/iban", json!("NO7112345678903"), "/accounts/0/iban: is not that of the bban"),
        ("/accounts/0/bban", json!("12345678903"), "/accounts/0/iban: is not that of the bban"),
        ("/accounts/0/bban", json!("12AB"), "/accounts/0/bban: must be a Norwegian account number"),
        ("/accounts/0/creditLine", json!("-1.00"), "/accounts/0/creditLine: must not be negative"),
        ("/cardAccounts", json!([]), ": must have account numbers, or else be a card account"),
        (
            "/cardAccounts/0/account",
            good["accounts"][0]["id"].clone(),
            "/accounts/0: must have account numbers, or else be a card account",
        ),
        ("/payments/0/status", json!("PART"), "/payments/0/status: PART is a status of bulk payments alone"),
        ("/transactions/0/currency", json!("EUR"), "values: /transactions/0/currency: is not its account's"),
        (
            "/balanceChanges/0/currency",
            json!("EUR"),
            "values: /balanceChanges/0/currency: is not its account's",
        ),
        ("/payments/0/fee", json!("-1.00"), "/payments/0/fee: must not be negative"),
        ("/bankOrders/0/fee", json!("-1.00"), "/bankOrders/0/fee: must not be negative"),
        (
            "/tpps/0/organisationId",
            json!("PSDNO-FSA-999999"),
            "/tpps/0/organisationId: is not that of the certificate",
        ),
        ("/transactions/0/bookingDate", json!("2026-02-30"), "/transactions/0/bookingDate: must be a date"),
        ("/tpps/0/certificate", json!("AAAA"), "/tpps/0/certificate: must be a certificate"),
        ("/tpps/0/keyIndex", json!(99), "/tpps/0/keyIndex: is not the key of the certificate"),
        ("/tpps/0/roles", json!(["KING"]), "/tpps/0/roles: must be roles"),
        ("/engagements/0/roles", json!(["KING"]), "/engagements/0/roles: must be an array of roles"),
        (
            "/kidAgreements/0/modulus",
            json!(12),
            "/kidAgreements/0/modulus: must be a whole number from 10 to 11",
        ),
        ("/cardTransactions/0/invoiced", json!("no"), "/cardTransactions/0/invoiced: must be true or false"),
        ("/psuIds/0/psuId", json!("1"), "/psuIds/0/psuId: must be a UUID"),
    ];
    for (pointer, value, fault) in faults {
        let found = refusal(&world.sandbox, &changed(good.clone(), &[(pointer, value)]));
        assert!(found.contains(fault), "{pointer}: {found}");
    }
    let twice = before.replacen("\"clock\":", "\"clock\":\"2026-09-01T10:00:00Z\",\"clock\":", 1);
    assert!(
        matches!(world.sandbox.import_json(&twice), Err(Error::Misuse(text)) if text.contains("/clock: is there twice"))
    );
    assert!(world.sandbox.export_json().unwrap() == before);
    world.sandbox.import_json(&good.to_string()).unwrap();
}

/// The largest balance there is.
const FULL: &str = "999999999999999999.99";

#[test]
fn an_account_and_lines_of_two_currencies_are_refused_with_places() {
    let Busy { world, .. } = Busy::new();
    let document = exported(&world.sandbox);
    let lines = document["transactions"].as_array().unwrap().iter();
    let of_payer = lines.filter(|line| line["account"] == document["accounts"][0]["id"]).count();
    let fault = refusal(&world.sandbox, &changed(document, &[("/accounts/0/currency", json!("EUR"))]));
    assert!(of_payer > 1 && fault.matches("/currency: is not its account's").count() == of_payer, "{fault}");
}

#[test]
fn a_balance_that_no_account_can_have_is_refused_with_its_place() {
    let Busy { world, .. } = Busy::new();
    // After the bookings the least opening balance is not possible: most of it left the account.
    let least = json!(format!("-{FULL}"));
    let least = [("/accounts/0/opening", least.clone()), ("/accounts/0/booked", least)];
    let fault = refusal(&world.sandbox, &changed(exported(&world.sandbox), &least));
    assert!(fault.ends_with(
        "values: /accounts/0/booked: is not the opening balance and what was booked and set since"
    ));
}

#[test]
fn what_is_held_back_leaves_a_balance() {
    let world = World::new();
    let full = [("/accounts/0/opening", json!(FULL)), ("/accounts/0/booked", json!(FULL))];
    let document = changed(exported(&world.sandbox), &full);
    let held_back = |sum: &str| changed(document.clone(), &[("/accounts/0/heldBack", json!(sum))]);
    for sum in ["0.01", "0.00"] {
        world.sandbox.import_json(&held_back(sum).to_string()).unwrap();
        world.account_of(PAYER_ACCOUNT);
    }
    let fault = refusal(&world.sandbox, &held_back("-0.01"));
    assert!(fault.ends_with("values: /accounts/0/heldBack: leaves no balance"), "{fault}");
}

#[test]
fn the_sum_of_an_account_does_not_depend_on_the_order_of_its_lines() {
    let world = World::new();
    let change = |number: i64, difference: &str| {
        json!({"number": number, "account": text(&world.account_of(PAYER_ACCOUNT), "/id"), "currency": "NOK",
               "difference": difference, "createdAt": "2026-09-01T10:00:00Z"})
    };
    let changes = json!([change(1, FULL), change(2, &format!("-{FULL}"))]);
    let document = changed(exported(&world.sandbox), &[("/balanceChanges", changes)]);
    world.sandbox.import_json(&document.to_string()).unwrap();
    world.assert_reconciled();
}

#[test]
fn an_account_without_any_number_is_refused_by_name() {
    let world = World::new();
    let none = [("/accounts/0/bban", Value::Null), ("/accounts/0/iban", Value::Null)];
    let none = [&none[..], &[("/accounts/0/cashAccountType", Value::Null)]].concat();
    let fault = refusal(&world.sandbox, &changed(exported(&world.sandbox), &none));
    assert!(fault.contains("/accounts/0: must have account numbers, or else be a card account"), "{fault}");
}

#[test]
fn payments_may_have_any_numbers_and_are_found() {
    let world = World::new();
    let created = [0, 1, 2].map(|place| {
        let body = changed_in(straks(), &[("/instructedAmount/amount", json!(format!("{}.00", place + 1)))]);
        accepted(&world.create(STRAKS, &body))
    });
    let good = exported(&world.sandbox);
    // Numbered from 1; in another order; two of them exchanged.
    let places = [0, 1, 2].map(|index| good["payments"][index]["number"].clone());
    for numbers in [[json!(1), json!(2), json!(3)], [json!(3), json!(2), json!(1)], {
        let [first, second, third] = places;
        [second, first, third]
    }] {
        let pointers = ["/payments/0/number", "/payments/1/number", "/payments/2/number"];
        let changes: Vec<_> = pointers.into_iter().zip(numbers).collect();
        let renumbered = changed(good.clone(), &changes);
        world.sandbox.import_json(&renumbered.to_string()).unwrap();
        for created in &created {
            assert_eq!(world.transaction_status(created), "RCVD");
        }
        // What was imported is a database as any.
        world.sandbox.restore(&world.sandbox.snapshot().unwrap()).unwrap();
        let another = accepted(&world.create(STRAKS, &straks()));
        assert_eq!(world.transaction_status(&another), "RCVD");
    }
}

#[test]
fn a_payment_that_was_edited_looks_like_what_it_is_now() {
    let world = World::new();
    accepted(&world.create(STRAKS, &straks()));
    let edit = [("/payments/0/order/instructedAmount/amount", json!("251.00"))];
    world.sandbox.import_json(&changed(exported(&world.sandbox), &edit).to_string()).unwrap();
    let edited = changed_in(straks(), &[("/instructedAmount/amount", json!("251.00"))]);
    assert_refused(&world.create(STRAKS, &edited), 409, "CONFLICT", "");
    // There is no order like the one before the change.
    accepted(&world.create(STRAKS, &straks()));
    // A hash by hand changes nothing.
    let exported_now = exported(&world.sandbox);
    let by_hand = [("/payments/0/duplicateFingerprint", json!("00".repeat(32)))];
    world.sandbox.import_json(&changed(exported_now.clone(), &by_hand).to_string()).unwrap();
    assert_eq!(exported(&world.sandbox), exported_now);
}

/// Takes `changed` at an index of an array, too.
pub(crate) fn changed(mut document: Value, changes: &[(&str, Value)]) -> Value {
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        match document.pointer_mut(parent).unwrap() {
            Value::Array(items) => items[name.parse::<usize>().unwrap()] = value.clone(),
            parent => match value {
                Value::Null => drop(parent.as_object_mut().unwrap().remove(name)),
                value => parent[name] = value.clone(),
            },
        }
    }
    document
}

#[test]
fn every_fault_is_reported_at_once_without_values() {
    let world = World::new();
    let mut document = exported(&world.sandbox);
    for account in document["accounts"].as_array_mut().unwrap() {
        account["currency"] = json!("SECRET");
    }
    document["customers"][0]["customerNumber"] = json!("SECRET");
    let fault = refusal(&world.sandbox, &document);
    let places = ["/customers/0/customerNumber", "/accounts/0/currency", "/accounts/1/currency"];
    assert!(places.iter().all(|place| fault.contains(place)), "{fault}");
    assert!(!fault.contains("SECRET"), "{fault}");
}

/// The same with an authorised use of the card of the payer's account.
pub(crate) fn with_authorisation(mut document: Value) -> Value {
    document["cardAuthorisations"] = json!([{
        "number": 1, "id": "authorised-1", "account": document["accounts"][0]["id"],
        "transactionDate": "2026-08-31", "currency": "NOK", "amount": "-50.00",
        "originalCurrency": "EUR", "originalAmount": "5.00", "merchant": "Kaffe", "remittance": "Varekjøp",
        "bankTransactionCode": "PMNT-CCRD-POSD", "proprietaryCode": "VAREKJØP", "cardAcceptorId": "1",
        "city": "Berlin", "country": "DE", "merchantCategoryCode": "5814", "maskedPan": "123456******7890",
        "authorisedAt": "2026-08-31T10:00:00Z",
    }]);
    document
}

#[test]
fn any_value_of_any_row_may_be_anything_and_nothing_panics() {
    let Busy { world, .. } = Busy::new();
    let good = with_authorisation(exported(&world.sandbox));
    let (world, twin) = (World::new(), World::new());
    let values = [
        json!(null),
        json!(1.5),
        json!(""),
        json!([{"a": u64::MAX}]),
        json!(0),
        json!(9_007_199_254_740_991_u64),
        json!("EUR"),
        json!("-999999999999999999.99"),
        json!("9999-12-31T23:59:59.999999Z"),
        json!("+10000-01-01"),
    ];
    for (section, rows) in good.as_object().unwrap() {
        let Some(Value::Object(row)) = rows.get(0) else { continue };
        for member in row.keys() {
            for value in &values {
                let mut document = good.clone();
                document[section][0][member] = value.clone();
                // Taken or refused. What is taken is a state like any other, and a refused one changes nothing.
                match world.sandbox.import_json(&document.to_string()) {
                    Ok(()) => {
                        world.assert_reconciled();
                        let text = world.sandbox.export_json().unwrap();
                        twin.sandbox.import_json(&text).unwrap();
                        assert!(twin.sandbox.export_json().unwrap() == text, "{section}/{member} {value}");
                    }
                    Err(Error::Misuse(_)) => {}
                    Err(error) => panic!("{section}/{member} {value}: {error}"),
                }
            }
        }
    }
    assert!(world.sandbox.ledger(PAYER_ACCOUNT).is_ok());
}

#[test]
fn a_block_names_a_certificate_as_it_is_looked_up() {
    let world = World::new();
    let hash = "ab".repeat(32);
    let with_block = |kind: &str, subject: &str| {
        let mut document = exported(&world.sandbox);
        document["blocked"] =
            json!([{"kind": kind, "subject": subject, "since": "2026-09-01T10:00:00Z", "why": ""}]);
        document
    };
    for subject in [hash.to_uppercase(), vec!["ab"; 32].join(":"), "ab".repeat(31), String::new()] {
        let refused = refusal(&world.sandbox, &with_block("certificate", &subject));
        assert!(refused.contains("/blocked/0/subject: is not a SHA-256"), "{refused}");
    }
    let refused = refusal(&world.sandbox, &with_block("bank", &hash));
    assert!(refused.contains("/blocked/0/kind: "), "{refused}");
    for (kind, subject) in [("certificate", hash.as_str()), ("tpp", "PSDNO-FSA-912345678")] {
        world.sandbox.import_json(&with_block(kind, subject).to_string()).unwrap();
        assert_eq!(world.sandbox.engine().blocked().unwrap().len(), 1);
    }
}

#[test]
fn statistics_are_imported_as_they_were_exported() {
    let world = World::new();
    let with_outage = |ended_at: &str| {
        let mut document = exported(&world.sandbox);
        document["outages"] = json!([{"beganAt": "2026-09-01T10:00:00Z", "endedAt": ended_at}]);
        document["callCounts"] = json!([{
            "day": "2026-09-01",
            "tpp": "PSDNO-FSA-912345678",
            "operation": "getAccounts",
            "ended": "answered",
            "calls": 3,
            "micros": 6_000_000_000_i64,
        }]);
        document
    };
    let refused = refusal(&world.sandbox, &with_outage("2026-09-01T09:59:59Z"));
    assert!(refused.contains("/outages/0/endedAt: lies before the beginning"), "{refused}");
    world.sandbox.import_json(&with_outage("2026-09-01T10:01:00Z").to_string()).unwrap();
    let day = "2026-09-01".parse().unwrap();
    let figures = &world.sandbox.engine().statistics(day, day, None).unwrap()[0];
    assert_eq!((figures.aisp.mean_millis(), figures.downtime_seconds()), (Some(2_000_000.0), 60.0));
}
