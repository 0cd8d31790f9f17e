//! The host's bank with a time limit. A call cannot be interrupted, because it runs on its caller's thread; a late
//! answer is logged, and not used if the bank only gave information.

use std::sync::Arc;

use chrono::TimeDelta;
use rust_decimal::Decimal;
use tracing::field::display;

use crate::bank::Bank;
use crate::env::clock::Clock;
use crate::error::{Error, Result};
use crate::json_bank::guarded_bank::{Guard, GuardedBank, Question};

/// A bank whose answers count if they come in time. An action of the bank counts however late it is reported: otherwise
/// bank and engine would not agree on what happened.
pub(super) type TimeoutBank = GuardedBank<Timeout>;

impl TimeoutBank {
    pub(super) fn within(inner: Arc<dyn Bank>, clock: Arc<dyn Clock>, seconds_max: u32) -> Self {
        Self::new(inner, Timeout { clock, seconds_max })
    }
}

/// How long an answer may take.
pub(super) struct Timeout {
    clock: Arc<dyn Clock>,
    seconds_max: u32,
}

impl Guard for Timeout {
    /// Asks, and measures the time. A call that failed keeps its own error.
    fn ask<T>(&self, question: &Question<'_>, ask: impl FnOnce() -> Result<T>) -> Result<T> {
        let begun = self.clock.now();
        let answered = ask();
        // If the clock was put back in between, the difference is negative, which is in time.
        let taken = self.clock.now().signed_duration_since(begun);
        if taken <= TimeDelta::seconds(self.seconds_max.into()) {
            return answered;
        }
        let Question { method, is_deed, payment } = *question;
        let (seconds, bank_seconds_max) = (in_seconds(taken), self.seconds_max);
        if is_deed {
            let payment_id = payment.map(display);
            tracing::warn!(method, payment_id, %seconds, bank_seconds_max, "the bank was slow; its answer counts");
            return answered;
        }
        answered.and_then(|_| {
            Err(Error::Bank(format!(
                "{method}: the answer took {seconds} seconds and is not used: bank_seconds_max is {bank_seconds_max}"
            )))
        })
    }
}

/// To the microsecond, without zeros at the end.
fn in_seconds(taken: TimeDelta) -> Decimal {
    let micros = taken.num_microseconds().unwrap_or(i64::MAX);
    Decimal::new(micros, 6).normalize()
}
