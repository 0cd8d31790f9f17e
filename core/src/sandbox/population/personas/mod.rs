//! Choosing customers of a population by what they are and have.

mod criteria;
mod profile;

pub(crate) use criteria::Tally;
pub use criteria::{Criteria, Span};
pub(crate) use profile::Profile;
