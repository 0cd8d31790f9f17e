//! The statistics of the interface, compared with a record that the test keeps itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use parking_lot::Mutex;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use serde_json::Value;
use xs2a::env::Clock;
use xs2a::policy::{Environment, Policy};
use xs2a::store::Store as _;
use xs2a::{DayStatistics, Engine, Error, Request, RequestFigures, Response};

use crate::setup::{node_by, quiet_policy, Mood, Setup, TPP};
use crate::world::*;

/// Before the day of 25 hours.
const SATURDAY: &str = "2026-10-24T20:00:00Z";

/// An engine that counts.
fn counting() -> Setup {
    Setup::with(|builder| builder.policy(Policy::new(Environment::Production)))
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn of(engine: &Engine, text: &str) -> DayStatistics {
    let [figures] = engine.statistics(day(text), day(text), None).unwrap().try_into().unwrap();
    figures
}

fn read_accounts(setup: &Setup) -> Response {
    setup.call("GET", "/v1/accounts", &[("TPP-Redirect-URI", REDIRECT_URI)], b"")
}

/// A call whose signature is of another request id.
fn call_forged(setup: &Setup, engine: &Engine, now: DateTime<Utc>, number: u128) -> Response {
    let headers = [("TPP-Redirect-URI", REDIRECT_URI)];
    let signed = setup.signer.sign("GET", "/v1/accounts", &headers, b"", now, number);
    let forged = format!("00000000-0000-4000-8000-{number:012x}");
    let replace = |(name, value): (String, String)| match name.eq_ignore_ascii_case("X-Request-ID") {
        true => (name, forged.clone()),
        false => (name, value),
    };
    let signed: Vec<_> = signed.into_iter().map(replace).collect();
    let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    let (method, target) = ("GET", "/v1/accounts");
    engine.handle(&Request { method, target, headers: &headers, body: b"", correlation_id: None })
}

/// What the test keeps of a call that counts.
#[derive(Debug)]
struct Seen {
    node: usize,
    at: DateTime<Utc>,
    operation: String,
    status: u16,
    micros: u64,
}

impl Seen {
    fn answered_at(&self) -> DateTime<Utc> {
        self.at + TimeDelta::microseconds(i64::try_from(self.micros).unwrap())
    }

    /// The day in Oslo, by the rule of 2026: summer time ends on 25 October at 01:00 UTC.
    fn day(&self) -> NaiveDate {
        let hours = if self.at < at("2026-10-25T01:00:00Z") { 2 } else { 1 };
        (self.at + TimeDelta::hours(hours)).date_naive()
    }
}

/// What the test expects of some calls: requests, refused, errors, and the microseconds of those answered.
fn counted<'s>(seen: impl Iterator<Item = &'s Seen>) -> (u64, u64, u64, u64) {
    seen.fold((0, 0, 0, 0), |(requests, refused, errors, micros), call| {
        let class = call.status / 100;
        let answered = if class == 2 { call.micros } else { 0 };
        (requests + 1, refused + u64::from(class == 4), errors + u64::from(class == 5), micros + answered)
    })
}

fn shown(figures: &RequestFigures) -> (u64, u64, u64, u64) {
    (figures.requests(), figures.refused, figures.errors, figures.answered.micros)
}

/// Every outage of a node: five or more failures in a row, until the answer to the next success, or the last failure.
fn outages(seen: &[Seen]) -> Vec<(DateTime<Utc>, DateTime<Utc>)> {
    let mut outages = Vec::new();
    for node in 0..2 {
        let calls: Vec<_> = seen.iter().filter(|call| call.node == node).collect();
        for part in calls.split_inclusive(|call| call.status < 500) {
            let failures = part.iter().filter(|call| call.status >= 500).count();
            if failures >= 5 {
                let ends = part[4..].iter().map(|call| call.answered_at());
                outages.push((part[0].at, ends.chain([part[0].at]).max().unwrap()));
            }
        }
    }
    outages
}

