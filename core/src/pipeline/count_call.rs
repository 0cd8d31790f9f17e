//! Counts an answered call for the statistics of the interface.

use std::time::Duration;

use super::engine_context::EngineContext;
use super::trace::{Stage, Trace};
use crate::statistics::outage::is_unanswered;
use crate::statistics::record::{CallEnd, CallSum, CountedCalls};
use crate::types::date::oslo_day;

/// Counts a call that was answered with that HTTP status, so long after it came. A call of an unknown caller is counted
/// only if it failed by an error of ours: otherwise it is no request of a TPP.
pub(crate) fn count_call(engine: &EngineContext, trace: &Trace, status: u16, took: Duration) {
    let Some(at) = trace.began_at().filter(|_| engine.policy().statistics) else { return };
    let end = CallEnd::of_status(status);
    let is_authentic = matches!(trace.stage(), Stage::Authorise | Stage::Within);
    if !is_authentic && end != CallEnd::Failed {
        return;
    }
    let outage = engine.unanswered.lock().note(at, took, is_unanswered(end, took));
    let counted = CountedCalls {
        day: oslo_day(at),
        tpp: trace.shared_tpp().filter(|_| is_authentic).unwrap_or_default(),
        operation: trace.operation().map_or("", |operation| operation.name),
        end,
    };
    engine.waiting_writes.count_call(counted, CallSum::of_call(took), outage, at);
}
