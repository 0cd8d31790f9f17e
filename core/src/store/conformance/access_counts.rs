//! Calls without the PSU are counted per TPP, PSU, account, operation and day.

use chrono::Days;

use super::samples::{count_access, counted, psu, OTHER_TPP};
use super::Backend;
use crate::store::{CommitOutcome, CountedAccess, Store};

fn outcomes(store: &dyn Store, counted: &CountedAccess, times: usize) -> Vec<CommitOutcome> {
    (0..times).map(|_| store.commit(&[count_access(counted, 4)]).unwrap()).collect()
}

/// What differs from the usual in one thing each.
fn others() -> [CountedAccess; 5] {
    let usual = counted(1);
    [
        CountedAccess { tpp: OTHER_TPP.into(), ..usual.clone() },
        CountedAccess { psu: psu(9), ..usual.clone() },
        CountedAccess { account: "another".into(), ..usual.clone() },
        CountedAccess { operation: "another".into(), ..usual.clone() },
        CountedAccess { day: usual.day + Days::new(1), ..usual },
    ]
}

pub(crate) fn the_call_after_the_limit_is_refused_and_not_counted(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(store.quotas().access_count(&counted(1)).unwrap(), 0);
    let (done, exceeded) = (CommitOutcome::Applied, CommitOutcome::QuotaExceeded);
    assert_eq!(outcomes(&*store, &counted(1), 6), [done, done, done, done, exceeded, exceeded]);
    assert_eq!(store.quotas().access_count(&counted(1)).unwrap(), 4);
    assert_eq!(store.commit(&[count_access(&counted(2), 0)]).unwrap(), exceeded);
    assert_eq!(store.quotas().access_count(&counted(2)).unwrap(), 0);
}

pub(crate) fn everything_they_are_counted_by_counts_apart(backend: &impl Backend) {
    let store = backend.node();
    outcomes(&*store, &counted(1), 4);
    for other in others() {
        assert_eq!(store.quotas().access_count(&other).unwrap(), 0, "{other:?}");
        assert_eq!(outcomes(&*store, &other, 1), [CommitOutcome::Applied]);
        assert_eq!(store.quotas().access_count(&other).unwrap(), 1);
    }
    assert_eq!(store.quotas().access_count(&counted(1)).unwrap(), 4);
}

pub(crate) fn an_exceeded_limit_leaves_nothing_of_the_commit(backend: &impl Backend) {
    let store = backend.node();
    outcomes(&*store, &counted(1), 4);
    let [other, ..] = others();
    let writes = [count_access(&other, 4), count_access(&counted(1), 4)];
    assert_eq!(store.commit(&writes).unwrap(), CommitOutcome::QuotaExceeded);
    assert_eq!(store.quotas().access_count(&other).unwrap(), 0);
}

pub(crate) fn the_day_given_is_not_forgotten_and_the_days_before_are(backend: &impl Backend) {
    let store = backend.node();
    let today = counted(1);
    let yesterday = CountedAccess { day: today.day - Days::new(1), ..today.clone() };
    let counts = || [&yesterday, &today].map(|day| store.quotas().access_count(day).unwrap());
    outcomes(&*store, &yesterday, 2);
    outcomes(&*store, &today, 3);
    assert_eq!(store.quotas().purge_access_counts(yesterday.day, 9).unwrap(), 0);
    assert_eq!(counts(), [2, 3]);
    assert_eq!(store.quotas().purge_access_counts(today.day, 9).unwrap(), 1);
    assert_eq!(counts(), [0, 3]);
}

pub(crate) fn as_many_are_forgotten_at_a_time_as_may_be(backend: &impl Backend) {
    let store = backend.node();
    let days = [others().to_vec(), vec![counted(1)]].concat();
    let today = counted(1).day;
    for day in &days {
        outcomes(&*store, day, 1);
    }
    let left = || days.iter().filter(|day| store.quotas().access_count(day).unwrap() == 1).count();
    // One of the six is of the day after.
    for (forgotten, others) in [(3, 3), (2, 1), (0, 1)] {
        assert_eq!(store.quotas().purge_access_counts(today + Days::new(1), 3).unwrap(), forgotten);
        assert_eq!(left(), others);
    }
}
