//! The figures of one engine for Prometheus: counted since it was built, and its state when they are read.
//!
//! Every label has a value of this library's own tables, so that no TPP can make a series.

use std::time::Duration;

use prometheus::{
    Gauge, GaugeVec, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, Opts, Registry,
    TextEncoder,
};

use super::health::Health;
use crate::error::{Error, Result};
use crate::store::Connections;
use crate::wire::response::Response;

/// The operation of a request that matches no path.
const NO_OPERATION: &str = "unknown";

/// Upper bounds in seconds: from an answer out of memory to the 30 seconds after which EBA/GL/2018/07 counts an
/// interface as down.
const SECONDS: [f64; 15] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// What one engine has counted.
pub(super) struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    refusals: IntCounterVec,
    total: HistogramVec,
    bank: Histogram,
    store: Histogram,
    signatures: Histogram,
    unsigned: IntCounter,
}

impl Metrics {
    /// Figures of an engine that has answered nothing.
    pub(super) fn new() -> Result<Self> {
        Self::registered().map_err(internal)
    }

    fn registered() -> prometheus::Result<Self> {
        let registry = Registry::new();
        let counter = |name: &str, help: &str, labels: &[&str]| {
            let counter = IntCounterVec::new(Opts::new(name, help), labels)?;
            registry.register(Box::new(counter.clone()))?;
            Ok::<_, prometheus::Error>(counter)
        };
        let waiting = |name: &str, help: &str| {
            let histogram = Histogram::with_opts(seconds(name, help))?;
            registry.register(Box::new(histogram.clone()))?;
            Ok::<_, prometheus::Error>(histogram)
        };
        let total = HistogramVec::new(
            seconds("xs2a_request_duration_seconds", "From a request to its complete answer."),
            &["operation"],
        )?;
        registry.register(Box::new(total.clone()))?;
        let unsigned = IntCounter::new(
            "xs2a_unsigned_answers_total",
            "Answers that could not be signed and that a 500 took the place of.",
        )?;
        registry.register(Box::new(unsigned.clone()))?;
        Ok(Self {
            requests: counter(
                "xs2a_requests_total",
                "Answered requests by operation and HTTP status.",
                &["operation", "status"],
            )?,
            refusals: counter(
                "xs2a_refusals_total",
                "Refused requests by the id of the first reason.",
                &["reason"],
            )?,
            total,
            bank: waiting("xs2a_bank_duration_seconds", "How long a request waited for the bank.")?,
            store: waiting("xs2a_store_duration_seconds", "How long a request waited for the database.")?,
            signatures: waiting("xs2a_seal_duration_seconds", "How long the signature of an answer took.")?,
            unsigned,
            registry,
        })
    }

    /// Counts a signature of an answer.
    pub(super) fn count_signature(&self, taken: Duration, is_signed: bool) {
        self.signatures.observe(taken.as_secs_f64());
        if !is_signed {
            self.count_unsigned();
        }
    }

    /// Counts an answer that a 500 takes the place of, because it cannot be signed.
    pub(super) fn count_unsigned(&self) {
        self.unsigned.inc();
    }

    /// All figures in Prometheus' text format.
    pub(super) fn text(&self, state: &State) -> Result<String> {
        let mut families = self.registry.gather();
        families.append(&mut state.gathered().map_err(internal)?);
        TextEncoder::new().encode_to_string(&families).map_err(internal)
    }

    /// Counts an answer. The labels are as many as declared, so none of this fails.
    pub(super) fn count(&self, answer: &Response) {
        let operation = answer.operation().unwrap_or(NO_OPERATION);
        let status = answer.status().to_string();
        if let Ok(requests) = self.requests.get_metric_with_label_values(&[operation, &status]) {
            requests.inc();
        }
        if let Some(Ok(refusals)) =
            answer.reason().map(|reason| self.refusals.get_metric_with_label_values(&[reason]))
        {
            refusals.inc();
        }
        let timing = answer.timing();
        if let Ok(total) = self.total.get_metric_with_label_values(&[operation]) {
            total.observe(in_seconds(timing.total_micros));
        }
        self.bank.observe(in_seconds(timing.bank_micros));
        self.store.observe(in_seconds(timing.store_micros));
    }
}

