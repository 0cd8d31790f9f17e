//! Schema versions, and the migrations from one to the next.

use rusqlite::{ffi, Connection};

use super::connection::{self, MIGRATION_SECONDS_MAX};
use super::database_role::{DatabaseRole, OF_DEVELOPMENT};
use super::failure::{failed, failed_after};
use super::transaction::Transaction;
use crate::error::{Error, Result};
use crate::store::migration::{check_writer, Migration};

/// A sequence of migrations, and where a database keeps how many of them were applied.
pub(super) struct Sequence {
    /// The migrations, oldest first.
    pub(super) migrations: &'static [Migration],
    /// How many a database of that role has; 0 where it is empty.
    pub(super) version: fn(&Connection, DatabaseRole) -> Result<usize>,
    /// Notes which it has now.
    pub(super) set_version: fn(&Connection, DatabaseRole, &[Migration]) -> rusqlite::Result<()>,
}

/// The tables of the engine. `PRAGMA user_version` is the number of migrations applied.
pub(super) const ENGINE: Sequence = Sequence {
    migrations: &[Migration {
        sql: include_str!("../../../migrations/sqlite/0001_engine.sql"),
        oldest_writer: 1,
    }],
    version,
    set_version: |connection, role, migrations| {
        for (number, migration) in (1_usize..).zip(migrations) {
            connection.execute(
                "INSERT INTO migration (number, oldest_writer) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                (number, migration.oldest_writer),
            )?;
        }
        connection.pragma_update(None, "application_id", role.application_id())?;
        connection.pragma_update(None, "user_version", migrations.len())
    },
};

impl Sequence {
    /// Applies the migrations that are missing, in one transaction.
    ///
    /// # Errors
    /// Those of [`Sequence::version`]; the database is left as it was.
    pub(super) fn migrate(&self, connection: &Connection, role: DatabaseRole) -> Result<()> {
        if (self.version)(connection, role)? >= self.migrations.len() {
            return Ok(());
        }
        let begun = connection::with_patience(connection, || Transaction::for_writing(connection));
        let transaction = begun.map_err(|error| failed_after(error, MIGRATION_SECONDS_MAX))?;
        // Another process may have migrated it while this one waited for the lock.
        let present = (self.version)(connection, role)?;
        for migration in self.migrations.iter().skip(present) {
            connection.execute_batch(migration.sql).map_err(failed)?;
        }
        // Another process may have made it a newer one.
        if present < self.migrations.len() {
            (self.set_version)(connection, role, self.migrations).map_err(failed)?;
        }
        transaction.commit().map_err(failed)
    }

    /// A version that was read, if this library may write to its tables. `oldest_writer`: what they have of the oldest
    /// version that may.
    pub(super) fn check_writer(&self, version: i64, oldest_writer: Option<i64>) -> Result<usize> {
        check_writer(version, oldest_writer, self.migrations.len())
    }
}

/// The version of the engine's tables; 0 for an empty database.
///
/// # Errors
/// [`Error::Config`] for a database of the other role. [`Error::Store`] for one of another application, of a
/// development version of this library, and of a newer schema.
fn version(connection: &Connection, role: DatabaseRole) -> Result<usize> {
    // One statement reads one state of the file: another process may be creating the tables at the same time.
    let (application, version, is_empty, is_ours, has_migrations): (i32, i64, bool, bool, bool) = connection
        .query_row(
            "SELECT application_id, user_version, NOT EXISTS (SELECT 1 FROM sqlite_schema), \
             EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'used_request_id'), \
             EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'migration') \
             FROM pragma_application_id, pragma_user_version",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
        )
        .map_err(failed)?;
    if application == 0 && version == 0 && is_empty {
        return Ok(0);
    }
    if application == 0 && is_ours {
        return Err(Error::Store(FROM_DUMP.into()));
    }
    role.check(application)?;
    let known = ENGINE.check_writer(version, oldest_writer(connection, version).map_err(failed)?)?;
    match known > 0 && !has_migrations {
        true => Err(Error::Store(OF_DEVELOPMENT.into())),
        false => Ok(known),
    }
}

