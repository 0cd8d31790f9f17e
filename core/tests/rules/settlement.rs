//! Settlement: at once, or in a batch of the manual clock; to the øre; never twice.

use std::sync::Arc;

use crate::world::*;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{json, Value};
use xs2a::bank::PaymentStatus;
use xs2a::internal::{Database, SqliteStore};
use xs2a::store::{Event, Store};
use xs2a::types::{Machine, PaymentId};
use xs2a::{Sandbox, SandboxOptions, ScaAnswer};

fn amount(order: Value, amount: &str, currency: &str) -> Value {
    changed(order, &[("/instructedAmount", json!({"amount": amount, "currency": currency}))])
}

fn starting(now: &str) -> World {
    World::with(SandboxOptions { now: Some(at(now)), ..SandboxOptions::default() })
}

/// Creates a cross-border payment and lets the payer approve: it waits for the batch.
fn pending(world: &World) -> Value {
    let created = world.pay(&format!("{CROSS_BORDER}?allowLogicalDuplicate=true"), &cross_border(), PAYER);
    assert_eq!(world.transaction_status(&created), "PDNG");
    created
}

fn funds(world: &World, created: &Value) -> (String, Option<bool>) {
    let status = world.status(created);
    (text(&status, "/transactionStatus").to_owned(), status["fundsAvailable"].as_bool())
}

// Money is there, or not.

#[test]
fn an_instant_payment_of_the_balance_settles_and_one_ore_more_not() {
    for (sum, status, available, left) in
        [("100000.00", "ACSC", true, "0.00"), ("100000.01", "RJCT", false, "100000.00")]
    {
        let world = World::new();
        let created = world.pay(STRAKS, &amount(straks(), sum, "NOK"), PAYER);
        assert_eq!(funds(&world, &created), (status.to_owned(), Some(available)), "{sum}");
        assert_eq!(world.balance(PAYER_ACCOUNT), left, "{sum}");
        assert_eq!(world.booked(PAYEE_ACCOUNT).len(), usize::from(available));
        world.assert_reconciled();
    }
}

#[test]
fn the_fee_counts_towards_what_must_be_there() {
    for (sum, status, left) in [("99970.00", "ACSC", "0.00"), ("99970.01", "RJCT", "100000.00")] {
        let world = World::new();
        let created = world.pay(CROSS_BORDER, &amount(cross_border(), sum, "NOK"), PAYER);
        world.set_now("2026-09-01T11:00:00Z");
        assert_eq!(funds(&world, &created), (status.to_owned(), Some(status == "ACSC")), "{sum}");
        assert_eq!(world.balance(PAYER_ACCOUNT), left, "{sum}");
        world.assert_reconciled();
    }
}

#[test]
fn a_rejected_payment_has_a_psu_message_and_stays_rejected() {
    let world = World::new();
    let created = world.pay(STRAKS, &amount(straks(), "100000.01", "NOK"), PAYER);
    let status = world.status(&created);
    assert!(text(&status, "/psuMessage").contains("not enough money"), "{status}");
    assert!(status["_links"].get("startAuthorisation").is_none(), "{status}");
    // Money that comes in later changes nothing.
    let back = changed(
        straks(),
        &[("/debtorAccount/bban", json!(PAYEE_ACCOUNT)), ("/creditorAccount/bban", json!(PAYER_ACCOUNT))],
    );
    world.pay(STRAKS, &back, PAYEE);
    world.sandbox.advance(TimeDelta::days(2)).unwrap();
    assert_eq!(world.transaction_status(&created), "RJCT");
    assert_eq!(world.balance(PAYER_ACCOUNT), "100250.00");
}

#[test]
fn of_two_payments_in_one_batch_the_first_gets_the_money() {
    let world = World::new();
    let order = amount(cross_border(), "60000.00", "NOK");
    let target = format!("{CROSS_BORDER}?allowLogicalDuplicate=true");
    let (first, second) = (world.pay(&target, &order, PAYER), world.pay(&target, &order, PAYER));
    world.set_now("2026-09-01T11:00:00Z");
    assert_eq!(funds(&world, &first), ("ACSC".to_owned(), Some(true)));
    assert_eq!(funds(&world, &second), ("RJCT".to_owned(), Some(false)));
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-30.00", "-60000.00"]);
    world.assert_reconciled();
}

