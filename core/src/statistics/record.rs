//! What a store counts of calls.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, Utc};

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallEnd {
    /// With the answer that the TPP asked for: a status below 400.
    Answered,
    /// With an error of the TPP or a rule: a status from 400 to 499.
    Refused,
    /// With an error of the bank or the engine: a status from 500 on.
    Failed,
}

impl CallEnd {
    const ALL: [Self; 3] = [Self::Answered, Self::Refused, Self::Failed];

    /// How a call with that HTTP status ended.
    pub(crate) fn of_status(status: u16) -> Self {
        match status {
            ..400 => Self::Answered,
            400..500 => Self::Refused,
            500.. => Self::Failed,
        }
    }

    /// Its name in a row.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }

    /// The end of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|end| end.as_str() == name)
    }
}

/// What calls are counted by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountedCalls {
    /// The day (Europe/Oslo) on which they began.
    pub day: NaiveDate,
    /// The organisation identifier of the TPP; empty if no caller was authenticated.
    pub tpp: Arc<str>,
    /// The name of the operation; empty if a call failed before it was routed.
    pub operation: &'static str,
    /// How they ended.
    pub end: CallEnd,
}

/// A number of calls, and how long they took together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallSum {
    /// The number.
    pub calls: u64,
    /// From each request to its complete answer, in microseconds.
    pub micros: u64,
}

impl CallSum {
    /// One call.
    pub(crate) fn of_call(took: Duration) -> Self {
        Self { calls: 1, micros: u64::try_from(took.as_micros()).unwrap_or(u64::MAX) }
    }

    /// Adds others.
    pub(crate) fn add(&mut self, others: Self) {
        self.calls = self.calls.saturating_add(others.calls);
        self.micros = self.micros.saturating_add(others.micros);
    }
}

/// The calls of one day and operation with one end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayCalls {
    /// The day (Europe/Oslo).
    pub day: NaiveDate,
    /// The name of the operation; empty if they failed before they were routed.
    pub operation: String,
    /// How they ended.
    pub end: CallEnd,
    /// How many, and how long they took.
    pub sum: CallSum,
}

/// A time in which the interface was down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    /// When the first request came that was not answered.
    pub from: DateTime<Utc>,
    /// Until when it is known to have lasted.
    pub to: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_ends_by_its_status() {
        for (status, end) in [
            (200, CallEnd::Answered),
            (399, CallEnd::Answered),
            (400, CallEnd::Refused),
            (499, CallEnd::Refused),
            (500, CallEnd::Failed),
            (599, CallEnd::Failed),
        ] {
            assert_eq!(CallEnd::of_status(status), end, "{status}");
            assert_eq!(CallEnd::parse(end.as_str()), Some(end));
        }
        assert_eq!(CallEnd::parse("Failed"), None);
    }
}