/// The oldest version that may write to tables of a newer version; `None` if one of their migrations has no record.
fn oldest_writer(connection: &Connection, version: i64) -> rusqlite::Result<Option<i64>> {
    const SQL: &str = "SELECT CASE count(oldest_writer) WHEN ?1 - ?2 THEN max(oldest_writer) END
        FROM migration WHERE number > ?2 AND number <= ?1";
    const HAS_TABLE: &str = "SELECT 1 FROM sqlite_schema WHERE name = 'migration'";
    let known = i64::try_from(ENGINE.migrations.len()).unwrap_or(i64::MAX);
    if version <= known || !connection.prepare_cached(HAS_TABLE)?.exists([])? {
        return Ok(None);
    }
    connection.prepare_cached(SQL)?.query_row((version, known), |row| row.get(0))
}

/// Fails if a newer library has migrated the file since it was opened here, so that this one may not write to it.
pub(super) fn refuse_newer(connection: &Connection) -> rusqlite::Result<()> {
    let version: i64 = connection.prepare_cached("PRAGMA user_version")?.query_row([], |row| row.get(0))?;
    match ENGINE.check_writer(version, oldest_writer(connection, version)?) {
        Ok(_) => Ok(()),
        Err(error) => {
            let failure = ffi::Error::new(ffi::SQLITE_ERROR);
            Err(rusqlite::Error::SqliteFailure(failure, Some(error.to_string())))
        }
    }
}

/// What `.dump` of the SQLite command line leaves out.
const FROM_DUMP: &str =
    "it has the tables of this library, but neither application id nor schema version, as a \
    database that was made from the text of `.dump`: give it those of the original (PRAGMA application_id, \
    PRAGMA user_version), or make copies with VACUUM INTO";

