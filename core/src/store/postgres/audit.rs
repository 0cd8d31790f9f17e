//! The audit. Nothing here changes or deletes a line; a trigger keeps others from it.

use std::ops::Range;

use chrono::{DateTime, Utc};
use tokio_postgres::Row;

use super::columns::{limit, micros, Columns};
use super::connection::Connection;
use super::failure::Result;
use crate::audit::kind::AuditKind;
use crate::audit::record::AuditEvent;
use crate::store::{AuditLine, AuditPosition, CommitOutcome, Event};
use crate::types::{Context, CorporateKey, PaymentId, PsuKey, RequestId};

/// Appends a line.
pub(super) fn append(connection: &mut Connection, event: &AuditEvent) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO audit
            (at, kind, subject, tpp, psu, context, corporate, cause, request_id, details)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    connection.execute(
        SQL,
        &[
            &micros(event.at),
            &event.kind.as_str(),
            &event.id,
            &event.tpp,
            &event.psu.as_ref().map(PsuKey::as_str),
            &event.context.map(Context::as_str),
            &event.corporate.as_ref().map(CorporateKey::as_str),
            &event.cause,
            &event.request_id.as_ref().map(RequestId::as_str),
            &event.details,
        ],
    )?;
    Ok(CommitOutcome::Applied)
}

/// What was noted, and what payments went through, in one order.
pub(super) fn within(
    connection: &mut Connection,
    range: &Range<DateTime<Utc>>,
    after: Option<AuditPosition>,
    lines_max: usize,
) -> Result<Vec<AuditLine>> {
    // The condition on the time alone is what an index can begin at.
    const NOTED: &str =
        "SELECT at, number, kind, subject, tpp, psu, context, corporate, cause, request_id, details
        FROM audit WHERE at >= greatest($1::bigint, $3::bigint) AND at < $2
            AND (at, 0::bigint, number) > ($3, $4, $5)
        ORDER BY at, number LIMIT $6";
    const CHANGES: &str = "SELECT event.at, event.payment, event.number, payment.id, payment.tpp,
            event.from_status, event.to_status, event.cause
        FROM event JOIN payment ON payment.number = event.payment
        WHERE event.at >= greatest($1::bigint, $3::bigint) AND event.at < $2
            AND (event.at, event.payment, event.number) > ($3, $4, $5)
        ORDER BY event.at, event.payment, event.number LIMIT $6";
    let from = after.unwrap_or(AuditPosition { at: DateTime::<Utc>::MIN_UTC, payment: 0, number: 0 });
    let (start, end, at) = (micros(range.start), micros(range.end), micros(from.at));
    let limit = limit(lines_max);
    let mut lines = Vec::new();
    for (sql, read) in [(NOTED, noted as fn(&Row) -> Result<AuditLine>), (CHANGES, change_of_payment)] {
        let rows = connection.rows(sql, &[&start, &end, &at, &from.payment, &from.number, &limit])?;
        for row in &rows {
            lines.push(read(row)?);
        }
    }
    lines.sort_by_key(AuditLine::position);
    lines.truncate(lines_max);
    Ok(lines)
}

fn noted(row: &Row) -> Result<AuditLine> {
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
}

fn change_of_payment(row: &Row) -> Result<AuditLine> {
    let mut columns = Columns::of(row);
    let at = columns.time()?;
    let position = AuditPosition { at, payment: columns.value()?, number: columns.value()? };
    let payment_id = columns.text(PaymentId::parse)?;
    let tpp = columns.value::<&str>()?.into();
    let event =
        Event { payment_id, at, from: columns.state()?, to: columns.state()?, cause: columns.value()? };
    Ok(AuditLine::Payment { position, tpp, event })
}

#[cfg(test)]
mod tests {
    use super::super::database::Database;
    use super::super::server::Server;
    use super::super::PostgresStore;
    use super::*;
    use crate::store::conformance::samples::{audited, event, insert, payment};
    use crate::store::{Store as _, Write};

    #[test]
    fn no_line_can_be_changed_or_deleted() {
        let Some(server) = Server::shared() else { return };
        let url = server.database();
        let store = PostgresStore::open(&url).unwrap();
        store.commit(&[insert(payment(1))]).unwrap();
        store.commit(&[Write::AppendAudit(audited(0)), Write::AppendEvent(event(1, 0, "a"))]).unwrap();
        let database = Database::open(&url).unwrap();
        for statement in [
            "UPDATE audit SET cause = 'x'",
            "DELETE FROM audit",
            "TRUNCATE audit",
            "UPDATE event SET cause = 'x'",
            "DELETE FROM event",
            "TRUNCATE event",
        ] {
            let refused = database.run(|connection| connection.batch(statement)).unwrap_err().to_string();
            assert!(refused.contains("append-only"), "{statement}: {refused}");
        }
        let whole = DateTime::<Utc>::MIN_UTC..DateTime::<Utc>::MAX_UTC;
        assert_eq!(store.audit().audit_lines(&whole, None, 9).unwrap().len(), 2);
    }
}
