//! With `lives_on` the lives of a population go on when the clock moves.

use std::path::PathBuf;

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;
use serde_json::{json, Value};
use xs2a::{Error, PopulationPlan, Sandbox, SandboxOptions, ScaAnswer};

use crate::population::history::rows;
use crate::world::{body, changed, straks, text, World, STRAKS};

const PLAN: PopulationPlan =
    PopulationPlan { persons: 42, companies: 3, months: 1, lives_on: true, ..PopulationPlan::DEFAULT };
/// Before Easter, and after it.
const BEGIN: &str = "2026-03-15T10:00:00Z";
const END: &str = "2026-04-09T10:00:00Z";

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn opened(now: &str, database: Option<PathBuf>) -> Sandbox {
    let now = Some(at(now));
    Sandbox::open(&SandboxOptions { now, seed: 1, database, ..SandboxOptions::default() }).unwrap()
}

/// A sandbox with the lives of [`PLAN`].
fn living() -> Sandbox {
    let sandbox = opened(BEGIN, None);
    sandbox.populate(PLAN).unwrap();
    sandbox
}

fn state(sandbox: &Sandbox) -> Value {
    assert_eq!(sandbox.reconcile_json().unwrap(), "[]");
    serde_json::from_str(&sandbox.export_json().unwrap()).unwrap()
}

/// What the bank holds, without the order in which it was written.
fn books(sandbox: &Sandbox) -> Value {
    let state = state(sandbox);
    let mut lines = rows(&state, "transactions").to_vec();
    lines.sort_by_key(|line| {
        let [account, day] = ["/account", "/bookingDate"].map(|pointer| text(line, pointer).to_owned());
        (account, day, line["number"].as_u64())
    });
    let mut pending = rows(&state, "cardAuthorisations").to_vec();
    pending.sort_by_key(|row| text(row, "/id").to_owned());
    for line in lines.iter_mut().chain(&mut pending) {
        line.as_object_mut().unwrap().remove("number");
    }
    let (accounts, uses) = (&state["accounts"], &state["cardTransactions"]);
    json!({ "accounts": accounts, "uses": uses, "lines": lines, "pending": pending })
}

fn count(sandbox: &Sandbox) -> usize {
    rows(&state(sandbox), "transactions").len()
}

#[test]
fn steps_of_any_size_have_the_same_bytes() {
    let once = living();
    once.set_now(at(END)).unwrap();
    let expected = once.export_json().unwrap();
    for hours in [5, 24, 24 * 17] {
        let stepwise = living();
        while stepwise.now() < at(END) {
            let next = stepwise.now() + TimeDelta::hours(hours);
            stepwise.set_now(next.min(at(END))).unwrap();
        }
        assert!(stepwise.export_json().unwrap() == expected, "{hours}");
    }
    let by_event = living();
    while by_event.next_event().unwrap().unwrap() <= at(END) {
        by_event.advance_to_next_event().unwrap();
    }
    assert_eq!(by_event.now(), at("2026-04-08T22:00:00Z"), "a day ends at midnight in Oslo");
    by_event.set_now(at(END)).unwrap();
    assert!(by_event.export_json().unwrap() == expected);
}

#[test]
fn a_longer_history_of_the_same_first_day_is_the_same() {
    for (months, later) in [(1, 2), (0, 0)] {
        let sandbox = opened(BEGIN, None);
        sandbox.populate(PopulationPlan { months, ..PLAN }).unwrap();
        let before = books(&sandbox);
        sandbox.set_now(at(END)).unwrap();
        let after = books(&sandbox);
        assert_ne!(before, after);
        if later > 0 {
            let longer = opened(END, None);
            longer.populate(PopulationPlan { months: later, lives_on: false, ..PLAN }).unwrap();
            assert!(books(&longer) == after);
        }
        let lines = after["lines"].as_array().unwrap();
        let mut days: Vec<_> = lines.iter().map(|line| text(line, "/bookingDate")).collect();
        days.sort_unstable();
        let first = if months == 0 { "2026-03-15" } else { "2026-02-01" };
        assert_eq!((days.first(), days.last()), (Some(&first), Some(&"2026-04-08")));
    }
}

