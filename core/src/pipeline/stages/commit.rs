//! Stage 8: all writes of the call in one transaction, or none.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::admit::Admitted;
use super::decide::{agreements, Decision, Outcome};
use super::parse::Call;
use crate::bank::{BankAnswer, BankCall};
use crate::consent::consent_rules::access_exceeded;
use crate::handler_error::HandlerError;
use crate::limits::{LOGICAL_DUPLICATE_HOURS, RACE_ATTEMPTS_MAX};
use crate::pipeline::audit;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::replay_window::{replayed, window_start};
use crate::policy::Policy;
use crate::reason::{Reason, Violation};
use crate::store::{Committed as Ended, Store, UsedRequestId, Write};

/// An outcome that is durable.
pub(crate) struct Committed {
    outcome: Outcome,
}

impl Committed {
    pub(crate) fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    pub(crate) fn into_outcome(self) -> Outcome {
        self.outcome
    }
}

/// Writes what was decided, and has the bank perform an operation of its own.
pub(crate) fn commit(
    decision: Decision<'_>,
    engine: &EngineContext,
    now: DateTime<Utc>,
) -> Result<Committed, HandlerError> {
    let (admitted, mut writes, mut outcome) = decision.into_parts();
    for _ in 0..RACE_ATTEMPTS_MAX {
        match commit_once(&admitted, writes, &outcome, engine, now) {
            // Another call gave the customers their ids meanwhile: reading is nobody's conflict.
            Err(HandlerError::Refused(refused))
                if matches!(outcome, Outcome::Agreements(_)) && refused.reason() == Reason::RaceLost =>
            {
                (writes, outcome) = agreements(&admitted, engine)?;
            }
            ended => {
                ended?;
                if matches!(outcome, Outcome::OfBank(_)) {
                    outcome = Outcome::OfBank(Some(perform(&admitted, engine, now)?));
                }
                return Ok(Committed { outcome });
            }
        }
    }
    Err(Reason::RaceLost.into())
}

fn commit_once(
    admitted: &Admitted<'_>,
    mut writes: Vec<Write>,
    outcome: &Outcome,
    engine: &EngineContext,
    now: DateTime<Utc>,
) -> Result<(), HandlerError> {
    // The bank's own operations may change something, which only the bank knows.
    let may_change = match outcome {
        Outcome::OfBank(_) => admitted.parsed().operation().may_change_the_bank(),
        _ => !writes.is_empty(),
    };
    if may_change {
        audit::note(admitted.parsed().policy(), &mut writes, || audit::Cause::of_call(admitted, now))?;
        writes.splice(0..0, use_of_request_id(admitted, engine, now));
        write(&writes, engine.store(), admitted.parsed().policy())?;
    }
    Ok(())
}

/// The line that makes another use of the call's request id a replay. A store that nobody else sees needs no
/// copy of the replay window.
fn use_of_request_id(admitted: &Admitted<'_>, engine: &EngineContext, now: DateTime<Utc>) -> Option<Write> {
    let keeps_id = admitted.parsed().policy().replay_protection && engine.store().is_shared();
    let request_id = admitted.parsed().call_headers().request_id.filter(|_| keeps_id)?;
    let tpp = Arc::clone(admitted.tpp());
    Some(Write::UseRequestId(UsedRequestId {
        tpp,
        request_id,
        at: admitted.used_at(),
        since: window_start(now),
    }))
}

/// Has the bank perform one of its own operations, in a transaction of its own.
fn perform(
    admitted: &Admitted<'_>,
    engine: &EngineContext,
    now: DateTime<Utc>,
) -> Result<BankAnswer, HandlerError> {
    let parsed = admitted.parsed();
    let parameters = match parsed.call() {
        Call::OfBank(parameters) => parameters.as_slice(),
        _ => &[],
    };
    let call = BankCall {
        operation: parsed.operation(),
        parameters,
        target: parsed.target(),
        body: parsed.request().body,
        tpp: admitted.tpp(),
        policy: parsed.policy(),
        entropy: engine.entropy(),
    };
    Ok(engine.bank().perform(&call, now)??)
}

fn write(writes: &[Write], store: &dyn Store, policy: &Policy) -> Result<(), HandlerError> {
    if writes.is_empty() {
        return Ok(());
    }
    match store.commit(writes)? {
        Ended::Done => Ok(()),
        Ended::RaceLost => Err(Reason::RaceLost.into()),
        Ended::LogicalDuplicate => {
            Err(Violation::with(Reason::LogicalDuplicate, &[&LOGICAL_DUPLICATE_HOURS]).into())
        }
        Ended::RequestReplayed => Err(replayed().into()),
        Ended::AccessExceeded => Err(access_exceeded(policy.calls_without_psu_per_day).into()),
    }
}
