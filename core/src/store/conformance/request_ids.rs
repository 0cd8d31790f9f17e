//! A request id counts once per TPP and window.

use chrono::{DateTime, Utc};

use super::samples::{request_id, time, uuid, OTHER_TPP, TPP};
use super::Backend;
use crate::store::{CommitOutcome, Store};
use crate::types::RequestId;

fn row(tpp: &str, number: u8, micros: i64) -> (String, RequestId, DateTime<Utc>) {
    (tpp.into(), uuid(number).into(), time(micros))
}

fn use_ids(store: &dyn Store, uses: &[(&str, u8, i64)]) {
    for (tpp, number, micros) in uses {
        assert_eq!(store.commit(&[request_id(tpp, *number, *micros)]).unwrap(), CommitOutcome::Applied);
    }
}

pub(crate) fn a_use_at_the_edge_of_the_window_is_a_replay(backend: &impl Backend) {
    let store = backend.node();
    use_ids(&*store, &[(TPP, 1, 0)]);
    for micros in [0, 1, 99, 100] {
        let again = store.commit(&[request_id(TPP, 1, micros)]).unwrap();
        assert_eq!(again, CommitOutcome::RequestReplayed, "{micros}");
    }
}

pub(crate) fn a_use_before_the_window_is_none_and_counts_again(backend: &impl Backend) {
    let store = backend.node();
    use_ids(&*store, &[(TPP, 1, 0), (TPP, 1, 101)]);
    assert_eq!(store.commit(&[request_id(TPP, 1, 201)]).unwrap(), CommitOutcome::RequestReplayed);
    use_ids(&*store, &[(TPP, 1, 202)]);
    assert_eq!(store.replay().used_request_ids(time(0), 9).unwrap(), [row(TPP, 1, 202)]);
}

pub(crate) fn two_tpps_may_use_one_id(backend: &impl Backend) {
    let store = backend.node();
    use_ids(&*store, &[(TPP, 1, 0), (OTHER_TPP, 1, 0), (TPP, 2, 0)]);
}

pub(crate) fn the_newest_are_listed_oldest_first(backend: &impl Backend) {
    let store = backend.node();
    use_ids(&*store, &[(TPP, 3, 30), (TPP, 1, 10), (OTHER_TPP, 4, 40), (TPP, 2, 20)]);
    let all = [row(TPP, 1, 10), row(TPP, 2, 20), row(TPP, 3, 30), row(OTHER_TPP, 4, 40)];
    assert_eq!(store.replay().used_request_ids(time(0), 4).unwrap(), all);
    assert_eq!(store.replay().used_request_ids(time(0), 2).unwrap(), all[2..]);
    assert_eq!(store.replay().used_request_ids(time(0), 0).unwrap(), []);
    assert_eq!(store.replay().used_request_ids(time(0), usize::MAX).unwrap(), all);
}

pub(crate) fn those_used_at_the_given_time_are_listed(backend: &impl Backend) {
    let store = backend.node();
    use_ids(&*store, &[(TPP, 1, 10)]);
    assert_eq!(store.replay().used_request_ids(time(10), 9).unwrap(), [row(TPP, 1, 10)]);
    assert_eq!(store.replay().used_request_ids(time(11), 9).unwrap(), []);
}

pub(crate) fn those_used_at_the_given_time_are_not_forgotten(backend: &impl Backend) {
    let store = backend.node();
    use_ids(&*store, &[(TPP, 1, 9), (TPP, 2, 10)]);
    store.replay().purge_request_ids(time(10), 9).unwrap();
    assert_eq!(store.replay().used_request_ids(time(0), 9).unwrap(), [row(TPP, 2, 10)]);
}

pub(crate) fn as_many_are_forgotten_at_a_time_as_may_be(backend: &impl Backend) {
    let store = backend.node();
    use_ids(&*store, &[(TPP, 1, 1), (OTHER_TPP, 2, 2), (TPP, 3, 10), (OTHER_TPP, 4, 3)]);
    let left = || store.replay().used_request_ids(time(0), 9).unwrap().len();
    for (forgotten, others) in [(2, 2), (1, 1), (0, 1)] {
        assert_eq!(store.replay().purge_request_ids(time(10), 2).unwrap(), forgotten);
        assert_eq!(left(), others);
    }
}