#[test]
fn a_payment_between_two_accounts_of_the_bank_is_a_line_on_each() {
    let world = World::new();
    let created = world.pay(STRAKS, &straks(), PAYER);
    let (debtor, creditor) = (world.ledger(PAYER_ACCOUNT), world.ledger(PAYEE_ACCOUNT));
    for (ledger, amount, other, name) in [
        (&debtor, "-250.00", PAYEE_ACCOUNT, "Testodius To"),
        (&creditor, "250.00", PAYER_ACCOUNT, "Testodius Test"),
    ] {
        let line = &ledger["bookings"][0];
        assert_eq!(text(line, "/amount"), amount);
        assert_eq!(line["paymentId"], created["paymentId"]);
        assert_eq!(text(line, "/bookingDate"), "2026-09-01");
        assert_eq!(text(line, "/counterpartAccount"), other);
        assert_eq!(text(line, "/counterpartName"), name);
        assert_eq!(text(line, "/text"), "Invoice 1001");
        assert_eq!(ledger["bookings"].as_array().unwrap().len(), 1);
    }
    assert_eq!(
        (world.balance(PAYER_ACCOUNT), world.balance(PAYEE_ACCOUNT)),
        ("99750.00".into(), "100250.00".into())
    );
}

#[test]
fn a_fee_is_a_line_of_its_own() {
    let world = World::new();
    pending(&world);
    world.set_now("2026-09-01T11:00:00Z");
    let ledger = world.ledger(PAYER_ACCOUNT);
    let lines: Vec<_> = ledger["bookings"].as_array().unwrap().iter().collect();
    let shown: Vec<_> = lines
        .iter()
        .map(|line| (text(line, "/amount"), text(line, "/proprietaryBankTransactionCode")))
        .collect();
    // EUR 100.00 at 11.725, and NOK 30.
    assert_eq!(shown, [("-30.00", "GEBYR"), ("-1172.50", "UTENLANDSBETALING")]);
    assert_eq!(lines[1]["currencyExchange"]["exchangeRate"], "11.725");
    assert_eq!(lines[0].get("currencyExchange"), None);
    assert_eq!(world.balance(PAYER_ACCOUNT), "98797.50");
}

#[test]
fn an_account_in_euro_pays_the_sum_unchanged_and_the_fee_converted() {
    let world = World::new();
    let order =
        changed(cross_border(), &[("/debtorAccount", json!({"bban": EUR_ACCOUNT, "currency": "EUR"}))]);
    let created = world.pay(CROSS_BORDER, &order, PAYEE);
    world.set_now("2026-09-01T11:00:00Z");
    assert_eq!(world.transaction_status(&created), "ACSC");
    // NOK 30 at 11.725 are EUR 2.5586….
    assert_eq!(world.booked(EUR_ACCOUNT), ["-2.56", "-100.00"]);
    assert_eq!(world.balance(EUR_ACCOUNT), "9897.44");
    world.assert_reconciled();
}

#[test]
fn an_account_in_euro_is_credited_in_euro() {
    let world = World::new();
    let to_euro = changed(straks(), &[("/creditorAccount", json!({"bban": EUR_ACCOUNT, "currency": "EUR"}))]);
    world.pay(STRAKS, &to_euro, PAYER);
    // NOK 250 at 11.725 are EUR 21.3219….
    assert_eq!(world.booked(EUR_ACCOUNT), ["21.32"]);
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
    let iban = text(&world.ledger(EUR_ACCOUNT), "/account/iban").to_owned();
    let by_iban = changed(
        cross_border(),
        &[
            ("/creditorAccount", json!({"iban": iban, "currency": "EUR"})),
            ("/creditorAgent", json!("DNBANOKK")),
        ],
    );
    world.pay(CROSS_BORDER, &by_iban, PAYER);
    world.set_now("2026-09-01T11:00:00Z");
    assert_eq!(world.booked(EUR_ACCOUNT), ["100.00", "21.32"]);
    world.assert_reconciled();
}

// When.

#[test]
fn an_instant_payment_is_settled_when_the_sca_returns_and_any_other_waits() {
    let world = World::new();
    let instant = world.pay(STRAKS, &straks(), PAYER);
    assert_eq!(world.transaction_status(&instant), "ACSC");
    let other = pending(&world);
    assert_eq!(funds(&world, &other), ("PDNG".to_owned(), None));
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-250.00"]);
}

