//! What bears on a population beside its plan.

use chrono::{DateTime, Utc};

use crate::env::entropy::Entropy;
use crate::sandbox::Rates;

/// Ids, chance, rates and time.
pub(crate) struct Setting<'a> {
    /// Where ids come from, and what is left to chance.
    pub(crate) entropy: &'a dyn Entropy,
    /// What cards are used at abroad.
    pub(crate) rates: &'a Rates,
    pub(crate) now: DateTime<Utc>,
}
