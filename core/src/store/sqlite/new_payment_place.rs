//! Where the row of a new payment goes, nearly always known without a look.

use parking_lot::Mutex;
use rusqlite::{Connection, Error, Result};

use super::payment_place::{find, of_payment};
use super::turn::Meanwhile;
use crate::types::PaymentId;

/// Where the row of a new payment goes. Rows are appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NewPlace {
    /// To its place.
    Own(i64),
    /// Behind the last row, which does not stand before its place.
    Elsewhere(i64),
    /// A payment of that id is there.
    Taken,
}

/// What one writer knows of the end of the payments.
#[derive(Debug, Default)]
pub(super) struct KnownEnd(Mutex<Option<End>>);

/// Behind this number no row stands, and no id that is elsewhere tells a place. After a transaction that was taken back
/// it is higher than it need be: then somebody looks.
#[derive(Debug, Clone, Copy)]
struct End(i64);

impl KnownEnd {
    /// To be told of each transaction before it writes, and of what happened since the last.
    pub(super) fn transaction_begins(&self, meanwhile: Meanwhile) {
        if meanwhile.others_wrote {
            *self.0.lock() = None;
        }
    }

    /// Where the row of a payment goes that is about to be added.
    pub(super) fn place_of(&self, connection: &Connection, id: &PaymentId) -> Result<NewPlace> {
        let place = of_payment(id);
        let mut known = self.0.lock();
        let (new, End(before)) = match *known {
            Some(end) if place > end.0 => (NewPlace::Own(place), end),
            _ => look(connection, id, place)?,
        };
        let end = match new {
            NewPlace::Own(number) | NewPlace::Elsewhere(number) => number.max(before),
            NewPlace::Taken => before,
        };
        *known = Some(End(end));
        Ok(new)
    }
}

fn look(connection: &Connection, id: &PaymentId, place: i64) -> Result<(NewPlace, End)> {
    const SQL: &str = "SELECT (SELECT coalesce(max(number), 0) FROM payment),
        (SELECT max(id) FROM payment_elsewhere)";
    let (last, highest): (i64, Option<String>) =
        connection.prepare_cached(SQL)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let new = if find(connection, id)?.is_some() {
        NewPlace::Taken
    } else if place > last {
        NewPlace::Own(place)
    } else {
        NewPlace::Elsewhere(last.checked_add(1).ok_or(Error::IntegralValueOutOfRange(0, last))?)
    };
    Ok((new, End(last.max(highest.map_or(0, |id| rank_of(&id))))))
}

