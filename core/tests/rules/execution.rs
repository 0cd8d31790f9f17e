//! Each product is carried out as it says: at once, in the batch of its day, entry by entry, or not at all.

use std::sync::Arc;

use crate::world::*;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{json, Value};
use xs2a::machine::Machine;
use xs2a::payment::machine::PaymentStatus;
use xs2a::store::sqlite::{Database, SqliteStore};
use xs2a::store::Store;
use xs2a::types::PaymentId;
use xs2a::{Sandbox, SandboxOptions};

const DOMESTIC: &str = "/v1/payments/norwegian-domestic-credit-transfers";
const INSTANT: &str = "/v1/payments/instant-norwegian-domestic-credit-transfers";
const SEPA: &str = "/v1/payments/sepa-credit-transfers";
const PLAIN_CROSS_BORDER: &str = "/v1/payments/cross-border-credit-transfers";
const PERIODIC: &str = "/v1/periodic-payments/norwegian-domestic-credit-transfers";
const BULK: &str = "/v1/bulk-payments/norwegian-domestic-credit-transfers";
const ELSEWHERE: &str = "95360573290";

fn sepa() -> Value {
    changed(cross_border(), &[("/creditorAgent", Value::Null)])
}

fn periodic() -> Value {
    changed(straks(), &[("/startDate", json!("2026-09-02")), ("/frequency", json!("Daily"))])
}

/// Who gets how many NOK from the payer.
fn bulk(entries: &[(&str, &str)]) -> Value {
    let entry = |(creditor, amount): &(&str, &str)| {
        json!({
            "instructedAmount": {"amount": amount, "currency": "NOK"},
            "creditorName": "Testodius To",
            "creditorAccount": {"bban": creditor, "currency": "NOK"},
            "creditorAddress": {"townName": "Oslo", "country": "NO"},
            "remittanceInformationUnstructured": format!("{amount} to {creditor}"),
        })
    };
    json!({
        "debtorAccount": {"bban": PAYER_ACCOUNT, "currency": "NOK"},
        "payments": entries.iter().map(entry).collect::<Vec<_>>(),
    })
}

fn dated(order: Value, day: &str) -> Value {
    changed(order, &[("/requestedExecutionDate", json!(day))])
}

fn funds(world: &World, created: &Value) -> (String, Option<bool>) {
    let status = world.status(created);
    (text(&status, "/transactionStatus").to_owned(), status["fundsAvailable"].as_bool())
}

/// Lets the bank do everything it has to do.
fn run_out(sandbox: &Sandbox) {
    while sandbox.advance_to_next_event().unwrap().is_some() {}
}

#[test]
fn every_product_is_carried_out_to_the_oere() {
    let entries = bulk(&[(PAYEE_ACCOUNT, "100.00"), (ELSEWHERE, "50.00")]);
    for (product, order, first, last, debtor, payee) in [
        (DOMESTIC, straks(), "PDNG", "ACSC", &["-250.00"][..], &["250.00"][..]),
        (INSTANT, straks(), "ACSC", "ACSC", &["-250.00"], &["250.00"]),
        (STRAKS, straks(), "ACSC", "ACSC", &["-250.00"], &["250.00"]),
        (SEPA, sepa(), "PDNG", "ACSC", &["-30.00", "-1172.50"], &[]),
        (PLAIN_CROSS_BORDER, cross_border(), "PDNG", "ACSC", &["-30.00", "-1172.50"], &[]),
        (CROSS_BORDER, cross_border(), "PDNG", "ACSC", &["-30.00", "-1172.50"], &[]),
        (PERIODIC, periodic(), "PDNG", "PDNG", &[], &[]),
        (BULK, entries, "PDNG", "ACSC", &["-50.00", "-100.00"], &["100.00"]),
    ] {
        let world = World::new();
        let created = world.pay(product, &order, PAYER);
        assert_eq!(world.transaction_status(&created), first, "{product}");
        run_out(&world.sandbox);
        world.sandbox.advance(TimeDelta::days(40)).unwrap();
        assert_eq!(world.transaction_status(&created), last, "{product}");
        assert_eq!(world.booked(PAYER_ACCOUNT), debtor, "{product}");
        assert_eq!(world.booked(PAYEE_ACCOUNT), payee, "{product}");
        world.assert_reconciled();
    }
}

#[test]
fn a_card_account_pays_for_every_product_at_once_or_later() {
    let card = json!({
        "currency": "NOK",
        "other": {"identification": PAYER_CARD, "schemeNameProprietary": "creditCardAccount"},
    });
    for (product, order) in [(DOMESTIC, straks()), (INSTANT, straks()), (SEPA, sepa())] {
        let world = World::new();
        let created = world.pay(product, &changed(order, &[("/debtorAccount", card.clone())]), PAYER);
        run_out(&world.sandbox);
        assert_eq!(world.transaction_status(&created), "ACSC", "{product}");
        assert!(text(&world.ledger(PAYER_CARD), "/balance/amount").starts_with('-'), "{product}");
        world.assert_reconciled();
    }
}

