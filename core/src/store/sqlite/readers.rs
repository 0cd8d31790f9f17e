//! The connections that read a file beside its writer.

use std::path::{Path, PathBuf};

use parking_lot::{Condvar, Mutex};
use rusqlite::Connection;

use super::connection;
use super::failure::failed;
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
    /// An empty pool for a file.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, pool: ForkGuarded::this_process(Pool::default()) }
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// As if the process had been forked since.
    #[cfg(test)]
    pub(super) fn fork_process(&mut self) {
        self.pool.fork();
    }

    /// Runs queries on a connection that no other caller uses at the same time.
    pub(super) fn lend<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let pool = self.pool.get()?;
        let mut lent = pool.take();
        let kept = lent.connection.take().map_or_else(|| connection::reader(&self.path), Ok);
        let reader = lent.connection.insert(kept.map_err(failed)?);
        work(reader).map_err(failed)
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
struct Lent<'p> {
    pool: &'p Pool,
    connection: Option<Connection>,
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
        (folder, Readers::new(path))
    }

    fn one(reader: &Connection) -> rusqlite::Result<i64> {
        reader.query_row("SELECT 1", [], |row| row.get(0))
    }

    #[test]
    fn so_many_read_at_once_and_further_callers_wait() {
        let (_folder, readers) = file();
        let pool = readers.pool.get().unwrap();
        let mut lent: Vec<_> = (0..OPEN_MAX).map(|_| pool.take()).collect();
        let (sender, receiver) = channel();
        std::thread::scope(|threads| {
            threads.spawn(|| sender.send(readers.lend(one)));
            assert!(receiver.recv_timeout(Duration::from_millis(200)).is_err());
            lent.pop();
            assert_eq!(receiver.recv().unwrap().unwrap(), 1);
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
            assert!(readers.lend(|reader| reader.execute_batch("no SQL")).is_err());
            let panics =
                std::panic::AssertUnwindSafe(|| readers.lend(|_| -> rusqlite::Result<()> { panic!() }));
            assert!(std::panic::catch_unwind(panics).is_err());
        }
        assert_eq!(readers.lend(one).unwrap(), 1);
        let nowhere = Readers::new(folder.path().join("none.db"));
        for _ in 0..=OPEN_MAX {
            assert!(nowhere.lend(one).is_err());
        }
    }
}
