//! One open session per TPP, PSU and context.

use super::samples::{
    acting, acting_for, authorisation, open_session, session, session_by, time, OTHER_TPP, TPP,
};
use super::Backend;
use crate::sca::record::{Authorisation, Purpose};
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
    for kept in [session(TPP, "s", 1, 0), corporate, session(OTHER_TPP, "s", 3, 1), session_by("t", 3)] {
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
    open(&*store, session_by("first", 2));
    assert_eq!(store.sca().session(TPP, "first").unwrap(), Some(session_by("first", 2)));
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

/// Whether the store opens the session, in agreement with what it answers before.
fn opens(store: &dyn Store, session: Session) -> bool {
    let is_outdated = store.sca().is_session_outdated(&session).unwrap();
    let outcome = store.commit(&[Write::OpenSession(session)]).unwrap();
    let expected = if is_outdated { CommitOutcome::VersionConflict } else { CommitOutcome::Applied };
    assert_eq!(outcome, expected);
    !is_outdated
}

pub(crate) fn an_sca_of_before_the_replacement_opens_nothing(backend: &impl Backend) {
    let store = backend.node();
    let begin = |number| {
        let begun = Authorisation { purpose: Purpose::Consent, ..authorisation(number, 1) };
        assert_eq!(store.commit(&[Write::InsertAuthorisation(begun)]).unwrap(), CommitOutcome::Applied);
    };
    open(&*store, session_by("old", 1));
    (1..=3).for_each(begin);
    open(&*store, session_by("new", 2));
    begin(4);
    for (sca, expected) in [(1, false), (3, false), (4, true)] {
        assert_eq!(opens(&*store, session_by("old", sca)), expected, "{sca}");
    }
}

pub(crate) fn of_two_new_ids_the_one_of_the_later_sca_is_open(backend: &impl Backend) {
    let store = backend.node();
    open(&*store, session_by("b", 2));
    assert!(!opens(&*store, session_by("a", 1)), "an SCA that began before");
    assert_eq!(is_replaced(&*store, TPP, "b"), Some(false));
    assert_eq!(is_replaced(&*store, TPP, "a"), None);
    // The same id again, by a later SCA: it is as new as it was.
    open(&*store, session_by("b", 4));
    assert!(opens(&*store, session_by("c", 3)), "an SCA that began after");
    assert_eq!(is_replaced(&*store, TPP, "b"), Some(true));
    // Those of another PSU, context or TPP are compared with their own.
    for other in [
        session(TPP, "of person", 2, 0),
        Session { psu: acting_for(1, 1), ..session(TPP, "of company", 1, 0) },
        session(OTHER_TPP, "of tpp", 1, 0),
        // The id of a replaced session, for another PSU.
        session(TPP, "b", 2, 0),
    ] {
        assert!(opens(&*store, other.clone()), "{}", other.id);
    }
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
