//! The audit as lines of JSON, read in pages: only one page is in memory, however long the audit is.

use std::ops::Range;
use std::vec::IntoIter;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::public_api::Engine;
use crate::audit::kind::AuditKind;
use crate::audit::record::AuditEvent;
use crate::error::Result;
use crate::limits::AUDIT_LINES_PER_READ;
use crate::machine::Machine;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::waiting_writes::AT_ONCE;
use crate::pipeline::write_waiting::write_waiting;
use crate::store::{AuditLine, AuditPosition, Event};
use crate::types::instant::rfc3339_micros;
use crate::types::{Context, CorporateKey, PsuKey};
use crate::wire::json;

impl Engine {
    /// The lines of the audit from the start of the range until before its end, oldest first: the lines of the audit
    /// table and the histories of payments. Each is the text of a JSON object.
    ///
    /// A call of a TPP writes its lines with the time at which it began. So a range is complete once its end is older
    /// than the longest call: a minute, unless the bank is slow or asked often (docs/guide/audit.md). Lines of the
    /// host's own calls have the time of the bank's answer.
    pub fn audit(&self, range: Range<DateTime<Utc>>) -> AuditLines<'_> {
        AuditLines::new(self, range)
    }
}

/// A cursor in the audit, oldest line first, for callers that cannot borrow the engine between two lines. Each line is
/// the text of a JSON object without a line break. After an error there are no more lines.
#[derive(Debug)]
pub struct AuditCursor {
    range: Range<DateTime<Utc>>,
    page: IntoIter<AuditLine>,
    after: Option<AuditPosition>,
    is_over: bool,
}

impl AuditCursor {
    /// Before the first line of the range, which begins with its start and ends before its end.
    pub fn new(range: Range<DateTime<Utc>>) -> Self {
        Self { range, page: Vec::new().into_iter(), after: None, is_over: false }
    }

    /// The next line of the audit of this engine.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) and [`Error::Record`](crate::Error::Record), which are logged.
    pub fn next(&mut self, engine: &Engine) -> Result<Option<String>> {
        if self.is_over {
            return Ok(None);
        }
        let exported = engine.logging.guard("audit", || {
            self.next_line(&engine.context).and_then(|line| line.as_ref().map(text).transpose())
        });
        self.is_over = !matches!(exported, Ok(Some(_)));
        exported
    }

    fn next_line(&mut self, engine: &EngineContext) -> Result<Option<AuditLine>> {
        if let Some(line) = self.page.next() {
            return Ok(Some(line));
        }
        if self.after.is_none() {
            write_waiting(engine, AT_ONCE)?;
        }
        let page = engine.store().audit().audit_lines(&self.range, self.after, AUDIT_LINES_PER_READ)?;
        self.after = page.last().map(AuditLine::position);
        self.page = page.into_iter();
        Ok(self.page.next())
    }
}

/// The lines of a time, as [`AuditCursor`] has them.
pub struct AuditLines<'e> {
    engine: &'e Engine,
    cursor: AuditCursor,
}

impl<'e> AuditLines<'e> {
    pub(super) fn new(engine: &'e Engine, range: Range<DateTime<Utc>>) -> Self {
        Self { engine, cursor: AuditCursor::new(range) }
    }
}

impl Iterator for AuditLines<'_> {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        self.cursor.next(self.engine).transpose()
    }
}

/// A line but for its details.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LineView<'l> {
    at: String,
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'l str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tpp: Option<&'l str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    psu: Option<&'l str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    corporate: Option<&'l str>,
    cause: &'l str,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
}

/// The details of a change from a payment's history.
#[derive(Serialize)]
struct ChangeView {
    from: &'static str,
    to: &'static str,
}

fn text(line: &AuditLine) -> Result<String> {
    match line {
        AuditLine::Noted { event, .. } => noted(event),
        AuditLine::Payment { tpp, event, .. } => changed(tpp, event),
    }
}

fn noted(event: &AuditEvent) -> Result<String> {
    let view = LineView {
        at: rfc3339_micros(event.at),
        event: event.kind.as_str(),
        id: event.id.as_deref(),
        tpp: event.tpp.as_deref(),
        psu: event.psu.as_ref().map(PsuKey::as_str),
        context: event.context.map(Context::as_str),
        corporate: event.corporate.as_ref().map(CorporateKey::as_str),
        cause: &event.cause,
        request_id: event.request_id.map(|id| id.to_string()),
    };
    with_details(&view, event.details.as_deref())
}

fn changed(tpp: &str, event: &Event) -> Result<String> {
    let view = LineView {
        at: rfc3339_micros(event.at),
        event: AuditKind::PaymentStatus.as_str(),
        id: Some(event.payment_id.as_str()),
        tpp: Some(tpp),
        psu: None,
        context: None,
        corporate: None,
        cause: &event.cause,
        request_id: None,
    };
    let details = ChangeView { from: event.from.as_str(), to: event.to.as_str() };
    with_details(&view, Some(&json::write_text(&details)?))
}

/// Puts the text of the details, an object already, at the end of the object.
fn with_details(view: &LineView<'_>, details: Option<&str>) -> Result<String> {
    let mut line = json::write_text(view)?;
    if let Some(details) = details {
        line.truncate(line.len().saturating_sub(1));
        line.push_str(",\"details\":");
        line.push_str(details);
        line.push('}');
    }
    Ok(line)
}
