//! Authorised payments that the bank does not have yet, and dead letters.

use chrono::{DateTime, Utc};
use tokio_postgres::Row;

use super::client::Values;
use super::columns::{limit, micros, Columns};
use super::connection::Connection;
use super::failure::Result;
use crate::payment::product::Product;
use crate::store::{CommitOutcome, DeadLetter, DueOrders, OutboxOrder, UnreadableOrder};
use crate::types::PaymentId;

/// How many rows are read at a time while looking for those that can be read, or cannot.
const PAGE_ROWS_MAX: usize = 1_000;

/// Adds an order.
pub(super) fn enqueue(connection: &mut Connection, order: &OutboxOrder) -> Result<CommitOutcome> {
    const SQL: &str = "INSERT INTO outbox (payment_id, attempts, faults, due_at) VALUES ($1, $2, $3, $4)";
    let OutboxOrder { payment_id, attempts, faults, due_at, product: _ } = order;
    let (attempts, faults) = (i64::from(*attempts), i64::from(*faults));
    won(connection, SQL, &[&payment_id.as_str(), &attempts, &faults, &micros(*due_at)])
}

/// Postpones an order. Lost if another node has delivered it, claimed it or made it a dead letter since.
pub(super) fn reschedule(
    connection: &mut Connection,
    order: &OutboxOrder,
    was_due: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE outbox SET attempts = $2, faults = $3, due_at = $4
        WHERE payment_id = $1 AND dead_letter_at IS NULL AND due_at = $5";
    let OutboxOrder { payment_id, attempts, faults, due_at, product: _ } = order;
    let (attempts, faults) = (i64::from(*attempts), i64::from(*faults));
    let (due_at, was_due) = (micros(*due_at), micros(was_due));
    won(connection, SQL, &[&payment_id.as_str(), &attempts, &faults, &due_at, &was_due])
}

/// Removes an order that the bank answered, or keeps it waiting if the bank was asked to cancel. Lost if another node
/// has delivered it since.
pub(super) fn answer(
    connection: &mut Connection,
    id: &PaymentId,
    again_at: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const TAKE_OUT: &str = "DELETE FROM outbox WHERE payment_id = $1 AND cancellation_requested IS NOT TRUE";
    // A node that has claimed it since keeps its claim.
    const WAIT_ON: &str = "UPDATE outbox
        SET attempts = attempts + 1, faults = 0, due_at = greatest(due_at, $2),
            dead_letter_at = NULL, dead_letter_reason = NULL
        WHERE payment_id = $1";
    match won(connection, TAKE_OUT, &[&id.as_str()])? {
        CommitOutcome::Applied => Ok(CommitOutcome::Applied),
        _ => won(connection, WAIT_ON, &[&id.as_str(), &micros(again_at)]),
    }
}

/// Removes an order. Lost if another node has delivered it since.
pub(super) fn remove(connection: &mut Connection, id: &PaymentId) -> Result<CommitOutcome> {
    won(connection, "DELETE FROM outbox WHERE payment_id = $1", &[&id.as_str()])
}

/// Takes an order out, if it is there.
pub(super) fn withdraw(connection: &mut Connection, id: &PaymentId) -> Result<CommitOutcome> {
    remove(connection, id).map(|_| CommitOutcome::Applied)
}

/// Makes an order a dead letter. Lost if another node has delivered it, claimed it or done the same since.
pub(super) fn to_dead_letter(
    connection: &mut Connection,
    order: &DeadLetter,
    was_due: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE outbox SET attempts = $2, dead_letter_reason = $3, dead_letter_at = $4
        WHERE payment_id = $1 AND dead_letter_at IS NULL AND due_at = $5";
    let DeadLetter { payment_id, attempts, why, since } = order;
    let (attempts, since, was_due) = (i64::from(*attempts), micros(*since), micros(was_due));
    won(connection, SQL, &[&payment_id.as_str(), &attempts, why, &since, &was_due])
}

