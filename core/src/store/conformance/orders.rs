//! Orders wait in the outbox until the bank has them.

use std::sync::Arc;

use super::samples::{
    answer, dead_letter, insert, order, payment, payment_id, reschedule, retry, time, to_dead_letters,
};
use super::{Backend, Damage};
use crate::payment::product::Product;
use crate::payment::record::Payment;
use crate::store::CommitOutcome::{Applied, VersionConflict};
use crate::store::{DeadLetter, DueOrders, OutboxOrder, Store, UnreadableOrder, Write};

/// A node with orders of payments 1, 2, 3 … that are due at these times.
fn node(backend: &impl Backend, due: &[i64]) -> Arc<dyn Store> {
    let store = backend.node();
    for (number, micros) in (1..).zip(due) {
        let writes = [insert(payment(number)), Write::EnqueueOrder(order(number, 0, *micros))];
        assert_eq!(store.commit(&writes).unwrap(), Applied);
    }
    store
}

fn due(store: &dyn Store, micros: i64) -> Vec<OutboxOrder> {
    store.outbox().due_orders(time(micros), 99).unwrap().orders
}

/// Claims until something can be delivered or nothing is due, and moves unreadable orders to the dead letters, as a run
/// does.
fn claim(store: &dyn Store, micros: i64, until: i64, limit: usize) -> Vec<OutboxOrder> {
    loop {
        let DueOrders { orders, unreadable } =
            store.outbox().claim_orders(time(micros), time(until), limit).unwrap();
        let is_over = !orders.is_empty() || unreadable.is_empty();
        for order in unreadable {
            let write = Write::MoveUnreadableToDeadLetters { order, since: time(micros) };
            assert_eq!(store.commit(std::slice::from_ref(&write)).unwrap(), Applied);
            assert_eq!(store.commit(&[write]).unwrap(), VersionConflict);
        }
        if is_over {
            return orders;
        }
    }
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
    assert_eq!(store.outbox().due_orders(time(99), 2).unwrap().orders, [order(1, 0, 10), order(2, 0, 20)]);
    assert_eq!(store.outbox().due_orders(time(99), 0).unwrap().orders, []);
    assert_eq!(store.outbox().due_orders(time(99), usize::MAX).unwrap().orders.len(), 3);
}

pub(crate) fn the_next_due_time_is_returned_until_none_is_left(backend: &impl Backend) {
    let store = node(backend, &[20, 10]);
    for (next, number) in [(10, 2), (20, 1)] {
        assert_eq!(store.outbox().next_order_due().unwrap(), Some(time(next)));
        store.commit(&[Write::RemoveOrder(payment_id(number))]).unwrap();
    }
    assert_eq!(store.outbox().next_order_due().unwrap(), None);
}

pub(crate) fn a_rescheduled_order_waits_again(backend: &impl Backend) {
    let store = node(backend, &[10, 20]);
    let later = order(1, u32::MAX, 25);
    assert_eq!(store.commit(&[reschedule(10, later.clone())]).unwrap(), Applied);
    assert_eq!(due(&*store, 24), [order(2, 0, 20)]);
    assert_eq!(due(&*store, 25), [order(2, 0, 20), later.clone()]);
    store.commit(&[Write::RemoveOrder(payment_id(1))]).unwrap();
    assert_eq!(store.commit(&[reschedule(25, later)]).unwrap(), VersionConflict);
    assert_eq!(due(&*store, 99), [order(2, 0, 20)]);
}

pub(crate) fn an_order_comes_with_the_product_of_its_payment(backend: &impl Backend) {
    let store = backend.node();
    let mut expected: Vec<_> = Product::ALL.iter().copied().map(Some).collect();
    for (number, product) in (1..).zip(Product::ALL.iter().copied()) {
        // What the order says itself is not stored.
        let order = OutboxOrder { product: None, ..order(number, 0, 10) };
        let writes = [insert(Payment { product, ..payment(number) }), Write::EnqueueOrder(order)];
        assert_eq!(store.commit(&writes).unwrap(), Applied);
    }
    let products = |orders: Vec<OutboxOrder>| orders.into_iter().map(|due| due.product).collect::<Vec<_>>();
    assert_eq!(products(due(&*store, 10)), expected);
    assert_eq!(products(claim(&*store, 10, 20, 99)), expected);
    // As of a later version of this library: the order is due all the same.
    let first = payment_id(1);
    backend.damage(&Damage::UnknownProduct(first));
    expected[0] = None;
    assert_eq!(products(due(&*store, 20)), expected);
    assert_eq!(products(claim(&*store, 20, 30, 99)), expected);
}

