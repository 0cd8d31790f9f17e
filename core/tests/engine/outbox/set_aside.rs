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

use crate::house::{approved, authorisation_id, node, House, Mood};
use crate::outbox::delivery::{answer, counted, failed, submitted};
use crate::world::baskets::own;
use crate::world::{accepted, creation_headers};

/// How often an order may fail by its own fault.
const FAULTS: u32 = 10;

fn one_set_aside() -> RunReport {
    counted(|report| report.set_aside = 1)
}

impl House {
    pub(crate) fn aside(&self) -> Vec<DeadLetter> {
        self.engine.set_aside().unwrap()
    }

    /// A payment whose order is a dead letter: the bank reported a status that only a bulk can have.
    pub(crate) fn poisoned(&self) -> Value {
        let created = self.ordered();
        self.bank.follow(|_| answer(PaymentStatus::Part));
        assert_eq!(self.run(), one_set_aside());
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
fn an_order_whose_answer_the_machine_refuses_is_set_aside_at_once_and_its_payment_stays_as_it_was() {
    for (status, rule) in [
        (PaymentStatus::Rcvd, "a payment in PDNG cannot become RCVD"),
        (PaymentStatus::Part, "only a bulk can become PART"),
    ] {
        let house = House::new();
        let (created, other) = (house.ordered(), house.ordered());
        let poisoned = house.payment(&created);
        let id = poisoned.id.clone();
        house
            .bank
            .follow(move |order| answer(if order.payment_id == id { status } else { PaymentStatus::Acsc }));
        assert_eq!(
            house.run(),
            counted(|report| {
                report.submitted = 1;
                report.set_aside = 1
            })
        );
        assert_eq!(house.payment(&created), poisoned);
        assert_eq!(house.payment(&other).status, PaymentStatus::Acsc);
        assert_eq!(house.next(), None);
        let why = format!("the bank answered {status}: {rule}");
        let expected =
            DeadLetter { payment_id: poisoned.id.to_string(), attempts: 1, why, since: house.now() };
        assert_eq!(house.aside(), std::slice::from_ref(&expected));
        // Time does not help, and the bank is not asked again.
        house.wait(TimeDelta::days(30));
        assert_eq!(house.run(), RunReport::default());
        assert_eq!((house.aside(), house.bank.taken()), (vec![expected], 2));
    }
}

#[test]
fn an_order_that_fails_ten_times_by_its_own_fault_is_set_aside_and_one_that_fails_nine_times_is_not() {
    for (trouble, why) in [
        ("nonsense", "what the bank answers to it cannot be used"),
        ("internal", "what the bank answers to it cannot be used"),
        ("panic", "the bank panics over it"),
    ] {
        let house = House::new();
        let created = house.ordered();
        house.bank.follow(move |_| match trouble {
            "nonsense" => Err(Error::BankAnswer("a status of its own".to_owned())),
            "internal" => Err(Error::Internal("a bug in the adapter".to_owned())),
            _ => panic!("the bank panics"),
        });
        for _ in 1..FAULTS {
            assert_eq!(house.run_when_due(), failed(1), "{trouble}");
        }
        assert_eq!(house.aside(), []);
        assert_eq!(house.run_when_due(), one_set_aside(), "{trouble}");
        let [aside] = house.aside().try_into().unwrap();
        assert_eq!((aside.attempts, aside.why.as_str()), (FAULTS, why));
        assert_eq!((aside.payment_id, aside.since), (house.id(&created), house.now()));
        assert_eq!((house.payment(&created).status, house.next()), (PaymentStatus::Pdng, None));
    }
}

#[test]
fn a_bank_that_is_away_is_waited_for_however_long_and_that_counts_for_no_fault() {
    let house = House::new();
    let created = house.ordered();
    let mut asked = 0;
    house.bank.follow(move |_| -> Result<_> {
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
        assert_eq!(house.run_when_due(), failed(1));
    }
    assert_eq!(house.run_when_due(), submitted(1));
    assert_eq!(house.payment(&created).status, PaymentStatus::Acsc);
}

#[test]
fn a_store_whose_payments_somebody_holds_is_waited_for_and_that_counts_for_no_fault() {
    let house = House::new();
    let created = house.ordered();
    *house.store.mood.lock() = Mood::Locked;
    for _ in 0..3 * FAULTS {
        assert_eq!(house.run_when_due(), failed(1));
    }
    assert_eq!((house.aside(), house.payment(&created).status), (Vec::new(), PaymentStatus::Pdng));
    *house.store.mood.lock() = Mood::Well;
    assert_eq!(house.run_when_due(), submitted(1));
    let taken = house.bank.taken.lock().clone();
    assert!(taken.windows(2).all(|pair| pair[0] == pair[1]), "the same key: {taken:?}");
}

#[test]
fn an_order_over_which_the_bank_fails_ten_times_while_it_takes_others_is_set_aside() {
    let house = House::new();
    let poisoned = house.ordered();
    let id = house.payment(&poisoned).id;
    let fails_over = id.clone();
    house.bank.follow(move |order| match order.payment_id == fails_over {
        true => Err(Error::Bank("the adapter broke off".to_owned())),
        false => answer(PaymentStatus::Acsc),
    });
    // Alone in its run it proves nothing.
    for _ in 0..2 * FAULTS {
        assert_eq!(house.run_when_due(), failed(1));
    }
    for turn in 1..=FAULTS {
        assert_eq!(house.aside(), [], "{turn}");
        // The other one was due before.
        house.ordered();
        house.wait(TimeDelta::hours(2));
        let report = house.run();
        assert_eq!((report.submitted, report.failed + report.set_aside), (1, 1), "{turn}");
    }
    let [aside] = house.aside().try_into().unwrap();
    assert_eq!(
        (aside.payment_id, aside.why.as_str()),
        (id.to_string(), "the bank fails over it, and takes others of its product")
    );
    assert_eq!(house.payment(&poisoned).status, PaymentStatus::Pdng);
}

/// A house with two orders. The first payment is damaged in the file.
fn spoilt(path: &Path, sql: &str) -> (House, String) {
    let house = House::over(Database::open_file(path).unwrap());
    let (first, _second) = (house.ordered(), house.ordered());
    let id = house.id(&first);
    let behind = Connection::open(path).unwrap();
    behind.pragma_update(None, "foreign_keys", false).unwrap();
    assert_eq!(behind.execute(sql, [&id]).unwrap(), 1);
    (house, id)
}

#[test]
fn an_order_that_cannot_be_made_is_set_aside_and_holds_up_no_other() {
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
        let (house, id) = spoilt(&directory.path().join("bank.db"), sql);
        for turn in 1..turns {
            let report = house.run_when_due();
            assert_eq!((report.failed, report.submitted), (1, usize::from(turn == 1)), "{sql}");
        }
        let report = house.run_when_due();
        assert_eq!((report.set_aside, report.submitted), (1, usize::from(turns == 1)), "{sql}");
        let [aside] = house.aside().try_into().unwrap();
        assert_eq!((aside.payment_id, aside.why.as_str()), (id, why));
        assert_eq!((aside.attempts, house.bank.taken(), house.next()), (turns, 1, None));
    }
}

#[test]
fn an_order_that_is_set_aside_is_delivered_when_somebody_says_so() {
    let house = House::new();
    let created = house.poisoned();
    house.wait(TimeDelta::days(3));
    house.engine.retry_order(&house.id(&created)).unwrap();
    assert_eq!((house.aside(), house.next()), (Vec::new(), Some(house.now())));
    assert_eq!(house.run(), submitted(1));
    assert_eq!(house.payment(&created).status, PaymentStatus::Acsc);
    let taken = house.bank.taken.lock().clone();
    assert!(taken.len() == 2 && taken[0] == taken[1], "the same key: {taken:?}");
}

#[test]
fn an_order_that_is_tried_again_has_all_its_turns_again() {
    let house = House::new();
    let created = house.ordered();
    house.bank.follow(|_| Err(Error::BankAnswer("nonsense".to_owned())));
    for _ in 0..2 {
        for _ in 1..FAULTS {
            assert_eq!(house.run_when_due(), failed(1));
        }
        assert_eq!(house.run_when_due(), one_set_aside());
        house.engine.retry_order(&house.id(&created)).unwrap();
    }
}

#[test]
fn only_an_order_that_is_set_aside_can_be_tried_again() {
    let house = House::new();
    let waiting = house.ordered();
    for id in [house.id(&waiting).as_str(), "enc!!AAAAAAAAAAAAAAAAAAAAAAAA", "", "x"] {
        assert!(matches!(house.engine.retry_order(id), Err(Error::Misuse(_))), "{id}");
    }
    assert_eq!(house.next(), Some(house.now()));
    house.run();
    assert!(matches!(house.engine.retry_order(&house.id(&waiting)), Err(Error::Misuse(_))));
}

#[test]
fn a_payment_whose_order_is_set_aside_can_be_cancelled() {
    let house = House::new();
    let created = house.poisoned();
    let target = format!("{}/cancellation-authorisations", own(&created));
    let started = accepted(&house.call("POST", &target, &creation_headers(), b""));
    assert!(house.engine.complete_sca(authorisation_id(&started), &approved()).unwrap().approved);
    assert_eq!((house.payment(&created).status, house.aside()), (PaymentStatus::Canc, Vec::new()));
}

#[test]
fn a_failure_that_cannot_be_noted_is_an_error_of_the_store() {
    let house = House::new();
    house.ordered();
    house.bank.feel("submit_payment", Mood::Failing);
    *house.store.mood.lock() = Mood::Failing;
    assert!(matches!(house.engine.run_due(), Err(Error::Store(_))));
    *house.store.mood.lock() = Mood::Well;
    house.wait(TimeDelta::seconds(60));
    assert_eq!(house.run(), failed(1));
}

#[test]
fn orders_that_cannot_be_read_hold_up_no_other_and_are_set_aside_in_the_store() {
    // More than are claimed at once, and due before all others.
    const UNREADABLE: usize = 40;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("bank.db");
    let house = House::over(Database::open_file(&path).unwrap());
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
    assert_eq!((house.next(), aside()), (Some(DateTime::UNIX_EPOCH), 0));
    let listed = house.aside();
    assert!(listed.iter().all(|order| order.why == "it cannot be read"), "{listed:?}");
    assert_eq!((listed.len(), listed[0].payment_id.as_str()), (UNREADABLE, "no id 0"));

    let created = house.ordered();
    assert_eq!(house.store.outbox().due_orders(house.now(), 1).unwrap().orders.len(), 1);
    assert_eq!(
        house.run(),
        counted(|report| {
            report.submitted = 1;
            report.set_aside = UNREADABLE
        })
    );
    assert_eq!(house.payment(&created).status, PaymentStatus::Acsc);
    assert_eq!((house.next(), aside()), (None, UNREADABLE));
    house.wait(TimeDelta::seconds(1));
    house.poisoned();
    assert_eq!(house.aside().len(), UNREADABLE + 1);
    assert_eq!(house.aside()[UNREADABLE].why, "the bank answered PART: only a bulk can become PART");
}

/// A house with three orders. The first is damaged by an invalid number, the second by its payment id. Returns the
/// payment of the first.
fn illegible(path: &Path) -> (House, String) {
    let (house, id) = spoilt(path, "UPDATE outbox SET attempts = -1 WHERE payment_id = ?1");
    let second = house
        .store
        .outbox()
        .next_order_due()
        .unwrap()
        .map(|due| house.store.outbox().due_orders(due, 1).unwrap().orders);
    let second = second.unwrap()[0].payment_id.to_string();
    house.ordered();
    let behind = Connection::open(path).unwrap();
    behind.pragma_update(None, "foreign_keys", false).unwrap();
    let spoil = "UPDATE outbox SET payment_id = 'no id' WHERE payment_id = ?1";
    assert_eq!(behind.execute(spoil, [&second]).unwrap(), 1);
    (house, id)
}

/// The audit lines of orders.
fn told(house: &House) -> Vec<Value> {
    let lines = house.engine.audit(DateTime::<Utc>::MIN_UTC..DateTime::<Utc>::MAX_UTC);
    let lines = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    lines.filter(|line| line["event"].as_str().unwrap().starts_with("order.")).collect()
}

#[test]
fn an_order_that_cannot_be_read_is_in_the_audit_with_its_payment_where_that_can_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let (house, id) = illegible(&directory.path().join("bank.db"));
    assert_eq!(
        house.run(),
        counted(|report| {
            report.submitted = 1;
            report.set_aside = 2
        })
    );
    let without_id = json!({
        "at": "2026-09-01T10:00:00.000000Z",
        "event": "order.set-aside",
        "cause": "bank: not submitted",
        "details": {"why": "it cannot be read"},
    });
    let mut of_payment = without_id.clone();
    of_payment["id"] = id.as_str().into();
    assert_eq!(told(&house), [of_payment, without_id]);
    house.engine.retry_order(&id).unwrap();
    assert_eq!((house.run(), told(&house).len()), (submitted(1), 3));
}

#[test]
fn an_order_that_cannot_be_read_is_set_aside_though_nothing_else_is_due_whatever_the_lease() {
    for lease_seconds in [0, 60] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.db");
        let (house, id) = spoilt(&path, "UPDATE outbox SET attempts = -1 WHERE payment_id = ?1");
        Connection::open(&path).unwrap().execute("DELETE FROM outbox WHERE attempts = 0", []).unwrap();
        assert_eq!(house.next(), Some(house.now()), "{lease_seconds}");
        let engine = node(&house, lease_seconds);
        assert_eq!(engine.run_due().unwrap(), one_set_aside(), "{lease_seconds}");
        let [line] = told(&house).try_into().unwrap();
        assert_eq!((&line["id"], &line["details"]["why"]), (&json!(id), &json!("it cannot be read")));
        assert_eq!((house.next(), engine.run_due().unwrap()), (None, RunReport::default()));
        house.engine.retry_order(&id).unwrap();
        assert_eq!(engine.run_due().unwrap(), submitted(1), "{lease_seconds}");
    }
}

