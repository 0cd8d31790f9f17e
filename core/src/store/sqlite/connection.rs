//! Connections and their settings.

use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{ffi, Connection, Error, ErrorCode, OpenFlags, Result};

/// How long a statement waits for another process before it fails.
pub(super) const BUSY_SECONDS_MAX: u64 = 5;
/// How long the lock of a migration is waited for: another process may be making the same one, of a large file.
pub(super) const MIGRATION_SECONDS_MAX: u64 = 300;
/// How long it waits before it asks again whether the other process is done.
const BUSY_PAUSE_MICROS: u64 = 250;
/// More statements than this library has.
const STATEMENTS_CACHED: usize = 256;
/// Memory for pages of the writer of a file, in KiB: recent payments are looked at again within the day.
const WRITER_CACHE_KIB: i64 = 16 * 1024;
/// The same for each of its readers, which drop their cached pages with every commit.
const READER_CACHE_KIB: i64 = 4 * 1024;
/// How long the log of a file grows before its pages go to their places, in pages of 4 KiB: SQLite's own is 1000. A
/// page that many commits write, the last of a table, is then moved once for more of them.
const LOG_PAGES: i64 = 4096;
/// How long the switch to WAL waits between two attempts.
const WAL_RETRY_MILLIS: u64 = 5;

/// An empty database of its own in memory.
pub(super) fn memory() -> Result<Connection> {
    let connection = Connection::open_in_memory_with_flags(flags())?;
    settle(&connection)?;
    Ok(connection)
}

/// A file, made where it does not exist. Nothing is written to it yet.
pub(super) fn file(path: &Path) -> Result<Connection> {
    let connection = on_file(path, flags(), WRITER_CACHE_KIB)?;
    // SQLite would go on to read it, and leave a file beside it that no process can write to.
    if connection.is_readonly("main")? {
        let text = "the file cannot be written to".to_owned();
        return Err(Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_READONLY), Some(text)));
    }
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    Ok(connection)
}

/// One more connection to a file that is open already, for queries.
pub(super) fn reader(path: &Path) -> Result<Connection> {
    let flags = flags().difference(OpenFlags::SQLITE_OPEN_CREATE);
    let connection = on_file(path, flags, READER_CACHE_KIB)?;
    connection.pragma_update(None, "query_only", true)?;
    leave_the_log(&connection)?;
    // SQLite opens the log and its index with the first query.
    connection.query_row("PRAGMA user_version", [], |_| Ok(()))?;
    Ok(connection)
}

/// Keeps the connection, when it is closed, from copying the log into the database file.
pub(super) fn leave_the_log(connection: &Connection) -> Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map(drop)
}

/// Copies the log into the database file, as far as no reader needs the older pages.
pub(super) fn save_log(connection: &Connection) -> Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
}

/// Puts a file into WAL mode, in which readers run beside the writer and a commit is one `fsync`.
///
/// SQLite does not wait for other processes here, so the waiting is done by hand.
pub(super) fn use_wal(connection: &Connection) -> Result<()> {
    let mut attempts_left = BUSY_SECONDS_MAX * 1000 / WAL_RETRY_MILLIS;
    loop {
        match set_wal(connection) {
            Err(error) if attempts_left > 0 && error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                attempts_left -= 1;
                std::thread::sleep(Duration::from_millis(WAL_RETRY_MILLIS));
            }
            done => return done,
        }
    }
}

fn set_wal(connection: &Connection) -> Result<()> {
    let present: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if present != "wal" {
        connection.pragma_update(None, "journal_mode", "wal")?;
    }
    connection.pragma_update(None, "synchronous", "FULL")
}

fn on_file(path: &Path, flags: OpenFlags, cache_kib: i64) -> Result<Connection> {
    let connection = Connection::open_with_flags(path, flags)?;
    settle(&connection)?;
    // A negative number counts KiB, a positive one pages.
    connection.pragma_update(None, "cache_size", -cache_kib)?;
    Ok(connection)
}

// No URI: every text is a path. No mutex: this library locks.
fn flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

thread_local! {
    /// Since when this thread waits for another process.
    static WAITING_SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
}

fn wait_for_others(asked: i32) -> bool {
    wait(asked, BUSY_SECONDS_MAX)
}

fn wait_for_migration(asked: i32) -> bool {
    wait(asked, MIGRATION_SECONDS_MAX)
}

