//! Tests: servers that go and come back, connections that break during a commit, nodes whose transactions conflict.

use std::io::{Read, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use tokio_postgres::NoTls;

use super::client::Client;
use super::connection::Connection;
use super::database::Database;
use super::failure::Failure;
use super::server::{Disk, Server};
use super::{address, PostgresStore};
use crate::error::Error;
use crate::limits::POSTGRES_CONNECTIONS_MAX;
use crate::payment::record::Payment;
use crate::store::conformance::samples::{event, insert, payment, payment_id, session, time, TPP};
use crate::store::{CommitOutcome, Store, Write};

pub(super) fn assert_error_of_the_store<T: std::fmt::Debug>(result: Result<T, Error>, says: &str) {
    match result {
        Err(Error::Store(text)) => assert!(text.contains(says), "{text}"),
        other => panic!("{other:?}"),
    }
}

/// Another connection to a database.
pub(super) fn other_client(url: &str) -> Connection {
    Connection::open(&address::read(url).unwrap()).unwrap()
}

#[test]
fn a_server_that_is_away_is_said_at_once_and_found_again_when_it_is_back() {
    let Some(server) = Server::start(Disk::Synced) else { return };
    let url = server.database();
    let store = PostgresStore::open(&url).unwrap();
    assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
    server.control("stop");
    assert_error_of_the_store(
        store.payments().payment(&payment_id(1)),
        "the PostgreSQL server cannot be reached",
    );
    assert_error_of_the_store(store.commit(&[insert(payment(2))]), "the PostgreSQL server cannot be reached");
    assert_error_of_the_store(PostgresStore::open(&url).map(drop), "the PostgreSQL server cannot be reached");
    server.control("start");
    // It was stopped as by a crash, and has kept exactly the acknowledged commits.
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(payment(1)));
    assert_eq!(store.payments().payment(&payment_id(2)).unwrap(), None);
    assert_eq!(store.commit(&[insert(payment(2))]).unwrap(), CommitOutcome::Applied);
}

#[test]
fn idle_connections_that_died_are_not_noticed_by_a_call() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let store = PostgresStore::open(&url).unwrap();
    let mut administrator = other_client(&url);
    for number in 1..4 {
        administrator
            .batch(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()",
            )
            .unwrap();
        if number % 2 == 0 {
            assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(payment(1)));
        } else {
            assert_eq!(store.commit(&[insert(payment(number))]).unwrap(), CommitOutcome::Applied);
        }
    }
}

#[test]
fn a_forked_process_does_not_touch_sessions_of_its_parent() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let mut database = Database::open(&url).unwrap();
    let session = "SELECT pg_backend_pid()";
    let before = database.run(|connection| connection.answer(session)).unwrap();
    database.pool().fork();
    assert_error_of_the_store(database.run(|connection| connection.answer(session)), "before a fork");
    database.pool().return_home();
    assert_eq!(database.run(|connection| connection.answer(session)).unwrap(), before);
    database.pool().fork();
    drop(database);
    let sql = format!("SELECT count(*) FROM pg_stat_activity WHERE pid = {before}");
    assert_eq!(other_client(&url).answer(&sql).unwrap(), "1");
}

#[test]
fn what_a_panic_was_in_the_middle_of_is_not_committed_by_the_next() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let database = Database::open(&url).unwrap();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _ = database.write_unless(|connection| -> super::failure::Result<Result<(), ()>> {
            connection.batch("INSERT INTO psu_id VALUES ('tpp', gen_random_uuid(), 'kari')")?;
            panic!("in the middle")
        });
    }));
    assert!(panicked.is_err());
    let nothing = database.write_unless(|_| Ok(Ok::<_, ()>(()))).unwrap();
    assert_eq!(nothing, Ok(()));
    assert_eq!(database.run(|connection| connection.answer("SELECT count(*) FROM psu_id")).unwrap(), "0");
}

