//! Payments: products, bodies, states, decisions and answers.

pub(crate) mod accept_fix;
pub mod bodies;
pub(crate) mod body;
pub(crate) mod body_context;
mod checks;
mod draft;
pub(crate) mod duplicate_fingerprint;
pub(crate) mod machine;
mod members;
mod misplaced;
pub(crate) mod order;
pub(crate) mod payment_rules;
pub(crate) mod product;
pub(crate) mod record;
pub mod stored;
pub(crate) mod view;
