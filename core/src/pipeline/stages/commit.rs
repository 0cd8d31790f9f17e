//! Stage 8: all writes of the call in one transaction, or none.

use std::sync::Arc;

use super::admit::Admitted;
use super::decide::Decision;
use crate::bank::{BankAnswer, BankCall};
use crate::consent::consent_rules::access_exceeded;
use crate::handler_error::HandlerError;
use crate::limits::{LOGICAL_DUPLICATE_HOURS, RACE_ATTEMPTS_MAX};
use crate::pipeline::audit::reads::{evidence, keep, Evidence};
use crate::pipeline::audit::{self, Cause};
use crate::pipeline::call::Call;
use crate::pipeline::list_agreements::list_agreements;
use crate::pipeline::outcome::Outcome;
use crate::pipeline::replay_window::{replayed, window_start};
use crate::policy::Policy;
use crate::reason::{Reason, Violation};
use crate::store::{CommitOutcome, Store, UsedRequestId, Write};

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
pub(crate) fn commit(decision: Decision<'_>) -> Result<Committed, HandlerError> {
    let (admitted, mut writes, mut outcome) = decision.into_parts();
    for _ in 0..RACE_ATTEMPTS_MAX {
        match commit_once(&admitted, writes, &outcome) {
            // Another call gave the customers their ids in between: reading is no conflict.
            Err(HandlerError::Refused(refused))
                if matches!(outcome, Outcome::Agreements(_)) && refused.reason() == Reason::RaceLost =>
            {
                let engine = admitted.context().engine;
                (writes, outcome) = list_agreements(engine, admitted.tpp(), admitted.psu())?;
            }
            ended => {
                ended?;
                if matches!(outcome, Outcome::OfBank(_)) {
                    outcome = Outcome::OfBank(Some(perform(&admitted)?));
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
) -> Result<(), HandlerError> {
    let context = admitted.context();
    let evidence = evidence(context.policy, outcome, || cause(admitted))?;
    // The bank's own operations may change something, which only the bank knows.
    let may_change = match outcome {
        Outcome::OfBank(_) => admitted.parsed().operation().may_change_the_bank(),
        _ => !writes.is_empty(),
    };
    if may_change {
        audit::note(context.policy, &mut writes, || cause(admitted))?;
        writes.splice(0..0, use_of_request_id(admitted));
    }
    match evidence {
        Evidence::None => write(&writes, context.store(), context.policy),
        Evidence::Committed(line) => {
            writes.push(line);
            write(&writes, context.store(), context.policy)
        }
        Evidence::Batched(line) => {
            write(&writes, context.store(), context.policy)?;
            Ok(keep(context.engine, line, context.now)?)
        }
    }
}

/// What the audit says of the call that brings the writes about.
fn cause<'c>(admitted: &'c Admitted<'_>) -> Cause<'c> {
    let parsed = admitted.parsed();
    Cause {
        tpp: Some(admitted.tpp()),
        psu: admitted.psu(),
        request_id: parsed.call_headers().request_id,
        ids: admitted.context().ids,
        client: parsed.call_headers().psu_client(),
        ..Cause::of_host(parsed.operation().name, admitted.context().now)
    }
}

/// The line that makes another use of the call's request id a replay.
fn use_of_request_id(admitted: &Admitted<'_>) -> Option<Write> {
    let context = admitted.context();
    let call_headers = admitted.parsed().call_headers();
    let request_id = call_headers.request_id.filter(|_| context.policy.replay_protection)?;
    let tpp = Arc::clone(admitted.tpp());
    Some(Write::UseRequestId(UsedRequestId {
        tpp,
        request_id,
        at: admitted.used_at(),
        since: window_start(context.now),
    }))
}

/// Has the bank perform one of its own operations, in a transaction of its own.
fn perform(admitted: &Admitted<'_>) -> Result<BankAnswer, HandlerError> {
    let (context, parsed) = (admitted.context(), admitted.parsed());
    let parameters = match parsed.call() {
        Call::OfBank(parameters) => parameters.as_slice(),
        _ => &[],
    };
    let call = BankCall {
        operation: parsed.operation(),
        parameters,
        target: parsed.target(),
        body: context.request.body,
        tpp: admitted.tpp(),
        policy: context.policy,
        entropy: context.engine.entropy(),
    };
    Ok(context.bank().own_operations().perform(&call, context.now)??)
}

fn write(writes: &[Write], store: &dyn Store, policy: &Policy) -> Result<(), HandlerError> {
    if writes.is_empty() {
        return Ok(());
    }
    match store.commit(writes)? {
        CommitOutcome::Applied => Ok(()),
        CommitOutcome::VersionConflict => Err(Reason::RaceLost.into()),
        CommitOutcome::DuplicatePayment => {
            Err(Violation::with(Reason::LogicalDuplicate, &[&LOGICAL_DUPLICATE_HOURS]).into())
        }
        CommitOutcome::RequestReplayed => Err(replayed().into()),
        CommitOutcome::QuotaExceeded => Err(access_exceeded(policy.calls_without_psu_per_day).into()),
    }
}