/// Some ten events. A fork lives the days again that were lived before.
#[test]
fn events_are_the_same_in_steps_and_in_a_longer_history() {
    let end = at("2026-11-10T10:00:00Z");
    let plan = PopulationPlan { events: true, ..PLAN };
    let begun = || {
        let sandbox = opened(BEGIN, None);
        sandbox.populate(plan).unwrap();
        sandbox
    };
    let (once, mut stepwise) = (begun(), begun());
    once.set_now(end).unwrap();
    let expected = once.export_json().unwrap();
    while stepwise.now() < end {
        let next = stepwise.now() + TimeDelta::days(37);
        stepwise.set_now(next.min(end)).unwrap();
        stepwise = stepwise.fork().unwrap();
    }
    assert!(stepwise.export_json().unwrap() == expected);
    let longer = opened("2026-11-10T10:00:00Z", None);
    longer.populate(PopulationPlan { months: 9, lives_on: false, ..plan }).unwrap();
    assert!(books(&longer) == books(&once));
    let plain = opened("2026-11-10T10:00:00Z", None);
    plain.populate(PopulationPlan { months: 9, lives_on: false, ..PLAN }).unwrap();
    assert_ne!(count(&plain), count(&longer), "events change a life");
}

/// They begin on a day of a month: what was drawn for the days before it has happened.
#[test]
fn lives_with_events_begin_on_any_day() {
    let sandbox = opened("2026-03-31T10:00:00Z", None);
    sandbox.populate(PopulationPlan { persons: 80, months: 0, events: true, ..PLAN }).unwrap();
    sandbox.set_now(at("2026-06-01T10:00:00Z")).unwrap();
    assert!(count(&sandbox) > 1_000);
}

#[test]
fn without_it_nothing_happens_when_the_clock_moves() {
    let sandbox = opened(BEGIN, None);
    sandbox.populate(PopulationPlan { lives_on: false, ..PLAN }).unwrap();
    let before = books(&sandbox);
    sandbox.set_now(at(END)).unwrap();
    assert!(books(&sandbox) == before);
    assert_eq!(sandbox.next_event().unwrap(), None);
}

#[test]
fn snapshots_forks_files_and_texts_go_on_as_the_original_does() {
    let folder = tempfile::tempdir().unwrap();
    let file = Some(folder.path().join("bank.db"));
    let middle = at("2026-04-03T21:59:59Z");
    let origin = opened(BEGIN, file.clone());
    origin.populate(PLAN).unwrap();
    origin.set_now(middle).unwrap();
    let (image, document) = (origin.snapshot().unwrap(), origin.export_json().unwrap());
    let fork = origin.fork().unwrap();
    origin.set_now(at(END)).unwrap();
    let expected = books(&origin);
    fork.set_now(at(END)).unwrap();
    assert!(books(&fork) == expected);
    let [restored, imported] = [(); 2].map(|()| living());
    // What it had in memory of its own lives is of no more use.
    restored.set_now(at(END)).unwrap();
    restored.restore(&image).unwrap();
    imported.import_json(&document).unwrap();
    for other in [restored, imported] {
        assert_eq!(other.now(), middle);
        other.set_now(at(END)).unwrap();
        assert!(books(&other) == expected);
    }
    origin.restore(&image).unwrap();
    drop(origin);
    let again = Sandbox::open(&SandboxOptions { database: file, ..SandboxOptions::default() }).unwrap();
    assert_eq!(again.now(), middle);
    again.set_now(at(END)).unwrap();
    assert!(books(&again) == expected);
}

