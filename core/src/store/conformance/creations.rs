//! A payment is created in one commit with the use of a request id and with a link: each is what it would be alone.

use std::sync::Arc;

use super::samples::{
    authorisation_id, full_authorisation, full_payment, insert, opening_link, payment, payment_id, psu,
    request_id, time, uuid, OTHER_TPP, TPP,
};
use super::Backend;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::reason::Language;
use crate::sca::machine::ScaStatus;
use crate::sca::record::Authorisation;
use crate::store::{CommitOutcome, Store, Write};
use crate::types::RedirectUri;

/// The creation of a payment under a request id, with a link.
fn creation_of(payment: Payment, id: u8) -> Vec<Write> {
    let micros = payment.created_at.timestamp_micros() - time(0).timestamp_micros();
    let link = opening_link(&payment);
    vec![request_id(&payment.tpp, id, micros), insert(payment), Write::InsertAuthorisation(link)]
}

/// That many microseconds after the first moment.
fn creation(number: u8, id: u8, micros: i64) -> Vec<Write> {
    creation_of(Payment { created_at: time(micros), ..payment(number) }, id)
}

fn node_with_a_creation(backend: &impl Backend) -> Arc<dyn Store> {
    let store = backend.node();
    assert_eq!(store.commit(&creation(1, 7, 0)).unwrap(), CommitOutcome::Applied);
    store
}

fn link_of(store: &dyn Store, number: u8) -> Option<Authorisation> {
    store.sca().authorisation(&authorisation_id(number)).unwrap()
}

pub(crate) fn every_part_comes_back(backend: &impl Backend) {
    let store = node_with_a_creation(backend);
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(payment(1)));
    assert_eq!(link_of(&*store, 1), Some(opening_link(&payment(1))));
    assert_eq!(
        store.replay().used_request_ids(time(0), 9).unwrap(),
        [(TPP.to_owned(), uuid(7).into(), time(0))]
    );
    assert_eq!(link_of(&*store, 2), None);
}

pub(crate) fn one_that_is_lost_leaves_an_older_use_of_its_request_id(backend: &impl Backend) {
    let store = node_with_a_creation(backend);
    assert_eq!(store.commit(&[request_id(TPP, 8, 0)]).unwrap(), CommitOutcome::Applied);
    let again = creation_of(Payment { created_at: time(101), ..payment(1) }, 8);
    assert_eq!(store.commit(&again).unwrap(), CommitOutcome::VersionConflict, "there is such a payment");
    let used = [(TPP.to_owned(), uuid(7).into(), time(0)), (TPP.to_owned(), uuid(8).into(), time(0))];
    assert_eq!(store.replay().used_request_ids(time(0), 9).unwrap(), used);
}

pub(crate) fn every_field_of_a_link_comes_back(backend: &impl Backend) {
    let store = backend.node();
    let payment = Payment { status: PaymentStatus::Rcvd, authorised_at: None, ..full_payment(3) };
    let link = Authorisation {
        redirect_uri: RedirectUri::parse("app.tpp:/back#here").unwrap(),
        session_id: "økt".into(),
        tpp_name: Some("Bjørn \"B\" AS".into()),
        brand: Some("Bjørns <Betaling>".into()),
        language: Language::Bokmal,
        ..opening_link(&payment)
    };
    let writes = [insert(payment), Write::InsertAuthorisation(link.clone())];
    assert_eq!(store.commit(&writes).unwrap(), CommitOutcome::Applied);
    assert_eq!(link_of(&*store, 3), Some(link));
}