pub(crate) fn an_order_is_withdrawn_whether_it_is_there_or_not(backend: &impl Backend) {
    let store = node(backend, &[10, 20]);
    for _ in 0..2 {
        assert_eq!(store.commit(&[Write::WithdrawOrder(payment_id(1))]).unwrap(), Applied);
        assert_eq!(due(&*store, 99), [order(2, 0, 20)]);
    }
    assert_eq!(store.commit(&[Write::RemoveOrder(payment_id(1))]).unwrap(), VersionConflict);
}

pub(crate) fn an_order_is_enqueued_and_removed_once(backend: &impl Backend) {
    let store = node(backend, &[10]);
    assert_eq!(store.commit(&[Write::EnqueueOrder(order(1, 5, 50))]).unwrap(), VersionConflict);
    assert_eq!(due(&*store, 99), [order(1, 0, 10)]);
    assert_eq!(store.commit(&[Write::RemoveOrder(payment_id(1))]).unwrap(), Applied);
    assert_eq!(store.commit(&[Write::RemoveOrder(payment_id(1))]).unwrap(), VersionConflict);
}

pub(crate) fn a_claimed_order_is_due_again_when_the_claim_ends(backend: &impl Backend) {
    let store = node(backend, &[20, 10, 30]);
    assert_eq!(claim(&*store, 9, 50, 99), []);
    assert_eq!(claim(&*store, 20, 50, 99), [order(2, 0, 10), order(1, 0, 20)]);
    assert_eq!(due(&*store, 49), [order(3, 0, 30)]);
    assert_eq!(store.outbox().next_order_due().unwrap(), Some(time(30)));
    assert_eq!(claim(&*store, 49, 60, 99), [order(3, 0, 30)]);
    assert_eq!(claim(&*store, 50, 70, 1), [order(1, 0, 50)]);
    assert_eq!(due(&*store, 99), [order(2, 0, 50), order(3, 0, 60), order(1, 0, 70)]);
}

pub(crate) fn what_waits_for_a_later_time_is_brought_forward_and_nothing_else(backend: &impl Backend) {
    let store = node(backend, &[60, 10, 50, 51, 90]);
    store.commit(&[reschedule(51, order(4, 7, 51)), to_dead_letters(90, dead_letter(5, 0, 20))]).unwrap();
    for (micros, expected) in [(50, true), (51, true), (59, true), (60, false), (61, false)] {
        assert_eq!(store.outbox().has_order_due_after(time(micros), time(20)).unwrap(), expected, "{micros}");
    }
    assert_eq!(store.outbox().clamp_future_due_times(time(60), time(20)).unwrap(), 0);
    // The payments were made at 0: a clock before that is behind.
    assert!(!store.outbox().has_order_due_after(time(50), time(-1)).unwrap());
    assert_eq!(store.outbox().clamp_future_due_times(time(50), time(-1)).unwrap(), 0);
    assert!(store.outbox().has_order_due_after(time(50), time(0)).unwrap());
    assert_eq!(store.outbox().clamp_future_due_times(time(50), time(20)).unwrap(), 2);
    let waiting = [order(2, 0, 10), order(1, 0, 20), order(4, 7, 20), order(3, 0, 50)];
    assert_eq!(due(&*store, 99), waiting);
    assert!(!store.outbox().has_order_due_after(time(50), time(20)).unwrap());
    assert_eq!(store.outbox().dead_letters(9).unwrap(), [dead_letter(5, 0, 20)]);
}

pub(crate) fn a_claimed_order_is_removed_rescheduled_or_a_dead_letter(backend: &impl Backend) {
    let store = node(backend, &[10, 20, 30]);
    assert_eq!(claim(&*store, 30, 90, 99).len(), 3);
    for write in [
        Write::RemoveOrder(payment_id(1)),
        reschedule(90, order(2, 3, 40)),
        to_dead_letters(90, dead_letter(3, 4, 30)),
    ] {
        assert_eq!(store.commit(&[write]).unwrap(), Applied);
    }
    assert_eq!(due(&*store, 99), [order(2, 3, 40)]);
    assert_eq!(store.outbox().dead_letters(9).unwrap(), [dead_letter(3, 4, 30)]);
}

