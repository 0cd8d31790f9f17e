//! A TPP knows a person by one id, and a corporate customer by one id, the same for every person who acts for it.

use super::samples::{corporate, psu, remember_corporate, remember_psu, uuid, OTHER_TPP, TPP};
use super::Backend;
use crate::store::CommitOutcome::{Applied, VersionConflict};
use crate::store::{CommitOutcome, Store, Write};

fn commit(store: &dyn Store, write: Write) -> CommitOutcome {
    store.commit(&[write]).unwrap()
}

pub(crate) fn a_person_is_found_by_the_id_of_that_tpp_alone(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(commit(&*store, remember_psu(TPP, 1, 10)), Applied);
    assert_eq!(store.psus().psu_by_id(TPP, uuid(10)).unwrap(), Some(psu(1)));
    assert_eq!(store.psus().psu_id(TPP, &psu(1)).unwrap(), Some(uuid(10)));
    assert_eq!(store.psus().psu_by_id(OTHER_TPP, uuid(10)).unwrap(), None);
    assert_eq!(store.psus().psu_id(OTHER_TPP, &psu(1)).unwrap(), None);
    assert_eq!(store.psus().psu_by_id(TPP, uuid(11)).unwrap(), None);
    assert_eq!(store.psus().psu_id(TPP, &psu(2)).unwrap(), None);
}

pub(crate) fn a_person_has_one_id_per_tpp(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(commit(&*store, remember_psu(TPP, 1, 10)), Applied);
    assert_eq!(commit(&*store, remember_psu(TPP, 1, 11)), VersionConflict);
    assert_eq!(commit(&*store, remember_psu(OTHER_TPP, 1, 11)), Applied);
    assert_eq!(store.psus().psu_id(TPP, &psu(1)).unwrap(), Some(uuid(10)));
    assert_eq!(store.psus().psu_id(OTHER_TPP, &psu(1)).unwrap(), Some(uuid(11)));
}

pub(crate) fn an_id_means_one_person(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(commit(&*store, remember_psu(TPP, 1, 10)), Applied);
    assert_eq!(commit(&*store, remember_psu(TPP, 2, 10)), VersionConflict);
    assert_eq!(store.psus().psu_by_id(TPP, uuid(10)).unwrap(), Some(psu(1)));
}

pub(crate) fn a_corporate_customer_is_found_by_those_it_was_opened_to_alone(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(commit(&*store, remember_corporate(TPP, 1, 5, 50)), Applied);
    assert_eq!(store.psus().corporate_by_id(TPP, &psu(1), uuid(50)).unwrap(), Some(corporate(5)));
    assert_eq!(store.psus().corporate_by_id(TPP, &psu(2), uuid(50)).unwrap(), None);
    assert_eq!(store.psus().corporate_by_id(OTHER_TPP, &psu(1), uuid(50)).unwrap(), None);
    assert_eq!(store.psus().corporate_by_id(TPP, &psu(1), uuid(51)).unwrap(), None);
    assert_eq!(commit(&*store, remember_corporate(TPP, 2, 5, 50)), Applied);
    assert_eq!(store.psus().corporate_by_id(TPP, &psu(2), uuid(50)).unwrap(), Some(corporate(5)));
}

pub(crate) fn a_corporate_customer_has_one_id_per_tpp(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(commit(&*store, remember_corporate(TPP, 1, 5, 50)), Applied);
    for person in [1, 2] {
        assert_eq!(commit(&*store, remember_corporate(TPP, person, 5, 51)), VersionConflict);
    }
    assert_eq!(commit(&*store, remember_corporate(OTHER_TPP, 1, 5, 51)), Applied);
    assert_eq!(store.psus().corporate_id(TPP, &corporate(5)).unwrap(), Some(uuid(50)));
    assert_eq!(store.psus().corporate_id(OTHER_TPP, &corporate(5)).unwrap(), Some(uuid(51)));
    assert_eq!(store.psus().corporate_of_id(TPP, uuid(50)).unwrap(), Some(corporate(5)));
    assert_eq!(store.psus().corporate_of_id(TPP, uuid(51)).unwrap(), None);
    assert_eq!(store.psus().corporate_by_id(TPP, &psu(1), uuid(51)).unwrap(), None);
}

pub(crate) fn a_corporate_id_means_one_customer(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(commit(&*store, remember_corporate(TPP, 1, 5, 50)), Applied);
    for person in [1, 2] {
        assert_eq!(commit(&*store, remember_corporate(TPP, person, 6, 50)), VersionConflict);
    }
    assert_eq!(store.psus().corporate_id(TPP, &corporate(6)).unwrap(), None);
}

pub(crate) fn a_corporate_customer_is_opened_to_a_person_once(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(commit(&*store, remember_corporate(TPP, 1, 5, 50)), Applied);
    assert_eq!(commit(&*store, remember_corporate(TPP, 1, 5, 50)), VersionConflict);
    assert_eq!(store.psus().corporate_by_id(TPP, &psu(1), uuid(50)).unwrap(), Some(corporate(5)));
}
