//! Payments: created, read, cancelled.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use serde_json::{json, Value};
use xs2a::bank::PaymentStatus;
use xs2a::internal::{from_micros, oslo_day};
use xs2a::types::Machine as _;

use crate::act::recent;
use crate::books::{Verdict, ACCOUNTS, PERSONS};
use crate::client::{headers, Answer};
use crate::dice::Dice;
use crate::model::{Known, Link, Model, Payment, Purpose, Span, Wanted};
use crate::support::world::products::DOMESTIC;
use crate::support::world::{changed, straks, STRAKS};
use crate::world::{Node, World, TPPS};

const DAY_MICROS: i64 = 86_400_000_000;

/// Every status that a payment may come to, in any number of steps, and the status itself.
pub(crate) fn reachable(from: PaymentStatus) -> BTreeSet<PaymentStatus> {
    let mut found = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(status) = open.pop() {
        open.extend(
            PaymentStatus::STATES.iter().copied().filter(|to| status.may_become(*to) && found.insert(*to)),
        );
    }
    found
}

/// A TPP and a PSU: the first ones more often than all others together.
pub(crate) fn tpp_and_person(dice: &mut Dice) -> (usize, usize) {
    match dice.one_in(2) {
        true => (0, 0),
        false => (dice.below(TPPS.len()), dice.below(PERSONS.len())),
    }
}

pub(crate) fn session_of(dice: &mut Dice) -> String {
    format!("session {}", dice.below(4))
}

impl World {
    fn wanted(&self, dice: &mut Dice) -> Wanted {
        let number = {
            let mut model = self.model.lock();
            model.created += 1;
            model.created
        };
        let (tpp, person) = tpp_and_person(dice);
        let psu_id = self.model.lock().psu_ids.get(&(tpp, person)).cloned().filter(|_| !dice.one_in(3));
        let debtor = ACCOUNTS[person][dice.below(2)];
        let payee = (person + 1 + dice.below(2)) % PERSONS.len();
        let creditor = ACCOUNTS[payee][dice.below(2)];
        let ore = 100 + i64::try_from(dice.below(50_000)).unwrap();
        let reference = format!("reference {number}");
        let (product, day) = match dice.one_in(4) {
            true => (DOMESTIC, Some(oslo_day(from_micros(self.now() + (2 + days(dice)) * DAY_MICROS)))),
            false => (STRAKS, None),
        };
        let body = changed(
            straks(),
            &[
                ("/remittanceInformationUnstructured", json!(reference)),
                ("/debtorAccount/bban", json!(debtor)),
                ("/creditorAccount/bban", json!(creditor)),
                ("/instructedAmount/amount", json!(format!("{}.{:02}", ore / 100, ore % 100))),
                ("/requestedExecutionDate", day.map_or(Value::Null, |day| json!(day.to_string()))),
            ],
        );
        let body = body.to_string();
        Wanted { tpp, person, psu_id, product, reference, ore, debtor, creditor, body }
    }

    pub(crate) fn create_payment(&self, node: &Node, dice: &mut Dice) {
        let wanted = self.wanted(dice);
        let session = session_of(dice);
        self.model.lock().lost_creations.insert(wanted.reference.clone(), String::new());
        let answer = self.post_payment(node, &wanted, &session);
        self.require(
            answer.is_accepted() || !self.is_undisturbed(node, wanted.tpp, &answer),
            "payment: a proper payment is created",
            || format!("{} {} {}", wanted.reference, answer.status, answer.reason),
        );
        self.note_creation(wanted, &session, &answer);
    }

