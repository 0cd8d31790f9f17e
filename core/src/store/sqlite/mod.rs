//! The default store: SQLite, in memory or in a file.

mod access_count;
mod apply;
mod audit;
mod authorisation;
mod bank_identity;
mod basket;
mod block;
mod columns;
mod commit_queue;
mod connection;
mod consent;
pub(crate) mod database;
mod database_role;
#[cfg(feature = "sandbox")]
pub(crate) mod document;
mod event;
mod failure;
mod file_set;
#[cfg(test)]
mod forked;
mod group_commit;
mod locks;
#[cfg(test)]
#[cfg(unix)]
mod lost_files;
mod new_file;
mod open_file_guard;
mod outbox;
mod payment;
mod psu;
mod readers;
mod request_id;
mod retention;
#[cfg(feature = "sandbox")]
pub(crate) mod sandbox;
mod schema;
mod session;
mod shared_transaction;
mod statistics;
mod store;
mod transaction;

pub use database::Database;
pub use store::SqliteStore;
