//! When the payment batch runs: five times a day (contract: States and transitions).

use chrono::{DateTime, NaiveDate, Utc};

use crate::types::date::{oslo_day, oslo_time};

/// The times of the batch in Oslo: hour and minute.
pub(super) const RUNS: [(u32, u32); 5] = [(6, 0), (10, 0), (13, 0), (15, 30), (18, 0)];

/// The first batch after that time; never that time itself.
pub fn next_run(after: DateTime<Utc>) -> DateTime<Utc> {
    let today = oslo_day(after);
    let days = [Some(today), today.succ_opt()].into_iter().flatten();
    days.flat_map(runs_of).find(|run| *run > after).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// The first batch of a day.
pub(super) fn first_run(day: NaiveDate) -> DateTime<Utc> {
    runs_of(day).next().unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// The batches of a day, in their order.
fn runs_of(day: NaiveDate) -> impl Iterator<Item = DateTime<Utc>> {
    RUNS.iter().map(move |&(hour, minute)| oslo_time(day, hour, minute))
}
