//! Which schema a database has, and how an older one becomes the present one.
//!
//! Everything is in the schema `xs2a`, so that nothing of the database's owner is met, whatever it is called.

use std::time::Duration;

use super::connection::Connection;
use super::failure::{Failure, Result};
use crate::error::Error;

/// The changes of the schema, oldest first, in step with those of the other backend by number and name. A row that
/// was released is never edited: the numbers applied stand in the table `migration`.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/postgres/0001_store.sql"),
    include_str!("../../../migrations/postgres/0002_sandbox.sql"),
    include_str!("../../../migrations/postgres/0003_purposes.sql"),
    include_str!("../../../migrations/postgres/0004_account_access.sql"),
    include_str!("../../../migrations/postgres/0005_basket.sql"),
    include_str!("../../../migrations/postgres/0006_sandbox_history.sql"),
    include_str!("../../../migrations/postgres/0007_sandbox_entries.sql"),
    include_str!("../../../migrations/postgres/0008_sandbox_management.sql"),
    include_str!("../../../migrations/postgres/0009_dead_links.sql"),
    include_str!("../../../migrations/postgres/0010_outbox_set_aside.sql"),
    include_str!("../../../migrations/postgres/0011_audit.sql"),
    include_str!("../../../migrations/postgres/0012_sandbox_sca_demand.sql"),
    include_str!("../../../migrations/postgres/0013_authorisation_brand.sql"),
    include_str!("../../../migrations/postgres/0014_request_ids_in_order.sql"),
    include_str!("../../../migrations/postgres/0015_no_index_by_likeness.sql"),
    include_str!("../../../migrations/postgres/0016_payment_identity.sql"),
    include_str!("../../../migrations/postgres/0017_identity_where_it_is_needed.sql"),
    include_str!("../../../migrations/postgres/0018_sandbox_card_number.sql"),
    include_str!("../../../migrations/postgres/0019_answered_links_and_old_sessions.sql"),
    include_str!("../../../migrations/postgres/0020_links_by_their_ids.sql"),
    include_str!("../../../migrations/postgres/0021_asked_to_cancel.sql"),
    include_str!("../../../migrations/postgres/0022_what_a_creation_leaves.sql"),
    include_str!("../../../migrations/postgres/0023_payments_by_their_ids.sql"),
];

/// The schema version of this library.
pub(super) const VERSION: usize = MIGRATIONS.len();

/// Which of two nodes migrates: the other waits. `XS2A` in ASCII.
const LOCK: i32 = i32::from_be_bytes(*b"XS2A");

/// How long a node waits for another that migrates.
const MIGRATION_SECONDS_MAX: u64 = 300;
/// How long one change of the schema may take, which may be to read a large table or write it anew.
const CHANGE_SECONDS_MAX: u64 = 3600;

/// Brings a database to the present schema, each change in a transaction of its own. A database that is there already
/// is only read, so that a node needs no right to change tables.
///
/// # Errors
/// For a database of a newer schema, and for an older one that this role may not change; it is left as it was.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    // Some changes are but a number here. A role without the rights would make those, up to one that it cannot.
    if (1..VERSION).contains(&version(connection)?) && !may_change(connection)? {
        return match others_change_it(connection)? {
            true => Ok(()),
            false => Err(not_allowed(connection)?),
        };
    }
    while version(connection)? < VERSION {
        let change = Duration::from_secs(CHANGE_SECONDS_MAX);
        let migrated = connection.with_patience(change, one_step);
        match migrated {
            Err(failure) if !failure.is_lost() => {
                connection.batch("ROLLBACK")?;
                return Err(if failure.is_for_want_of_rights() { not_allowed(connection)? } else { failure });
            }
            done => done?,
        }
    }
    Ok(())
}

