//! The figures for Prometheus, compared with what the test itself counts.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use xs2a::bank::PaymentStatus;
use xs2a::{Engine, Response};

use crate::setup::{Mood, Setup};
use crate::world::*;

/// Each series by its name with labels.
fn series(engine: &Engine) -> BTreeMap<String, f64> {
    let text = engine.metrics().unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("{line}"));
            (name.to_owned(), value.parse().unwrap())
        })
        .collect()
}

/// What a test has seen.
#[derive(Default)]
struct Seen {
    requests: BTreeMap<String, f64>,
    refusals: BTreeMap<String, f64>,
    seconds: BTreeMap<String, f64>,
}

impl Seen {
    fn note(&mut self, answer: &Response) {
        let operation = answer.operation().unwrap_or("unknown");
        let request =
            format!("xs2a_requests_total{{operation=\"{operation}\",status=\"{}\"}}", answer.status());
        *self.requests.entry(request).or_default() += 1.0;
        if let Some(reason) = answer.reason() {
            *self.refusals.entry(format!("xs2a_refusals_total{{reason=\"{reason}\"}}")).or_default() += 1.0;
        }
        let sum = format!("xs2a_request_duration_seconds_sum{{operation=\"{operation}\"}}");
        *self.seconds.entry(sum).or_default() += answer.timing().total_micros as f64 / 1e6;
    }
}

fn of(series: &BTreeMap<String, f64>, name: &str) -> BTreeMap<String, f64> {
    series
        .iter()
        .filter(|(found, _)| found.starts_with(name))
        .map(|(name, value)| (name.clone(), *value))
        .collect()
}

#[test]
fn requests_refusals_and_times_are_those_of_the_answers() {
    let setup = Setup::new();
    let mut seen = Seen::default();
    let created = setup.create();
    let path = text(&accepted(&created), "/_links/self/href").to_owned();
    seen.note(&created);
    let headers = [("TPP-Redirect-URI", REDIRECT_URI)];
    for target in [path.as_str(), path.as_str(), "/v1/nowhere", "/v1/accounts", &format!("{path}/status")] {
        seen.note(&setup.call("GET", target, &headers, b""));
    }
    setup.bank.feel("fee", Mood::Failing);
    seen.note(&setup.create());
    setup.bank.feel("fee", Mood::Panicking);
    seen.note(&setup.create());
    let found = series(&setup.engine);
    assert_eq!(of(&found, "xs2a_requests_total"), seen.requests);
    assert_eq!(of(&found, "xs2a_refusals_total"), seen.refusals);
    for (name, expected) in &seen.seconds {
        assert!((found[name] - expected).abs() < 1e-6, "{name}: {} {expected}", found[name]);
    }
    let all: f64 = seen.requests.values().sum();
    for histogram in ["xs2a_bank_duration_seconds", "xs2a_store_duration_seconds"] {
        assert_eq!(found[&format!("{histogram}_count")], all);
        assert_eq!(found[&format!("{histogram}_bucket{{le=\"+Inf\"}}")], all);
    }
}

#[test]
fn the_outbox_is_counted_when_the_figures_are_read() {
    let setup = Setup::new();
    let state = |setup: &Setup| {
        let found = series(&setup.engine);
        let names = ["xs2a_outbox_orders", "xs2a_outbox_overdue_seconds", "xs2a_dead_letters"];
        names.map(|name| found[name])
    };
    assert_eq!(state(&setup), [0.0, 0.0, 0.0]);
    (0..3).for_each(|_| drop(setup.ordered()));
    setup.wait(TimeDelta::seconds(7));
    assert_eq!(state(&setup), [3.0, 7.0, 0.0]);
    setup.bank.answer.lock().status = PaymentStatus::Rcvd;
    setup.engine.run_due().unwrap();
    assert_eq!(state(&setup), [0.0, 0.0, 3.0]);
}

#[test]
fn certificates_evidence_and_health_are_figures_too() {
    let setup = Setup::new();
    let path = text(&accepted(&setup.create()), "/_links/self/href").to_owned();
    setup.call("GET", &path, &[("TPP-Redirect-URI", REDIRECT_URI)], b"");
    let found = series(&setup.engine);
    let expiry = "xs2a_certificate_expiry_timestamp_seconds{certificate=\"trust_anchor\"}";
    assert_eq!(found[expiry], at("2030-01-01T00:00:00Z").timestamp() as f64);
    assert_eq!((found["xs2a_evidence_lines_waiting"], found["xs2a_healthy"]), (1.0, 1.0));
    // There is neither a seal nor a list nor a pool.
    let absent = ["\"seal\"", "crl", "connections"];
    assert!(!found.keys().any(|name| absent.iter().any(|part| name.contains(part))), "{found:?}");
}

#[test]
fn every_figure_has_a_row_in_the_guide() {
    let guide = include_str!("../../../docs/guide/gateway.md");
    let text = Setup::new().engine.metrics().unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    let names: Vec<_> = names.collect();
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        assert!(guide.contains(&format!("`{name}`")), "{name}");
    }
}
