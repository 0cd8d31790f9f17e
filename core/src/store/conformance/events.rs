//! The history of a payment only grows.

use super::samples::{event, insert, payment, payment_id, time};
use super::Backend;
use crate::error::Error;
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::store::{Event, Write, EVENT_WITHOUT_PAYMENT};

pub(crate) fn they_come_back_in_the_order_appended(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[insert(payment(1))]).unwrap();
    // Every status, and times that go back: only the order of appending counts.
    let history: Vec<_> = (0..)
        .zip(PaymentStatus::STATES)
        .map(|(number, status)| Event {
            from: *status,
            to: *status,
            at: time(-number),
            ..event(1, 0, "bank: reported")
        })
        .collect();
    for line in &history {
        store.commit(&[Write::AppendEvent(line.clone())]).unwrap();
    }
    assert_eq!(store.payments().events(&payment_id(1)).unwrap(), history);
}

pub(crate) fn payments_have_histories_of_their_own(backend: &impl Backend) {
    let store = backend.node();
    let lines = [event(1, 0, "a"), event(2, 0, "b"), event(1, 0, "c"), event(1, 0, "c")];
    let inserts = [1, 2, 3].map(|number| insert(payment(number)));
    store.commit(&inserts).unwrap();
    store.commit(&lines.clone().map(Write::AppendEvent)).unwrap();
    let [a, b, c, c_again] = lines;
    assert_eq!(store.payments().events(&payment_id(1)).unwrap(), [a, c, c_again]);
    assert_eq!(store.payments().events(&payment_id(2)).unwrap(), [b]);
    assert_eq!(store.payments().events(&payment_id(3)).unwrap(), []);
    assert_eq!(store.payments().events(&payment_id(4)).unwrap(), []);
}

pub(crate) fn the_history_of_nothing_cannot_be_written(backend: &impl Backend) {
    let store = backend.node();
    let appended = store.commit(&[Write::AppendEvent(event(1, 0, "created"))]);
    assert!(matches!(appended, Err(Error::Store(fault)) if fault.text() == EVENT_WITHOUT_PAYMENT));
    assert_eq!(store.payments().events(&payment_id(1)).unwrap(), []);
}
