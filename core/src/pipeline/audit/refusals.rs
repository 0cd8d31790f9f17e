//! Calls that were refused because their TPP could not be identified, authenticated or authorised.
//!
//! Each is a commit of its own, and any caller can make them. So that they neither fill the disk nor keep it busy, one
//! engine notes a number of them a minute one by one, and beyond that counts them by reason. The counts of a minute are
//! written with the first call after it, or by the next run of what is due. What cannot be written then is counted with
//! the present minute. Where nothing comes before the process ends they are lost: at the end of an engine its clock and
//! its store may be gone already.

use chrono::{DateTime, Utc};

use super::details::{of_certificate, Details};
use super::refusal_counts::Count;
use crate::audit::kind::AuditKind;
use crate::audit::record::AuditEvent;
use crate::env::clock::from_micros;
use crate::error::{Error, Result};
use crate::limits::AUDIT_ORGANISATION_CHARS_MAX;
use crate::pipeline::call_context::CallContext;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::trace::{Stage, Trace};
use crate::reason::{Reason, Refusal};
use crate::store::Write;
use crate::tpp::certificate_header::Presented;
use crate::types::instant::rfc3339_seconds;
use crate::types::{CallIds, RequestId};
use crate::wire::headers::{Headers, TPP_CERTIFICATE};

/// Notes a refusal, if it is one of authentication, and what was counted in a minute that is over. That it cannot be
/// written is logged, and changes nothing for the caller.
pub(crate) fn note_refusal(context: &CallContext<'_>, trace: &Trace, refusal: &Refusal) {
    let CallContext { engine, unchecked_headers: headers, policy, ids, now, .. } = *context;
    if !policy.audit || !concerns_authentication(trace.stage(), refusal) {
        return note_counts(engine, now);
    }
    let reason = refusal.reason();
    let (is_noted, over) = engine.refusals.count(reason, now);
    let own = is_noted.then(|| (reason, refusal_line(trace, headers, reason, ids, now)));
    if let Err(error) = write(engine, &over, own, now) {
        let request_id = request_id(headers).map(tracing::field::display);
        tracing::error!(%error, reason = reason.id(), request_id, "refused calls could not be written into the audit");
    }
}

/// Writes the counts of a minute that is over.
pub(crate) fn note_counts(engine: &EngineContext, now: DateTime<Utc>) {
    if let Err(error) = write(engine, &engine.refusals.over(now), None, now) {
        tracing::error!(%error, "refused calls could not be written into the audit");
    }
}

/// Writes the counts of a minute that is over, and the line of a refusal of that reason. What is not written is counted
/// again, but for what may be in.
fn write(
    engine: &EngineContext,
    over: &[Count],
    own: Option<(Reason, Result<AuditEvent>)>,
    now: DateTime<Utc>,
) -> Result<()> {
    let (own_reason, own_line) = own.unzip();
    let events = over.iter().map(|count| count_line(count, now)).chain(own_line);
    let writes = events.map(|event| event.map(Write::AppendAudit)).collect::<Result<Vec<_>>>()?;
    if writes.is_empty() {
        return Ok(());
    }
    let written = engine.store().commit(&writes).map(drop);
    if matches!(&written, Err(error) if !matches!(error, Error::OutcomeUnknown(_))) {
        let unwritten = over.iter().map(|count| (count.reason, count.calls));
        let unwritten = unwritten.chain(own_reason.map(|reason| (reason, 1)));
        unwritten.for_each(|(reason, calls)| engine.refusals.count_again(reason, calls));
    }
    written
}

/// The stages that ask who calls; before them a call that is not signed at all, and after them a second use of a
/// request id that another node saw.
fn concerns_authentication(stage: Stage, refusal: &Refusal) -> bool {
    const SIGNED_BY: [&str; 4] = [TPP_CERTIFICATE, "Signature", "Digest", "Date"];
    match stage {
        Stage::Identify | Stage::Authenticate | Stage::Authorise => true,
        Stage::Parse => {
            let paths = refusal.findings().filter_map(|finding| finding.path.as_deref());
            // A header that is too long is named as the TPP spelt it.
            paths.into_iter().any(|path| SIGNED_BY.iter().any(|name| name.eq_ignore_ascii_case(path)))
        }
        Stage::Within => refusal.reason() == Reason::RequestReplayed,
    }
}

fn refusal_line(
    trace: &Trace,
    headers: &Headers<'_>,
    reason: Reason,
    ids: CallIds,
    now: DateTime<Utc>,
) -> Result<AuditEvent> {
    let shown = headers.get(TPP_CERTIFICATE);
    let leaf = shown.and_then(|value| Presented::from_header(&value).ok()).map(|presented| presented.leaf);
    let claimed = leaf.as_ref().and_then(|certificate| certificate.organisation_id());
    let details = Details {
        stage: Some(trace.stage().as_str()),
        reason: Some(reason.id()),
        certificate: leaf.as_deref().map(of_certificate),
        ..Details::default()
    };
    Ok(AuditEvent {
        tpp: claimed.map(printable),
        cause: trace.operation().map_or("unknown", |operation| operation.name).to_owned(),
        request_id: request_id(headers),
        details: details.of_call(ids).into_text()?,
        ..bare(AuditKind::CallRefused, now)
    })
}

fn request_id(headers: &Headers<'_>) -> Option<RequestId> {
    headers.text("X-Request-ID").and_then(|text| RequestId::parse(&text.ok()?))
}

/// What an unproven certificate says of itself, as far as it is kept. Without control characters: PostgreSQL takes no
/// U+0000 in a text, and a certificate that has one must be noted all the same.
fn printable(name: &str) -> String {
    name.chars().filter(|character| !character.is_control()).take(AUDIT_ORGANISATION_CHARS_MAX).collect()
}

fn count_line(count: &Count, now: DateTime<Utc>) -> Result<AuditEvent> {
    let minute = from_micros(count.minute.saturating_mul(60_000_000));
    let details = Details {
        reason: Some(count.reason.id()),
        count: Some(count.calls),
        minute: Some(rfc3339_seconds(minute)),
        ..Details::default()
    };
    Ok(AuditEvent { details: details.into_text()?, ..bare(AuditKind::CallsRefused, now) })
}

fn bare(kind: AuditKind, now: DateTime<Utc>) -> AuditEvent {
    AuditEvent {
        at: now,
        kind,
        id: None,
        tpp: None,
        psu: None,
        context: None,
        corporate: None,
        cause: "refused".to_owned(),
        request_id: None,
        details: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claimed_name_is_kept_to_its_bound_without_control_characters() {
        assert_eq!(printable("PSD\0NO-\u{85}FSA\n-æ"), "PSDNO-FSA-æ");
        for (length, kept) in
            [(AUDIT_ORGANISATION_CHARS_MAX, true), (AUDIT_ORGANISATION_CHARS_MAX + 1, false)]
        {
            let name = "æ".repeat(length);
            assert_eq!(printable(&name) == name, kept, "{length}");
        }
    }
}
