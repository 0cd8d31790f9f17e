//! The lives of a sandbox that go on when its clock moves: a day of all of them at each midnight.

use chrono::{DateTime, Months, NaiveDate, Utc};
use parking_lot::Mutex;

use super::block::AccountDay;
use super::life::Life;
use super::origin::Origin;
use crate::error::{Error, Result};
use crate::limits::{LIVES_CUSTOMER_MONTHS_MAX, LIVES_MONTHS_MAX};
use crate::store::sqlite::document::Faults;
use crate::store::sqlite::sandbox::{BookingOutcome, Books, StoredPopulation};
use crate::store::sqlite::Database;
use crate::types::date::{oslo_day, oslo_midnight};

/// The populations of a sandbox in memory, as they were at the last midnight. What is stored decides: where it differs,
/// they are made again from it.
#[derive(Default)]
pub(crate) struct Lives(Mutex<Vec<Life>>);

impl Lives {
    /// The midnight at which the next day is booked; `None` if no lives go on.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(crate) fn next_midnight(database: &Database) -> Result<Option<DateTime<Utc>>> {
        Ok(database.read_books(|books| books.earliest_day_to_live())?.map(end_of))
    }

    /// Refuses a time up to which the lives do not go on.
    ///
    /// # Errors
    /// [`Error::Misuse`] with the last day, and where a database in memory cannot hold what is booked until then;
    /// [`Error::Store`].
    pub(crate) fn check(database: &Database, to: DateTime<Utc>) -> Result<()> {
        let (day, mut needed) = (oslo_day(to), 0_u64);
        for stored in database.read_books(|books| books.populations())? {
            let plan = Origin::parse(&stored.origin)?.plan;
            let last = last_day(&stored, plan.customers());
            if day > last {
                let number = stored.number;
                return Err(Error::Misuse(format!(
                    "the lives of population {number} go on until {last}: the clock cannot move to {to}"
                )));
            }
            let days = (day - stored.lived_until).num_days();
            needed = needed.saturating_add(plan.bytes_of_days(u64::try_from(days).unwrap_or_default()));
        }
        super::size::check_left(database, needed, "what its lives add until then takes")
    }

    /// Books the days that ended by now, each in a transaction of its own: all of it or, where that fails, nothing.
    ///
    /// # Errors
    /// [`Error::Store`]; [`Error::Misuse`] where a balance was set by hand so high that it cannot grow.
    pub(crate) fn live_until(&self, database: &Database, now: DateTime<Utc>) -> Result<()> {
        let mut lives = self.0.lock();
        loop {
            let stored = database.read_books(|books| books.populations())?;
            let is_due = stored.iter().any(|population| end_of(population.lived_until) <= now);
            if !is_due {
                return Ok(());
            }
            if let Err(error) = live_day(database, &mut lives, &stored, now) {
                // What was lived is not booked.
                lives.clear();
                return Err(error);
            }
        }
    }
}

/// Lives the earliest day that is not booked yet, in each population of which it is the next one.
fn live_day(
    database: &Database,
    lives: &mut Vec<Life>,
    stored: &[StoredPopulation],
    now: DateTime<Utc>,
) -> Result<()> {
    lives.retain(|life| stored.contains(&life.stored));
    for population in stored {
        if end_of(population.lived_until) <= now && !lives.iter().any(|life| life.stored == *population) {
            lives.push(Life::resume(population.clone())?);
        }
    }
    let Some(day) = stored.iter().map(|population| population.lived_until).min() else { return Ok(()) };
    lives.sort_by_key(|life| life.stored.number);
    let mut booked = Vec::new();
    for life in lives.iter_mut().filter(|life| life.stored.lived_until == day) {
        booked.push((life.stored.number, life.live()?, life.stored.lived_until));
    }
    database.write_books(|books| {
        // Another process on the same file may have booked the day in between.
        if books.populations()? != stored {
            return Ok(());
        }
        booked.into_iter().try_for_each(|(number, accounts, until)| {
            accounts.into_iter().try_for_each(|account| book(books, account))?;
            books.set_lived_until(number, until)
        })
    })
}

/// Books what a day adds to an account. One that was deleted gets nothing more.
fn book(books: &Books<'_>, day: AccountDay) -> Result<()> {
    let AccountDay { account, lines, was_authorised, authorised } = day;
    let (lines, details): (Vec<_>, Vec<_>) = lines.into_iter().map(|line| (line.line, line.used)).unzip();
    match books.try_book_all(&account, &lines)? {
        BookingOutcome::Booked => {}
        BookingOutcome::NoAccount => return Ok(()),
        BookingOutcome::NoBalance => {
            let account = account.as_str();
            return Err(Error::Misuse(format!(
                "the balance of account {account} cannot grow: set another one"
            )));
        }
    }
    was_authorised.iter().try_for_each(|line| books.delete_authorisation(line))?;
    authorised.iter().try_for_each(|pending| books.insert_authorisation(pending))?;
    let details = lines.iter().zip(&details).filter_map(|(line, used)| Some((line, used.as_ref()?)));
    details.into_iter().try_for_each(|(line, used)| books.insert_card_details(&line.id, used))
}

/// When a day has ended.
fn end_of(day: NaiveDate) -> DateTime<Utc> {
    oslo_midnight(day.succ_opt().unwrap_or(day))
}

/// The last day on which the clock may be.
fn last_day(stored: &StoredPopulation, customers: u64) -> NaiveDate {
    let months = (LIVES_CUSTOMER_MONTHS_MAX / customers.max(1)).min(LIVES_MONTHS_MAX);
    let months = Months::new(u32::try_from(months).unwrap_or(u32::MAX));
    stored.begin_day.checked_add_months(months).unwrap_or(stored.begin_day)
}

/// Adds the populations of a document that no sandbox writes.
///
/// # Errors
/// [`Error::Store`].
pub(crate) fn check_document(database: &Database, faults: &mut Faults) -> Result<()> {
    for (index, stored) in database.read_books(|books| books.populations())?.iter().enumerate() {
        match Origin::parse(&stored.origin) {
            Err(_) => faults.add(
                &format!("/populations/{index}/origin"),
                "must be what a population was generated from, as it was exported",
            ),
            Ok(origin) if stored.lived_until > last_day(stored, origin.plan.customers()) => {
                faults.add(&format!("/populations/{index}/livedUntil"), "lies after the end of the lives");
            }
            Ok(_) => {}
        }
    }
    Ok(())
}