#[test]
fn the_batch_runs_five_times_a_day_in_oslo_to_the_microsecond() {
    // Summer: Oslo is two hours ahead of UTC.
    let runs = ["04:00", "08:00", "11:00", "13:30", "16:00"];
    for (index, run) in runs.iter().enumerate() {
        let time = at(&format!("2026-09-02T{run}:00Z"));
        let before = index
            .checked_sub(1)
            .map_or("2026-09-01T16:00".to_owned(), |last| format!("2026-09-02T{}", runs[last]));
        let world = starting(&format!("{before}:00Z"));
        // Authorised exactly at a run, it waits for the next one.
        let created = pending(&world);
        world.sandbox.set_now(time - TimeDelta::microseconds(1)).unwrap();
        assert_eq!(world.transaction_status(&created), "PDNG", "{run}");
        world.sandbox.set_now(time).unwrap();
        assert_eq!(world.transaction_status(&created), "ACSC", "{run}");
    }
}

#[test]
fn the_next_event_is_the_next_run_and_then_there_is_none() {
    let world = World::new();
    assert_eq!(world.sandbox.advance_to_next_event().unwrap(), None);
    assert_eq!(world.sandbox.now(), at("2026-09-01T10:00:00Z"));
    let created = pending(&world);
    assert_eq!(world.sandbox.advance_to_next_event().unwrap(), Some(at("2026-09-01T11:00:00Z")));
    assert_eq!(world.transaction_status(&created), "ACSC");
    assert_eq!(world.sandbox.advance_to_next_event().unwrap(), None);
    assert_eq!(world.sandbox.now(), at("2026-09-01T11:00:00Z"));
}

/// The first run after midnight in Oslo, and one microsecond before it.
fn assert_first_run(evening: &str, run: &str) {
    let world = starting(evening);
    let created = pending(&world);
    world.sandbox.set_now(at(run) - TimeDelta::microseconds(1)).unwrap();
    assert_eq!(world.transaction_status(&created), "PDNG", "{run}");
    assert_eq!(world.sandbox.advance_to_next_event().unwrap(), Some(at(run)));
    assert_eq!(world.transaction_status(&created), "ACSC", "{run}");
}

#[test]
fn the_morning_run_is_at_six_in_oslo_on_days_of_23_and_25_hours() {
    // 28 March 2027, 02:00 becomes 03:00; 25 October 2026, 03:00 becomes 02:00.
    assert_first_run("2027-03-26T20:00:00Z", "2027-03-27T05:00:00Z");
    assert_first_run("2027-03-27T20:00:00Z", "2027-03-28T04:00:00Z");
    assert_first_run("2027-03-28T20:00:00Z", "2027-03-29T04:00:00Z");
    assert_first_run("2026-10-23T20:00:00Z", "2026-10-24T04:00:00Z");
    assert_first_run("2026-10-24T20:00:00Z", "2026-10-25T05:00:00Z");
    assert_first_run("2026-10-25T20:00:00Z", "2026-10-26T05:00:00Z");
}

#[test]
fn a_payment_is_booked_on_the_day_of_oslo() {
    // 22:30 UTC is half past midnight in Oslo.
    let world = starting("2026-09-01T22:30:00Z");
    world.pay(STRAKS, &straks(), PAYER);
    assert_eq!(text(&world.ledger(PAYER_ACCOUNT), "/bookings/0/bookingDate"), "2026-09-02");
}

// The history.

struct History {
    world: World,
    store: SqliteStore,
    _folder: tempfile::TempDir,
}

impl History {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sandbox.db");
        let world = World::on_file(&path);
        let store = SqliteStore::new(Arc::new(Database::open_file_for_sandbox(&path, |_| Ok(())).unwrap()));
        Self { world, store, _folder: folder }
    }

    fn events(&self, created: &Value) -> Vec<Event> {
        let id = PaymentId::parse(text(created, "/paymentId")).unwrap();
        self.store.payments().events(&id).unwrap()
    }

    /// Each step of a payment with its time and cause.
    fn steps(&self, created: &Value) -> Vec<(DateTime<Utc>, &'static str, String)> {
        let steps = self.events(created).into_iter();
        steps.map(|event| (event.at, event.to.as_str(), event.cause)).collect()
    }
}

fn step(time: &str, status: &'static str, cause: &str) -> (DateTime<Utc>, &'static str, String) {
    (at(time), status, cause.to_owned())
}