    /// The same once more, without saying that a duplicate is meant.
    pub(crate) fn repeat_payment(&self, node: &Node, dice: &mut Dice) {
        let in_use = self.model.lock().creation_in_use.clone();
        let Some(wanted) = in_use.or_else(|| self.wanted_again(dice)) else { return };
        let session = session_of(dice);
        let answer = self.post_payment(node, &wanted, &session);
        let is_old = |created: &Span| answer.span.from - created.to >= DAY_MICROS;
        let all_old = self
            .model
            .lock()
            .bodies
            .iter()
            .all(|(tpp, body, created, _)| (*tpp, body) != (wanted.tpp, &wanted.body) || is_old(created));
        self.require(
            answer.reason != "PAY-04" || !all_old || answer.has_fired,
            "payment: a payment of before yesterday is no duplicate",
            || wanted.reference.clone(),
        );
        self.note_creation(wanted, &session, &answer);
    }

    /// A payment that was created, as its TPP wanted it.
    fn wanted_again(&self, dice: &mut Dice) -> Option<Wanted> {
        let (_, payment) = self.choose_payment(dice, |_| true)?;
        let account =
            |number: &str| ACCOUNTS.as_flattened().iter().find(|account| **account == number).copied();
        Some(Wanted {
            tpp: payment.tpp,
            person: payment.person,
            psu_id: self.model.lock().psu_ids.get(&(payment.tpp, payment.person)).cloned(),
            product: if payment.path.contains("straks") { STRAKS } else { DOMESTIC },
            reference: payment.reference.clone(),
            ore: payment.ore,
            debtor: account(&payment.debtor)?,
            creditor: account(&payment.creditor)?,
            body: payment.body,
        })
    }

    /// Of two payments that look the same within a day, one at most is neither rejected nor cancelled.
    fn require_no_duplicate(&self, model: &Model, wanted: &Wanted, answer: &Answer) {
        let live = model.bodies.iter().filter_map(|(tpp, body, created, index)| {
            let payment = &model.payments[(*index)?];
            let is_like = *tpp == wanted.tpp && *body == wanted.body;
            let is_near =
                answer.span.to - created.from < DAY_MICROS && created.to - answer.span.from < DAY_MICROS;
            let may_end = payment.cancelled != Known::No
                || payment.status == PaymentStatus::Rjct
                || self.books.lock().verdict(&payment.id) == Some(Verdict::Rejected);
            (is_like && is_near && !may_end).then_some(&payment.id)
        });
        let live: Vec<_> = live.collect();
        self.require(live.is_empty(), "payment: a duplicate within a day is refused", || {
            format!("{} of {live:?}", wanted.reference)
        });
    }

    fn post_payment(&self, node: &Node, wanted: &Wanted, session: &str) -> Answer {
        let headers = headers(session, wanted.psu_id.as_deref());
        self.model.lock().creation_in_use = Some(wanted.clone());
        self.call(node, wanted.tpp, "POST", wanted.product, &headers, wanted.body.as_bytes())
    }

    fn note_creation(&self, wanted: Wanted, session: &str, answer: &Answer) {
        let model = &mut *self.model.lock();
        if answer.is_unknown() {
            let created = answer.span;
            model.bodies.push((wanted.tpp, wanted.body, created, None));
            model.expect_line("payment.created", TPPS[wanted.tpp], Known::Maybe);
            if wanted.psu_id.is_none() {
                model.expect_line("authorisation.started", TPPS[wanted.tpp], Known::Maybe);
            }
            return;
        }
        if !answer.is_accepted() {
            return;
        }
        self.require_no_duplicate(model, &wanted, answer);
        let index = model.payments.len();
        let (id, path) = (answer.text("/paymentId"), answer.text("/_links/self/href"));
        let is_named = wanted.psu_id.is_some();
        model.expect_line("payment.created", TPPS[wanted.tpp], Known::Yes);
        model.bodies.push((wanted.tpp, wanted.body.clone(), answer.span, Some(index)));
        model.lost_creations.remove(&wanted.reference);
        model.by_id.insert(id.clone(), index);
        if !is_named {
            model.expect_line("authorisation.started", TPPS[wanted.tpp], Known::Yes);
            model.links.push(Link {
                id: answer.link(),
                tpp: wanted.tpp,
                person: wanted.person,
                is_named,
                purpose: Purpose::Payment(index),
                session: session.to_owned(),
                made: answer.span,
                ended: Known::No,
            });
        }
        model.payments.push(Payment {
            tpp: wanted.tpp,
            person: wanted.person,
            is_named,
            id,
            path,
            reference: wanted.reference,
            body: wanted.body,
            ore: wanted.ore,
            debtor: wanted.debtor.to_owned(),
            creditor: wanted.creditor.to_owned(),
            approved: Known::No,
            cancelled: Known::No,
            status: PaymentStatus::Rcvd,
            basket: None,
        });
    }

