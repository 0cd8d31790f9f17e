//! One node: what is delivered when, and what the run reports.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use xs2a::bank::{OrderStatus, PaymentStatus};
use xs2a::env::{LogRecord, Logger};
use xs2a::store::{OutboxOrder, Payment, Store, Write};
use xs2a::{Error, Result, RunReport};

use crate::setup::{Mood, Setup};
use crate::world::accepted;

/// The report with these counts.
pub(crate) fn counted(set: impl FnOnce(&mut RunReport)) -> RunReport {
    let mut report = RunReport::default();
    set(&mut report);
    report
}

pub(crate) fn submitted(count: usize) -> RunReport {
    counted(|report| report.submitted = count)
}

pub(crate) fn failed(count: usize) -> RunReport {
    counted(|report| report.failed = count)
}

pub(crate) fn answer(status: PaymentStatus) -> Result<OrderStatus> {
    Ok(OrderStatus { status, funds_available: None })
}

impl Setup {
    pub(crate) fn run(&self) -> RunReport {
        self.engine.run_due().unwrap()
    }

    pub(crate) fn next(&self) -> Option<DateTime<Utc>> {
        self.engine.next_due().unwrap()
    }
}

#[test]
fn an_absent_bank_is_retried_after_1_2_4_seconds_up_to_an_hour() {
    let setup = Setup::new();
    let created = setup.ordered();
    setup.bank.feel("submit_payment", Mood::Failing);
    assert_eq!(setup.next(), Some(setup.now()));
    for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600, 3600] {
        assert_eq!(setup.run(), failed(1), "{seconds}");
        let wait = setup.next().unwrap() - setup.now();
        let longest = TimeDelta::seconds(seconds);
        assert!(wait <= longest && wait > longest * 3 / 4, "{wait} of {longest}");
        // Not a microsecond earlier.
        setup.wait(wait - TimeDelta::microseconds(1));
        assert_eq!(setup.run(), RunReport::default(), "{seconds}");
        setup.wait(TimeDelta::microseconds(1));
    }
    assert_eq!(setup.payment(&created).status, PaymentStatus::Pdng);

    setup.bank.feel("submit_payment", Mood::Well);
    assert_eq!(setup.run(), submitted(1));
    assert_eq!(setup.payment(&created).status, PaymentStatus::Acsc);
    assert_eq!(setup.payment(&created).funds_available, Some(true));
    assert_eq!(setup.next(), None);
    setup.wait(TimeDelta::days(1));
    assert_eq!(setup.run(), RunReport::default());
    assert_eq!(setup.bank.taken(), 1);
}

#[test]
fn orders_that_failed_together_are_retried_at_different_times() {
    let waits = || {
        let setup = Setup::new();
        setup.bank.feel("submit_payment", Mood::Failing);
        (0..5).for_each(|_| drop(setup.ordered()));
        assert_eq!(setup.run(), failed(5));
        let waiting = setup.store.outbox().due_orders(setup.now() + TimeDelta::hours(1), 9).unwrap().orders;
        waiting.into_iter().map(|order| order.due_at).collect::<Vec<_>>()
    };
    let (one, other) = (waits(), waits());
    assert_eq!(one, other);
    assert!(one.windows(2).all(|pair| pair[0] != pair[1]), "{one:?}");
}

#[test]
fn one_order_that_fails_holds_up_no_other() {
    let setup = Setup::new();
    let created: Vec<_> = (0..3).map(|_| setup.ordered()).collect();
    let second = setup.payment(&created[1]).id;
    for trouble in ["the line is dead", "nonsense", "panic"] {
        let second = second.clone();
        setup.bank.follow(move |order| match trouble {
            _ if order.payment_id != second => answer(PaymentStatus::Acsc),
            "the line is dead" => Err(Error::Bank(trouble.to_owned())),
            "nonsense" => Err(Error::BankAnswer(trouble.to_owned())),
            _ => panic!("the bank panics"),
        });
        let fourth = setup.ordered();
        let report = setup.run();
        assert_eq!((report.failed, report.dead_letters), (1, 0), "{trouble}");
        assert_eq!(setup.payment(&fourth).status, PaymentStatus::Acsc, "{trouble}");
        assert_eq!(setup.payment(&created[2]).status, PaymentStatus::Acsc, "{trouble}");
        assert_eq!(setup.payment(&created[1]).status, PaymentStatus::Pdng, "{trouble}");
        setup.wait(TimeDelta::seconds(10));
    }
    *setup.bank.script.lock() = None;
    assert_eq!(setup.run(), submitted(1));
}

