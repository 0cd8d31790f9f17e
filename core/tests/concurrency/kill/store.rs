//! A store with a step before and after each change.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use xs2a::store::{
    Authorisation, CommitOutcome, DeadLetter, DueOrders, OutboxStore, Purpose, ScaStatus, Store, Write,
};
use xs2a::types::PaymentId;
use xs2a::Result;

use crate::kill::steps::Steps;
use crate::support::fakes::reads_of_the_store_inside;

pub(crate) struct SteppingStore {
    pub(crate) inner: Arc<dyn Store>,
    pub(crate) steps: Arc<Steps>,
}

/// The kind of a commit: that of the first of its writes that has one.
fn name(writes: &[Write]) -> &'static str {
    if let [Write::EnqueueOrder(_), Write::BeginCancelling(_)] | [Write::BeginCancelling(_)] = writes {
        return "noting that the bank is asked to cancel";
    }
    let named = writes.iter().find_map(|write| match write {
        Write::InsertPayment { .. } => Some("creation"),
        Write::InsertBasket(_) => Some("basket creation"),
        Write::InsertAuthorisation(_) => Some("start"),
        Write::UpdateAuthorisation(authorisation) => Some(end(authorisation)),
        Write::UpdateBasket(_) => Some("basket deletion"),
        Write::EnqueueOrder(_) => Some("approval"),
        Write::RescheduleOrder { .. } => Some("postponing"),
        Write::MoveToDeadLetters { .. } => Some("a dead letter"),
        Write::RetryOrder { .. } => Some("retrying"),
        Write::AnswerOrder { .. } | Write::RemoveOrder(_) => Some("answer"),
        Write::AppendEvent(event) if event.cause == "cancelled by the TPP" => Some("deletion"),
        Write::WithdrawOrder(_) => Some("report"),
        _ => None,
    });
    named.unwrap_or("nothing")
}

/// How an authorisation ends.
fn end(authorisation: &Authorisation) -> &'static str {
    match (&authorisation.purpose, authorisation.status) {
        (Purpose::Basket(_), ScaStatus::Finalised) => "basket approval",
        (Purpose::Cancellation(_), ScaStatus::Finalised) => "cancellation",
        (_, ScaStatus::Finalised) => "approval",
        (Purpose::Basket(_), _) => "basket refusal",
        _ => "refusal",
    }
}

impl SteppingStore {
    fn around<T>(&self, name: &str, work: impl FnOnce() -> T) -> T {
        self.steps.reach(&format!("before {name}"));
        let done = work();
        self.steps.reach(&format!("after {name}"));
        done
    }
}

impl Store for SteppingStore {
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome> {
        self.around(name(writes), || self.inner.commit(writes))
    }

    fn outbox(&self) -> &dyn OutboxStore {
        self
    }

    reads_of_the_store_inside!(but outbox);
}

impl OutboxStore for SteppingStore {
    fn waiting_orders(&self) -> Result<u64> {
        self.inner.outbox().waiting_orders()
    }

    fn claim_orders(&self, now: DateTime<Utc>, until: DateTime<Utc>, limit: usize) -> Result<DueOrders> {
        self.around("claim", || self.inner.outbox().claim_orders(now, until, limit))
    }

    fn due_orders(&self, now: DateTime<Utc>, limit: usize) -> Result<DueOrders> {
        self.inner.outbox().due_orders(now, limit)
    }

    fn next_order_due(&self) -> Result<Option<DateTime<Utc>>> {
        self.inner.outbox().next_order_due()
    }

    fn has_order_due_after(&self, after: DateTime<Utc>, now: DateTime<Utc>) -> Result<bool> {
        self.inner.outbox().has_order_due_after(after, now)
    }

    fn clamp_future_due_times(&self, after: DateTime<Utc>, now: DateTime<Utc>) -> Result<usize> {
        self.inner.outbox().clamp_future_due_times(after, now)
    }

    fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>> {
        self.inner.outbox().dead_letters(limit)
    }

    fn count_dead_letters(&self, limit: usize) -> Result<usize> {
        self.inner.outbox().count_dead_letters(limit)
    }

    fn is_dead_letter(&self, id: &PaymentId) -> Result<bool> {
        self.inner.outbox().is_dead_letter(id)
    }
}
