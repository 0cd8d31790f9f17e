//! Transactions on mock accounts.

use serde_json::{json, Value};
use xs2a::account::record::TransactionQuery;
use xs2a::bank::Bank as _;
use xs2a::types::AccountId;

use crate::counter::{balances, long, paths, ACCOUNTS, PERSON};
use crate::world::{body, changed, refused, text, World, EUR_ACCOUNT, PAYER_ACCOUNT, PAYER_CARD};

const OTHER: &str = "NO3495360573037";
const FOREIGN_DEBTOR: &str = r#"{"accept_foreign_debtor":true}"#;

/// 100 kroner from the payer's account.
fn item() -> Value {
    json!({
        "amount": 100,
        "currency": "NOK",
        "valueDate": "2026-08-02",
        "bookingDate": "2026-08-01",
        "remittanceInformationUnstructured": "Husleie",
        "creditorId": "C-1",
        "creditorName": "Utleier",
        "creditorAccount": {"iban": OTHER, "bban": "95360573037"},
        "ultimateCreditor": "Eier",
        "debtorName": "Leietaker",
        "debtorAccount": {"iban": "NO0995360573002", "bban": PAYER_ACCOUNT},
        "ultimateDebtor": "Beboer",
        "purposeCode": "OTHR",
        "bankTransactionCode": "PMNT-ICDT-DMCT",
    })
}

fn transactions(world: &World, bban: &str) -> String {
    format!("{ACCOUNTS}/{}/transactions", text(&world.account_of(bban), "/id"))
}

#[test]
fn what_is_created_is_answered_and_listed_and_moves_the_balance() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    let second = changed(item(), &[("/amount", json!(7)), ("/bookingDate", json!("2026-08-02"))]);
    let made = world.made(&target, &json!([item(), second]));
    let expected = |sent: Value, place: usize| {
        let id = text(&made[place], "/id").to_owned();
        let links = json!({"self": {"href": format!("{target}/{id}"), "verbs": ["GET"]}});
        changed(sent, &[("/creditorId", Value::Null), ("/id", json!(id)), ("/_links", links)])
    };
    let (first, second) = (expected(item(), 0), expected(second, 1));
    assert_eq!(made, json!([first, second]));
    assert_eq!(world.found(&target), json!([second, first]), "the newest first");
    assert_eq!(world.found(&format!("{target}/{}", text(&first, "/id"))), first);
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-7.00", "-100.00"]);
    assert_eq!(world.balance(PAYER_ACCOUNT), "99893.00");
    assert_eq!(balances(&world.account_of(PAYER_ACCOUNT)["balances"]), (99_893, 99_893));
}

/// The transaction in account information.
#[test]
fn the_bank_returns_it_with_its_sign_and_the_given_names() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    world.made(&target, &json!([item()]));
    let account = AccountId::parse(text(&world.account_of(PAYER_ACCOUNT), "/id")).unwrap();
    let all = TransactionQuery { from: None, to: None, offset: 0, limit: 10 };
    let page = world.bank().account_data().booked(&account, &all).unwrap();
    let entry = &page.items[0];
    assert_eq!((page.total, entry.amount.to_string()), (1, "-100.00".to_owned()));
    let names = (entry.debtor.name.as_deref(), entry.creditor.name.as_deref());
    assert_eq!(names, (Some("Leietaker"), Some("Utleier")));
    assert_eq!(entry.unstructured.as_deref(), Some("Husleie"));
    assert_eq!(entry.bank_transaction_code.as_deref(), Some("PMNT-ICDT-DMCT"));
}

#[test]
fn one_form_of_an_account_number_is_enough_and_the_other_is_filled_in() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    let sent = changed(
        item(),
        &[
            ("/debtorAccount", json!({"bban": PAYER_ACCOUNT, "iban": ""})),
            ("/creditorAccount", json!({"iban": OTHER})),
        ],
    );
    let made = world.made(&target, &json!([sent]));
    assert_eq!(made[0]["debtorAccount"], item()["debtorAccount"]);
    assert_eq!(made[0]["creditorAccount"], item()["creditorAccount"]);
    let abroad = changed(item(), &[("/creditorAccount", json!({"iban": "DE89370400440532013000"}))]);
    let made = world.made(&target, &json!([abroad]));
    assert_eq!(made[0]["creditorAccount"], json!({"iban": "DE89370400440532013000", "bban": ""}));
}