/// The query plan of a statement, on the engine's tables.
#[cfg(test)]
pub(super) fn plan(sql: &str) -> String {
    let connection = Connection::open_in_memory().unwrap();
    ENGINE.migrate(&connection, DatabaseRole::Production).unwrap();
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
    use crate::store::{CommitOutcome, Store as _};
    use DatabaseRole::Production;

    fn empty() -> Connection {
        Connection::open_in_memory().unwrap()
    }

    fn migrate(connection: &Connection) -> Result<()> {
        ENGINE.migrate(connection, Production)
    }

    fn names(connection: &Connection) -> String {
        let sql = "SELECT group_concat(name, ' ') FROM sqlite_schema";
        connection.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    /// The error for a database with these header fields.
    fn refusal(application: i32, version: i32) -> String {
        let connection = empty();
        connection.pragma_update(None, "application_id", application).unwrap();
        connection.pragma_update(None, "user_version", version).unwrap();
        migrate(&connection).unwrap_err().to_string()
    }

    #[test]
    fn an_empty_database_gets_the_present_schema_once() {
        let connection = empty();
        assert_eq!(version(&connection, Production).unwrap(), 0);
        migrate(&connection).unwrap();
        assert_eq!(version(&connection, Production).unwrap(), 1);
        let tables = names(&connection);
        migrate(&connection).unwrap();
        assert_eq!(names(&connection), tables);
        assert!(tables.contains("payment") && !tables.contains("sandbox"), "{tables}");
    }

    #[test]
    fn later_migrations_are_applied_to_an_older_database() {
        const LATER: Sequence = Sequence {
            migrations: &[
                Migration { sql: "no SQL: it was applied", oldest_writer: 1 },
                Migration { sql: "CREATE TABLE later (x)", oldest_writer: 1 },
                Migration { sql: "CREATE TABLE last (x)", oldest_writer: 1 },
            ],
            version: |connection, _| {
                Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap())
            },
            ..ENGINE
        };
        let connection = empty();
        migrate(&connection).unwrap();
        LATER.migrate(&connection, Production).unwrap();
        assert!(names(&connection).ends_with("later last"));
        assert_eq!(LATER.check_writer(3, None).unwrap(), 3);
    }

    #[test]
    fn a_failing_migration_leaves_the_database_as_it_was() {
        const BROKEN: Sequence = Sequence {
            migrations: &[
                Migration { sql: "CREATE TABLE t (x)", oldest_writer: 1 },
                Migration { sql: "no SQL", oldest_writer: 1 },
            ],
            ..ENGINE
        };
        let connection = empty();
        assert!(matches!(BROKEN.migrate(&connection, Production), Err(Error::Store(_))));
        assert_eq!(version(&connection, Production).unwrap(), 0);
    }

    #[test]
    fn a_migration_waits_longer_for_another_process_than_a_commit() {
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
        let refusal = refusal(Production.application_id(), 2);
        assert!(refusal.contains("schema version 2, this library knows version 1 at most"), "{refusal}");
    }

    #[test]
    fn a_file_without_the_record_of_its_migrations_is_refused() {
        let connection = empty();
        migrate(&connection).unwrap();
        connection.execute_batch("DROP TABLE migration").unwrap();
        assert!(migrate(&connection).unwrap_err().to_string().contains("development version"));
    }

    #[test]
    fn tables_without_an_application_id_are_not_an_empty_database() {
        let connection = empty();
        connection.execute_batch("CREATE TABLE payment (id)").unwrap();
        assert!(migrate(&connection).unwrap_err().to_string().contains("another application"));
    }

    #[test]
    fn a_database_made_from_a_dump_is_refused_with_what_to_do_and_opens_then() {
        let connection = empty();
        migrate(&connection).unwrap();
        connection.execute_batch("PRAGMA application_id = 0; PRAGMA user_version = 0").unwrap();
        let refusal = migrate(&connection).unwrap_err().to_string();
        assert!(refusal.contains("`.dump`") && refusal.contains("VACUUM INTO"), "{refusal}");
        let id = Production.application_id();
        connection.execute_batch(&format!("PRAGMA application_id = {id}; PRAGMA user_version = 1")).unwrap();
        migrate(&connection).unwrap();
    }

    #[test]
    fn impossible_versions_are_refused() {
        for version in [0, -1, i32::MAX] {
            assert!(refusal(Production.application_id(), version).contains("schema version"), "{version}");
        }
    }

    #[test]
    fn a_file_that_a_newer_library_expanded_is_written_to_and_opened() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.db");
        let store = SqliteStore::new(Arc::new(Database::open_file(&path).unwrap()));
        let newer = Connection::open(&path).unwrap();
        let change = |migrations: &str, version: i32| {
            newer.execute_batch(&format!("{migrations}; PRAGMA user_version = {version}")).unwrap();
        };
        let commit = |number| store.commit(&[insert(payment(number))]);
        change("ALTER TABLE payment ADD COLUMN more TEXT; INSERT INTO migration VALUES (2, 1)", 2);
        assert_eq!(commit(1).unwrap(), CommitOutcome::Applied);
        store.database().check_writable().unwrap();
        let again = SqliteStore::new(Arc::new(Database::open_file(&path).unwrap()));
        assert_eq!(again.commit(&[insert(payment(2))]).unwrap(), CommitOutcome::Applied);
        // One of two records is missing; then it is there; then a migration excludes this version.
        change("INSERT INTO migration VALUES (4, 1)", 4);
        assert!(commit(3).unwrap_err().to_string().contains("schema version 4"));
        change("INSERT INTO migration VALUES (3, 1)", 4);
        assert_eq!(commit(3).unwrap(), CommitOutcome::Applied);
        change("INSERT INTO migration VALUES (5, 2)", 5);
        assert!(commit(4).unwrap_err().to_string().contains("schema version 5"));
        assert!(store.database().check_writable().is_err() && Database::open_file(&path).is_err());
    }

    #[test]
    fn a_file_that_a_newer_library_migrated_while_open_is_not_written_to() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.db");
        let store = SqliteStore::new(Arc::new(Database::open_file(&path).unwrap()));
        assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
        let newer = Connection::open(&path).unwrap();
        newer.execute_batch("CREATE TABLE more (x)").unwrap();
        assert_eq!(
            store.commit(&[insert(payment(2))]).unwrap(),
            CommitOutcome::Applied,
            "the version is the same"
        );
        newer.execute_batch("PRAGMA user_version = 2").unwrap();
        for _ in 0..2 {
            let refused = store.commit(&[insert(payment(3))]).unwrap_err().to_string();
            assert!(refused.contains("schema version 2"), "{refused}");
            let refused = store.database().check_writable().unwrap_err().to_string();
            assert!(refused.contains("schema version 2"), "{refused}");
        }
        assert_eq!(store.payments().payment(&payment(3).id).unwrap(), None);
    }
}
