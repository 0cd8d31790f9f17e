//! Of the same calls comes the same population; what cannot be leaves nothing.

use std::sync::atomic::{AtomicBool, Ordering};

use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::{json, Value};
use xs2a::{Error, PopulationPlan, Sandbox, SandboxOptions};

use crate::population::history::{never_overdrawn, rows};
use crate::world::{text, World, PAYER};

const SMALL: PopulationPlan =
    PopulationPlan { persons: 5, companies: 1, months: 3, ..PopulationPlan::DEFAULT };

fn sandbox(seed: u64, now: &str) -> Sandbox {
    let now = Some(now.parse().unwrap());
    Sandbox::open(&SandboxOptions { now, seed, ..SandboxOptions::default() }).unwrap()
}

#[test]
fn seed_and_clock_make_the_population() {
    let of = |seed, now| {
        let sandbox = sandbox(seed, now);
        (sandbox.populate(SMALL).unwrap(), sandbox.export_json().unwrap())
    };
    let base = of(1, "2026-09-01T10:00:00Z");
    assert_eq!(of(1, "2026-09-01T10:00:00Z"), base);
    assert_ne!(of(2, "2026-09-01T10:00:00Z").0, base.0);
    assert_ne!(of(1, "2026-09-02T10:00:00Z").0, base.0);
}

/// tests/c/state.c and tests/python/test_population.py expect the same.
#[test]
fn it_is_the_same_in_every_language() {
    let sandbox = sandbox(1, "2026-09-01T10:00:00Z");
    let report = sandbox
        .populate(PopulationPlan { persons: 2, companies: 1, months: 1, ..PopulationPlan::DEFAULT })
        .unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let numbers: Vec<_> =
        rows(&report, "customers").iter().map(|customer| &customer["customerNumber"]).collect();
    assert_eq!(numbers, ["20888801732", "22839218048", "334435946"]);
    assert_eq!((&report["transactions"], &report["cardTransactions"]), (&54.into(), &60.into()));
    assert_eq!(report["customers"][0]["accounts"][0]["balance"], "49317.15");
}

#[test]
fn a_second_population_is_another_one() {
    let sandbox = sandbox(1, "2026-09-01T10:00:00Z");
    let report = [(); 2].map(|()| sandbox.populate(SMALL).unwrap());
    let report = report.map(|report| serde_json::from_str::<Value>(&report).unwrap());
    assert_ne!(
        rows(&report[0], "customers")[0]["customerNumber"],
        rows(&report[1], "customers")[0]["customerNumber"]
    );
}

#[test]
fn what_is_beyond_the_limits_leaves_nothing() {
    let world = World::new();
    let before = world.sandbox.export_json().unwrap();
    let plan =
        |persons, companies, months| PopulationPlan { persons, companies, months, ..PopulationPlan::DEFAULT };
    for (plan, named) in [
        (plan(100_001, 0, 0), "`persons`: 100001 is more than 100000"),
        (plan(u64::MAX, 0, 0), "`persons`: 18446744073709551615 is more than 100000"),
        (plan(0, 10_001, 0), "`companies`: 10001 is more than 10000"),
        (plan(1, 0, 121), "`months`: 121 is more than 120"),
        (plan(2_000, 1, 120), "customers times `months`: 240120"),
    ] {
        match world.sandbox.populate(plan) {
            Err(Error::Misuse(text)) => assert!(text.starts_with(named), "{text}"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(world.sandbox.export_json().unwrap(), before);
}

/// A trigger simulates a disk that is full when customers and accounts are written, and not for bookings.
#[test]
fn what_fails_half_way_leaves_nothing_and_draws_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str| {
        let now = Some("2026-09-01T10:00:00Z".parse().unwrap());
        let database = Some(folder.path().join(name));
        Sandbox::open(&SandboxOptions { now, database, ..SandboxOptions::default() }).unwrap()
    };
    let (sandbox, other) = (open("bank.db"), open("other.db"));
    let before = sandbox.export_json().unwrap();
    let file = rusqlite::Connection::open(folder.path().join("bank.db")).unwrap();
    let trigger =
        "CREATE TRIGGER full BEFORE INSERT ON sandbox_transaction BEGIN SELECT RAISE(ABORT, 'full'); END";
    file.execute_batch(trigger).unwrap();
    assert!(matches!(sandbox.populate(SMALL), Err(Error::Store(_) | Error::Record(_))));
    assert_eq!(sandbox.export_json().unwrap(), before);
    assert!(sandbox.journal().is_empty());
    file.execute_batch("DROP TRIGGER full").unwrap();
    assert_eq!(sandbox.populate(SMALL).unwrap(), other.populate(SMALL).unwrap());
    assert_eq!(sandbox.journal().len(), 1);
}

#[test]
fn a_history_begins_with_the_year_1_at_the_earliest() {
    let sandbox = sandbox(1, "0002-01-15T10:00:00Z");
    let of = |months| sandbox.populate(PopulationPlan { months, ..SMALL });
    assert!(matches!(of(13), Err(Error::Misuse(text)) if text.contains("the year 1")));
    assert!(of(12).is_ok());
    assert_eq!(sandbox.reconcile_json().unwrap(), "[]");
}

#[test]
fn a_population_of_zero_persons_or_zero_months_is_valid() {
    let sandbox = sandbox(1, "2026-09-01T10:00:00Z");
    let unknown = sandbox
        .populate(PopulationPlan { persons: 0, companies: 0, months: 12, ..PopulationPlan::DEFAULT })
        .unwrap();
    let empty = r#""transactions":0,"cardTransactions":0,"customers":[],"agreements":[]}"#;
    assert_eq!(unknown, format!("{{\"from\":\"2025-09-01\",{empty}"));
    let report = sandbox.populate(PopulationPlan { months: 0, ..SMALL }).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!((&report["from"], &report["transactions"]), (&Value::Null, &0.into()));
    assert_eq!(rows(&report, "customers").len(), 6);
}

#[test]
fn a_person_acts_for_every_company_if_there_are_persons() {
    let sandbox = sandbox(1, "2026-09-01T10:00:00Z");
    for (persons, agreements) in [(0, 0), (1, 100), (3, 100)] {
        let report = sandbox
            .populate(PopulationPlan { persons, companies: 100, months: 1, ..PopulationPlan::DEFAULT })
            .unwrap();
        let report: Value = serde_json::from_str(&report).unwrap();
        assert_eq!(rows(&report, "agreements").len(), agreements);
    }
    assert_eq!(sandbox.reconcile_json().unwrap(), "[]");
}

/// All ids come from one stream: other calls go on while a population is created.
#[test]
fn concurrent_calls_get_ids_of_their_own() {
    let world = World::new();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let calls = scope.spawn(|| {
            let mut created = 0;
            while !is_done.load(Ordering::Acquire) {
                let order = json!({ "customerNumber": PAYER, "currency": "NOK" }).to_string();
                let answer = world.call("POST", "/v1/sandbox/accounts", &[], order.as_bytes());
                assert_eq!(answer.status(), 201, "{}", String::from_utf8_lossy(answer.body()));
                created += 1;
            }
            created
        });
        for _ in 0..4 {
            world
                .sandbox
                .populate(PopulationPlan { persons: 60, companies: 5, months: 3, ..PopulationPlan::DEFAULT })
                .unwrap();
        }
        is_done.store(true, Ordering::Release);
        assert!(calls.join().unwrap() > 0);
    });
    world.assert_reconciled();
}

