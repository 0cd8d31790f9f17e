//! One SQLite database, in memory or in a file: reading it and writing it.

use std::convert::Infallible;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{MappedMutexGuard, Mutex, MutexGuard};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::Connection;

use super::apply::Apply;
use super::failure::failed;
use super::open_files::Claim;
use super::readers::Readers;
use super::transaction::Transaction;
use super::turn::{Meanwhile, Turn, Turns};
use super::writer::Writer;
use super::{connection, image, new_file, schema, shared_transaction};
use crate::error::{Error, Result};
use crate::store::own_process::OfProcess;
use crate::store::seam::{Committed, Write};

/// An open database. Shared by the engine's store and the simulated bank.
///
/// A file may be open in several processes at once, and each opens it for itself, after any fork. Its readers run side
/// by side with its writer; a database in memory serves one caller at a time.
#[derive(Debug)]
pub struct Database {
    writer: OfProcess<Mutex<Writer>>,
    /// `None` for memory.
    readers: Option<Readers>,
    times_replaced: AtomicU64,
    turns: Turns,
    /// The last to go, after every connection.
    #[cfg_attr(not(test), expect(dead_code, reason = "it is there for what its end does"))]
    claim: Option<Claim>,
}

/// Tells the contents of a database from those that they are replaced by, or that they replaced.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Contents {
    replaced: u64,
    schema: i64,
}

impl Database {
    /// A new, empty database in memory.
    ///
    /// # Errors
    /// [`Error::Store`] if memory runs out.
    pub fn open_memory() -> Result<Self> {
        image::open_empty().map(Self::in_memory)
    }

    /// The database in a file, made where it does not exist (readable for its owner alone) and brought to
    /// the present schema.
    ///
    /// # Errors
    /// [`Error::Config`] for a path that names no file, [`Error::Store`] where the file cannot be opened, is
    /// no database, belongs to another application, has a newer schema, or was open when this process was forked. It
    /// is left as it was then.
    pub fn open_file(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_file_if(path.as_ref(), |_| Ok(()))
    }

    /// As [`Database::open_file`], unless a look at what is there already, in whatever schema that is, finds a fault.
    /// It comes before the schema is changed: whoever is refused leaves a file that its older library still opens.
    pub(super) fn open_file_if(path: &Path, look: impl FnOnce(&Connection) -> Result<()>) -> Result<Self> {
        // SQLite reads both as "no file at all".
        if path.as_os_str().is_empty() || path.as_os_str() == ":memory:" {
            return Err(Error::Config("the path of the database names no file".into()));
        }
        new_file::create_private(path)?;
        let claim = Claim::on(path)?;
        let connection = connection::file(path).map_err(failed)?;
        if schema::version(&connection)? > 0 {
            look(&connection)?;
        }
        connection::use_wal(&connection).map_err(failed)?;
        schema::migrate(&connection)?;
        // A relative path would mean another file once the process changes its directory.
        let path = path.canonicalize().map_err(|error| new_file::cannot_open(path, &error))?;
        Ok(Self {
            writer: OfProcess::this(Mutex::new(Writer::over(connection))),
            readers: Some(Readers::new(path)),
            times_replaced: AtomicU64::new(0),
            turns: Turns::default(),
            claim: Some(claim),
        })
    }

    /// A database in memory with the contents of an image.
    ///
    /// # Errors
    /// [`Error::Misuse`] for bytes that are no sound image of ours, or of a newer schema.
    pub fn from_image(image: &[u8]) -> Result<Self> {
        image::open_checked(image).map(Self::in_memory)
    }

