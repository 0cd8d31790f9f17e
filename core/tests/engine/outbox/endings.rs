//! A run that is ended before every due order is delivered.

use std::cell::Cell;

use chrono::TimeDelta;
use xs2a::bank::PaymentStatus;
use xs2a::{Error, RunReport};

use crate::outbox::delivery::{answer, failed, submitted};
use crate::setup::Setup;

/// A run of an engine with so many orders, whose bank fails at first for so many, and which goes on until the bank was
/// asked about so many.
fn ended(orders: usize, failing: usize, goes_on: usize) -> (Setup, RunReport) {
    let setup = Setup::new();
    (0..orders).for_each(|_| drop(setup.ordered()));
    let mut asked = 0;
    setup.bank.follow(move |_| {
        asked += 1;
        if asked <= failing {
            return Err(Error::Bank("away".to_owned()));
        }
        answer(PaymentStatus::Acsc)
    });
    let report = setup.engine.run_due_while(|| setup.bank.taken() < goes_on).unwrap();
    (setup, report)
}

#[test]
fn a_run_that_is_to_end_finishes_its_order_and_releases_the_others() {
    // More than are claimed at once.
    for goes_on in [1, 2, 15, 16, 17] {
        let (setup, report) = ended(20, 0, goes_on);
        assert_eq!((report, setup.bank.taken()), (submitted(goes_on), goes_on));
        assert_eq!(setup.next(), Some(setup.now()), "{goes_on}");
        assert_eq!(setup.run(), submitted(20 - goes_on));
    }
}

#[test]
fn what_was_asked_about_before_a_run_ends_waits_as_after_any_failure() {
    let (setup, report) = ended(3, 1, 1);
    assert_eq!((report, setup.next()), (failed(1), Some(setup.now())));
    assert_eq!(setup.run(), submitted(2));
    setup.wait(TimeDelta::seconds(1));
    assert_eq!((setup.run(), setup.next()), (submitted(1), None));
}

#[test]
fn a_run_that_is_to_end_does_not_ask_again() {
    let (setup, asked) = (Setup::new(), Cell::new(0));
    setup.ordered();
    let only_at_first = || {
        asked.set(asked.get() + 1);
        asked.get() != 1
    };
    assert_eq!(setup.engine.run_due_while(only_at_first).unwrap(), RunReport::default());
    assert_eq!((asked.get(), setup.bank.taken()), (1, 0));
}

#[test]
fn a_run_that_is_not_to_begin_delivers_nothing_and_writes_nothing() {
    let setup = Setup::new();
    setup.ordered();
    let before = *setup.store.committed.lock();
    assert_eq!(setup.engine.run_due_while(|| false).unwrap(), RunReport::default());
    assert_eq!((*setup.store.committed.lock(), setup.bank.taken()), (before, 0));
    assert_eq!(setup.next(), Some(setup.now()));
}
