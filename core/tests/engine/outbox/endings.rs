//! A run that is ended before every due order is delivered.

use chrono::TimeDelta;
use xs2a::bank::PaymentStatus;
use xs2a::{Error, RunReport};

use crate::house::House;
use crate::outbox::delivery::{answer, failed, submitted};

/// A run of a house with so many orders, whose bank fails at first for so many, and which goes on until the bank was
/// asked about so many.
fn ended(orders: usize, failing: usize, goes_on: usize) -> (House, RunReport) {
    let house = House::new();
    (0..orders).for_each(|_| drop(house.ordered()));
    let mut asked = 0;
    house.bank.follow(move |_| {
        asked += 1;
        if asked <= failing {
            return Err(Error::Bank("away".to_owned()));
        }
        answer(PaymentStatus::Acsc)
    });
    let report = house.engine.run_due_while(|| house.bank.taken() < goes_on).unwrap();
    (house, report)
}

#[test]
fn a_run_that_is_to_end_ends_after_the_order_it_is_at_and_gives_the_others_back() {
    // More than are claimed at once.
    for goes_on in [1, 2, 15, 16, 17] {
        let (house, report) = ended(20, 0, goes_on);
        assert_eq!((report, house.bank.taken()), (submitted(goes_on), goes_on));
        assert_eq!(house.next(), Some(house.now()), "{goes_on}");
        assert_eq!(house.run(), submitted(20 - goes_on));
    }
}

#[test]
fn what_was_asked_about_before_a_run_ends_waits_as_after_any_failure() {
    let (house, report) = ended(3, 1, 1);
    assert_eq!((report, house.next()), (failed(1), Some(house.now())));
    assert_eq!(house.run(), submitted(2));
    house.wait(TimeDelta::seconds(1));
    assert_eq!((house.run(), house.next()), (submitted(1), None));
}

#[test]
fn a_run_that_is_not_to_begin_delivers_nothing_and_writes_nothing() {
    let house = House::new();
    house.ordered();
    let before = *house.store.committed.lock();
    assert_eq!(house.engine.run_due_while(|| false).unwrap(), RunReport::default());
    assert_eq!((*house.store.committed.lock(), house.bank.taken()), (before, 0));
    assert_eq!(house.next(), Some(house.now()));
}
