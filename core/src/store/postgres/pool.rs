//! The connections of one node.

use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::address::Address;
use super::connection::Connection;
use super::failure::{Failure, Result};
use crate::error::Error;
use crate::limits::POSTGRES_CONNECTIONS_MAX;
use crate::store::fork_guarded::ForkGuarded;
use crate::store::Connections;

/// How long a call waits for a connection that another call has.
const WAIT_SECONDS_MAX: u64 = 10;

/// A pool that opens connections as they are needed, up to its bound, and keeps them. It has no thread: a caller that
/// finds a connection dead opens another.
pub(super) struct Pool {
    address: Address,
    state: ForkGuarded<PoolState>,
}

struct PoolState {
    places: Mutex<Places>,
    freed: Condvar,
}

#[derive(Default)]
struct Places {
    /// The last one used is the next one taken, so that a node with few calls uses few connections.
    idle: Vec<Connection>,
    /// Connections on loan, or being opened.
    taken: usize,
    /// How many were closed and not given back.
    closed: u64,
}

impl Pool {
    /// An empty pool.
    pub(super) fn new(address: Address) -> Self {
        let state = PoolState { places: Mutex::default(), freed: Condvar::new() };
        Self { address, state: ForkGuarded::this_process(state) }
    }

    /// A connection that no other caller uses. If the server accepts no further connection, waits for one of this node.
    ///
    /// # Errors
    /// Where none can be opened, or all are busy for too long; and in a process that was forked off.
    pub(super) fn take(&self) -> Result<Lease<'_>> {
        let state = self.state.get().map_err(Failure::Said)?;
        let mut kept = state.wait_for_place()?;
        loop {
            // Gives the place back if opening fails.
            let mut lease = Lease { state, connection: kept };
            if lease.connection.is_some() {
                return Ok(lease);
            }
            match Connection::open(&self.address) {
                Err(refusal) if refusal.is_connection_limit() => kept = lease.wait_for_another(refusal)?,
                opened => {
                    lease.connection = Some(opened?);
                    return Ok(lease);
                }
            }
        }
    }

    /// One more connection, which does not belong to the pool.
    pub(super) fn open_beside(&self) -> Result<Connection> {
        Connection::open(&self.address)
    }

    /// As if the process had been forked since.
    #[cfg(test)]
    pub(super) fn fork(&mut self) {
        self.state.fork();
    }

    /// As if this were the process again that opened it.
    #[cfg(test)]
    pub(super) fn return_home(&mut self) {
        self.state.return_home();
    }

    /// How many connections there are.
    pub(super) fn connections(&self) -> Option<Connections> {
        let places = self.state.get().ok()?.places.lock();
        Some(Connections { idle: places.idle.len(), taken: places.taken, max: POSTGRES_CONNECTIONS_MAX })
    }

    /// Closes the idle connections, because their server is away.
    pub(super) fn forget_idle(&self) {
        let Ok(state) = self.state.get() else { return };
        let forgotten = std::mem::take(&mut state.places.lock().idle);
        // Closed outside of the lock: each sends a termination message to the server.
        drop(forgotten);
    }
}

impl PoolState {
    /// An idle connection, or `None` and a place for a new one.
    fn wait_for_place(&self) -> Result<Option<Connection>> {
        let mut places = self.places.lock();
        loop {
            if let Some(connection) = places.take_idle() {
                return Ok(Some(connection));
            }
            if places.taken < POSTGRES_CONNECTIONS_MAX {
                places.taken += 1;
                return Ok(None);
            }
            if self.freed.wait_for(&mut places, Duration::from_secs(WAIT_SECONDS_MAX)).timed_out() {
                let all = format!("all {POSTGRES_CONNECTIONS_MAX} connections to PostgreSQL");
                return Err(Failure::Crowded(format!("{all} were busy for {WAIT_SECONDS_MAX} s")));
            }
        }
    }

    /// The same for a caller whose new connection the server refused: waits until another caller returns or closes a
    /// connection. The place is freed without a notification, because the server would refuse the other waiting callers
    /// too.
    ///
    /// # Errors
    /// The refusal itself where this node has no other connection, so that there is nothing to wait for.
    fn wait_for_another(&self, refusal: Failure) -> Result<Option<Connection>> {
        let mut places = self.places.lock();
        places.taken -= 1;
        let closed = places.closed;
        loop {
            if let Some(connection) = places.take_idle() {
                return Ok(Some(connection));
            }
            if places.closed != closed && places.taken < POSTGRES_CONNECTIONS_MAX {
                places.taken += 1;
                return Ok(None);
            }
            if places.taken == 0 {
                // The other connections were refused too: each waiting caller must see that none is left.
                self.freed.notify_all();
                return Err(refusal);
            }
            if self.freed.wait_for(&mut places, Duration::from_secs(WAIT_SECONDS_MAX)).timed_out() {
                let all = format!("all {} connections that PostgreSQL accepted", places.taken);
                return Err(Failure::Crowded(format!("{all} were busy for {WAIT_SECONDS_MAX} s")));
            }
        }
    }
}