#[test]
fn two_sandboxes_on_a_file_book_each_day_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = Some(folder.path().join("bank.db"));
    let one = opened(BEGIN, file.clone());
    one.populate(PLAN).unwrap();
    let other = Sandbox::open(&SandboxOptions { database: file, ..SandboxOptions::default() }).unwrap();
    for day in 16..=25 {
        let sandbox = if day % 3 == 0 { &one } else { &other };
        sandbox.set_now(at(&format!("2026-03-{day}T10:00:00Z"))).unwrap();
    }
    std::thread::scope(|scope| {
        for sandbox in [&one, &other] {
            scope.spawn(|| sandbox.set_now(at(END)).unwrap());
        }
    });
    let alone = living();
    alone.set_now(at(END)).unwrap();
    assert!(books(&one) == books(&alone));
}

#[test]
fn payments_of_a_tpp_mix_with_the_lives_and_change_none() {
    let world = World::with(SandboxOptions { now: Some(at(BEGIN)), ..SandboxOptions::default() });
    let report: Value = serde_json::from_str(&world.sandbox.populate(PLAN).unwrap()).unwrap();
    let quiet = world.sandbox.fork().unwrap();
    let person = &rows(&report, "customers")[0];
    let [account, id] = ["/accounts/0/bban", "/accounts/0/resourceId"].map(|pointer| text(person, pointer));
    world.sandbox.set_now(at("2026-03-20T10:00:00Z")).unwrap();
    // All that is there: what the person buys from then on overdraws the account.
    let booked = world.ledger(account)["balance"]["amount"].as_str().unwrap().parse::<Decimal>().unwrap();
    let pending = state(&world.sandbox)["cardAuthorisations"].clone();
    let pending = pending.as_array().unwrap().iter().filter(|row| row["account"] == id);
    let pending: Decimal = pending.map(|row| text(row, "/amount").parse::<Decimal>().unwrap()).sum();
    let sum = booked + pending;
    let order = changed(
        straks(),
        &[("/debtorAccount/bban", json!(account)), ("/instructedAmount/amount", json!(sum.to_string()))],
    );
    let created = body(&world.create(STRAKS, &order));
    world.answer(&created, &ScaAnswer::approve(text(person, "/customerNumber")));
    assert_eq!(world.transaction_status(&created), "ACSC");
    for sandbox in [&world.sandbox, &quiet] {
        sandbox.set_now(at(END)).unwrap();
    }
    let lines = |sandbox: &Sandbox| {
        let mut lines = books(sandbox)["lines"].as_array().unwrap().clone();
        lines.retain(|line| line.get("payment").is_none());
        lines
    };
    assert!(lines(&world.sandbox) == lines(&quiet));
    let booked = |sandbox: &Sandbox| {
        let state = state(sandbox);
        let account = rows(&state, "accounts").iter().find(|account| account["id"] == id).unwrap();
        text(account, "/booked").parse::<Decimal>().unwrap()
    };
    assert_eq!(booked(&quiet) - booked(&world.sandbox), sum);
}

#[test]
fn several_populations_go_on_each_from_its_own_day() {
    let run = |step: TimeDelta| {
        let sandbox = living();
        sandbox.set_now(at("2026-03-25T10:00:00Z")).unwrap();
        sandbox.populate(PopulationPlan { persons: 8, companies: 1, ..PLAN }).unwrap();
        sandbox.populate(PopulationPlan { persons: 5, companies: 0, lives_on: false, ..PLAN }).unwrap();
        while sandbox.now() < at(END) {
            sandbox.set_now((sandbox.now() + step).min(at(END))).unwrap();
        }
        let populations = state(&sandbox)["populations"].clone();
        let until = populations.as_array().unwrap().iter().map(|row| text(row, "/livedUntil").to_owned());
        assert_eq!(until.collect::<Vec<_>>(), ["2026-04-09"; 2]);
        sandbox.export_json().unwrap()
    };
    assert!(run(TimeDelta::days(90)) == run(TimeDelta::hours(31)));
}

