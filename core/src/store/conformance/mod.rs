//! What every store must do, as named behaviours. SQLite and PostgreSQL are tested by them; with feature `conformance`
//! your own store is too.
//!
//! Implement [`Backend`] for a type that makes an empty database and opens stores on it, and call
//! [`store_conformance!`](crate::store_conformance) with that type: it makes one test for each behaviour. In the
//! `Cargo.toml` of your store, `xs2a` with that feature belongs to `[dev-dependencies]`.
//!
//! ```
//! use std::sync::Arc;
//!
//! use xs2a::store::conformance::{Backend, Damage};
//! use xs2a::store::sqlite::{Database, SqliteStore};
//! use xs2a::store::Store;
//!
//! struct InMemory(Arc<Database>);
//!
//! impl Backend for InMemory {
//!     fn new() -> Self {
//!         Self(Arc::new(Database::open_memory().unwrap()))
//!     }
//!
//!     fn node(&self) -> Arc<dyn Store> {
//!         Arc::new(SqliteStore::new(Arc::clone(&self.0)))
//!     }
//!
//!     fn damage(&self, damage: &Damage) {
//!         // Your store knows how to change rows without itself; with the tables of this repository:
//!         println!("{}", damage.sql());
//!     }
//! }
//!
//! xs2a::store_conformance!(InMemory);
//! ```

pub(crate) mod access_counts;
pub(crate) mod audit;
pub(crate) mod authorisations;
pub(crate) mod banks;
pub(crate) mod baskets;
pub(crate) mod blocks;
pub(crate) mod consents;
pub(crate) mod contenders;
pub(crate) mod creations;
mod damage;
pub(crate) mod duplicates;
pub(crate) mod events;
pub(crate) mod model;
mod model_consents;
mod model_outbox;
mod model_payments;
pub(crate) mod orders;
pub(crate) mod payments;
pub(crate) mod persons;
pub(crate) mod request_ids;
pub(crate) mod retention;
pub(crate) mod samples;
pub(crate) mod sessions;
pub(crate) mod statistics;
mod suite;
pub(crate) mod transactions;

pub use damage::Damage;
pub use suite::{check, Backend};