#[test]
fn a_transaction_of_which_only_the_half_began_is_not_met_by_the_next() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    PostgresStore::open(&url).unwrap();
    // What is asked after BEGIN, in the same breath, is refused to this node for a while.
    let mut owner = other_client(&url);
    let role = format!("teller_{}", std::process::id());
    let number = "FUNCTION pg_catalog.pg_current_xact_id()";
    owner
        .batch(&format!(
            "CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA xs2a TO {role};
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA xs2a TO {role};
            GRANT USAGE ON ALL SEQUENCES IN SCHEMA xs2a TO {role};
            REVOKE EXECUTE ON {number} FROM PUBLIC"
        ))
        .unwrap();
    let store = PostgresStore::open(&url.replace("xs2a@", &format!("{role}@"))).unwrap();
    for _ in 0..2 {
        assert_error_of_the_store(store.commit(&[insert(payment(1))]), "permission denied for function");
    }
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), None);
    owner.batch(&format!("GRANT EXECUTE ON {number} TO PUBLIC")).unwrap();
    assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
    drop(store);
    owner.batch(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).unwrap();
}

#[test]
fn two_nodes_that_want_the_same_rows_in_another_order_both_come_to_an_end() {
    const ROUNDS: u32 = 20;
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let store = PostgresStore::open(&url).unwrap();
    let sessions = |numbers: [u8; 2], round: u32| {
        let open = |number| Write::OpenSession(session(TPP, &format!("{numbers:?} {round}"), number, 0));
        numbers.map(open)
    };
    store.commit(&[insert(payment(1)), insert(payment(2))]).unwrap();
    // The first to change a row stays in it until the other is in the other row: then each waits for the other.
    let mut other = other_client(&url);
    other
        .batch(
            "CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql
                AS 'BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END';
            CREATE TRIGGER stay AFTER UPDATE ON payment FOR EACH ROW WHEN (NEW.version = 2)
                EXECUTE FUNCTION stay()",
        )
        .unwrap();
    let both_are_open = Barrier::new(2);
    let count_up = |numbers: [u8; 2]| {
        let node = PostgresStore::open(&url).unwrap();
        both_are_open.wait();
        for round in 0..ROUNDS {
            // Two locks, in the order of the numbers.
            assert_eq!(node.commit(&sessions(numbers, round)).unwrap(), CommitOutcome::Applied);
            let mut lost = true;
            while lost {
                // Two rows.
                let next = |number| {
                    let mut next = node.payments().payment(&payment_id(number)).unwrap().unwrap();
                    next.version += 1;
                    Write::UpdatePayment(Box::new(next))
                };
                lost = node.commit(&numbers.map(next)).unwrap() == CommitOutcome::VersionConflict;
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| count_up([1, 2]));
        scope.spawn(|| count_up([2, 1]));
    });
    for number in [1, 2] {
        assert_eq!(store.payments().payment(&payment_id(number)).unwrap().unwrap().version, 1 + 2 * ROUNDS);
    }
    assert!(has_met_a_deadlock(&mut other), "there was no deadlock");
}

/// Whether the server ended a transaction of this database because of a deadlock. It counts them a little later.
fn has_met_a_deadlock(connection: &mut Connection) -> bool {
    const SQL: &str = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    (0..100).any(|_| {
        thread::sleep(Duration::from_millis(100));
        connection.answer(SQL).unwrap() != "0"
    })
}

