//! The only ways to time, randomness and the outside world.

pub mod clock;
pub mod entropy;
pub mod interference;
pub mod logger;
pub mod registry;
pub mod revocation;
