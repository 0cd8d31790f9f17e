//! The host: delivery, the bank's reports, and what an operator does.

use xs2a::bank::PaymentStatus;
use xs2a::internal::{from_micros, oslo_day};
use xs2a::store::BlockedSubject;
use xs2a::types::PsuKey;
use xs2a::Error;

use crate::act::recent;
use crate::books::{Verdict, PERSONS};
use crate::dice::Dice;
use crate::model::Known;
use crate::payments::tpp_and_person;
use crate::world::{Node, World, TPPS};

/// A clock that is off by this much deletes ids of requests that others still need.
const PURGES_TOO_EARLY_MICROS: i64 = 540_000_000;

impl World {
    pub(crate) fn run_due(&self, node: &Node) {
        if node.skew.load(std::sync::atomic::Ordering::Relaxed) > PURGES_TOO_EARLY_MICROS {
            self.model.lock().ids_purged = self.now();
        }
        let (run, _) = self.host(node, "run_due", xs2a::Engine::run_due);
        self.require_cause(run.is_ok(), "run_due");
        let dead_letters = run.map_or(0, |report| report.dead_letters);
        for _ in 0..dead_letters {
            self.model.lock().expect_line("order.dead-letter", "", Known::Yes);
        }
        // A run may have moved one before it failed.
        for _ in 0..if self.has_fired() { 20 } else { 0 } {
            self.model.lock().expect_line("order.dead-letter", "", Known::Maybe);
        }
    }

    /// The bank ends an order that waits, and reports it, unless the report is lost.
    pub(crate) fn settle(&self, node: &Node, dice: &mut Dice) {
        let today = oslo_day(from_micros(self.now()));
        let waiting = self.books.lock().waiting(Some(today));
        let Some(index) = recent(dice, waiting.len()) else { return };
        let id = &waiting[index];
        let verdict = if dice.one_in(5) { Verdict::Rejected } else { Verdict::Executed };
        self.books.lock().decide(id, verdict);
        if !dice.one_in(6) {
            self.report(node, id, verdict);
        }
    }

    /// The bank reports what it has reported, or what is no longer so.
    pub(crate) fn repeat_report(&self, node: &Node, dice: &mut Dice) {
        let known: Vec<(String, Verdict)> =
            self.books.lock().orders.iter().map(|(id, entry)| (id.clone(), entry.verdict)).collect();
        let Some(index) = recent(dice, known.len()) else { return };
        let (id, verdict) = &known[index];
        if dice.one_in(4) && *verdict != Verdict::Waits {
            self.report_stale(node, id);
        } else {
            self.report(node, id, *verdict);
        }
    }

    /// Reports the status of a payment. One that was only cancelled, and never ordered, may be unknown to the engine.
    pub(crate) fn report(&self, node: &Node, id: &str, verdict: Verdict) {
        let status = verdict.status();
        let (reported, _) =
            self.host(node, "report", |engine| engine.report_payment_status(id, status, None));
        // An older report may come after the end of the payment.
        let is_outdated = matches!(reported, Err(Error::Conflict(_))) && verdict == Verdict::Waits;
        self.require_cause(reported.is_ok() || is_outdated, "report");
    }

    fn report_stale(&self, node: &Node, id: &str) {
        let before = self.stored_status(id);
        let (reported, _) = self
            .host(node, "stale report", |engine| engine.report_payment_status(id, PaymentStatus::Pdng, None));
        let ends = [PaymentStatus::Acsc, PaymentStatus::Rjct, PaymentStatus::Canc];
        let is_final = before.is_some_and(|status| ends.contains(&status));
        self.require(!is_final || reported.is_err(), "payment: what ended does not wait again", || {
            format!("{id} was {before:?}")
        });
    }

    pub(crate) fn stored_status(&self, id: &str) -> Option<PaymentStatus> {
        self.stored_payment(id).map(|payment| payment.status)
    }

    pub(crate) fn is_authorised(&self, id: &str) -> bool {
        self.stored_payment(id).is_some_and(|payment| payment.authorised_at.is_some())
    }

