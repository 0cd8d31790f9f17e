//! One SQLite database, in memory or in a file: reading it and writing it.

use std::convert::Infallible;
use std::path::Path;

use parking_lot::{Mutex, MutexGuard};
use rusqlite::Connection;

use super::database_role::DatabaseRole;
use super::failure::{failed, failed_on, named};
use super::file_set::{Fault, FileSet};
use super::open_file_guard::OpenFileGuard;
use super::readers::{Lent, Readers};
use super::transaction::Transaction;
use super::{connection, new_file, schema, shared_transaction};
use crate::error::{Error, Result};
use crate::store::fork_guarded::ForkGuarded;

/// An open database. Shared by the engine's store and the simulated bank.
///
/// A file may be open in several processes at once, and each opens it for itself, after any fork. Its readers run side
/// by side with its writer; a database in memory serves one caller at a time.
#[derive(Debug)]
pub struct Database {
    /// `None` for memory. Dropped before the writer, which copies the log into the file when it is the last to close.
    readers: Option<Readers>,
    writer: ForkGuarded<Mutex<Connection>>,
    /// Dropped last, after every connection.
    #[cfg_attr(not(test), expect(dead_code, reason = "it is kept for its drop"))]
    guard: Option<OpenFileGuard>,
}

impl Database {
    /// A new, empty database of a production engine in memory.
    ///
    /// # Errors
    /// [`Error::Store`] if memory runs out.
    pub fn open_memory() -> Result<Self> {
        let connection = connection::memory().map_err(failed)?;
        schema::ENGINE.migrate(&connection, DatabaseRole::Production)?;
        Ok(Self::in_memory(connection))
    }

    /// The database of a production engine in a file, which is created if it does not exist (readable for its owner
    /// alone) and migrated to the present schema.
    ///
    /// # Errors
    /// [`Error::Config`] for a path that names no file, and for the file of a sandbox. [`Error::Store`] for a file that
    /// cannot be opened, is no database, belongs to another application, has another schema than this library can
    /// migrate, or was open when this process was forked. The file is left as it was.
    pub fn open_file(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_file_as(path.as_ref(), DatabaseRole::Production, |_| Ok(()))
    }

    /// The database of that role in a file, unless `check` refuses what an existing one holds. It runs before the
    /// schema is migrated, so that an older library still opens a file that was refused.
    pub(super) fn open_file_as(
        path: &Path,
        role: DatabaseRole,
        check: impl FnOnce(&Connection) -> Result<()>,
    ) -> Result<Self> {
        // SQLite reads both as "no file at all".
        if path.as_os_str().is_empty() || path.as_os_str() == ":memory:" {
            return Err(Error::Config("the path of the database names no file".into()));
        }
        let opened = Self::open_named(path, role, check);
        opened.map_err(|error| named(path, error))
    }

    fn open_named(
        path: &Path,
        role: DatabaseRole,
        check: impl FnOnce(&Connection) -> Result<()>,
    ) -> Result<Self> {
        let guard = OpenFileGuard::new(path)?;
        // SQLite gives no reason if it cannot create the log.
        let opened = Self::open_connection(path, role, check);
        let connection = opened.map_err(|error| match error {
            Error::Store(_) => new_file::check_folder(path).err().unwrap_or(error),
            other => other,
        })?;
        // A relative path would mean another file once the process changes its directory.
        let path = path.canonicalize().map_err(|error| new_file::cannot_open(path, &error))?;
        let files = FileSet::of(&path)?;
        Ok(Self {
            readers: Some(Readers::new(path, files)),
            writer: ForkGuarded::this_process(Mutex::new(connection)),
            guard: Some(guard),
        })
    }