#[test]
fn a_payment_that_ended_before_the_bank_had_the_order_is_not_submitted() {
    for status in [PaymentStatus::Rjct, PaymentStatus::Canc] {
        let setup = Setup::new();
        let created = setup.ordered();
        setup.report(&created, status, None).unwrap();
        assert_eq!(setup.run(), RunReport::default());
        assert_eq!(setup.bank.taken(), 0, "{status}");
        assert_eq!(setup.payment(&created).status, status);
        assert_eq!(setup.next(), None);
    }
}

#[test]
fn the_order_of_an_ended_payment_is_withdrawn_and_not_submitted() {
    let setup = Setup::new();
    let mut payment = setup.payment(&setup.ordered());
    payment.become_status(PaymentStatus::Canc).unwrap();
    setup.store.commit(&[Write::UpdatePayment(Box::new(payment))]).unwrap();
    assert_eq!(setup.run(), counted(|report| report.withdrawn = 1));
    assert_eq!((setup.bank.taken(), setup.next()), (0, None));
}

#[test]
fn the_banks_answer_to_an_order_is_the_payments_status() {
    for (status, funds) in [
        (PaymentStatus::Actc, None),
        (PaymentStatus::Acsp, Some(true)),
        (PaymentStatus::Rjct, Some(false)),
        (PaymentStatus::Pdng, None),
        (PaymentStatus::Pdng, Some(true)),
    ] {
        let setup = Setup::new();
        *setup.bank.answer.lock() = OrderStatus { status, funds_available: funds };
        let created = setup.ordered();
        assert_eq!(setup.run(), submitted(1));
        let payment = setup.payment(&created);
        assert_eq!((payment.status, payment.funds_available), (status, funds));
        assert_eq!(setup.next(), None);
    }
}

/// An engine whose host reports a status while its bank is asked for the first time.
fn reporting(status: PaymentStatus) -> (Arc<Setup>, serde_json::Value) {
    let setup = Arc::new(Setup::new());
    let created = setup.ordered();
    let (there, payment, mut asked) = (Arc::downgrade(&setup), created.clone(), 0);
    setup.bank.follow(move |_| {
        asked += 1;
        if asked == 1 {
            there.upgrade().unwrap().report(&payment, status, None).unwrap();
            return answer(PaymentStatus::Actc);
        }
        answer(PaymentStatus::Acsp)
    });
    (setup, created)
}

#[test]
fn an_answer_that_a_report_overtook_is_asked_for_again() {
    // Of neither the machine goes back to ACTC.
    for overtaking in [PaymentStatus::Acsp, PaymentStatus::Accp] {
        let (setup, created) = reporting(overtaking);
        assert_eq!(setup.run(), submitted(1), "{overtaking}");
        assert_eq!(setup.bank.taken(), 2, "{overtaking}");
        assert_eq!(setup.payment(&created).status, PaymentStatus::Acsp);
        assert_eq!((setup.next(), setup.engine.dead_letters().unwrap().len()), (None, 0));
    }
}

#[test]
fn a_payment_that_ends_during_submission_has_no_order_left() {
    for end in [PaymentStatus::Rjct, PaymentStatus::Acsc] {
        let (setup, created) = reporting(end);
        assert_eq!(setup.run(), submitted(1), "{end}");
        assert_eq!(setup.payment(&created).status, end);
        assert_eq!(
            (setup.bank.taken(), setup.next(), setup.engine.dead_letters().unwrap().len()),
            (1, None, 0)
        );
    }
}

#[test]
fn a_run_ends_though_new_orders_come_all_the_time() {
    let setup = Setup::new();
    let payment = setup.payment(&setup.ordered());
    let (store, now) = (Arc::clone(&setup.store), setup.now());
    let mut number = 0_u32;
    setup.bank.follow(move |_| {
        number += 1;
        let mut random = [0; 18];
        random[..4].copy_from_slice(&number.to_be_bytes());
        let id = xs2a::types::PaymentId::from_bytes(random);
        let new = Payment { id: id.clone(), ..payment.clone() };
        let product = Some(payment.product);
        let order = OutboxOrder { payment_id: id, attempts: 0, faults: 0, due_at: now, product };
        let writes = [
            Write::InsertPayment {
                payment: new.into(),
                duplicate_window_start: None,
                alternative_fingerprints: Vec::new(),
            },
            Write::EnqueueOrder(order),
        ];
        store.commit(&writes).unwrap();
        answer(PaymentStatus::Acsc)
    });
    assert_eq!(setup.run(), submitted(10_000));
    assert_eq!(setup.next(), Some(now));
}

/// An engine with so many orders, whose bank finds its line dead whenever `is_dead` says so of the count of its
/// questions, from 1.
fn at_times_away(orders: usize, is_dead: impl Fn(usize) -> bool + Send + 'static) -> Setup {
    let setup = Setup::new();
    (0..orders).for_each(|_| drop(setup.ordered()));
    let mut asked = 0;
    setup.bank.follow(move |_| {
        asked += 1;
        if is_dead(asked) {
            return Err(Error::Bank("the line is dead".to_owned()));
        }
        answer(PaymentStatus::Acsc)
    });
    setup
}

