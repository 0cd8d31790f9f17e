//! One open session per TPP, PSU and context.

use super::samples::{acting, acting_for, open_session, session, time, OTHER_TPP, TPP};
use super::Backend;
use crate::session::record::Session;
use crate::store::{CommitOutcome, Store, Write};
use crate::types::Context;

fn open(store: &dyn Store, session: Session) {
    assert_eq!(store.commit(&[Write::OpenSession(session)]).unwrap(), CommitOutcome::Applied);
}

fn is_replaced(store: &dyn Store, tpp: &str, id: &str) -> Option<bool> {
    store.sca().session(tpp, id).unwrap().map(|session| session.is_replaced)
}

pub(crate) fn every_field_comes_back(backend: &impl Backend) {
    let store = backend.node();
    let corporate = Session { psu: acting_for(1, 2), ..session(TPP, "økt 2", 1, 7) };
    let replaced = Session { is_replaced: true, ..session(OTHER_TPP, "s", 3, 1) };
    for kept in [session(TPP, "s", 1, 0), corporate, replaced] {
        open(&*store, kept.clone());
        assert_eq!(store.sca().session(&kept.tpp, &kept.id).unwrap(), Some(kept));
    }
}

pub(crate) fn a_session_is_found_by_its_tpp_alone(backend: &impl Backend) {
    let store = backend.node();
    open(&*store, session(TPP, "s", 1, 0));
    assert_eq!(store.sca().session(OTHER_TPP, "s").unwrap(), None);
    assert_eq!(store.sca().session(TPP, "S").unwrap(), None);
}

pub(crate) fn a_new_session_replaces_those_of_the_same_tpp_psu_and_context(backend: &impl Backend) {
    let store = backend.node();
    open(&*store, session(TPP, "first", 1, 0));
    open(&*store, session(TPP, "other person", 2, 0));
    open(&*store, session(OTHER_TPP, "other tpp", 1, 0));
    open(&*store, Session { psu: acting_for(1, 1), ..session(TPP, "company", 1, 0) });
    open(&*store, Session { psu: acting_for(1, 2), ..session(TPP, "other company", 1, 0) });
    open(&*store, session(TPP, "second", 1, 1));
    for (tpp, id, expected) in [
        (TPP, "first", true),
        (TPP, "second", false),
        (TPP, "other person", false),
        (OTHER_TPP, "other tpp", false),
        (TPP, "company", true),
        (TPP, "other company", false),
    ] {
        assert_eq!(is_replaced(&*store, tpp, id), Some(expected), "{id}");
    }
}

pub(crate) fn an_id_that_is_opened_again_belongs_to_the_last_opener(backend: &impl Backend) {
    let store = backend.node();
    open(&*store, session(TPP, "first", 1, 0));
    open(&*store, session(TPP, "second", 1, 1));
    open(&*store, session(TPP, "first", 1, 2));
    assert_eq!(store.sca().session(TPP, "first").unwrap(), Some(session(TPP, "first", 1, 2)));
    assert_eq!(is_replaced(&*store, TPP, "second"), Some(true));
    open(&*store, session(TPP, "first", 2, 3));
    assert_eq!(store.sca().session(TPP, "first").unwrap().unwrap().psu, acting(2, Context::Private));
}

pub(crate) fn an_id_that_goes_to_another_leaves_no_open_session_behind(backend: &impl Backend) {
    let store = backend.node();
    open(&*store, session(TPP, "s", 1, 0));
    open(&*store, session(TPP, "s", 2, 1));
    open(&*store, session(TPP, "t", 1, 2));
    assert_eq!(store.sca().session(TPP, "s").unwrap(), Some(session(TPP, "s", 2, 1)));
}

pub(crate) fn a_lost_race_opens_nothing(backend: &impl Backend) {
    let store = backend.node();
    open(&*store, session(TPP, "first", 1, 0));
    let lost = [open_session(TPP, "second", 1, 1), super::samples::remember_psu(TPP, 1, 1)];
    store.commit(&[super::samples::remember_psu(TPP, 1, 1)]).unwrap();
    assert_eq!(store.commit(&lost).unwrap(), CommitOutcome::VersionConflict);
    assert_eq!(is_replaced(&*store, TPP, "first"), Some(false));
    assert_eq!(store.sca().session(TPP, "second").unwrap(), None);
    assert_eq!(store.sca().session(TPP, "first").unwrap().unwrap().opened_at, time(0));
}

pub(crate) fn those_of_long_ago_are_forgotten_some_at_a_time(backend: &impl Backend) {
    let store = backend.node();
    for (id, person, opened_at) in [("a", 1, 9), ("b", 2, 10), ("c", 3, 10), ("d", 4, 11)] {
        open(&*store, session(TPP, id, person, opened_at));
    }
    open(&*store, session(TPP, "opened again", 5, 9));
    open(&*store, session(TPP, "opened again", 5, 11));
    for forgotten in [2, 1, 0] {
        assert_eq!(store.sca().purge_sessions(time(10), 2).unwrap(), forgotten);
    }
    for (id, is_kept) in [("a", false), ("b", false), ("c", false), ("d", true), ("opened again", true)] {
        assert_eq!(store.sca().session(TPP, id).unwrap().is_some(), is_kept, "{id}");
    }
}