pub(crate) fn a_link_changes_one_version_at_a_time_as_any(backend: &impl Backend) {
    let store = node_with_a_creation(backend);
    let mut link = opening_link(&payment(1));
    for version in [0, 1, 3] {
        let stale = Authorisation { version, ..full_authorisation(1, 1) };
        assert_eq!(
            store.commit(&[Write::UpdateAuthorisation(stale)]).unwrap(),
            CommitOutcome::VersionConflict
        );
        assert_eq!(link_of(&*store, 1).as_ref(), Some(&link), "{version}");
    }
    for next in [full_authorisation(1, 1), opening_link(&payment(1))] {
        link = Authorisation { version: link.version + 1, ..next };
        assert_eq!(
            store.commit(&[Write::UpdateAuthorisation(link.clone())]).unwrap(),
            CommitOutcome::Applied
        );
        assert_eq!(link_of(&*store, 1).as_ref(), Some(&link));
    }
}

/// A payment after its first change: nearly everything is another.
fn changed(number: u8, micros: i64) -> Payment {
    let (created_at, duplicate_fingerprint) = (time(micros), payment(number).duplicate_fingerprint);
    Payment { version: 2, created_at, duplicate_fingerprint, tpp: OTHER_TPP.into(), ..full_payment(number) }
}

pub(crate) fn a_link_stays_as_it_was_when_its_payment_changes(backend: &impl Backend) {
    let store = node_with_a_creation(backend);
    for version in [2, 3] {
        let changed = Payment { version, ..changed(1, 0) };
        assert_eq!(store.commit(&[Write::UpdatePayment(Box::new(changed))]).unwrap(), CommitOutcome::Applied);
        assert_eq!(link_of(&*store, 1), Some(opening_link(&payment(1))));
    }
    let failed = Authorisation { version: 2, status: ScaStatus::Failed, ..opening_link(&payment(1)) };
    assert_eq!(store.commit(&[Write::UpdateAuthorisation(failed.clone())]).unwrap(), CommitOutcome::Applied);
    assert_eq!(link_of(&*store, 1), Some(failed));
}

pub(crate) fn payment_and_link_may_change_at_once(backend: &impl Backend) {
    let store = backend.node();
    for (number, is_turned) in [(1, false), (2, true)] {
        assert_eq!(store.commit(&creation(number, number, 0)).unwrap(), CommitOutcome::Applied);
        let link = opening_link(&payment(number));
        let answered = Authorisation { version: 2, status: ScaStatus::Finalised, psu: Some(psu(9)), ..link };
        let mut writes = vec![
            Write::UpdatePayment(Box::new(changed(number, 0))),
            Write::UpdateAuthorisation(answered.clone()),
        ];
        if is_turned {
            writes.reverse();
        }
        assert_eq!(store.commit(&writes).unwrap(), CommitOutcome::Applied);
        assert_eq!(link_of(&*store, number), Some(answered));
        assert_eq!(store.payments().payment(&payment_id(number)).unwrap(), Some(changed(number, 0)));
    }
}

pub(crate) fn a_lost_race_of_its_payment_leaves_a_link_as_it_is(backend: &impl Backend) {
    let store = node_with_a_creation(backend);
    for version in [1, 3] {
        let stale = Payment { version, ..changed(1, 0) };
        assert_eq!(
            store.commit(&[Write::UpdatePayment(Box::new(stale))]).unwrap(),
            CommitOutcome::VersionConflict
        );
        assert_eq!(link_of(&*store, 1), Some(opening_link(&payment(1))));
    }
    let next = Authorisation { version: 2, ..full_authorisation(1, 1) };
    assert_eq!(store.commit(&[Write::UpdateAuthorisation(next)]).unwrap(), CommitOutcome::Applied);
}

pub(crate) fn the_id_of_a_link_is_taken_once(backend: &impl Backend) {
    let store = node_with_a_creation(backend);
    let again = || Write::InsertAuthorisation(full_authorisation(1, 1));
    assert_eq!(store.commit(&[again()]).unwrap(), CommitOutcome::VersionConflict);
    assert_eq!(link_of(&*store, 1), Some(opening_link(&payment(1))));
    store.commit(&[Write::UpdatePayment(Box::new(changed(1, 0)))]).unwrap();
    assert_eq!(store.commit(&[again()]).unwrap(), CommitOutcome::VersionConflict);
}