#[test]
fn two_failures_in_a_row_keep_the_bank_asked_and_three_do_not() {
    let setup = at_times_away(6, |asked| asked <= 2);
    assert_eq!(
        setup.run(),
        counted(|report| {
            report.submitted = 4;
            report.failed = 2
        })
    );
    assert_eq!(setup.bank.taken(), 6);

    let setup = at_times_away(6, |asked| asked <= 3);
    assert_eq!((setup.run(), setup.bank.taken()), (failed(6), 3));
    // The next run asks again.
    setup.wait(TimeDelta::seconds(1));
    assert_eq!((setup.run(), setup.bank.taken()), (submitted(6), 3 + 6));
}

#[test]
fn an_order_that_the_bank_takes_resets_the_count() {
    let setup = at_times_away(9, |asked| asked % 3 != 0);
    assert_eq!(
        setup.run(),
        counted(|report| {
            report.submitted = 3;
            report.failed = 6
        })
    );
    assert_eq!(setup.bank.taken(), 9);
}

#[test]
fn orders_ask_an_absent_bank_three_times_a_run_and_wait_longer() {
    // More than are claimed at once.
    const ORDERS: usize = 50;
    let setup = at_times_away(ORDERS, |asked| asked <= 9);
    for run in 1..=3 {
        assert_eq!((setup.run(), setup.bank.taken()), (failed(ORDERS), 3 * run));
        // What was asked about and what was not wait alike.
        let waiting =
            setup.store.outbox().due_orders(setup.now() + TimeDelta::hours(1), ORDERS).unwrap().orders;
        let longest = TimeDelta::seconds(1 << (run - 1));
        for order in waiting {
            let wait = order.due_at - setup.now();
            assert!(wait > longest * 3 / 4 && wait <= longest, "{wait} of {longest}");
            assert_eq!((order.attempts as usize, order.faults), (run, 0));
        }
        setup.wait(longest);
    }
    assert_eq!(setup.run(), submitted(ORDERS));
    assert_eq!((setup.bank.taken(), setup.next()), (9 + ORDERS, None));
}

/// An engine with more orders than are claimed at once, which failed before and are due, because the bank is
/// unavailable for them, and so many new ones after them.
fn with_a_dead_line(new: usize, is_dead_for_the_new: bool) -> Setup {
    const FAILED_BEFORE: usize = 20;
    let setup = Setup::new();
    let old: Vec<_> = (0..FAILED_BEFORE).map(|_| setup.payment(&setup.ordered()).id).collect();
    setup.bank.follow(move |order| match is_dead_for_the_new || old.contains(&order.payment_id) {
        true => Err(Error::Bank("the line is dead".to_owned())),
        false => answer(PaymentStatus::Acsc),
    });
    assert_eq!(setup.run(), failed(FAILED_BEFORE));
    setup.wait(TimeDelta::seconds(1));
    (0..new).for_each(|_| drop(setup.ordered()));
    setup.bank.taken.lock().clear();
    setup
}

#[test]
fn orders_that_always_find_the_bank_away_keep_no_new_ones_from_it() {
    let setup = with_a_dead_line(2, false);
    assert_eq!(
        setup.run(),
        counted(|report| {
            report.submitted = 2;
            report.failed = 20
        })
    );
    // Three that failed before, the new ones, and as the bank is there, the one that was read with them.
    assert_eq!(setup.bank.taken(), 3 + 2 + 1);
    assert_eq!(setup.store.outbox().due_orders(setup.now(), 1).unwrap().orders, []);
}

#[test]
fn a_bank_that_three_new_orders_find_away_too_is_not_asked_about_a_fourth() {
    for (new, asked) in [(3, 6), (4, 6)] {
        let setup = with_a_dead_line(new, true);
        assert_eq!((setup.run(), setup.bank.taken()), (failed(20 + new), asked));
        assert_eq!(setup.store.outbox().due_orders(setup.now(), 1).unwrap().orders, []);
    }
}

#[test]
fn an_order_that_another_node_delivered_does_not_wait() {
    let setup = Setup::new();
    let ids: Vec<_> = (0..5).map(|_| setup.payment(&setup.ordered()).id).collect();
    let (store, fourth, mut asked) = (Arc::clone(&setup.store), ids[3].clone(), 0);
    setup.bank.follow(move |_| {
        asked += 1;
        if asked == 3 {
            store.commit(&[Write::RemoveOrder(fourth.clone())]).unwrap();
        }
        Err(Error::Bank("the line is dead".to_owned()))
    });
    assert_eq!((setup.run(), setup.bank.taken()), (failed(4), 3));
    let waiting = setup.store.outbox().due_orders(setup.now() + TimeDelta::hours(1), 9).unwrap().orders;
    assert_eq!(waiting.len(), 4);
    assert!(waiting.iter().all(|order| order.payment_id != ids[3] && order.due_at > setup.now()));
}