    fn open_connection(
        path: &Path,
        role: DatabaseRole,
        check: impl FnOnce(&Connection) -> Result<()>,
    ) -> Result<Connection> {
        let connection = connection::file(path).map_err(failed)?;
        if (schema::ENGINE.version)(&connection, role)? > 0 {
            check(&connection)?;
        }
        connection::use_wal(&connection).map_err(failed)?;
        schema::ENGINE.migrate(&connection, role)?;
        Ok(connection)
    }

    /// Runs queries on one consistent view of the data.
    pub(in crate::store) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        let lent = self.lend()?;
        match lent.as_ref().and_then(Lent::connection) {
            Some(reader) => {
                let _view = Transaction::for_reading(reader).map_err(failed)?;
                work(reader).map_err(failed)
            }
            // The lock keeps every writer out.
            None => self.read_by_writer(work),
        }
    }

    /// Runs one short query: it is a view by itself, without the two more statements of a transaction.
    ///
    /// The writer answers it if it is free: a reader has to read its pages again after each commit.
    pub(in crate::store) fn read_once<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        // One whose rollback failed holds rows that were not committed.
        let writer = self.writer.get()?.try_lock().filter(|writer| writer.is_autocommit());
        if let Some(writer) = writer {
            return work(&writer).map_err(|error| failed_on(&writer, error));
        }
        let lent = self.lend()?;
        match lent.as_ref().and_then(Lent::connection) {
            Some(reader) => work(reader).map_err(failed),
            None => self.read_by_writer(work),
        }
    }

    fn read_by_writer<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let writer = self.writer()?;
        work(&writer).map_err(|error| failed_on(&writer, error))
    }

    /// A place for reading beside the writer, if the database is in a file. Without a connection in it, as after
    /// `chroot`, the writer reads too.
    fn lend(&self) -> Result<Option<Lent<'_>>> {
        self.readers.as_ref().map(Readers::lend).transpose()
    }

    /// Runs changes as one transaction: all of them or, if `work` fails, none.
    pub(in crate::store) fn write<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        match self.write_unless(|connection| work(connection).map(Ok::<T, Infallible>))? {
            Ok(done) => Ok(done),
            Err(never) => match never {},
        }
    }

    /// Runs changes as one transaction that `work` can call off: an inner `Err` changes nothing and is returned.
    pub(in crate::store) fn write_unless<T, R>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<Result<T, R>>,
    ) -> Result<Result<T, R>> {
        let writer = self.writer()?;
        let transaction = self.begin(&writer)?;
        let verdict = work(&writer).map_err(|error| failed_on(&writer, error))?;
        if verdict.is_ok() {
            self.commit(&writer, transaction)?;
        }
        Ok(verdict)
    }

    /// Runs the changes of several callers as one transaction, in their order. What fails, or is called off as in
    /// [`Database::write_unless`], fails for its caller alone, by a second transaction.
    ///
    /// # Errors
    /// [`Error::Store`] if nothing could be committed, for no caller.
    pub(in crate::store) fn write_each<C, T, R>(
        &self,
        callers: &[C],
        work: impl Fn(&Connection, &C) -> rusqlite::Result<Result<T, R>>,
    ) -> Result<Vec<Result<Result<T, R>>>> {
        let writer = self.writer()?;
        let transaction = self.begin(&writer)?;
        if let Some(done) = shared_transaction::without_savepoints(&writer, callers, &work) {
            self.commit(&writer, transaction)?;
            return Ok(done.into_iter().map(|done| Ok(Ok(done))).collect());
        }
        drop(transaction);
        let transaction = self.begin(&writer)?;
        let ended = shared_transaction::with_savepoints(&writer, &transaction, callers, &work)?;
        self.commit(&writer, transaction)?;
        Ok(ended)
    }

    /// Begins a transaction that writes, in the schema that this library knows.
    fn begin<'c>(&self, writer: &'c Connection) -> Result<Transaction<'c>> {
        let transaction = Transaction::for_writing(writer).map_err(failed)?;
        if self.readers.is_some() {
            schema::refuse_newer(writer).map_err(failed)?;
        }
        Ok(transaction)
    }

    /// Commits, if a later process will find what is committed.
    ///
    /// # Errors
    /// [`Error::Store`] if nothing is committed. [`Error::OutcomeUnknown`] if the files changed during the commit.
    fn commit(&self, writer: &Connection, transaction: Transaction<'_>) -> Result<()> {
        if let Err(fault) = self.check_files() {
            drop(transaction);
            if fault.is_of_log_alone {
                // What was acknowledged before is in the log that is about to be gone.
                let _ = connection::save_log(writer);
            }
            return Err(Error::Store(fault.text));
        }
        transaction.commit().map_err(|error| failed_on(writer, error))?;
        self.check_files().map_err(|fault| Error::OutcomeUnknown(fault.text))
    }

    /// Fails if a commit could not be found by a later process, or is of a schema that this library does not know.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(super) fn check_writable(&self) -> Result<()> {
        if self.readers.is_none() {
            return Ok(());
        }
        self.check_files().map_err(|fault| Error::Store(fault.text))?;
        self.read_once(schema::refuse_newer)
    }

    fn check_files(&self) -> Result<(), Fault> {
        self.readers.as_ref().and_then(Readers::files).map_or(Ok(()), FileSet::check)
    }

    /// The connection that writes.
    pub(super) fn writer(&self) -> Result<MutexGuard<'_, Connection>> {
        Ok(self.writer.get()?.lock())
    }

    /// Fails unless this process may use the database.
    ///
    /// # Errors
    /// [`Error::Store`] for a file that was opened in another process, before a fork.
    pub(super) fn check_process(&self) -> Result<()> {
        self.writer.get().map(drop)
    }

    #[cfg(test)]
    pub(super) fn fork_process(&mut self) {
        self.writer.fork();
        self.readers.iter_mut().for_each(Readers::fork_process);
        self.guard.iter_mut().for_each(OpenFileGuard::fork);
    }

    /// The path of the file; `None` for memory.
    pub fn path(&self) -> Option<&Path> {
        self.readers.as_ref().map(Readers::path)
    }

    pub(super) fn in_memory(connection: Connection) -> Self {
        Self { readers: None, writer: ForkGuarded::any_process(Mutex::new(connection)), guard: None }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // SQLite would copy the log over what other processes wrote since.
        if self.check_files().is_err_and(|fault| !fault.is_of_log_alone) {
            if let Ok(writer) = self.writer() {
                let _ = connection::leave_the_log(&writer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn insert(connection: &Connection, key: &str) -> rusqlite::Result<()> {
        connection.execute("INSERT INTO psu_id VALUES (?1, zeroblob(16), 'psu')", [key]).map(drop)
    }

    fn exists(connection: &Connection, key: &str) -> rusqlite::Result<bool> {
        connection.prepare("SELECT 1 FROM psu_id WHERE tpp = ?1")?.exists([key])
    }

    fn put(database: &Database, key: &str) {
        database.write(|connection| insert(connection, key)).unwrap();
    }

    fn kept(database: &Database, key: &str) -> bool {
        database.read(|connection| exists(connection, key)).unwrap()
    }

    #[test]
    fn a_reopened_file_gives_everything_back() {
        let directory = directory();
        let path = directory.path().join("bank.db");
        put(&Database::open_file(&path).unwrap(), "key");
        let database = Database::open_file(&path).unwrap();
        assert!(kept(&database, "key"));
        assert_eq!(database.path(), Some(path.canonicalize().unwrap().as_path()));
    }

    #[test]
    fn a_commit_is_durable_and_readers_do_not_wait() {
        let directory = directory();
        let database = Database::open_file(directory.path().join("bank.db")).unwrap();
        let setting = |name| {
            database.write(|connection| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)))
        };
        assert_eq!(setting("synchronous").unwrap(), 2, "FULL");
        assert_eq!(setting("foreign_keys").unwrap(), 1);
        let seen_inside = database.write(|connection| {
            insert(connection, "key")?;
            Ok(kept(&database, "key"))
        });
        assert!(!seen_inside.unwrap(), "a reader beside the writer sees what was committed");
        assert!(kept(&database, "key"));
    }

    #[test]
    fn one_read_is_one_view() {
        let directory = directory();
        let database = Database::open_file(directory.path().join("bank.db")).unwrap();
        let views = database.read(|connection| {
            let before = exists(connection, "key")?;
            put(&database, "key");
            Ok((before, exists(connection, "key")?))
        });
        assert_eq!(views.unwrap(), (false, false));
        assert!(kept(&database, "key"));
    }

    #[test]
    fn reading_cannot_write_to_a_file() {
        let directory = directory();
        let database = Database::open_file(directory.path().join("bank.db")).unwrap();
        assert!(matches!(database.read(|connection| insert(connection, "key")), Err(Error::Store(_))));
    }

    #[test]
    fn what_is_no_database_of_ours_is_refused_and_left_alone() {
        let directory = directory();
        let path = directory.path().join("other");
        for (contents, expected) in [
            (b"Dear diary, this is not a database. ".repeat(40), "not an SQLite database"),
            (foreign(), "another application"),
        ] {
            std::fs::write(&path, &contents).unwrap();
            let refusal = Database::open_file(&path).unwrap_err();
            assert!(matches!(&refusal, Error::Store(text) if text.contains(expected)), "{refusal}");
            assert_eq!(std::fs::read(&path).unwrap(), contents);
        }
    }

    fn foreign() -> Vec<u8> {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("PRAGMA application_id = 7; CREATE TABLE t (x)").unwrap();
        connection.serialize("main").unwrap().to_vec()
    }

    #[test]
    fn a_path_that_names_no_file_is_refused() {
        for path in ["", ":memory:"] {
            assert!(matches!(Database::open_file(path), Err(Error::Config(_))), "{path:?}");
        }
        let directory = directory();
        assert!(matches!(Database::open_file(directory.path()), Err(Error::Store(_))));
        assert!(matches!(Database::open_file(directory.path().join("no/such")), Err(Error::Store(_))));
    }

    #[test]
    fn what_looks_like_a_uri_is_a_path() {
        let directory = directory();
        let path = directory.path().join("file:bank.db?mode=memory");
        Database::open_file(&path).unwrap();
        assert!(path.exists());
    }

    #[test]
    fn failing_work_leaves_nothing() {
        let database = Database::open_memory().unwrap();
        let failing = database.write(|connection| {
            insert(connection, "key")?;
            Err::<(), _>(rusqlite::Error::QueryReturnedNoRows)
        });
        assert!(matches!(failing, Err(Error::Store(_))));
        let called_off =
            database.write_unless(|connection| insert(connection, "key").map(|()| Err::<(), _>("no")));
        assert_eq!(called_off.unwrap(), Err("no"));
        assert!(!kept(&database, "key"));
    }

    #[test]
    fn work_that_panics_leaves_nothing_and_the_database_usable() {
        let database = Database::open_memory().unwrap();
        let panicking = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            database.write(|connection| -> rusqlite::Result<()> {
                insert(connection, "key")?;
                panic!("a bank behind C or Python may do this");
            })
        }));
        assert!(panicking.is_err());
        assert!(!kept(&database, "key"));
        put(&database, "key");
    }

    #[test]
    fn many_open_one_new_file_at_once() {
        let directory = directory();
        let path = directory.path().join("bank.db");
        std::thread::scope(|scope| {
            for number in 0..8 {
                let path = &path;
                scope.spawn(move || put(&Database::open_file(path).unwrap(), &number.to_string()));
            }
        });
        let database = Database::open_file(&path).unwrap();
        assert!((0..8).all(|number| kept(&database, &number.to_string())));
    }
}