#[test]
fn a_counterpart_without_a_number_is_one_that_is_not_known() {
    let unknown = || json!({"iban": "", "bban": ""});
    for (policy, pointer, amount) in
        [("{}", "/creditorAccount", "-100.00"), (FOREIGN_DEBTOR, "/debtorAccount", "100.00")]
    {
        let world = World::with_policy(policy);
        let target = transactions(&world, PAYER_ACCOUNT);
        let mut sent = item();
        if amount == "100.00" {
            sent["creditorAccount"] = item()["debtorAccount"].clone();
        }
        for numbers in [unknown(), json!({"iban": ""}), json!({"bban": "", "iban": null})] {
            let made = world.made(&target, &json!([changed(sent.clone(), &[(pointer, numbers)])]));
            assert_eq!(made[0].pointer(pointer), Some(&unknown()));
        }
        assert_eq!(world.booked(PAYER_ACCOUNT), [amount; 3]);
        let account = AccountId::parse(text(&world.account_of(PAYER_ACCOUNT), "/id")).unwrap();
        let all = TransactionQuery { from: None, to: None, offset: 0, limit: 10 };
        for entry in world.bank().account_data().booked(&account, &all).unwrap().items {
            let other = if amount == "100.00" { &entry.debtor } else { &entry.creditor };
            assert_eq!((other.bban, other.iban), (None, None));
        }
    }
}

#[test]
fn this_accounts_own_side_names_it() {
    let no_account = json!({"iban": "", "bban": ""});
    let sent = [("/debtorAccount", no_account.clone()), ("/creditorAccount", no_account)];
    for (policy, sides, reason, path) in [
        ("{}", &sent[..1], "BOD-10", "/0/debtorAccount"),
        ("{}", &sent, "BOD-10", "/0/debtorAccount"),
        (FOREIGN_DEBTOR, &sent[..1], "SBX-16", "/0/creditorAccount"),
        (FOREIGN_DEBTOR, &sent, "SBX-16", "/0/creditorAccount"),
    ] {
        let world = World::with_policy(policy);
        let response = world.post(&transactions(&world, PAYER_ACCOUNT), &json!([changed(item(), sides)]));
        assert_eq!((refused(&response).1, paths(&response)), (reason, vec![path.to_owned()]), "{policy}");
    }
}

/// The texts and codes: member, longest, what is wrong when it is empty.
const TEXTS: [(&str, usize); 7] = [
    ("/remittanceInformationUnstructured", 140),
    ("/creditorId", 35),
    ("/creditorName", 70),
    ("/ultimateCreditor", 70),
    ("/debtorName", 70),
    ("/ultimateDebtor", 70),
    ("/purposeCode", 4),
];

#[test]
fn every_text_is_required_and_held_to_its_length() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    for (pointer, most) in TEXTS {
        let path: &'static str = Box::leak(format!("/0{pointer}").into_boxed_str());
        world.assert_faults(
            "POST",
            &target,
            &json!([changed(item(), &[(pointer, long(most))])]),
            &[
                (path, Value::Null, "BOD-01", path),
                (path, long(most + 1), "BOD-06", path),
                (path, json!(1), "BOD-02", path),
                (path, json!("😀"), "BOD-07", path),
            ],
        );
    }
}

#[test]
fn what_is_shown_as_an_empty_text_may_be_sent_so() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    let empty = TEXTS.map(|(pointer, _)| (pointer, json!("")));
    let made = world.send("POST", &target, &json!([changed(item(), &empty)]));
    assert_eq!(made.status(), 201, "{}", String::from_utf8_lossy(made.body()));
    let mut shown = body(&made)[0].clone();
    // The creditor's identification is not shown (contract: Sandbox account transaction, list item).
    shown["creditorId"] = json!("");
    assert!(TEXTS.iter().all(|(pointer, _)| shown.pointer(pointer) == Some(&json!(""))), "{shown}");
    assert_eq!(world.send("POST", &target, &json!([shown])).status(), 201);
    let account = AccountId::parse(text(&world.account_of(PAYER_ACCOUNT), "/id")).unwrap();
    let all = TransactionQuery { from: None, to: None, offset: 0, limit: 10 };
    for entry in world.bank().account_data().booked(&account, &all).unwrap().items {
        assert_eq!((entry.debtor.name, entry.creditor.name, entry.unstructured), (None, None, None));
    }
}

