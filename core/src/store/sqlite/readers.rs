//! The connections that read a file beside its writer.

use std::path::{Path, PathBuf};

use parking_lot::{Condvar, Mutex};
use rusqlite::Connection;

use super::connection;
use super::failure::failed;
use crate::error::Result;
use crate::store::own_process::OfProcess;

/// How many connections are kept when nobody reads, with at most 4 MiB of pages each. To open one takes longer than to
/// read a payment, so they are as many as threads that a gateway is likely to have; a burst opens more and drops them.
const IDLE_MAX: usize = 16;
/// How many there are at once. A query takes microseconds, and each connection two descriptors of the process: beyond
/// this, whoever reads waits for one.
const OPEN_MAX: usize = 64;

/// A pool of reading connections.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    pool: OfProcess<Pool>,
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
        Self { path, pool: OfProcess::this(Pool::default()) }
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

    /// Runs queries on a connection that nobody else uses meanwhile.
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
        let has_room = connections.idle.len() < IDLE_MAX;
        let sound = self.connection.take().filter(Connection::is_autocommit);
        connections.idle.extend(sound.filter(|_| has_room));
        drop(connections);
        self.pool.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::Barrier;

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
    fn so_many_read_at_once_and_whoever_comes_then_waits() {
        let (_folder, readers) = file();
        let (all_read, done) = (Barrier::new(OPEN_MAX + 1), Barrier::new(OPEN_MAX + 1));
        let late = AtomicUsize::new(0);
        std::thread::scope(|threads| {
            for _ in 0..OPEN_MAX {
                threads.spawn(|| {
                    readers.lend(|reader| {
                        all_read.wait();
                        done.wait();
                        one(reader)
                    })
                });
            }
            all_read.wait();
            for _ in 0..3 {
                threads.spawn(|| {
                    readers.lend(one).unwrap();
                    late.fetch_add(1, Ordering::Relaxed);
                });
            }
            assert_eq!(readers.pool.get().unwrap().connections.lock().lent, OPEN_MAX);
            assert_eq!(late.load(Ordering::Relaxed), 0);
            done.wait();
        });
        assert_eq!(late.load(Ordering::Relaxed), 3);
        let pool = readers.pool.get().unwrap().connections.lock();
        assert_eq!((pool.lent, pool.idle.len()), (0, IDLE_MAX));
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
