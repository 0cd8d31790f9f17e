//! The connections of one node.

use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::address::Address;
use super::connection::Connection;
use super::failure::{Failure, Result};
use crate::error::Error;
use crate::limits::POSTGRES_CONNECTIONS_MAX;
use crate::store::own_process::OfProcess;

/// How long a call waits for a connection that another call has.
const WAIT_SECONDS_MAX: u64 = 10;

/// A pool that opens connections as they are needed, up to its bound, and keeps them. It has no thread: whoever finds
/// a connection dead opens another.
pub(super) struct Pool {
    address: Address,
    room: OfProcess<Room>,
}

struct Room {
    places: Mutex<Places>,
    freed: Condvar,
}

#[derive(Default)]
struct Places {
    /// The last one used is the next one taken, so that a quiet node works on few.
    idle: Vec<Connection>,
    /// Connections that exist or are being opened.
    taken: usize,
}

impl Pool {
    /// An empty pool.
    pub(super) fn new(address: Address) -> Self {
        let room = Room { places: Mutex::default(), freed: Condvar::new() };
        Self { address, room: OfProcess::this(room) }
    }

    /// A connection that nobody else uses.
    ///
    /// # Errors
    /// Where none can be opened, or all are busy for too long; and in a process that was forked off.
    pub(super) fn take(&self) -> Result<Lease<'_>> {
        let room = self.room.get().map_err(Failure::Said)?;
        let kept = room.wait_for_place()?;
        // Gives the place back if opening fails.
        let mut lease = Lease { room, connection: kept };
        if lease.connection.is_none() {
            lease.connection = Some(Connection::open(&self.address)?);
        }
        Ok(lease)
    }

    /// As if the process had been forked since.
    #[cfg(test)]
    pub(super) fn fork(&mut self) {
        self.room.fork();
    }

    /// As if this were the process again that opened it.
    #[cfg(test)]
    pub(super) fn return_home(&mut self) {
        self.room.return_home();
    }

    /// Closes the connections that nobody uses: the server they lead to is not there any more.
    pub(super) fn forget_idle(&self) {
        let Ok(room) = self.room.get() else { return };
        let forgotten = std::mem::take(&mut room.places.lock().idle);
        // Closed outside of the lock: each says farewell to the server.
        drop(forgotten);
    }
}

impl Room {
    /// An idle connection, or `None` and a place for a new one.
    fn wait_for_place(&self) -> Result<Option<Connection>> {
        let mut places = self.places.lock();
        loop {
            if let Some(connection) = places.idle.pop() {
                if connection.is_closed() {
                    continue;
                }
                places.taken += 1;
                return Ok(Some(connection));
            }
            if places.taken < POSTGRES_CONNECTIONS_MAX {
                places.taken += 1;
                return Ok(None);
            }
            if self.freed.wait_for(&mut places, Duration::from_secs(WAIT_SECONDS_MAX)).timed_out() {
                let all = format!("all {POSTGRES_CONNECTIONS_MAX} connections to PostgreSQL");
                let text = format!("{all} were busy for {WAIT_SECONDS_MAX} s");
                return Err(Failure::Said(Error::Store(text)));
            }
        }
    }
}

impl std::fmt::Debug for Pool {
    /// Nothing of the address, which may hold a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}

/// A connection on loan. It goes back by [`Lease::keep`] alone: one whose work ended in any other way is closed,
/// because nobody knows what it is in the middle of.
pub(super) struct Lease<'p> {
    room: &'p Room,
    /// `None` while it is being opened, and once it went back.
    connection: Option<Connection>,
}

impl Lease<'_> {
    /// The connection.
    ///
    /// # Errors
    /// None that can happen: a lease that was given out has one.
    pub(super) fn connection(&mut self) -> Result<&mut Connection> {
        let missing = || Failure::Said(Error::Internal("a lease without a connection".to_owned()));
        self.connection.as_mut().ok_or_else(missing)
    }

    /// Gives the connection back, outside of any transaction.
    pub(super) fn keep(mut self) {
        let connection = self.connection.take().filter(|connection| !connection.is_closed());
        self.room.places.lock().idle.extend(connection);
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        self.room.places.lock().taken -= 1;
        self.room.freed.notify_one();
    }
}
