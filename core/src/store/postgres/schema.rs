//! Which schema a database has, and how an older one becomes the present one.
//!
//! Everything is in the schema `xs2a`, so that no name conflicts with one of the database's owner.

use std::time::Duration;

use super::connection::Connection;
use super::failure::{Failure, Result};
use super::time_limits::LIFT_LIMITS_OF_ROLE;
use crate::error::Error;
use crate::store::migration::{check_writer, Migration};

/// The present schema.
pub(super) const ENGINE: Sequence = Sequence(&[Migration {
    sql: include_str!("../../../migrations/postgres/0001_engine.sql"),
    oldest_writer: 1,
}]);

/// The migrations, oldest first, with the numbers and names of those of the other backend. Those applied are in the
/// table `migration`, each with the oldest version that may still write.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sequence(pub(super) &'static [Migration]);

/// The schema version of a database and the oldest one that may write to it, in one text. A migration without such a
/// record is one that no older library may write beside.
pub(super) const VERSIONS: &str =
    "SELECT coalesce(max(number), 0) || ' ' || coalesce(max(coalesce(oldest_writer, number)), 0) FROM xs2a.migration";

/// Which of two nodes migrates: the other waits. `XS2A` in ASCII.
const LOCK: i32 = i32::from_be_bytes(*b"XS2A");

/// How long a node waits for another that migrates.
const MIGRATION_SECONDS_MAX: u64 = 300;
/// How long one migration may take, which may read or rewrite a large table.
const CHANGE_SECONDS_MAX: u64 = 3600;

impl Sequence {
    /// Brings a database to the present schema, each migration in a transaction of its own. A database in the present
    /// schema is only read, so that a node needs no right to change tables.
    ///
    /// # Errors
    /// For a database of a newer schema, and for an older one that this role may not change; it is left as it was.
    pub(super) fn migrate(self, connection: &mut Connection) -> Result<()> {
        // A role without the rights fails before the first migration, and not between two of them.
        if (1..self.version()).contains(&self.version_of(connection)?) && !may_change(connection)? {
            return match self.others_change_it(connection)? {
                true => Ok(()),
                false => Err(self.not_allowed(connection)?),
            };
        }
        while self.version_of(connection)? < self.version() {
            let change = Duration::from_secs(CHANGE_SECONDS_MAX);
            let migrated = connection.with_patience(change, |connection| self.one_step(connection));
            match migrated {
                Err(failure) if !failure.is_lost() => {
                    connection.batch("ROLLBACK")?;
                    return Err(match failure.is_for_want_of_rights() {
                        true => self.not_allowed(connection)?,
                        false => failure,
                    });
                }
                done => done?,
            }
        }
        Ok(())
    }

    /// The schema version of this library.
    fn version(self) -> usize {
        self.0.len()
    }

    /// Waits for the nodes that are changing the schema, change by change. Returns true if it is the present one then.
    fn others_change_it(self, connection: &mut Connection) -> Result<bool> {
        let change = Duration::from_secs(CHANGE_SECONDS_MAX);
        loop {
            let before = self.version_of(connection)?;
            if let Err(failure) = connection.with_patience(change, one_change) {
                if !failure.is_lost() {
                    connection.batch("ROLLBACK")?;
                }
                return Err(failure);
            }
            match self.version_of(connection)? {
                present if present >= self.version() => return Ok(true),
                unchanged if unchanged == before => return Ok(false),
                _ => {}
            }
        }
    }

    /// The error for a role that may not change the schema. The text of PostgreSQL names only the first table that it
    /// refuses.
    fn not_allowed(self, connection: &mut Connection) -> Result<Failure> {
        let (present, needed) = (self.version_of(connection)?, self.version());
        Ok(Failure::Said(Error::Store(format!(
            "the database has schema version {present}, this library needs version {needed}, and the role of this \
             node may not change the schema: have the owner of the tables open the database first"
        ).into())))
    }

