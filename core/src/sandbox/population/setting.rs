//! What bears on a population beside its plan.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::sandbox::Rates;

/// Chance, rates and time.
#[derive(Clone)]
pub(crate) struct Setting {
    /// What ids, numbers and all that is left to chance come from.
    pub(crate) seed: u64,
    /// What cards are used at abroad.
    pub(crate) rates: Arc<Rates>,
    pub(crate) now: DateTime<Utc>,
}
