//! Pages of an account's lines, found by counts: what is newer is not read.

use chrono::NaiveDate;
use rusqlite::params;

use super::books::Books;
use super::ledger_account::AccountKey;
use super::line_count::Place;
use super::transaction::{read, select_line, Transaction};
use crate::account::record::{Page, TransactionQuery};
use crate::error::Result;
use crate::store::sqlite::columns::Columns;
use crate::types::{Bic, PaymentId, TransactionId};

impl Books<'_> {
    /// A part of an account's lines, by booking date, then by creation, the newest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn lines(&self, account: &AccountKey, query: &TransactionQuery) -> Result<Page<Transaction>> {
        let total = self.count_lines(account, query.from, query.to)?;
        if query.offset >= total || query.limit == 0 {
            return Ok(Page { items: Vec::new(), total });
        }
        let later = query.to.map_or(Ok(0), |day| self.lines_after(account, day))?;
        let items = match self.line_after(account, later.saturating_add(query.offset))? {
            Some(first) => self.lines_from(account, &first, query.from, query.limit)?,
            None => Vec::new(),
        };
        Ok(Page { items, total })
    }

    /// The lines from that place on, back to a day. Two queries, because one would read all of its day.
    fn lines_from(
        &self,
        account: &AccountKey,
        first: &Place,
        from: Option<NaiveDate>,
        limit: u32,
    ) -> Result<Vec<Transaction>> {
        let of_the_day = select_line!(
            "WHERE account = ? AND booking_date = ? AND number <= ? ORDER BY number DESC LIMIT ?"
        );
        let place = params![account.as_str(), first.day, first.number, limit];
        let mut lines = self.rows(of_the_day, place, read)?;
        let rest = i64::from(limit).saturating_sub(i64::try_from(lines.len()).unwrap_or(i64::MAX));
        if rest > 0 {
            let of_days_before = select_line!(
                "WHERE account = ? AND booking_date < ? AND booking_date >= ? \
                 ORDER BY booking_date DESC, number DESC LIMIT ?"
            );
            let from = from.map(|day| day.to_string()).unwrap_or_default();
            let period = params![account.as_str(), first.day, from, rest];
            lines.extend(self.rows(of_days_before, period, read)?);
        }
        Ok(lines)
    }

    /// One line of an account.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn line(&self, account: &AccountKey, id: &TransactionId) -> Result<Option<Transaction>> {
        self.row(select_line!("WHERE id = ? AND account = ?"), [id.as_str(), account.as_str()], read)
    }

    /// The payments whose orders wait to be paid from an account, the last to be settled first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn waiting_payments_of(&self, debtor: &AccountKey) -> Result<Vec<PaymentId>> {
        let query = "SELECT payment_id FROM sandbox_order WHERE debtor = ? AND state = 'WAITING' \
            ORDER BY due_at DESC, number DESC";
        self.rows(query, [debtor.as_str()], |row| Columns::of(row).text(PaymentId::parse))
    }

    /// The payee's bank that an entry of an order names.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn creditor_agent(&self, payment: &PaymentId, entry: u32) -> Result<Option<Bic>> {
        let query = "SELECT creditor_agent FROM sandbox_order_entry WHERE payment_id = ? AND position = ?";
        let read = |text: &str| Bic::parse(text).ok();
        let found =
            self.row(query, params![payment.as_str(), entry], |row| Columns::of(row).optional_text(read))?;
        Ok(found.flatten())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::sandbox::default_data::{self, account_id};
    use crate::store::sqlite::Database;

    const ACCOUNT: &str = "95360573002";
    const OTHER_ACCOUNT: &str = "95360573010";

    fn key(bban: &str) -> AccountKey {
        AccountKey::from(&account_id(bban))
    }

    fn day(days: u16) -> NaiveDate {
        NaiveDate::from_ymd_opt(2025, 12, 25).unwrap() + chrono::TimeDelta::days(days.into())
    }

    /// A bank with lines of these numbers and days, every third on another account.
    fn bank(lines: &BTreeMap<u32, u16>) -> Database {
        let lines: Vec<_> = lines.iter().map(|(number, days)| (*number, day(*days).to_string())).collect();
        bank_with(&lines)
    }

    fn bank_with(lines: &[(u32, String)]) -> Database {
        let database = Database::open_memory_for_sandbox().unwrap();
        default_data::load(&database).unwrap();
        let statement = "INSERT INTO sandbox_transaction (number, id, account, booking_date, value_date, \
            currency, amount, bank_transaction_code, created_at) \
            VALUES (?, ?, ?, ?, '2026-01-01', 'NOK', '-1.00', 'PMNT-CCRD-POSD', 0)";
        database
            .write(|connection| {
                let mut insert = connection.prepare(statement)?;
                lines.iter().try_for_each(|(number, day)| {
                    let account = key(if number % 3 == 0 { OTHER_ACCOUNT } else { ACCOUNT });
                    let id = format!("line-{number}");
                    insert.execute(params![number, id, account.as_str(), day]).map(drop)
                })
            })
            .unwrap();
        database
    }

    fn ids(lines: Vec<Transaction>) -> Vec<String> {
        lines.into_iter().map(|line| line.id.to_string()).collect()
    }

    /// What a page is by definition: the whole list, filtered, cut.
    fn naive(books: &Books<'_>, query: &TransactionQuery) -> (Vec<String>, u64) {
        let mut all = books.transactions(&key(ACCOUNT)).unwrap();
        all.retain(|line| query.covers(Some(line.booking_date)));
        let total = all.len() as u64;
        let (offset, limit) = (query.offset as usize, query.limit as usize);
        (ids(all.into_iter().skip(offset).take(limit).collect()), total)
    }

    /// How many rows of the table of counts differ from a new count.
    fn miscounted(database: &Database) -> i64 {
        const COUNTED: &str = "
            SELECT account, 0, substr(booking_date, 1, 7), count(*) FROM sandbox_transaction GROUP BY 1, 3
            UNION ALL SELECT account, 1, booking_date, count(*) FROM sandbox_transaction GROUP BY 1, 3";
        let query = format!(
            "WITH counted AS ({COUNTED}) SELECT \
             (SELECT count(*) FROM (SELECT * FROM counted EXCEPT SELECT * FROM sandbox_line_count)) + \
             (SELECT count(*) FROM (SELECT * FROM sandbox_line_count EXCEPT SELECT * FROM counted))"
        );
        database.read(|connection| connection.query_row(&query, [], |row| row.get(0))).unwrap()
    }

    fn check(database: &Database, queries: &[TransactionQuery]) {
        database
            .read_books(|books| {
                for query in queries {
                    let page = books.lines(&key(ACCOUNT), query)?;
                    assert_eq!((ids(page.items), page.total), naive(books, query), "{query:?}");
                }
                Ok(())
            })
            .unwrap();
        assert_eq!(miscounted(database), 0);
    }

    fn queries() -> impl Strategy<Value = Vec<TransactionQuery>> {
        let end = || proptest::option::of((0..45_u16).prop_map(day));
        let query = (end(), end(), 0..130_u64, 0..60_u32);
        let query = query.prop_map(|(from, to, offset, limit)| TransactionQuery { from, to, offset, limit });
        prop::collection::vec(query, 1..12)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Numbers side by side and far apart; days of three months, many lines on some.
        #[test]
        fn every_page_is_the_one_of_a_naive_filter_also_after_deletes(
            lines in prop::collection::btree_map(
                prop_oneof![1..600_u32, 1..3_000_000_u32],
                prop_oneof![Just(7_u16), 0..40_u16],
                0..160,
            ),
            queries in queries(),
            gone in 2..5_u32,
        ) {
            let database = bank(&lines);
            check(&database, &queries);
            let delete = format!("DELETE FROM sandbox_transaction WHERE number % {gone} = 0");
            database.write(|connection| connection.execute(&delete, [])).unwrap();
            check(&database, &queries);
        }
    }

    #[test]
    fn counts_go_with_the_account_and_with_everything() {
        let lines: BTreeMap<u32, u16> = (1..2000).map(|number| (number, (number % 90) as u16)).collect();
        let counts = |database: &Database| -> i64 {
            let query = "SELECT coalesce(sum(lines), 0) FROM sandbox_line_count";
            database.read(|connection| connection.query_row(query, [], |row| row.get(0))).unwrap()
        };
        let database = bank(&lines);
        assert_eq!(counts(&database), 2 * 1999);
        let delete = format!("DELETE FROM sandbox_account WHERE bban = '{ACCOUNT}'");
        database.write(|connection| connection.execute(&delete, [])).unwrap();
        assert_eq!((counts(&database), miscounted(&database)), (2 * 666, 0));
        default_data::initialize(&database).unwrap();
        assert_eq!((counts(&database), miscounted(&database)), (0, 0));
    }

    #[test]
    fn the_first_and_the_last_years_of_the_calendar_are_counted() {
        let database = bank_with(&[(1, "0001-01-01".to_owned()), (2, "9999-12-31".to_owned())]);
        let count = |from: Option<&str>, to: Option<&str>| {
            let date = |text: &str| crate::types::date::parse(text).unwrap();
            database
                .read_books(|books| books.count_lines(&key(ACCOUNT), from.map(date), to.map(date)))
                .unwrap()
        };
        assert_eq!(count(None, None), 2);
        assert_eq!(count(Some("0001-01-01"), Some("9999-12-31")), 2);
        assert_eq!(count(Some("0001-01-02"), None), 1);
        assert_eq!(count(None, Some("9999-12-30")), 1);
        assert_eq!(count(Some("0001-01-02"), Some("9999-12-30")), 0);
    }

    #[test]
    fn a_line_is_found_on_its_own_account_alone() {
        let database = bank(&BTreeMap::from([(1, 0), (3, 0)]));
        let found = |bban: &str, id: &str| {
            let id = TransactionId::parse(id).unwrap();
            database.read_books(|books| books.line(&key(bban), &id)).unwrap().is_some()
        };
        assert!(found(ACCOUNT, "line-1") && found(OTHER_ACCOUNT, "line-3"));
        assert!(!found(ACCOUNT, "line-3") && !found(OTHER_ACCOUNT, "line-1") && !found(ACCOUNT, "line-2"));
    }
}
