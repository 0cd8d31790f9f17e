//! The connections that read a file beside its writer.

use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use rusqlite::Connection;

use super::connection;
use super::failure::failed;
use crate::error::Result;

/// How many connections are kept when nobody reads, with at most 4 MiB of pages each. To open one takes longer than to
/// read a payment, so they are as many as threads that a gateway is likely to have; a burst opens more and drops them.
const IDLE_MAX: usize = 16;

/// A pool of reading connections. Nobody waits: whoever finds none opens one.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// An empty pool for a file.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, idle: Mutex::new(Vec::new()) }
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs queries on a connection that nobody else uses meanwhile.
    pub(super) fn lend<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let reader = self.take().map_err(failed)?;
        let found = work(&reader).map_err(failed);
        self.put_back(reader);
        found
    }

    fn take(&self) -> rusqlite::Result<Connection> {
        let idle = self.idle.lock().pop();
        idle.map_or_else(|| connection::reader(&self.path), Ok)
    }

    /// One whose transaction could not be ended is closed instead.
    fn put_back(&self, connection: Connection) {
        let mut idle = self.idle.lock();
        if connection.is_autocommit() && idle.len() < IDLE_MAX {
            idle.push(connection);
        }
    }
}