    /// Whether a proper call of a TPP must be answered as it wants.
    pub(crate) fn is_undisturbed(&self, node: &Node, tpp: usize, answer: &Answer) -> bool {
        let is_blocked = self.model.lock().blocked.get(&tpp).is_some_and(|known| *known != Known::No);
        !answer.has_fired && !answer.is_lost && node.is_punctual() && !is_blocked
    }

    /// Chooses a payment, mostly one of those that are wanted: its index, and what is known of it. A call that comes in
    /// between mostly chooses the payment of the call around it.
    pub(crate) fn choose_payment(
        &self,
        dice: &mut Dice,
        is_wanted: impl Fn(&Payment) -> bool,
    ) -> Option<(usize, Payment)> {
        let mut model = self.model.lock();
        let wanted: Vec<usize> =
            (0..model.payments.len()).filter(|index| is_wanted(&model.payments[*index])).collect();
        let any = recent(dice, model.payments.len());
        let of_wanted = recent(dice, wanted.len()).map(|place| wanted[place]);
        let drawn = if dice.one_in(5) { any } else { of_wanted.or(any) };
        let index = model.payment_in_use.filter(|_| !dice.one_in(4)).or(drawn)?;
        model.payment_in_use.get_or_insert(index);
        Some((index, model.payments[index].clone()))
    }

    pub(crate) fn start_payment(&self, node: &Node, dice: &mut Dice) {
        let Some((index, payment)) = self.choose_payment(dice, is_waiting) else { return };
        let session = session_of(dice);
        let target = format!("{}/authorisations", payment.path);
        let answer = self.call(node, payment.tpp, "POST", &target, &headers(&session, None), b"");
        let is_startable =
            payment.approved == Known::No && payment.cancelled == Known::No && payment.basket.is_none();
        self.require(
            answer.is_accepted() || !is_startable || !self.is_undisturbed(node, payment.tpp, &answer),
            "sca: an authorisation of a waiting payment is started",
            || format!("{} {} {}", payment.id, answer.status, answer.reason),
        );
        self.require(
            !answer.is_accepted() || (payment.approved != Known::Yes && payment.cancelled != Known::Yes),
            "sca: nothing is authorised twice",
            || payment.id.clone(),
        );
        self.note_link(&answer, &payment, Purpose::Payment(index), &session);
    }

    pub(crate) fn note_link(&self, answer: &Answer, payment: &Payment, purpose: Purpose, session: &str) {
        let mut model = self.model.lock();
        model.expect_line("authorisation.started", TPPS[payment.tpp], answer.known());
        if answer.is_accepted() {
            model.links.push(Link {
                id: answer.link(),
                tpp: payment.tpp,
                person: payment.person,
                is_named: payment.is_named,
                purpose,
                session: session.to_owned(),
                made: answer.span,
                ended: Known::No,
            });
        }
    }

    pub(crate) fn read_payment(&self, node: &Node, dice: &mut Dice) {
        let Some((index, payment)) = self.choose_payment(dice, |_| true) else { return };
        let target = format!("{}/status", payment.path);
        let answer = self.call(node, payment.tpp, "GET", &target, &headers("", None), b"");
        self.require(
            answer.is_accepted() || !self.is_undisturbed(node, payment.tpp, &answer),
            "payment: what was acknowledged is found",
            || format!("{} {} {}", payment.id, answer.status, answer.reason),
        );
        if answer.is_accepted() {
            self.model.lock().expect_line("payment.read", &payment.id, Known::Yes);
            self.check_status(index, &payment, &answer.text("/transactionStatus"));
        } else if answer.is_unknown() {
            self.model.lock().expect_line("payment.read", &payment.id, Known::Maybe);
        }
    }

