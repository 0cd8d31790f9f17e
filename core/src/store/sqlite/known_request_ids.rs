//! Marks an X-Request-ID as used for the price of one appended row.
//!
//! Ids are random, so an index by them would cost every commit a page of its own. The table has none: who writes knows
//! from memory in which row an id stands, and reads on where it stopped for what other processes appended. The memory
//! says where to look, and no more; what stands in the table counts.

use std::collections::HashMap;

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, Result, Row};
use uuid::Uuid;

use super::columns::{micros, Columns};
use crate::crypto::sha256;
use crate::store::seam::{Committed, UsedRequestId};

/// How many ids come, beyond as many again as were kept, before those are dropped whose window is over.
const WORTH_A_LOOK: usize = 4096;

/// A TPP and its request id, hashed: an entry has a fixed size.
type Key = [u8; 16];

/// What one writer knows of the table.
#[derive(Debug, Default)]
pub(super) struct KnownRequestIds(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Whether a transaction began since the table was read.
    is_behind: bool,
    places: HashMap<Key, Place>,
    /// The last row that was read, and is committed.
    last: Option<Line>,
    /// How many ids were left when others were dropped.
    kept: usize,
}

/// The rowid at which an id stands, unless its transaction was taken back.
#[derive(Debug, Clone, Copy)]
struct Place {
    number: i64,
    used_at: i64,
}

/// A row: its rowid, and its time in microseconds since 1970.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    number: i64,
    key: Key,
    used_at: i64,
}

impl KnownRequestIds {
    /// To be told of each transaction before it writes: what stands in the table then is committed.
    pub(super) fn transaction_begins(&self) {
        self.0.lock().is_behind = true;
    }

    /// Marks an id as used, also where its last use is forgotten.
    pub(super) fn mark_used(&self, connection: &Connection, used: &UsedRequestId) -> Result<Committed> {
        const INSERT: &str = "INSERT INTO used_request_id (tpp, request_id, used_at) VALUES (?1, ?2, ?3)";
        const DELETE: &str = "DELETE FROM used_request_id WHERE rowid = ?1";
        let mut known = self.0.lock();
        known.catch_up(connection, micros(used.since))?;
        let key = key(&used.tpp, used.request_id);
        if let Some(before) = known.use_before(connection, key)? {
            if before.used_at >= micros(used.since) {
                return Ok(Committed::RequestReplayed);
            }
            connection.prepare_cached(DELETE)?.execute([before.number])?;
        }
        let used_at = micros(used.at);
        connection.prepare_cached(INSERT)?.execute((&used.tpp, used.request_id.as_bytes(), used_at))?;
        known.places.insert(key, Place { number: connection.last_insert_rowid(), used_at });
        Ok(Committed::Done)
    }
}

impl Known {
    /// Reads the rows that were committed since, once in a transaction.
    fn catch_up(&mut self, connection: &Connection, since: i64) -> Result<()> {
        if !self.is_behind {
            return Ok(());
        }
        if !self.read_on(connection)? {
            *self = Self { is_behind: true, ..Self::default() };
            self.read_on(connection)?;
        }
        self.is_behind = false;
        if self.places.len() > 2 * self.kept + WORTH_A_LOOK {
            self.places.retain(|_, place| place.used_at >= since);
            self.kept = self.places.len();
        }
        Ok(())
    }

    /// Reads from the last row on. `false` where that row is not there any more: it was forgotten, and its number may
    /// be another one's, or the whole database was replaced.
    fn read_on(&mut self, connection: &Connection) -> Result<bool> {
        const SQL: &str = "SELECT rowid, tpp, request_id, used_at FROM used_request_id WHERE rowid >= ?1
            ORDER BY rowid";
        let mut statement = connection.prepare_cached(SQL)?;
        let from = self.last.as_ref().map_or(i64::MIN, |last| last.number);
        let mut lines = statement.query_map([from], Line::read)?;
        if self.last.is_some() && lines.next().transpose()? != self.last {
            return Ok(false);
        }
        for line in lines {
            let line = line?;
            self.places.insert(line.key, Place { number: line.number, used_at: line.used_at });
            self.last = Some(line);
        }
        Ok(true)
    }

    /// The row of an id, if it is in the table.
    fn use_before(&self, connection: &Connection, key: Key) -> Result<Option<Line>> {
        const SQL: &str = "SELECT rowid, tpp, request_id, used_at FROM used_request_id WHERE rowid = ?1";
        let Some(place) = self.places.get(&key) else { return Ok(None) };
        let line = connection.prepare_cached(SQL)?.query_row([place.number], Line::read).optional()?;
        Ok(line.filter(|line| line.key == key))
    }
}

impl Line {
    fn read(row: &Row<'_>) -> Result<Self> {
        let mut columns = Columns::of(row);
        let number = columns.value()?;
        let tpp = columns.any_text()?;
        Ok(Self { number, key: key(&tpp, columns.uuid()?), used_at: columns.value()? })
    }
}

