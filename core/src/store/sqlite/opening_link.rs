//! The links that stand in the rows of their payments, until either changes.
//!
//! A payment is nearly always created with a link, which dies within minutes, answered or not. With the first change of
//! itself or of its payment it goes to the table of the others; what nobody answered goes there when it is time to
//! forget.

use rusqlite::{Connection, Params, Result};

use super::columns::limit;
use super::{meta, payment_place};
use crate::types::AuthorisationId;

/// Gives those links rows of their own.
macro_rules! copy {
    ($($which:tt)+) => {
        concat!(
            "INSERT INTO authorisation (id, version, tpp, payment_id, redirect_uri, session_id, psu, identity,
                context, corporate, language, created_at, status, purpose, basket_id, brand)
            SELECT id, version, tpp, payment_id, redirect_uri, session_id, psu, identity,
                context, corporate, language, created_at, status, purpose, basket_id, brand
            FROM opening_link WHERE ",
            $($which)+
        )
    };
}

/// Takes those links out of the rows of their payments.
macro_rules! clear {
    ($($which:tt)+) => {
        concat!(
            "UPDATE payment SET link = NULL, link_redirect_uri = NULL, link_session_id = NULL,
                link_language = NULL, link_brand = NULL
            WHERE number IN (SELECT number FROM opening_link WHERE ",
            $($which)+,
            ")"
        )
    };
}

/// In SQL, which link has the id ?1: those of the payments of its rank, of which the place is ?2 and ids elsewhere lie
/// from ?3 to ?4.
macro_rules! of_id {
    () => {
        "number IN (SELECT ?2 UNION ALL SELECT number FROM payment_elsewhere WHERE id >= ?3 AND id < ?4) AND id = ?1"
    };
}
pub(super) use of_id;

const COPY_THAT_OF: &str = copy!("number = ?1 AND version = ?2 - 1");
const MOVE_ONE: [&str; 2] = [copy!(of_id!()), clear!(of_id!())];
const MOVE_SOME: [&str; 2] = [copy!("number > ?1 AND number <= ?2"), clear!("number > ?1 AND number <= ?2")];
const LAST_OF_SOME: &str = "SELECT coalesce(
    (SELECT number FROM opening_link WHERE number > ?1 ORDER BY number LIMIT 1 OFFSET ?2 - 1),
    (SELECT max(number) FROM payment), 0)";
const IS_THERE: &str = concat!("SELECT EXISTS (SELECT 1 FROM opening_link WHERE ", of_id!(), ")");

/// The parameters of [`of_id!`].
pub(super) fn values_of(id: &AuthorisationId) -> (&str, i64, &str, String) {
    let (first, behind) = id.rank_bounds();
    (id.as_str(), payment_place::of_link(id), first, behind)
}

/// The first half of a move: the link in a row whose payment is about to get that version, if it is one behind.
pub(super) fn copy_that_of(connection: &Connection, number: i64, version: u32) -> Result<()> {
    connection.prepare_cached(COPY_THAT_OF)?.execute((number, version)).map(drop)
}

/// A link that is about to change, if it stands in the row of a payment.
pub(super) fn move_one(connection: &Connection, id: &AuthorisationId) -> Result<()> {
    move_out(connection, MOVE_ONE, values_of(id)).map(drop)
}

/// So many of those of payments that came since the last time: how many there were.
pub(super) fn move_some(connection: &Connection, at_most: usize) -> Result<usize> {
    let before = meta::number(connection, meta::LINKS_MOVED)?;
    let which = (before, limit(at_most));
    let last: i64 = connection.prepare_cached(LAST_OF_SOME)?.query_row(which, |row| row.get(0))?;
    let moved = move_out(connection, MOVE_SOME, (before, last))?;
    if last != before {
        meta::set_number(connection, meta::LINKS_MOVED, last)?;
    }
    Ok(moved)
}

/// Whether a link of that id stands in the row of a payment.
pub(super) fn is_there(connection: &Connection, id: &AuthorisationId) -> Result<bool> {
    connection.prepare_cached(IS_THERE)?.query_row(values_of(id), |row| row.get(0))
}

