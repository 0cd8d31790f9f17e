//! The figures of a day, made of what was counted. Pure.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::record::{CallEnd, CallSum, DayCalls, Outage};
use crate::types::date::oslo_midnight;

/// The figures of the requests of one role, or of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RequestFigures {
    /// Requests with the answer that the TPP asked for, and how long they took.
    pub answered: CallSum,
    /// Requests that were refused by a rule.
    pub refused: u64,
    /// Requests that failed by an error of the bank or the engine.
    pub errors: u64,
}

impl RequestFigures {
    /// All requests.
    pub fn requests(&self) -> u64 {
        self.answered.calls.saturating_add(self.refused).saturating_add(self.errors)
    }

    /// The mean time of an answered request in milliseconds. `None`: none was answered.
    pub fn mean_millis(&self) -> Option<f64> {
        let calls = self.answered.calls;
        (calls > 0).then(|| self.answered.micros as f64 / calls as f64 / 1e3)
    }

    /// Errors of the bank or the engine by requests, 0 to 1. `None`: no request came.
    pub fn error_rate(&self) -> Option<f64> {
        let requests = self.requests();
        (requests > 0).then(|| self.errors as f64 / requests as f64)
    }

    fn add(&mut self, end: CallEnd, sum: CallSum) {
        match end {
            CallEnd::Answered => self.answered.add(sum),
            CallEnd::Refused => self.refused = self.refused.saturating_add(sum.calls),
            CallEnd::Failed => self.errors = self.errors.saturating_add(sum.calls),
        }
    }
}

/// The figures of one day.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DayStatistics {
    /// The day (Europe/Oslo).
    pub day: NaiveDate,
    /// How long it is: 23 or 25 hours where the clocks change.
    pub length: TimeDelta,
    /// How long the interface was down in it.
    pub downtime: TimeDelta,
    /// Requests for account information, for which a TPP needs the role PSP_AI.
    pub aisp: RequestFigures,
    /// Requests of payment initiation, for which a TPP needs the role PSP_PI.
    pub pisp: RequestFigures,
    /// All requests.
    pub all: RequestFigures,
    /// The same by operation; under an empty name those that failed before they were routed.
    pub operations: BTreeMap<String, RequestFigures>,
}

/// The roles of a TPP that an operation counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CountedRoles {
    pub(crate) aisp: bool,
    pub(crate) pisp: bool,
}

impl DayStatistics {
    /// A day without calls and outages.
    pub(crate) fn new(day: NaiveDate) -> Self {
        Self {
            day,
            length: end_of(day).signed_duration_since(oslo_midnight(day)),
            downtime: TimeDelta::zero(),
            aisp: RequestFigures::default(),
            pisp: RequestFigures::default(),
            all: RequestFigures::default(),
            operations: BTreeMap::new(),
        }
    }

    /// Adds calls of the day.
    pub(crate) fn add_calls(&mut self, calls: &DayCalls, roles: CountedRoles) {
        let of_operation = self.operations.entry(calls.operation.clone()).or_default();
        let all = &mut self.all;
        let counted = [of_operation, all].into_iter();
        let of_roles = [(roles.aisp, &mut self.aisp), (roles.pisp, &mut self.pisp)];
        let of_roles = of_roles.into_iter().filter_map(|(counts, figures)| counts.then_some(figures));
        counted.chain(of_roles).for_each(|figures| figures.add(calls.end, calls.sum));
    }

    /// Adds the part of an outage that is in the day. Outages that are added do not overlap.
    pub(crate) fn add_outage(&mut self, outage: Outage) {
        let from = outage.from.max(oslo_midnight(self.day));
        let to = outage.to.min(end_of(self.day));
        self.downtime += to.signed_duration_since(from).max(TimeDelta::zero());
    }

    /// In how much of the day the interface was not down, in percent.
    pub fn uptime_percent(&self) -> f64 {
        100.0 - 100.0 * seconds(self.downtime) / seconds(self.length)
    }

    /// How long the interface was down, in seconds.
    pub fn downtime_seconds(&self) -> f64 {
        seconds(self.downtime)
    }
}

fn seconds(time: TimeDelta) -> f64 {
    time.num_milliseconds() as f64 / 1e3
}

/// The first instant of the day after.
pub(crate) fn end_of(day: NaiveDate) -> DateTime<Utc> {
    day.succ_opt().map_or(DateTime::<Utc>::MAX_UTC, oslo_midnight)
}

/// Adds outages to others, joined where they overlap or touch; all come sorted by their beginning.
pub(crate) fn join(joined: &mut Vec<Outage>, more: impl IntoIterator<Item = Outage>) {
    for outage in more {
        match joined.last_mut() {
            Some(last) if outage.from <= last.to => last.to = last.to.max(outage.to),
            _ => joined.push(outage),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn outage(from: &str, to: &str) -> Outage {
        Outage { from: from.parse().unwrap(), to: to.parse().unwrap() }
    }

    #[test]
    fn a_day_has_the_hours_that_it_has_in_oslo() {
        for (text, hours) in [("2026-03-29", 23), ("2026-10-25", 25), ("2026-10-26", 24)] {
            assert_eq!(DayStatistics::new(day(text)).length, TimeDelta::hours(hours), "{text}");
        }
    }

    #[test]
    fn an_outage_counts_for_the_part_in_each_day() {
        let whole = outage("2026-10-24T21:59:00Z", "2026-10-25T23:00:30Z");
        for (text, seconds, percent) in [
            ("2026-10-24", 60.0, 100.0 - 100.0 * 60.0 / 86_400.0),
            ("2026-10-25", 90_000.0, 0.0),
            ("2026-10-26", 30.0, 100.0 - 100.0 * 30.0 / 86_400.0),
            ("2026-10-27", 0.0, 100.0),
        ] {
            let mut figures = DayStatistics::new(day(text));
            figures.add_outage(whole);
            assert_eq!((figures.downtime_seconds(), figures.uptime_percent()), (seconds, percent), "{text}");
        }
    }

    #[test]
    fn outages_that_overlap_or_touch_count_once() {
        let parts = [
            outage("2026-09-01T10:00:00Z", "2026-09-01T10:10:00Z"),
            outage("2026-09-01T10:05:00Z", "2026-09-01T10:06:00Z"),
            outage("2026-09-01T10:10:00Z", "2026-09-01T10:20:00Z"),
            outage("2026-09-01T10:20:01Z", "2026-09-01T10:30:00Z"),
        ];
        let expected = [outage("2026-09-01T10:00:00Z", "2026-09-01T10:20:00Z"), parts[3]];
        for length in 0..=parts.len() {
            let mut joined = Vec::new();
            let (first, more) = parts.split_at(length);
            join(&mut joined, first.iter().copied());
            join(&mut joined, more.iter().copied());
            assert_eq!(joined, expected);
        }
    }

    #[test]
    fn figures_without_requests_have_no_rate() {
        let mut figures = RequestFigures::default();
        assert_eq!((figures.mean_millis(), figures.error_rate()), (None, None));
        figures.add(CallEnd::Failed, CallSum { calls: 1, micros: 9_000 });
        assert_eq!((figures.mean_millis(), figures.error_rate()), (None, Some(1.0)));
        figures.add(CallEnd::Answered, CallSum { calls: 3, micros: 4_500 });
        assert_eq!((figures.mean_millis(), figures.error_rate()), (Some(1.5), Some(0.25)));
    }
}