#[test]
fn each_other_member_is_held_to_its_form() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    let (code, debtor, creditor) = ("/0/bankTransactionCode", "/0/debtorAccount", "/0/creditorAccount");
    world.assert_faults(
        "POST",
        &target,
        &json!([item()]),
        &[
            ("/0/amount", Value::Null, "BOD-01", "/0/amount"),
            ("/0/amount", json!(0), "BOD-24", "/0/amount"),
            ("/0/amount", json!(-1), "BOD-24", "/0/amount"),
            ("/0/amount", json!(2_147_483_648_i64), "BOD-21", "/0/amount"),
            ("/0/amount", json!(1.0), "BOD-21", "/0/amount"),
            ("/0/amount", json!("100"), "BOD-21", "/0/amount"),
            ("/0/currency", Value::Null, "BOD-01", "/0/currency"),
            ("/0/currency", json!("XXX"), "CUR-01", "/0/currency"),
            ("/0/currency", json!("EUR"), "PAY-03", "/0/currency"),
            (code, Value::Null, "BOD-01", code),
            (code, json!("PMN"), "BOD-25", code),
            (code, json!(""), "BOD-05", code),
            (code, long(15), "BOD-06", code),
            (code, json!(4), "BOD-02", code),
            (debtor, Value::Null, "BOD-01", debtor),
            (debtor, json!({"bban": "", "iban": ""}), "BOD-10", debtor),
            (debtor, json!({"bban": PAYER_ACCOUNT, "iban": OTHER}), "SBX-12", debtor),
            (debtor, json!("95360573002"), "BOD-03", debtor),
            (debtor, json!({"bban": "95360573037"}), "SBX-15", debtor),
            (debtor, json!({"iban": OTHER}), "SBX-15", debtor),
            (debtor, json!({"bban": PAYER_ACCOUNT, "iban": "DE89370400440532013000"}), "SBX-15", debtor),
            (creditor, Value::Null, "BOD-01", creditor),
            (creditor, json!({}), "BOD-10", creditor),
            ("/0/creditorAccount/iban", json!("NO00"), "ACC-04", "/0/creditorAccount/iban"),
            ("/0/creditorAccount/iban", json!("NO3595360573037"), "ACC-05", "/0/creditorAccount/iban"),
            ("/0/creditorAccount/bban", long(31), "ACC-01", "/0/creditorAccount/bban"),
            ("/0", json!(1), "BOD-03", "/0"),
        ],
    );
    assert_eq!(refused(&world.post(&target, &item())).1, "BOD-04");
    for code in ["PMNT", "PMNT-ICDT-DMCT"] {
        world.made(&target, &json!([changed(item(), &[("/bankTransactionCode", json!(code))])]));
    }
}

/// The present of these tests is 2026-09-01T10:00:00Z, noon in Oslo.
#[test]
fn both_dates_lie_before_now() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    let (booking, value) = ("/0/bookingDate", "/0/valueDate");
    let good = changed(
        item(),
        &[
            ("/bookingDate", json!("2026-09-01T09:59:59Z")),
            ("/valueDate", json!("2026-09-01T11:59:59+02:00")),
        ],
    );
    world.assert_faults(
        "POST",
        &target,
        &json!([good]),
        &[
            (booking, Value::Null, "BOD-01", booking),
            (value, Value::Null, "BOD-01", value),
            (value, json!("2026-09-01T10:00:00Z"), "SBX-13", value),
            (value, json!("2026-09-02"), "SBX-13", value),
            (value, json!("01.09.2026"), "BOD-23", value),
            (value, json!(""), "BOD-23", value),
            (booking, json!("2026-02-30"), "BOD-23", booking),
            (booking, json!("2026-08-01T10:00:00"), "BOD-23", booking),
            (booking, json!(20_260_801), "BOD-02", booking),
        ],
    );
    let future =
        changed(item(), &[("/bookingDate", json!("2026-09-02")), ("/valueDate", json!("2026-09-02"))]);
    assert_eq!(paths(&world.post(&target, &json!([future]))), [booking, value]);
    let today =
        changed(item(), &[("/bookingDate", json!("2026-09-01")), ("/valueDate", json!("2026-09-01"))]);
    let made = world.made(&target, &json!([today, good]));
    assert_eq!(
        (&made[0]["valueDate"], &made[1]["bookingDate"]),
        (&json!("2026-09-01"), &json!("2026-09-01"))
    );
}

#[test]
fn both_dates_lie_in_the_year_1_or_after_it() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    let (booking, value) = ("/0/bookingDate", "/0/valueDate");
    let first = ["/bookingDate", "/valueDate"].map(|name| (name, json!("0001-01-01")));
    world.assert_faults(
        "POST",
        &target,
        &json!([changed(item(), &first)]),
        &[
            (booking, json!("0000-12-31"), "BOD-23", booking),
            (value, json!("0000-12-31"), "BOD-23", value),
            (booking, json!("0000-01-01T12:00:00Z"), "BOD-23", booking),
        ],
    );
}

