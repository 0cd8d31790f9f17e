//! The bank reports the status of a payment.

use crate::bank::OrderStatus;
use crate::error::{Error, Result};
use crate::limits::RACE_ATTEMPTS_MAX;
use crate::pipeline::audit::{note, Cause};
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::status_transition::status_transition;
use crate::store::{CommitOutcome, Write};
use crate::types::PaymentId;

/// The cause in the payment's history and in the audit.
const CAUSE: &str = "bank: reported";

pub(super) fn report(engine: &EngineContext, id: &PaymentId, reported: OrderStatus) -> Result<()> {
    for _ in 0..RACE_ATTEMPTS_MAX {
        let payment = engine.store().payments().payment(id)?;
        let payment = payment.ok_or_else(|| Error::Misuse(format!("there is no payment {id}")))?;
        // Read after the payment: every other change that is recorded of it is earlier.
        let now = engine.clock.now();
        let mut writes = status_transition(payment, reported, CAUSE, now)
            .map_err(|refused| Error::Misuse(refused.to_string()))?;
        // If the bank reports the payment's status, a dead letter of it is not needed any more. It is resolved before
        // the change, because the change withdraws the order of a payment that ends. If another caller has retried or
        // resolved the order since, the commit is a version conflict; an order that becomes a dead letter from now on
        // does so after the report.
        if engine.store().outbox().is_dead_letter(id)? {
            writes.insert(0, Write::ResolveOrder(id.clone()));
        }
        note(&engine.policy(), &mut writes, || Cause::of_host(CAUSE, now))?;
        if writes.is_empty() || engine.store().commit(&writes)? == CommitOutcome::Applied {
            return Ok(());
        }
    }
    Err(Error::Store("other calls changed the payment at every attempt; try again".to_owned()))
}