fn key(tpp: &str, request_id: Uuid) -> Key {
    let hash = sha256(&[request_id.as_bytes(), tpp.as_bytes()].concat());
    std::array::from_fn(|at| hash.get(at).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::database::Database;
    use super::super::request_id::{forget, used_since};
    use super::super::schema;
    use super::*;
    use crate::env::clock::from_micros;
    use Committed::{Done, RequestReplayed};

    const WINDOW: i64 = 100;

    fn used(number: u128, at: i64) -> UsedRequestId {
        let since = from_micros(at - WINDOW);
        UsedRequestId { tpp: "a".into(), request_id: Uuid::from_u128(number), at: from_micros(at), since }
    }

    /// Marks ids in one transaction, which is kept or not; how each ended.
    fn mark(
        database: &Database,
        ids: &KnownRequestIds,
        uses: &[(u128, i64)],
        is_kept: bool,
    ) -> Vec<Committed> {
        let mark_all = |connection: &Connection| {
            ids.transaction_begins();
            let ended = uses.iter().map(|(number, at)| ids.mark_used(connection, &used(*number, *at)));
            let ended: Vec<Committed> = ended.collect::<Result<_>>()?;
            Ok(if is_kept { Ok(ended) } else { Err(ended) })
        };
        database.write_unless(mark_all).unwrap().unwrap_or_else(|ended| ended)
    }

    fn mark_one(database: &Database, ids: &KnownRequestIds, number: u128, at: i64) -> Committed {
        mark(database, ids, &[(number, at)], true)[0]
    }

    #[test]
    fn what_another_process_used_is_a_replay_here() {
        let database = Database::open_memory().unwrap();
        let (here, there) = (KnownRequestIds::default(), KnownRequestIds::default());
        assert_eq!(mark_one(&database, &here, 1, 0), Done);
        assert_eq!(mark_one(&database, &there, 1, 1), RequestReplayed);
        assert_eq!(mark_one(&database, &there, 2, 1), Done);
        assert_eq!(mark_one(&database, &here, 2, 2), RequestReplayed);
    }

    #[test]
    fn a_transaction_knows_what_it_added_itself() {
        let database = Database::open_memory().unwrap();
        let ids = KnownRequestIds::default();
        assert_eq!(mark(&database, &ids, &[(1, 0), (2, 0), (1, 0)], true), [Done, Done, RequestReplayed]);
    }

    #[test]
    fn what_was_taken_back_is_not_used_and_its_row_may_be_another_ones() {
        let database = Database::open_memory().unwrap();
        let (here, there) = (KnownRequestIds::default(), KnownRequestIds::default());
        assert_eq!(mark_one(&database, &here, 9, 0), Done);
        assert_eq!(mark(&database, &here, &[(1, 0)], false), [Done]);
        assert_eq!(mark_one(&database, &there, 2, 0), Done);
        assert_eq!(mark_one(&database, &here, 2, 1), RequestReplayed);
        assert_eq!(mark_one(&database, &here, 1, 1), Done);
        assert_eq!(mark_one(&database, &there, 1, 1), RequestReplayed);
    }

    #[test]
    fn where_the_last_row_is_gone_everything_is_read_again() {
        let database = Database::open_memory().unwrap();
        let (here, there) = (KnownRequestIds::default(), KnownRequestIds::default());
        assert_eq!(mark(&database, &here, &[(1, 0), (2, 50)], true), [Done, Done]);
        assert_eq!(mark_one(&database, &here, 3, 60), Done);
        database.write(|connection| forget(connection, from_micros(100))).unwrap();
        // The rows of the other get the numbers of those that are gone.
        assert_eq!(mark(&database, &there, &[(4, 100), (5, 100), (6, 100), (7, 100)], true), [Done; 4]);
        for number in 4..8 {
            assert_eq!(mark_one(&database, &here, number, 110), RequestReplayed, "{number}");
        }
        assert_eq!(mark_one(&database, &here, 2, 110), Done, "forgotten");
    }

    #[test]
    fn a_replaced_database_is_read_anew() {
        let directory = tempfile::tempdir().unwrap();
        let database = Database::open_file(directory.path().join("bank.db")).unwrap();
        let ids = KnownRequestIds::default();
        let empty = database.image().unwrap();
        assert_eq!(mark_one(&database, &ids, 1, 0), Done);
        assert_eq!(mark_one(&database, &ids, 2, 0), Done);
        let full = database.image().unwrap();
        database.load_image(&empty).unwrap();
        assert_eq!(mark_one(&database, &ids, 2, 1), Done);
        database.load_image(&full).unwrap();
        assert_eq!(mark(&database, &ids, &[(1, 2), (2, 2)], true), [RequestReplayed; 2]);
    }

    #[test]
    fn an_id_that_is_used_again_after_its_window_stands_there_once() {
        let database = Database::open_memory().unwrap();
        let ids = KnownRequestIds::default();
        assert_eq!(mark(&database, &ids, &[(1, 0), (1, 100), (1, 101)], true), [Done, RequestReplayed, Done]);
        assert_eq!(mark_one(&database, &ids, 1, 202), Done);
        let left = database.read(|connection| used_since(connection, from_micros(0), 9)).unwrap();
        assert_eq!(left, [("a".to_owned(), Uuid::from_u128(1), from_micros(202))]);
    }

    #[test]
    fn ids_of_an_older_schema_count_on() {
        let connection = schema::before("used_request_id_by_tpp");
        let insert = "INSERT INTO used_request_id (tpp, request_id, used_at) VALUES ('a', ?1, 0)";
        connection.execute(insert, [Uuid::from_u128(1).as_bytes()]).unwrap();
        schema::migrate(&connection).unwrap();
        let database = Database::in_memory(connection);
        let ids = KnownRequestIds::default();
        assert_eq!(mark(&database, &ids, &[(1, 100), (2, 100)], true), [RequestReplayed, Done]);
    }

    #[test]
    fn ids_whose_window_is_over_do_not_fill_the_memory() {
        let database = Database::open_memory().unwrap();
        let ids = KnownRequestIds::default();
        let mut most = 0;
        for round in 0..50 {
            let at = 1000 * i64::try_from(round).unwrap();
            let uses: Vec<(u128, i64)> = (0..1000).map(|id| (round * 1000 + id, at)).collect();
            assert!(mark(&database, &ids, &uses, true).iter().all(|ended| *ended == Done));
            most = most.max(ids.0.lock().places.len());
        }
        assert!((1000..10_000).contains(&most), "{most}");
    }
}