#[test]
fn a_bank_that_answers_nonsense_is_there() {
    let setup = Setup::new();
    (0..5).for_each(|_| drop(setup.ordered()));
    setup.bank.follow(|_| Err(Error::BankAnswer("nonsense".to_owned())));
    assert_eq!((setup.run(), setup.bank.taken()), (failed(5), 5));
}

#[test]
fn a_change_that_is_refused_names_the_rule_that_refuses_it() {
    let setup = Setup::new();
    let (open, ordered) = (accepted(&setup.create()), setup.ordered());
    for (created, status, rule) in [
        (&open, PaymentStatus::Acsc, "a payment that is not authorised cannot become ACSC"),
        (&open, PaymentStatus::Part, "a payment that is not authorised cannot become PART"),
        (&ordered, PaymentStatus::Part, "only a bulk can become PART"),
        (&ordered, PaymentStatus::Rcvd, "a payment in PDNG cannot become RCVD"),
    ] {
        let refused = setup.report(created, status, None).unwrap_err();
        assert!(matches!(&refused, Error::Conflict(reported) if reported == rule), "{refused}");
    }
}

/// Keeps what an engine says.
#[derive(Default)]
struct Kept(parking_lot::Mutex<Vec<String>>);

impl Logger for Kept {
    fn log(&self, record: &LogRecord) {
        self.0.lock().push(record.to_string());
    }
}

#[test]
fn failed_orders_are_logged_each_and_untried_ones_once() {
    let kept = Arc::new(Kept::default());
    let logger = Arc::clone(&kept);
    let setup = Setup::with(|builder| builder.logger(logger as Arc<dyn Logger>));
    let ids: Vec<_> = (0..5).map(|_| setup.payment(&setup.ordered()).id).collect();
    setup.bank.follow(|_| Err(Error::Bank("the line is dead".to_owned())));
    for attempt in 1..=2 {
        kept.0.lock().clear();
        assert_eq!(setup.run(), failed(5));
        let said = kept.0.lock().clone();
        let tried = said.iter().filter(|line| line.starts_with("an order could not be delivered"));
        let named = tried.filter(|line| {
            let names = |id| line.contains(&format!("payment_id=\"{id}\""));
            ids.iter().any(names) && line.contains(&format!("attempt={attempt}"))
        });
        assert_eq!(named.count(), 3, "{said:?}");
        let away = said.iter().filter(|line| line.starts_with("the bank is unavailable"));
        assert_eq!((away.count(), said.len()), (1, 4), "{said:?}");
        setup.wait(TimeDelta::seconds(1));
    }
}

/// What is logged where a payment ends while the bank is asked, which then answers that.
fn logged_where(ended: PaymentStatus, answered: PaymentStatus) -> Vec<String> {
    let kept = Arc::new(Kept::default());
    let logger = Arc::clone(&kept);
    let setup = Arc::new(Setup::with(|builder| builder.logger(logger as Arc<dyn Logger>)));
    let created = setup.ordered();
    let (there, payment) = (Arc::downgrade(&setup), created.clone());
    setup.bank.follow(move |_| {
        there.upgrade().unwrap().report(&payment, ended, None).unwrap();
        answer(answered)
    });
    assert_eq!(setup.run(), submitted(1));
    assert_eq!(setup.payment(&created).status, ended);
    let id = setup.payment(&created).id.to_string();
    let said = kept.0.lock().clone();
    assert!(said.iter().all(|line| line.contains(&id)), "{said:?}");
    said
}

#[test]
fn an_answer_that_contradicts_a_final_status_is_logged() {
    let (acsc, rjct) = (PaymentStatus::Acsc, PaymentStatus::Rjct);
    for (ended, answered) in [(rjct, acsc), (acsc, rjct), (PaymentStatus::Canc, acsc)] {
        let said = logged_where(ended, answered);
        let named = |line: &String| {
            line.starts_with("a payment ended in another status")
                && line.contains(&format!("ended=\"{ended}\" answered=\"{answered}\""))
        };
        assert!(said.len() == 1 && said.iter().all(named), "{said:?}");
    }
    for (ended, answered) in [(rjct, rjct), (rjct, PaymentStatus::Actc), (acsc, PaymentStatus::Acsp)] {
        assert_eq!(logged_where(ended, answered), Vec::<String>::new(), "{ended} {answered}");
    }
}
