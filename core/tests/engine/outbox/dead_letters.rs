//! Dead letters: orders that another delivery would not help. They are kept, reported, and delivered on request.

use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;
use serde_json::{json, Value};
use xs2a::bank::PaymentStatus;
use xs2a::internal::Database;
use xs2a::store::{CommitOutcome, DeadLetter, Store, Write};
use xs2a::types::{PaymentId, ID_BYTES};
use xs2a::{Error, Result, RunReport};

use crate::outbox::delivery::{answer, counted, failed, submitted};
use crate::setup::{approved, authorisation_id, node, Mood, Setup};
use crate::world::baskets::own;
use crate::world::{accepted, creation_headers};

/// How often an order may fail by its own fault.
const FAULTS: u32 = 10;

fn one_dead_letter() -> RunReport {
    counted(|report| report.dead_letters = 1)
}

impl Setup {
    pub(crate) fn aside(&self) -> Vec<DeadLetter> {
        self.engine.dead_letters().unwrap()
    }

    /// A payment whose order is a dead letter: the bank reported a status that only a bulk can have.
    pub(crate) fn poisoned(&self) -> Value {
        let created = self.ordered();
        self.bank.follow(|_| answer(PaymentStatus::Part));
        assert_eq!(self.run(), one_dead_letter());
        *self.bank.script.lock() = None;
        created
    }

    pub(crate) fn id(&self, created: &Value) -> String {
        self.payment(created).id.to_string()
    }

    /// Lets the next failure come.
    fn run_when_due(&self) -> RunReport {
        self.clock.set(self.next().unwrap()).unwrap();
        self.run()
    }
}

#[test]
fn an_answer_without_a_transition_makes_a_dead_letter_at_once() {
    for (status, rule) in [
        (PaymentStatus::Rcvd, "a payment in PDNG cannot become RCVD"),
        (PaymentStatus::Part, "only a bulk can become PART"),
    ] {
        let setup = Setup::new();
        let (created, other) = (setup.ordered(), setup.ordered());
        let poisoned = setup.payment(&created);
        let id = poisoned.id.clone();
        setup
            .bank
            .follow(move |order| answer(if order.payment_id == id { status } else { PaymentStatus::Acsc }));
        assert_eq!(
            setup.run(),
            counted(|report| {
                report.submitted = 1;
                report.dead_letters = 1
            })
        );
        assert_eq!(setup.payment(&created), poisoned);
        assert_eq!(setup.payment(&other).status, PaymentStatus::Acsc);
        assert_eq!(setup.next(), None);
        let why = format!("the bank answered {status}: {rule}");
        let expected =
            DeadLetter { payment_id: poisoned.id.to_string(), attempts: 1, why, since: setup.now() };
        assert_eq!(setup.aside(), std::slice::from_ref(&expected));
        // Time does not help, and the bank is not asked again.
        setup.wait(TimeDelta::days(30));
        assert_eq!(setup.run(), RunReport::default());
        assert_eq!((setup.aside(), setup.bank.taken()), (vec![expected], 2));
    }
}

#[test]
fn ten_own_faults_make_a_dead_letter_and_nine_do_not() {
    for (trouble, why) in [
        ("nonsense", "the answer of the bank is invalid: a status of its own"),
        ("internal", "the answer of the bank is invalid: internal: a bug in the adapter"),
        ("panic", "the bank panicked"),
    ] {
        let setup = Setup::new();
        let created = setup.ordered();
        setup.bank.follow(move |_| match trouble {
            "nonsense" => Err(Error::BankAnswer("a status of its own".to_owned())),
            "internal" => Err(Error::Internal("a bug in the adapter".to_owned())),
            _ => panic!("the bank panics"),
        });
        for _ in 1..FAULTS {
            assert_eq!(setup.run_when_due(), failed(1), "{trouble}");
        }
        assert_eq!(setup.aside(), []);
        assert_eq!(setup.run_when_due(), one_dead_letter(), "{trouble}");
        let [aside] = setup.aside().try_into().unwrap();
        assert_eq!((aside.attempts, aside.why.as_str()), (FAULTS, why));
        assert_eq!((aside.payment_id, aside.since), (setup.id(&created), setup.now()));
        assert_eq!((setup.payment(&created).status, setup.next()), (PaymentStatus::Pdng, None));
    }
}

