//! The writes of a commit are done all or not at all.

use super::samples::{
    authorisation, authorisation_id, event, insert, insert_unlike_since, order, payment, payment_id, psu,
    remember_corporate, remember_psu, request_id, time, uuid, TPP,
};
use super::Backend;
use crate::error::Error;
use crate::payment::record::Payment;
use crate::store::{CommitOutcome, Store, Write};

/// Writes of every kind on payment 1, which must be there, and about payment 2.
fn everything() -> Vec<Write> {
    vec![
        request_id(TPP, 1, 0),
        insert(payment(2)),
        Write::UpdatePayment(Box::new(Payment { version: 2, authorised_at: Some(time(5)), ..payment(1) })),
        Write::InsertAuthorisation(authorisation(7, 2)),
        remember_psu(TPP, 1, 10),
        remember_corporate(TPP, 1, 5, 50),
        Write::EnqueueOrder(order(2, 0, 0)),
        Write::AppendEvent(event(1, 0, "sca completed")),
        Write::AppendEvent(event(2, 0, "created")),
    ]
}

/// What [`everything`] would have left.
fn assert_nothing_left(store: &dyn Store) {
    assert_eq!(store.replay().used_request_ids(time(-1), 9).unwrap(), []);
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(payment(1)));
    assert_eq!(store.payments().payment(&payment_id(2)).unwrap(), None);
    assert_eq!(store.sca().authorisation(&authorisation_id(7)).unwrap(), None);
    assert_eq!(store.psus().psu_by_id(TPP, uuid(10)).unwrap(), None);
    assert_eq!(store.psus().corporate_by_id(TPP, &psu(1), uuid(50)).unwrap(), None);
    assert_eq!(store.outbox().next_order_due().unwrap(), None);
    assert_eq!(store.payments().events(&payment_id(1)).unwrap(), []);
}

/// Commits everything and then `last`, which must call it off, and everything alone, which must not.
fn assert_called_off(backend: &impl Backend, last: Write, expected: CommitOutcome) {
    let store = backend.node();
    store.commit(&[insert(payment(1))]).unwrap();
    let mut writes = everything();
    writes.push(last);
    assert_eq!(store.commit(&writes).unwrap(), expected);
    assert_nothing_left(&*store);
    assert_eq!(store.commit(&everything()).unwrap(), CommitOutcome::Applied);
}

pub(crate) fn a_lost_race_leaves_nothing(backend: &impl Backend) {
    assert_called_off(backend, Write::UpdatePayment(Box::new(payment(1))), CommitOutcome::VersionConflict);
}

pub(crate) fn a_logical_duplicate_leaves_nothing(backend: &impl Backend) {
    let like = Payment { duplicate_fingerprint: payment(1).duplicate_fingerprint, ..payment(3) };
    assert_called_off(backend, insert_unlike_since(like, time(0)), CommitOutcome::DuplicatePayment);
}

pub(crate) fn a_replay_leaves_nothing(backend: &impl Backend) {
    assert_called_off(backend, request_id(TPP, 1, 0), CommitOutcome::RequestReplayed);
}

pub(crate) fn an_error_leaves_nothing(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[insert(payment(1))]).unwrap();
    let mut writes = everything();
    writes.push(Write::EnqueueOrder(order(99, 0, 0)));
    assert!(matches!(store.commit(&writes), Err(Error::Record(_))));
    assert_nothing_left(&*store);
    assert_eq!(store.commit(&everything()).unwrap(), CommitOutcome::Applied);
}

pub(crate) fn no_writes_are_done(backend: &impl Backend) {
    assert_eq!(backend.node().commit(&[]).unwrap(), CommitOutcome::Applied);
}

pub(crate) fn every_node_sees_what_one_committed(backend: &impl Backend) {
    let (one, other) = (backend.node(), backend.node());
    one.commit(&[insert(payment(1))]).unwrap();
    assert_eq!(one.commit(&everything()).unwrap(), CommitOutcome::Applied);
    assert_eq!(other.payments().payment(&payment_id(1)).unwrap().unwrap().version, 2);
    assert_eq!(other.payments().events(&payment_id(2)).unwrap(), [event(2, 0, "created")]);
    assert_eq!(other.outbox().due_orders(time(0), 9).unwrap().orders, [order(2, 0, 0)]);
    let stale = Write::UpdatePayment(Box::new(Payment { version: 2, ..payment(1) }));
    assert_eq!(other.commit(&[stale]).unwrap(), CommitOutcome::VersionConflict);
}
