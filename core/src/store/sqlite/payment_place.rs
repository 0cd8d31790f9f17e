//! Where the row of a payment stands: at the number that its id begins with, or elsewhere.
//!
//! Rows are appended, so that who knows some of them reads on from there. An id begins with when it was drawn, and
//! nearly always nothing was written since that was drawn later. So nearly every payment is found by its id without an
//! index, of which each new payment would write a page.

use rusqlite::{ffi, Connection, Error, Result};

use super::columns::Columns;
use crate::types::{AuthorisationId, PaymentId};
use crate::wire::canonical;

/// The highest place of a row; an imported state has none above it either.
pub(super) const ROW_MAX: i64 = canonical::INTEGER_MAX / 2;

/// In SQL, the number of the payment whose id is the first parameter and whose place is the second.
macro_rules! number_of {
    ($id:literal, $place:literal) => {
        concat!(
            "(SELECT number FROM payment WHERE number = ",
            $place,
            " AND id = ",
            $id,
            " UNION ALL SELECT number FROM payment_elsewhere WHERE id = ",
            $id,
            ")"
        )
    };
}
pub(super) use number_of;

/// The place that an id tells; 0, where no row stands, if it tells none.
pub(super) fn of_payment(id: &PaymentId) -> i64 {
    of_rank(id.rank_number())
}

/// As [`of_payment`], for a link in the row of a payment.
pub(super) fn of_link(id: &AuthorisationId) -> i64 {
    of_rank(id.rank_number())
}

fn of_rank(rank: Option<u64>) -> i64 {
    rank.and_then(|rank| i64::try_from(rank).ok()).filter(|place| *place <= ROW_MAX).unwrap_or(0)
}

/// The number of a payment's row.
pub(super) fn find(connection: &Connection, id: &PaymentId) -> Result<Option<i64>> {
    const SQL: &str = concat!("SELECT ", number_of!("?1", "?2"));
    connection.prepare_cached(SQL)?.query_row((id.as_str(), of_payment(id)), |row| row.get(0))
}

/// Fails as a foreign key would where the payment that a new row names is not there.
pub(super) fn check(connection: &Connection, id: &PaymentId) -> Result<()> {
    let broken = || {
        let text = "the row names a payment that is not there".to_owned();
        Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CONSTRAINT_FOREIGNKEY), Some(text))
    };
    find(connection, id)?.map(drop).ok_or_else(broken)
}

/// An index by ids, for the time in which rows come in any order, with any numbers.
pub(super) fn index_all(connection: &Connection) -> Result<()> {
    connection.execute_batch("CREATE UNIQUE INDEX payment_by_id ON payment (id)")
}

/// That time is over.
pub(super) fn drop_index(connection: &Connection) -> Result<()> {
    connection.execute_batch("DROP INDEX payment_by_id")
}

/// Notes all payments whose rows stand at other numbers than their places.
pub(super) fn note_all(connection: &Connection) -> Result<()> {
    let mut statement = connection.prepare("SELECT id, number FROM payment ORDER BY id")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (id, number) = (Columns::of(row).text(PaymentId::parse)?, row.get(1)?);
        if number != of_payment(&id) {
            note(connection, &id, number)?;
        }
    }
    Ok(())
}