    fn stored_payment(&self, id: &str) -> Option<xs2a::store::Payment> {
        let id = xs2a::types::PaymentId::parse(id)?;
        self.store.payments().payment(&id).unwrap()
    }

    pub(crate) fn retry_dead_letters(&self, node: &Node) {
        let (listed, _) = self.host(node, "dead_letters", xs2a::Engine::dead_letters);
        for letter in listed.unwrap_or_default() {
            let id = letter.payment_id;
            let (retried, _) = self.host(node, "retry_order", |engine| engine.retry_order(&id));
            self.require_cause(retried.is_ok(), "retry_order");
            let known = if retried.is_ok() { Known::Yes } else { Known::Maybe };
            self.model.lock().expect_line("order.retried", &id, known);
        }
    }

    pub(crate) fn block(&self, node: &Node, dice: &mut Dice) {
        let (tpp, _) = tpp_and_person(dice);
        let subject = BlockedSubject::Tpp(TPPS[tpp].to_owned());
        let (done, _) = self.host(node, "block", |engine| engine.block(subject, None, "asked to"));
        self.note_block(tpp, "tpp.blocked", done.is_ok(), Known::Yes);
    }

    pub(crate) fn unblock(&self, node: &Node, dice: &mut Dice) {
        let blocked =
            |tpp: &usize| self.model.lock().blocked.get(tpp).is_some_and(|known| *known != Known::No);
        let all: Vec<usize> = (0..TPPS.len()).filter(blocked).collect();
        let Some(tpp) = dice.choose(&all).copied() else { return };
        let before = self.model.lock().blocked[&tpp];
        let subject = BlockedSubject::Tpp(TPPS[tpp].to_owned());
        let (done, _) = self.host(node, "unblock", |engine| engine.unblock(subject));
        let was_blocked = *done.as_ref().unwrap_or(&true);
        self.require(
            was_blocked || before != Known::Yes || self.has_fired() || !node.is_punctual(),
            "block: a block is not lost",
            || TPPS[tpp].to_owned(),
        );
        let kind = "tpp.unblocked";
        match (done.is_ok(), was_blocked) {
            (true, false) => drop(self.model.lock().blocked.insert(tpp, Known::No)),
            (is_ok, _) => self.note_block(tpp, kind, is_ok, Known::No),
        }
    }

    fn note_block(&self, tpp: usize, kind: &'static str, is_done: bool, blocked: Known) {
        self.require_cause(is_done, kind);
        let model = &mut *self.model.lock();
        let known = if is_done { Known::Yes } else { Known::Maybe };
        model.expect_line(kind, TPPS[tpp], known);
        let before = model.blocked.get(&tpp).copied().unwrap_or(Known::No);
        let after = match is_done {
            true => blocked,
            false if before == blocked => before,
            false => Known::Maybe,
        };
        model.blocked.insert(tpp, after);
    }

    pub(crate) fn revoke_consent(&self, node: &Node, dice: &mut Dice) {
        let in_use = self.model.lock().psu_in_use;
        let (tpp, person) = in_use.unwrap_or_else(|| tpp_and_person(dice));
        let before = self.model.lock().consent(tpp, person);
        let psu = PsuKey::new(PERSONS[person]);
        let (done, _) = self.host(node, "revoke_consent", |engine| engine.revoke_consent(TPPS[tpp], &psu));
        self.require_cause(done.is_ok(), "revoke_consent");
        let (known, line) = match &done {
            Ok(true) => (Known::Yes, Known::Yes),
            Ok(false) => (Known::Yes, Known::No),
            Err(_) => (Known::Maybe, Known::Maybe),
        };
        let is_open = before.iter().all(Option::is_some);
        self.require(
            !is_open || !matches!(done, Ok(false)) || self.has_fired(),
            "consent: what is open can be revoked",
            || format!("{} {}: {before:?}", TPPS[tpp], PERSONS[person]),
        );
        let mut model = self.model.lock();
        model.expect_line("consent.revoked", &format!("{} {}", TPPS[tpp], PERSONS[person]), line);
        model.set_consent(tpp, person, None, known);
    }
}
