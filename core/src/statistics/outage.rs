//! When the interface is down (EBA/GL/2018/07, guideline 2.4(c)): five requests in a row are not answered.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::record::{CallEnd, Outage};
use crate::limits::{OUTAGE_CALLS_MIN, UNANSWERED_AFTER_SECONDS};

/// Whether a request counts as not answered: it got an error of the bank or the engine, or its answer took more than 30
/// seconds.
pub(crate) fn is_unanswered(end: CallEnd, took: Duration) -> bool {
    end == CallEnd::Failed || took > Duration::from_secs(UNANSWERED_AFTER_SECONDS)
}

/// The requests in a row that were not answered, as one engine sees them.
#[derive(Debug, Default)]
pub(crate) struct Series {
    requests: u32,
    /// When the first of them came.
    since: Option<DateTime<Utc>>,
}

impl Series {
    /// Notes a request that came at a time and took so long. Returns the outage that it begins, continues or ends.
    pub(crate) fn note(&mut self, at: DateTime<Utc>, took: Duration, is_unanswered: bool) -> Option<Outage> {
        let from = self.since.unwrap_or(at);
        if is_unanswered {
            *self = Self { requests: self.requests.saturating_add(1), since: Some(from) };
        }
        let is_outage = self.requests >= OUTAGE_CALLS_MIN;
        if !is_unanswered {
            *self = Self::default();
        }
        let took = TimeDelta::from_std(took).unwrap_or(TimeDelta::MAX);
        let answered = at.checked_add_signed(took).unwrap_or(at);
        // Where the clock was set back, it lasts until the time that was noted before.
        is_outage.then(|| Outage { from, to: answered.max(from) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOK: Duration = Duration::from_millis(20);

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_795_176_000 + second, 0).unwrap()
    }

    fn outage(from: i64, to: i64) -> Option<Outage> {
        Some(Outage { from: at(from), to: at(to) + TimeDelta::milliseconds(20) })
    }

    fn note(series: &mut Series, second: i64, is_unanswered: bool) -> Option<Outage> {
        series.note(at(second), TOOK, is_unanswered)
    }

    #[test]
    fn a_request_is_unanswered_after_thirty_seconds() {
        let limit = Duration::from_secs(30);
        for end in [CallEnd::Answered, CallEnd::Refused] {
            assert!(!is_unanswered(end, limit));
            assert!(is_unanswered(end, limit + Duration::from_micros(1)));
        }
        assert!(is_unanswered(CallEnd::Failed, Duration::ZERO));
    }

    #[test]
    fn five_in_a_row_are_an_outage_and_four_are_none() {
        let mut series = Series::default();
        for second in 0..4 {
            assert_eq!(note(&mut series, second, true), None);
        }
        assert_eq!(note(&mut series, 4, false), None);
        for second in 5..9 {
            assert_eq!(note(&mut series, second, true), None);
        }
        assert_eq!(note(&mut series, 9, true), outage(5, 9));
        assert_eq!(note(&mut series, 60, true), outage(5, 60));
        assert_eq!(note(&mut series, 90, false), outage(5, 90));
        assert_eq!(note(&mut series, 91, false), None);
    }

    #[test]
    fn an_outage_does_not_end_before_it_began() {
        let mut series = Series::default();
        for second in 0..4 {
            note(&mut series, second, true);
        }
        let set_back = Some(Outage { from: at(0), to: at(0) });
        assert_eq!(note(&mut series, -3600, true), set_back);
        assert_eq!(note(&mut series, -3599, false), set_back);
        assert_eq!(note(&mut series, -3598, true), None);
    }
}
