//! The host's bank with a time limit. A call cannot be interrupted, because it runs on its caller's thread; a late
//! answer is logged, and not used if the bank only gave information.

use std::sync::Arc;

use chrono::TimeDelta;
use rust_decimal::Decimal;
use tracing::field::display;

use crate::bank::Bank;
use crate::env::clock::Clock;
use crate::env::current_call::note_question;
use crate::error::{Error, Result};
use crate::json_bank::guarded_bank::{Guard, GuardedBank, Question};
use crate::policy::Policy;

/// A bank whose answers count if they come in time. An action of the bank counts however late it is reported: otherwise
/// bank and engine would not agree on what happened.
pub(super) type TimeoutBank = GuardedBank<Timeout>;

impl TimeoutBank {
    pub(super) fn within(inner: Arc<dyn Bank>, clock: Arc<dyn Clock>, policy: &Policy) -> Self {
        let limit = |policy, seconds| Limit { policy, seconds };
        let each = limit("bank_seconds_max", policy.bank_seconds_max);
        let all = limit("call_bank_seconds_max", policy.call_bank_seconds_max);
        Self::new(inner, Timeout { clock, each, all })
    }
}

/// How long an answer may take, and all questions of one call.
pub(super) struct Timeout {
    clock: Arc<dyn Clock>,
    each: Limit,
    all: Limit,
}

/// A policy, and its number of seconds; 0: there is no limit.
struct Limit {
    policy: &'static str,
    seconds: u32,
}

impl Limit {
    fn is_passed_by(&self, taken: TimeDelta) -> bool {
        self.seconds > 0 && taken > TimeDelta::seconds(self.seconds.into())
    }
}

impl Guard for Timeout {
    /// Asks, and measures the time. A call that failed keeps its own error. The first late answer ends the call, so
    /// none is asked after the time of the call.
    fn ask<T>(&self, question: &Question<'_>, ask: impl FnOnce() -> Result<T>) -> Result<T> {
        let Question { method, is_deed, payment } = *question;
        let begun = self.clock.now();
        let answered = ask();
        // If the clock was put back in between, the difference is negative, which is in time.
        let taken = self.clock.now().signed_duration_since(begun).max(TimeDelta::zero());
        let spent = note_question(taken).unwrap_or_default();
        let ((late, unused), time, limit) =
            match (self.each.is_passed_by(taken), self.all.is_passed_by(spent)) {
                (true, _) => (("the answer", "is not used"), taken, &self.each),
                (false, true) => (("the answers of this call", "the last is not used"), spent, &self.all),
                (false, false) => return answered,
            };
        let (seconds, &Limit { policy, seconds: seconds_max }) = (in_seconds(time), limit);
        if is_deed {
            let payment_id = payment.map(display);
            tracing::warn!(method, payment_id, %seconds, policy, seconds_max, "the bank was slow; its answer counts");
            return answered;
        }
        answered.and_then(|_| {
            Err(Error::Bank(format!(
                "{method}: {late} took {seconds} seconds and {unused}: {policy} is {seconds_max}"
            )))
        })
    }
}

/// To the microsecond, without zeros at the end.
fn in_seconds(taken: TimeDelta) -> Decimal {
    let micros = taken.num_microseconds().unwrap_or(i64::MAX);
    Decimal::new(micros, 6).normalize()
}