#[test]
fn a_serialization_failure_is_retried_ten_times_at_most() {
    let Some(server) = Server::shared() else { return };
    for (hindrances, is_in) in [(1, true), (9, true), (10, false)] {
        let url = server.database();
        let store = PostgresStore::open(&url).unwrap();
        let mut other = other_client(&url);
        // A sequence counts on where a transaction is undone.
        let hinder = format!(
            "CREATE SEQUENCE attempt;
            CREATE FUNCTION hinder() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
                IF nextval(''attempt'') <= {hindrances} THEN
                    RAISE EXCEPTION ''serialization conflict'' USING ERRCODE = ''40001'';
                END IF;
                RETURN NEW;
            END';
            CREATE TRIGGER hinder BEFORE INSERT ON payment FOR EACH ROW EXECUTE FUNCTION hinder()"
        );
        other.batch(&hinder).unwrap();
        let writes = [insert(payment(1)), Write::AppendEvent(event(1, 0, "once"))];
        let committed = store.commit(&writes);
        let attempts = if is_in {
            assert_eq!(committed.unwrap(), CommitOutcome::Applied, "{hindrances}");
            hindrances + 1
        } else {
            assert_error_of_the_store(committed, "PostgreSQL: serialization conflict (40001)");
            hindrances
        };
        assert_eq!(other.answer("SELECT last_value FROM attempt").unwrap(), attempts.to_string());
        assert_eq!(store.payments().payment(&payment_id(1)).unwrap().is_some(), is_in, "{hindrances}");
        assert_eq!(
            store.payments().events(&payment_id(1)).unwrap().len(),
            usize::from(is_in),
            "{hindrances}"
        );
        // The connection is well: without the hindrance it is in at once.
        other.batch("DROP TRIGGER hinder ON payment").unwrap();
        let again = if is_in { CommitOutcome::VersionConflict } else { CommitOutcome::Applied };
        assert_eq!(store.commit(&writes).unwrap(), again, "{hindrances}");
    }
}

#[test]
fn a_row_that_another_node_holds_for_too_long_is_said() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let store = PostgresStore::open(&url).unwrap();
    store.commit(&[insert(payment(1))]).unwrap();
    let mut other = other_client(&url);
    other.batch("BEGIN; UPDATE payment SET version = 7").unwrap();
    let next = || [Write::UpdatePayment(Box::new(Payment { version: 2, ..payment(1) }))];
    assert_error_of_the_store(
        store.commit(&next()),
        "another connection locked a row or a table for more than 5 s",
    );
    other.batch("ROLLBACK").unwrap();
    assert_eq!(store.commit(&next()).unwrap(), CommitOutcome::Applied);
}

#[test]
fn many_threads_share_a_bounded_number_of_connections() {
    const THREADS: u8 = 40;
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let store = PostgresStore::open(&url).unwrap();
    thread::scope(|scope| {
        for number in 0..THREADS {
            let store = &store;
            scope.spawn(move || {
                assert_eq!(store.commit(&[insert(payment(number))]).unwrap(), CommitOutcome::Applied);
                for second in 0..5 {
                    let line = event(number, second, "counted");
                    assert_eq!(store.commit(&[Write::AppendEvent(line)]).unwrap(), CommitOutcome::Applied);
                }
            });
        }
    });
    let open = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let open: usize = other_client(&url).answer(open).unwrap().parse().unwrap();
    assert!((1..=POSTGRES_CONNECTIONS_MAX).contains(&open), "{open}");
    assert!((0..THREADS).all(|number| store.payments().events(&payment_id(number)).unwrap().len() == 5));
}

/// What becomes of the next commit on its way through [`Cutter`].
const PASSES: u8 = 0;
const NEVER_ARRIVES: u8 = 1;
const IS_NEVER_ANSWERED: u8 = 2;
const IS_WAITED_FOR: u8 = 3;

/// What becomes of what a server says after that.
const ARRIVES: u8 = 0;
const ENDS_THE_CONNECTION: u8 = 1;
const IS_SWALLOWED: u8 = 2;

/// Something between a node and its server that breaks connections, or lets them hang.
struct Cutter {
    folder: tempfile::TempDir,
    next: Arc<AtomicU8>,
}

impl Cutter {
    fn before(server: &Server) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).unwrap();
        let (next, socket) = (Arc::new(AtomicU8::new(PASSES)), server.socket());
        let fate = Arc::clone(&next);
        thread::spawn(move || {
            for node in listener.incoming().map_while(Result::ok) {
                let (server, fate) = (UnixStream::connect(&socket).unwrap(), Arc::clone(&fate));
                let (mut from_server, mut to_node) = (server.try_clone().unwrap(), node.try_clone().unwrap());
                let answers = Arc::new(AtomicU8::new(ARRIVES));
                let cut = Arc::clone(&answers);
                thread::spawn(move || {
                    let mut bytes = [0; 8192];
                    while let Ok(read @ 1..) = from_server.read(&mut bytes) {
                        match answers.load(Ordering::SeqCst) {
                            IS_SWALLOWED => {}
                            ARRIVES if to_node.write_all(&bytes[..read]).is_ok() => {}
                            _ => break,
                        }
                    }
                    let _ = to_node.shutdown(std::net::Shutdown::Both);
                });
                thread::spawn(move || pass(node, server, &fate, &cut));
            }
        });
        Self { folder, next }
    }

    /// The URL of a database, by way of here.
    fn url(&self, database: &str) -> String {
        format!("postgresql://xs2a@/{database}?host={}", self.folder.path().display())
    }
}