/// A customer has the number of a person of the population already, whose life and birthday are then others.
#[test]
fn a_number_that_was_replaced_stays_replaced() {
    let taken = living();
    let taken = state(&taken);
    let numbers: Vec<_> = rows(&taken, "customers").iter().map(|row| text(row, "/customerNumber")).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = Some(folder.path().join("bank.db"));
    let world = World::with(SandboxOptions {
        now: Some(at(BEGIN)),
        database: file.clone(),
        ..SandboxOptions::default()
    });
    let customer = json!({
        "customerNumber": numbers.last().unwrap(), "customerName": "Lett Pølse", "customerType": "CORPORATE"
    });
    let person = json!({
        "customerNumber": numbers[7], "customerName": "Lett Pølse", "customerType": "PRIVATE"
    });
    for customer in [customer, person] {
        let answer = world.call("POST", "/v1/sandbox/customers", &[], customer.to_string().as_bytes());
        assert_eq!(answer.status(), 201, "{}", String::from_utf8_lossy(answer.body()));
    }
    world.sandbox.populate(PLAN).unwrap();
    let origin = text(&state(&world.sandbox), "/populations/0/origin").to_owned();
    let origin: Value = serde_json::from_str(&origin).unwrap();
    assert_eq!(
        (origin["replaced"]["persons"].as_object().unwrap().len(), &origin["replaced"]["companies"]),
        (1, &json!({ "2": 3 }))
    );
    let fork = world.sandbox.fork().unwrap();
    for day in 16..=19 {
        world.sandbox.set_now(at(&format!("2026-03-{day}T10:00:00Z"))).unwrap();
        fork.set_now(world.sandbox.now()).unwrap();
    }
    drop(world);
    let again = Sandbox::open(&SandboxOptions { database: file, ..SandboxOptions::default() }).unwrap();
    for sandbox in [&again, &fork] {
        sandbox.set_now(at(END)).unwrap();
    }
    assert!(books(&again) == books(&fork));
}

#[test]
fn customers_that_are_deleted_get_nothing_more_and_initialising_ends_all() {
    let world = World::with(SandboxOptions { now: Some(at(BEGIN)), ..SandboxOptions::default() });
    let report: Value = serde_json::from_str(&world.sandbox.populate(PLAN).unwrap()).unwrap();
    let gone = &rows(&report, "customers")[3];
    let customer = text(gone, "/customerNumber");
    let all = state(&world.sandbox);
    let id = rows(&all, "customers")
        .iter()
        .find(|row| row["customerNumber"] == customer)
        .map(|row| text(row, "/id"));
    let target = format!("/v1/sandbox/customers/{}", id.unwrap());
    let answer = world.call("DELETE", &target, &[], b"");
    assert_eq!(answer.status(), 204, "{}", String::from_utf8_lossy(answer.body()));
    let before = count(&world.sandbox);
    world.sandbox.set_now(at(END)).unwrap();
    let state = state(&world.sandbox);
    assert!(rows(&state, "transactions").len() > before + 500);
    assert!(!rows(&state, "customers").iter().any(|row| row["customerNumber"] == customer));
    world.sandbox.initialize().unwrap();
    assert_eq!(world.sandbox.next_event().unwrap(), None);
    world.sandbox.set_now(at("2026-06-01T10:00:00Z")).unwrap();
    assert_eq!(count(&world.sandbox), 0);
}

