//! Finds the payments that look like a new one, without an index of all that ever were.

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use rusqlite::{params, Connection, OptionalExtension, Result, Row};

use super::appended::{Appended, Line};
use super::columns::{micros, Columns};
use super::known_rows::KnownRows;
use super::payment;
use super::places::Key;
use super::turn::Meanwhile;
use crate::payment::record::Payment;
use crate::types::PsuKey;

/// What one writer knows of how the payments look that were created lately.
#[derive(Debug, Default)]
pub(super) struct KnownLikenesses(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    rows: KnownRows<Payments>,
    /// How far back the last question went, in microseconds.
    looked_back: i64,
    /// Whether a status that is read may be taken back with the transaction.
    statuses_are_open: bool,
}

#[derive(Debug)]
struct Payments;

impl Appended for Payments {
    // What stands behind the order is not fetched of a row that is known: a bulk's order is long.
    const ONWARD: &'static str = "SELECT number, id,
            CASE WHEN number > ?1 THEN likeness ELSE zeroblob(32) END,
            CASE WHEN number > ?1 THEN created_at ELSE 0 END
        FROM payment WHERE number >= ?1 ORDER BY number";
    const BACKWARD: &'static str =
        "SELECT number, id, likeness, created_at FROM payment ORDER BY number DESC";
    const IS_IN_ORDER: bool = true;
    const DISORDER_MAX: i64 = payment::DISORDER_MAX;

    fn line(row: &Row<'_>) -> Result<Line> {
        let mut columns = Columns::of(row);
        let number = columns.value()?;
        let id = columns.any_text()?.into_bytes();
        Ok(Line { number, id, key: Some(key(&columns.value()?)), at: columns.value()? })
    }
}

/// How a payment that was found stands to a new one.
enum Standing {
    InTheWay,
    /// It is another PSU's, older, or not alike after all.
    Beside,
    /// It came to nothing, for ever.
    Over,
}

impl KnownLikenesses {
    /// To be told of each transaction before it writes, and of what happened since the last.
    pub(super) fn transaction_begins(&self, meanwhile: Meanwhile) {
        let mut known = self.0.lock();
        known.rows.transaction_begins(meanwhile);
        known.statuses_are_open = false;
    }

    /// To be told that the whole database was replaced.
    pub(super) fn forget_all(&self) {
        *self.0.lock() = Known::default();
    }

    /// To be told that the present transaction changed a payment.
    pub(super) fn payment_changed(&self) {
        self.0.lock().statuses_are_open = true;
    }

    /// To be told before a payment is inserted that nobody asked about.
    pub(super) fn keep_up(&self, connection: &Connection, payment: &Payment) -> Result<()> {
        let mut known = self.0.lock();
        let since = micros(payment.created_at).saturating_sub(known.looked_back);
        known.rows.keep_up(connection, since)
    }

    /// A payment that was just inserted.
    pub(super) fn add(&self, number: i64, payment: &Payment) {
        let (key, at) = (Some(key(&payment.likeness)), micros(payment.created_at));
        self.0.lock().rows.add(Line { number, id: id_bytes(payment), key, at });
    }

    /// Whether a payment of one of those likenesses, created since a time, stands in this one's way.
    pub(super) fn stand_in_the_way<'l>(
        &self,
        connection: &Connection,
        likenesses: impl IntoIterator<Item = &'l [u8; 32]>,
        payment: &Payment,
        since: DateTime<Utc>,
    ) -> Result<bool> {
        let mut known = self.0.lock();
        known.looked_back = micros(payment.created_at).saturating_sub(micros(since));
        known.rows.catch_up(connection, micros(since))?;
        for likeness in likenesses {
            for number in known.rows.numbers(key(likeness)) {
                match standing(connection, number, likeness, payment, since)? {
                    Standing::InTheWay => return Ok(true),
                    Standing::Over if !known.statuses_are_open => known.rows.forget(key(likeness), number),
                    Standing::Over | Standing::Beside => {}
                }
            }
        }
        Ok(false)
    }
}

fn standing(
    connection: &Connection,
    number: i64,
    likeness: &[u8; 32],
    payment: &Payment,
    since: DateTime<Utc>,
) -> Result<Standing> {
    const SQL: &str = "SELECT
            status IN ('RJCT', 'CANC'),
            created_at >= ?3 AND (psu IS NULL OR ?4 IS NULL OR psu = ?4)
        FROM payment WHERE number = ?1 AND likeness = ?2";
    let values = params![number, likeness, micros(since), payment.psu.as_ref().map(PsuKey::as_str)];
    let found = connection.prepare_cached(SQL)?.query_row(values, |row| Ok((row.get(0)?, row.get(1)?)));
    Ok(match found.optional()? {
        Some((true, _)) => Standing::Over,
        Some((false, true)) => Standing::InTheWay,
        Some((false, false)) | None => Standing::Beside,
    })
}

