//! What the bank reports of a payment whose order waits or is a dead letter.

use xs2a::bank::{OrderStatus, PaymentStatus};
use xs2a::store::{CommitOutcome, DeadLetter, Store, Write};
use xs2a::Error;

use crate::outbox::delivery::submitted;
use crate::setup::Setup;

impl Setup {
    /// How often a deed commits, counting what was rolled back.
    fn commits_of(&self, deed: impl FnOnce()) -> usize {
        let before = *self.store.committed.lock();
        deed();
        *self.store.committed.lock() - before
    }

    /// Has others write before the next commit.
    fn before_commit(&self, write: Write) {
        *self.store.before_commit.lock() =
            Some(Box::new(move |store| assert_eq!(store.commit(&[write]).unwrap(), CommitOutcome::Applied)));
    }
}

#[test]
fn a_report_of_the_bank_resolves_the_dead_letter_of_its_payment() {
    for status in [
        PaymentStatus::Pdng,
        PaymentStatus::Acsp,
        PaymentStatus::Acsc,
        PaymentStatus::Rjct,
        PaymentStatus::Canc,
    ] {
        let setup = Setup::new();
        let created = setup.poisoned();
        // What the machine refuses is no news.
        assert!(matches!(setup.report(&created, PaymentStatus::Part, None), Err(Error::Conflict(_))));
        assert_eq!(setup.aside().len(), 1, "{status}");
        setup.report(&created, status, None).unwrap();
        assert_eq!((setup.payment(&created).status, setup.aside().len(), setup.next()), (status, 0, None));
        assert!(matches!(setup.engine.retry_order(&setup.id(&created)), Err(Error::NotFound(_))));
        assert_eq!(setup.bank.taken(), 1, "{status}");
    }
}

#[test]
fn what_the_bank_reports_leaves_an_order_that_waits() {
    let setup = Setup::new();
    let created = setup.ordered();
    setup.report(&created, PaymentStatus::Pdng, None).unwrap();
    setup.report(&created, PaymentStatus::Acsp, None).unwrap();
    assert_eq!(setup.next(), Some(setup.now()));
    assert_eq!(setup.run(), submitted(1));
}

#[test]
fn a_report_is_one_commit_in_every_state_of_the_order() {
    let setup = Setup::new();
    let (poisoned, waiting) = (setup.poisoned(), setup.ordered());
    for status in [PaymentStatus::Acsp, PaymentStatus::Acsc] {
        for created in [&waiting, &poisoned] {
            let report = || setup.report(created, status, None).unwrap();
            assert_eq!(setup.commits_of(report), 1, "{status}");
            assert_eq!(setup.payment(created).status, status);
        }
    }
}

#[test]
fn a_report_without_news_commits_only_if_there_is_a_dead_letter() {
    let setup = Setup::new();
    let (poisoned, waiting) = (setup.poisoned(), setup.ordered());
    for (created, commits) in [(&waiting, 0), (&poisoned, 1), (&poisoned, 0)] {
        let report = || setup.report(created, PaymentStatus::Pdng, None).unwrap();
        assert_eq!(setup.commits_of(report), commits);
    }
    assert_eq!(setup.aside(), []);
}

#[test]
fn an_order_that_waits_again_while_the_bank_reports_goes_on_waiting() {
    let setup = Setup::new();
    let created = setup.poisoned();
    let payment_id = setup.payment(&created).id;
    setup.before_commit(Write::RetryOrder { payment_id, due_at: setup.now() });
    let report = || setup.report(&created, PaymentStatus::Acsp, None).unwrap();
    assert_eq!(setup.commits_of(report), 2);
    assert_eq!(setup.payment(&created).status, PaymentStatus::Acsp);
    assert_eq!((setup.aside(), setup.next()), (Vec::new(), Some(setup.now())));
}

#[test]
fn an_order_that_is_resolved_while_the_bank_reports_is_no_hindrance() {
    let setup = Setup::new();
    let created = setup.poisoned();
    setup.before_commit(Write::ResolveOrder(setup.payment(&created).id));
    let report = || setup.report(&created, PaymentStatus::Acsp, None).unwrap();
    assert_eq!(setup.commits_of(report), 2);
    assert_eq!((setup.payment(&created).status, setup.aside()), (PaymentStatus::Acsp, Vec::new()));
}

#[test]
fn a_dead_letter_made_during_a_report_stays_unless_the_payment_ended() {
    for (status, left) in [(PaymentStatus::Acsp, 1), (PaymentStatus::Acsc, 0), (PaymentStatus::Rjct, 0)] {
        let setup = Setup::new();
        let created = setup.ordered();
        let (payment_id, why) = (setup.id(&created), "nonsense".to_owned());
        let order = DeadLetter { payment_id, attempts: 10, why, since: setup.now() };
        setup.before_commit(Write::MoveToDeadLetters { order, was_due: setup.now() });
        setup.report(&created, status, None).unwrap();
        assert_eq!((setup.payment(&created).status, setup.aside().len()), (status, left));
        // The next report is the end of it.
        setup.report(&created, status, None).unwrap();
        assert_eq!((setup.payment(&created).status, setup.aside()), (status, Vec::new()));
    }
}

#[test]
fn a_payment_on_hold_is_pdng_until_the_bank_reports_again() {
    let setup = Setup::new();
    let created = setup.ordered();
    let id = setup.id(&created);
    let on_hold = || setup.payment(&created).on_hold;
    // The same report again commits nothing.
    for commits in [1, 0] {
        let report = || setup.engine.report_payment_on_hold(&id, Some("checked")).unwrap();
        assert_eq!(setup.commits_of(report), commits);
        assert_eq!(
            (setup.payment(&created).status, on_hold().as_deref()),
            (PaymentStatus::Pdng, Some("checked"))
        );
    }
    // The order is delivered as before, and the answer of the bank does not release it.
    setup.bank.follow(|_| Ok(OrderStatus::of(PaymentStatus::Pdng)));
    setup.run();
    assert_eq!(on_hold().as_deref(), Some("checked"));
    setup.report(&created, PaymentStatus::Pdng, None).unwrap();
    assert_eq!(on_hold(), None);
    setup.engine.report_payment_on_hold(&id, None).unwrap();
    setup.report(&created, PaymentStatus::Acsc, Some(true)).unwrap();
    assert_eq!((setup.payment(&created).status, on_hold()), (PaymentStatus::Acsc, None));
    assert!(matches!(setup.engine.report_payment_on_hold(&id, None), Err(Error::Conflict(_))));
    let causes: Vec<_> = setup.store.payments().events(&setup.payment(&created).id).unwrap();
    let causes: Vec<_> = causes.iter().map(|event| event.cause.as_str()).collect();
    assert!(
        causes.ends_with(&["bank: put on hold", "bank: released", "bank: put on hold", "bank: reported"]),
        "{causes:?}"
    );
}