/// In how many seconds of a time at least one outage was: their borders cut the time, and each piece is looked at.
fn seconds_down(outages: &[(DateTime<Utc>, DateTime<Utc>)], from: DateTime<Utc>, to: DateTime<Utc>) -> f64 {
    let borders = outages.iter().flat_map(|(began, ended)| [*began, *ended]);
    let mut borders: Vec<_> = borders.chain([from, to]).filter(|at| (from..=to).contains(at)).collect();
    borders.sort();
    let pieces = borders.windows(2).filter(|piece| {
        let middle = piece[0] + (piece[1] - piece[0]) / 2;
        piece[0] < piece[1] && outages.iter().any(|(began, ended)| *began <= middle && middle < *ended)
    });
    pieces.map(|piece| (piece[1] - piece[0]).as_seconds_f64()).sum()
}

#[derive(Debug, Clone)]
enum Step {
    /// So many minutes pass, or the clock is set back.
    Wait(i64),
    /// A node creates payments, which fail or not.
    Create {
        node: usize,
        calls: usize,
        fails: bool,
    },
    /// A node is asked for accounts without a consent.
    Refused {
        node: usize,
    },
    /// A call of an unknown caller.
    Forged {
        node: usize,
    },
    RunDue {
        node: usize,
    },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let node = 0..2_usize;
    let step = prop_oneof![
        3 => (-2000..600_i64).prop_map(Step::Wait),
        4 => (node.clone(), 1..8_usize, any::<bool>())
            .prop_map(|(node, calls, fails)| Step::Create { node, calls, fails }),
        1 => node.clone().prop_map(|node| Step::Refused { node }),
        1 => node.clone().prop_map(|node| Step::Forged { node }),
        1 => node.prop_map(|node| Step::RunDue { node }),
    ];
    proptest::collection::vec(step, 1..24)
}

/// A clock that can be set back.
struct FreeClock(Mutex<DateTime<Utc>>);

impl Clock for FreeClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock()
    }
}

/// Calls a node, and keeps what counts.
struct Watched {
    setup: Setup,
    clock: Arc<FreeClock>,
    second: Engine,
    seen: Vec<Seen>,
    calls: u128,
}

impl Watched {
    fn new() -> Self {
        let clock = Arc::new(FreeClock(Mutex::new(at(SATURDAY))));
        let of_engine = Arc::clone(&clock) as Arc<dyn Clock>;
        let policy = Policy::new(Environment::Production);
        let setup = Setup::with(|builder| builder.policy(policy).clock(of_engine));
        let second = node_by(&setup, &clock, 60);
        Self { setup, clock, second, seen: Vec::new(), calls: 0 }
    }

    fn engine(&self, node: usize) -> &Engine {
        if node == 0 {
            &self.setup.engine
        } else {
            &self.second
        }
    }