pub(crate) fn links_of_long_ago_are_forgotten_and_their_payments_are_not(backend: &impl Backend) {
    let store = backend.node();
    for (number, micros) in [(1, 8), (2, 9), (3, 10), (4, 10), (5, 11)] {
        assert_eq!(store.commit(&creation(number, number, micros)).unwrap(), CommitOutcome::Applied);
    }
    store.commit(&[Write::UpdatePayment(Box::new(changed(4, 10)))]).unwrap();
    let mut runs = 0;
    while store.sca().purge_authorisations(time(10), 2).unwrap() == 2 {
        runs += 1;
        assert!(runs < 9, "it has an end");
    }
    for (number, is_kept) in [(1, false), (2, false), (3, false), (4, false), (5, true)] {
        assert_eq!(link_of(&*store, number).is_some(), is_kept, "{number}");
        assert!(store.payments().payment(&payment_id(number)).unwrap().is_some());
    }
    // What comes after that is not overlooked.
    store.commit(&creation(6, 6, 9)).unwrap();
    assert!(store.sca().purge_authorisations(time(10), 9).unwrap() < 9);
    assert_eq!(link_of(&*store, 6), None);
}

pub(crate) fn its_request_id_is_used_from_its_time_on(backend: &impl Backend) {
    let store = node_with_a_creation(backend);
    for micros in [0, 100] {
        for again in [vec![request_id(TPP, 7, micros)], creation(2, 7, micros)] {
            assert_eq!(store.commit(&again).unwrap(), CommitOutcome::RequestReplayed, "{micros}");
        }
    }
    assert_eq!(store.payments().payment(&payment_id(2)).unwrap(), None);
    let of_another = Payment { tpp: OTHER_TPP.into(), ..payment(3) };
    for others in [creation(2, 7, 101), creation_of(of_another, 7)] {
        assert_eq!(store.commit(&others).unwrap(), CommitOutcome::Applied);
    }
}

pub(crate) fn a_use_before_it_makes_it_a_replay(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[request_id(TPP, 7, 0)]).unwrap();
    assert_eq!(store.commit(&creation(1, 7, 100)).unwrap(), CommitOutcome::RequestReplayed);
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), None);
    assert_eq!(store.commit(&creation(1, 7, 101)).unwrap(), CommitOutcome::Applied);
}

pub(crate) fn an_id_that_is_used_again_after_its_window_is_listed_once(backend: &impl Backend) {
    let store = node_with_a_creation(backend);
    let listed = || store.replay().used_request_ids(time(0), 9).unwrap();
    store.commit(&[request_id(TPP, 7, 101)]).unwrap();
    assert_eq!(listed(), [(TPP.to_owned(), uuid(7).into(), time(101))]);
    store.commit(&creation(2, 7, 202)).unwrap();
    assert_eq!(listed(), [(TPP.to_owned(), uuid(7).into(), time(202))]);
    assert_eq!(store.replay().used_request_ids(time(203), 9).unwrap(), []);
}

pub(crate) fn another_node_knows_its_request_id(backend: &impl Backend) {
    let (here, there) = (node_with_a_creation(backend), backend.node());
    assert_eq!(there.commit(&[request_id(TPP, 7, 1)]).unwrap(), CommitOutcome::RequestReplayed);
    assert_eq!(there.commit(&creation(2, 8, 1)).unwrap(), CommitOutcome::Applied);
    assert_eq!(here.commit(&creation(3, 8, 2)).unwrap(), CommitOutcome::RequestReplayed);
    assert_eq!(here.commit(&[request_id(TPP, 9, 2)]).unwrap(), CommitOutcome::Applied);
    assert_eq!(there.commit(&creation(3, 9, 3)).unwrap(), CommitOutcome::RequestReplayed);
}