#[test]
fn a_date_is_waited_for_until_the_first_run_of_that_day_in_oslo() {
    for (day, run) in [
        ("2026-09-01", "2026-09-01T11:00:00Z"),
        ("2026-09-02", "2026-09-02T04:00:00Z"),
        ("2026-10-24", "2026-10-24T04:00:00Z"),
        ("2026-10-25", "2026-10-25T05:00:00Z"),
        ("2027-03-28", "2027-03-28T04:00:00Z"),
        ("2027-09-01", "2027-09-01T04:00:00Z"),
    ] {
        for (product, order) in [(DOMESTIC, straks()), (BULK, bulk(&[(PAYEE_ACCOUNT, "250.00")]))] {
            let world = World::new();
            let created = world.pay(product, &dated(order, day), PAYER);
            world.sandbox.set_now(at(run) - TimeDelta::microseconds(1)).unwrap();
            assert_eq!(funds(&world, &created), ("PDNG".to_owned(), None), "{day}");
            assert_eq!(world.sandbox.advance_to_next_event().unwrap(), Some(at(run)), "{day}");
            assert_eq!(funds(&world, &created), ("ACSC".to_owned(), Some(true)), "{day}");
            assert_eq!(text(&world.ledger(PAYER_ACCOUNT), "/bookings/0/bookingDate"), day);
            assert_eq!(world.sandbox.advance_to_next_event().unwrap(), None);
        }
    }
}

#[test]
fn a_bulk_is_recognised_by_its_entries() {
    for (amounts, status, available, booked) in [
        (["60000.00", "40000.00"], "ACSC", true, &["-40000.00", "-60000.00"][..]),
        (["60000.00", "40000.01"], "PART", false, &["-60000.00"]),
        (["100000.01", "0.01"], "PART", false, &["-0.01"]),
        (["100000.01", "100000.01"], "RJCT", false, &[]),
    ] {
        let world = World::new();
        let order = bulk(&[(PAYEE_ACCOUNT, amounts[0]), (ELSEWHERE, amounts[1])]);
        let created = world.pay(BULK, &order, PAYER);
        assert_eq!(funds(&world, &created), ("PDNG".to_owned(), None));
        run_out(&world.sandbox);
        assert_eq!(funds(&world, &created), (status.to_owned(), Some(available)), "{amounts:?}");
        assert_eq!(world.booked(PAYER_ACCOUNT), booked, "{amounts:?}");
        let message = text(&world.status(&created), "/psuMessage").to_owned();
        assert_eq!(message.contains("not enough money"), !available, "{message}");
        let details = body(&world.get(text(&created, "/_links/self/href")));
        assert_eq!(details["payments"].as_array().unwrap().len(), 2, "what was ordered stays readable");
        world.assert_reconciled();
    }
}

#[test]
fn a_bulk_carried_out_in_part_moves_on_by_report_alone_and_only_to_an_end() {
    let world = World::new();
    let created = world.pay(BULK, &bulk(&[(PAYEE_ACCOUNT, "60000.00"), (ELSEWHERE, "40000.01")]), PAYER);
    run_out(&world.sandbox);
    world.sandbox.advance(TimeDelta::days(40)).unwrap();
    assert_eq!(world.transaction_status(&created), "PART");
    for status in PaymentStatus::STATES {
        let reporting = world.clone();
        let id = text(&created, "/paymentId");
        let reported = reporting.sandbox.engine().report_payment_status(id, *status, None);
        let may = matches!(status, PaymentStatus::Acsc | PaymentStatus::Rjct | PaymentStatus::Canc);
        // What it is already is no news.
        assert_eq!(reported.is_ok(), may || *status == PaymentStatus::Part, "{status}: {reported:?}");
        let expected = if may { status.as_str() } else { "PART" };
        assert_eq!(reporting.transaction_status(&created), expected, "{status}");
    }
}