/// Waits for those who are changing the schema, change by change. Whether it is the present one after that.
fn others_change_it(connection: &mut Connection) -> Result<bool> {
    let change = Duration::from_secs(CHANGE_SECONDS_MAX);
    loop {
        let before = version(connection)?;
        if let Err(failure) = connection.with_patience(change, one_change) {
            if !failure.is_lost() {
                connection.batch("ROLLBACK")?;
            }
            return Err(failure);
        }
        match version(connection)? {
            VERSION => return Ok(true),
            unchanged if unchanged == before => return Ok(false),
            _ => {}
        }
    }
}

/// Waits until nobody is within a change.
fn one_change(connection: &mut Connection) -> Result<()> {
    begin_change(connection)?;
    connection.batch("COMMIT")
}

/// Begins the transaction of a change, once nobody else is within one.
fn begin_change(connection: &mut Connection) -> Result<()> {
    connection.batch(&format!(
        "BEGIN; SET LOCAL lock_timeout TO '{MIGRATION_SECONDS_MAX}s'; SELECT pg_advisory_xact_lock({LOCK}::bigint)"
    ))
}

/// Whether this role has the rights of the tables' owner, and may make new ones beside them.
fn may_change(connection: &mut Connection) -> Result<bool> {
    const MAY: &str = "SELECT pg_has_role(tableowner, 'USAGE') AND has_schema_privilege(schemaname, 'CREATE')
        FROM pg_catalog.pg_tables WHERE schemaname = 'xs2a' AND tablename = 'migration'";
    Ok(connection.answer(MAY)? == "t")
}

/// That this role may not change the schema. What PostgreSQL says of that names but the table it came to.
fn not_allowed(connection: &mut Connection) -> Result<Failure> {
    let present = version(connection)?;
    Ok(Failure::Said(Error::Store(format!(
        "the database has schema version {present}, this library needs version {VERSION}, and the role of this node \
         may not change the schema: have the owner of the tables open the database first"
    ))))
}

/// The first change that is missing, unless another node made it while this one waited.
fn one_step(connection: &mut Connection) -> Result<()> {
    begin_change(connection)?;
    let present = version(connection)?;
    if present == 0 && connection.answer("SELECT to_regnamespace('xs2a')")?.is_empty() {
        connection.batch("CREATE SCHEMA xs2a")?;
    }
    if present == 0 {
        connection.batch(
            "CREATE TABLE migration (number BIGINT PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now())",
        )?;
    }
    if let Some(migration) = MIGRATIONS.get(present) {
        connection.batch(migration)?;
        connection.batch(&format!("INSERT INTO migration (number) VALUES ({})", present + 1))?;
    }
    connection.batch("COMMIT")
}

