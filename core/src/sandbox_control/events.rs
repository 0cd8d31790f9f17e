//! What happens when the clock moves: every due event in order, each at its own time.

use chrono::{DateTime, TimeDelta, Utc};

use super::file_clock::keep_clock;
use super::sandbox::Sandbox;
use crate::bank::OrderStatus;
use crate::env::clock::{within_calendar, Clock};
use crate::error::{Error, Result};
use crate::sandbox::batch::BatchResult;
use crate::sandbox::population::Lives;
use crate::types::PaymentId;

impl Sandbox {
    /// When the bank does something next; `None` if nothing is due. The clock does not move.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn next_event(&self) -> Result<Option<DateTime<Utc>>> {
        let midnight = Lives::next_midnight(&self.database)?;
        let events = [self.engine.next_due()?, self.bank.next_batch_needed()?, midnight];
        Ok(events.into_iter().flatten().min())
    }

    /// Moves the clock to a time, stopping at each event.
    pub(super) fn move_clock(&self, to: DateTime<Utc>) -> Result<()> {
        self.move_clock_from(|_| Ok(Some(to))).map(drop)
    }

    /// As [`Sandbox::move_clock`], by a span. Gives the time that the clock then shows.
    pub(super) fn move_clock_by(&self, by: TimeDelta) -> Result<DateTime<Utc>> {
        let beyond = || Error::Misuse("the time is after the year 9999".to_owned());
        let moved = self.move_clock_from(|now| now.checked_add_signed(by).ok_or_else(beyond).map(Some))?;
        Ok(moved.unwrap_or_else(|| self.clock.now()))
    }

    /// As [`Sandbox::move_clock`], to the next event. Returns `None` and leaves the clock unchanged if there is none.
    pub(super) fn move_clock_to_next_event(&self) -> Result<Option<DateTime<Utc>>> {
        self.move_clock_from(|now| Ok(self.next_event()?.map(|event| event.max(now))))
    }

    /// Moves the clock to what `target` returns for the current time; no other caller moves it in between.
    fn move_clock_from(
        &self,
        target: impl FnOnce(DateTime<Utc>) -> Result<Option<DateTime<Utc>>>,
    ) -> Result<Option<DateTime<Utc>>> {
        let _guard = self.moving.write();
        let now = self.now();
        let Some(to) = target(now)? else { return Ok(None) };
        let to = within_calendar(to)?;
        if to < now {
            return Err(Error::Misuse(format!("the clock shows {now} and does not go back to {to}")));
        }
        Lives::check(&self.database, to)?;
        while let Some(event) = self.next_event()?.filter(|event| *event <= to) {
            self.clock.set(event.max(self.clock.now()))?;
            self.perform()?;
        }
        self.clock.set(to)?;
        keep_clock(&self.database, to)?;
        // Also where nothing was due: links and request ids of calls that only read are over too.
        self.engine.run_due()?;
        Ok(Some(to))
    }

    /// Performs what is due at the present.
    fn perform(&self) -> Result<()> {
        self.engine.run_due()?;
        let now = self.clock.now();
        if self.bank.next_batch_needed()?.is_some_and(|needed| needed <= now) {
            self.report_all(self.bank.run(now)?)?;
        }
        self.lives.live_until(&self.database, now)
    }

    /// Reports to the engine what the bank settled before it last went down.
    pub(super) fn catch_up(&self) -> Result<()> {
        self.engine.run_due()?;
        self.report_all(self.bank.unreported()?)
    }

    fn report_all(&self, mut results: Vec<BatchResult>) -> Result<()> {
        while !results.is_empty() {
            for (payment_id, statuses) in &results {
                for reported in statuses {
                    self.report_one(payment_id, *reported)?;
                }
                self.bank.mark_reported(payment_id)?;
            }
            results = self.bank.unreported()?;
        }
        Ok(())
    }

    /// After a crash between the report and its mark, a report by hand, or another sandbox on the same file,
    /// the engine may be further already: what its table has no row for is no news.
    fn report_one(&self, payment_id: &PaymentId, reported: OrderStatus) -> Result<()> {
        let OrderStatus { status, funds_available } = reported;
        match self.engine.report_payment_status(payment_id.as_str(), status, funds_available) {
            Err(error) if error.is_of_caller() => Ok(()),
            result => result,
        }
    }
}
