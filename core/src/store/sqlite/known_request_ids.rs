//! Marks an X-Request-ID as used for the price of one appended row.

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, Result, Row};
use uuid::Uuid;

use super::appended::{Appended, Line};
use super::columns::{micros, Columns};
use super::known_rows::KnownRows;
use super::payment;
use super::places::Key;
use super::turn::Meanwhile;
use crate::crypto::sha256;
use crate::limits::REPLAY_WINDOW_SECONDS;
use crate::payment::record::Payment;
use crate::store::seam::{Committed, UsedRequestId};

/// What one writer knows of the request ids that were used.
#[derive(Debug, Default)]
pub(super) struct KnownRequestIds(Mutex<Known>);

/// An id stands in a row of its own, or in that of the payment that its call created.
#[derive(Debug, Default)]
struct Known {
    uses: KnownRows<UsedRequestIds>,
    creations: KnownRows<Creations>,
}

#[derive(Debug)]
struct UsedRequestIds;

impl Appended for UsedRequestIds {
    const ONWARD: &'static str =
        "SELECT rowid, tpp, request_id, used_at FROM used_request_id WHERE rowid >= ?1 ORDER BY rowid";
    const BACKWARD: &'static str =
        "SELECT rowid, tpp, request_id, used_at FROM used_request_id ORDER BY rowid DESC";
    /// The table is short, and where a document was imported it is in another order.
    const IS_IN_ORDER: bool = false;
    /// Calls are committed in another order than they came in.
    const DISORDER_MAX: i64 = REPLAY_WINDOW_SECONDS * 1_000_000;

    fn line(row: &Row<'_>) -> Result<Line> {
        let mut columns = Columns::of(row);
        let number = columns.value()?;
        let (tpp, request_id) = (columns.any_text()?, columns.uuid()?);
        let at: i64 = columns.value()?;
        Ok(Line { number, id: id(&tpp, request_id, at), key: Some(key(&tpp, request_id)), at })
    }
}

#[derive(Debug)]
struct Creations;

impl Appended for Creations {
    // As little of a payment that is known as for its likeness.
    const ONWARD: &'static str = "SELECT number, id, tpp,
            CASE WHEN number > ?1 THEN request_id END,
            CASE WHEN number > ?1 THEN created_at ELSE 0 END
        FROM payment WHERE number >= ?1 ORDER BY number";
    const BACKWARD: &'static str =
        "SELECT number, id, tpp, request_id, created_at FROM payment ORDER BY number DESC";
    const IS_IN_ORDER: bool = true;
    const DISORDER_MAX: i64 = payment::DISORDER_MAX;

    fn line(row: &Row<'_>) -> Result<Line> {
        let mut columns = Columns::of(row);
        let number = columns.value()?;
        let (id, tpp) = (columns.any_text()?.into_bytes(), columns.any_text()?);
        let request_id: Option<[u8; 16]> = columns.value()?;
        let key = request_id.map(|bytes| key(&tpp, Uuid::from_bytes(bytes)));
        Ok(Line { number, id, key, at: columns.value()? })
    }
}

impl KnownRequestIds {
    /// To be told of each transaction before it writes, and of what happened since the last.
    pub(super) fn transaction_begins(&self, meanwhile: Meanwhile) {
        let mut known = self.0.lock();
        known.uses.transaction_begins(meanwhile);
        known.creations.transaction_begins(meanwhile);
    }

    /// To be told that the whole database was replaced.
    pub(super) fn forget_all(&self) {
        *self.0.lock() = Known::default();
    }

    /// Marks an id as used, also where its last use is forgotten.
    pub(super) fn mark_used(&self, connection: &Connection, used: &UsedRequestId) -> Result<Committed> {
        const INSERT: &str = "INSERT INTO used_request_id (tpp, request_id, used_at) VALUES (?1, ?2, ?3)";
        let Some(key) = self.key_if_free(connection, used)? else { return Ok(Committed::RequestReplayed) };
        let at = micros(used.at);
        connection.prepare_cached(INSERT)?.execute((&used.tpp, used.request_id.as_bytes(), at))?;
        self.0.lock().uses.add(Line {
            number: connection.last_insert_rowid(),
            id: id(&used.tpp, used.request_id, at),
            key: Some(key),
            at,
        });
        Ok(Committed::Done)
    }

    /// A payment that was just inserted with a free id in its row, by that id's key.
    pub(super) fn add_creation(&self, number: i64, payment: &Payment, key: Key) {
        let id = payment.id.as_str().as_bytes().to_vec();
        let (key, at) = (Some(key), micros(payment.created_at));
        self.0.lock().creations.add(Line { number, id, key, at });
    }