/// Makes an unreadable order a dead letter, and keeps the values of its row. Lost if that was done since, or if the
/// number is now that of another order.
pub(super) fn unreadable_to_dead_letter(
    connection: &mut Connection,
    order: &UnreadableOrder,
    since: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE outbox SET dead_letter_reason = $3, dead_letter_at = $4
        WHERE number = $1 AND dead_letter_at IS NULL AND payment_id = coalesce($2, payment_id)";
    let UnreadableOrder { number, payment_id } = order;
    let payment_id = payment_id.as_ref().map(PaymentId::as_str);
    won(connection, SQL, &[number, &payment_id, &DeadLetter::UNREADABLE, &micros(since)])
}

/// Lets a dead letter wait again.
pub(super) fn retry(
    connection: &mut Connection,
    id: &PaymentId,
    due_at: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const SQL: &str =
        "UPDATE outbox SET attempts = 0, faults = 0, due_at = $2, dead_letter_at = NULL, dead_letter_reason = NULL
        WHERE payment_id = $1 AND dead_letter_at IS NOT NULL";
    won(connection, SQL, &[&id.as_str(), &micros(due_at)])
}

/// Removes a dead letter, or lets it wait again if the bank was asked to cancel.
pub(super) fn resolve(connection: &mut Connection, id: &PaymentId) -> Result<CommitOutcome> {
    const TAKE_OUT: &str = "DELETE FROM outbox
        WHERE payment_id = $1 AND dead_letter_at IS NOT NULL AND cancellation_requested IS NOT TRUE";
    const WAIT_AGAIN: &str =
        "UPDATE outbox SET attempts = 0, faults = 0, dead_letter_at = NULL, dead_letter_reason = NULL
        WHERE payment_id = $1 AND dead_letter_at IS NOT NULL";
    match won(connection, TAKE_OUT, &[&id.as_str()])? {
        CommitOutcome::Applied => Ok(CommitOutcome::Applied),
        _ => won(connection, WAIT_AGAIN, &[&id.as_str()]),
    }
}

/// Keeps an order waiting, independent of the answer of the bank. Lost if there is none.
pub(super) fn begin_cancelling(connection: &mut Connection, id: &PaymentId) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE outbox SET cancellation_requested = TRUE WHERE payment_id = $1";
    won(connection, SQL, &[&id.as_str()])
}

/// Takes that back, if the order is there.
pub(super) fn end_cancelling(connection: &mut Connection, id: &PaymentId) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE outbox SET cancellation_requested = NULL WHERE payment_id = $1";
    won(connection, SQL, &[&id.as_str()]).map(|_| CommitOutcome::Applied)
}

/// The orders due at a time, the longest waiting first and among equals the first enqueued, and what cannot be read
/// before the last of them.
pub(super) fn due(connection: &mut Connection, now: DateTime<Utc>, at_most: usize) -> Result<DueOrders> {
    let mut waiting = Waiting::until(now);
    let mut found = DueOrders::default();
    while found.orders.len() < at_most {
        // Nearly always all can be read, and this is the only page.
        let Some(page) = waiting.next_page(connection, at_most - found.orders.len())? else { break };
        for row in &page {
            if found.orders.len() < at_most {
                sort_out(row, &mut found)?;
            }
        }
    }
    Ok(found)
}

/// Adds a row to what is due: the columns of an order, then its number.
fn sort_out(row: &Row, found: &mut DueOrders) -> Result<()> {
    match read(&mut Columns::of(row)) {
        Ok(order) => found.orders.push(order),
        Err(_) => found.unreadable.push(UnreadableOrder {
            number: Columns::after(row, 5).value()?,
            payment_id: Columns::of(row).text(PaymentId::parse).ok(),
        }),
    }
    Ok(())
}

/// The rows that wait, in their order, a page at a time.
struct Waiting {
    until: DateTime<Utc>,
    /// Where the last page ended: due time and number.
    after: Option<(i64, i64)>,
    is_over: bool,
}

