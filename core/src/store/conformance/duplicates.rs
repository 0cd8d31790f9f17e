//! A payment is a duplicate of one from within the window, the edge included, unless that is rejected or cancelled.

use super::samples::{insert, insert_unlike_any_since, insert_unlike_since, payment, payment_id, psu, time};
use super::Backend;
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::store::{CommitOutcome, Store, Write};

/// A payment of another id that looks like `payment(1)`.
fn like(number: u8) -> Payment {
    Payment {
        duplicate_fingerprint: payment(1).duplicate_fingerprint,
        psu: payment(1).psu,
        ..payment(number)
    }
}

/// How a like payment fares with the window beginning that long after the first was created.
fn with_window_from(store: &dyn Store, micros: i64) -> CommitOutcome {
    store.commit(&[insert(payment(1))]).unwrap();
    store.commit(&[insert_unlike_since(like(2), time(micros))]).unwrap()
}

pub(crate) fn a_payment_at_the_edge_of_the_window_is_a_duplicate(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(with_window_from(&*store, 0), CommitOutcome::DuplicatePayment);
    assert_eq!(store.payments().payment(&payment_id(2)).unwrap(), None);
}

pub(crate) fn a_payment_after_the_edge_is_a_duplicate(backend: &impl Backend) {
    assert_eq!(with_window_from(&*backend.node(), -1), CommitOutcome::DuplicatePayment);
}

pub(crate) fn a_like_payment_before_the_window_does_not(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(with_window_from(&*store, 1), CommitOutcome::Applied);
    assert_eq!(store.payments().payment(&payment_id(2)).unwrap(), Some(like(2)));
}

pub(crate) fn only_rejected_and_cancelled_payments_are_no_duplicates(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[insert(payment(1))]).unwrap();
    for (version, status) in (2..).zip(PaymentStatus::STATES) {
        let changed = Payment { version, status: *status, ..payment(1) };
        store.commit(&[Write::UpdatePayment(Box::new(changed))]).unwrap();
        let is_no_duplicate = matches!(status, PaymentStatus::Rjct | PaymentStatus::Canc);
        let expected = if is_no_duplicate { CommitOutcome::Applied } else { CommitOutcome::DuplicatePayment };
        // The new payment is rejected itself, so that the next is no duplicate of it.
        let second = Payment { status: PaymentStatus::Rjct, ..like(100 + version as u8) };
        let write = insert_unlike_since(second, time(0));
        assert_eq!(store.commit(&[write]).unwrap(), expected, "{status}");
    }
}

pub(crate) fn a_payment_of_an_unknown_psu_is_a_duplicate_and_of_another_is_not(backend: &impl Backend) {
    let store = backend.node();
    let cases = [
        (Some(1), Some(2), CommitOutcome::Applied),
        (Some(1), Some(1), CommitOutcome::DuplicatePayment),
        (None, Some(1), CommitOutcome::DuplicatePayment),
        (Some(1), None, CommitOutcome::DuplicatePayment),
        (None, None, CommitOutcome::DuplicatePayment),
    ];
    for (round, (first, second, expected)) in (10_u8..).step_by(10).zip(cases) {
        let of = |number, person: Option<u8>| Payment {
            duplicate_fingerprint: [round; 32],
            psu: person.map(psu),
            ..payment(number)
        };
        store.commit(&[insert(of(round, first))]).unwrap();
        let ended = store.commit(&[insert_unlike_since(of(round + 1, second), time(0))]).unwrap();
        assert_eq!(ended, expected, "{first:?} {second:?}");
    }
}

pub(crate) fn a_payment_with_another_fingerprint_is_no_duplicate(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[insert(payment(1))]).unwrap();
    let mut duplicate_fingerprint = payment(1).duplicate_fingerprint;
    duplicate_fingerprint[31] ^= 1;
    let unlike = Payment { duplicate_fingerprint, ..payment(2) };
    assert_eq!(store.commit(&[insert_unlike_since(unlike, time(0))]).unwrap(), CommitOutcome::Applied);
}

pub(crate) fn a_payment_of_an_alternative_fingerprint_is_a_duplicate(backend: &impl Backend) {
    let store = backend.node();
    let of = |number, duplicate_fingerprint: u8| Payment {
        duplicate_fingerprint: [duplicate_fingerprint; 32],
        psu: Some(psu(1)),
        ..payment(number)
    };
    store.commit(&[insert(of(1, 1))]).unwrap();
    store.commit(&[insert(Payment { psu: Some(psu(2)), ..of(2, 2) })]).unwrap();
    store.commit(&[insert(Payment { status: PaymentStatus::Rjct, ..of(3, 3) })]).unwrap();
    for (number, alternative_fingerprints, since, expected) in [
        (10, vec![[1; 32]], time(0), CommitOutcome::DuplicatePayment),
        (11, vec![[8; 32], [9; 32], [1; 32]], time(0), CommitOutcome::DuplicatePayment),
        // A payment of another PSU, a rejected one, one from before the window, and an unused fingerprint.
        (12, vec![[2; 32], [3; 32]], time(0), CommitOutcome::Applied),
        (13, vec![[1; 32]], time(1), CommitOutcome::Applied),
        (14, vec![[8; 32]], time(0), CommitOutcome::Applied),
        (15, vec![], time(0), CommitOutcome::Applied),
    ] {
        let write = insert_unlike_any_since(of(number, number), alternative_fingerprints, since);
        assert_eq!(store.commit(&[write]).unwrap(), expected, "{number}");
        assert_eq!(
            store.payments().payment(&payment_id(number)).unwrap().is_some(),
            expected == CommitOutcome::Applied
        );
    }
}

pub(crate) fn without_a_window_no_payment_is_a_duplicate(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[insert(payment(1))]).unwrap();
    assert_eq!(store.commit(&[insert(like(2))]).unwrap(), CommitOutcome::Applied);
    let other = Payment { duplicate_fingerprint: [7; 32], ..payment(3) };
    let alternative_fingerprints = vec![payment(1).duplicate_fingerprint];
    let write = Write::InsertPayment {
        payment: other.into(),
        duplicate_window_start: None,
        alternative_fingerprints,
    };
    assert_eq!(store.commit(&[write]).unwrap(), CommitOutcome::Applied);
}

pub(crate) fn the_second_of_two_like_payments_in_one_commit_is_refused(backend: &impl Backend) {
    let store = backend.node();
    let writes = [insert_unlike_since(payment(1), time(-1)), insert_unlike_since(like(2), time(-1))];
    assert_eq!(store.commit(&writes).unwrap(), CommitOutcome::DuplicatePayment);
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), None);
}