    /// Compares a status that was read with what was known before the call.
    pub(crate) fn check_status(&self, index: usize, before: &Payment, found: &str) {
        let Some(status) = PaymentStatus::parse(found) else {
            return self.violate("payment: the status is one of the table", found.to_owned());
        };
        let context = || format!("{} is {found}, was {:?}, {before:?}", before.id, before.status);
        let mut model = self.model.lock();
        let payment = &mut model.payments[index];
        self.require(
            reachable(before.status).contains(&status),
            "payment: a status is reached by the table",
            context,
        );
        self.require(
            before.cancelled != Known::Yes || status == PaymentStatus::Canc,
            "payment: a cancelled payment stays cancelled",
            context,
        );
        self.require(
            before.approved != Known::Yes || status != PaymentStatus::Rcvd,
            "payment: an approval is not lost",
            context,
        );
        let waits = [PaymentStatus::Rcvd, PaymentStatus::Canc, PaymentStatus::Rjct].contains(&status);
        self.require(
            payment.approved != Known::No || waits,
            "payment: without approval nothing is carried out",
            context,
        );
        payment.status = status;
    }

    pub(crate) fn delete_payment(&self, node: &Node, dice: &mut Dice) {
        let Some((index, before)) =
            self.choose_payment(dice, |payment| is_waiting(payment) || is_ordered(payment))
        else {
            return;
        };
        let answer = self.call(node, before.tpp, "DELETE", &before.path, &headers("session 0", None), b"");
        let is_waiting =
            before.approved == Known::No && before.cancelled == Known::No && before.basket.is_none();
        self.require(
            answer.status == 204 || !is_waiting || !self.is_undisturbed(node, before.tpp, &answer),
            "payment: a waiting payment is cancelled by the call alone",
            || format!("{} {} {}", before.id, answer.status, answer.reason),
        );
        let is_cancelled = match (answer.is_unknown(), answer.status) {
            (true, _) => Known::Maybe,
            (false, 204) => Known::Yes,
            _ => Known::No,
        };
        let model = &mut *self.model.lock();
        model.expect_line("payment.cancelled", &before.id, is_cancelled);
        let payment = &mut model.payments[index];
        payment.cancelled = payment.cancelled.max(is_cancelled);
        self.require(
            is_cancelled != Known::Yes || payment.approved != Known::Yes,
            "payment: an approved payment is not cancelled by the call alone",
            || payment.id.clone(),
        );
    }

    pub(crate) fn start_cancelling(&self, node: &Node, dice: &mut Dice) {
        let Some((index, payment)) = self.choose_payment(dice, is_ordered) else { return };
        if payment.approved == Known::No {
            return;
        }
        let session = session_of(dice);
        let target = format!("{}/cancellation-authorisations", payment.path);
        let answer = self.call(node, payment.tpp, "POST", &target, &headers(&session, None), b"");
        self.note_link(&answer, &payment, Purpose::Cancellation(index), &session);
    }

    /// Sent, or used, with something wrong: refused, for any reason.
    pub(crate) fn next_request_id(&self) -> u128 {
        u128::from(self.request_ids.fetch_add(1, Ordering::Relaxed))
    }
}

/// Whether a payment waits for its SCA, as far as is known.
pub(crate) fn is_waiting(payment: &Payment) -> bool {
    payment.approved == Known::No && payment.cancelled == Known::No
}

/// Whether a payment is approved and has not ended, as far as is known.
fn is_ordered(payment: &Payment) -> bool {
    payment.approved != Known::No && payment.cancelled != Known::Yes && !payment.status.is_final()
}

fn days(dice: &mut Dice) -> i64 {
    i64::try_from(dice.below(20)).unwrap()
}