    fn call(&mut self, node: usize, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) {
        self.calls += 1;
        let now = self.clock.now();
        let signed = self.setup.signer.sign(method, target, headers, body, now, 1_000_000 + self.calls);
        let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let request = Request { method, target, headers: &headers, body, correlation_id: None };
        let answer = self.engine(node).handle(&request);
        self.seen.push(Seen {
            node,
            at: now,
            operation: answer.operation().unwrap().to_owned(),
            status: answer.status(),
            micros: answer.timing().total_micros,
        });
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Wait(minutes) => *self.clock.0.lock() += TimeDelta::minutes(minutes),
            Step::Create { node, calls, fails } => {
                self.setup.bank.feel("fee", if fails { Mood::Failing } else { Mood::Well });
                let target = format!("{STRAKS}?allowLogicalDuplicate=true");
                for _ in 0..calls {
                    self.call(node, "POST", &target, &creation_headers(), straks().to_string().as_bytes());
                }
            }
            Step::Refused { node } => {
                self.call(node, "GET", "/v1/accounts", &[("TPP-Redirect-URI", REDIRECT_URI)], b"");
            }
            Step::Forged { node } => {
                self.calls += 1;
                let forged =
                    call_forged(&self.setup, self.engine(node), self.clock.now(), 1_000_000 + self.calls);
                assert_eq!(forged.reason(), Some("SIG-13"));
            }
            Step::RunDue { node } => drop(self.engine(node).run_due().unwrap()),
        }
    }

    /// Compares the figures of all days with those of the record.
    fn compare(&self) -> TestCaseResult {
        self.second.close().unwrap();
        let (first, last) = (day("2026-09-25"), day("2026-10-31"));
        let days = self.setup.engine.statistics(first, last, None).unwrap();
        prop_assert_eq!(days.len(), 37);
        let outages = outages(&self.seen);
        let mut begins = at("2026-09-24T22:00:00Z");
        for figures in days {
            let ends = begins + figures.length;
            let of_day = || self.seen.iter().filter(|call| call.day() == figures.day);
            prop_assert_eq!(shown(&figures.all), counted(of_day()), "{}", figures.day);
            let by_operation = |name| of_day().filter(move |call| call.operation == name);
            prop_assert_eq!(shown(&figures.aisp), counted(by_operation("getAccounts")));
            prop_assert_eq!(shown(&figures.pisp), counted(by_operation("createPayment")));
            let down = seconds_down(&outages, begins, ends);
            prop_assert!((figures.downtime_seconds() - down).abs() < 0.1, "{} {}", figures.day, down);
            begins = ends;
        }
        prop_assert_eq!(begins, at("2026-10-31T23:00:00Z"));
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// Two nodes, a clock that is set back, and a day of 25 hours.
    #[test]
    fn figures_are_those_of_a_record_of_all_calls(steps in steps()) {
        let mut watched = Watched::new();
        steps.iter().for_each(|step| watched.take(step));
        watched.compare()?;
    }
}

#[test]
fn four_failures_are_no_outage_and_five_are() {
    let setup = counting();
    setup.bank.feel("fee", Mood::Failing);
    for _ in 0..4 {
        assert_eq!(setup.create().status(), 500);
        setup.wait(TimeDelta::seconds(10));
    }
    assert_eq!(of(&setup.engine, "2026-09-01").downtime_seconds(), 0.0);
    assert_eq!(setup.create().status(), 500);
    setup.wait(TimeDelta::seconds(20));
    // A refusal is an answer.
    assert_eq!(read_accounts(&setup).status(), 401);
    let figures = of(&setup.engine, "2026-09-01");
    assert!((figures.downtime_seconds() - 60.0).abs() < 1.0, "{figures:?}");
    assert!((figures.uptime_percent() - (100.0 - 100.0 * 60.0 / 86_400.0)).abs() < 0.01, "{figures:?}");
    assert_eq!((figures.pisp.errors, figures.pisp.error_rate()), (5, Some(1.0)));
    assert_eq!((figures.aisp.refused, figures.aisp.mean_millis()), (1, None));
}

#[test]
fn an_outage_of_the_database_is_counted_when_it_is_over() {
    let setup = counting();
    setup.bank.feel("fee", Mood::Failing);
    *setup.store.mood.lock() = Mood::Failing;
    for _ in 0..5 {
        setup.create();
        setup.wait(TimeDelta::seconds(60));
    }
    assert!(matches!(setup.engine.close(), Err(Error::Store(_))));
    *setup.store.mood.lock() = Mood::Well;
    setup.bank.feel("fee", Mood::Well);
    assert_eq!(setup.create().status(), 201);
    let figures = of(&setup.engine, "2026-09-01");
    assert!((figures.downtime_seconds() - 300.0).abs() < 1.0, "{figures:?}");
    assert_eq!((figures.pisp.errors, figures.pisp.answered.calls), (5, 1));
}