#[test]
fn a_clock_moves_to_the_last_day_of_the_lives_and_not_beyond() {
    let sandbox = opened(BEGIN, None);
    sandbox.populate(PopulationPlan { persons: 1, companies: 0, ..PLAN }).unwrap();
    let before = sandbox.export_json().unwrap();
    let last = at("2046-02-01T22:59:59Z");
    for beyond in [last + TimeDelta::seconds(1), at("2076-03-15T10:00:00Z"), at("9999-12-31T23:59:59Z")] {
        match sandbox.set_now(beyond) {
            Err(Error::Misuse(text)) => assert!(text.contains("go on until 2046-02-01"), "{text}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(sandbox.export_json().unwrap(), before);
    }
    sandbox.set_now(last).unwrap();
    assert_eq!(sandbox.reconcile_json().unwrap(), "[]");
    assert!(sandbox.advance(TimeDelta::seconds(1)).is_err());
    sandbox.initialize().unwrap();
    sandbox.advance(TimeDelta::days(20_000)).unwrap();
}

#[test]
fn what_memory_cannot_hold_is_refused_before_the_clock_moves() {
    let sandbox = opened(BEGIN, None);
    sandbox.populate(PopulationPlan { persons: 2_000, companies: 0, months: 0, ..PLAN }).unwrap();
    let before = sandbox.export_json().unwrap();
    match sandbox.advance(TimeDelta::days(600)) {
        Err(Error::Misuse(text)) => assert!(text.contains("use a file"), "{text}"),
        other => panic!("{other:?}"),
    }
    assert!(sandbox.export_json().unwrap() == before);
}

/// A trigger simulates a disk that is full in the middle of a day.
#[test]
fn a_day_that_fails_is_not_booked_and_is_booked_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bank.db");
    let sandbox = opened(BEGIN, Some(path.clone()));
    sandbox.populate(PLAN).unwrap();
    let file = rusqlite::Connection::open(path).unwrap();
    file.execute_batch(
        "CREATE TRIGGER full BEFORE INSERT ON sandbox_transaction WHEN NEW.booking_date = '2026-03-24' \
         AND NEW.bank_transaction_code = 'PMNT-CCRD-POSD' BEGIN SELECT RAISE(ABORT, 'full'); END",
    )
    .unwrap();
    for _ in 0..2 {
        assert!(matches!(sandbox.set_now(at(END)), Err(Error::Store(_) | Error::Record(_))));
        assert_eq!(sandbox.now(), at("2026-03-24T23:00:00Z"));
        let state = state(&sandbox);
        assert!(rows(&state, "transactions").iter().all(|line| text(line, "/bookingDate") < "2026-03-24"));
    }
    file.execute_batch("DROP TRIGGER full").unwrap();
    sandbox.set_now(at(END)).unwrap();
    let alone = living();
    alone.set_now(at(END)).unwrap();
    assert!(books(&sandbox) == books(&alone));
}

#[test]
fn a_balance_that_cannot_grow_is_named() {
    let world = World::with(SandboxOptions { now: Some(at(BEGIN)), ..SandboxOptions::default() });
    world.sandbox.populate(PLAN).unwrap();
    let mut document: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
    for account in document["accounts"].as_array_mut().unwrap() {
        account["opening"] =
            json!(if account["currency"] == "NOK" { "999999999999999999.99" } else { "0.00" });
        account["booked"] = account["opening"].clone();
    }
    document["transactions"] = json!([]);
    document["cardTransactions"] = json!([]);
    world.sandbox.import_json(&document.to_string()).unwrap();
    match world.sandbox.set_now(at(END)) {
        Err(Error::Misuse(text)) => assert!(text.contains("cannot grow"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_imported_population_is_one_that_was_exported() {
    let sandbox = living();
    let exported: Value = serde_json::from_str(&sandbox.export_json().unwrap()).unwrap();
    let origin = text(&exported, "/populations/0/origin").to_owned();
    let refused = |member: &str, value: &str| {
        let mut document = exported.clone();
        document["populations"][0][member] = json!(value);
        sandbox.import_json(&document.to_string()).unwrap_err().to_string()
    };
    for other in [
        "{}".to_owned(),
        origin.replace("\"persons\":42", "\"persons\":100001"),
        origin.replace("\"EUR\":\"", "\"EUR\":\"-"),
        origin.replace("\"seed\":1,", "\"seed\":-1,"),
    ] {
        assert_ne!(other, origin);
        let text = refused("origin", &other);
        assert!(text.contains("/populations/0/origin: must be"), "{text}");
    }
    for (member, day, named) in [
        ("livedUntil", "2046-02-02", "/populations/0/livedUntil: lies after the end"),
        ("livedUntil", "2026-01-31", "/populations/0: holds a value that cannot be"),
        ("firstDay", "2026-02-02", "/populations/0: holds a value that cannot be"),
        ("beginDay", "2026-13-01", "/populations/0/beginDay: must be a date"),
    ] {
        let text = refused(member, day);
        assert!(text.contains(named), "{text}");
    }
}