#[test]
fn without_a_lease_what_cannot_be_read_is_set_aside_beside_what_is_delivered() {
    let directory = tempfile::tempdir().unwrap();
    let (house, _) = illegible(&directory.path().join("bank.db"));
    assert_eq!(
        node(&house, 0).run_due().unwrap(),
        counted(|report| {
            report.submitted = 1;
            report.set_aside = 2
        })
    );
    assert_eq!((house.aside().len(), told(&house).len(), house.next()), (2, 2, None));
}

#[test]
fn an_order_that_cannot_be_read_and_that_two_nodes_meet_is_set_aside_by_one_of_them() {
    let directory = tempfile::tempdir().unwrap();
    let (house, _) = illegible(&directory.path().join("bank.db"));
    let now = house.now();
    *house.store.meanwhile.lock() = Some(Box::new(move |other| {
        let claimed = other.outbox().claim_orders(now, now + TimeDelta::seconds(60), 9).unwrap();
        assert_eq!((claimed.orders.len(), claimed.unreadable.len()), (0, 2));
        let order = claimed.unreadable[0].clone();
        let aside = Write::MoveUnreadableToDeadLetters { order, since: now };
        assert_eq!(other.commit(&[aside]).unwrap(), CommitOutcome::Applied);
    }));
    assert_eq!(
        house.run(),
        counted(|report| {
            report.submitted = 1;
            report.set_aside = 1
        })
    );
    assert_eq!((house.aside().len(), told(&house).len()), (2, 1));
}