#[test]
fn counts_wait_for_a_second_and_next_due_reports_them() {
    let setup = counting();
    let stored = || {
        let calls = setup.store.statistics().day_calls(day("2026-09-01"), day("2026-09-01"), None).unwrap();
        calls.iter().map(|calls| calls.sum.calls).sum::<u64>()
    };
    let began = setup.now();
    setup.create();
    setup.create();
    assert_eq!((stored(), setup.engine.next_due().unwrap()), (0, Some(began + TimeDelta::seconds(1))));
    setup.wait(TimeDelta::milliseconds(999));
    setup.create();
    assert_eq!(stored(), 0);
    setup.wait(TimeDelta::milliseconds(1));
    // The call itself is counted after its answer.
    setup.create();
    assert_eq!(stored(), 3);
    setup.engine.run_due().unwrap();
    assert_eq!((stored(), setup.engine.next_due().unwrap()), (4, None));
}

#[test]
fn without_the_policy_nothing_is_counted() {
    let setup = Setup::with(|builder| builder.policy(quiet_policy()));
    setup.create();
    assert_eq!(setup.engine.next_due().unwrap(), None);
    assert_eq!(of(&setup.engine, "2026-09-01").all.requests(), 0);
    assert!(Policy::new(Environment::Production).statistics && !Policy::new(Environment::Sandbox).statistics);
}

#[test]
fn figures_of_one_tpp_are_its_own() {
    let setup = counting();
    setup.create();
    let requests = |tpp| {
        let days = setup.engine.statistics(day("2026-09-01"), day("2026-09-01"), Some(tpp)).unwrap();
        days[0].all.requests()
    };
    assert_eq!((requests(TPP), requests("PSDNO-FSA-other")), (1, 0));
}

#[test]
fn json_and_csv_show_every_day() {
    let setup = counting();
    setup.create();
    read_accounts(&setup);
    let (first, last) = ("2026-08-31", "2026-09-01");
    let json: Value =
        serde_json::from_str(&setup.engine.statistics_json(first, last, None).unwrap()).unwrap();
    assert_eq!((text(&json, "/0/day"), text(&json, "/1/day")), (first, last));
    assert_eq!(json[0]["aisp"], serde_json::json!({ "requests": 0, "refused": 0, "errors": 0 }));
    assert_eq!((&json[1]["seconds"], &json[1]["uptimePercent"]), (&86_400.into(), &100.0.into()));
    assert_eq!(json[1]["operations"]["createPayment"], json[1]["pisp"]);
    let mean = json[1]["pisp"]["meanMillis"].as_f64().unwrap();
    let csv = setup.engine.statistics_csv(first, last, None).unwrap();
    let rows: Vec<Vec<_>> =
        csv.strip_suffix("\r\n").unwrap().split("\r\n").map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 3);
    let of_day = |row: usize| -> BTreeMap<_, _> { rows[0].iter().zip(&rows[row]).collect() };
    assert!(rows.iter().all(|row| row.len() == 18));
    let (first, last) = (of_day(1), of_day(2));
    let figures =
        |names: [&'static str; 3], of: &BTreeMap<&&str, &&str>| names.map(|name| (*of[&name]).to_owned());
    assert_eq!(figures(["day", "uptime_percent", "pisp_mean_ms"], &first), ["2026-08-31", "100.0000", ""]);
    let errors = figures(["aisp_refused", "pisp_requests", "pisp_error_percent"], &last);
    assert_eq!(errors, ["1", "1", "0.0000"]);
    assert_eq!(*last[&"pisp_mean_ms"], format!("{mean:.3}"));
}

#[test]
fn days_in_another_form_are_a_misuse() {
    let setup = counting();
    for (first, last) in [
        ("2026-9-1", "2026-09-02"),
        ("2026-09-01", "tomorrow"),
        ("2026-09-02", "2026-09-01"),
        ("2024-01-01", "2026-09-01"),
    ] {
        let refused = setup.engine.statistics_csv(first, last, None);
        assert!(matches!(refused, Err(Error::Misuse(_))), "{first} {last}");
    }
}
