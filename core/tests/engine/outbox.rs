//! The outbox: authorised payments where the bank is unavailable, gives invalid answers or panics, where the store
//! fails, and where several nodes deliver at the same time.

mod claims;
mod dead_letters;
mod delivery;
mod endings;
mod nodes;
mod rails;
mod reports;
mod times;
