//! Time. The engine reads its clock once per call of a TPP, at the start; all later stages take the time as an
//! argument. The host's own calls may wait long for the bank: they read the clock again when the answer is there.
//! Otherwise the engine only measures how long the bank takes. Response times are measured by a [`Stopwatch`].

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};

use crate::error::{Error, Result};
use crate::types::instant::is_in_calendar;

/// Where an engine takes its time from.
pub trait Clock: Send + Sync {
    /// The present.
    fn now(&self) -> DateTime<Utc>;
}

/// The clock of the machine.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the only place where the time is read")]
    fn now(&self) -> DateTime<Utc> {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let micros = i64::try_from(since_epoch.as_micros()).unwrap_or(i64::MAX);
        from_micros(micros)
    }
}

/// Measures how long something takes, independent of every clock.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "this is the only place where durations are measured")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that changes only when it is moved, and never goes back.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that shows the given time.
    pub fn new(now: DateTime<Utc>) -> Self {
        Self(AtomicI64::new(now.timestamp_micros()))
    }

    /// Moves the clock forward to the given time.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a time before the present one.
    pub fn set(&self, to: DateTime<Utc>) -> Result<()> {
        let to_micros = to.timestamp_micros();
        let mut shown = self.0.load(Ordering::Acquire);
        while to_micros >= shown {
            match self.0.compare_exchange_weak(shown, to_micros, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Ok(()),
                Err(moved) => shown = moved,
            }
        }
        Err(Error::Misuse(format!("the clock shows {} and does not go back to {to}", from_micros(shown))))
    }

    /// Puts the clock anywhere, back too: only restoring a snapshot does that.
    pub(crate) fn restore(&self, to: DateTime<Utc>) {
        self.0.store(to.timestamp_micros(), Ordering::Release);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        from_micros(self.0.load(Ordering::Acquire))
    }
}

/// The time, if every interface can represent it: the years 1 to 9999, the range of RFC 3339 and Python's datetime.
///
/// To the microsecond, which is what a clock shows; a leap second is the second after it.
///
/// # Errors
/// [`Error::Misuse`] for a time before or after them.
pub(crate) fn within_calendar(time: DateTime<Utc>) -> Result<DateTime<Utc>> {
    let shown = from_micros(time.timestamp_micros());
    match is_in_calendar(shown) {
        true => Ok(shown),
        false => Err(Error::Misuse(format!("a clock shows the years 1 to 9999 (UTC), not {time}"))),
    }
}

/// The time that many microseconds after 1970; the nearest that exists for values beyond chrono's range.
pub fn from_micros(micros: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(micros).unwrap_or(if micros < 0 {
        DateTime::<Utc>::MIN_UTC
    } else {
        DateTime::<Utc>::MAX_UTC
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_forward_and_never_back() {
        let clock = ManualClock::new(from_micros(1_000_000));
        clock.set(from_micros(2_000_000)).unwrap();
        clock.set(from_micros(2_000_000)).unwrap();
        assert!(matches!(clock.set(from_micros(1_999_999)), Err(Error::Misuse(_))));
        assert_eq!(clock.now(), from_micros(2_000_000));
    }

    #[test]
    fn the_calendar_is_the_years_that_every_interface_can_express() {
        let ends = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"].map(|text| text.parse().unwrap());
        let [first, last]: [DateTime<Utc>; 2] = ends;
        let micro = chrono::TimeDelta::microseconds(1);
        assert_eq!((within_calendar(first).unwrap(), within_calendar(last).unwrap()), (first, last));
        let leap_second = "9999-12-31T23:59:60Z".parse().unwrap();
        for beyond in [first - micro, last + micro, leap_second] {
            assert!(matches!(within_calendar(beyond), Err(Error::Misuse(_))), "{beyond}");
        }
    }

    #[test]
    fn times_beyond_the_calendar_are_its_ends() {
        assert_eq!(from_micros(i64::MAX), DateTime::<Utc>::MAX_UTC);
        assert_eq!(from_micros(i64::MIN), DateTime::<Utc>::MIN_UTC);
    }
}