/// What an id sorts by. Of one that no place is read from, nothing is known to sort behind it.
fn rank_of(id: &str) -> i64 {
    let rank = PaymentId::parse(id).and_then(|id| id.rank_number());
    rank.and_then(|rank| i64::try_from(rank).ok()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::payment_place::ROW_MAX;
    use super::super::{payment_place, Database, SqliteStore};
    use super::*;
    use crate::payment::record::Payment;
    use crate::store::conformance::samples::{authorisation, insert, payment};
    use crate::store::seam::{Committed, Store as _, Write};
    use crate::types::{put_rank, ID_BYTES};

    fn id(rank: i64, random: u8) -> PaymentId {
        let mut bytes = [random; ID_BYTES];
        put_rank(rank as u64, &mut bytes);
        PaymentId::from_bytes(bytes)
    }

    fn store() -> SqliteStore {
        SqliteStore::new(Arc::new(Database::open_memory().unwrap()))
    }

    fn create(store: &SqliteStore, id: PaymentId) -> Committed {
        store.commit(&[insert(Payment { id, ..payment(1) })]).unwrap()
    }

    /// The numbers of all rows, and how many payments stand elsewhere.
    fn numbers(store: &SqliteStore) -> (Vec<i64>, usize) {
        let read = |connection: &Connection| {
            let mut statement = connection.prepare("SELECT number FROM payment ORDER BY number")?;
            let numbers = statement.query_map([], |row| row.get(0))?.collect::<Result<_>>()?;
            let count = "SELECT count(*) FROM payment_elsewhere";
            Ok((numbers, connection.query_row(count, [], |row| row.get(0))?))
        };
        store.database().read(read).unwrap()
    }

    #[test]
    fn those_that_come_in_the_order_of_their_ids_stand_at_their_places() {
        let store = store();
        for rank in [1, 2, 5, 1 << 40, ROW_MAX] {
            assert_eq!(create(&store, id(rank, 0)), Committed::Done);
        }
        assert_eq!(numbers(&store), (vec![1, 2, 5, 1 << 40, ROW_MAX], 0));
    }

    #[test]
    fn others_stand_behind_the_last() {
        let store = store();
        let ids = [id(7, 0), id(7, 1), id(8, 0), id(9, 0), id(3, 0), id(0, 0), id(ROW_MAX + 1, 0), id(20, 0)];
        for id in &ids {
            assert_eq!(create(&store, id.clone()), Committed::Done, "{id}");
        }
        // The third has its place taken by the second, the fourth by the third.
        assert_eq!(numbers(&store), (vec![7, 8, 9, 10, 11, 12, 13, 20], 6));
        for id in ids {
            assert_eq!(create(&store, id.clone()), Committed::RaceLost, "{id}");
            assert_eq!(store.payment(&id).unwrap().map(|found| found.id), Some(id));
        }
        assert_eq!(numbers(&store).0.len(), 8, "nothing of those that were there");
        assert_eq!(store.payment(&id(8, 1)).unwrap(), None);
    }

    #[test]
    fn ids_of_another_shape_have_no_place() {
        let store = store();
        let foreign = |text: &str| PaymentId::parse(text).unwrap();
        for id in ["x", "7", "enc!!zzzzzzzzz", "enc!!short"].map(foreign) {
            assert_eq!(of_payment(&id), 0, "{id}");
            assert_eq!(create(&store, id.clone()), Committed::Done);
            assert!(store.payment(&id).unwrap().is_some(), "{id}");
        }
        assert_eq!(numbers(&store), (vec![1, 2, 3, 4], 4));
    }

    #[test]
    #[cfg(feature = "sandbox")]
    fn where_payments_begin_anew_they_have_their_places() {
        let store = store();
        assert_eq!([id(9, 0), id(4, 0)].map(|id| create(&store, id)), [Committed::Done; 2]);
        store.database().write_books(|books| books.wipe_engine()).unwrap();
        assert_eq!(numbers(&store), (vec![], 0));
        assert_eq!(create(&store, id(4, 0)), Committed::Done);
        assert_eq!(numbers(&store), (vec![4], 0));
    }

    #[test]
    fn what_another_store_added_is_seen() {
        let database = Arc::new(Database::open_memory().unwrap());
        let nodes = [SqliteStore::new(database.clone()), SqliteStore::new(database)];
        for (node, rank) in nodes.iter().cycle().zip([5, 9, 7, 8, 12]) {
            assert_eq!(create(node, id(rank, 0)), Committed::Done);
        }
        assert_eq!(numbers(&nodes[0]), (vec![5, 9, 10, 11, 12], 2));
    }

    #[test]
    fn what_was_taken_back_takes_no_place() {
        let store = store();
        assert_eq!(create(&store, id(5, 0)), Committed::Done);
        let new = insert(Payment { id: id(30, 0), ..payment(1) });
        let lost = Write::UpdateAuthorisation(authorisation(1, 1));
        assert_eq!(store.commit(&[new, lost]).unwrap(), Committed::RaceLost);
        for rank in [20, 30] {
            assert_eq!(create(&store, id(rank, 0)), Committed::Done);
        }
        assert_eq!(numbers(&store), (vec![5, 20, 30], 0));
    }

    #[test]
    fn an_id_is_taken_whose_row_stands_before_its_place() {
        for rank in [50, ROW_MAX + 1] {
            let store = store();
            assert_eq!(create(&store, id(2, 0)), Committed::Done);
            // As a document by hand may have it.
            let moved = move |connection: &Connection| {
                connection.execute("UPDATE payment SET number = 1, id = ?1", [id(rank, 9).as_str()])?;
                payment_place::note(connection, &id(rank, 9), 1)
            };
            store.database().write(moved).unwrap();
            for (id, ended) in [
                (id(10, 0), Committed::Done),
                (id(rank, 9), Committed::RaceLost),
                (id(11, 0), Committed::Done),
                (id(rank, 8), Committed::Done),
                (id(rank, 9), Committed::RaceLost),
            ] {
                assert_eq!(create(&store, id.clone()), ended, "{id}");
            }
        }
    }

    #[test]
    fn behind_the_highest_number_there_is_no_room() {
        let store = store();
        assert_eq!(create(&store, id(2, 0)), Committed::Done);
        let by_hand = format!("UPDATE payment SET number = {}", i64::MAX);
        store.database().write(|connection| connection.execute_batch(&by_hand)).unwrap();
        let refused = store.commit(&[insert(Payment { id: id(3, 0), ..payment(1) })]);
        assert!(refused.is_err(), "{refused:?}");
        assert_eq!(numbers(&store).0, [i64::MAX]);
    }

    #[test]
    fn who_knows_the_end_does_not_look() {
        let connection = Connection::open_in_memory().unwrap();
        let end = KnownEnd(Mutex::new(Some(End(7))));
        for rank in [8, 20] {
            // There is no table to look into.
            assert_eq!(end.place_of(&connection, &id(rank, 0)).unwrap(), NewPlace::Own(rank));
        }
        for rank in [20, 19, 0] {
            assert!(end.place_of(&connection, &id(rank, 0)).is_err(), "{rank}");
        }
        end.transaction_begins(Meanwhile { was_kept: true, others_wrote: false });
        assert!(end.place_of(&connection, &id(21, 0)).is_ok());
        end.transaction_begins(Meanwhile::ANYTHING);
        assert!(end.place_of(&connection, &id(22, 0)).is_err());
    }
}
