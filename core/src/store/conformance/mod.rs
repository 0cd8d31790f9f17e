//! What every store must do, as named behaviours. A backend runs them all with `store_conformance!`.

pub(crate) mod access_counts;
pub(crate) mod audit;
pub(crate) mod authorisations;
pub(crate) mod baskets;
pub(crate) mod consents;
pub(crate) mod contenders;
pub(crate) mod creations;
pub(crate) mod duplicates;
pub(crate) mod events;
pub(crate) mod model;
mod model_outbox;
pub(crate) mod orders;
pub(crate) mod payments;
pub(crate) mod persons;
pub(crate) mod request_ids;
pub(crate) mod samples;
pub(crate) mod sessions;
mod suite;
pub(crate) mod transactions;

pub(crate) use suite::{store_conformance, Backend};