/// The schema version of a database; 0 where it is empty.
///
/// Whether the table is there is asked of the catalog by a query. `to_regclass` answers from what the session
/// remembers, and who waited for another node in this transaction remembers that there was no table.
///
/// # Errors
/// Where it is newer than this library.
fn version(connection: &mut Connection) -> Result<usize> {
    const HAS_TABLE: &str =
        "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'xs2a' AND tablename = 'migration'";
    if connection.answer(HAS_TABLE)?.is_empty() {
        return Ok(0);
    }
    let said = connection.answer("SELECT coalesce(max(number), 0) FROM xs2a.migration")?;
    match said.parse::<usize>() {
        Ok(version) if version <= VERSION => Ok(version),
        _ => Err(Failure::Said(Error::Store(format!(
            "the database has schema version {said}, this library knows version {VERSION} at most"
        )))),
    }
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
        assert_eq!(names("postgres").len(), VERSION);
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
        assert_eq!(version(&mut connection).unwrap(), VERSION);
        let made = "SELECT string_agg(number || ' ' || at, ',' ORDER BY number) FROM migration";
        let first = connection.answer(made).unwrap();
        migrate(&mut connection).unwrap();
        assert_eq!(connection.answer(made).unwrap(), first);
    }

    #[test]
    fn of_nodes_that_open_a_new_database_at_once_one_makes_the_schema_and_the_others_find_it() {
        const NODES: usize = 6;
        let Some(server) = Server::shared() else { return };
        let url = server.database();
        let start = Barrier::new(NODES);
        let open = || {
            let mut connection = Connection::open(&address::read(&url).unwrap()).unwrap();
            assert_eq!(version(&mut connection).unwrap(), 0);
            start.wait();
            migrate(&mut connection).map_err(Failure::told)?;
            version(&mut connection).map_err(Failure::told)
        };
        let opened: Vec<_> = thread::scope(|scope| {
            let nodes: Vec<_> = (0..NODES).map(|_| scope.spawn(open)).collect();
            nodes.into_iter().map(|node| node.join().unwrap()).collect()
        });
        assert!(opened.iter().all(|opened| matches!(opened, Ok(VERSION))), "{opened:?}");
    }

    #[test]
    fn a_migration_that_fails_leaves_the_version_before_it_and_may_be_tried_again() {
        let Some(mut connection) = empty() else { return };
        // Somebody's table stands where the fifth migration makes its own.
        connection.batch("CREATE SCHEMA xs2a; CREATE TABLE basket (id TEXT)").unwrap();
        let text = migrate(&mut connection).unwrap_err().told().to_string();
        assert!(text.contains("\"basket\" already exists"), "{text}");
        assert_eq!(version(&mut connection).unwrap(), 4);
        connection.batch("DROP TABLE basket").unwrap();
        migrate(&mut connection).unwrap();
        assert_eq!(version(&mut connection).unwrap(), VERSION);
    }

    /// A database as it was before the migration that speaks of something.
    fn before(what: &str) -> Option<(String, Connection)> {
        let url = Server::shared()?.database();
        let mut connection = Connection::open(&address::read(&url).unwrap()).unwrap();
        let older = MIGRATIONS.iter().take_while(|migration| !migration.contains(what)).count();
        assert!(older < VERSION, "{what}");
        (0..older).for_each(|_| one_step(&mut connection).unwrap());
        Some((url, connection))
    }

    #[test]
    fn whom_the_creation_of_a_payment_named_in_an_older_schema_is_kept_with_it_and_forgotten_where_it_ended()
    {
        let Some((_, mut connection)) = before("SET identity = named.identity") else { return };
        connection
            .batch(
                "INSERT INTO payment (id, version, tpp, product, transfer, fee, fee_currency, status, created_at,
                    likeness, identity) VALUES
                    ('named', 3, '', '', '', '', '', 'RCVD', 100, decode(repeat('00', 32), 'hex'), NULL),
                    ('named later', 3, '', '', '', '', '', 'RCVD', 100, decode(repeat('00', 32), 'hex'), NULL),
                    ('cancelling', 3, '', '', '', '', '', 'RCVD', 100, decode(repeat('00', 32), 'hex'), NULL),
                    ('done', 3, '', '', '', '', '', 'PDNG', 100, decode(repeat('00', 32), 'hex'), NULL),
                    ('known', 3, '', '', '', '', '', 'RCVD', 100, decode(repeat('00', 32), 'hex'), '7');
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
        migrate(&mut connection).unwrap();
        let payments =
            "SELECT string_agg(concat_ws(' ', id, version, identity), ', ' ORDER BY number) FROM payment";
        assert_eq!(
            connection.answer(payments).unwrap(),
            "named 4 1, named later 3, cancelling 3, done 3, known 3 7"
        );
        let authorisations = "SELECT string_agg(id || identity, ', ' ORDER BY id) FROM authorisation";
        assert_eq!(connection.answer(authorisations).unwrap(), "b2, c3, f6");
    }

    #[test]
    fn a_newer_schema_is_refused_with_both_versions() {
        let Some(mut connection) = empty() else { return };
        migrate(&mut connection).unwrap();
        connection.batch(&format!("INSERT INTO migration (number) VALUES ({})", VERSION + 1)).unwrap();
        let refusal = migrate(&mut connection).unwrap_err().told().to_string();
        assert!(refusal.contains(&format!("schema version {}", VERSION + 1)), "{refusal}");
        assert!(refusal.contains(&format!("knows version {VERSION} at most")), "{refusal}");
    }

    #[test]
    fn a_node_without_the_right_to_change_tables_opens_a_database_that_is_there() {
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

    /// The refusal of a node that may do with the tables whatever a gateway does, but not change them, on a database as
    /// it was before the migration that speaks of something. Once the owner was there it opens.
    fn refusal_before(what: &str, role: &str) -> Option<(usize, String)> {
        let (url, mut owner) = before(what)?;
        let present = version(&mut owner).unwrap();
        owner
            .batch(&format!(
                "CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA xs2a TO {role};
                GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA xs2a TO {role}"
            ))
            .unwrap();
        let url = url.replace("xs2a@", &format!("{role}@"));
        let open = || Connection::open(&address::read(&url).unwrap()).unwrap();
        let mut node = open();
        let refusal = migrate(&mut node).unwrap_err().told().to_string();
        assert_eq!(version(&mut owner).unwrap(), present, "{what}");
        migrate(&mut owner).unwrap();
        // On the same connection too.
        migrate(&mut node).unwrap();
        migrate(&mut open()).unwrap();
        Some((present, refusal))
    }

    #[test]
    fn a_node_that_may_not_change_an_older_schema_leaves_it_and_says_which_it_is_and_which_it_needs() {
        // One of them changes a table, the other nothing.
        for (what, role) in [("ADD COLUMN brand", "teller"), ("PostgreSQL locks the row of an id", "cashier")]
        {
            let Some((present, refusal)) = refusal_before(what, role) else { return };
            for part in [format!("schema version {present},"), format!("needs version {VERSION},")] {
                assert!(refusal.contains(&part), "{refusal}");
            }
            assert!(refusal.contains("the owner of the tables"), "{refusal}");
        }
    }

    #[test]
    fn a_node_that_may_not_change_the_schema_waits_for_one_that_is_changing_it() {
        let Some((url, mut owner)) = before("PostgreSQL locks the row of an id") else { return };
        owner.batch("CREATE ROLE usher LOGIN; GRANT USAGE ON SCHEMA xs2a TO usher").unwrap();
        owner.batch("GRANT SELECT ON TABLE xs2a.migration TO usher").unwrap();
        let mut node = Connection::open(&address::read(&url.replace("xs2a@", "usher@")).unwrap()).unwrap();
        let mut watcher = Connection::open(&address::read(&url).unwrap()).unwrap();
        begin_change(&mut owner).unwrap();
        thread::scope(|scope| {
            let opened = scope.spawn(move || migrate(&mut node).map_err(Failure::told));
            let waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
            while watcher.answer(waiting).unwrap().is_empty() {
                assert!(!opened.is_finished(), "it did not wait");
                thread::yield_now();
            }
            let present = version(&mut owner).unwrap();
            for (made, migration) in MIGRATIONS.iter().enumerate().skip(present) {
                owner.batch(migration).unwrap();
                owner.batch(&format!("INSERT INTO migration (number) VALUES ({})", made + 1)).unwrap();
            }
            owner.batch("COMMIT").unwrap();
            opened.join().unwrap().unwrap();
        });
    }

    #[test]
    fn a_member_of_the_owners_role_changes_an_older_schema() {
        let Some((url, mut owner)) = before("PostgreSQL locks the row of an id") else { return };
        owner.batch("CREATE ROLE deputy LOGIN INHERIT; GRANT xs2a TO deputy").unwrap();
        let url = url.replace("xs2a@", "deputy@");
        let mut deputy = Connection::open(&address::read(&url).unwrap()).unwrap();
        migrate(&mut deputy).unwrap();
        assert_eq!(version(&mut owner).unwrap(), VERSION);
    }
}