pub(crate) fn an_order_of_another_claim_is_not_changed(backend: &impl Backend) {
    let (store, other) = (node(backend, &[10]), backend.node());
    assert_eq!(claim(&*store, 10, 60, 9), [order(1, 0, 10)]);
    assert_eq!(claim(&*other, 70, 130, 9), [order(1, 0, 60)]);
    for was_due in [10, 60, 129, 131] {
        for write in [reschedule(was_due, order(1, 1, 71)), to_dead_letters(was_due, dead_letter(1, 1, 71))] {
            assert_eq!(store.commit(std::slice::from_ref(&write)).unwrap(), VersionConflict, "{write:?}");
        }
    }
    assert_eq!(due(&*store, 999), [order(1, 0, 130)]);
    assert_eq!(store.outbox().dead_letters(9).unwrap(), []);
    assert_eq!(other.commit(&[reschedule(130, order(1, 1, 72))]).unwrap(), Applied);
}

pub(crate) fn a_claim_is_renewed_by_the_node_that_has_it(backend: &impl Backend) {
    let (store, other) = (node(backend, &[10, 10]), backend.node());
    assert_eq!(claim(&*store, 10, 60, 9).len(), 2);
    assert_eq!(store.commit(&[reschedule(60, order(1, 0, 110))]).unwrap(), Applied);
    assert_eq!(claim(&*other, 60, 120, 9), [order(2, 0, 60)]);
    assert_eq!(store.commit(&[reschedule(60, order(2, 0, 110))]).unwrap(), VersionConflict);
    assert_eq!(due(&*store, 999), [order(1, 0, 110), order(2, 0, 120)]);
}

pub(crate) fn a_dead_letter_is_kept_and_not_due(backend: &impl Backend) {
    let store = node(backend, &[10, 20]);
    let one = dead_letter(1, 7, 15);
    assert_eq!(store.commit(&[to_dead_letters(10, one.clone())]).unwrap(), Applied);
    assert_eq!(store.outbox().dead_letters(9).unwrap(), std::slice::from_ref(&one));
    assert_eq!(due(&*store, 99), [order(2, 0, 20)]);
    assert_eq!(claim(&*store, 99, 100, 99), [order(2, 0, 20)]);
    assert_eq!(store.outbox().next_order_due().unwrap(), Some(time(100)));
    // It is there, and does not wait.
    for write in [
        to_dead_letters(10, dead_letter(1, 8, 16)),
        reschedule(10, order(1, 1, 10)),
        Write::EnqueueOrder(order(1, 0, 10)),
        to_dead_letters(10, dead_letter(3, 0, 0)),
    ] {
        assert_eq!(store.commit(std::slice::from_ref(&write)).unwrap(), VersionConflict, "{write:?}");
    }
    assert_eq!(store.outbox().dead_letters(9).unwrap(), [one]);
}

pub(crate) fn dead_letters_are_listed_from_the_oldest_on(backend: &impl Backend) {
    let store = node(backend, &[0, 0, 0, 0]);
    for (number, since) in [(1, 30), (3, 10), (2, 10), (4, 20)] {
        store.commit(&[to_dead_letters(0, dead_letter(number, 0, since))]).unwrap();
    }
    let all = [dead_letter(2, 0, 10), dead_letter(3, 0, 10), dead_letter(4, 0, 20), dead_letter(1, 0, 30)];
    assert_eq!(store.outbox().dead_letters(usize::MAX).unwrap(), all);
    assert_eq!(store.outbox().dead_letters(3).unwrap(), all[..3]);
    assert_eq!(store.outbox().dead_letters(0).unwrap(), []);
    assert_eq!(store.outbox().next_order_due().unwrap(), None);
}

pub(crate) fn a_retried_dead_letter_waits_as_if_it_had_never_failed(backend: &impl Backend) {
    let store = node(backend, &[10]);
    assert_eq!(store.commit(&[retry(1, 40)]).unwrap(), VersionConflict);
    let writes = [reschedule(10, order(1, 9, 20)), to_dead_letters(20, dead_letter(1, 10, 30))];
    assert_eq!(store.commit(&writes).unwrap(), Applied);
    assert_eq!(store.commit(&[retry(1, 40)]).unwrap(), Applied);
    assert_eq!(store.outbox().dead_letters(9).unwrap(), []);
    assert_eq!(due(&*store, 39), []);
    assert_eq!(due(&*store, 40), [order(1, 0, 40)]);
    assert_eq!(store.commit(&[retry(1, 50)]).unwrap(), VersionConflict);
    assert_eq!(store.commit(&[retry(9, 50)]).unwrap(), VersionConflict);
}