#[test]
fn an_absent_bank_is_waited_for_and_counts_as_no_fault() {
    let setup = Setup::new();
    let created = setup.ordered();
    let mut asked = 0;
    setup.bank.follow(move |_| -> Result<_> {
        asked += 1;
        match asked {
            // Nine times nonsense in between: one less than it takes.
            _ if asked % 20 == 0 && asked < 200 => Err(Error::BankAnswer("nonsense".to_owned())),
            300 => answer(PaymentStatus::Acsc),
            _ if asked % 2 == 0 => Err(Error::Store("the bank's own database".into())),
            _ => Err(Error::Bank("away".to_owned())),
        }
    });
    for _ in 1..300 {
        assert_eq!(setup.run_when_due(), failed(1));
    }
    assert_eq!(setup.run_when_due(), submitted(1));
    assert_eq!(setup.payment(&created).status, PaymentStatus::Acsc);
}

#[test]
fn a_locked_store_is_waited_for_and_counts_as_no_fault() {
    let setup = Setup::new();
    let created = setup.ordered();
    *setup.store.mood.lock() = Mood::Locked;
    for _ in 0..3 * FAULTS {
        assert_eq!(setup.run_when_due(), failed(1));
    }
    assert_eq!((setup.aside(), setup.payment(&created).status), (Vec::new(), PaymentStatus::Pdng));
    *setup.store.mood.lock() = Mood::Well;
    assert_eq!(setup.run_when_due(), submitted(1));
    let taken = setup.bank.taken.lock().clone();
    assert!(taken.windows(2).all(|pair| pair[0] == pair[1]), "the same key: {taken:?}");
}

#[test]
fn ten_bank_failures_while_others_succeed_make_a_dead_letter() {
    let setup = Setup::new();
    let poisoned = setup.ordered();
    let id = setup.payment(&poisoned).id;
    let fails_over = id.clone();
    setup.bank.follow(move |order| match order.payment_id == fails_over {
        true => Err(Error::Bank("the adapter broke off".to_owned())),
        false => answer(PaymentStatus::Acsc),
    });
    // Alone in its run it proves nothing.
    for _ in 0..2 * FAULTS {
        assert_eq!(setup.run_when_due(), failed(1));
    }
    for turn in 1..=FAULTS {
        assert_eq!(setup.aside(), [], "{turn}");
        // The other one was due before.
        setup.ordered();
        setup.wait(TimeDelta::hours(2));
        let report = setup.run();
        assert_eq!((report.submitted, report.failed + report.dead_letters), (1, 1), "{turn}");
    }
    let [aside] = setup.aside().try_into().unwrap();
    assert_eq!(
        (aside.payment_id, aside.why.as_str()),
        (
            id.to_string(),
            "the bank fails for this order and takes others of its product: the adapter broke off"
        )
    );
    assert_eq!(setup.payment(&poisoned).status, PaymentStatus::Pdng);
}

/// An engine with two orders. The first payment is damaged in the file.
fn spoilt(path: &Path, sql: &str) -> (Setup, String) {
    let setup = Setup::over(Database::open_file(path).unwrap());
    let (first, _second) = (setup.ordered(), setup.ordered());
    let id = setup.id(&first);
    let behind = Connection::open(path).unwrap();
    behind.pragma_update(None, "foreign_keys", false).unwrap();
    assert_eq!(behind.execute(sql, [&id]).unwrap(), 1);
    (setup, id)
}

#[test]
fn an_order_that_cannot_be_made_is_a_dead_letter_and_blocks_no_other() {
    for (sql, turns, why) in [
        ("DELETE FROM payment WHERE id = ?1", 1, "its payment is missing"),
        ("UPDATE payment SET authorised_at = NULL WHERE id = ?1", 1, "its payment is not authorised"),
        ("UPDATE payment SET psu = NULL WHERE id = ?1", 1, "its payment is not authorised"),
        (
            "UPDATE payment SET transfer = '{}' WHERE id = ?1",
            FAULTS,
            "its payment cannot be read or changed in the store",
        ),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let (setup, id) = spoilt(&directory.path().join("bank.db"), sql);
        for turn in 1..turns {
            let report = setup.run_when_due();
            assert_eq!((report.failed, report.submitted), (1, usize::from(turn == 1)), "{sql}");
        }
        let report = setup.run_when_due();
        assert_eq!((report.dead_letters, report.submitted), (1, usize::from(turns == 1)), "{sql}");
        let [aside] = setup.aside().try_into().unwrap();
        assert_eq!((aside.payment_id, aside.why.as_str()), (id, why));
        assert_eq!((aside.attempts, setup.bank.taken(), setup.next()), (turns, 1, None));
    }
}

#[test]
fn a_dead_letter_is_delivered_after_retry_order() {
    let setup = Setup::new();
    let created = setup.poisoned();
    setup.wait(TimeDelta::days(3));
    setup.engine.retry_order(&setup.id(&created)).unwrap();
    assert_eq!((setup.aside(), setup.next()), (Vec::new(), Some(setup.now())));
    assert_eq!(setup.run(), submitted(1));
    assert_eq!(setup.payment(&created).status, PaymentStatus::Acsc);
    let taken = setup.bank.taken.lock().clone();
    assert!(taken.len() == 2 && taken[0] == taken[1], "the same key: {taken:?}");
}