impl Places {
    /// Takes an idle connection, and drops those that have been lost.
    fn take_idle(&mut self) -> Option<Connection> {
        while let Some(connection) = self.idle.pop() {
            if !connection.is_closed() {
                self.taken += 1;
                return Some(connection);
            }
        }
        None
    }
}

impl std::fmt::Debug for Pool {
    /// Nothing of the address, which may hold a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}

/// A connection on loan. It goes back by [`Lease::keep`] alone: one whose work ended in any other way is closed,
/// because its state is unknown.
pub(super) struct Lease<'p> {
    state: &'p PoolState,
    /// `None` while it is being opened, and once it went back.
    connection: Option<Connection>,
}

impl Lease<'_> {
    /// Exchanges a place whose new connection the server refused.
    fn wait_for_another(self, refusal: Failure) -> Result<Option<Connection>> {
        let state = self.state;
        // The called method frees the place itself, under the lock under which it looks at the others.
        std::mem::forget(self);
        state.wait_for_another(refusal)
    }

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
        let connection = self.connection.take_if(|connection| !connection.is_closed());
        self.state.places.lock().idle.extend(connection);
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        // It is closed before the notification, because a caller that opens another one may need its slot at the
        // server.
        let is_closed = self.connection.take().map(drop).is_some();
        let mut places = self.state.places.lock();
        places.taken -= 1;
        places.closed += u64::from(is_closed);
        drop(places);
        self.state.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;
    use std::thread::{scope, sleep};

    use super::super::address;
    use super::super::server::Server;
    use super::*;

    /// The pool of a node whose role may have that many connections to the server; and the address of that role.
    fn with_capacity_for(connections: usize) -> Option<(Pool, String)> {
        let url = Server::shared()?.database();
        let name = url.split(['/', '?']).find(|part| part.starts_with("test_")).unwrap();
        let mut owner = Connection::open(&address::read(&url).unwrap()).unwrap();
        owner.batch(&format!("CREATE ROLE guest_{name} LOGIN CONNECTION LIMIT {connections}")).unwrap();
        let url = url.replace("xs2a@", &format!("guest_{name}@"));
        Some((Pool::new(address::read(&url).unwrap()), url))
    }

    fn assert_refused(lease: Result<()>) {
        let refusal = lease.unwrap_err();
        assert!(refusal.is_connection_limit(), "{refusal:?}");
    }

    #[test]
    fn at_the_servers_limit_a_call_waits_for_a_connection_of_its_node() {
        let Some((pool, _)) = with_capacity_for(2) else { return };
        let call = || {
            let mut lease = pool.take().unwrap();
            let session =
                lease.connection().unwrap().answer("SELECT pg_backend_pid(), pg_sleep(0.05)").unwrap();
            lease.keep();
            session
        };
        let sessions: HashSet<_> = scope(|scope| {
            let calls: Vec<_> = (0..8).map(|_| scope.spawn(call)).collect();
            calls.into_iter().map(|call| call.join().unwrap()).collect()
        });
        assert!(sessions.len() <= 2, "{sessions:?}");
    }

    #[test]
    fn the_place_of_a_connection_that_is_not_kept_is_used_again() {
        let Some((pool, _)) = with_capacity_for(1) else { return };
        let start = Barrier::new(2);
        scope(|scope| {
            scope.spawn(|| {
                let mut lease = pool.take().unwrap();
                start.wait();
                sleep(Duration::from_millis(200));
                // The server takes a moment to see that a connection is closed: this one it closes itself.
                let closing =
                    lease.connection().unwrap().answer("SELECT pg_terminate_backend(pg_backend_pid())");
                assert!(closing.unwrap_err().is_lost());
                sleep(Duration::from_millis(200));
                drop(lease);
            });
            start.wait();
            assert_eq!(pool.take().unwrap().connection().unwrap().answer("SELECT 1").unwrap(), "1");
        });
    }

    #[test]
    fn a_node_that_gets_no_connection_at_all_fails_at_once() {
        let Some((neighbour, url)) = with_capacity_for(1) else { return };
        let _lease = neighbour.take().unwrap();
        let pool = Pool::new(address::read(&url).unwrap());
        assert_refused(pool.take().map(drop));
        // Nor does each of several wait for the others.
        scope(|scope| {
            let calls: Vec<_> = (0..4).map(|_| scope.spawn(|| pool.take().map(drop))).collect();
            calls.into_iter().for_each(|call| assert_refused(call.join().unwrap()));
        });
        let into_error = pool.take().map(drop).unwrap_err().into_error().to_string();
        assert!(
            into_error.contains("too many connections for role") && into_error.contains("53300"),
            "{into_error}"
        );
    }
}
