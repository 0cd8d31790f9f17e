//! Payments: products, bodies, states, decisions and answers.

pub(crate) mod accept_fix;
pub mod bodies;
pub(crate) mod body;
pub(crate) mod body_context;
mod checks;
mod draft;
pub mod duplicate_fingerprint;
pub mod machine;
mod members;
mod misplaced;
pub mod order;
pub(crate) mod payment_rules;
pub mod product;
pub mod record;
pub mod stored;
pub(crate) mod view;