#[test]
fn an_order_that_is_tried_again_has_all_its_turns_again() {
    let setup = Setup::new();
    let created = setup.ordered();
    setup.bank.follow(|_| Err(Error::BankAnswer("nonsense".to_owned())));
    for _ in 0..2 {
        for _ in 1..FAULTS {
            assert_eq!(setup.run_when_due(), failed(1));
        }
        assert_eq!(setup.run_when_due(), one_dead_letter());
        setup.engine.retry_order(&setup.id(&created)).unwrap();
    }
}

#[test]
fn only_a_dead_letter_can_be_retried() {
    let setup = Setup::new();
    let waiting = setup.ordered();
    for id in [setup.id(&waiting).as_str(), "enc!!AAAAAAAAAAAAAAAAAAAAAAAA", "", "x"] {
        assert!(matches!(setup.engine.retry_order(id), Err(Error::NotFound(_))), "{id}");
    }
    assert_eq!(setup.next(), Some(setup.now()));
    setup.run();
    assert!(matches!(setup.engine.retry_order(&setup.id(&waiting)), Err(Error::NotFound(_))));
}

#[test]
fn a_payment_with_a_dead_letter_can_be_cancelled() {
    let setup = Setup::new();
    let created = setup.poisoned();
    let target = format!("{}/cancellation-authorisations", own(&created));
    let started = accepted(&setup.call("POST", &target, &creation_headers(), b""));
    assert!(setup.engine.complete_sca(authorisation_id(&started), &approved()).unwrap().approved);
    assert_eq!((setup.payment(&created).status, setup.aside()), (PaymentStatus::Canc, Vec::new()));
}

#[test]
fn a_failure_that_cannot_be_noted_is_an_error_of_the_store() {
    let setup = Setup::new();
    setup.ordered();
    setup.bank.feel("submit_payment", Mood::Failing);
    *setup.store.mood.lock() = Mood::Failing;
    assert!(matches!(setup.engine.run_due(), Err(Error::Store(_))));
    *setup.store.mood.lock() = Mood::Well;
    setup.wait(TimeDelta::seconds(60));
    assert_eq!(setup.run(), failed(1));
}

#[test]
fn unreadable_orders_block_no_other_and_become_dead_letters() {
    // More than are claimed at once, and due before all others.
    const UNREADABLE: usize = 40;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("bank.db");
    let setup = Setup::over(Database::open_file(&path).unwrap());
    let behind = Connection::open(&path).unwrap();
    behind.pragma_update(None, "foreign_keys", false).unwrap();
    let spoil = "INSERT INTO outbox (payment_id, attempts, faults, due_at) VALUES (?1, ?2, 0, 0)";
    for number in 0..UNREADABLE {
        // Half of them by their payment id, the others by a number that is none.
        let id = PaymentId::from_bytes([u8::try_from(number).unwrap(); ID_BYTES]).to_string();
        let (id, attempts) = if number % 2 == 0 { (format!("no id {number}"), 0) } else { (id, -1) };
        behind.execute(spoil, (id, attempts)).unwrap();
    }
    let aside = || {
        let sql = "SELECT count(*) FROM outbox WHERE dead_letter_reason = 'it cannot be read'";
        behind.query_row(sql, [], |row| row.get::<_, usize>(0)).unwrap()
    };
    // They are listed before a run met them, and a host that waits for what is due hears of them.
    assert_eq!((setup.next(), aside()), (Some(DateTime::UNIX_EPOCH), 0));
    let listed = setup.aside();
    assert!(listed.iter().all(|order| order.why == "it cannot be read"), "{listed:?}");
    assert_eq!((listed.len(), listed[0].payment_id.as_str()), (UNREADABLE, "no id 0"));

    let created = setup.ordered();
    assert_eq!(setup.store.outbox().due_orders(setup.now(), 1).unwrap().orders.len(), 1);
    assert_eq!(
        setup.run(),
        counted(|report| {
            report.submitted = 1;
            report.dead_letters = UNREADABLE
        })
    );
    assert_eq!(setup.payment(&created).status, PaymentStatus::Acsc);
    assert_eq!((setup.next(), aside()), (None, UNREADABLE));
    setup.wait(TimeDelta::seconds(1));
    setup.poisoned();
    assert_eq!(setup.aside().len(), UNREADABLE + 1);
    assert_eq!(setup.aside()[UNREADABLE].why, "the bank answered PART: only a bulk can become PART");
}