/// With every policy, card amounts are converted exactly, and no card is beyond its limit.
#[test]
fn cards_are_used_at_the_rates_of_the_bank() {
    for rate in ["0.0000000001", "0.0001", "1", "300", "1000000000000000", "10000000000000000"] {
        let world = World::with_policy(&format!(r#"{{"rates": {{"EUR": "{rate}", "SEK": "{rate}"}}}}"#));
        world
            .sandbox
            .populate(PopulationPlan { persons: 60, companies: 0, months: 3, ..PopulationPlan::DEFAULT })
            .unwrap();
        world.assert_reconciled();
        let state: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
        never_overdrawn(&state);
        let rate: Decimal = rate.parse().unwrap();
        let uses = rows(&state, "cardTransactions");
        let mut exchanged = 0;
        for line in rows(&state, "transactions").iter().filter(|line| line["exchangeTarget"] == "EUR") {
            let used = uses.iter().find(|used| used["transaction"] == line["id"]).unwrap();
            let original: Decimal = text(used, "/originalAmount").parse().unwrap();
            let rounding = RoundingStrategy::MidpointAwayFromZero;
            let in_kroner = (original * rate).round_dp_with_strategy(2, rounding);
            assert_eq!(text(line, "/amount").parse::<Decimal>().unwrap(), -in_kroner, "{line}");
            assert_eq!(text(line, "/exchangeRate").parse::<Decimal>().unwrap(), rate);
            exchanged += 1;
        }
        // Too small for an øre, or too large for the card: there is no use of it.
        let is_usable = (Decimal::new(1, 4)..Decimal::from(10_000)).contains(&rate);
        assert_eq!(exchanged > 0, is_usable, "{rate}: {exchanged}");
    }
}

/// Months of every length and beginning, leap days, clocks before and behind all identity numbers.
#[test]
fn every_clock_has_a_population() {
    for (now, from, until) in [
        ("2026-03-01T10:00:00Z", "2025-12-01", "2026-02-27"),
        ("2026-03-14T10:00:00Z", "2025-12-01", "2026-03-13"),
        ("2026-03-15T10:00:00Z", "2025-12-01", "2026-03-13"),
        ("2026-03-16T10:00:00Z", "2025-12-01", "2026-03-13"),
        ("2026-03-17T10:00:00Z", "2025-12-01", "2026-03-16"),
        // In Oslo it is April.
        ("2026-03-31T22:30:00Z", "2026-01-01", "2026-03-31"),
        ("2024-02-29T10:00:00Z", "2023-11-01", "2024-02-28"),
        ("1950-06-01T10:00:00Z", "1950-03-01", "1950-05-31"),
        ("2080-06-01T10:00:00Z", "2080-03-01", "2080-05-31"),
        ("9999-12-31T22:30:00Z", "9999-09-01", "9999-12-30"),
    ] {
        let sandbox = sandbox(1, now);
        for _ in 0..2 {
            let report = sandbox
                .populate(PopulationPlan { persons: 12, companies: 2, months: 3, ..PopulationPlan::DEFAULT })
                .unwrap();
            assert!(report.starts_with(&format!("{{\"from\":\"{from}\"")), "{report}");
        }
        assert_eq!(sandbox.reconcile_json().unwrap(), "[]", "{now}");
        let state: Value = serde_json::from_str(&sandbox.export_json().unwrap()).unwrap();
        never_overdrawn(&state);
        let mut days: Vec<&str> =
            rows(&state, "transactions").iter().map(|line| text(line, "/bookingDate")).collect();
        days.sort_unstable();
        assert_eq!((days.first().copied(), days.last().copied()), (Some(from), Some(until)), "{now}");
    }
}
