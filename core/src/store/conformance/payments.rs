//! Payments are kept as they are, and change one version at a time.

use super::samples::{
    event, full_payment, insert, opening_link, order, payment, payment_id, time, OTHER_TPP,
};
use super::Backend;
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::payment::product::Product;
use crate::payment::record::Payment;
use crate::store::{CommitOutcome, Write};

pub(crate) fn every_field_comes_back(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(store.commit(&[insert(full_payment(1))]).unwrap(), CommitOutcome::Applied);
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(full_payment(1)));
}

pub(crate) fn absent_fields_stay_absent(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(payment(1)));
}

pub(crate) fn an_unknown_payment_is_none(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[insert(payment(1))]).unwrap();
    assert_eq!(store.payments().payment(&payment_id(2)).unwrap(), None);
}

pub(crate) fn every_status_and_product_comes_back(backend: &impl Backend) {
    let store = backend.node();
    for (number, status) in (0..).zip(PaymentStatus::STATES) {
        for (half, product) in (0..).zip(Product::ALL) {
            let kept = Payment { status: *status, product: *product, ..payment(number + 20 * half) };
            store.commit(&[insert(kept.clone())]).unwrap();
            assert_eq!(store.payments().payment(&kept.id).unwrap(), Some(kept));
        }
    }
}

pub(crate) fn an_id_is_taken_once(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[insert(payment(1))]).unwrap();
    let second = Payment { tpp: OTHER_TPP.into(), duplicate_fingerprint: [9; 32], ..payment(1) };
    assert_eq!(store.commit(&[insert(second)]).unwrap(), CommitOutcome::VersionConflict);
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(payment(1)));
}

pub(crate) fn payments_are_found_in_any_order_of_their_ids(backend: &impl Backend) {
    // In another order than that of the ids.
    const NUMBERS: [u8; 7] = [3, 1, 9, 2, 40, 20, 4];
    let nodes = [backend.node(), backend.node()];
    for (number, node) in NUMBERS.into_iter().zip(nodes.iter().cycle()) {
        let writes = [
            insert(payment(number)),
            Write::InsertAuthorisation(opening_link(&payment(number))),
            Write::AppendEvent(event(number, 1, "created")),
            Write::EnqueueOrder(order(number, 0, i64::from(number))),
        ];
        assert_eq!(node.commit(&writes).unwrap(), CommitOutcome::Applied, "{number}");
        let again = Payment { duplicate_fingerprint: [0; 32], ..payment(number) };
        assert_eq!(node.commit(&[insert(again)]).unwrap(), CommitOutcome::VersionConflict, "{number}");
    }
    for (number, node) in NUMBERS.into_iter().zip(nodes.iter().rev().cycle()) {
        let (kept, link) = (payment(number), opening_link(&payment(number)));
        assert_eq!(node.payments().payment(&kept.id).unwrap(), Some(kept.clone()), "{number}");
        assert_eq!(node.sca().authorisation(&link.id).unwrap(), Some(link), "{number}");
        assert_eq!(node.payments().events(&kept.id).unwrap(), [event(number, 1, "created")], "{number}");
        let next = Payment { version: 2, authorised_at: Some(time(1)), ..kept };
        assert_eq!(
            node.commit(&[Write::UpdatePayment(Box::new(next.clone()))]).unwrap(),
            CommitOutcome::Applied
        );
        assert_eq!(node.payments().payment(&next.id).unwrap(), Some(next), "{number}");
    }
    let due = nodes[0].outbox().due_orders(time(99), 99).unwrap();
    let ids: Vec<_> = due.orders.iter().map(|order| order.payment_id.clone()).collect();
    assert_eq!(ids, [1, 2, 3, 4, 9, 20, 40].map(payment_id));
    assert!(due.orders.iter().all(|order| order.product == Some(payment(1).product)));
}

pub(crate) fn an_update_replaces_every_field_that_may_change(backend: &impl Backend) {
    let store = backend.node();
    let bare = payment(1);
    let Payment { created_at, duplicate_fingerprint, .. } = bare;
    let full =
        Payment { version: 2, tpp: OTHER_TPP.into(), created_at, duplicate_fingerprint, ..full_payment(1) };
    let bare_again = Payment { version: 3, ..bare.clone() };
    store.commit(&[insert(bare), insert(payment(2))]).unwrap();
    for next in [full, bare_again] {
        assert_eq!(
            store.commit(&[Write::UpdatePayment(Box::new(next.clone()))]).unwrap(),
            CommitOutcome::Applied
        );
        assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(next));
    }
    assert_eq!(store.payments().payment(&payment_id(2)).unwrap(), Some(payment(2)), "another payment stays");
}

pub(crate) fn an_update_leaves_when_a_payment_was_created_and_what_it_looks_like(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[insert(payment(1))]).unwrap();
    let next = Payment { version: 2, ..full_payment(1) };
    let Payment { created_at, duplicate_fingerprint, .. } = payment(1);
    assert!(next.created_at != created_at && next.duplicate_fingerprint != duplicate_fingerprint);
    assert_eq!(
        store.commit(&[Write::UpdatePayment(Box::new(next.clone()))]).unwrap(),
        CommitOutcome::Applied
    );
    assert_eq!(
        store.payments().payment(&payment_id(1)).unwrap(),
        Some(Payment { created_at, duplicate_fingerprint, ..next })
    );
}

pub(crate) fn an_update_needs_the_version_right_before_it(backend: &impl Backend) {
    let store = backend.node();
    let present = Payment { version: 5, ..payment(1) };
    store.commit(&[insert(present.clone())]).unwrap();
    for version in [0, 4, 5, 7, u32::MAX] {
        let stale = Payment { version, authorised_at: Some(time(1)), ..payment(1) };
        assert_eq!(
            store.commit(&[Write::UpdatePayment(Box::new(stale))]).unwrap(),
            CommitOutcome::VersionConflict,
            "{version}"
        );
    }
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(present));
    let next = Payment { version: 6, ..payment(1) };
    assert_eq!(store.commit(&[Write::UpdatePayment(Box::new(next))]).unwrap(), CommitOutcome::Applied);
}

pub(crate) fn an_update_of_nothing_is_a_lost_race(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(
        store.commit(&[Write::UpdatePayment(Box::new(payment(1)))]).unwrap(),
        CommitOutcome::VersionConflict
    );
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), None);
}