impl Waiting {
    fn until(until: DateTime<Utc>) -> Self {
        Self { until, after: None, is_over: false }
    }

    /// At most `wanted` rows; `None` after the last. The columns are those of an order, then the row's number.
    fn next_page(&mut self, connection: &mut Connection, wanted: usize) -> Result<Option<Vec<Row>>> {
        const SQL: &str = "SELECT payment_id, attempts, faults, due_at, product, outbox.number
            FROM outbox LEFT JOIN payment ON payment.id = payment_id
            WHERE dead_letter_at IS NULL AND due_at <= $1 AND (due_at, outbox.number) > ($2, $3)
            ORDER BY due_at, outbox.number LIMIT $4";
        if self.is_over {
            return Ok(None);
        }
        // A second page is needed only after unreadable orders, of which there may be many.
        let rows_max = if self.after.is_none() { wanted.min(PAGE_ROWS_MAX) } else { PAGE_ROWS_MAX };
        let (due_at, number) = self.after.unwrap_or((i64::MIN, i64::MIN));
        let rows = connection.rows(SQL, &[&micros(self.until), &due_at, &number, &limit(rows_max)])?;
        self.is_over = rows.len() < rows_max;
        if let Some(last) = rows.last() {
            self.after = Some((Columns::after(last, 3).value()?, Columns::after(last, 5).value()?));
        }
        Ok(Some(rows))
    }
}

/// The orders due at a time, and what cannot be read among them, which are all due again at another. Those that another
/// node is claiming are left to it.
pub(super) fn claim(
    connection: &mut Connection,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
    at_most: usize,
) -> Result<DueOrders> {
    const SQL: &str = "WITH due AS (
            SELECT number, attempts, faults, due_at FROM outbox
            WHERE dead_letter_at IS NULL AND due_at <= $1
            ORDER BY due_at, number LIMIT $3 FOR UPDATE SKIP LOCKED),
        claimed AS (
            UPDATE outbox SET due_at = $2 FROM due WHERE outbox.number = due.number
            RETURNING outbox.payment_id, due.attempts, due.faults, due.due_at, due.number)
        SELECT payment_id, attempts, faults, due_at, product, claimed.number
        FROM claimed LEFT JOIN payment ON payment.id = payment_id ORDER BY due_at, claimed.number";
    let mut claimed = DueOrders::default();
    for row in &connection.rows(SQL, &[&micros(now), &micros(until), &limit(at_most)])? {
        sort_out(row, &mut claimed)?;
    }
    Ok(claimed)
}

/// When the next order is due, whether it can be read or not.
pub(super) fn next_due(connection: &mut Connection) -> Result<Option<DateTime<Utc>>> {
    const SQL: &str = "SELECT due_at FROM outbox WHERE dead_letter_at IS NULL ORDER BY due_at LIMIT 1";
    connection.row(SQL, &[])?.map(|row| Columns::of(&row).time()).transpose()
}

/// Whether anything waits for a time after `after`, by a clock that is not behind that of the last payment.
pub(super) fn is_any_due_after(
    connection: &mut Connection,
    after: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM outbox WHERE dead_letter_at IS NULL AND due_at > $1
        AND (SELECT created_at FROM payment ORDER BY number DESC LIMIT 1) <= $2 LIMIT 1";
    Ok(connection.row(SQL, &[&micros(after), &micros(now)])?.is_some())
}

