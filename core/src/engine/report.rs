//! The bank tells where a payment stands.

use crate::bank::OrderStatus;
use crate::error::{Error, Result};
use crate::limits::RACE_ATTEMPTS_MAX;
use crate::pipeline::audit::{note, Cause};
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::status_transition::status_transition;
use crate::store::{CommitOutcome, Write};
use crate::types::PaymentId;

/// What the history of a payment and the audit say of it.
const CAUSE: &str = "bank: reported";

pub(super) fn report(engine: &EngineContext, id: &PaymentId, reported: OrderStatus) -> Result<()> {
    for _ in 0..RACE_ATTEMPTS_MAX {
        let payment = engine.store().payments().payment(id)?;
        let payment = payment.ok_or_else(|| Error::Misuse(format!("there is no payment {id}")))?;
        // After the payment was read: whatever else was noted of it is of an earlier time.
        let now = engine.clock.now();
        let mut writes = status_transition(payment, reported, CAUSE, now)
            .map_err(|refused| Error::Misuse(refused.to_string()))?;
        // A bank that knows where a payment stands needs its order no more, if that was set aside. Before the change,
        // which withdraws the order of a payment at its end. An order that somebody else let wait again or resolved
        // meanwhile is a lost race; one that is set aside only now is set aside after the report.
        if engine.store().outbox().is_dead_letter(id)? {
            writes.insert(0, Write::ResolveOrder(id.clone()));
        }
        note(&engine.policy(), &mut writes, || Cause::of_host(CAUSE, now))?;
        if writes.is_empty() || engine.store().commit(&writes)? == CommitOutcome::Applied {
            return Ok(());
        }
    }
    Err(Error::Store("the payment is changed by others all the time; try again".to_owned()))
}
