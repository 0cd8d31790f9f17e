//! What a store keeps of calls and outages, for statistics.

use std::ops::Range;

use chrono::{DateTime, NaiveDate, Utc};

use crate::error::Result;
use crate::statistics::record::{DayCalls, Outage};

/// Calls by day, and outages.
pub trait StatisticsStore: Send + Sync {
    /// The calls of the days from the first to the last, of one TPP or of all, by day, operation and end.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn day_calls(&self, first: NaiveDate, last: NaiveDate, tpp: Option<&str>) -> Result<Vec<DayCalls>>;

    /// Outages that are partly or wholly in a range of time, by their beginning: those that began after `after`, at
    /// most `limit`.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn outages(
        &self,
        range: &Range<DateTime<Utc>>,
        after: Option<DateTime<Utc>>,
        limit: usize,
    ) -> Result<Vec<Outage>>;
}
