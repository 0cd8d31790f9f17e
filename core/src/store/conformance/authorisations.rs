//! Authorisations are kept as they are, and change one version at a time.

use std::sync::Arc;

use super::samples::{
    authorisation, authorisation_id, full_authorisation, insert, payment, payment_id, time, OTHER_TPP,
};
use super::Backend;
use crate::sca::machine::ScaStatus;
use crate::sca::record::{Authorisation, Purpose};
use crate::store::{CommitOutcome, Store, Write};

/// A node with two payments to authorise.
fn node(backend: &impl Backend) -> Arc<dyn Store> {
    let store = backend.node();
    store.commit(&[insert(payment(1)), insert(payment(2))]).unwrap();
    store
}

fn add(store: &dyn Store, authorisation: Authorisation) -> CommitOutcome {
    store.commit(&[Write::InsertAuthorisation(authorisation)]).unwrap()
}

pub(crate) fn every_field_comes_back(backend: &impl Backend) {
    let store = node(backend);
    assert_eq!(add(&*store, full_authorisation(7, 1)), CommitOutcome::Applied);
    assert_eq!(store.sca().authorisation(&authorisation_id(7)).unwrap(), Some(full_authorisation(7, 1)));
}

pub(crate) fn absent_fields_stay_absent(backend: &impl Backend) {
    let store = node(backend);
    assert_eq!(add(&*store, authorisation(7, 1)), CommitOutcome::Applied);
    assert_eq!(store.sca().authorisation(&authorisation_id(7)).unwrap(), Some(authorisation(7, 1)));
}

pub(crate) fn an_unknown_authorisation_is_none(backend: &impl Backend) {
    let store = node(backend);
    add(&*store, authorisation(7, 1));
    assert_eq!(store.sca().authorisation(&authorisation_id(8)).unwrap(), None);
}

pub(crate) fn an_id_is_taken_once(backend: &impl Backend) {
    let store = node(backend);
    add(&*store, authorisation(7, 1));
    assert_eq!(add(&*store, full_authorisation(7, 2)), CommitOutcome::VersionConflict);
    assert_eq!(store.sca().authorisation(&authorisation_id(7)).unwrap(), Some(authorisation(7, 1)));
}

pub(crate) fn an_update_replaces_every_field(backend: &impl Backend) {
    let store = node(backend);
    add(&*store, authorisation(7, 1));
    let purpose = Purpose::Payment(payment_id(2));
    let full = Authorisation { version: 2, tpp: OTHER_TPP.into(), purpose, ..full_authorisation(7, 1) };
    let bare_again = Authorisation { version: 3, status: ScaStatus::Failed, ..authorisation(7, 1) };
    for next in [full, bare_again] {
        let updated = store.commit(&[Write::UpdateAuthorisation(next.clone())]).unwrap();
        assert_eq!(updated, CommitOutcome::Applied);
        assert_eq!(store.sca().authorisation(&authorisation_id(7)).unwrap(), Some(next));
    }
}

pub(crate) fn an_update_needs_the_version_right_before_it(backend: &impl Backend) {
    let store = node(backend);
    add(&*store, authorisation(7, 1));
    for (id, version) in [(7, 0), (7, 1), (7, 3), (8, 1), (8, 2)] {
        let stale = Authorisation { version, ..full_authorisation(id, 1) };
        let updated = store.commit(&[Write::UpdateAuthorisation(stale)]).unwrap();
        assert_eq!(updated, CommitOutcome::VersionConflict, "{id} {version}");
    }
    assert_eq!(store.sca().authorisation(&authorisation_id(7)).unwrap(), Some(authorisation(7, 1)));
}

pub(crate) fn those_of_long_ago_are_forgotten_answered_or_not(backend: &impl Backend) {
    let store = node(backend);
    let created = |number, micros| Authorisation { created_at: time(micros), ..authorisation(number, 1) };
    let failed = Authorisation { status: ScaStatus::Failed, ..created(3, 9) };
    let finalised = Authorisation { status: ScaStatus::Finalised, ..created(4, 11) };
    for each in [created(1, 10), created(2, 11), failed, finalised] {
        assert_eq!(add(&*store, each), CommitOutcome::Applied);
    }
    assert_eq!(store.sca().purge_authorisations(time(10), 9).unwrap(), 2);
    for (number, is_kept) in [(1, false), (2, true), (3, false), (4, true)] {
        let found = store.sca().authorisation(&authorisation_id(number)).unwrap();
        assert_eq!(found.is_some(), is_kept, "{number}");
    }
}

pub(crate) fn as_many_are_forgotten_at_a_time_as_may_be(backend: &impl Backend) {
    let store = node(backend);
    for number in 1..=4 {
        let created_at = time(if number == 3 { 11 } else { 10 });
        add(&*store, Authorisation { created_at, ..authorisation(number, 1) });
    }
    let is_there = |number: &u8| store.sca().authorisation(&authorisation_id(*number)).unwrap().is_some();
    for (forgotten, others) in [(2, 2), (1, 1), (0, 1)] {
        assert_eq!(store.sca().purge_authorisations(time(10), 2).unwrap(), forgotten);
        assert_eq!((1..=4).filter(is_there).count(), others);
    }
    assert!(is_there(&3));
}
