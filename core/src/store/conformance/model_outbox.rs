//! The outbox of the model: orders that wait for the bank, and dead letters.

use chrono::{DateTime, Utc};

use super::samples::{payment_id, time};
use crate::payment::record::Payment;
use crate::store::{CommitOutcome, DeadLetter, OutboxOrder, Store, Write};
use crate::types::PaymentId;

/// Numbers are drawn from so few that commits meet each other.
pub(super) const NUMBERS: u8 = 3;

/// `None`: an error of the store.
pub(super) type Outcome = Option<CommitOutcome>;

pub(super) fn done_if(done: bool, otherwise: CommitOutcome) -> Outcome {
    Some(if done { CommitOutcome::Applied } else { otherwise })
}

#[derive(Debug, Clone, Default)]
pub(super) struct Outbox {
    orders: Vec<OutboxOrder>,
    /// Those of these orders that are dead letters.
    letters: Vec<DeadLetter>,
    /// The payments that the bank was asked to cancel.
    cancelling: Vec<PaymentId>,
}

impl Outbox {
    pub(super) fn apply(&mut self, write: &Write) -> Outcome {
        match write {
            Write::EnqueueOrder(order) => {
                let is_new = self.order(&order.payment_id).is_none();
                self.orders.extend(is_new.then(|| order.clone()));
                done_if(is_new, CommitOutcome::VersionConflict)
            }
            Write::RescheduleOrder { order, was_due } => {
                let waits = self.waits_for(order.payment_id.as_str(), *was_due);
                let present = self.order(&order.payment_id).filter(|_| waits);
                done_if(
                    present.map(|present| *present = order.clone()).is_some(),
                    CommitOutcome::VersionConflict,
                )
            }
            Write::AnswerOrder { payment_id, again_at } if self.cancelling.contains(payment_id) => {
                self.end_aside(payment_id);
                let present = self.order(payment_id).unwrap();
                (present.attempts, present.faults) = (present.attempts + 1, 0);
                present.due_at = present.due_at.max(*again_at);
                Some(CommitOutcome::Applied)
            }
            Write::AnswerOrder { payment_id, .. } => {
                done_if(self.take_out(payment_id), CommitOutcome::VersionConflict)
            }
            Write::RemoveOrder(id) => done_if(self.take_out(id), CommitOutcome::VersionConflict),
            Write::WithdrawOrder(id) => {
                self.take_out(id);
                Some(CommitOutcome::Applied)
            }
            Write::MoveToDeadLetters { order, was_due } => {
                let waits = self.waits_for(&order.payment_id, *was_due);
                self.letters.push(order.clone());
                done_if(waits, CommitOutcome::VersionConflict)
            }
            Write::MoveUnreadableToDeadLetters { .. } => panic!("no row of the model is unreadable"),
            Write::RetryOrder { payment_id, due_at } => {
                let was_aside = self.end_aside(payment_id);
                if let Some(present) = self.order(payment_id) {
                    (present.attempts, present.faults, present.due_at) = (0, 0, *due_at);
                }
                done_if(was_aside, CommitOutcome::VersionConflict)
            }
            Write::ResolveOrder(id) => {
                let was_aside = self.end_aside(id);
                if !self.cancelling.contains(id) {
                    self.take_out(id);
                }
                if let Some(present) = self.order(id) {
                    (present.attempts, present.faults) = (0, 0);
                }
                done_if(was_aside, CommitOutcome::VersionConflict)
            }
            Write::BeginCancelling(id) => {
                self.cancelling.push(id.clone());
                done_if(self.order(id).is_some(), CommitOutcome::VersionConflict)
            }
            Write::EndCancelling(id) => {
                self.cancelling.retain(|present| present != id);
                Some(CommitOutcome::Applied)
            }
            _ => panic!("{write:?} is not for the outbox"),
        }
    }

    fn order(&mut self, id: &PaymentId) -> Option<&mut OutboxOrder> {
        self.orders.iter_mut().find(|present| present.payment_id == *id)
    }

    fn waits_for(&self, id: &str, due_at: DateTime<Utc>) -> bool {
        let of_id = |present: &&OutboxOrder| present.payment_id.as_str() == id;
        !self.has_dead_letter(id)
            && self.orders.iter().find(of_id).is_some_and(|present| present.due_at == due_at)
    }

    fn has_dead_letter(&self, id: &str) -> bool {
        self.letters.iter().any(|present| present.payment_id == id)
    }

    /// Whether it was a dead letter.
    fn end_aside(&mut self, id: &PaymentId) -> bool {
        let was_aside = self.has_dead_letter(id.as_str());
        self.letters.retain(|present| present.payment_id != id.as_str());
        was_aside
    }

    /// Whether it was there.
    fn take_out(&mut self, id: &PaymentId) -> bool {
        let before = self.orders.len();
        self.orders.retain(|present| present.payment_id != *id);
        self.cancelling.retain(|present| present != id);
        self.end_aside(id);
        self.orders.len() < before
    }

    pub(super) fn assert_derived_from(&self, store: &dyn Store, payments: &[Payment]) {
        let is_due = |order: &&OutboxOrder| !self.has_dead_letter(order.payment_id.as_str());
        let payment = |id| payments.iter().find(|payment| payment.id == id);
        let without_faults = |order: &OutboxOrder| OutboxOrder {
            product: payment(order.payment_id.clone()).map(|payment| payment.product),
            ..order.clone()
        };
        let mut due: Vec<_> = self.orders.iter().filter(is_due).map(without_faults).collect();
        due.sort_by_key(|order| order.due_at);
        assert_eq!(store.outbox().next_order_due().unwrap(), due.first().map(|order| order.due_at));
        assert_eq!(store.outbox().due_orders(time(1_000), 99).unwrap().orders, due);
        let of = |order: &OutboxOrder| {
            self.letters.iter().find(|letters| letters.payment_id == order.payment_id.as_str())
        };
        let mut letters: Vec<_> = self.orders.iter().filter_map(of).cloned().collect();
        letters.sort_by_key(|order| order.since);
        assert_eq!(store.outbox().dead_letters(99).unwrap(), letters);
        for id in (0..NUMBERS).map(payment_id) {
            assert_eq!(store.outbox().is_dead_letter(&id).unwrap(), self.has_dead_letter(id.as_str()));
        }
    }
}
