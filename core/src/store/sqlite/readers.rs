//! The connections that read a file beside its writer.

use std::path::{Path, PathBuf};

use parking_lot::{Condvar, Mutex};
use rusqlite::Connection;

use super::connection;
use super::file_set::FileSet;
use crate::error::Result;
use crate::store::fork_guarded::ForkGuarded;

/// How many idle connections are kept, with at most 4 MiB of pages each. To open one takes longer than to
/// read a payment, so they are as many as threads that a gateway is likely to have; a burst opens more and drops them.
const IDLE_MAX: usize = 16;
/// How many there are at once. A query takes microseconds, and each connection two descriptors of the process: beyond
/// this, a caller waits for one.
const OPEN_MAX: usize = 64;

/// A pool of reading connections.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    files: Option<FileSet>,
    pool: ForkGuarded<Pool>,
}

#[derive(Debug, Default)]
struct Pool {
    connections: Mutex<Connections>,
    returned: Condvar,
}

#[derive(Debug, Default)]
struct Connections {
    idle: Vec<Connection>,
    lent: usize,
}

impl Readers {
    /// An empty pool for a file, whose files are those.
    pub(super) fn new(path: PathBuf, files: Option<FileSet>) -> Self {
        Self { path, files, pool: ForkGuarded::this_process(Pool::default()) }
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file with its log; `None` where the system does not let an open file lose its name.
    pub(super) fn files(&self) -> Option<&FileSet> {
        self.files.as_ref()
    }

    /// As if the process had been forked since.
    #[cfg(test)]
    pub(super) fn fork_process(&mut self) {
        self.pool.fork();
    }

    /// A place in the pool, with a connection that no other caller uses at the same time. It has none if none is idle
    /// and none can be opened: the path leads elsewhere or nowhere, or the process has no descriptor left.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) in a forked process.
    pub(super) fn lend(&self) -> Result<Lent<'_>> {
        let mut lent = self.pool.get()?.take();
        let is_there = || self.files.as_ref().is_none_or(FileSet::is_at_its_path);
        if lent.connection.is_none() && is_there() {
            lent.connection = connection::reader(&self.path).ok();
        }
        Ok(lent)
    }
}

impl Pool {
    /// A place in the pool, with a connection where one is idle.
    fn take(&self) -> Lent<'_> {
        let mut connections = self.connections.lock();
        self.returned.wait_while(&mut connections, |connections| connections.lent >= OPEN_MAX);
        connections.lent += 1;
        Lent { pool: self, connection: connections.idle.pop() }
    }
}

/// A place in the pool until it is dropped, also by a panic.
pub(super) struct Lent<'p> {
    pool: &'p Pool,
    connection: Option<Connection>,
}

impl Lent<'_> {
    /// The connection, if there is one.
    pub(super) fn connection(&self) -> Option<&Connection> {
        self.connection.as_ref()
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut connections = self.pool.connections.lock();
        connections.lent -= 1;
        // One whose transaction could not be ended is closed instead.
        let has_capacity = connections.idle.len() < IDLE_MAX;
        let sound = self.connection.take().filter(Connection::is_autocommit);
        connections.idle.extend(sound.filter(|_| has_capacity));
        drop(connections);
        self.pool.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    fn file() -> (tempfile::TempDir, Readers) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bank.db");
        connection::use_wal(&connection::file(&path).unwrap()).unwrap();
        (folder, Readers::new(path, None))
    }

    fn one(readers: &Readers) -> Option<i64> {
        let lent = readers.lend().unwrap();
        lent.connection().map(|reader| reader.query_row("SELECT 1", [], |row| row.get(0)).unwrap())
    }

    #[test]
    fn so_many_read_at_once_and_further_callers_wait() {
        let (_folder, readers) = file();
        let pool = readers.pool.get().unwrap();
        let mut lent: Vec<_> = (0..OPEN_MAX).map(|_| pool.take()).collect();
        let (sender, receiver) = channel();
        std::thread::scope(|threads| {
            threads.spawn(|| sender.send(one(&readers)));
            assert!(receiver.recv_timeout(Duration::from_millis(200)).is_err());
            lent.pop();
            assert_eq!(receiver.recv().unwrap(), Some(1));
        });
        drop(lent);
        assert_eq!(pool.connections.lock().lent, 0);
    }

    #[test]
    fn sixteen_are_kept() {
        let (_folder, readers) = file();
        let pool = readers.pool.get().unwrap();
        let mut lent: Vec<_> = (0..=IDLE_MAX).map(|_| pool.take()).collect();
        for lent in &mut lent {
            lent.connection = Some(connection::reader(readers.path()).unwrap());
        }
        drop(lent);
        assert_eq!(pool.connections.lock().idle.len(), IDLE_MAX);
    }

    #[test]
    fn a_place_comes_back_from_a_query_that_fails_or_panics() {
        let (folder, readers) = file();
        for _ in 0..=OPEN_MAX {
            let fails = readers.lend().unwrap().connection().unwrap().execute_batch("no SQL");
            assert!(fails.is_err());
            let panics = std::panic::AssertUnwindSafe(|| {
                let _lent = readers.lend().unwrap();
                panic!()
            });
            assert!(std::panic::catch_unwind(panics).is_err());
        }
        assert_eq!(one(&readers), Some(1));
        let nowhere = Readers::new(folder.path().join("none.db"), None);
        for _ in 0..=OPEN_MAX {
            assert_eq!(one(&nowhere), None);
        }
    }
}
