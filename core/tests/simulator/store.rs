//! The store of one process: it fails, loses answers and crashes, and the rules of the outbox are checked at it.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use xs2a::store::{CommitOutcome, DeadLetter, DueOrders, OutboxStore, Store, Write};
use xs2a::types::PaymentId;
use xs2a::Result;

use crate::seams::{Operation, Seam};
use crate::support::fakes::reads_of_the_store_inside;

pub(crate) struct SimulatedStore {
    pub(crate) inner: Arc<dyn Store>,
    pub(crate) seam: Seam,
}

/// The kind of a commit, by the first of its writes that has one.
fn name(writes: &[Write]) -> &'static str {
    let named = writes.iter().find_map(|write| match write {
        Write::InsertPayment { .. } => Some("creation"),
        Write::InsertBasket(_) => Some("basket creation"),
        Write::InsertAuthorisation(_) => Some("start of an authorisation"),
        Write::UpdateAuthorisation(_) => Some("end of an authorisation"),
        Write::UpdateBasket(_) => Some("basket deletion"),
        Write::BeginCancelling(_) => Some("mark of a cancellation"),
        Write::RescheduleOrder { .. } => Some("postponing or lease"),
        Write::MoveToDeadLetters { .. } => Some("dead letter"),
        Write::RetryOrder { .. } => Some("retry"),
        Write::AnswerOrder { .. } | Write::RemoveOrder(_) => Some("answer to an order"),
        Write::UpdatePayment(_) => Some("report or deletion"),
        Write::Block(_) | Write::Unblock { .. } => Some("block"),
        Write::RevokeConsent { .. } => Some("revocation"),
        Write::CountAccess { .. } => Some("counted read"),
        Write::NoteAccess { .. } => Some("read"),
        _ => None,
    });
    named.unwrap_or("other commit")
}

/// Whether these are the lines and counts that waited for a later call.
fn have_waited(writes: &[Write]) -> bool {
    writes.iter().all(|write| matches!(write, Write::AppendAudit(_) | Write::CountCalls { .. }))
}

impl Store for SimulatedStore {
    fn commit(&self, writes: &[Write]) -> Result<CommitOutcome> {
        let (name, operation) = match have_waited(writes) {
            true => ("evidence and statistics", Operation::WriteAfterwards),
            false => (name(writes), Operation::Write),
        };
        self.seam.around(name, operation, || {
            let outcome = self.inner.commit(writes)?;
            if let (CommitOutcome::Applied, Some(world)) = (outcome, self.seam.world.upgrade()) {
                world.model.lock().note_writes(writes);
            }
            Ok(outcome)
        })
    }

    fn outbox(&self) -> &dyn OutboxStore {
        self
    }

    reads_of_the_store_inside!(but outbox);
}

impl OutboxStore for SimulatedStore {
    fn waiting_orders(&self) -> Result<u64> {
        self.inner.outbox().waiting_orders()
    }

    fn claim_orders(&self, now: DateTime<Utc>, until: DateTime<Utc>, limit: usize) -> Result<DueOrders> {
        self.seam.around("claim", Operation::Write, || self.inner.outbox().claim_orders(now, until, limit))
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
        self.seam.around("bringing orders forward", Operation::Write, || {
            self.inner.outbox().clamp_future_due_times(after, now)
        })
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