#[test]
fn a_booking_lies_not_after_its_value_date() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    let sent = |booking: &str, value: &str| {
        json!([changed(item(), &[("/bookingDate", json!(booking)), ("/valueDate", json!(value))])])
    };
    for (booking, value) in
        [("2026-08-01", "2026-08-01"), ("2026-08-01", "2026-08-02"), ("2026-08-01T10:00:00Z", "2026-08-01")]
    {
        world.made(&target, &sent(booking, value));
    }
    for (booking, value) in [("2026-08-02", "2026-08-01"), ("2026-08-01T10:00:01Z", "2026-08-01T10:00:00Z")] {
        let expected = (400, "SBX-14", "FORMAT_ERROR".to_owned(), "/0/bookingDate".to_owned());
        assert_eq!(refused(&world.post(&target, &sent(booking, value))), expected);
    }
}

#[test]
fn faults_of_all_items_are_reported_at_once_and_none_is_stored() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    let faulty = changed(
        item(),
        &[
            ("/amount", json!(0)),
            ("/bookingDate", json!("2027-01-01")),
            ("/debtorAccount", json!({"iban": OTHER})),
        ],
    );
    let response =
        world.post(&target, &json!([item(), faulty, changed(item(), &[("/purposeCode", Value::Null)])]));
    let expected = ["/1/amount", "/2/purposeCode", "/1/bookingDate", "/1/bookingDate", "/1/debtorAccount"];
    assert_eq!(paths(&response), expected);
    assert_eq!(world.found(&target), json!([]));
    assert_eq!(world.balance(PAYER_ACCOUNT), "100000.00");
}

#[test]
fn incoming_money_is_taken_where_the_policy_says_so() {
    let world = World::with_policy(FOREIGN_DEBTOR);
    let target = transactions(&world, PAYER_ACCOUNT);
    let incoming = changed(
        item(),
        &[
            ("/debtorAccount", json!({"iban": OTHER})),
            ("/creditorAccount", json!({"bban": PAYER_ACCOUNT})),
            ("/debtorName", json!("Arbeidsgiver")),
            ("/creditorName", json!("Lønnsmottaker")),
        ],
    );
    let made = world.made(&target, &json!([incoming]));
    assert_eq!(
        (&made[0]["debtorName"], &made[0]["creditorName"]),
        (&json!("Arbeidsgiver"), &json!("Lønnsmottaker"))
    );
    assert_eq!((&made[0]["amount"], &made[0]["debtorAccount"]["iban"]), (&json!(100), &json!(OTHER)));
    assert_eq!(world.booked(PAYER_ACCOUNT), ["100.00"]);
    let foreign = changed(incoming, &[("/creditorAccount", json!({"bban": "95360573045"}))]);
    let refusal = refused(&world.post(&target, &json!([foreign])));
    assert_eq!((refusal.1, refusal.3.as_str()), ("SBX-16", "/0/creditorAccount"));
    world.made(&target, &json!([item()]));
}

#[test]
fn the_list_is_cut_by_day_offset_and_limit() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    let days = ["2026-07-01", "2026-07-03", "2026-07-02", "2026-07-03"];
    let items: Vec<_> = days
        .iter()
        .zip(1..)
        .map(|(day, amount)| changed(item(), &[("/bookingDate", json!(day)), ("/amount", json!(amount))]))
        .collect();
    world.made(&target, &Value::Array(items));
    for (query, expected) in [
        ("", &[4, 2, 3, 1][..]),
        ("?fromDate=2026-07-02", &[4, 2, 3]),
        ("?fromDate=2026-07-04", &[]),
        ("?toDate=2026-07-02", &[3, 1]),
        ("?fromDate=2026-07-02&toDate=2026-07-02", &[3]),
        ("?offset=1", &[2, 3, 1]),
        ("?offset=4", &[]),
        ("?limit=1", &[4]),
        ("?fromDate=2026-07-02&offset=1&limit=1", &[2]),
        ("?offset=0&limit=2147483647", &[4, 2, 3, 1]),
    ] {
        let listed = world.found(&format!("{target}{query}"));
        let amounts: Vec<_> =
            listed.as_array().unwrap().iter().map(|item| item["amount"].as_i64().unwrap()).collect();
        assert_eq!(amounts, expected, "{query}");
    }
    for (query, reason, path) in [
        ("limit=0", "QRY-07", "limit"),
        ("limit=2147483648", "QRY-07", "limit"),
        ("limit=x", "QRY-07", "limit"),
        ("limit=", "QRY-07", "limit"),
        ("limit=1&limit=1", "QRY-01", "limit"),
        ("offset=-1", "QRY-07", "offset"),
        ("fromDate=2026-02-30", "QRY-05", "fromDate"),
        ("toDate=1.1.2026", "QRY-05", "toDate"),
        ("fromDate=2026-07-02&toDate=2026-07-01", "QRY-06", "fromDate"),
    ] {
        let response = world.send("GET", &format!("{target}?{query}"), &Value::Null);
        assert_eq!(refused(&response), (400, reason, "FORMAT_ERROR".to_owned(), path.to_owned()), "{query}");
    }
}

