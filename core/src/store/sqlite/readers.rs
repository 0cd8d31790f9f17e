//! The connections that read a file beside its writer.

use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use rusqlite::Connection;

use super::connection;
use super::failure::failed;
use crate::error::Result;
use crate::store::own_process::OfProcess;

/// How many connections are kept when nobody reads, with at most 4 MiB of pages each. To open one takes longer than to
/// read a payment, so they are as many as threads that a gateway is likely to have; a burst opens more and drops them.
const IDLE_MAX: usize = 16;

/// A pool of reading connections. Nobody waits: whoever finds none opens one.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    idle: OfProcess<Mutex<Vec<Connection>>>,
}

impl Readers {
    /// An empty pool for a file.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, idle: OfProcess::this(Mutex::default()) }
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// As if the process had been forked since.
    #[cfg(test)]
    pub(super) fn fork_process(&mut self) {
        self.idle.fork();
    }

    /// Runs queries on a connection that nobody else uses meanwhile.
    pub(super) fn lend<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let idle = self.idle.get()?;
        let kept = idle.lock().pop();
        let reader = kept.map_or_else(|| connection::reader(&self.path), Ok).map_err(failed)?;
        let found = work(&reader).map_err(failed);
        put_back(&mut idle.lock(), reader);
        found
    }
}

/// One whose transaction could not be ended is closed instead.
fn put_back(idle: &mut Vec<Connection>, connection: Connection) {
    if connection.is_autocommit() && idle.len() < IDLE_MAX {
        idle.push(connection);
    }
}
