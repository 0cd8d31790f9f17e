//! The audit. Nothing here changes or deletes a line; a trigger keeps others from it.

use std::ops::Range;

use chrono::{DateTime, Utc};
use rusqlite::{Connection, Result, Row};

use super::columns::{limit, micros, Columns};
use crate::audit::kind::AuditKind;
use crate::audit::record::AuditEvent;
use crate::store::{AuditLine, AuditPosition, CommitOutcome, Event};
use crate::types::{Context, CorporateKey, PaymentId, PsuKey, RequestId};

/// Appends a line.
pub(super) fn append(connection: &Connection, event: &AuditEvent) -> Result<CommitOutcome> {
    // Not INSERT … SELECT: what reads the table that it writes goes through a temporary one.
    const SQL: &str = "INSERT INTO audit
            (at, number, kind, subject, tpp, psu, context, corporate, cause, request_id, details)
        VALUES (?1, 1 + coalesce((SELECT max(number) FROM audit WHERE at = ?1), 0),
            ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    connection.prepare_cached(SQL)?.execute((
        micros(event.at),
        event.kind.as_str(),
        &event.id,
        &event.tpp,
        event.psu.as_ref().map(PsuKey::as_str),
        event.context.map(Context::as_str),
        event.corporate.as_ref().map(CorporateKey::as_str),
        &event.cause,
        event.request_id.as_ref().map(RequestId::as_str),
        &event.details,
    ))?;
    Ok(CommitOutcome::Applied)
}

/// What was noted, and what payments went through, in one order.
pub(super) fn within(
    connection: &Connection,
    range: &Range<DateTime<Utc>>,
    after: Option<AuditPosition>,
    lines_max: usize,
) -> Result<Vec<AuditLine>> {
    let mut lines = noted(connection, range, after, lines_max)?;
    lines.extend(changes_of_payments(connection, range, after, lines_max)?);
    lines.sort_by_key(AuditLine::position);
    lines.truncate(lines_max);
    Ok(lines)
}

/// Before every line there is.
const START: AuditPosition = AuditPosition { at: DateTime::<Utc>::MIN_UTC, payment: 0, number: 0 };

/// A page of what was noted: begin, end, position (time, payment, number), and how many lines.
const NOTED: &str =
    "SELECT at, number, kind, subject, tpp, psu, context, corporate, cause, request_id, details
    FROM audit WHERE at >= max(?1, ?3) AND at < ?2 AND (at, 0, number) > (?3, ?4, ?5)
    ORDER BY at, number LIMIT ?6";
/// A page of what payments went through, by the same.
const CHANGES: &str = "SELECT event.at, event.payment, event.number, payment.id, payment.tpp,
        event.from_status, event.to_status, event.cause
    FROM event JOIN payment ON payment.number = event.payment
    WHERE event.at >= max(?1, ?3) AND event.at < ?2 AND (event.at, event.payment, event.number) > (?3, ?4, ?5)
    ORDER BY event.at, event.payment, event.number LIMIT ?6";

fn noted(
    connection: &Connection,
    range: &Range<DateTime<Utc>>,
    after: Option<AuditPosition>,
    lines_max: usize,
) -> Result<Vec<AuditLine>> {
    let from = after.unwrap_or(START);
    let values = (
        micros(range.start),
        micros(range.end),
        micros(from.at),
        from.payment,
        from.number,
        limit(lines_max),
    );
    let mut statement = connection.prepare_cached(NOTED)?;
    let rows = statement.query_map(values, |row| {
        let mut columns = Columns::of(row);
        let (at, number) = (columns.time()?, columns.value()?);
        let event = AuditEvent {
            at,
            kind: columns.text(AuditKind::parse)?,
            id: columns.value()?,
            tpp: columns.value()?,
            psu: columns.optional_text(|text| Some(PsuKey::new(text)))?,
            context: columns.optional_text(|text| Context::parse(text).ok())?,
            corporate: columns.optional_text(|text| Some(CorporateKey::new(text)))?,
            cause: columns.value()?,
            request_id: columns.optional_text(RequestId::parse)?,
            details: columns.value()?,
        };
        Ok(AuditLine::Noted { position: AuditPosition { at, payment: 0, number }, event })
    })?;
    rows.collect()
}

fn changes_of_payments(
    connection: &Connection,
    range: &Range<DateTime<Utc>>,
    after: Option<AuditPosition>,
    lines_max: usize,
) -> Result<Vec<AuditLine>> {
    let from = after.unwrap_or(START);
    let values = (
        micros(range.start),
        micros(range.end),
        micros(from.at),
        from.payment,
        from.number,
        limit(lines_max),
    );
    let mut statement = connection.prepare_cached(CHANGES)?;
    let rows = statement.query_map(values, change_of_payment)?;
    rows.collect()
}

fn change_of_payment(row: &Row<'_>) -> Result<AuditLine> {
    let mut columns = Columns::of(row);
    let at = columns.time()?;
    let position = AuditPosition { at, payment: columns.value()?, number: columns.value()? };
    let payment_id = columns.text(PaymentId::parse)?;
    let tpp = columns.value()?;
    let event =
        Event { payment_id, at, from: columns.state()?, to: columns.state()?, cause: columns.value()? };
    Ok(AuditLine::Payment { position, tpp, event })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::conformance::samples::{audited, event, insert, payment};
    use crate::store::sqlite::{schema, Database, SqliteStore};
    use crate::store::{Store as _, Write};
    use std::sync::Arc;

    #[test]
    fn no_line_can_be_changed_and_none_of_the_audit_deleted() {
        let store = SqliteStore::new(Arc::new(Database::open_memory().unwrap()));
        let appended = [Write::AppendAudit(audited(0)), Write::AppendEvent(event(1, 0, "a"))];
        store.commit(&[insert(payment(1))]).unwrap();
        store.commit(&appended).unwrap();
        for statement in ["UPDATE audit SET cause = 'x'", "DELETE FROM audit", "UPDATE event SET cause = 'x'"]
        {
            let refused = store.database().write(|connection| connection.execute(statement, []));
            assert!(refused.unwrap_err().to_string().contains("append-only"), "{statement}");
        }
        assert_eq!(
            store.audit().audit_lines(&(START.at..DateTime::<Utc>::MAX_UTC), None, 9).unwrap().len(),
            2
        );
    }

    #[test]
    fn a_page_is_found_by_time_and_not_by_reading_everything() {
        for sql in [NOTED, CHANGES] {
            let plan = schema::plan(sql);
            assert!(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "{plan}");
        }
    }
}