/// Hands on what a node sends, up to the commit that is not to pass.
fn pass(mut node: UnixStream, mut server: UnixStream, fate: &AtomicU8, cut: &AtomicU8) {
    let mut bytes = [0; 8192];
    while let Ok(read @ 1..) = node.read(&mut bytes) {
        let sent = &bytes[..read];
        if sent.windows(7).any(|window| window == b"COMMIT\0") {
            match fate.swap(PASSES, Ordering::SeqCst) {
                NEVER_ARRIVES => {
                    let _ = node.shutdown(std::net::Shutdown::Both);
                    break;
                }
                IS_NEVER_ANSWERED => cut.store(ENDS_THE_CONNECTION, Ordering::SeqCst),
                IS_WAITED_FOR => cut.store(IS_SWALLOWED, Ordering::SeqCst),
                _ => {}
            }
        }
        if server.write_all(sent).is_err() {
            break;
        }
    }
    let _ = server.shutdown(std::net::Shutdown::Write);
}

#[test]
fn a_lost_answer_of_a_commit_is_resolved_and_a_lost_commit_repeated() {
    let Some(server) = Server::shared() else { return };
    let direct = server.database();
    let cutter = Cutter::before(server);
    let name = direct.split(['/', '?']).find(|part| part.starts_with("test_")).unwrap();
    let store = PostgresStore::open(&cutter.url(name)).unwrap();
    for (number, fate) in [(1, IS_NEVER_ANSWERED), (2, NEVER_ARRIVES), (3, IS_WAITED_FOR), (4, PASSES)] {
        cutter.next.store(fate, Ordering::SeqCst);
        let writes = [insert(payment(number)), Write::AppendEvent(event(number, 0, "once"))];
        assert_eq!(store.commit(&writes).unwrap(), CommitOutcome::Applied, "{number}");
        assert_eq!(cutter.next.load(Ordering::SeqCst), PASSES, "the commit went another way");
        assert_eq!(store.payments().events(&payment_id(number)).unwrap().len(), 1, "{number}");
    }
    // The lost answer of a commit that was rolled back does not matter.
    cutter.next.store(IS_NEVER_ANSWERED, Ordering::SeqCst);
    assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::VersionConflict);
}

#[test]
fn a_commit_of_unknown_outcome_is_reported_as_that() {
    let Some(server) = Server::shared() else { return };
    let direct = server.database();
    let cutter = Cutter::before(server);
    let name = direct.split(['/', '?']).find(|part| part.starts_with("test_")).unwrap();
    let store = PostgresStore::open(&cutter.url(name)).unwrap();
    // As of a transaction that is long over.
    let forgetful = "CREATE OR REPLACE FUNCTION pg_catalog.pg_xact_status(xid8) RETURNS text
        LANGUAGE sql AS 'SELECT NULL::text'";
    other_client(&direct).batch(forgetful).unwrap();
    cutter.next.store(IS_NEVER_ANSWERED, Ordering::SeqCst);
    let error = store.commit(&[insert(payment(1))]).unwrap_err();
    assert!(matches!(&error, Error::OutcomeUnknown(text) if text.contains("during a commit")), "{error}");
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(payment(1)));
}

