//! The payment batch: five times a day, it settles what has come due (contract: States and transitions).
//!
//! Settled orders are handed out until the engine confirms that it has them, so that a crash in between loses nothing.

use chrono::{DateTime, Utc};

#[cfg(test)]
use super::batch_times::first_run;
pub use super::batch_times::next_run;
use super::order_status::final_status;
use super::{ledger, SandboxBank};
use crate::bank::OrderStatus;
use crate::error::{Error, Result};
use crate::payment::machine::PaymentStatus;
use crate::store::sqlite::sandbox::OrderState;
use crate::types::PaymentId;

/// How many payments are looked up, or handed out, at once.
const CHUNK: u32 = 1000;

/// What the batch did with one payment: the statuses it went through, in order.
pub(crate) type BatchResult = (PaymentId, Vec<OrderStatus>);

impl SandboxBank {
    /// When the batch has next to run: the earliest run that an order waits for. It may lie in the past,
    /// where the engine slept through it; with outcomes that are not reported yet it is the time of the
    /// earliest. `None`: nothing waits.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn next_batch_needed(&self) -> Result<Option<DateTime<Utc>>> {
        self.database.read_books(|books| books.next_order_time())
    }

    /// Runs the batch of that time: settles every order that was due by then, each in a transaction of its
    /// own. Answers what is not reported yet, of earlier runs too, up to a thousand payments in the order
    /// they were settled: while there is an answer, report it and ask [`SandboxBank::unreported`] again.
    ///
    /// # Errors
    /// [`Error::Store`]. What was settled before stays settled, and is reported by the
    /// next run.
    pub fn run(&self, at: DateTime<Utc>) -> Result<Vec<BatchResult>> {
        loop {
            let due = self.database.read_books(|books| books.due_payments(at, CHUNK))?;
            if due.is_empty() {
                return self.unreported();
            }
            due.iter().try_for_each(|id| self.settle_waiting(id, at))?;
        }
    }

    /// Whether the bank has an order for that payment, in any state.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(crate) fn has_order(&self, id: &PaymentId) -> Result<bool> {
        self.database.read_books(|books| books.order(id)).map(|order| order.is_some())
    }

    /// Whether the bank is yet to book that payment, or to get an order for it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(crate) fn is_to_settle(&self, id: &PaymentId) -> Result<bool> {
        let order = self.database.read_books(|books| books.order(id))?;
        Ok(order.is_none_or(|order| order.state == OrderState::Waiting))
    }

    /// Settles an order before its batch, if it waits for one: all of it, or nothing is changed. Returns whether it
    /// did: booked orders and standing orders are left unchanged.
    ///
    /// # Errors
    /// [`Error::Misuse`] for an order that cannot be booked as a whole, or is not here yet; [`Error::Store`].
    pub(crate) fn settle_early(&self, id: &PaymentId, at: DateTime<Utc>) -> Result<bool> {
        self.database.write_books(|books| {
            let unknown = || Error::Misuse(format!("the bank has no order for payment {id} yet"));
            let mut order = books.order(id)?.ok_or_else(unknown)?;
            let waits = order.state == OrderState::Waiting;
            if waits {
                ledger::settle(books, &self.rates(), &mut order, at)?;
                books.close_order(&order)?;
            }
            if !matches!(order.state, OrderState::Booked | OrderState::Standing) {
                let comes_to = final_status(order.state).status;
                return Err(Error::Misuse(format!("the bank cannot carry payment {id} out: {comes_to}")));
            }
            Ok(waits)
        })
    }

    /// Holds an order, so that no batch settles it.
    ///
    /// # Errors
    /// [`Error::Misuse`] for an order that is not here yet, or that is settled; [`Error::Store`].
    pub(crate) fn hold(&self, id: &PaymentId) -> Result<()> {
        self.database.write_books(|books| {
            let unknown = || Error::Misuse(format!("the bank has no order for payment {id} yet"));
            match books.order(id)?.ok_or_else(unknown)?.state {
                OrderState::Waiting | OrderState::Standing => books.hold_order(id),
                settled => {
                    let status = final_status(settled).status;
                    Err(Error::Misuse(format!("the bank has settled payment {id} already: {status}")))
                }
            }
        })
    }

    /// Releases an order that is held; every other one is left unchanged.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(crate) fn release(&self, id: &PaymentId, now: DateTime<Utc>) -> Result<()> {
        self.database.write_books(|books| books.release_order(id, now, next_run(now)))
    }

    /// What was settled and is not reported yet, as [`SandboxBank::run`] answers it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn unreported(&self) -> Result<Vec<BatchResult>> {
        let unreported = self.database.read_books(|books| books.unreported_payments(CHUNK))?;
        Ok(unreported.into_iter().map(|(id, state)| (id, statuses(state))).collect())
    }

    /// Notes that the engine has the outcome of that payment, so that it is not reported again. An order that still
    /// waits is left unchanged.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn mark_reported(&self, payment: &PaymentId) -> Result<()> {
        self.database.write_books(|books| books.mark_reported(payment))
    }

    /// Reads the order again inside the transaction: another process may have settled it in between.
    fn settle_waiting(&self, id: &PaymentId, at: DateTime<Utc>) -> Result<()> {
        self.database.write_books(|books| {
            let waiting = books.order(id)?.filter(|order| order.state == OrderState::Waiting);
            let Some(mut order) = waiting else { return Ok(()) };
            if books.is_order_held(id)? {
                return Ok(());
            }
            ledger::settle(books, &self.rates(), &mut order, at)?;
            books.close_order(&order)
        })
    }
}

