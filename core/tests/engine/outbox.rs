//! The outbox: what becomes of authorised payments where the bank is away, answers nonsense or panics, where the
//! store fails, and where several nodes deliver at the same time.

mod claims;
mod delivery;
mod endings;
mod nodes;
mod rails;
mod reports;
mod set_aside;
mod times;