    /// The first migration that is missing, unless another node made it while this one waited.
    fn one_step(self, connection: &mut Connection) -> Result<()> {
        begin_change(connection)?;
        let present = self.version_of(connection)?;
        if present == 0 && connection.answer("SELECT to_regnamespace('xs2a')")?.is_empty() {
            connection.batch("CREATE SCHEMA xs2a")?;
        }
        if present == 0 {
            connection.batch(
                "CREATE TABLE migration (
                    number        BIGINT PRIMARY KEY,
                    at            TIMESTAMPTZ NOT NULL DEFAULT now(),
                    oldest_writer BIGINT
                )",
            )?;
        }
        if let Some(migration) = self.0.get(present) {
            connection.batch(migration.sql)?;
            let (number, oldest_writer) = (present + 1, migration.oldest_writer);
            connection.batch(&format!(
                "INSERT INTO migration (number, oldest_writer) VALUES ({number}, {oldest_writer})"
            ))?;
        }
        connection.batch("COMMIT")
    }

    /// The schema version of a database; 0 if it is empty.
    ///
    /// Whether the tables exist is asked of the catalog by queries. `to_regclass` answers from what the session
    /// remembers, and one that waited for another node in this transaction remembers that there was no table.
    ///
    /// # Errors
    /// If it is newer than this library, which may not write to it, or of a development version.
    fn version_of(self, connection: &mut Connection) -> Result<usize> {
        const HAS_TABLE: &str =
            "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'xs2a' AND tablename = 'migration'";
        if connection.answer(HAS_TABLE)?.is_empty() {
            return Ok(0);
        }
        refuse_development_version(connection)?;
        match &*connection.answer(VERSIONS)? {
            // The table, and no migration yet.
            "0 0" => Ok(0),
            said => self.check_writer(said),
        }
    }

    /// Reads [`VERSIONS`], and fails unless this library may write to the database. Returns the schema version.
    pub(super) fn check_writer(self, said: &str) -> Result<usize> {
        let mut numbers = said.split(' ').map(str::parse::<i64>);
        let (Some(Ok(present)), Some(Ok(oldest_writer))) = (numbers.next(), numbers.next()) else {
            return Err(Failure::Unknown);
        };
        check_writer(present, Some(oldest_writer), self.version()).map_err(Failure::Said)
    }
}

/// Fails for the tables of a development version, which no library migrates: they have a column that was renamed, or
/// lack a table.
fn refuse_development_version(connection: &mut Connection) -> Result<()> {
    const IS_OF_DEVELOPMENT: &str = "SELECT 1 FROM pg_catalog.pg_class AS payment
        WHERE relname = 'payment' AND relnamespace IN (
            SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = 'xs2a') AND (
            EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attname = 'likeness' AND attrelid = payment.oid)
            OR NOT EXISTS (SELECT 1 FROM pg_catalog.pg_class AS counts
                WHERE counts.relname = 'call_count' AND counts.relnamespace = payment.relnamespace))";
    if connection.answer(IS_OF_DEVELOPMENT)?.is_empty() {
        return Ok(());
    }
    let text = "the schema xs2a was written by a development version of this library and cannot be migrated: drop it, \
        or use another database";
    Err(Failure::Said(Error::Store(text.into())))
}

/// Waits until no other node runs a migration.
fn one_change(connection: &mut Connection) -> Result<()> {
    begin_change(connection)?;
    connection.batch("COMMIT")
}

/// Begins the transaction of a migration, once no other node runs one.
fn begin_change(connection: &mut Connection) -> Result<()> {
    connection.batch(&format!(
        "BEGIN; {LIFT_LIMITS_OF_ROLE}; SET LOCAL lock_timeout TO '{MIGRATION_SECONDS_MAX}s'"
    ))?;
    connection.batch(&format!("SELECT pg_advisory_xact_lock({LOCK}::bigint)"))
}