/// Notes that a payment's row stands at another number than its place.
pub(super) fn note(connection: &Connection, id: &PaymentId, number: i64) -> Result<()> {
    const SQL: &str = "INSERT INTO payment_elsewhere (id, number) VALUES (?1, ?2)";
    connection.prepare_cached(SQL)?.execute((id.as_str(), number)).map(drop)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{schema, Database, SqliteStore};
    use super::*;
    use crate::payment::record::Payment;
    use crate::sca::record::Authorisation;
    use crate::store::conformance::samples::{
        authorisation, event, insert, opening_link, order, payment, time,
    };
    use crate::store::seam::{Committed, Store as _, Write};

    fn store() -> SqliteStore {
        SqliteStore::new(Arc::new(Database::open_memory().unwrap()))
    }

    #[test]
    fn what_names_a_payment_that_is_not_there_is_refused_and_leaves_nothing() {
        let store = store();
        let link = opening_link(&payment(1));
        store.commit(&[insert(payment(2)), Write::InsertAuthorisation(authorisation(2, 2))]).unwrap();
        let moved = Authorisation { version: 2, ..authorisation(2, 1) };
        for write in [
            Write::InsertAuthorisation(link.clone()),
            Write::UpdateAuthorisation(moved),
            Write::EnqueueOrder(order(1, 0, 0)),
        ] {
            let refused = store.commit(&[write]).unwrap_err().to_string();
            assert!(refused.contains("names a payment that is not there"), "{refused}");
        }
        assert_eq!(store.authorisation(&link.id).unwrap(), None);
        assert_eq!(store.authorisation(&authorisation(2, 2).id).unwrap(), Some(authorisation(2, 2)));
        assert_eq!(store.next_order_due().unwrap(), None);
    }

    #[test]
    fn payments_of_an_older_schema_are_found_with_all_that_names_them() {
        let connection = schema::before("payment_elsewhere");
        connection
            .execute_batch(&format!(
                "PRAGMA foreign_keys = ON;
                INSERT INTO payment (number, id, version, tpp, product, transfer, fee, fee_currency, status, created_at,
                    likeness, link, link_redirect_uri, link_session_id, link_language) VALUES
                    (1, '{one}', 1, '{tpp}', '{product}', '{order}', '0.00', 'NOK', 'RCVD', {at}, zeroblob(32),
                        '{link}', '{uri}', '{session}', '{language}'),
                    (2, '{two}', 1, '{tpp}', '{product}', '{order}', '0.00', 'NOK', 'RCVD', {at}, zeroblob(32),
                        NULL, NULL, NULL, NULL);
                INSERT INTO event VALUES (2, 1, {at} + 5, 'RCVD', 'PDNG', 'why');
                PRAGMA foreign_keys = OFF;
                INSERT INTO event VALUES (9, 1, {at}, 'RCVD', 'PDNG', 'of a payment that was deleted by hand');
                PRAGMA foreign_keys = ON;
                INSERT INTO outbox (payment_id, attempts, due_at) VALUES ('{two}', 3, {at} + 5);
                INSERT INTO authorisation (id, version, tpp, payment_id, redirect_uri, session_id, language, created_at,
                    status) VALUES ('{two}', 1, '{tpp}', '{two}', '{uri}', '{session}', '{language}', {at}, 'started')",
                one = payment(1).id,
                two = payment(2).id,
                tpp = payment(1).tpp,
                product = payment(1).product.path(),
                order = crate::payment::stored::to_text(&payment(1).order).unwrap(),
                at = payment(1).created_at.timestamp_micros(),
                link = opening_link(&payment(1)).id.as_str(),
                uri = opening_link(&payment(1)).redirect_uri.as_str(),
                session = opening_link(&payment(1)).session_id,
                language = opening_link(&payment(1)).language.tag(),
            ))
            .unwrap();
        schema::migrate(&connection).unwrap();
        let faults: i64 = connection
            .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(faults, 1, "which was there before");

        let store = SqliteStore::new(Arc::new(Database::in_memory(connection)));
        for number in [1, 2] {
            let kept = Payment { likeness: [0; 32], ..payment(number) };
            assert_eq!(store.payment(&kept.id).unwrap(), Some(kept.clone()));
            assert_eq!(store.commit(&[insert(kept)]).unwrap(), Committed::RaceLost);
        }
        let link = opening_link(&payment(1));
        assert_eq!(store.authorisation(&link.id).unwrap(), Some(link));
        let other = AuthorisationId::parse(payment(2).id.as_str()).unwrap();
        assert!(store.authorisation(&other).unwrap().is_some());
        let [only] = store.events(&payment(2).id).unwrap().try_into().unwrap();
        assert_eq!((only.at, only.cause.as_str()), (time(5), "why"));
        let due = store.due_orders(time(9), 9).unwrap().orders;
        assert_eq!(
            due.iter().map(|order| (order.attempts, order.product)).collect::<Vec<_>>(),
            [(3, Some(payment(1).product))]
        );

        let writes = [insert(payment(3)), Write::AppendEvent(event(3, 0, "new"))];
        assert_eq!(store.commit(&writes).unwrap(), Committed::Done);
        let ids = "SELECT group_concat(id, ' ' ORDER BY number) FROM payment_elsewhere";
        let elsewhere = store.database().read(|connection| connection.query_row(ids, [], |row| row.get(0)));
        let elsewhere: String = elsewhere.unwrap();
        assert_eq!(elsewhere, format!("{} {}", payment(1).id, payment(2).id));
    }

    #[test]
    fn no_table_is_scanned_for_an_id() {
        for sql in [
            concat!("SELECT number FROM payment WHERE number = ", number_of!("?1", "?2")),
            concat!("SELECT at FROM event WHERE payment = ", number_of!("?1", "?2")),
        ] {
            let plan = schema::plan(sql);
            for step in [
                "SEARCH payment USING INTEGER PRIMARY KEY (rowid=?)",
                "SEARCH payment_elsewhere USING PRIMARY KEY (id=?)",
            ] {
                assert!(plan.contains(step), "{sql}: {plan}");
            }
            assert!(!plan.contains("SCAN p"), "{sql}: {plan}");
        }
    }
}