#[test]
fn each_step_has_its_own_time_in_one_large_clock_movement() {
    let history = History::new();
    let world = &history.world;
    let first = pending(world);
    world.set_now("2026-09-01T10:30:00Z");
    let (second, aborted) = (pending(world), accepted(&world.create(STRAKS, &straks())));
    world.answer(&aborted, &abort());
    // Over eight runs at once, three of which have nothing to do with these.
    world.set_now("2026-09-03T09:00:00Z");
    let third = pending(world);
    world.set_now("2026-10-01T00:00:00Z");
    for (created, made, settled) in [
        (&first, "2026-09-01T10:00:00Z", "2026-09-01T11:00:00Z"),
        (&second, "2026-09-01T10:30:00Z", "2026-09-01T11:00:00Z"),
        (&third, "2026-09-03T09:00:00Z", "2026-09-03T11:00:00Z"),
    ] {
        assert_eq!(
            history.steps(created),
            [
                step(made, "PDNG", "sca completed"),
                step(settled, "ACSP", "bank: reported"),
                step(settled, "ACSC", "bank: reported"),
            ]
        );
    }
    // Creation and a failed SCA change no status.
    assert_eq!(history.steps(&aborted), []);
    let dates: Vec<_> = (0..6)
        .map(|line| text(&world.ledger(PAYER_ACCOUNT), &format!("/bookings/{line}/bookingDate")).to_owned())
        .collect();
    assert_eq!(dates[..2], ["2026-09-03", "2026-09-03"]);
    assert!(dates[2..].iter().all(|date| date == "2026-09-01"), "{dates:?}");
}

#[test]
fn the_history_replays_to_the_status() {
    let history = History::new();
    let world = &history.world;
    let settled = world.pay(STRAKS, &straks(), PAYER);
    let poor = world.pay(STRAKS, &amount(straks(), "100000.00", "NOK"), PAYER);
    let batched = pending(world);
    let poor_batched = world.pay(CROSS_BORDER, &amount(cross_border(), "99999.99", "NOK"), PAYER);
    let waiting = accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks()));
    world.set_now("2026-09-01T11:00:00Z");
    let late = pending(world);
    for (created, expected) in [
        (&settled, "ACSC"),
        (&poor, "RJCT"),
        (&batched, "ACSC"),
        (&poor_batched, "RJCT"),
        (&waiting, "RCVD"),
        (&late, "PDNG"),
    ] {
        // A payment begins as received.
        let mut status = PaymentStatus::Rcvd;
        let mut time = DateTime::<Utc>::MIN_UTC;
        for event in history.events(created) {
            assert_eq!(event.from, status);
            assert!(status.may_become(event.to), "{status} to {}", event.to);
            assert!(event.at >= time);
            (status, time) = (event.to, event.at);
        }
        assert_eq!(status.as_str(), expected);
        assert_eq!(world.transaction_status(created), expected);
    }
    world.assert_reconciled();
}

#[test]
fn nothing_is_booked_twice_however_often_the_clock_moves() {
    let world = World::new();
    pending(&world);
    for _ in 0..20 {
        world.sandbox.advance(TimeDelta::hours(3)).unwrap();
        world.sandbox.engine().run_due().unwrap();
    }
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-30.00", "-1172.50"]);
    world.assert_reconciled();
}

#[test]
fn an_order_whose_owner_never_answered_is_not_carried_out() {
    let world = World::new();
    let created = accepted(&world.create(CROSS_BORDER, &cross_border()));
    world.sandbox.advance(TimeDelta::days(30)).unwrap();
    assert_eq!(world.transaction_status(&created), "RCVD");
    assert!(world.booked(PAYER_ACCOUNT).is_empty());
    let started = accepted(&world.start(&created));
    world.answer(&started, &ScaAnswer::approve(PAYER));
    assert!(world.sandbox.advance_to_next_event().unwrap().is_some());
    assert_eq!(world.transaction_status(&created), "ACSC");
}

#[test]
fn a_status_reported_by_hand_does_not_stop_the_clock() {
    for (reported, last) in
        [(PaymentStatus::Acsp, "ACSC"), (PaymentStatus::Acwp, "ACSC"), (PaymentStatus::Rjct, "RJCT")]
    {
        let world = World::new();
        let created = pending(&world);
        let id = text(&created, "/paymentId");
        world.sandbox.engine().report_payment_status(id, reported, None).unwrap();
        world.set_now("2026-09-02T00:00:00Z");
        assert_eq!(world.transaction_status(&created), last, "{reported}");
        assert_eq!(world.sandbox.advance_to_next_event().unwrap(), None);
    }
}