pub(crate) fn only_a_dead_letter_is_resolved(backend: &impl Backend) {
    let store = node(backend, &[10, 20]);
    store.commit(&[to_dead_letters(20, dead_letter(2, 0, 20))]).unwrap();
    for (number, expected) in [(1, VersionConflict), (2, Applied), (2, VersionConflict), (3, VersionConflict)]
    {
        assert_eq!(store.commit(&[Write::ResolveOrder(payment_id(number))]).unwrap(), expected, "{number}");
    }
    assert_eq!(store.outbox().dead_letters(9).unwrap(), []);
    assert_eq!(due(&*store, 99), [order(1, 0, 10)]);
    assert_eq!(store.commit(&[retry(2, 50)]).unwrap(), VersionConflict);
}

pub(crate) fn an_answered_order_is_taken_out_unless_the_bank_was_asked_to_cancel(backend: &impl Backend) {
    let store = node(backend, &[10, 20]);
    let done =
        |write: Write| assert_eq!(store.commit(std::slice::from_ref(&write)).unwrap(), Applied, "{write:?}");
    let (begin, end) = (Write::BeginCancelling(payment_id(1)), Write::EndCancelling(payment_id(1)));
    done(answer(2, 90));
    assert_eq!(store.commit(&[answer(2, 90)]).unwrap(), VersionConflict);
    done(begin.clone());
    done(answer(1, 50));
    assert_eq!(due(&*store, 99), [OutboxOrder { attempts: 1, ..order(1, 0, 50) }]);
    // It is due again at the later of the two.
    done(answer(1, 49));
    assert_eq!(due(&*store, 99), [OutboxOrder { attempts: 2, ..order(1, 0, 50) }]);
    done(answer(1, 51));
    assert_eq!(due(&*store, 99), [OutboxOrder { attempts: 3, ..order(1, 0, 51) }]);
    done(end.clone());
    done(answer(1, 99));
    assert_eq!(due(&*store, 99), []);
    // No trace of it stays.
    assert_eq!(store.commit(std::slice::from_ref(&begin)).unwrap(), VersionConflict);
    done(end);
    done(Write::EnqueueOrder(order(1, 0, 10)));
    done(answer(1, 99));
    assert_eq!(due(&*store, 99), []);
}

pub(crate) fn an_order_whose_payment_the_bank_was_asked_to_cancel_can_be_taken_out(backend: &impl Backend) {
    let store = node(backend, &[10, 20]);
    let take_out = [Write::RemoveOrder(payment_id(1)), Write::WithdrawOrder(payment_id(2))];
    for number in [1, 2] {
        assert_eq!(store.commit(&[Write::BeginCancelling(payment_id(number))]).unwrap(), Applied);
    }
    assert_eq!(store.commit(&take_out).unwrap(), Applied);
    assert_eq!(due(&*store, 99), []);
}

pub(crate) fn a_marked_dead_letter_waits_again_after_an_answer_or_a_report(backend: &impl Backend) {
    let store = node(backend, &[10, 10]);
    for number in [1, 2] {
        // One of these failures was its own.
        let writes = [
            reschedule(10, order(number, 4, 20)),
            to_dead_letters(20, dead_letter(number, 5, 30)),
            Write::BeginCancelling(payment_id(number)),
        ];
        assert_eq!(store.commit(&writes).unwrap(), Applied);
    }
    for write in [answer(1, 40), Write::ResolveOrder(payment_id(2))] {
        assert_eq!(store.commit(std::slice::from_ref(&write)).unwrap(), Applied, "{write:?}");
    }
    assert_eq!(store.outbox().dead_letters(9).unwrap(), []);
    let answered = OutboxOrder { attempts: 6, ..order(1, 0, 40) };
    assert_eq!(due(&*store, 99), [order(2, 0, 20), answered]);
    assert_eq!(store.commit(&[Write::ResolveOrder(payment_id(2))]).unwrap(), VersionConflict);
}