fn move_out(connection: &Connection, [copy, clear]: [&str; 2], which: impl Params + Clone) -> Result<usize> {
    let copied = connection.prepare_cached(copy)?.execute(which.clone())?;
    if copied > 0 {
        connection.prepare_cached(clear)?.execute(which)?;
    }
    Ok(copied)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{authorisation, schema, Database, SqliteStore};
    use super::*;
    use crate::store::conformance::samples::{authorisation_id, insert, opening_link, payment};
    use crate::store::seam::{Committed, Store as _, Write};

    fn store_with_links(numbers: impl IntoIterator<Item = u8>) -> SqliteStore {
        let store = SqliteStore::new(Arc::new(Database::open_memory().unwrap()));
        numbers.into_iter().for_each(|number| create(&store, number));
        store
    }

    fn create(store: &SqliteStore, number: u8) {
        let link = Write::InsertAuthorisation(opening_link(&payment(number)));
        assert_eq!(store.commit(&[insert(payment(number)), link]).unwrap(), Committed::Done);
    }

    /// How many links stand in rows of payments, and how many in rows of their own.
    fn places(store: &SqliteStore) -> (i64, i64) {
        const SQL: &str = "SELECT (SELECT count(*) FROM opening_link), (SELECT count(*) FROM authorisation)";
        let count =
            |connection: &Connection| connection.query_row(SQL, [], |row| Ok((row.get(0)?, row.get(1)?)));
        store.database().read(count).unwrap()
    }

    fn move_links(store: &SqliteStore, at_most: usize) -> usize {
        store.database().write(|connection| move_some(connection, at_most)).unwrap()
    }

    #[test]
    fn they_are_moved_some_at_a_time_and_those_that_come_later_are_found() {
        let store = store_with_links(1..=5);
        for (moved, left) in [(2, (3, 2)), (2, (1, 4)), (1, (0, 5)), (0, (0, 5))] {
            assert_eq!((move_links(&store, 2), places(&store)), (moved, left));
        }
        create(&store, 6);
        assert_eq!((move_links(&store, 2), places(&store)), (1, (0, 6)));
        for number in 1..=6 {
            let found = store.authorisation(&authorisation_id(number)).unwrap();
            assert_eq!(found, Some(opening_link(&payment(number))));
        }
    }

    #[test]
    fn payments_that_have_none_are_looked_at_once() {
        let store = store_with_links([]);
        for number in 1..=3 {
            assert_eq!(store.commit(&[insert(payment(number))]).unwrap(), Committed::Done);
        }
        assert_eq!(move_links(&store, 2), 0);
        let last = payment_place::of_payment(&payment(3).id);
        assert_eq!(store.database().meta_number(meta::LINKS_MOVED).unwrap(), last);
    }

    #[test]
    #[cfg(feature = "sandbox")]
    fn where_payments_begin_anew_so_do_they() {
        for is_told in [true, false] {
            let store = store_with_links(1..=3);
            assert_eq!(move_links(&store, 9), 3);
            if is_told {
                store.database().write_books(|books| books.wipe_engine()).unwrap();
            } else {
                let sql = "DELETE FROM authorisation; DELETE FROM payment";
                store.database().write(|connection| connection.execute_batch(sql)).unwrap();
                assert_eq!(move_links(&store, 9), 0, "they are told by that");
            }
            create(&store, 4);
            assert_eq!((move_links(&store, 9), places(&store)), (1, (0, 1)), "{is_told}");
        }
    }

    #[test]
    fn they_are_found_by_the_numbers_of_payments() {
        let [copy, clear] = MOVE_ONE;
        for sql in [authorisation::FIND, IS_THERE, copy, clear, COPY_THAT_OF] {
            let plan = schema::plan(sql);
            assert!(plan.contains("SEARCH payment USING INTEGER PRIMARY KEY (rowid=?)"), "{sql}: {plan}");
            assert!(!plan.contains("SCAN payment"), "{sql}: {plan}");
        }
        let [copy, clear] = MOVE_SOME;
        for sql in [LAST_OF_SOME, copy, clear] {
            let plan = schema::plan(sql);
            assert!(plan.contains("SEARCH payment USING INTEGER PRIMARY KEY (rowid>"), "{sql}: {plan}");
        }
    }
}
