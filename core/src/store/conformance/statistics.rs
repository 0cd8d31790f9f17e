//! Calls are added up by day, and outages are kept.

use chrono::{DateTime, NaiveDate, Utc};

use super::samples::{time, OTHER_TPP, TPP};
use super::Backend;
use crate::statistics::record::{CallEnd, CallSum, CountedCalls, DayCalls, Outage};
use crate::store::{CommitOutcome, Store, Write};

fn day(number: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 9, number).unwrap()
}

fn counted(tpp: &str, number: u32, operation: &'static str, end: CallEnd) -> CountedCalls {
    CountedCalls { day: day(number), tpp: tpp.into(), operation, end }
}

fn count(store: &dyn Store, counted: CountedCalls, calls: u64, micros: u64) {
    let write = Write::CountCalls { counted, sum: CallSum { calls, micros } };
    assert_eq!(store.commit(&[write]).unwrap(), CommitOutcome::Applied);
}

fn row(number: u32, operation: &str, end: CallEnd, calls: u64, micros: u64) -> DayCalls {
    DayCalls { day: day(number), operation: operation.to_owned(), end, sum: CallSum { calls, micros } }
}

fn note(store: &dyn Store, from: i64, to: i64) {
    let write = Write::NoteOutage(Outage { from: time(from), to: time(to) });
    assert_eq!(store.commit(&[write]).unwrap(), CommitOutcome::Applied);
}

fn listed(
    store: &dyn Store,
    from: i64,
    to: i64,
    after: Option<DateTime<Utc>>,
    limit: usize,
) -> Vec<[i64; 2]> {
    let outages = store.statistics().outages(&(time(from)..time(to)), after, limit).unwrap();
    let since = |at: DateTime<Utc>| (at - time(0)).num_microseconds().unwrap();
    outages.iter().map(|outage| [since(outage.from), since(outage.to)]).collect()
}

pub(crate) fn calls_of_all_nodes_are_added_up(backend: &impl Backend) {
    let (store, other) = (backend.node(), backend.node());
    let answered = || counted(TPP, 1, "getAccounts", CallEnd::Answered);
    count(&*store, answered(), 2, 30);
    count(&*other, answered(), 1, 12);
    count(&*other, counted(OTHER_TPP, 1, "getAccounts", CallEnd::Answered), 1, 1);
    count(&*store, counted(TPP, 1, "getAccounts", CallEnd::Refused), 1, 5);
    count(&*store, counted("", 2, "", CallEnd::Failed), 7, u64::from(u32::MAX));
    count(&*store, counted(TPP, 3, "createPayment", CallEnd::Answered), 1, 0);
    let days = |first, last, tpp| store.statistics().day_calls(day(first), day(last), tpp).unwrap();
    let [first, refused, failed] = [
        row(1, "getAccounts", CallEnd::Answered, 4, 43),
        row(1, "getAccounts", CallEnd::Refused, 1, 5),
        row(2, "", CallEnd::Failed, 7, u64::from(u32::MAX)),
    ];
    assert_eq!(days(1, 2, None), [first, refused.clone(), failed.clone()]);
    assert_eq!(days(2, 2, None), [failed]);
    assert_eq!(days(1, 2, Some(TPP)), [row(1, "getAccounts", CallEnd::Answered, 3, 42), refused]);
    assert_eq!(days(4, 5, None), []);
}

pub(crate) fn an_outage_is_kept_with_its_latest_end(backend: &impl Backend) {
    let store = backend.node();
    note(&*store, 10, 20);
    note(&*store, 10, 40);
    note(&*store, 10, 30);
    note(&*store, 60, 60);
    note(&*store, 50, 70);
    assert_eq!(listed(&*store, 0, 100, None, 9), [[10, 40], [50, 70], [60, 60]]);
    // The end of a range is not in it, and the end of an outage is not in the outage.
    assert_eq!(listed(&*store, 40, 50, None, 9), [] as [[i64; 2]; 0]);
    assert_eq!(listed(&*store, 39, 51, None, 9), [[10, 40], [50, 70]]);
    assert_eq!(listed(&*store, 0, 100, None, 1), [[10, 40]]);
    assert_eq!(listed(&*store, 0, 100, Some(time(10)), 1), [[50, 70]]);
}
