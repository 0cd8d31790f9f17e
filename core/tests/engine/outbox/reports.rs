//! What the bank reports of a payment whose order waits or is set aside.

use xs2a::bank::OrderStatus;
use xs2a::payment::machine::PaymentStatus;
use xs2a::store::{CommitOutcome, DeadLetter, Store, Write};
use xs2a::Error;

use crate::house::House;
use crate::outbox::delivery::submitted;

impl House {
    /// How often a deed commits, counting what was rolled back.
    fn commits_of(&self, deed: impl FnOnce()) -> usize {
        let before = *self.store.committed.lock();
        deed();
        *self.store.committed.lock() - before
    }

    /// Has others write before the next commit.
    fn meanwhile(&self, write: Write) {
        *self.store.meanwhile.lock() =
            Some(Box::new(move |store| assert_eq!(store.commit(&[write]).unwrap(), CommitOutcome::Applied)));
    }
}

#[test]
fn what_the_bank_reports_of_a_payment_is_the_end_of_its_order_that_was_set_aside() {
    for status in [
        PaymentStatus::Pdng,
        PaymentStatus::Acsp,
        PaymentStatus::Acsc,
        PaymentStatus::Rjct,
        PaymentStatus::Canc,
    ] {
        let house = House::new();
        let created = house.poisoned();
        // What the machine refuses is no news.
        assert!(matches!(house.report(&created, PaymentStatus::Part, None), Err(Error::Misuse(_))));
        assert_eq!(house.aside().len(), 1, "{status}");
        house.report(&created, status, None).unwrap();
        assert_eq!((house.payment(&created).status, house.aside().len(), house.next()), (status, 0, None));
        assert!(matches!(house.engine.retry_order(&house.id(&created)), Err(Error::Misuse(_))));
        assert_eq!(house.bank.taken(), 1, "{status}");
    }
}

#[test]
fn what_the_bank_reports_leaves_an_order_that_waits() {
    let house = House::new();
    let created = house.ordered();
    house.report(&created, PaymentStatus::Pdng, None).unwrap();
    house.report(&created, PaymentStatus::Acsp, None).unwrap();
    assert_eq!(house.next(), Some(house.now()));
    assert_eq!(house.run(), submitted(1));
}

#[test]
fn a_report_is_one_commit_whether_the_order_of_its_payment_waits_is_set_aside_or_is_done_with() {
    let house = House::new();
    let (poisoned, waiting) = (house.poisoned(), house.ordered());
    for status in [PaymentStatus::Acsp, PaymentStatus::Acsc] {
        for created in [&waiting, &poisoned] {
            let report = || house.report(created, status, None).unwrap();
            assert_eq!(house.commits_of(report), 1, "{status}");
            assert_eq!(house.payment(created).status, status);
        }
    }
}

#[test]
fn a_report_that_is_no_news_is_a_commit_only_where_an_order_is_set_aside() {
    let house = House::new();
    let (poisoned, waiting) = (house.poisoned(), house.ordered());
    for (created, commits) in [(&waiting, 0), (&poisoned, 1), (&poisoned, 0)] {
        let report = || house.report(created, PaymentStatus::Pdng, None).unwrap();
        assert_eq!(house.commits_of(report), commits);
    }
    assert_eq!(house.aside(), []);
}

#[test]
fn an_order_that_waits_again_while_the_bank_reports_goes_on_waiting() {
    let house = House::new();
    let created = house.poisoned();
    let payment_id = house.payment(&created).id;
    house.meanwhile(Write::RetryOrder { payment_id, due_at: house.now() });
    let report = || house.report(&created, PaymentStatus::Acsp, None).unwrap();
    assert_eq!(house.commits_of(report), 2);
    assert_eq!(house.payment(&created).status, PaymentStatus::Acsp);
    assert_eq!((house.aside(), house.next()), (Vec::new(), Some(house.now())));
}

#[test]
fn an_order_that_is_resolved_while_the_bank_reports_is_no_hindrance() {
    let house = House::new();
    let created = house.poisoned();
    house.meanwhile(Write::ResolveOrder(house.payment(&created).id));
    let report = || house.report(&created, PaymentStatus::Acsp, None).unwrap();
    assert_eq!(house.commits_of(report), 2);
    assert_eq!((house.payment(&created).status, house.aside()), (PaymentStatus::Acsp, Vec::new()));
}

#[test]
fn an_order_that_is_set_aside_while_the_bank_reports_is_set_aside_after_that_unless_its_payment_is_at_its_end(
) {
    for (status, left) in [(PaymentStatus::Acsp, 1), (PaymentStatus::Acsc, 0), (PaymentStatus::Rjct, 0)] {
        let house = House::new();
        let created = house.ordered();
        let (payment_id, why) = (house.id(&created), "nonsense".to_owned());
        let order = DeadLetter { payment_id, attempts: 10, why, since: house.now() };
        house.meanwhile(Write::MoveToDeadLetters { order, was_due: house.now() });
        house.report(&created, status, None).unwrap();
        assert_eq!((house.payment(&created).status, house.aside().len()), (status, left));
        // The next report is the end of it.
        house.report(&created, status, None).unwrap();
        assert_eq!((house.payment(&created).status, house.aside()), (status, Vec::new()));
    }
}

#[test]
fn a_payment_on_hold_is_pdng_until_the_bank_reports_again() {
    let house = House::new();
    let created = house.ordered();
    let id = house.id(&created);
    let on_hold = || house.payment(&created).on_hold;
    // The same report again commits nothing.
    for commits in [1, 0] {
        let report = || house.engine.report_payment_on_hold(&id, Some("checked")).unwrap();
        assert_eq!(house.commits_of(report), commits);
        assert_eq!(
            (house.payment(&created).status, on_hold().as_deref()),
            (PaymentStatus::Pdng, Some("checked"))
        );
    }
    // The order is delivered as before, and the answer of the bank does not release it.
    house.bank.follow(|_| Ok(OrderStatus::of(PaymentStatus::Pdng)));
    house.run();
    assert_eq!(on_hold().as_deref(), Some("checked"));
    house.report(&created, PaymentStatus::Pdng, None).unwrap();
    assert_eq!(on_hold(), None);
    house.engine.report_payment_on_hold(&id, None).unwrap();
    house.report(&created, PaymentStatus::Acsc, Some(true)).unwrap();
    assert_eq!((house.payment(&created).status, on_hold()), (PaymentStatus::Acsc, None));
    assert!(matches!(house.engine.report_payment_on_hold(&id, None), Err(Error::Misuse(_))));
    let causes: Vec<_> = house.store.payments().events(&house.payment(&created).id).unwrap();
    let causes: Vec<_> = causes.iter().map(|event| event.cause.as_str()).collect();
    assert!(
        causes.ends_with(&["bank: put on hold", "bank: released", "bank: put on hold", "bank: reported"]),
        "{causes:?}"
    );
}