pub(crate) fn only_a_dead_letter_is_reported_as_one(backend: &impl Backend) {
    let store = node(backend, &[10, 20, 30]);
    let listed = || [1, 2, 3, 4].map(|number| store.outbox().is_dead_letter(&payment_id(number)).unwrap());
    assert_eq!(listed(), [false; 4]);
    store
        .commit(&[to_dead_letters(10, dead_letter(1, 0, 20)), to_dead_letters(20, dead_letter(2, 0, 20))])
        .unwrap();
    assert_eq!(listed(), [true, true, false, false]);
    store.commit(&[retry(1, 50), Write::ResolveOrder(payment_id(2))]).unwrap();
    assert_eq!(listed(), [false; 4]);
}

pub(crate) fn a_dead_letter_is_removed_and_withdrawn_like_any_order(backend: &impl Backend) {
    let store = node(backend, &[10, 20]);
    store
        .commit(&[to_dead_letters(10, dead_letter(1, 0, 20)), to_dead_letters(20, dead_letter(2, 0, 20))])
        .unwrap();
    assert_eq!(store.commit(&[Write::RemoveOrder(payment_id(1))]).unwrap(), Applied);
    assert_eq!(store.commit(&[Write::WithdrawOrder(payment_id(2))]).unwrap(), Applied);
    assert_eq!(store.outbox().dead_letters(9).unwrap(), []);
}

/// Makes rows of the outbox unreadable: by an id that no payment can have (those of even numbers), or by a count below
/// zero.
fn spoil(backend: &impl Backend, numbers: impl IntoIterator<Item = u8>) {
    for number in numbers {
        let id = payment_id(number);
        backend.damage(&match number % 2 {
            0 => Damage::InvalidId { payment: id, id: format!("no id {number}") },
            _ => Damage::NegativeAttempts(id),
        });
    }
}

fn unreadable(payment_id: impl ToString, since: i64) -> DeadLetter {
    let why = "it cannot be read".to_owned();
    DeadLetter { payment_id: payment_id.to_string(), attempts: 0, why, since: time(since) }
}

pub(crate) fn what_cannot_be_read_holds_up_no_other_and_is_due_as_any(backend: &impl Backend) {
    let store = node(backend, &[10, 20, 30, 40]);
    spoil(backend, [1, 2]);
    let listed = |micros, limit| {
        let DueOrders { orders, unreadable } = store.outbox().due_orders(time(micros), limit).unwrap();
        (orders, unreadable.into_iter().map(|order| order.payment_id).collect::<Vec<_>>())
    };
    assert_eq!(store.outbox().next_order_due().unwrap(), Some(time(10)));
    assert_eq!(listed(9, 99), (vec![], vec![]));
    assert_eq!(listed(10, 99), (vec![], vec![Some(payment_id(1))]));
    let both = || vec![Some(payment_id(1)), None];
    // The limit counts those that can be read.
    assert_eq!(listed(99, 1), (vec![order(3, 0, 30)], both()));
    assert_eq!(listed(99, 99), (vec![order(3, 0, 30), order(4, 0, 40)], both()));
    spoil(backend, [3]);
    assert_eq!(listed(99, 1).0, [order(4, 0, 40)]);
    store.commit(&[Write::RemoveOrder(payment_id(4))]).unwrap();
    assert_eq!(listed(99, 99), (vec![], vec![Some(payment_id(1)), None, Some(payment_id(3))]));
    assert_eq!(claim(&*store, 99, 199, 99), []);
    assert_eq!((listed(999, 99), store.outbox().next_order_due().unwrap()), ((vec![], vec![]), None));
}

pub(crate) fn an_unreadable_order_becomes_a_dead_letter_of_any_claim(backend: &impl Backend) {
    let store = node(backend, &[10, 20, 30, 40, 50]);
    spoil(backend, [1, 2, 3]);
    // More of them than are claimed at once, and all before the others.
    assert_eq!(claim(&*store, 45, 90, 2), [order(4, 0, 40)]);
    let met = [unreadable(payment_id(1), 45), unreadable("no id 2", 45), unreadable(payment_id(3), 45)];
    assert_eq!(store.outbox().dead_letters(9).unwrap(), met);
    assert_eq!(due(&*store, 99), [order(5, 0, 50), order(4, 0, 90)]);
    assert_eq!(claim(&*store, 60, 70, 9), [order(5, 0, 50)]);
    assert_eq!(store.outbox().dead_letters(9).unwrap(), met);
}