    /// An independent copy of the present contents, in memory.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn fork(&self) -> Result<Self> {
        let copy = match &self.readers {
            None => image::copy(&*self.writer()?)?,
            Some(_) => image::open(&self.image()?)?,
        };
        Ok(Self::in_memory(copy))
    }

    /// The present contents as bytes: a database file in rollback mode.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn image(&self) -> Result<Vec<u8>> {
        match &self.readers {
            None => image::of(&*self.writer()?),
            Some(readers) => readers.lend(|reader| Ok(image::of(reader)))?,
        }
    }

    /// Replaces the whole contents by those of another database, which must lie in memory.
    ///
    /// # Errors
    /// [`Error::Store`]; the present contents stay.
    pub fn replace_by(&self, incoming: Self) -> Result<()> {
        let mut incoming = incoming.writer()?;
        let mut writer = self.writer()?;
        self.times_replaced.fetch_add(1, Ordering::Relaxed);
        if self.readers.is_none() {
            std::mem::swap(&mut *writer, &mut *incoming);
            return Ok(());
        }
        let backup = Backup::new(&incoming, &mut writer).map_err(failed)?;
        match backup.step(-1).map_err(failed)? {
            StepResult::Done => Ok(()),
            _ => Err(Error::Store("another process holds the database".into())),
        }
    }

    /// Runs queries on one consistent view of the data.
    pub(in crate::store) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        match &self.readers {
            // Nobody changes it meanwhile.
            None => work(self.writer.get()?.lock().connection()).map_err(failed),
            Some(readers) => readers.lend(|reader| {
                let _view = Transaction::for_reading(reader)?;
                work(reader)
            }),
        }
    }

    /// Runs one short query: it is a view by itself, without the two more statements of a transaction.
    ///
    /// Where nobody writes, the writer answers it: after each commit, a reader has to read its pages again.
    pub(in crate::store) fn read_once<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        let Some(readers) = &self.readers else {
            return work(self.writer.get()?.lock().connection()).map_err(failed);
        };
        match self.writer.get()?.try_lock() {
            // One whose rollback failed holds rows that nobody committed.
            Some(writer) if writer.connection().is_autocommit() => work(writer.connection()).map_err(failed),
            _ => readers.lend(work),
        }
    }

    /// Runs changes as one transaction: all of them or, where `work` fails, none.
    pub(in crate::store) fn write<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        match self.write_unless(|connection| work(connection).map(Ok::<T, Infallible>))? {
            Ok(done) => Ok(done),
            Err(never) => match never {},
        }
    }

    /// Runs changes as one transaction that `work` can call off: an inner `Err` changes nothing and is
    /// handed on.
    pub(in crate::store) fn write_unless<T, R>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<Result<T, R>>,
    ) -> Result<Result<T, R>> {
        let (turn, writer) = self.turn()?;
        let transaction = Transaction::for_writing(&writer).map_err(failed)?;
        let verdict = work(&writer).map_err(failed)?;
        if verdict.is_ok() {
            transaction.commit().map_err(failed)?;
            self.turns.keep(turn);
        }
        Ok(verdict)
    }

    /// Applies the writes of one call to a database in memory. Several such calls share a commit.
    pub(super) fn write_call(
        &self,
        apply: &dyn Apply,
        writes: &[Write],
    ) -> Result<std::result::Result<(), Committed>> {
        let mut writer = self.writer.get()?.lock();
        let turn = self.turns.take();
        let verdict = writer.apply(apply, writes).map_err(failed)?;
        if verdict.is_ok() {
            self.turns.keep(turn);
        }
        Ok(verdict)
    }

    /// Runs the changes of several callers as one transaction, in their order. What fails, or is called off as in
    /// [`Database::write_unless`], fails for its caller alone, by a second transaction. Each begins with `begins`.
    ///
    /// # Errors
    /// [`Error::Store`] where nothing could be committed, of nobody.
    pub(in crate::store) fn write_each<C, T, R>(
        &self,
        callers: &[C],
        begins: impl Fn(&Connection) -> rusqlite::Result<()>,
        work: impl Fn(&Connection, &C) -> rusqlite::Result<Result<T, R>>,
    ) -> Result<Vec<Result<Result<T, R>>>> {
        let (turn, writer) = self.turn()?;
        if let Some(done) = shared_transaction::plain(&writer, callers, &begins, &work)? {
            self.turns.keep(turn);
            return Ok(done.into_iter().map(|done| Ok(Ok(done))).collect());
        }
        shared_transaction::with_savepoints(&writer, callers, &begins, &work)
    }

    /// Which contents they are, for whoever holds the writer: others once the whole was replaced.
    pub(super) fn contents(&self, writer: &Connection) -> rusqlite::Result<Contents> {
        let schema = match self.path() {
            // A replacement counts the schema up, whichever process made it.
            Some(_) => writer.prepare_cached("PRAGMA schema_version")?.query_row([], |row| row.get(0))?,
            None => 0,
        };
        Ok(Contents { replaced: self.times_replaced.load(Ordering::Relaxed), schema })
    }

    /// What happened since the last turn of one who writes, for whoever holds the writer in a transaction.
    pub(super) fn since(&self, last: &mut Turn, writer: &Connection) -> rusqlite::Result<Meanwhile> {
        self.turns.since(last, writer, self.path().is_some())
    }

    /// A number that is another one once the bank's books may say something else. `None` for a file, whose books other
    /// processes change, too.
    pub fn books_edition(&self) -> Option<u64> {
        self.path().is_none().then(|| self.turns.books_edition())
    }

    /// That this process may use it.
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
        self.claim.iter_mut().for_each(Claim::fork);
    }

    /// The connection, for whoever writes by a transaction of their own, or needs everything committed.
    fn writer(&self) -> Result<MappedMutexGuard<'_, Connection>> {
        self.turn().map(|(_, writer)| writer)
    }

    /// The same, and the number of the turn.
    fn turn(&self) -> Result<(u64, MappedMutexGuard<'_, Connection>)> {
        let mut writer = self.writer.get()?.lock();
        let turn = self.turns.take_with_books();
        writer.commit().map_err(failed)?;
        Ok((turn, MutexGuard::map(writer, Writer::connection_mut)))
    }

    /// Where the data lies; `None` for memory.
    pub fn path(&self) -> Option<&Path> {
        self.readers.as_ref().map(Readers::path)
    }

    pub(super) fn in_memory(connection: Connection) -> Self {
        Self {
            writer: OfProcess::any(Mutex::new(Writer::over(connection))),
            readers: None,
            times_replaced: AtomicU64::new(0),
            turns: Turns::default(),
            claim: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::meta;
    use super::*;

    fn directory() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn insert(connection: &Connection, key: &str) -> rusqlite::Result<()> {
        meta::set_number(connection, key, 1)
    }

    fn kept(database: &Database, key: &str) -> bool {
        database.meta_number(key).unwrap() != 0
    }

    #[test]
    fn a_reopened_file_gives_everything_back() {
        let directory = directory();
        let path = directory.path().join("bank.db");
        Database::open_file(&path).unwrap().set_meta_number("key", 1).unwrap();
        let database = Database::open_file(&path).unwrap();
        assert_eq!(database.meta_number("key").unwrap(), 1);
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
            let before = meta::number(connection, "key")?;
            database.set_meta_number("key", 1).unwrap();
            Ok((before, meta::number(connection, "key")?))
        });
        assert_eq!(views.unwrap(), (0, 0));
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
    fn work_that_panics_leaves_nothing_and_harms_nobody() {
        let database = Database::open_memory().unwrap();
        let panicking = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            database.write(|connection| -> rusqlite::Result<()> {
                insert(connection, "key")?;
                panic!("a bank behind C or Python may do this");
            })
        }));
        assert!(panicking.is_err());
        assert!(!kept(&database, "key"));
        database.set_meta_number("key", 1).unwrap();
    }

    #[test]
    fn an_image_replaces_everything_in_memory_and_in_a_file() {
        let directory = directory();
        let file = Database::open_file(directory.path().join("bank.db")).unwrap();
        let beside = Database::open_file(directory.path().join("bank.db")).unwrap();
        for database in [&Database::open_memory().unwrap(), &file] {
            database.set_meta_number("before", 1).unwrap();
            let image = database.image().unwrap();
            database.set_meta_number("after", 1).unwrap();
            database.replace_by(Database::from_image(&image).unwrap()).unwrap();
            assert_eq!((kept(database, "before"), kept(database, "after")), (true, false));
            assert_eq!(database.image().unwrap().len(), image.len());
            database.set_meta_number("later", 1).unwrap();
        }
        assert!(kept(&beside, "later") && !kept(&beside, "after"), "other nodes see the new contents");
        beside.set_meta_number("beside", 1).unwrap();
        assert!(kept(&file, "beside"));
    }

    #[test]
    fn an_unsound_image_is_refused() {
        let image = Database::open_memory().unwrap().image().unwrap();
        for bytes in [&image[..image.len() - 1], &foreign(), &[]] {
            assert!(matches!(Database::from_image(bytes), Err(Error::Misuse(_))));
        }
    }

    #[test]
    fn images_go_from_files_to_memory_and_back() {
        let directory = directory();
        let file = Database::open_file(directory.path().join("one.db")).unwrap();
        file.set_meta_number("key", 1).unwrap();
        let memory = Database::from_image(&file.image().unwrap()).unwrap();
        assert!(kept(&memory, "key"));
        let path = directory.path().join("two.db");
        std::fs::write(&path, memory.image().unwrap()).unwrap();
        assert!(kept(&Database::open_file(path).unwrap(), "key"), "an image is a database file");
    }

    #[test]
    fn a_fork_and_its_origin_go_apart() {
        let directory = directory();
        let file = Database::open_file(directory.path().join("bank.db")).unwrap();
        for origin in [&Database::open_memory().unwrap(), &file] {
            origin.set_meta_number("common", 1).unwrap();
            let fork = origin.fork().unwrap();
            fork.set_meta_number("fork", 1).unwrap();
            origin.set_meta_number("origin", 1).unwrap();
            assert!(kept(&fork, "common") && !kept(&fork, "origin") && !kept(origin, "fork"));
            assert_eq!(fork.path(), None);
        }
    }

    #[test]
    fn many_open_one_new_file_at_once() {
        let directory = directory();
        let path = directory.path().join("bank.db");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| Database::open_file(&path).unwrap().count_up("opened").unwrap());
            }
        });
        assert_eq!(Database::open_file(&path).unwrap().meta_number("opened").unwrap(), 8);
    }
}
