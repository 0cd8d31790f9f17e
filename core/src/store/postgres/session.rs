//! Sessions.

use chrono::{DateTime, Utc};
use tokio_postgres::Row;

use super::columns::{limit, micros, Columns};
use super::connection::Connection;
use super::failure::Result;
use crate::session::record::Session;
use crate::store::CommitOutcome;
use crate::types::AuthorisationId;

/// The lock of those who open a session of one TPP, person and context. Without it two of them would not replace each
/// other's. It is held to the end of the transaction.
const LOCK: &str =
    "SELECT 1 FROM pg_advisory_xact_lock(2, hashtext(concat_ws(E'\\n', $1::text, $2::text, $3::text)))";

/// Opens a session, and marks the others of the same TPP, person and context as replaced, for every corporate customer.
pub(super) fn open(connection: &mut Connection, session: &Session) -> Result<CommitOutcome> {
    const REPLACE: &str = "UPDATE sca_session
        SET replaced_after = (SELECT coalesce(max(id), $5) FROM authorisation)
        WHERE tpp = $1 AND psu = $2 AND context = $3 AND replaced_after IS NULL AND id <> $4";
    const OPEN: &str =
        "INSERT INTO sca_session AS old (tpp, psu, context, corporate, id, opened_at, first_sca)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (tpp, id) DO UPDATE SET psu = excluded.psu, context = excluded.context,
            corporate = excluded.corporate, opened_at = excluded.opened_at, replaced_after = NULL,
            first_sca = CASE WHEN old.replaced_after IS NULL AND old.psu = excluded.psu
                AND old.context = excluded.context THEN old.first_sca ELSE excluded.first_sca END";
    let (psu, context) = (session.psu.psu.as_str(), session.psu.context.as_str());
    let first_sca = session.first_sca.as_str();
    connection.row(LOCK, &[&&*session.tpp, &psu, &context])?;
    if is_outdated(connection, session)? {
        return Ok(CommitOutcome::VersionConflict);
    }
    connection.execute(REPLACE, &[&&*session.tpp, &psu, &context, &session.id, &first_sca])?;
    let (corporate, opened_at) = (session.psu.stored_corporate(), micros(session.opened_at));
    connection
        .execute(OPEN, &[&&*session.tpp, &psu, &context, &corporate, &session.id, &opened_at, &first_sca])?;
    Ok(CommitOutcome::Applied)
}

/// Whether the session ended since its SCA began.
pub(super) fn is_outdated(connection: &mut Connection, session: &Session) -> Result<bool> {
    const SQL: &str = "SELECT 1 WHERE EXISTS (SELECT 1 FROM sca_session
            WHERE tpp = $1 AND psu = $2 AND context = $3 AND replaced_after IS NULL AND id <> $4 AND first_sca > $5)
        OR EXISTS (SELECT 1 FROM sca_session
            WHERE tpp = $1 AND id = $4 AND psu = $2 AND context = $3 AND replaced_after >= $5)";
    let (psu, context) = (session.psu.psu.as_str(), session.psu.context.as_str());
    let newer =
        connection.row(SQL, &[&&*session.tpp, &psu, &context, &session.id, &session.first_sca.as_str()])?;
    Ok(newer.is_some())
}

/// The session of a TPP with that id.
pub(super) fn find(connection: &mut Connection, tpp: &str, id: &str) -> Result<Option<Session>> {
    const SQL: &str = "SELECT tpp, id, psu, context, corporate, opened_at, first_sca, replaced_after
        FROM sca_session WHERE tpp = $1 AND id = $2";
    connection.row(SQL, &[&tpp, &id])?.map(|row| read(&row)).transpose()
}

/// Deletes at most that many of those opened at or before a time, except rows that another transaction has locked.
pub(super) fn purge(connection: &mut Connection, until: DateTime<Utc>, at_most: usize) -> Result<u64> {
    const SQL: &str = "DELETE FROM sca_session WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM sca_session WHERE opened_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
    connection.execute(SQL, &[&micros(until), &limit(at_most)])
}

fn read(row: &Row) -> Result<Session> {
    let mut columns = Columns::of(row);
    Ok(Session {
        tpp: columns.value::<&str>()?.into(),
        id: columns.value()?,
        psu: columns.acting_psu()?,
        opened_at: columns.time()?,
        first_sca: columns.text(AuthorisationId::parse)?,
        is_replaced: columns.value::<Option<&str>>()?.is_some(),
    })
}