    /// What an id will be looked for by; `None` where it was used since the time that its use tells. A row of its own
    /// that is older makes way.
    pub(super) fn key_if_free(&self, connection: &Connection, used: &UsedRequestId) -> Result<Option<Key>> {
        const DELETE: &str = "DELETE FROM used_request_id WHERE rowid = ?1";
        const USE: &str =
            "SELECT used_at FROM used_request_id WHERE rowid = ?1 AND tpp = ?2 AND request_id = ?3";
        const CREATION: &str =
            "SELECT created_at FROM payment WHERE number = ?1 AND tpp = ?2 AND request_id = ?3";
        let mut known = self.0.lock();
        let since = micros(used.since);
        known.uses.catch_up(connection, since)?;
        known.creations.catch_up(connection, since)?;
        let key = key(&used.tpp, used.request_id);
        for number in known.creations.numbers(key) {
            if used_before(connection, CREATION, number, used)?.is_some_and(|at| at >= since) {
                return Ok(None);
            }
        }
        for number in known.uses.numbers(key) {
            match used_before(connection, USE, number, used)? {
                Some(at) if at >= since => return Ok(None),
                Some(_) => connection.prepare_cached(DELETE)?.execute([number]).map(drop)?,
                None => {}
            }
        }
        Ok(Some(key))
    }
}

/// When an id was used, if it is the one that stands in that row.
fn used_before(connection: &Connection, sql: &str, number: i64, used: &UsedRequestId) -> Result<Option<i64>> {
    let values = (number, &used.tpp, used.request_id.as_bytes());
    connection.prepare_cached(sql)?.query_row(values, |row| row.get(0)).optional()
}

/// What tells a use from one that gets its row later.
fn id(tpp: &str, request_id: Uuid, at: i64) -> Vec<u8> {
    [request_id.as_bytes(), at.to_be_bytes().as_slice(), tpp.as_bytes()].concat()
}

fn key(tpp: &str, request_id: Uuid) -> Key {
    let hash = sha256(&[request_id.as_bytes(), tpp.as_bytes()].concat());
    hash.first_chunk().copied().map_or(0, Key::from_ne_bytes)
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
            ids.transaction_begins(Meanwhile::ANYTHING);
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
    fn a_request_that_comes_to_two_nodes_at_one_time_hides_no_other() {
        let database = Database::open_memory().unwrap();
        let (here, there) = (KnownRequestIds::default(), KnownRequestIds::default());
        assert_eq!(mark_one(&database, &here, 9, 0), Done);
        assert_eq!(mark(&database, &here, &[(1, 0), (2, 0)], false), [Done; 2]);
        assert_eq!(mark(&database, &there, &[(3, 0), (2, 0)], true), [Done; 2]);
        assert_eq!(mark_one(&database, &here, 3, 1), RequestReplayed);
    }

    #[test]
    fn where_the_last_row_is_gone_everything_is_read_again() {
        let database = Database::open_memory().unwrap();
        let (here, there) = (KnownRequestIds::default(), KnownRequestIds::default());
        assert_eq!(mark(&database, &here, &[(1, 0), (2, 50)], true), [Done, Done]);
        assert_eq!(mark_one(&database, &here, 3, 60), Done);
        database.write(|connection| forget(connection, from_micros(100), 9)).unwrap();
        // The rows of the other get the numbers of those that are gone.
        assert_eq!(mark(&database, &there, &[(4, 100), (5, 100), (6, 100), (7, 100)], true), [Done; 4]);
        for number in 4..8 {
            assert_eq!(mark_one(&database, &here, number, 110), RequestReplayed, "{number}");
        }
        assert_eq!(mark_one(&database, &here, 2, 110), Done, "forgotten");
    }

    #[test]
    fn ids_count_in_whatever_order_they_stand() {
        let database = Database::open_memory().unwrap();
        let insert = "INSERT INTO used_request_id (tpp, request_id, used_at) VALUES ('a', ?1, ?2)";
        for (number, at) in [(1_u128, 1000), (2, 0)] {
            let values = (*Uuid::from_u128(number).as_bytes(), at);
            database.write(|connection| connection.execute(insert, values)).unwrap();
        }
        assert_eq!(mark_one(&database, &KnownRequestIds::default(), 1, 1050), RequestReplayed);
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
        database.replace_by(Database::from_image(&empty).unwrap()).unwrap();
        assert_eq!(mark_one(&database, &ids, 2, 1), Done);
        database.replace_by(Database::from_image(&full).unwrap()).unwrap();
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
}