pub(crate) fn claims_return_unreadable_orders_with_a_readable_payment_id(backend: &impl Backend) {
    let store = node(backend, &[10, 20, 30]);
    spoil(backend, [1, 2]);
    let claimed = store.outbox().claim_orders(time(30), time(90), 9).unwrap();
    assert_eq!(claimed.orders, [order(3, 0, 30)]);
    let [first, second] = <[UnreadableOrder; 2]>::try_from(claimed.unreadable).unwrap();
    assert_eq!((&first.payment_id, &second.payment_id), (&Some(payment_id(1)), &None));
    // They are no dead letters yet, so they are returned again.
    let again = store.outbox().claim_orders(time(90), time(99), 9).unwrap();
    assert_eq!(again.unreadable, [first.clone(), second.clone()]);
    assert_eq!(store.commit(&[Write::WithdrawOrder(payment_id(1))]).unwrap(), Applied);
    // A number that is another order's by now sets nothing aside.
    let renumbered = UnreadableOrder { payment_id: first.payment_id.clone(), ..second.clone() };
    for (order, expected) in [(first, VersionConflict), (renumbered, VersionConflict), (second, Applied)] {
        let write = Write::MoveUnreadableToDeadLetters { order, since: time(91) };
        assert_eq!(store.commit(&[write]).unwrap(), expected);
    }
    assert_eq!(store.outbox().dead_letters(9).unwrap(), [unreadable("no id 2", 91)]);
}

pub(crate) fn an_unreadable_order_is_listed_before_and_as_a_dead_letter(backend: &impl Backend) {
    let store = node(backend, &[10, 20, 30, 40]);
    store.commit(&[to_dead_letters(30, dead_letter(3, 7, 15))]).unwrap();
    spoil(backend, [1, 2]);
    let waiting = [unreadable(payment_id(1), 10), dead_letter(3, 7, 15), unreadable("no id 2", 20)];
    assert_eq!(store.outbox().waiting_orders().unwrap(), 3);
    assert_eq!(store.outbox().dead_letters(9).unwrap(), waiting);
    assert_eq!(store.outbox().dead_letters(2).unwrap(), waiting[..2]);
    let counts = || [0, 1, 2, 9].map(|limit| store.outbox().count_dead_letters(limit).unwrap());
    assert_eq!(counts(), [0, 1, 1, 1], "orders that wait are not counted");
    assert_eq!(claim(&*store, 45, 90, 9), [order(4, 0, 40)]);
    // Two were moved to the dead letters by that.
    assert_eq!(store.outbox().waiting_orders().unwrap(), 1);
    let met = [dead_letter(3, 7, 15), unreadable(payment_id(1), 45), unreadable("no id 2", 45)];
    assert_eq!(store.outbox().dead_letters(9).unwrap(), met);
    assert_eq!(counts(), [0, 1, 2, 3]);
    // A dead letter with another reason is listed, also if its row was damaged since.
    spoil(backend, [3]);
    let mut spoilt = dead_letter(3, 0, 15);
    spoilt.why = dead_letter(3, 7, 15).why;
    assert_eq!(store.outbox().dead_letters(1).unwrap(), [spoilt]);
}

pub(crate) fn an_unreadable_order_is_retried_if_its_payment_id_is_readable(backend: &impl Backend) {
    let store = node(backend, &[10, 20]);
    spoil(backend, [1]);
    assert_eq!(store.commit(&[retry(1, 40)]).unwrap(), VersionConflict, "it is no dead letter yet");
    assert_eq!(claim(&*store, 30, 90, 9), [order(2, 0, 20)]);
    assert_eq!(store.commit(&[retry(1, 40)]).unwrap(), Applied);
    assert_eq!(due(&*store, 40), [order(1, 0, 40)]);
    assert_eq!(store.outbox().dead_letters(9).unwrap(), []);
}

pub(crate) fn an_unreadable_order_is_reported_as_a_dead_letter_after_that(backend: &impl Backend) {
    let store = node(backend, &[10, 20]);
    spoil(backend, [1]);
    let listed = || [1, 2].map(|number| store.outbox().is_dead_letter(&payment_id(number)).unwrap());
    assert_eq!(listed(), [false, false]);
    claim(&*store, 30, 90, 9);
    assert_eq!(listed(), [true, false]);
}
