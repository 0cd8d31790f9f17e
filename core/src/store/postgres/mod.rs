//! The store for gateways of several nodes: PostgreSQL.

mod access_count;
mod address;
mod audit;
mod authorisation;
mod bank_identity;
mod basket;
mod block;
mod client;
mod columns;
#[cfg(test)]
mod commits;
mod connection;
mod consent;
mod database;
mod event;
mod failure;
#[cfg(test)]
mod outages;
mod outbox;
mod own_settings;
mod payment;
mod pool;
mod pooler;
mod privileges;
mod psu;
mod request_id;
mod retention;
mod schema;
#[cfg(test)]
#[path = "../../../tests/postgres_server/mod.rs"]
pub(crate) mod server;
mod session;
mod sslmode;
mod statistics;
mod store;
mod time_limits;
mod tls;
mod unnamed;
#[cfg(test)]
mod upgrade;

pub use store::PostgresStore;