// On hold.

fn message(world: &World, created: &Value) -> String {
    let status = world.status(created);
    assert_eq!(text(&status, "/transactionStatus"), "PDNG");
    text(&status, "/psuMessage").to_owned()
}

#[test]
fn a_payment_on_hold_is_settled_by_no_batch_until_it_is_released() {
    let folder = tempfile::tempdir().unwrap();
    for world in [World::new(), World::on_file(&folder.path().join("sandbox.db"))] {
        let (held, other) = (pending(&world), pending(&world));
        let id = text(&held, "/paymentId");
        world.sandbox.hold(id, None).unwrap();
        assert_eq!(message(&world, &held), "The bank has put the payment on hold.");
        world.sandbox.hold(id, Some("we call you")).unwrap();
        assert_eq!(message(&world, &held), "The bank has put the payment on hold: we call you");
        assert_eq!(message(&world, &other), "The payment is being processed.");
        world.sandbox.advance(TimeDelta::days(3)).unwrap();
        assert_eq!(
            (world.transaction_status(&held), world.transaction_status(&other)),
            ("PDNG".into(), "ACSC".into())
        );
        assert_eq!(world.sandbox.advance_to_next_event().unwrap(), None);
        world.sandbox.release(id).unwrap();
        assert_eq!(message(&world, &held), "The payment is being processed.");
        assert!(matches!(&world.sandbox.release(id), Err(error) if error.is_of_caller()));
        let next = world.sandbox.advance_to_next_event().unwrap();
        assert_eq!(next, Some(at("2026-09-04T11:00:00Z")), "the next batch, at its own time");
        assert_eq!(world.transaction_status(&held), "ACSC");
        assert!(matches!(&world.sandbox.hold(id, None), Err(error) if error.is_of_caller()), "it is settled");
        world.assert_reconciled();
    }
}

#[test]
fn a_hold_ends_with_a_status_and_survives_a_restart() {
    for status in [PaymentStatus::Rjct, PaymentStatus::Canc, PaymentStatus::Acsc, PaymentStatus::Pdng] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sandbox.db");
        let world = World::on_file(&path);
        let created = pending(&world);
        let id = text(&created, "/paymentId");
        world.sandbox.hold(id, None).unwrap();
        // Another process, and a snapshot, know of it.
        let other =
            Sandbox::open(&SandboxOptions { database: Some(path), ..SandboxOptions::default() }).unwrap();
        other.advance(TimeDelta::days(1)).unwrap();
        let image = world.sandbox.snapshot().unwrap();
        world.sandbox.initialize().unwrap();
        world.sandbox.restore(&image).unwrap();
        world.sandbox.advance(TimeDelta::days(1)).unwrap();
        assert!(message(&world, &created).contains("on hold"));
        world.sandbox.report_payment_status(id, status, None).unwrap();
        assert!(matches!(&world.sandbox.release(id), Err(error) if error.is_of_caller()), "{status}");
        world.sandbox.advance(TimeDelta::days(1)).unwrap();
        let expected = if status == PaymentStatus::Pdng { PaymentStatus::Acsc } else { status };
        let shown = world.status(&created);
        assert_eq!(text(&shown, "/transactionStatus"), expected.to_string());
        assert!(!text(&shown, "/psuMessage").contains("on hold"), "{shown}");
    }
}

#[test]
fn what_cannot_be_held_is_misuse() {
    let world = World::new();
    let created = accepted(&world.create(CROSS_BORDER, &cross_border()));
    let unauthorised = text(&created, "/paymentId");
    let pending = pending(&world);
    let waits = text(&pending, "/paymentId");
    for (id, why) in [
        (unauthorised, None),
        ("enc!!AAAAAAAAAAAAAAAAAAAAAAAA", None),
        ("", None),
        (waits, Some("x".repeat(401))),
        (waits, Some("a\nb".to_owned())),
    ] {
        assert!(
            matches!(&world.sandbox.hold(id, why.as_deref()), Err(error) if error.is_of_caller()),
            "{id} {why:?}"
        );
    }
    assert!(matches!(&world.sandbox.release(waits), Err(error) if error.is_of_caller()));
    assert_eq!(message(&world, &pending), "The payment is being processed.");
    world.sandbox.hold(waits, Some(&"x".repeat(400))).unwrap();
    assert!(message(&world, &pending).len() <= 512);
}
