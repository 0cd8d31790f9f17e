//! One rail of the bank that is away, beside others that are there.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::Value;
use xs2a::bank::{PaymentStatus, Product};
use xs2a::env::{LogLevel, Logger};
use xs2a::store::Store;
use xs2a::Error;

use crate::outbox::delivery::{answer, counted, failed};
use crate::setup::{approved, authorisation_id, Kept, Setup};
use crate::world::products::{every_product, INSTANT, SEPA};
use crate::world::{accepted, creation_headers};

impl Setup {
    /// A payment of that product that its PSU has approved.
    fn ordered_of(&self, path: &str) -> Value {
        let (_, body) = every_product().into_iter().find(|(of, _)| *of == path).unwrap();
        let target = format!("{path}?allowLogicalDuplicate=true");
        let response = self.call("POST", &target, &creation_headers(), body.to_string().as_bytes());
        let created = accepted(&response);
        assert!(self.engine.complete_sca(authorisation_id(&created), &approved()).unwrap().approved);
        created
    }

    /// From now on the bank is away for these products, and takes others.
    fn away_for(&self, products: &'static [Product]) {
        self.bank.follow(|order| match products.contains(&order.product) {
            true => Err(Error::Bank("the rail is away".to_owned())),
            false => answer(PaymentStatus::Acsc),
        });
    }
}

#[test]
fn a_rail_that_is_away_keeps_no_order_of_another_from_the_bank() {
    let (grouped, by_turns) = ([[SEPA; 30].as_slice(), &[INSTANT; 5]].concat(), [SEPA, INSTANT].repeat(5));
    for (paths, sick) in [(grouped, 30), (by_turns, 5)] {
        let setup = Setup::new();
        paths.into_iter().for_each(|path| drop(setup.ordered_of(path)));
        setup.away_for(&[Product::Sepa]);
        assert_eq!(
            setup.run(),
            counted(|report| {
                report.submitted = 5;
                report.failed = sick
            })
        );
        // Three of the sick ones.
        assert_eq!(setup.bank.taken(), 5 + 3);
        let waiting = setup.store.outbox().due_orders(setup.now() + TimeDelta::hours(1), 99).unwrap().orders;
        assert!(waiting.iter().all(|order| order.product == Some(Product::Sepa)), "{waiting:?}");
        setup.away_for(&[]);
        setup.wait(TimeDelta::seconds(1));
        assert_eq!((setup.run().submitted, setup.next()), (sick, None));
    }
}

#[test]
fn orders_of_an_absent_rail_are_postponed_during_the_run() {
    let setup = Setup::new();
    (0..60).for_each(|_| drop(setup.ordered_of(SEPA)));
    setup.ordered_of(INSTANT);
    let (store, untried) = (Arc::clone(&setup.store), Arc::new(AtomicUsize::new(99)));
    let found = Arc::clone(&untried);
    let in_an_hour = setup.now() + TimeDelta::hours(1);
    setup.bank.follow(move |order| {
        if order.product == Product::Sepa {
            return Err(Error::Bank("the rail is away".to_owned()));
        }
        let orders = store.outbox().due_orders(in_an_hour, 99).unwrap().orders;
        found.store(orders.iter().filter(|order| order.attempts == 0).count(), Ordering::SeqCst);
        answer(PaymentStatus::Acsc)
    });
    assert_eq!(setup.run().submitted, 1);
    // Those that were read with the last one, itself included.
    let untried = untried.load(Ordering::SeqCst);
    assert!((1..=16).contains(&untried), "{untried}");
}

#[test]
fn a_claim_that_waited_a_quarter_of_its_time_is_renewed() {
    for (seconds, renewed) in [(0, 0), (14, 0), (15, 1), (16, 1), (59, 1), (60, 1), (90, 1)] {
        let setup = Setup::new();
        let [first, second, third] = [0, 1, 2].map(|number| every_product()[number].0);
        [first, first, second, first, third].iter().for_each(|path| drop(setup.ordered_of(path)));
        let (clock, mut asked) = (Arc::clone(&setup.clock), 0);
        setup.bank.follow(move |_| {
            asked += 1;
            match asked {
                // Of two products, so that both are asked about again as soon as the bank takes any order.
                1..=3 => return Err(Error::Bank("the line is dead".to_owned())),
                4 => clock.set(xs2a::env::Clock::now(clock.as_ref()) + TimeDelta::seconds(seconds)).unwrap(),
                _ => {}
            }
            answer(PaymentStatus::Acsc)
        });
        let before = *setup.store.committed.lock();
        let report = setup.run();
        assert_eq!((report.submitted, report.failed), (2, 3), "{seconds}");
        assert_eq!(*setup.store.committed.lock() - before, 5 + renewed, "{seconds}");
    }
}

#[test]
fn an_absent_bank_is_asked_once_more_for_each_further_product() {
    let kept = Arc::new(Kept::default());
    let logger = Arc::clone(&kept);
    let setup = Setup::with(|builder| builder.logger(logger as Arc<dyn Logger>));
    let of_each = || every_product().iter().for_each(|(path, _)| drop(setup.ordered_of(path)));
    (0..4).for_each(|_| of_each());
    setup.away_for(Product::ALL);
    // By turns: the first three are of three products.
    assert_eq!((setup.run(), setup.bank.taken()), (failed(32), 3 + 5));
    let said = kept.0.lock().clone();
    for product in Product::ALL {
        let ends = format!(" product={:?}", product.path());
        let reported = said.iter().filter(|(level, _, line)| {
            *level == LogLevel::Error
                && line.starts_with("the bank is unavailable for a product: ")
                && line.ends_with(&ends)
        });
        assert_eq!(reported.count(), 1, "{ends}");
    }

    // Of those that failed less often the bank is asked about three.
    setup.wait(TimeDelta::seconds(1));
    of_each();
    setup.bank.taken.lock().clear();
    assert_eq!(setup.run(), failed(40));
    // Which of those that failed before are due again after a second is drawn.
    assert!((3 + 5..=3 + 3 + 7).contains(&setup.bank.taken()), "{}", setup.bank.taken());

    setup.away_for(&[]);
    setup.wait(TimeDelta::seconds(2));
    assert_eq!((setup.run().submitted, setup.next()), (40, None));
}

#[test]
fn orders_of_an_absent_rail_are_no_dead_letters_while_others_succeed() {
    let setup = Setup::new();
    (0..5).for_each(|_| drop(setup.ordered_of(SEPA)));
    setup.away_for(&[Product::Sepa]);
    for turn in 0..20 {
        drop(setup.ordered_of(INSTANT));
        let report = setup.run();
        assert_eq!((report.submitted, report.failed, report.dead_letters), (1, 5, 0), "{turn}");
        setup.wait(TimeDelta::hours(2));
    }
    let waiting = setup.store.outbox().due_orders(setup.now(), 9).unwrap().orders;
    assert!(waiting.len() == 5 && waiting.iter().all(|order| order.faults == 0), "{waiting:?}");
}
