//! Orders wait in the outbox until the bank has them.

use super::samples::{insert, order, payment, payment_id, time};
use super::Backend;
use crate::store::seam::Committed::{Done, RaceLost};
use crate::store::seam::{OutboxOrder, Store, Write};

/// A node with orders of payments 1, 2, 3 … that are due at these times.
fn node(backend: &impl Backend, due: &[i64]) -> Box<dyn Store> {
    let store = backend.node();
    for (number, micros) in (1..).zip(due) {
        let writes = [insert(payment(number)), Write::EnqueueOrder(order(number, 0, *micros))];
        assert_eq!(store.commit(&writes).unwrap(), Done);
    }
    store
}

fn due(store: &dyn Store, micros: i64) -> Vec<OutboxOrder> {
    store.due_orders(time(micros), 99).unwrap()
}

pub(crate) fn an_order_is_due_from_its_time_on(backend: &impl Backend) {
    let store = node(backend, &[10]);
    assert_eq!(due(&*store, 9), []);
    assert_eq!(due(&*store, 10), [order(1, 0, 10)]);
    assert_eq!(due(&*store, 11), [order(1, 0, 10)]);
}

pub(crate) fn the_longest_waiting_come_first(backend: &impl Backend) {
    let store = node(backend, &[30, 10, 20, 99]);
    assert_eq!(due(&*store, 30), [order(2, 0, 10), order(3, 0, 20), order(1, 0, 30)]);
}

pub(crate) fn equally_long_waiting_come_as_they_were_enqueued(backend: &impl Backend) {
    let store = node(backend, &[10, 10, 10]);
    assert_eq!(due(&*store, 10), [order(1, 0, 10), order(2, 0, 10), order(3, 0, 10)]);
}

pub(crate) fn no_more_than_the_limit_are_given(backend: &impl Backend) {
    let store = node(backend, &[10, 20, 30]);
    assert_eq!(store.due_orders(time(99), 2).unwrap(), [order(1, 0, 10), order(2, 0, 20)]);
    assert_eq!(store.due_orders(time(99), 0).unwrap(), []);
    assert_eq!(store.due_orders(time(99), usize::MAX).unwrap().len(), 3);
}

pub(crate) fn the_next_is_told_until_none_is_left(backend: &impl Backend) {
    let store = node(backend, &[20, 10]);
    for (next, number) in [(10, 2), (20, 1)] {
        assert_eq!(store.next_order_due().unwrap(), Some(time(next)));
        store.commit(&[Write::RemoveOrder(payment_id(number))]).unwrap();
    }
    assert_eq!(store.next_order_due().unwrap(), None);
}

pub(crate) fn a_rescheduled_order_waits_again(backend: &impl Backend) {
    let store = node(backend, &[10, 20]);
    let later = order(1, u32::MAX, 25);
    assert_eq!(store.commit(&[Write::RescheduleOrder(later.clone())]).unwrap(), Done);
    assert_eq!(due(&*store, 24), [order(2, 0, 20)]);
    assert_eq!(due(&*store, 25), [order(2, 0, 20), later.clone()]);
    store.commit(&[Write::RemoveOrder(payment_id(1))]).unwrap();
    assert_eq!(store.commit(&[Write::RescheduleOrder(later)]).unwrap(), RaceLost);
    assert_eq!(due(&*store, 99), [order(2, 0, 20)]);
}

pub(crate) fn an_order_is_withdrawn_whether_it_is_there_or_not(backend: &impl Backend) {
    let store = node(backend, &[10, 20]);
    for _ in 0..2 {
        assert_eq!(store.commit(&[Write::WithdrawOrder(payment_id(1))]).unwrap(), Done);
        assert_eq!(due(&*store, 99), [order(2, 0, 20)]);
    }
    assert_eq!(store.commit(&[Write::RemoveOrder(payment_id(1))]).unwrap(), RaceLost);
}

pub(crate) fn an_order_is_enqueued_and_removed_once(backend: &impl Backend) {
    let store = node(backend, &[10]);
    assert_eq!(store.commit(&[Write::EnqueueOrder(order(1, 5, 50))]).unwrap(), RaceLost);
    assert_eq!(due(&*store, 99), [order(1, 0, 10)]);
    assert_eq!(store.commit(&[Write::RemoveOrder(payment_id(1))]).unwrap(), Done);
    assert_eq!(store.commit(&[Write::RemoveOrder(payment_id(1))]).unwrap(), RaceLost);
}