/// Lets what waits for a time after `after` be due now. Gives how many those are.
pub(super) fn clamp_future_due_times(
    connection: &mut Connection,
    after: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<usize> {
    const SQL: &str = "UPDATE outbox SET due_at = $2 WHERE dead_letter_at IS NULL AND due_at > $1
        AND (SELECT created_at FROM payment ORDER BY number DESC LIMIT 1) <= $2";
    let changed = connection.execute(SQL, &[&micros(after), &micros(now)])?;
    Ok(usize::try_from(changed).unwrap_or(usize::MAX))
}

/// How many orders wait.
pub(super) fn waiting(connection: &mut Connection) -> Result<u64> {
    let sql = "SELECT count(*) FROM outbox WHERE dead_letter_at IS NULL";
    let rows = connection.rows(sql, &[])?;
    let count: i64 = rows.first().map(|row| Columns::of(row).value()).transpose()?.unwrap_or_default();
    Ok(u64::try_from(count).unwrap_or_default())
}

/// The dead letters, and the unreadable orders that wait.
pub(super) fn dead_letters(connection: &mut Connection, at_most: usize) -> Result<Vec<DeadLetter>> {
    const SQL: &str = "SELECT payment_id, attempts, dead_letter_at, dead_letter_reason FROM outbox
        WHERE dead_letter_at IS NOT NULL ORDER BY dead_letter_at, number LIMIT $1";
    let aside = |row| {
        let mut columns = Columns::of(row);
        let (payment_id, attempts) = (columns.value()?, legible(columns.value()?));
        Ok(DeadLetter { payment_id, attempts, since: columns.time()?, why: columns.value()? })
    };
    let mut listed =
        connection.rows(SQL, &[&limit(at_most)])?.iter().map(aside).collect::<Result<Vec<_>>>()?;

    let mut waiting = Waiting::until(DateTime::<Utc>::MAX_UTC);
    let bound = listed.len().saturating_add(at_most);
    while listed.len() < bound {
        let Some(page) = waiting.next_page(connection, PAGE_ROWS_MAX)? else { break };
        for row in page.iter().filter(|row| read(&mut Columns::of(row)).is_err()) {
            listed.push(unreadable(&mut Columns::of(row))?);
        }
    }
    // Stable: what was enqueued first stays first.
    listed.sort_by_key(|order| order.since);
    listed.truncate(at_most);
    Ok(listed)
}

/// How many dead letters there are, as far as they are counted.
pub(super) fn count_dead_letters(connection: &mut Connection, at_most: usize) -> Result<usize> {
    const SQL: &str =
        "SELECT count(*) FROM (SELECT FROM outbox WHERE dead_letter_at IS NOT NULL LIMIT $1) AS counted";
    let row = connection.row(SQL, &[&limit(at_most)])?;
    let count: i64 = row.map(|row| Columns::of(&row).value()).transpose()?.unwrap_or_default();
    Ok(usize::try_from(count).unwrap_or_default())
}

/// Whether the order of a payment is a dead letter.
pub(super) fn is_dead_letter(connection: &mut Connection, id: &PaymentId) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM outbox WHERE payment_id = $1 AND dead_letter_at IS NOT NULL";
    Ok(connection.row(SQL, &[&id.as_str()])?.is_some())
}

/// The values of a row that is no readable order.
fn unreadable(columns: &mut Columns<'_>) -> Result<DeadLetter> {
    let (payment_id, attempts, _faults) =
        (columns.value()?, legible(columns.value()?), columns.value::<i64>()?);
    Ok(DeadLetter { payment_id, attempts, why: DeadLetter::UNREADABLE.to_owned(), since: columns.time()? })
}

/// A number of attempts; 0 where it is none.
fn legible(stored: i64) -> u32 {
    u32::try_from(stored).unwrap_or_default()
}

/// Runs a statement on the one order it names.
fn won(connection: &mut Connection, sql: &'static str, values: Values<'_>) -> Result<CommitOutcome> {
    let changed = connection.execute(sql, values)?;
    Ok(if changed == 1 { CommitOutcome::Applied } else { CommitOutcome::VersionConflict })
}

fn read(columns: &mut Columns<'_>) -> Result<OutboxOrder> {
    Ok(OutboxOrder {
        payment_id: columns.text(PaymentId::parse)?,
        attempts: columns.number()?,
        faults: columns.number()?,
        due_at: columns.time()?,
        product: columns.optional_text(Product::of_path).ok().flatten(),
    })
}
