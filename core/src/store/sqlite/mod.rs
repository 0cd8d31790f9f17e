//! The default store: SQLite, in memory or in a file.

mod access_count;
mod appended;
mod apply;
mod audit;
mod authorisation;
mod basket;
mod columns;
mod connection;
mod consent;
mod creation;
pub mod database;
#[cfg(feature = "sandbox")]
pub mod document;
mod event;
mod failure;
#[cfg(test)]
mod forked;
mod group_commit;
mod image;
mod known_likenesses;
mod known_request_ids;
mod known_rows;
mod meta;
mod new_file;
mod new_payment_place;
mod open_files;
mod open_transaction;
mod opening_link;
mod outbox;
mod owner;
mod payment;
mod payment_place;
mod places;
mod psu;
mod readers;
mod request_id;
#[cfg(feature = "sandbox")]
pub mod sandbox;
mod schema;
mod session;
mod shared_transaction;
mod store;
mod transaction;
mod turn;
mod writer;

pub use database::Database;
#[cfg(feature = "sandbox")]
pub(crate) use meta::{LINKS_MOVED, SANDBOX_CLOCK};
pub use store::SqliteStore;
