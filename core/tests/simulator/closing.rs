//! The end of a run: everything works again, everything comes to rest, and is compared with what is known.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use crate::books::{Transfer, Verdict, PERSONS};
use crate::model::Known;
use crate::plan::NODES;
use crate::world::World;

/// After how many hours the outbox alone has found out what the bank cancelled. An order that the bank was asked to
/// cancel, and has not, waits on.
const HOURS_OF_OUTBOX: usize = 6;
/// How many hours a run needs to come to rest, at most.
const HOURS_MAX: usize = 60;
const HOUR_MICROS: i64 = 3_600_000_000;

impl World {
    /// Lets every order arrive: first by the outbox alone, then with the bank's reports.
    pub(crate) fn come_to_rest(&self) {
        self.is_bank_away.store(false, Ordering::Relaxed);
        for number in 0..NODES {
            self.node(number).skew.store(0, Ordering::Relaxed);
        }
        (0..HOURS_OF_OUTBOX).for_each(|hour| self.deliver(hour));
        self.check_cancelled();
        for hour in 0..HOURS_MAX {
            self.deliver(hour);
            let waiting = self.books.lock().waiting(None);
            waiting.iter().for_each(|id| self.books.lock().decide(id, Verdict::Executed));
            self.report_everything();
            let node = &*self.node(0);
            let (due, _) = self.host(node, "next_due", xs2a::Engine::next_due);
            let (letters, _) = self.host(node, "dead_letters", xs2a::Engine::dead_letters);
            if matches!(due, Ok(None)) && letters.is_ok_and(|letters| letters.is_empty()) {
                return;
            }
        }
        self.violate("outbox: everything is delivered in the end", "orders still wait".to_owned());
    }

    /// An hour later: every order that waits is due.
    fn deliver(&self, hour: usize) {
        let node = &*self.node(hour % NODES);
        self.be_quiet(HOUR_MICROS + 1_000_000);
        self.retry_dead_letters(node);
        self.run_due(node);
    }

    /// What the bank cancelled for the engine is stored, also where the bank's answer was lost.
    fn check_cancelled(&self) {
        let books = self.books.lock();
        let cancelled = books.orders.iter().filter(|(_, entry)| entry.verdict == Verdict::Cancelled);
        for (id, _) in cancelled {
            let stored = self.stored_status(id);
            self.require(
                stored == Some(Verdict::Cancelled.status()),
                "outbox: a cancellation whose answer was lost is found out",
                || format!("{id} is stored as {stored:?}"),
            );
        }
    }

    fn report_everything(&self) {
        let node = &*self.node(0);
        let known: Vec<(String, Verdict)> =
            self.books.lock().orders.iter().map(|(id, entry)| (id.clone(), entry.verdict)).collect();
        for (id, verdict) in known {
            if self.stored_status(&id) != Some(verdict.status()) {
                self.report(node, &id, verdict);
            }
        }
    }

    /// Compares bank, store and answers.
    pub(crate) fn check_everything(&self) {
        self.check_money();
        self.check_payments();
        self.check_baskets();
        self.check_audit();
    }

    /// After every step: no money is made or lost, and nothing that was cancelled is executed.
    pub(crate) fn check_money(&self) {
        let books = self.books.lock();
        self.require(books.is_balanced(), "bank: money is conserved", || format!("{:?}", books.balances));
        let model = self.model.lock();
        let checked = books.executed.len().saturating_sub(40);
        for (id, transfer) in &books.executed[checked..] {
            let Some(payment) = model.by_id.get(id).map(|index| &model.payments[*index]) else {
                self.violate("payment: only what a TPP created is executed", format!("{id} {transfer:?}"));
                continue;
            };
            let is_same = transfer.reference == payment.reference
                && transfer.ore == payment.ore
                && (&transfer.debtor, &transfer.creditor) == (&payment.debtor, &payment.creditor)
                && transfer.person == PERSONS[payment.person];
            self.require(is_same, "payment: what the PSU approved is executed unchanged", || {
                format!("{transfer:?} {payment:?}")
            });
            self.require(
                payment.cancelled != Known::Yes,
                "payment: a cancelled payment is not executed after its confirmation",
                || id.clone(),
            );
            self.require(
                payment.approved != Known::No,
                "payment: only what a PSU approved is executed",
                || id.clone(),
            );
        }
    }

    fn check_payments(&self) {
        let model = self.model.lock();
        for payment in &model.payments {
            let (verdict, status) = (self.books.lock().verdict(&payment.id), self.stored_status(&payment.id));
            let context = || format!("{verdict:?} at the bank, stored as {status:?}: {payment:?}");
            self.require(status.is_some(), "payment: what was acknowledged is stored", context);
            let is_ordered = payment.approved == Known::Yes;
            self.require(
                !is_ordered || verdict.is_some(),
                "payment: an approved payment reaches the bank",
                context,
            );
            self.require(
                payment.cancelled != Known::Yes
                    || status.is_some_and(|status| status == Verdict::Cancelled.status()),
                "payment: a cancelled payment stays cancelled",
                context,
            );
            self.require(
                verdict.is_none_or(|verdict| status == Some(verdict.status())),
                "payment: bank and engine agree",
                context,
            );
            self.check_history(&payment.id);
        }
        let books = self.books.lock();
        let references: BTreeSet<_> =
            books.executed.iter().map(|(_, transfer)| &transfer.reference).collect();
        let repeated = books.executed.len() - references.len();
        let is_repeated = |(_, transfer): &&(String, Transfer)| {
            model.payments.iter().filter(|payment| payment.reference == transfer.reference).count() > 1
        };
        let allowed = books.executed.iter().filter(is_repeated).count();
        self.require(repeated <= allowed, "bank: nothing is executed twice", || {
            format!("{} transfers of {} references", books.executed.len(), references.len())
        });
    }

    /// The history leads from the beginning to the present status by steps of the table.
    fn check_history(&self, id: &str) {
        use xs2a::types::Machine as _;
        let Some(id) = xs2a::types::PaymentId::parse(id) else { return };
        let history = self.store.payments().events(&id).unwrap();
        let mut status = xs2a::bank::PaymentStatus::Rcvd;
        for step in &history {
            let is_step = step.from == status && (step.from.may_become(step.to) || step.from == step.to);
            self.require(is_step, "audit: a history has every step", || format!("{id}: {history:?}"));
            status = step.to;
        }
        let stored = self.stored_status(id.as_str());
        self.require(
            stored.is_none_or(|stored| stored == status),
            "audit: a history ends at the present",
            || format!("{id} is {stored:?}: {history:?}"),
        );
    }
}
