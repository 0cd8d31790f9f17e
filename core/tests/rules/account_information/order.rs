//! In what order transactions are listed, between which days, and that their ids stay.

use std::collections::BTreeMap;

use serde_json::{json, Value};
use xs2a::ScaAnswer;

use crate::aisp::{answered, consent, Aisp, SESSION};
use crate::world::{body, changed, straks, text, World, PAYER, PAYER_ACCOUNT, STRAKS};

/// A sum that left the payer's first account on a day, as the sandbox's own route takes it.
pub(crate) fn debit(amount: u32, day: &str) -> Value {
    json!({
        "amount": amount, "currency": "NOK", "valueDate": day, "bookingDate": day,
        "remittanceInformationUnstructured": "x", "creditorId": "x", "creditorName": "x",
        "creditorAccount": {"bban": "95360573037"}, "ultimateCreditor": "x", "debtorName": "x",
        "debtorAccount": {"bban": PAYER_ACCOUNT}, "ultimateDebtor": "x", "purposeCode": "OTHR",
        "bankTransactionCode": "PMNT-ICDT-DMCT",
    })
}

/// Books sums on the payer's first account, one after the other, each on its day.
fn book(aisp: &Aisp, sums: &[(u32, &str)]) {
    let items: Vec<Value> = sums.iter().map(|(amount, day)| debit(*amount, day)).collect();
    let target = format!("/v1/sandbox/accounts/{}/transactions", aisp.account(PAYER_ACCOUNT));
    let made = aisp.world.call("POST", &target, &[], Value::from(items).to_string().as_bytes());
    assert_eq!(made.status(), 201, "{}", body(&made));
}

/// Every booked transaction that a list shows, page by page.
fn listed(aisp: &Aisp, query: &str) -> Vec<Value> {
    let mut next = Some(format!("{}/transactions?bookingStatus=booked{query}", aisp.account_path()));
    let mut found = Vec::new();
    while let Some(path) = next {
        let page = answered(&aisp.get(&path));
        found.extend(page["transactions"]["booked"].as_array().unwrap().iter().cloned());
        let link = page.pointer("/transactions/_links/next/href");
        next = link.map(|link| link.as_str().unwrap().to_owned());
    }
    found
}

fn amounts(transactions: &[Value]) -> Vec<&str> {
    transactions.iter().map(|one| text(one, "/transactionAmount/amount")).collect()
}

#[test]
fn the_newest_come_first_by_booking_date_and_then_by_creation() {
    let aisp = Aisp::new();
    book(&aisp, &[(1, "2026-08-10"), (2, "2026-08-12"), (3, "2026-08-10"), (4, "2026-08-11")]);
    book(&aisp, &[(5, "2026-08-10"), (6, "2026-08-12")]);
    let expected = ["-6.00", "-2.00", "-4.00", "-5.00", "-3.00", "-1.00"];
    for limit in 1..=7 {
        assert_eq!(amounts(&listed(&aisp, &format!("&limit={limit}"))), expected, "{limit} a page");
    }
}

#[test]
fn both_ends_of_a_period_are_in_it_and_the_days_beside_them_are_not() {
    let aisp = Aisp::new();
    book(&aisp, &[(1, "2026-08-09"), (2, "2026-08-10"), (3, "2026-08-11"), (4, "2026-08-12")]);
    for (query, expected) in [
        ("&dateFrom=2026-08-10&dateTo=2026-08-11", &["-3.00", "-2.00"][..]),
        ("&dateFrom=2026-08-10&dateTo=2026-08-10", &["-2.00"]),
        ("&dateFrom=2026-08-11", &["-4.00", "-3.00"]),
        ("&dateTo=2026-08-10", &["-2.00", "-1.00"]),
        ("&dateFrom=2026-08-13", &[]),
        ("&dateTo=2026-08-08", &[]),
    ] {
        assert_eq!(amounts(&listed(&aisp, query)), expected, "{query}");
        assert_eq!(amounts(&listed(&aisp, &format!("{query}&limit=1"))), expected, "{query}");
    }
}

/// Each id with its amount, by list and by detail.
fn ids(aisp: &Aisp) -> BTreeMap<String, String> {
    let found = listed(aisp, "&limit=2");
    let by_id: BTreeMap<_, _> = found
        .iter()
        .map(|one| {
            (text(one, "/transactionId").to_owned(), text(one, "/transactionAmount/amount").to_owned())
        })
        .collect();
    assert_eq!(by_id.len(), found.len(), "no two have one id");
    for (id, amount) in &by_id {
        let detail = answered(&aisp.get(&format!("{}/transactions/{id}", aisp.account_path())));
        let reported = &detail["transactionsDetails"];
        assert_eq!(
            (text(reported, "/transactionId"), text(reported, "/transactionAmount/amount")),
            (&**id, &**amount)
        );
    }
    by_id
}

#[test]
fn the_transaction_id_of_a_booked_transaction_never_changes() {
    let aisp = Aisp::with_history();
    book(&aisp, &[(1, "2026-08-10"), (2, "2026-08-12"), (3, "2026-08-10")]);
    let before = ids(&aisp);
    assert_eq!(before.len(), 4);
    let assert_kept = |aisp: &Aisp, what: &str| {
        let now = ids(aisp);
        before.iter().for_each(|(id, amount)| assert_eq!(now.get(id), Some(amount), "{what}"));
    };
    // What is booked later, also on an earlier day, and by a payment, changes no older id.
    book(&aisp, &[(4, "2026-08-11"), (5, "2026-07-01")]);
    aisp.world.pay(STRAKS, &changed(straks(), &[("/instructedAmount/amount", json!("9.00"))]), PAYER);
    consent(&aisp.world, SESSION, &ScaAnswer::approve(PAYER));
    assert_kept(&aisp, "more was booked");
    // Neither does a balance that is set by hand.
    let target = format!("/v1/sandbox/accounts/{}/balances", aisp.account(PAYER_ACCOUNT));
    let balance =
        json!([{"balanceType": "closingBooked", "balanceAmount": {"amount": 7, "currency": "NOK"}}]);
    let set = aisp.world.call("PUT", &target, &[], balance.to_string().as_bytes());
    assert_eq!(set.status(), 200, "{}", body(&set));
    assert_kept(&aisp, "the balance was set");
    // Nor do days, nor going back and forth in a snapshot, nor another sandbox.
    let image = aisp.world.sandbox.snapshot().unwrap();
    aisp.world.set_now("2026-09-20T10:00:00Z");
    consent(&aisp.world, SESSION, &ScaAnswer::approve(PAYER));
    assert_kept(&aisp, "days went by");
    aisp.world.sandbox.restore(&image).unwrap();
    assert_kept(&aisp, "a snapshot was restored");
    let World { sandbox, tpp } = World::new();
    sandbox.restore(&image).unwrap();
    assert_kept(&Aisp { world: World { sandbox, tpp }, ..aisp.clone() }, "another sandbox took it over");
    // Another consent and another TPP of the same PSU see the same ids.
    let other = aisp.world.sandbox.register_tpp("Other", &["AISP"]).unwrap();
    let world = World { tpp: other, ..aisp.world.clone() };
    assert_kept(&Aisp::of(world, &ScaAnswer::approve(PAYER)), "another TPP looks");
}