#[test]
fn more_than_a_page_of_the_production_list_is_listed() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    world.made(&target, &Value::Array(vec![item(); 250]));
    assert_eq!(world.found(&target).as_array().unwrap().len(), 250);
}

#[test]
fn transactions_of_payments_are_listed_too() {
    let world = World::new();
    world.pay(crate::world::STRAKS, &crate::world::straks(), PERSON);
    let paid = world.found(&transactions(&world, PAYER_ACCOUNT));
    let received = world.found(&transactions(&world, "95360573037"));
    for listed in [&paid, &received] {
        assert_eq!((&listed[0]["amount"], &listed[0]["valueDate"]), (&json!(250), &json!("2026-09-01")));
        assert_eq!(listed[0]["debtorName"], "Testodius Test");
        assert_eq!(listed[0]["debtorAccount"]["bban"], PAYER_ACCOUNT);
        assert_eq!(listed[0]["creditorAccount"]["bban"], "95360573037");
        assert_eq!(listed[0]["remittanceInformationUnstructured"], "Invoice 1001");
    }
    assert_eq!(
        (&paid[0]["creditorName"], &received[0]["creditorName"]),
        (&json!("Testodius To"), &json!("Testine Test"))
    );
    assert_ne!(paid[0]["id"], received[0]["id"]);
}

#[test]
fn deleting_takes_back_what_was_booked_once() {
    let world = World::new();
    world.pay(crate::world::STRAKS, &crate::world::straks(), PERSON);
    let target = transactions(&world, PAYER_ACCOUNT);
    world.made(&target, &json!([item(), item()]));
    world.put(&target.replace("transactions", "balances"), &json!([crate::counter::closing(1_000)]));
    world.delete_twice(&target, "SBX-05");
    assert_eq!(world.found(&target), json!([]));
    assert_eq!(world.balance(PAYER_ACCOUNT), "1450.00");
    assert_eq!(world.balance("95360573037"), "100250.00", "the other side keeps what it got");
}

#[test]
fn an_account_and_a_customer_are_deleted_with_their_transactions() {
    let world = World::new();
    let target = transactions(&world, PAYER_ACCOUNT);
    world.made(&target, &json!([item(), item()]));
    world.delete_twice(target.trim_end_matches("/transactions"), "SBX-04");
    world.assert_unknown("GET", &target, &Value::Null, "SBX-04");
    let customers = world.found("/v1/sandbox/customers");
    let id = text(&customers, "/customers/1/customerId");
    world.pay(
        crate::world::STRAKS,
        &changed(crate::world::straks(), &[("/debtorAccount/bban", json!("95360573010"))]),
        PERSON,
    );
    world.delete_twice(&format!("/v1/sandbox/customers/{id}"), "SBX-01");
    assert!(world.sandbox.ledger("95360573037").is_err());
    let initialized = world.send("POST", "/v1/sandbox/initialize", &Value::Null);
    assert_eq!(initialized.status(), 201);
    assert_eq!(world.found(&transactions(&world, PAYER_ACCOUNT)), json!([]));
}

#[test]
fn an_unknown_transaction_or_one_of_another_account_is_not_found() {
    let world = World::new();
    let (target, other) = (transactions(&world, PAYER_ACCOUNT), transactions(&world, EUR_ACCOUNT));
    let made = world.made(&target, &json!([item()]));
    let id = text(&made[0], "/id");
    for path in
        [format!("{target}/enc!!AAAAAAAAAAAAAAAAAAAAAAAA"), format!("{other}/{id}"), format!("{target}/%20")]
    {
        world.assert_unknown("GET", &path, &Value::Null, "SBX-05");
    }
    let no_account = format!("{ACCOUNTS}/enc!!AAAAAAAAAAAAAAAAAAAAAAAA/transactions");
    for (method, path) in
        [("GET", no_account.clone()), ("DELETE", no_account.clone()), ("GET", format!("{no_account}/{id}"))]
    {
        world.assert_unknown(method, &path, &Value::Null, "SBX-04");
    }
    world.assert_unknown("POST", &no_account, &json!([item()]), "SBX-04");
    assert_eq!(world.ledger(PAYER_CARD)["bookings"], json!([]));
}