/// An engine with three orders. The first is damaged by an invalid number, the second by its payment id. Returns the
/// payment of the first.
fn illegible(path: &Path) -> (Setup, String) {
    let (setup, id) = spoilt(path, "UPDATE outbox SET attempts = -1 WHERE payment_id = ?1");
    let second = setup
        .store
        .outbox()
        .next_order_due()
        .unwrap()
        .map(|due| setup.store.outbox().due_orders(due, 1).unwrap().orders);
    let second = second.unwrap()[0].payment_id.to_string();
    setup.ordered();
    let behind = Connection::open(path).unwrap();
    behind.pragma_update(None, "foreign_keys", false).unwrap();
    let spoil = "UPDATE outbox SET payment_id = 'no id' WHERE payment_id = ?1";
    assert_eq!(behind.execute(spoil, [&second]).unwrap(), 1);
    (setup, id)
}

/// The audit lines of orders.
fn audited(setup: &Setup) -> Vec<Value> {
    let lines = setup.engine.audit(DateTime::<Utc>::MIN_UTC..DateTime::<Utc>::MAX_UTC);
    let lines = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    lines.filter(|line| line["event"].as_str().unwrap().starts_with("order.")).collect()
}

#[test]
fn an_unreadable_order_is_audited_with_its_readable_payment_id() {
    let directory = tempfile::tempdir().unwrap();
    let (setup, id) = illegible(&directory.path().join("bank.db"));
    assert_eq!(
        setup.run(),
        counted(|report| {
            report.submitted = 1;
            report.dead_letters = 2
        })
    );
    let without_id = json!({
        "at": "2026-09-01T10:00:00.000000Z",
        "event": "order.dead-letter",
        "cause": "bank: not submitted",
        "details": {"why": "it cannot be read"},
    });
    let mut of_payment = without_id.clone();
    of_payment["id"] = id.as_str().into();
    assert_eq!(audited(&setup), [of_payment, without_id]);
    setup.engine.retry_order(&id).unwrap();
    assert_eq!((setup.run(), audited(&setup).len()), (submitted(1), 3));
}

#[test]
fn an_unreadable_order_alone_becomes_a_dead_letter_with_any_lease() {
    for lease_seconds in [0, 60] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.db");
        let (setup, id) = spoilt(&path, "UPDATE outbox SET attempts = -1 WHERE payment_id = ?1");
        Connection::open(&path).unwrap().execute("DELETE FROM outbox WHERE attempts = 0", []).unwrap();
        assert_eq!(setup.next(), Some(setup.now()), "{lease_seconds}");
        let engine = node(&setup, lease_seconds);
        assert_eq!(engine.run_due().unwrap(), one_dead_letter(), "{lease_seconds}");
        let [line] = audited(&setup).try_into().unwrap();
        assert_eq!((&line["id"], &line["details"]["why"]), (&json!(id), &json!("it cannot be read")));
        assert_eq!((setup.next(), engine.run_due().unwrap()), (None, RunReport::default()));
        setup.engine.retry_order(&id).unwrap();
        assert_eq!(engine.run_due().unwrap(), submitted(1), "{lease_seconds}");
    }
}

#[test]
fn without_a_lease_unreadable_orders_become_dead_letters() {
    let directory = tempfile::tempdir().unwrap();
    let (setup, _) = illegible(&directory.path().join("bank.db"));
    assert_eq!(
        node(&setup, 0).run_due().unwrap(),
        counted(|report| {
            report.submitted = 1;
            report.dead_letters = 2
        })
    );
    assert_eq!((setup.aside().len(), audited(&setup).len(), setup.next()), (2, 2, None));
}

#[test]
fn one_of_two_nodes_moves_an_unreadable_order_to_the_dead_letters() {
    let directory = tempfile::tempdir().unwrap();
    let (setup, _) = illegible(&directory.path().join("bank.db"));
    let now = setup.now();
    *setup.store.before_commit.lock() = Some(Box::new(move |other| {
        let claimed = other.outbox().claim_orders(now, now + TimeDelta::seconds(60), 9).unwrap();
        assert_eq!((claimed.orders.len(), claimed.unreadable.len()), (0, 2));
        let order = claimed.unreadable[0].clone();
        let aside = Write::MoveUnreadableToDeadLetters { order, since: now };
        assert_eq!(other.commit(&[aside]).unwrap(), CommitOutcome::Applied);
    }));
    assert_eq!(
        setup.run(),
        counted(|report| {
            report.submitted = 1;
            report.dead_letters = 1
        })
    );
    assert_eq!((setup.aside().len(), audited(&setup).len()), (2, 1));
}
