//! What an operator reads of a running engine: its health and its figures.

use super::health::{health, Health};
use super::logging::caught;
use super::metrics::State;
use super::public_api::Engine;
use crate::error::Result;

impl Engine {
    /// Whether the engine can do its work now. It reads the database and writes nothing. What fails is part of the
    /// result and not logged, because a load balancer asks often.
    pub fn health(&self) -> Health {
        self.logging.around(|| health(&self.context, self.host_trust.as_ref()))
    }

    /// The figures of this engine in Prometheus' text format, version 0.0.4: what it has counted since it was built,
    /// and the state of database, outbox and certificates now. Figures that cannot be read are absent.
    ///
    /// # Errors
    /// [`Error::Internal`](crate::Error::Internal): a bug, or a store that panics.
    pub fn metrics(&self) -> Result<String> {
        let health = self.health();
        self.logging.guard("metrics", || {
            let store = self.context.store();
            let state = State {
                health,
                orders: caught("metrics", || store.outbox().waiting_orders().ok()).flatten(),
                evidence: self.context.waiting_writes.line_count(),
                connections: store.connections(),
            };
            self.metrics.text(&state)
        })
    }
}
