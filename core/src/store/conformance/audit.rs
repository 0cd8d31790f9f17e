//! The audit only grows, and is read in the order of time.

use std::ops::Range;

use chrono::{DateTime, Utc};

use super::samples::{audited, event, fully_audited, insert, payment, time, TPP};
use super::Backend;
use crate::audit::kind::AuditKind;
use crate::audit::record::AuditEvent;
use crate::store::{AuditLine, CommitOutcome, Store, Write};

/// More lines than any test writes.
const ALL: usize = 1_000;

fn from_to(from: i64, to: i64) -> Range<DateTime<Utc>> {
    time(from)..time(to)
}

fn append(store: &dyn Store, events: &[AuditEvent]) {
    let writes: Vec<_> = events.iter().cloned().map(Write::AppendAudit).collect();
    assert_eq!(store.commit(&writes).unwrap(), CommitOutcome::Applied);
}

/// What was noted, without the positions.
fn noted(store: &dyn Store, range: &Range<DateTime<Utc>>) -> Vec<AuditEvent> {
    let lines = store.audit().audit_lines(range, None, ALL).unwrap().into_iter();
    lines
        .filter_map(|line| match line {
            AuditLine::Noted { event, .. } => Some(event),
            AuditLine::Payment { .. } => None,
        })
        .collect()
}

pub(crate) fn every_field_comes_back(backend: &impl Backend) {
    let store = backend.node();
    append(&*store, &[fully_audited(0)]);
    assert!(noted(&*backend.node(), &from_to(0, 1)) == [fully_audited(0)]);
}

pub(crate) fn absent_fields_stay_absent(backend: &impl Backend) {
    let store = backend.node();
    append(&*store, &[audited(0)]);
    assert!(noted(&*store, &from_to(0, 1)) == [audited(0)]);
}

pub(crate) fn every_kind_comes_back(backend: &impl Backend) {
    let store = backend.node();
    let events: Vec<_> = AuditKind::ALL.iter().map(|kind| AuditEvent { kind: *kind, ..audited(0) }).collect();
    append(&*store, &events);
    assert!(noted(&*store, &from_to(0, 1)) == events);
}

pub(crate) fn the_start_of_the_range_is_in_it_and_its_end_is_not(backend: &impl Backend) {
    let store = backend.node();
    append(&*store, &[-1, 0, 1, 2].map(audited));
    assert!(noted(&*store, &from_to(0, 2)) == [audited(0), audited(1)]);
    assert!(noted(&*store, &from_to(0, 0)).is_empty());
    assert!(noted(&*store, &from_to(2, 0)).is_empty());
    let (earliest, latest) = (DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC);
    assert_eq!(noted(&*store, &(earliest..latest)).len(), 4);

    // The same for the histories of payments.
    store.commit(&[insert(payment(1))]).unwrap();
    store.commit(&[9, 10, 11, 12].map(|at| Write::AppendEvent(event(1, at, "a")))).unwrap();
    let read = store.audit().audit_lines(&from_to(10, 12), None, ALL).unwrap();
    assert_eq!(read.iter().map(|line| line.position().at).collect::<Vec<_>>(), [time(10), time(11)]);
}

pub(crate) fn lines_of_one_moment_keep_their_order_and_precede_histories(backend: &impl Backend) {
    let store = backend.node();
    let named = |at, cause: &str| AuditEvent { cause: cause.into(), ..audited(at) };
    store.commit(&[insert(payment(1)), insert(payment(2))]).unwrap();
    store
        .commit(&[Write::AppendEvent(event(2, 1, "of 2")), Write::AppendEvent(event(1, 1, "of 1"))])
        .unwrap();
    append(&*store, &[named(2, "later")]);
    append(&*store, &[named(1, "c"), named(1, "a")]);
    append(&*store, &[named(1, "b")]);
    store.commit(&[Write::AppendEvent(event(1, 1, "of 1 again"))]).unwrap();
    let lines = store.audit().audit_lines(&from_to(0, 9), None, ALL).unwrap();
    let causes: Vec<_> = lines
        .iter()
        .map(|line| match line {
            AuditLine::Noted { event, .. } => event.cause.as_str(),
            AuditLine::Payment { tpp, event, .. } => {
                assert_eq!(tpp.as_ref(), TPP);
                event.cause.as_str()
            }
        })
        .collect();
    assert_eq!(causes, ["c", "a", "b", "of 1", "of 1 again", "of 2", "later"]);
    assert!(lines.windows(2).all(|pair| pair[0].position() < pair[1].position()));
}

pub(crate) fn pages_of_any_size_return_every_line_once(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[insert(payment(1)), insert(payment(2))]).unwrap();
    for at in [0, 0, 1, 3, 3] {
        append(&*store, &[audited(at), audited(at)]);
        store
            .commit(&[Write::AppendEvent(event(1, at, "a")), Write::AppendEvent(event(2, at + 1, "b"))])
            .unwrap();
    }
    let whole = store.audit().audit_lines(&from_to(0, 9), None, ALL).unwrap();
    assert_eq!(whole.len(), 20);
    for size in [1, 2, 3, 7, 20, 21] {
        let mut read = Vec::new();
        loop {
            let after = read.last().map(AuditLine::position);
            let page = store.audit().audit_lines(&from_to(0, 9), after, size).unwrap();
            assert!(page.len() <= size);
            if page.is_empty() {
                break;
            }
            read.extend(page);
        }
        assert!(read == whole, "pages of {size}");
    }
    assert!(store.audit().audit_lines(&from_to(0, 9), None, 0).unwrap().is_empty());
}

pub(crate) fn a_line_of_a_lost_commit_is_not_returned(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[insert(payment(1))]).unwrap();
    let lost = store.commit(&[Write::AppendAudit(audited(0)), insert(payment(1))]).unwrap();
    assert_eq!(lost, CommitOutcome::VersionConflict);
    assert!(noted(&*store, &from_to(0, 9)).is_empty());
}
