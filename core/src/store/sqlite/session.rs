//! Sessions.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension, Result, Row};

use super::columns::{limit, micros, Columns};
use crate::session::record::Session;
use crate::store::CommitOutcome;
use crate::types::AuthorisationId;

/// The open sessions, by person. Without the hint SQLite takes the primary key, and reads all sessions of the TPP.
macro_rules! by_person {
    () => {
        "sca_session INDEXED BY sca_session_open"
    };
}

/// Of the sessions of that TPP (1), person (2) and context (3), those that end when the one of that id (4) opens.
macro_rules! others {
    () => {
        " WHERE tpp = ?1 AND psu = ?2 AND context = ?3 AND replaced_after IS NULL AND id <> ?4"
    };
}

const REPLACE: &str = concat!(
    "UPDATE ",
    by_person!(),
    " SET replaced_after = (SELECT coalesce(max(id), ?5) FROM authorisation)",
    others!()
);
const REPLACED: &str = concat!(
    "SELECT tpp, id, psu, context, corporate, opened_at, first_sca, replaced_after FROM ",
    by_person!(),
    others!()
);
const IS_OUTDATED: &str = concat!(
    "SELECT EXISTS (SELECT 1 FROM ",
    by_person!(),
    others!(),
    " AND first_sca > ?5) OR EXISTS (SELECT 1 FROM sca_session
        WHERE tpp = ?1 AND id = ?4 AND psu = ?2 AND context = ?3 AND replaced_after >= ?5)"
);

/// Opens a session, and marks the others of the same TPP, person and context as replaced, for every customer.
pub(super) fn open(connection: &Connection, session: &Session) -> Result<CommitOutcome> {
    const OPEN: &str = "INSERT INTO sca_session (tpp, psu, context, corporate, id, opened_at, first_sca)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        ON CONFLICT (tpp, id) DO UPDATE SET psu = excluded.psu, context = excluded.context,
            corporate = excluded.corporate, opened_at = excluded.opened_at, replaced_after = NULL,
            first_sca = CASE WHEN replaced_after IS NULL AND psu = excluded.psu AND context = excluded.context
                THEN first_sca ELSE excluded.first_sca END";
    if is_outdated(connection, session)? {
        return Ok(CommitOutcome::VersionConflict);
    }
    connection.prepare_cached(REPLACE)?.execute(by_person_and_sca(session))?;
    let (psu, context) = (session.psu.psu.as_str(), session.psu.context.as_str());
    let (corporate, opened_at) = (session.psu.stored_corporate(), micros(session.opened_at));
    let row = (&session.tpp, psu, context, corporate, &session.id, opened_at, session.first_sca.as_str());
    connection.prepare_cached(OPEN)?.execute(row)?;
    Ok(CommitOutcome::Applied)
}

/// Whether the session ended since its SCA began.
pub(super) fn is_outdated(connection: &Connection, session: &Session) -> Result<bool> {
    connection.prepare_cached(IS_OUTDATED)?.query_row(by_person_and_sca(session), |row| row.get(0))
}

/// The parameters 1 to 5: TPP, person, context, id, and the authorisation of the SCA.
fn by_person_and_sca(session: &Session) -> (&str, &str, &str, &str, &str) {
    let (psu, context) = (session.psu.psu.as_str(), session.psu.context.as_str());
    (&session.tpp, psu, context, &session.id, session.first_sca.as_str())
}

/// The session of a TPP with that id.
pub(super) fn find(connection: &Connection, tpp: &str, id: &str) -> Result<Option<Session>> {
    const SQL: &str = "SELECT tpp, id, psu, context, corporate, opened_at, first_sca, replaced_after
        FROM sca_session WHERE tpp = ?1 AND id = ?2";
    connection.prepare_cached(SQL)?.query_row((tpp, id), read).optional()
}

/// Deletes at most that many of those opened at or before a time.
pub(super) fn purge(connection: &Connection, until: DateTime<Utc>, at_most: usize) -> Result<usize> {
    const SQL: &str = "DELETE FROM sca_session WHERE (tpp, id) IN
        (SELECT tpp, id FROM sca_session WHERE opened_at <= ?1 LIMIT ?2)";
    connection.prepare_cached(SQL)?.execute((micros(until), limit(at_most)))
}

/// The sessions that stop counting when this one opens.
pub(super) fn replaced_by(connection: &Connection, session: &Session) -> Result<Vec<Session>> {
    let (psu, context) = (session.psu.psu.as_str(), session.psu.context.as_str());
    let mut statement = connection.prepare_cached(REPLACED)?;
    let rows = statement.query_map((&session.tpp, psu, context, &session.id), read)?;
    rows.collect()
}

fn read(row: &Row<'_>) -> Result<Session> {
    let mut columns = Columns::of(row);
    Ok(Session {
        tpp: columns.value()?,
        id: columns.value()?,
        psu: columns.acting_psu()?,
        opened_at: columns.time()?,
        first_sca: columns.text(AuthorisationId::parse)?,
        is_replaced: columns.value::<Option<String>>()?.is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::schema;

    #[test]
    fn ending_sessions_are_found_by_person_with_an_index() {
        for sql in [REPLACE, REPLACED, IS_OUTDATED] {
            let plan = schema::plan(sql);
            assert!(plan.contains("sca_session_open (tpp=? AND psu=? AND context=?)"), "{plan}");
        }
    }
}