#[test]
fn a_lost_commit_is_asked_about_until_the_standby_is_promoted() {
    let Some(server) = Server::shared() else { return };
    let direct = server.database();
    let cutter = Cutter::before(server);
    let name = direct.split(['/', '?']).find(|part| part.starts_with("test_")).unwrap();
    let store = PostgresStore::open(&cutter.url(name)).unwrap();
    // For its next three sessions the server plays one that is not promoted yet.
    let played = format!(
        "CREATE SCHEMA played; CREATE SEQUENCE played.session;
        CREATE FUNCTION played.pg_is_in_recovery() RETURNS boolean LANGUAGE sql
            AS 'SELECT nextval(''played.session'') <= 3';
        ALTER DATABASE {name} SET search_path TO played, pg_catalog"
    );
    other_client(&direct).batch(&played).unwrap();
    cutter.next.store(IS_NEVER_ANSWERED, Ordering::SeqCst);
    assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
    let sessions = other_client(&direct).answer("SELECT last_value FROM played.session").unwrap();
    assert_eq!(sessions, "5", "three that are refused, the one that knows, and this one");
}

#[test]
fn a_server_that_says_nothing_is_given_up_and_its_connection_too() {
    let folder = tempfile::tempdir().unwrap();
    // The system accepts the connection, and no program reads from it.
    let _listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).unwrap();
    let url = format!("postgresql://xs2a@/any?host={}", folder.path().display());
    let within = Duration::from_millis(100);
    let refusal = Client::connect(&url.parse().unwrap(), NoTls, within).map(drop).unwrap_err();
    assert!(matches!(refusal, Failure::Silent(patience) if patience == within), "{refusal:?}");

    let Some(server) = Server::shared() else { return };
    let mut connection = other_client(&server.database());
    let mut sleep = |seconds: &str, patience: u64| {
        let question = format!("SELECT pg_sleep({seconds})");
        connection.with_patience(Duration::from_secs(patience), |connection| connection.answer(&question))
    };
    assert_eq!(sleep("0.2", 60).unwrap(), "");
    let refusal = sleep("5", 1).unwrap_err();
    assert!(refusal.is_lost(), "{refusal:?}");
    assert_error_of_the_store(
        Err::<(), _>(refusal.into_error()),
        "the PostgreSQL server has not answered for 1 s",
    );
    assert!(connection.is_closed(), "the state of the protocol is unknown");
    let refusal = connection.answer("SELECT 1").unwrap_err();
    assert!(matches!(refusal, Failure::Silent(_)), "{refusal:?}");
}

#[test]
fn a_host_that_is_asynchronous_itself_may_call_from_its_own_threads() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let host = tokio::runtime::Builder::new_current_thread().build().unwrap();
    host.block_on(async {
        let store = PostgresStore::open(&url).unwrap();
        assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
        assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(payment(1)));
    });
}

#[test]
fn an_unknown_stored_value_is_an_error_that_does_not_show_it() {
    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let store = PostgresStore::open(&url).unwrap();
    store.commit(&[insert(payment(1))]).unwrap();
    for change in [
        "status = 'PERSONAL'",
        "version = 4294967296",
        "transfer = 'PERSONAL'",
        "fee = 'PERSONAL'",
        "context = 'PERSONAL'",
    ] {
        let mut other = other_client(&url);
        other.batch(&format!("UPDATE payment SET {change}")).unwrap();
        let error = store.payments().payment(&payment_id(1)).unwrap_err();
        assert_eq!(error.to_string(), "store: the stored value is not one this library writes", "{change}");
        other.batch("DELETE FROM payment").unwrap();
        store.commit(&[insert(payment(1))]).unwrap();
    }
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap().unwrap().created_at, time(0));
}

#[test]
fn the_servers_text_on_a_refused_value_is_not_shown() {
    let Some(server) = Server::shared() else { return };
    let database = Database::open(&server.database()).unwrap();
    let insert = "INSERT INTO outbox (payment_id, attempts, faults, due_at) VALUES ('PERSONAL', 0, 0, 0)";
    let error = database.run(|connection| connection.batch(insert)).unwrap_err().to_string();
    assert!(error.contains("foreign key") && error.contains("23503"), "{error}");
    assert!(!error.contains("PERSONAL"), "{error}");
}