/// Whether this role has the rights of the tables' owner, and may make new ones beside them.
fn may_change(connection: &mut Connection) -> Result<bool> {
    const MAY: &str = "SELECT pg_has_role(tableowner, 'USAGE') AND has_schema_privilege(schemaname, 'CREATE')
        FROM pg_catalog.pg_tables WHERE schemaname = 'xs2a' AND tablename = 'migration'";
    Ok(connection.answer(MAY)? == "t")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Barrier;
    use std::thread;

    use super::super::address;
    use super::super::server::Server;
    use super::*;

    #[test]
    fn the_migrations_of_both_backends_have_the_same_numbers_and_names() {
        let names = |backend: &str| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(backend);
            let mut names: Vec<_> =
                fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(names("postgres"), names("sqlite"));
        assert_eq!(names("postgres").len(), ENGINE.version());
    }

    /// The present schema, and migrations of a later version: one of them changes no table.
    const LATER: Sequence = Sequence(&[
        ENGINE.0[0],
        Migration { sql: "SELECT 1", oldest_writer: 1 },
        Migration { sql: "CREATE TABLE later (id TEXT)", oldest_writer: 2 },
    ]);

    fn migrate(connection: &mut Connection) -> Result<()> {
        LATER.migrate(connection)
    }

    fn version(connection: &mut Connection) -> Result<usize> {
        LATER.version_of(connection)
    }

    /// A connection to a new database.
    fn empty() -> Option<Connection> {
        let url = Server::shared()?.database();
        Some(Connection::open(&address::read(&url).unwrap()).unwrap())
    }

    #[test]
    fn an_empty_database_gets_the_present_schema_and_keeps_it() {
        let Some(mut connection) = empty() else { return };
        assert_eq!(version(&mut connection).unwrap(), 0);
        migrate(&mut connection).unwrap();
        assert_eq!(version(&mut connection).unwrap(), LATER.version());
        let made = "SELECT string_agg(number || ' ' || at, ',' ORDER BY number) FROM migration";
        let first = connection.answer(made).unwrap();
        migrate(&mut connection).unwrap();
        assert_eq!(connection.answer(made).unwrap(), first);
    }

    #[test]
    fn of_nodes_that_open_a_new_database_one_makes_the_schema() {
        const NODES: usize = 6;
        let Some(server) = Server::shared() else { return };
        let url = server.database();
        let start = Barrier::new(NODES);
        let open = || {
            let mut connection = Connection::open(&address::read(&url).unwrap()).unwrap();
            assert_eq!(version(&mut connection).unwrap(), 0);
            start.wait();
            migrate(&mut connection).map_err(Failure::into_error)?;
            version(&mut connection).map_err(Failure::into_error)
        };
        let opened: Vec<_> = thread::scope(|scope| {
            let nodes: Vec<_> = (0..NODES).map(|_| scope.spawn(open)).collect();
            nodes.into_iter().map(|node| node.join().unwrap()).collect()
        });
        assert!(opened.iter().all(|opened| *opened.as_ref().unwrap() == LATER.version()), "{opened:?}");
    }

    #[test]
    fn a_failed_migration_leaves_the_version_before_and_is_retried() {
        let Some(mut connection) = empty() else { return };
        // A table of another owner has the name that the third migration needs.
        connection.batch("CREATE SCHEMA xs2a; CREATE TABLE later (id TEXT)").unwrap();
        let text = migrate(&mut connection).unwrap_err().into_error().to_string();
        assert!(text.contains("\"later\" already exists"), "{text}");
        assert_eq!(version(&mut connection).unwrap(), 2);
        connection.batch("DROP TABLE later").unwrap();
        migrate(&mut connection).unwrap();
        assert_eq!(version(&mut connection).unwrap(), LATER.version());
    }

    /// A database with that many of the migrations.
    fn of_version(version: usize) -> Option<(String, Connection)> {
        let url = Server::shared()?.database();
        let mut connection = Connection::open(&address::read(&url).unwrap()).unwrap();
        (0..version).for_each(|_| LATER.one_step(&mut connection).unwrap());
        Some((url, connection))
    }

    #[test]
    fn a_development_version_is_refused_with_what_to_do() {
        for change in
            ["ALTER TABLE payment RENAME COLUMN duplicate_fingerprint TO likeness", "DROP TABLE call_count"]
        {
            let Some((_, mut connection)) = of_version(1) else { return };
            connection.batch(change).unwrap();
            let refusal = migrate(&mut connection).unwrap_err().into_error().to_string();
            assert!(refusal.contains("use another database"), "{refusal}");
        }
    }

    #[test]
    fn a_newer_schema_is_refused_with_both_versions() {
        let Some(mut connection) = empty() else { return };
        migrate(&mut connection).unwrap();
        connection
            .batch(&format!("INSERT INTO migration (number) VALUES ({})", LATER.version() + 1))
            .unwrap();
        let refusal = migrate(&mut connection).unwrap_err().into_error().to_string();
        assert!(refusal.contains(&format!("schema version {}", LATER.version() + 1)), "{refusal}");
        assert!(refusal.contains(&format!("knows version {} at most", LATER.version())), "{refusal}");
    }

    #[test]
    fn a_node_without_the_right_to_change_tables_opens_a_database() {
        let Some(server) = Server::shared() else { return };
        let url = server.database();
        let mut owner = Connection::open(&address::read(&url).unwrap()).unwrap();
        migrate(&mut owner).unwrap();
        owner
            .batch(
                "CREATE ROLE clerk LOGIN; GRANT USAGE ON SCHEMA xs2a TO clerk;
                GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA xs2a TO clerk",
            )
            .unwrap();
        let mut clerk = Connection::open(&address::read(&url.replace("xs2a@", "clerk@")).unwrap()).unwrap();
        migrate(&mut clerk).unwrap();
        assert!(clerk.batch("CREATE TABLE xs2a.another (id TEXT)").is_err());
    }

    /// The refusal of a node that may use the tables as a gateway does, but not change them, on a database with so many
    /// of the migrations. Once the owner has migrated it, it opens.
    fn refusal_at(present: usize, role: &str) -> Option<String> {
        let (url, mut owner) = of_version(present)?;
        owner
            .batch(&format!(
                "CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA xs2a TO {role};
                GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA xs2a TO {role}"
            ))
            .unwrap();
        let url = url.replace("xs2a@", &format!("{role}@"));
        let open = || Connection::open(&address::read(&url).unwrap()).unwrap();
        let mut node = open();
        let refusal = migrate(&mut node).unwrap_err().into_error().to_string();
        assert_eq!(version(&mut owner).unwrap(), present);
        migrate(&mut owner).unwrap();
        // On the same connection too.
        migrate(&mut node).unwrap();
        migrate(&mut open()).unwrap();
        Some(refusal)
    }

    #[test]
    fn a_node_without_rights_names_the_old_schema_and_the_needed_one() {
        for (present, role) in [(1, "teller"), (2, "cashier")] {
            let Some(refusal) = refusal_at(present, role) else { return };
            for part in [format!("schema version {present},"), "needs version 3,".to_owned()] {
                assert!(refusal.contains(&part), "{refusal}");
            }
            assert!(refusal.contains("the owner of the tables"), "{refusal}");
        }
    }

    #[test]
    fn a_node_without_rights_waits_for_one_that_migrates() {
        let Some((url, mut owner)) = of_version(1) else { return };
        owner.batch("CREATE ROLE usher LOGIN; GRANT USAGE ON SCHEMA xs2a TO usher").unwrap();
        owner.batch("GRANT SELECT ON TABLE xs2a.migration TO usher").unwrap();
        let mut node = Connection::open(&address::read(&url.replace("xs2a@", "usher@")).unwrap()).unwrap();
        let mut watcher = Connection::open(&address::read(&url).unwrap()).unwrap();
        begin_change(&mut owner).unwrap();
        thread::scope(|scope| {
            let opened = scope.spawn(move || migrate(&mut node).map_err(Failure::into_error));
            let waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
            while watcher.answer(waiting).unwrap().is_empty() {
                assert!(!opened.is_finished(), "it did not wait");
                thread::yield_now();
            }
            let present = version(&mut owner).unwrap();
            for (made, migration) in LATER.0.iter().enumerate().skip(present) {
                owner.batch(migration.sql).unwrap();
                owner.batch(&format!("INSERT INTO migration (number) VALUES ({})", made + 1)).unwrap();
            }
            owner.batch("COMMIT").unwrap();
            opened.join().unwrap().unwrap();
        });
    }

    #[test]
    fn a_statement_timeout_of_the_role_ends_no_migration_and_no_wait_for_one() {
        const SLOW: Sequence =
            Sequence(&[ENGINE.0[0], Migration { sql: "SELECT pg_sleep(0.6)", oldest_writer: 1 }]);
        let Some((url, mut owner)) = of_version(1) else { return };
        let role = format!("hasty_{}", std::process::id());
        owner
            .batch(&format!(
                "CREATE ROLE {role} LOGIN INHERIT; GRANT xs2a TO {role}; ALTER ROLE {role} SET statement_timeout = 200"
            ))
            .unwrap();
        let url = url.replace("xs2a@", &format!("{role}@"));
        let open = || Connection::open(&address::read(&url).unwrap()).unwrap();
        assert!(open().batch("SELECT pg_sleep(0.6)").is_err(), "the role has a limit");
        begin_change(&mut owner).unwrap();
        thread::scope(|scope| {
            let opened = scope.spawn(|| SLOW.migrate(&mut open()).map_err(Failure::into_error));
            thread::sleep(Duration::from_millis(600));
            assert!(!opened.is_finished(), "it waits for the other node");
            owner.batch("COMMIT").unwrap();
            opened.join().unwrap().unwrap();
        });
        assert_eq!(SLOW.version_of(&mut owner).unwrap(), 2);
        owner.batch(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).unwrap();
    }

    #[test]
    fn a_member_of_the_owners_role_changes_an_older_schema() {
        let Some((url, mut owner)) = of_version(1) else { return };
        owner.batch("CREATE ROLE deputy LOGIN INHERIT; GRANT xs2a TO deputy").unwrap();
        let url = url.replace("xs2a@", "deputy@");
        let mut deputy = Connection::open(&address::read(&url).unwrap()).unwrap();
        migrate(&mut deputy).unwrap();
        assert_eq!(version(&mut owner).unwrap(), LATER.version());
    }
}
