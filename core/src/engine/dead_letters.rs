//! Dead letters: listing them, and delivering one again.

use chrono::{DateTime, Utc};

use crate::error::{Error, Result};
use crate::limits::DEAD_LETTERS_LISTED_MAX;
use crate::pipeline::audit::{note, Cause};
use crate::pipeline::engine_context::EngineContext;
use crate::store::{CommitOutcome, DeadLetter, Write};
use crate::types::PaymentId;

pub(super) fn dead_letters(engine: &EngineContext) -> Result<Vec<DeadLetter>> {
    engine.store().outbox().dead_letters(DEAD_LETTERS_LISTED_MAX)
}

pub(super) fn retry(engine: &EngineContext, payment_id: PaymentId, now: DateTime<Utc>) -> Result<()> {
    let none = Error::NotFound(format!("the payment {payment_id} has no dead letter"));
    let mut writes = vec![Write::RetryOrder { payment_id, due_at: now }];
    note(&engine.policy(), &mut writes, || Cause::of_host("retried at the bank", now))?;
    match engine.store().commit(&writes)? {
        CommitOutcome::Applied => Ok(()),
        _ => Err(none),
    }
}
