//! The audit has a line for everything that happened, and none for anything else.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use serde_json::Value;
use xs2a::internal::from_micros;

use crate::model::Count;
use crate::world::World;

/// By what the lines of a kind are counted.
enum Subject {
    Id,
    Tpp,
    TppAndPsu,
    Nothing,
}

/// The kinds that are counted.
const KINDS: [(&str, Subject); 16] = [
    ("payment.created", Subject::Tpp),
    ("payment.cancelled", Subject::Id),
    ("payment.read", Subject::Id),
    ("order.dead-letter", Subject::Nothing),
    ("order.retried", Subject::Id),
    ("basket.created", Subject::Tpp),
    ("basket.authorised", Subject::Id),
    ("basket.deleted", Subject::Id),
    ("authorisation.started", Subject::Tpp),
    ("authorisation.finalised", Subject::Id),
    ("authorisation.failed", Subject::Id),
    ("consent.granted", Subject::TppAndPsu),
    ("consent.revoked", Subject::TppAndPsu),
    ("account.read", Subject::TppAndPsu),
    ("tpp.blocked", Subject::Tpp),
    ("tpp.unblocked", Subject::Tpp),
];

impl World {
    pub(crate) fn check_audit(&self) {
        let found = self.lines();
        let expected = self.model.lock().audit.clone();
        let keys: std::collections::BTreeSet<_> = expected.keys().chain(found.keys()).cloned().collect();
        for key in keys {
            let count: Count = expected.get(&key).copied().unwrap_or_default();
            let lines = found.get(&key).copied().unwrap_or_default();
            self.require(count.allows(lines), "audit: it has a line for everything that happened", || {
                format!("{key:?}: {lines} lines, expected {count:?}")
            });
        }
    }

    /// How many lines there are of each kind and subject.
    fn lines(&self) -> BTreeMap<(&'static str, String), usize> {
        let node = self.node(0);
        let end = from_micros(self.now()) + TimeDelta::days(2);
        let start = "2026-08-01T00:00:00Z".parse().unwrap();
        let mut found = BTreeMap::new();
        for line in node.engine.audit(start..end) {
            let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
            let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
            let event = text("event");
            let Some((kind, subject)) = KINDS.iter().find(|(kind, _)| *kind == event) else { continue };
            let subject = match subject {
                Subject::Id => text("id"),
                Subject::Tpp => text("tpp"),
                Subject::TppAndPsu => format!("{} {}", text("tpp"), text("psu")),
                Subject::Nothing => String::new(),
            };
            *found.entry((*kind, subject)).or_default() += 1;
        }
        found
    }
}