#[test]
fn each_line_of_a_bulk_says_what_its_own_entry_is_for() {
    let world = World::new();
    let order = bulk(&[(PAYEE_ACCOUNT, "1.00"), ("95360573010", "2.00"), (PAYEE_ACCOUNT, "3.00")]);
    let created = world.pay(BULK, &order, PAYER);
    run_out(&world.sandbox);
    let texts = |account: &str| {
        let ledger = world.ledger(account);
        let lines = ledger["bookings"].as_array().unwrap().iter();
        lines
            .inspect(|line| assert_eq!(line["paymentId"], created["paymentId"]))
            .map(|line| text(line, "/text").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(PAYEE_ACCOUNT), ["3.00 to 95360573037", "1.00 to 95360573037"]);
    assert_eq!(texts(PAYER_ACCOUNT).concat(), "3.00 to 953605730372.00 to 953605730101.00 to 95360573037");
}

/// The history of a payment in the file of its sandbox.
fn steps(path: &std::path::Path, created: &Value) -> Vec<(DateTime<Utc>, &'static str)> {
    let store = SqliteStore::new(Arc::new(Database::open_file_for_sandbox(path, |_| Ok(())).unwrap()));
    let events = store.payments().events(&PaymentId::parse(text(created, "/paymentId")).unwrap()).unwrap();
    events.into_iter().map(|event| (event.at, event.to.as_str())).collect()
}

#[test]
fn each_payment_settles_at_its_own_time_for_every_clock_movement() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.db");
    let world = World::on_file(&path);
    let (made, part) =
        ("2026-09-01T10:00:00Z", bulk(&[(PAYEE_ACCOUNT, "90000.00"), (ELSEWHERE, "10000.01")]));
    let payments = [
        (world.pay(BULK, &dated(part, "2026-12-24"), PAYER), "2026-12-24T05:00:00Z", "PART"),
        (world.pay(DOMESTIC, &dated(straks(), "2027-09-01"), PAYER), "2027-09-01T04:00:00Z", "ACSC"),
        (world.pay(SEPA, &sepa(), PAYER), "2026-09-01T11:00:00Z", "ACSC"),
        (world.pay(CROSS_BORDER, &another(cross_border()), PAYER), "2026-09-01T11:00:00Z", "ACSC"),
    ];
    drop(world);
    // Two years later the file is opened.
    let now = Some(at("2028-09-01T10:00:00Z"));
    let sandbox =
        Sandbox::open(&SandboxOptions { database: Some(path.clone()), now, ..SandboxOptions::default() })
            .unwrap();
    for (created, settled, last) in &payments {
        let expected = [(at(made), "PDNG"), (at(settled), "ACSP"), (at(settled), last)];
        assert_eq!(steps(&path, created), expected, "{created}");
    }
    assert_eq!(sandbox.reconcile().unwrap(), []);
}

/// A second cross-border order that is no duplicate of the first.
fn another(order: Value) -> Value {
    changed(order, &[("/instructedAmount/amount", json!("50.00"))])
}

#[test]
fn an_order_for_tomorrow_does_not_keep_the_money_from_one_of_today() {
    let world = World::new();
    let all = |order: Value| changed(order, &[("/instructedAmount/amount", json!("100000.00"))]);
    let target = format!("{DOMESTIC}?allowLogicalDuplicate=true");
    let tomorrow = world.pay(&target, &dated(all(straks()), "2026-09-02"), PAYER);
    let today = world.pay(&target, &all(straks()), PAYER);
    run_out(&world.sandbox);
    assert_eq!(funds(&world, &today), ("ACSC".to_owned(), Some(true)));
    assert_eq!(funds(&world, &tomorrow), ("RJCT".to_owned(), Some(false)));
    world.assert_reconciled();
}

#[test]
fn a_bulk_is_booked_once_each_time_its_sandbox_goes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.db");
    let world = World::on_file(&path);
    let order = bulk(&[(PAYEE_ACCOUNT, "1.00"); 100]);
    let created = world.pay(BULK, &order, PAYER);
    let image = world.sandbox.snapshot().unwrap();
    for _ in 0..3 {
        world.sandbox.restore(&image).unwrap();
        assert_eq!(world.transaction_status(&created), "PDNG");
        run_out(&world.sandbox);
        world.sandbox.advance(TimeDelta::days(3)).unwrap();
        assert_eq!(world.transaction_status(&created), "ACSC");
        assert_eq!(
            (world.booked(PAYEE_ACCOUNT).len(), world.balance(PAYER_ACCOUNT)),
            (100, "99900.00".into())
        );
    }
    world.assert_reconciled();
}

#[test]
fn two_sandboxes_on_one_file_settle_a_bulk_once_between_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.db");
    let (first, second) = (World::on_file(&path), World::on_file(&path));
    let order = bulk(&[(PAYEE_ACCOUNT, "999.00"); 101]);
    let created = first.pay(BULK, &order, PAYER);
    std::thread::scope(|scope| {
        for world in [&first, &second] {
            scope.spawn(|| world.sandbox.advance(TimeDelta::days(1)).unwrap());
        }
    });
    // 100 entries of 999.00 are 99 900.00; the last one finds too little.
    assert_eq!(funds(&first, &created), ("PART".to_owned(), Some(false)));
    assert_eq!((first.booked(PAYEE_ACCOUNT).len(), second.balance(PAYER_ACCOUNT)), (100, "100.00".into()));
    first.assert_reconciled();
}
