//! Evidence of reads (Delegated Regulation (EU) 2018/389, article 29): one line for each successful read of account
//! data or of a payment.
//!
//! By policy `audit_reads` a line is committed with its answer, or waits in memory and is written with others: by the
//! first call a second after the oldest of them, by `run_due`, by an export of the audit and by `Engine::close`. The
//! library has no thread that could write them earlier. If a line can neither be written nor wait, the read fails:
//! data without evidence is not answered.

use chrono::{DateTime, Utc};

use super::details::{of_read, Details};
use super::{acted_by, event, Cause};
use crate::audit::kind::AuditKind;
use crate::audit::record::AuditEvent;
use crate::error::Result;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::outcome::Outcome;
use crate::pipeline::write_waiting::commit_waiting;
use crate::policy::{AuditReads, Policy};
use crate::store::Write;

/// What the policy makes of a line.
pub(crate) enum Evidence {
    /// There is none: the call reads nothing that needs it, or the policy switches it off.
    None,
    /// It is a write of the call's own commit.
    Committed(Write),
    /// It waits once the call has committed.
    Batched(Write),
}

/// The line of a call that succeeds, and when it is written.
///
/// # Errors
/// [`Error::Internal`](crate::Error::Internal): a bug.
pub(crate) fn evidence<'c>(
    policy: &Policy,
    outcome: &Outcome,
    cause: impl FnOnce() -> Cause<'c>,
) -> Result<Evidence> {
    if !policy.audit || policy.audit_reads == AuditReads::Off {
        return Ok(Evidence::None);
    }
    let Some(line) = line(outcome, cause)?.map(Write::AppendAudit) else { return Ok(Evidence::None) };
    Ok(match policy.audit_reads {
        AuditReads::Committed => Evidence::Committed(line),
        AuditReads::Batched | AuditReads::Off => Evidence::Batched(line),
    })
}

fn line<'c>(outcome: &Outcome, cause: impl FnOnce() -> Cause<'c>) -> Result<Option<AuditEvent>> {
    let (line, details, ids) = match outcome {
        Outcome::AccountsRead { psu, read } => {
            let cause = cause();
            let tpp = cause.tpp.unwrap_or_default();
            let line = event(AuditKind::AccountRead, None, tpp, &cause);
            let named = (&psu.psu, Some(psu.context), psu.corporate.as_ref());
            (acted_by(line, Some(named)), of_read(read, is_psu_present(&cause)), cause.ids)
        }
        Outcome::Details(payment) | Outcome::Status(payment) => {
            let cause = cause();
            let line = event(AuditKind::PaymentRead, Some(payment.id.as_str()), &payment.tpp, &cause);
            let named = payment.psu.as_ref().map(|psu| (psu, payment.context, payment.corporate.as_ref()));
            let details = Details { psu_present: Some(is_psu_present(&cause)), ..Details::default() };
            (acted_by(line, named), details, cause.ids)
        }
        _ => return Ok(None),
    };
    let details = details.of_call(ids).into_text()?;
    Ok(Some(AuditEvent { details, ..line }))
}

/// PSU-IP-Address is present if and only if the PSU asked for the call (contract: Headers).
fn is_psu_present(cause: &Cause<'_>) -> bool {
    cause.client.ip_address.is_some()
}

/// Keeps the line of a read that was committed.
///
/// # Errors
/// Those of the store, if as many lines wait as may and they cannot be written.
pub(crate) fn keep(engine: &EngineContext, line: Write, now: DateTime<Utc>) -> Result<()> {
    engine.waiting_writes.keep(line, now, |lines| commit_waiting(engine, lines))
}
