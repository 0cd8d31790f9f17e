//! Which schema a database has, and how an older one becomes the present one.

use rusqlite::{ffi, Connection};

use super::connection::{self, MIGRATION_SECONDS_MAX};
use super::failure::{failed, failed_after};
use super::transaction::Transaction;
use crate::error::{Error, Result};

/// Marks our databases in their header: `XS2A` in ASCII.
pub(super) const APPLICATION_ID: i32 = i32::from_be_bytes(*b"XS2A");

/// The changes of the schema, oldest first. A row that was released is never edited: the number of rows
/// applied stands in `PRAGMA user_version`.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/sqlite/0001_store.sql"),
    include_str!("../../../migrations/sqlite/0002_sandbox.sql"),
    include_str!("../../../migrations/sqlite/0003_purposes.sql"),
    include_str!("../../../migrations/sqlite/0004_account_access.sql"),
    include_str!("../../../migrations/sqlite/0005_basket.sql"),
    include_str!("../../../migrations/sqlite/0006_sandbox_history.sql"),
    include_str!("../../../migrations/sqlite/0007_sandbox_entries.sql"),
    include_str!("../../../migrations/sqlite/0008_sandbox_management.sql"),
    include_str!("../../../migrations/sqlite/0009_dead_links.sql"),
    include_str!("../../../migrations/sqlite/0010_outbox_set_aside.sql"),
    include_str!("../../../migrations/sqlite/0011_audit.sql"),
    include_str!("../../../migrations/sqlite/0012_sandbox_sca_demand.sql"),
    include_str!("../../../migrations/sqlite/0013_authorisation_brand.sql"),
    include_str!("../../../migrations/sqlite/0014_request_ids_in_order.sql"),
    include_str!("../../../migrations/sqlite/0015_no_index_by_likeness.sql"),
    include_str!("../../../migrations/sqlite/0016_payment_identity.sql"),
    include_str!("../../../migrations/sqlite/0017_identity_where_it_is_needed.sql"),
    include_str!("../../../migrations/sqlite/0018_sandbox_card_number.sql"),
    include_str!("../../../migrations/sqlite/0019_answered_links_and_old_sessions.sql"),
    include_str!("../../../migrations/sqlite/0020_links_by_their_ids.sql"),
    include_str!("../../../migrations/sqlite/0021_asked_to_cancel.sql"),
    include_str!("../../../migrations/sqlite/0022_what_a_creation_leaves.sql"),
    include_str!("../../../migrations/sqlite/0023_payments_by_their_ids.sql"),
];

/// The schema version of this library.
pub(super) const VERSION: usize = MIGRATIONS.len();

/// Brings a database to the present schema, in one transaction.
///
/// # Errors
/// [`Error::Store`] for a database of another application or of a newer schema; it is left as it was.
pub(super) fn migrate(connection: &Connection) -> Result<()> {
    if version(connection)? == VERSION {
        return Ok(());
    }
    let begun = connection::with_patience(connection, || Transaction::for_writing(connection));
    let transaction = begun.map_err(|error| failed_after(error, MIGRATION_SECONDS_MAX))?;
    // Another process may have done it while this one waited.
    let present = version(connection)?;
    for migration in MIGRATIONS.iter().skip(present) {
        connection.execute_batch(migration).map_err(failed)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
    connection.pragma_update(None, "user_version", VERSION).map_err(failed)?;
    transaction.commit().map_err(failed)
}

/// The schema version of a database of ours; 0 where it is empty.
///
/// # Errors
/// [`Error::Store`] where it is not ours, or newer than this library.
pub(super) fn version(connection: &Connection) -> Result<usize> {
    // One statement, one state of the file: another process may be making the tables meanwhile.
    let (application, version, is_empty): (i32, i32, bool) = connection
        .query_row(
            "SELECT application_id, user_version, NOT EXISTS (SELECT 1 FROM sqlite_schema) \
             FROM pragma_application_id, pragma_user_version",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .map_err(failed)?;
    if application == 0 && version == 0 && is_empty {
        return Ok(0);
    }
    if application != APPLICATION_ID {
        return Err(Error::Store(format!(
            "the database belongs to another application \
             (application id {application:#010x}, not {APPLICATION_ID:#010x})"
        )));
    }
    match usize::try_from(version) {
        Ok(version) if (1..=VERSION).contains(&version) => Ok(version),
        _ => Err(Error::Store(newer(version))),
    }
}

/// Fails where a newer library has brought the database to its schema since it was opened here.
pub(super) fn refuse_newer(connection: &Connection) -> rusqlite::Result<()> {
    let version: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match usize::try_from(version) {
        Ok(known) if known <= VERSION => Ok(()),
        _ => {
            let failure = ffi::Error::new(ffi::SQLITE_ERROR);
            Err(rusqlite::Error::SqliteFailure(failure, Some(newer(version))))
        }
    }
}

fn newer(version: i32) -> String {
    format!("the database has schema version {version}, this library knows version {VERSION} at most")
}

/// The text of the schema: equal for equal tables, indexes, views and triggers.
///
/// What SQLite adds where somebody lets it count the rows (`ANALYZE`) is left out. It is known by its text: whoever
/// makes an image by hand may give any name to anything.
pub(super) fn text(connection: &Connection) -> Result<String> {
    const SQL: &str = "SELECT group_concat(sql, ';' ORDER BY name) FROM sqlite_schema WHERE sql NOT IN (
        'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
        'CREATE TABLE sqlite_stat3(tbl,idx,neq,nlt,ndlt,sample)',
        'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)')";
    connection.query_row(SQL, [], |row| row.get(0)).map_err(failed)
}

/// A database as it was before the migration that speaks of something.
#[cfg(test)]
pub(super) fn before(what: &str) -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    let applied: Vec<_> = MIGRATIONS.iter().take_while(|migration| !migration.contains(what)).collect();
    applied.iter().for_each(|migration| connection.execute_batch(migration).unwrap());
    connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    connection.pragma_update(None, "user_version", applied.len()).unwrap();
    connection
}