/// The id as [`Payments::line`] reads it.
fn id_bytes(payment: &Payment) -> Vec<u8> {
    payment.id.as_str().as_bytes().to_vec()
}

/// The likeness is a hash: a part of it tells payments apart nearly as well.
fn key(likeness: &[u8; 32]) -> Key {
    likeness.first_chunk().copied().map_or(0, Key::from_ne_bytes)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::creation::Creation;
    use super::super::new_payment_place::KnownEnd;
    use super::super::{payment_place, schema, Database, SqliteStore};
    use super::*;
    use crate::payment::machine::PaymentStatus;
    use crate::payment::stored;
    use crate::store::conformance::samples::{insert, insert_unlike_since, payment, time};
    use crate::store::seam::{Committed, Store as _, Write};

    fn like(number: u8) -> Payment {
        Payment { likeness: payment(1).likeness, ..payment(number) }
    }

    fn rejected(number: u8) -> Payment {
        Payment { status: PaymentStatus::Rjct, ..like(number) }
    }

    fn memory() -> Arc<Database> {
        Arc::new(Database::open_memory().unwrap())
    }

    fn insert_into(store: &SqliteStore, payment: Payment) -> Committed {
        store.commit(&[insert_unlike_since(payment, time(0))]).unwrap()
    }

    #[test]
    fn what_came_to_nothing_is_looked_at_once() {
        let database = memory();
        let known = KnownLikenesses::default();
        let look = || {
            let work = |connection: &Connection| {
                known.transaction_begins(Meanwhile::ANYTHING);
                let likeness = payment(1).likeness;
                known.stand_in_the_way(connection, [&likeness], &like(1), time(0))
            };
            let stands = database.write(work).unwrap();
            (stands, known.0.lock().rows.numbers(key(&payment(1).likeness)).len())
        };
        let store = SqliteStore::new(Arc::clone(&database));
        (1..=20).for_each(|number| assert_eq!(insert_into(&store, rejected(number)), Committed::Done));
        assert_eq!(look(), (false, 0));
        assert_eq!(insert_into(&store, like(30)), Committed::Done);
        assert_eq!(look(), (true, 1));
    }

    #[test]
    fn what_came_to_nothing_in_a_transaction_that_is_taken_back_stands_in_the_way_still() {
        let store = SqliteStore::new(memory());
        assert_eq!(insert_into(&store, payment(1)), Committed::Done);
        let cancelled = Payment { version: 2, status: PaymentStatus::Canc, ..payment(1) };
        let beside_it = [
            Write::UpdatePayment(Box::new(cancelled)),
            insert_unlike_since(like(2), time(0)),
            // Its id is taken.
            insert(payment(1)),
        ];
        assert_eq!(store.commit(&beside_it).unwrap(), Committed::RaceLost);
        assert_eq!(insert_into(&store, like(3)), Committed::LogicalDuplicate);
    }

    #[test]
    fn a_payment_of_another_process_between_two_attempts_is_found() {
        let database = memory();
        let (here, there) = (KnownLikenesses::default(), KnownLikenesses::default());
        // Of each number, and whether a like one is looked for.
        let insert_all = |known: &KnownLikenesses, numbers: &[(u8, bool)], is_kept: bool| {
            let work = |connection: &Connection| {
                known.transaction_begins(Meanwhile::ANYTHING);
                for (number, looks) in numbers {
                    let since = looks.then(|| time(0));
                    let payment = payment(*number);
                    payment::insert(
                        connection,
                        known,
                        &KnownEnd::default(),
                        &Creation::bare(&payment, since, &[]),
                    )?;
                }
                Ok(if is_kept { Ok(()) } else { Err(()) })
            };
            database.write_unless(work).unwrap().ok();
        };
        insert_all(&here, &[(1, true)], true);
        insert_all(&here, &[(2, false), (3, false), (4, true)], false);
        insert_all(&there, &[(5, true)], true);
        insert_all(&here, &[(3, false), (4, true)], true);
        let found = database.write(|connection| {
            here.transaction_begins(Meanwhile::ANYTHING);
            here.stand_in_the_way(connection, [&payment(5).likeness], &payment(6), time(0))
        });
        assert!(found.unwrap());
    }

    #[test]
    fn payments_that_look_alike_by_their_key_alone_do_not_stand_in_each_others_way() {
        let store = SqliteStore::new(memory());
        assert_eq!(insert_into(&store, payment(1)), Committed::Done);
        let mut likeness = payment(1).likeness;
        likeness[31] ^= 1;
        let other = Payment { likeness, ..payment(2) };
        assert_eq!(key(&likeness), key(&payment(1).likeness));
        assert_eq!(insert_into(&store, other), Committed::Done);
        assert_eq!(insert_into(&store, like(3)), Committed::LogicalDuplicate);
    }

    #[test]
    fn a_replaced_database_is_known_anew_though_its_last_payment_is_the_same() {
        let unlike = |number: u8, likeness: u8| Payment { likeness: [likeness; 32], ..payment(number) };
        let image_of = |first: u8| {
            let database = memory();
            let store = SqliteStore::new(Arc::clone(&database));
            store.commit(&[insert(unlike(1, first))]).unwrap();
            store.commit(&[insert(unlike(2, 200))]).unwrap();
            database.image().unwrap()
        };
        let directory = tempfile::tempdir().unwrap();
        let file = Arc::new(Database::open_file(directory.path().join("bank.db")).unwrap());
        for database in [memory(), file] {
            let store = SqliteStore::new(Arc::clone(&database));
            for (number, likeness) in (10..).zip([100, 101]) {
                database.replace_by(Database::from_image(&image_of(likeness)).unwrap()).unwrap();
                let ended = insert_into(&store, unlike(number, likeness));
                assert_eq!(ended, Committed::LogicalDuplicate, "{likeness}");
            }
        }
    }

    #[test]
    fn payments_that_got_the_numbers_of_others_are_known() {
        let database = memory();
        let (here, there) =
            (SqliteStore::new(Arc::clone(&database)), SqliteStore::new(Arc::clone(&database)));
        assert_eq!(insert_into(&here, payment(1)), Committed::Done);
        assert_eq!(insert_into(&here, payment(2)), Committed::Done);
        // The one before knows the second by now.
        assert_eq!(insert_into(&here, like(3)), Committed::LogicalDuplicate);
        database.write(|connection| connection.execute_batch("DELETE FROM payment")).unwrap();
        there.commit(&[insert(payment(7)), insert(payment(8))]).unwrap();
        let like_the_first = Payment { likeness: payment(7).likeness, ..payment(9) };
        assert_eq!(insert_into(&here, like_the_first), Committed::LogicalDuplicate);
    }

    #[test]
    fn what_another_process_restores_is_known_anew() {
        let directory = tempfile::tempdir().unwrap();
        let open = || Arc::new(Database::open_file(directory.path().join("bank.db")).unwrap());
        let (here, there) = (SqliteStore::new(open()), open());
        here.commit(&[insert(payment(1)), insert(payment(2))]).unwrap();
        let image = there.image().unwrap();
        let cancelled = Payment { version: 2, status: PaymentStatus::Canc, ..payment(1) };
        assert_eq!(here.commit(&[Write::UpdatePayment(Box::new(cancelled))]).unwrap(), Committed::Done);
        assert_eq!(insert_into(&here, like(3)), Committed::Done);
        there.replace_by(Database::from_image(&image).unwrap()).unwrap();
        assert_eq!(insert_into(&here, like(4)), Committed::LogicalDuplicate);
    }

    #[test]
    fn a_long_order_is_not_read_to_know_that_the_payment_stands() {
        let store = SqliteStore::new(memory());
        assert_eq!(insert_into(&store, payment(1)), Committed::Done);
        let read = |connection: &Connection| {
            let mut statement = connection.prepare(Payments::ONWARD)?;
            let known = payment_place::of_payment(&payment(1).id);
            let lines: Vec<Line> = statement.query_map([known], Payments::line)?.collect::<Result<_>>()?;
            Ok(lines)
        };
        assert_eq!(insert_into(&store, payment(2)), Committed::Done);
        let lines = store.database().read(read).unwrap();
        assert_eq!(lines.iter().map(|line| line.at).collect::<Vec<_>>(), [0, micros(payment(2).created_at)]);
        assert_eq!(lines.last().map(|line| &line.id), Some(&id_bytes(&payment(2))));
    }

    #[test]
    fn payments_of_an_older_schema_count_on() {
        let connection = schema::before("DROP INDEX payment_by_likeness");
        let old = payment(1);
        let values = params![
            old.id.as_str(),
            old.tpp,
            old.product.path(),
            stored::to_text(&old.order).unwrap(),
            micros(old.created_at),
            old.likeness,
        ];
        connection
            .execute(
                "INSERT INTO payment (id, version, tpp, product, transfer, fee, fee_currency, status, created_at,
                    likeness) VALUES (?1, 1, ?2, ?3, ?4, '0.00', 'NOK', 'RCVD', ?5, ?6)",
                values,
            )
            .unwrap();
        schema::migrate(&connection).unwrap();
        let store = SqliteStore::new(Arc::new(Database::in_memory(connection)));
        assert_eq!(insert_into(&store, like(2)), Committed::LogicalDuplicate);
        assert_eq!(store.payment(&payment(1).id).unwrap(), Some(payment(1)), "it names nobody");
    }
}