/// What is booked, and be it in part, is in settlement before it is settled.
fn statuses(state: OrderState) -> Vec<OrderStatus> {
    let last = final_status(state);
    match last.status {
        PaymentStatus::Acsc | PaymentStatus::Part => {
            // A lack of funds is reported with the final status only.
            let funds_available = last.funds_available.filter(|available| *available);
            vec![OrderStatus { status: PaymentStatus::Acsp, funds_available }, last]
        }
        _ => vec![last],
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chrono::{NaiveDate, TimeDelta};

    use super::*;
    use crate::bank::Bank;
    use crate::sandbox::fixture::{
        bulk, cross_border, domestic, instant, noon, on_day, payment_id, single, Fixture,
    };
    use crate::sandbox::ledger::reconcile;
    use crate::store::sqlite::sandbox::CardStatus;
    use crate::store::sqlite::Database;
    use crate::types::date::oslo_time;

    fn utc(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn runs_after(start: &str, count: usize) -> Vec<String> {
        let runs = std::iter::successors(Some(next_run(utc(start))), |run| Some(next_run(*run)));
        runs.take(count).map(|run| run.format("%dT%H:%MZ").to_string()).collect()
    }

    #[test]
    fn the_batch_runs_five_times_a_day_in_oslo_time() {
        let winter = runs_after("2026-11-20T00:00:00Z", 6);
        assert_eq!(winter, ["20T05:00Z", "20T09:00Z", "20T12:00Z", "20T14:30Z", "20T17:00Z", "21T05:00Z"]);
        let summer = runs_after("2026-07-01T00:00:00Z", 5);
        assert_eq!(summer, ["01T04:00Z", "01T08:00Z", "01T11:00Z", "01T13:30Z", "01T16:00Z"]);
    }

    #[test]
    fn the_next_run_is_strictly_after() {
        let run = utc("2026-11-20T09:00:00Z");
        assert_eq!(next_run(run - TimeDelta::microseconds(1)), run);
        assert_eq!(next_run(run), utc("2026-11-20T12:00:00Z"));
    }

    #[test]
    fn both_nights_of_clock_change_move_the_first_run_alone() {
        // 2026-03-29: 02:00 becomes 03:00.
        assert_eq!(runs_after("2026-03-28T16:59:59Z", 3), ["28T17:00Z", "29T04:00Z", "29T08:00Z"]);
        assert_eq!(runs_after("2026-03-29T00:30:00Z", 1), ["29T04:00Z"]);
        // 2026-10-25: 03:00 becomes 02:00; both half past two are before the same run.
        assert_eq!(runs_after("2026-10-24T15:59:59Z", 3), ["24T16:00Z", "25T05:00Z", "25T09:00Z"]);
        for half_past_two in ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"] {
            assert_eq!(runs_after(half_past_two, 1), ["25T05:00Z"]);
        }
    }

    #[test]
    fn the_day_of_a_run_is_the_one_in_oslo() {
        // 23:30 UTC is the next day in Oslo already.
        assert_eq!(next_run(utc("2026-11-20T23:30:00Z")), utc("2026-11-21T05:00:00Z"));
        assert_eq!(next_run(DateTime::<Utc>::MAX_UTC), DateTime::<Utc>::MAX_UTC);
    }

    fn settled() -> Vec<OrderStatus> {
        [PaymentStatus::Acsp, PaymentStatus::Acsc]
            .map(|status| OrderStatus { status, funds_available: Some(true) })
            .to_vec()
    }

    #[test]
    fn an_order_waits_for_the_next_run_and_is_settled_by_it() {
        let fixture = Fixture::new();
        let run = noon() + TimeDelta::hours(1);
        let status = fixture.submit(&cross_border(instant(1, "10.00")), noon());
        assert_eq!(status, OrderStatus::of(PaymentStatus::Pdng));
        assert_eq!(fixture.bank.next_batch_needed().unwrap(), Some(run));
        assert_eq!(fixture.bank.run(run - TimeDelta::seconds(1)).unwrap(), []);
        assert_eq!(fixture.amounts("95360573002"), [""; 0]);
        assert_eq!(fixture.bank.run(run).unwrap(), [(payment_id(1), settled())]);
        assert_eq!(fixture.amounts("95360573002"), ["-30.00", "-10.00"]);
        assert_eq!(reconcile(fixture.database()).unwrap(), []);
    }

    #[test]
    fn an_order_taken_at_the_time_of_a_run_waits_for_the_one_after() {
        let fixture = Fixture::new();
        let run = noon() + TimeDelta::hours(1);
        fixture.submit(&cross_border(instant(1, "10.00")), run);
        assert_eq!(fixture.bank.next_batch_needed().unwrap(), Some(next_run(run)));
    }

    #[test]
    fn a_run_settles_in_the_order_of_arrival_until_the_money_is_out() {
        let fixture = Fixture::new();
        for (n, amount) in [(3, "60000.00"), (1, "60000.00"), (2, "39940.00")] {
            fixture.submit(&cross_border(instant(n, amount)), noon());
        }
        let refused = vec![OrderStatus { status: PaymentStatus::Rjct, funds_available: Some(false) }];
        let expected = [(payment_id(3), settled()), (payment_id(1), refused), (payment_id(2), settled())];
        assert_eq!(fixture.bank.run(next_run(noon())).unwrap(), expected);
        assert_eq!(fixture.balance("95360573002"), "0.00");
    }

    #[test]
    fn a_crash_between_booking_and_reporting_loses_nothing() {
        let database = Arc::new(Database::open_memory_for_sandbox().unwrap());
        let (fixture, order) = (Fixture::over(database.clone()), cross_border(instant(1, "10.00")));
        let run = next_run(noon());
        fixture.submit(&order, noon());
        fixture.bank.run(run).unwrap();
        // The process is gone; what is left is the database.
        let image = database.image().unwrap();
        let fixture = Fixture::over(Arc::new(Database::from_image(&image).unwrap()));
        assert_eq!(fixture.bank.next_batch_needed().unwrap(), Some(run));
        assert_eq!(
            fixture.submit(&order, run).status,
            PaymentStatus::Pdng,
            "its end is still to be reported"
        );
        assert_eq!(fixture.bank.unreported().unwrap(), [(payment_id(1), settled())]);
        assert_eq!(fixture.bank.run(next_run(run)).unwrap(), [(payment_id(1), settled())]);
        assert_eq!(fixture.amounts("95360573002"), ["-30.00", "-10.00"], "booked once");
        fixture.bank.mark_reported(&payment_id(1)).unwrap();
        assert_eq!(fixture.bank.next_batch_needed().unwrap(), None);
        assert_eq!(fixture.bank.unreported().unwrap(), []);
        assert_eq!(fixture.submit(&order, run).status, PaymentStatus::Acsc);
    }

    #[test]
    fn a_crash_after_a_bulk_was_booked_in_part_loses_nothing() {
        let database = Arc::new(Database::open_memory_for_sandbox().unwrap());
        let order = bulk(1, &[("95360573037", "60000.00"), ("95360573037", "40000.01")]);
        let fixture = Fixture::over(database.clone());
        fixture.submit(&order, noon());
        fixture.bank.run(next_run(noon())).unwrap();
        let fixture = Fixture::over(Arc::new(Database::from_image(&database.image().unwrap()).unwrap()));
        assert_eq!(fixture.submit(&order, noon()).status, PaymentStatus::Pdng, "still to be reported");
        let reported = [(PaymentStatus::Acsp, None), (PaymentStatus::Part, Some(false))];
        let reported = reported.map(|(status, funds_available)| OrderStatus { status, funds_available });
        assert_eq!(fixture.bank.unreported().unwrap(), [(payment_id(1), reported.to_vec())]);
        fixture.bank.mark_reported(&payment_id(1)).unwrap();
        assert_eq!(fixture.submit(&order, noon()), reported[1]);
        assert_eq!(fixture.amounts("95360573002"), ["-60000.00"], "booked once");
    }

    #[test]
    fn a_date_to_come_is_settled_by_the_first_run_of_its_day_and_not_before() {
        let fixture = Fixture::new();
        fixture.submit(&on_day("2027-11-20", domestic(1, "10.00")), noon());
        fixture.submit(&on_day("2026-11-21", domestic(2, "20.00")), noon());
        fixture.submit(&on_day("2026-11-20", domestic(3, "30.00")), noon());
        for (run, n) in
            [("2026-11-20T12:00:00Z", 3), ("2026-11-21T05:00:00Z", 2), ("2027-11-20T05:00:00Z", 1)]
        {
            assert_eq!(fixture.bank.next_batch_needed().unwrap(), Some(utc(run)));
            assert_eq!(fixture.bank.run(utc(run) - TimeDelta::microseconds(1)).unwrap(), []);
            assert_eq!(fixture.bank.run(utc(run)).unwrap(), [(payment_id(n), settled())]);
            fixture.bank.mark_reported(&payment_id(n)).unwrap();
        }
        assert_eq!(fixture.bank.next_batch_needed().unwrap(), None);
        assert_eq!(fixture.amounts("95360573002"), ["-10.00", "-20.00", "-30.00"]);
    }

    #[test]
    fn the_first_run_of_a_day_is_at_six_in_oslo() {
        for (day, expected) in [
            ("2026-11-20", "2026-11-20T05:00:00Z"),
            ("2027-03-28", "2027-03-28T04:00:00Z"),
            ("2026-10-25", "2026-10-25T05:00:00Z"),
            ("2028-02-29", "2028-02-29T05:00:00Z"),
        ] {
            assert_eq!(first_run(day.parse().unwrap()), utc(expected));
        }
    }

    #[test]
    fn an_order_that_waits_is_not_reported_by_mistake() {
        let fixture = Fixture::new();
        fixture.submit(&cross_border(instant(1, "10.00")), noon());
        fixture.bank.mark_reported(&payment_id(1)).unwrap();
        fixture.bank.mark_reported(&payment_id(9)).unwrap();
        assert_eq!(fixture.bank.run(next_run(noon())).unwrap().len(), 1);
    }

    #[test]
    fn more_orders_than_a_chunk_are_all_settled_and_handed_out_by_the_chunk() {
        let fixture = Fixture::new();
        let chunk = usize::try_from(CHUNK).unwrap();
        for n in 0..=chunk {
            let mut bytes = [0; 18];
            bytes[..8].copy_from_slice(&n.to_be_bytes());
            let mut order = cross_border(instant(1, "1.00"));
            order.payment_id = PaymentId::from_bytes(bytes);
            fixture.bank.payments().submit_payment(&order, noon()).unwrap();
        }
        let first = fixture.bank.run(next_run(noon())).unwrap();
        assert_eq!(first.len(), chunk);
        first.iter().for_each(|(id, _)| fixture.bank.mark_reported(id).unwrap());
        assert_eq!(fixture.bank.unreported().unwrap().len(), 1);
    }

    #[test]
    fn a_card_blocked_while_its_order_waits_does_not_pay() {
        let fixture = Fixture::new();
        let mut order = cross_border(instant(1, "10.00"));
        single(&mut order).debtor_account.identification = crate::sandbox::fixture::card("95360573029");
        fixture.submit(&order, noon());
        let id = crate::sandbox::default_data::card_account_id("95360573029");
        fixture.database().write_books(|books| books.set_card_status(&id, CardStatus::Blocked)).unwrap();
        let refused = vec![OrderStatus::of(PaymentStatus::Rjct)];
        assert_eq!(fixture.bank.run(next_run(noon())).unwrap(), [(payment_id(1), refused)]);
    }

    #[test]
    fn the_date_of_a_line_is_that_of_its_run() {
        let fixture = Fixture::new();
        let evening = oslo_time(NaiveDate::from_ymd_opt(2026, 12, 31).unwrap(), 23, 0);
        fixture.submit(&cross_border(instant(1, "10.00")), evening);
        fixture.bank.run(next_run(evening)).unwrap();
        let ledger = crate::sandbox::view::ledger(fixture.database(), "95360573002").unwrap().unwrap();
        assert_eq!(ledger.bookings[0].booking_date, "2027-01-01");
    }
}