fn seconds(name: &str, help: &str) -> HistogramOpts {
    HistogramOpts::new(name, help).buckets(SECONDS.to_vec())
}

fn in_seconds(micros: u64) -> f64 {
    micros as f64 / 1e6
}

fn internal(error: prometheus::Error) -> Error {
    Error::Internal(format!("metrics: {error}"))
}

/// What is read when the figures are.
pub(super) struct State {
    pub(super) health: Health,
    /// How many orders wait; `None` if they cannot be counted.
    pub(super) orders: Option<u64>,
    /// How many lines of evidence wait.
    pub(super) evidence: usize,
    pub(super) connections: Option<Connections>,
}

impl State {
    fn gathered(&self) -> prometheus::Result<Vec<prometheus::proto::MetricFamily>> {
        let registry = Registry::new();
        let gauge = |name: &str, help: &str, value: Option<f64>| {
            let Some(value) = value else { return Ok(()) };
            let gauge = Gauge::new(name, help)?;
            gauge.set(value);
            registry.register(Box::new(gauge))
        };
        let Self { health, .. } = self;
        gauge("xs2a_healthy", "1 if calls can be answered, else 0.", Some(f64::from(u8::from(health.ok))))?;
        let outbox = health.outbox.as_ref();
        gauge(
            "xs2a_outbox_orders",
            "Orders that wait for the bank, without dead letters.",
            self.orders.map(|orders| orders as f64),
        )?;
        gauge(
            "xs2a_outbox_overdue_seconds",
            "How long the oldest due order waits.",
            outbox.map(|outbox| outbox.overdue_seconds as f64),
        )?;
        gauge(
            "xs2a_dead_letters",
            "Dead letters, at most 1000.",
            outbox.map(|outbox| outbox.dead_letters as f64),
        )?;
        gauge(
            "xs2a_evidence_lines_waiting",
            "Evidence of reads that this engine keeps in memory.",
            Some(self.evidence as f64),
        )?;
        let lists = health.revocation_lists.as_ref().and_then(|lists| lists.next_update);
        gauge(
            "xs2a_crl_next_update_timestamp_seconds",
            "The earliest nextUpdate of the revocation lists.",
            lists.map(|time| time.timestamp() as f64),
        )?;
        registry.register(Box::new(self.certificates()?))?;
        if let Some(connections) = &self.connections {
            registry.register(Box::new(of_connections(connections)?))?;
        }
        Ok(registry.gather())
    }

    fn certificates(&self) -> prometheus::Result<GaugeVec> {
        let help = "When the first valid trust anchor, and the seal, expire.";
        let expiry =
            GaugeVec::new(Opts::new("xs2a_certificate_expiry_timestamp_seconds", help), &["certificate"])?;
        let anchor = self.health.trust_anchors.valid_until;
        let seal = self.health.seal.as_ref().map(|seal| seal.valid_until);
        for (name, time) in [("trust_anchor", anchor), ("seal", seal)] {
            if let Some(time) = time {
                expiry.get_metric_with_label_values(&[name])?.set(time.timestamp() as f64);
            }
        }
        Ok(expiry)
    }
}

fn of_connections(connections: &Connections) -> prometheus::Result<GaugeVec> {
    let opts = Opts::new("xs2a_store_connections", "Connections to the database, by state.");
    let gauges = GaugeVec::new(opts, &["state"])?;
    let Connections { idle, taken, max } = *connections;
    for (name, count) in [("idle", idle), ("taken", taken), ("max", max)] {
        gauges.get_metric_with_label_values(&[name])?.set(count as f64);
    }
    Ok(gauges)
}
