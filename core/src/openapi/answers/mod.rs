//! What is answered: of each operation, with which status and what body.

mod account;
mod answer_object;
mod card;
#[cfg(feature = "sandbox")]
mod mock;
mod payment;
mod psu;
mod refusals;
pub(crate) mod table;
