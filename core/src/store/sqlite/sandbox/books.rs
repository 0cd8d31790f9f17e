//! The bank's books: the only access to its tables, and the bounds of a transaction.

use rusqlite::{Connection, Params, Row};

use super::fact::{self, BANK_OPENED, POPULATIONS};
use crate::error::{Error, Result};
use crate::store::sqlite::failure::failed_on;
use crate::store::sqlite::Database;

/// The simulated bank's tables, open for one unit of work. Each thing adds its statements in its own file.
pub struct Books<'a>(&'a Connection);

impl Database {
    /// Looks at one consistent state of the bank's tables.
    ///
    /// # Errors
    /// What `work` fails with; [`Error::Store`](crate::Error::Store).
    pub fn read_books<T>(&self, work: impl FnOnce(&Books<'_>) -> Result<T>) -> Result<T> {
        self.read(|connection| Ok(work(&Books(connection))))?
    }

    /// Looks something up by one query.
    ///
    /// # Errors
    /// As [`Database::read_books`].
    pub fn read_books_once<T>(&self, work: impl FnOnce(&Books<'_>) -> Result<T>) -> Result<T> {
        self.read_once(|connection| Ok(work(&Books(connection))))?
    }

    /// Changes the bank's tables, all or nothing: where `work` fails, nothing is changed. What `work` reads
    /// cannot change before it is done.
    ///
    /// # Errors
    /// What `work` fails with; [`Error::Store`](crate::Error::Store).
    pub fn write_books<T>(&self, work: impl FnOnce(&Books<'_>) -> Result<T>) -> Result<T> {
        self.write_unless(|connection| Ok(work(&Books(connection))))?
    }
}

impl<'a> Books<'a> {
    /// The bank's tables of a connection that is open for a unit of work already.
    pub(in crate::store::sqlite) fn over(connection: &'a Connection) -> Self {
        Self(connection)
    }
}

impl Books<'_> {
    fn failed(&self, error: rusqlite::Error) -> Error {
        failed_on(self.0, error)
    }

    /// Runs a statement that answers no rows; how many rows it changed.
    pub(super) fn change(&self, statement: &str, params: impl Params) -> Result<usize> {
        let mut prepared = self.0.prepare_cached(statement).map_err(|error| self.failed(error))?;
        prepared.execute(params).map_err(|error| self.failed(error))
    }

    /// Every row of a query.
    pub(super) fn rows<T>(
        &self,
        query: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let mut prepared = self.0.prepare_cached(query).map_err(|error| self.failed(error))?;
        let rows = prepared.query_map(params, read).map_err(|error| self.failed(error))?;
        rows.collect::<rusqlite::Result<_>>().map_err(|error| self.failed(error))
    }

    /// The first row of a query, if it has one.
    pub(super) fn row<T>(
        &self,
        query: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        let mut prepared = self.0.prepare_cached(query).map_err(|error| self.failed(error))?;
        let mut rows = prepared.query(params).map_err(|error| self.failed(error))?;
        let row = rows.next().map_err(|error| self.failed(error))?;
        row.map(read).transpose().map_err(|error| self.failed(error))
    }

    /// What `read` finds first in the rows of a query; those after it are not read.
    pub(super) fn find<T>(
        &self,
        query: &str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<Option<T>>,
    ) -> Result<Option<T>> {
        let mut prepared = self.0.prepare_cached(query).map_err(|error| self.failed(error))?;
        let mut rows = prepared.query(params).map_err(|error| self.failed(error))?;
        while let Some(row) = rows.next().map_err(|error| self.failed(error))? {
            if let Some(found) = read(row).map_err(|error| self.failed(error))? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Whether the bank ever had customers.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn was_opened(&self) -> Result<bool> {
        Ok(fact::number(self.0, BANK_OPENED).map_err(|error| self.failed(error))? != 0)
    }

    /// Notes that the bank has customers now.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn mark_opened(&self) -> Result<()> {
        fact::set_number(self.0, BANK_OPENED, 1).map_err(|error| self.failed(error))
    }

    /// Counts a population; the first one is 1.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn count_population(&self) -> Result<u64> {
        let count = fact::count_up(self.0, POPULATIONS).map_err(|error| self.failed(error))?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// Empties the engine's records: payments, authorisations, ids, orders, blocks. Request ids that were used stay so.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn wipe_engine(&self) -> Result<()> {
        self.0.execute_batch(WIPE_ENGINE).map_err(|error| self.failed(error))
    }

    /// Empties the bank: customers, what they own, what was booked and ordered. Registered TPPs and trust
    /// anchors stay.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn wipe(&self) -> Result<()> {
        self.0.execute_batch(WIPE).map_err(|error| self.failed(error))
    }
}

/// Children before parents, as below.
const WIPE_ENGINE: &str = "
    DELETE FROM call_count;
    DELETE FROM outage;
    DELETE FROM blocked;
    DELETE FROM access_count;
    DELETE FROM consent_account;
    DELETE FROM consent;
    DELETE FROM sca_session;
    DELETE FROM outbox;
    DELETE FROM event;
    DELETE FROM authorisation;
    DELETE FROM basket;
    DELETE FROM payment;
    DELETE FROM corporate_psu;
    DELETE FROM corporate_id;
    DELETE FROM psu_id;
";

/// Children before parents, so that no row ever points at nothing.
const WIPE: &str = "
    DELETE FROM sandbox_population;
    DELETE FROM sandbox_sca_demand;
    DELETE FROM sandbox_cancelled_payment;
    DELETE FROM sandbox_entry_reference;
    DELETE FROM sandbox_order_entry;
    DELETE FROM sandbox_order;
    DELETE FROM sandbox_balance_change;
    DELETE FROM sandbox_authorisation;
    DELETE FROM sandbox_own_name;
    DELETE FROM sandbox_transaction;
    DELETE FROM sandbox_kid_agreement;
    DELETE FROM sandbox_engagement;
    DELETE FROM sandbox_agreement;
    DELETE FROM sandbox_card_account;
    DELETE FROM sandbox_account;
    DELETE FROM sandbox_customer;
";