/// Work that waits for other processes as long as a migration does.
pub(super) fn with_patience<T>(connection: &Connection, work: impl FnOnce() -> Result<T>) -> Result<T> {
    connection.busy_handler(Some(wait_for_migration))?;
    let done = work();
    connection.busy_handler(Some(wait_for_others))?;
    done
}

/// Waits a little for another process, unless it was waited for long enough: `asked` counts from 0.
///
/// SQLite's own waiting (`busy_timeout`) asks again after pauses that grow to 100 ms. Who writes without pause leaves
/// the file alone for microseconds between its commits: the more often one asks, the sooner one meets such a moment,
/// and pauses of 100 ms may meet none in 5 s. How long a pause takes is the system's to say, so they are not counted.
#[expect(
    clippy::disallowed_methods,
    reason = "how long another process is waited for is no time of the bank's"
)]
fn wait(asked: i32, seconds_max: u64) -> bool {
    let since = WAITING_SINCE.get().filter(|_| asked > 0).unwrap_or_else(Instant::now);
    WAITING_SINCE.set(Some(since));
    let goes_on = since.elapsed() < Duration::from_secs(seconds_max);
    if goes_on {
        std::thread::sleep(Duration::from_micros(BUSY_PAUSE_MICROS));
    }
    goes_on
}

fn settle(connection: &Connection) -> Result<()> {
    connection.busy_handler(Some(wait_for_others))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_CACHED);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true)?;
    // An image or a file may come from anywhere: its schema cannot call functions with side effects, and
    // no statement can write to the file behind SQLite's back.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::Barrier;
    use std::thread::{scope, sleep};

    use super::super::transaction::Transaction;
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[cfg(unix)]
    #[test]
    fn a_file_that_cannot_be_written_to_is_refused_and_opens_once_it_can() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bank.db");
        let open = || file(&path).and_then(|connection| use_wal(&connection));
        let set_mode = |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        open().unwrap();
        set_mode(0o400);
        let refused = open().map_err(|error| error.to_string());
        // Root may write to every file.
        let is_root = std::fs::OpenOptions::new().write(true).open(&path).is_ok();
        assert!(
            is_root || refused.as_ref().is_err_and(|text| text.contains("cannot be written to")),
            "{refused:?}"
        );
        set_mode(0o600);
        open().unwrap();
    }

    #[test]
    fn another_process_is_waited_for_as_long_as_the_error_says() {
        let others: fn(i32) -> bool = wait_for_others;
        let waits = [(others, BUSY_SECONDS_MAX), (wait_for_migration, MIGRATION_SECONDS_MAX)];
        for (wait, seconds) in waits {
            let wait_after = |millis: u64| {
                assert!(wait(0), "a wait begins again");
                let began = WAITING_SINCE.get().unwrap();
                WAITING_SINCE.set(Some(began.checked_sub(Duration::from_millis(millis)).unwrap()));
                wait(1)
            };
            // A machine with much to do may stop this thread for a moment.
            assert!(wait_after(seconds * 1000 - 2000));
            assert!(!wait_after(seconds * 1000));
        }
    }

    /// Whether a write gets in while another, which goes on afterwards, pauses for a moment.
    fn is_in_after_the_first_pause(path: &Path) -> bool {
        let (start, is_over) = (Barrier::new(2), AtomicBool::new(false));
        scope(|scope| {
            scope.spawn(|| {
                let other = file(path).unwrap();
                let first = Transaction::for_writing(&other).unwrap();
                start.wait();
                // SQLite's own pauses end after 328 ms, and then after 428.
                sleep(340 * MILLISECOND);
                first.commit().unwrap();
                sleep(75 * MILLISECOND);
                let _second = Transaction::for_writing(&other).unwrap();
                is_over.store(true, Ordering::SeqCst);
                sleep(100 * MILLISECOND);
            });
            let connection = file(path).unwrap();
            start.wait();
            let _transaction = Transaction::for_writing(&connection).unwrap();
            !is_over.load(Ordering::SeqCst)
        })
    }

    #[test]
    fn who_waits_for_another_process_does_not_miss_its_pauses() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.db");
        use_wal(&file(&path).unwrap()).unwrap();
        // A machine with much to do may let one pass.
        assert!((0..5).any(|_| is_in_after_the_first_pause(&path)));
    }
}