/// How SQLite goes about a statement, on tables of the present schema.
#[cfg(test)]
pub(super) fn plan(sql: &str) -> String {
    let connection = Connection::open_in_memory().unwrap();
    migrate(&connection).unwrap();
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let steps = statement.raw_query().mapped(|row| row.get::<_, String>(3));
    steps.collect::<rusqlite::Result<Vec<_>>>().unwrap().join("; ")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Database, SqliteStore};
    use super::*;
    use crate::store::conformance::samples::{insert, payment};
    use crate::store::seam::{Committed, Store as _};

    fn empty() -> Connection {
        Connection::open_in_memory().unwrap()
    }

    /// The text of the error that a database with these header fields earns.
    fn refusal(application: i32, version: i32) -> String {
        let connection = empty();
        connection.pragma_update(None, "application_id", application).unwrap();
        connection.pragma_update(None, "user_version", version).unwrap();
        migrate(&connection).unwrap_err().to_string()
    }

    #[test]
    fn an_empty_database_gets_the_present_schema_and_keeps_it() {
        let connection = empty();
        assert_eq!(version(&connection).unwrap(), 0);
        migrate(&connection).unwrap();
        assert_eq!(version(&connection).unwrap(), VERSION);
        let schema = text(&connection).unwrap();
        migrate(&connection).unwrap();
        assert_eq!(text(&connection).unwrap(), schema);
    }

    #[test]
    fn a_migration_waits_longer_for_another_process_than_what_comes_after_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.db");
        let open = || connection::file(&path).unwrap();
        let held = open();
        connection::use_wal(&held).unwrap();
        let held = Transaction::for_writing(&held).unwrap();
        std::thread::scope(|scope| {
            let opening = scope.spawn(|| migrate(&open()));
            let committing = scope.spawn(|| {
                let connection = open();
                connection::with_patience(&connection, || Ok(())).unwrap();
                Transaction::for_writing(&connection).map(drop)
            });
            assert!(committing.join().unwrap().is_err());
            // They did not begin at the same moment.
            std::thread::sleep(std::time::Duration::from_millis(300));
            assert!(!opening.is_finished());
            drop(held);
            opening.join().unwrap().unwrap();
        });
    }

    #[test]
    fn a_newer_schema_is_refused_with_both_versions() {
        let refusal = refusal(APPLICATION_ID, VERSION as i32 + 1);
        assert!(refusal.contains(&format!("schema version {}", VERSION + 1)), "{refusal}");
        assert!(refusal.contains(&format!("knows version {VERSION} at most")), "{refusal}");
    }

    #[test]
    fn another_application_is_refused_with_both_ids() {
        let refusal = refusal(0x1234, 1);
        assert!(refusal.contains("0x00001234") && refusal.contains("0x58533241"), "{refusal}");
    }

    #[test]
    fn tables_of_an_application_without_an_id_are_not_taken_for_an_empty_database() {
        let connection = empty();
        connection.execute_batch("CREATE TABLE payment (id)").unwrap();
        assert!(migrate(&connection).unwrap_err().to_string().contains("another application"));
    }

    #[test]
    fn impossible_versions_are_refused() {
        for version in [0, -1, i32::MAX] {
            assert!(refusal(APPLICATION_ID, version).contains("schema version"), "{version}");
        }
    }

    #[test]
    fn whom_the_creation_of_a_payment_named_in_an_older_schema_is_kept_with_it_and_forgotten_where_it_ended()
    {
        let connection = before("SET identity = named.identity");
        connection
            .execute_batch(
                "INSERT INTO payment (id, version, tpp, product, transfer, fee, fee_currency, status, created_at,
                    likeness, identity) VALUES
                    ('named', 3, '', '', '', '', '', 'RCVD', 100, zeroblob(32), NULL),
                    ('named later', 3, '', '', '', '', '', 'RCVD', 100, zeroblob(32), NULL),
                    ('cancelling', 3, '', '', '', '', '', 'RCVD', 100, zeroblob(32), NULL),
                    ('done', 3, '', '', '', '', '', 'PDNG', 100, zeroblob(32), NULL),
                    ('known', 3, '', '', '', '', '', 'RCVD', 100, zeroblob(32), '7');
                INSERT INTO authorisation (id, version, tpp, redirect_uri, session_id, language, payment_id, purpose,
                    created_at, status, identity) VALUES
                    ('a', 1, '', '', '', '', 'named', 'payment', 100, 'failed', '1'),
                    ('b', 1, '', '', '', '', 'named', 'payment', 200, 'started', '2'),
                    ('c', 1, '', '', '', '', 'named later', 'payment', 200, 'started', '3'),
                    ('d', 1, '', '', '', '', 'cancelling', 'cancellation', 100, 'failed', '4'),
                    ('e', 1, '', '', '', '', 'done', 'payment', 100, 'finalised', '5'),
                    ('f', 1, '', '', '', '', 'known', 'payment', 100, 'started', '6')",
            )
            .unwrap();
        migrate(&connection).unwrap();
        let told = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!(
            told("SELECT group_concat(id || ' ' || version || coalesce(' ' || identity, ''), ', ') FROM payment"),
            "named 4 1, named later 3, cancelling 3, done 3, known 3 7"
        );
        assert_eq!(
            told("SELECT group_concat(id || identity, ', ' ORDER BY id) FROM authorisation"),
            "b2, c3, f6"
        );
    }

    #[test]
    fn whoever_has_a_file_open_that_a_newer_library_changes_writes_no_more() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.db");
        let store = SqliteStore::new(Arc::new(Database::open_file(&path).unwrap()));
        assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), Committed::Done);
        let newer = Connection::open(&path).unwrap();
        newer.execute_batch("CREATE TABLE known (x); DROP TABLE known").unwrap();
        assert_eq!(store.commit(&[insert(payment(2))]).unwrap(), Committed::Done, "it may change otherwise");
        newer
            .execute_batch(&format!("CREATE TABLE more (x); PRAGMA user_version = {}", VERSION + 1))
            .unwrap();
        for _ in 0..2 {
            let refused = store.commit(&[insert(payment(3))]).unwrap_err().to_string();
            assert!(refused.contains(&format!("schema version {}", VERSION + 1)), "{refused}");
        }
        assert_eq!(store.payment(&payment(3).id).unwrap(), None);
    }

    #[test]
    fn lines_of_an_older_schema_are_counted() {
        let connection = empty();
        let older: Vec<_> =
            MIGRATIONS.iter().take_while(|text| !text.contains("CREATE TABLE sandbox_line_count")).collect();
        assert!(older.len() < MIGRATIONS.len());
        older.iter().for_each(|text| connection.execute_batch(text).unwrap());
        let line = |number: u32, account: &str, day: &str| {
            let values = format!("({number}, 'l{number}', '{account}', '{day}', '', 'NOK', '1.00', '', 0)");
            let columns = "number, id, account, booking_date, value_date, currency, amount, \
                bank_transaction_code, created_at";
            let insert = format!("INSERT INTO sandbox_transaction ({columns}) VALUES {values}");
            connection.execute_batch(&insert).unwrap();
        };
        connection.pragma_update(None, "foreign_keys", false).unwrap();
        line(255, "a", "2026-01-01");
        line(256, "a", "2026-01-01");
        line(257, "a", "2026-01-31");
        line(65536, "b", "2026-01-31");
        connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        connection.pragma_update(None, "user_version", older.len()).unwrap();
        migrate(&connection).unwrap();
        let counts = "SELECT group_concat(concat_ws(' ', account, level, period, part, lines), ', ') \
            FROM sandbox_line_count";
        let counts: String = connection.query_row(counts, [], |row| row.get(0)).unwrap();
        let expected = [
            "a 0 2026-01 0 3, a 1 2026-01-01 0 2, a 1 2026-01-31 0 1, a 2 2026-01-01 0 2, a 2 2026-01-31 0 1, ",
            "a 3 2026-01-01 0 1, a 3 2026-01-01 1 1, a 3 2026-01-31 1 1, ",
            "b 0 2026-01 0 1, b 1 2026-01-31 0 1, b 2 2026-01-31 1 1, b 3 2026-01-31 256 1",
        ];
        assert_eq!(counts, expected.concat());
    }
}
