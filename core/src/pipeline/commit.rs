//! Stage 8: all writes of the call in one transaction, or none.

use chrono::{DateTime, Utc};

use super::decide::{Decision, Outcome};
use super::replay::window_start;
use super::stop::Stop;
use crate::consent::decide::access_exceeded;
use crate::limits::{LOGICAL_DUPLICATE_HOURS, REPLAY_WINDOW_SECONDS};
use crate::policy::Policy;
use crate::reason::{Reason, Refusal, Violation};
use crate::store::{Committed as Ended, Store, UsedRequestId, Write};

/// An outcome that is durable.
pub(crate) struct Committed {
    outcome: Outcome,
}

impl Committed {
    pub(crate) fn into_outcome(self) -> Outcome {
        self.outcome
    }
}

/// Writes what was decided.
pub(crate) fn commit(
    decision: Decision<'_>,
    store: &dyn Store,
    policy: &Policy,
    now: DateTime<Utc>,
) -> Result<Committed, Stop> {
    let (admitted, mut writes, outcome) = decision.into_parts();
    if writes.is_empty() {
        return Ok(Committed { outcome });
    }
    // A store that nobody else sees needs no copy of the replay window.
    let keeps_id = policy.replay_protection && store.is_shared();
    if let Some(request_id) = admitted.parsed().call_headers().request_id.filter(|_| keeps_id) {
        let tpp = admitted.tpp().to_owned();
        writes.insert(
            0,
            Write::UseRequestId(UsedRequestId { tpp, request_id, at: now, since: window_start(now) }),
        );
    }
    match store.commit(&writes)? {
        Ended::Done => Ok(Committed { outcome }),
        Ended::RaceLost => Err(Reason::RaceLost.into()),
        Ended::LogicalDuplicate => {
            Err(Violation::with(Reason::LogicalDuplicate, &[&LOGICAL_DUPLICATE_HOURS]).into())
        }
        Ended::RequestReplayed => Err(replayed().into()),
        Ended::AccessExceeded => Err(access_exceeded().into()),
    }
}

/// The refusal of a request id that was used.
pub(crate) fn replayed() -> Refusal {
    Refusal::at(Violation::with(Reason::RequestReplayed, &[&REPLAY_WINDOW_SECONDS]), "X-Request-ID")
}
