//! The rows of a creation, written past the library: the same tables, indexes and settings, and nothing else.

use std::path::Path;
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{params_from_iter, Connection, MAIN_DB};

use crate::baseline::{set_as_the_store, RsaVerification};
use crate::payments::Payer;
use crate::rounds::{timed, Contender};
use crate::rows::Folder;
use crate::Outcome;

/// What a creation writes: a table, the columns whose values are new each time, and the others.
const TABLES: [(&str, &[&str], &str); 3] = [
    ("used_request_id", &["request_id"], "tpp, used_at"),
    (
        "payment",
        &["id", "duplicate_fingerprint"],
        "version, tpp, product, context, transfer, fee, fee_currency, status, created_at",
    ),
    (
        "authorisation",
        &["id", "payment_id"],
        "version, tpp, redirect_uri, session_id, context, language, created_at, status, purpose, psu_language, \
            redirect_preferred",
    ),
];

/// Commits the rows of one payment again and again, under other ids.
pub(crate) struct SameRows {
    connection: Connection,
    rows: Vec<Row>,
    calls: usize,
    written: usize,
}

impl SameRows {
    /// In a file of their own.
    pub(crate) fn in_file(folder: &Path) -> Outcome<Self> {
        let connection = one_payment(&folder.join("same_rows.db"))?;
        set_as_the_store(&connection)?;
        Self::over(connection)
    }

    /// In memory.
    pub(crate) fn in_memory() -> Outcome<Self> {
        let folder = Folder::make()?;
        let file = folder.path().join("same_rows.db");
        drop(one_payment(&file)?);
        let mut connection = Connection::open_in_memory()?;
        connection.restore(MAIN_DB, file, None::<fn(_)>)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Self::over(connection)
    }

    fn over(connection: Connection) -> Outcome<Self> {
        let rows = TABLES.into_iter().map(|table| Row::read(&connection, table));
        let rows = rows.collect::<rusqlite::Result<_>>()?;
        Ok(Self { connection, rows, calls: 0, written: 0 })
    }

    fn commit(&mut self) -> rusqlite::Result<usize> {
        self.written += 1;
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let mut written = 0;
        for row in &mut self.rows {
            written += row.write(&self.connection, self.written)?;
        }
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(written)
    }
}

/// The database of a sandbox in which one payment was made.
fn one_payment(file: &Path) -> Outcome<Connection> {
    let mut payer = Payer::open(Some(file.to_owned()))?;
    match payer.creation()?.send(&payer.sandbox) {
        201 => Ok(Connection::open(file)?),
        status => Err(format!("the payment to be copied was answered {status}").into()),
    }
}

impl Contender for SameRows {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let calls = self.calls;
        let (time, rows) = timed(|| (0..calls).map(|_| self.commit()).sum::<rusqlite::Result<usize>>());
        match rows? == self.rows.len() * calls {
            true => Ok(time),
            false => Err("the rows to be copied are not there".into()),
        }
    }
}

/// A row to be copied.
struct Row {
    insert: String,
    values: Vec<Value>,
    /// How many values are new each time: the first ones.
    own: usize,
}

impl Row {
    /// The one row of a table that a creation wrote.
    fn read(connection: &Connection, (table, own, others): (&str, &[&str], &str)) -> rusqlite::Result<Self> {
        let columns = format!("{}, {others}", own.join(", "));
        let mut statement = connection.prepare(&format!("SELECT {columns} FROM {table} LIMIT 1"))?;
        let count = statement.column_count();
        let values = statement.query_row([], |row| (0..count).map(|at| row.get(at)).collect())?;
        let marks = vec!["?"; count].join(", ");
        let insert = format!("INSERT INTO {table} ({columns}) VALUES ({marks})");
        Ok(Self { insert, values, own: own.len() })
    }

    fn write(&mut self, connection: &Connection, number: usize) -> rusqlite::Result<usize> {
        // Ids sort behind their predecessors, as the library's do; fingerprints do not.
        for value in self.values.iter_mut().take(self.own) {
            match value {
                Value::Text(id) => *id = format!("enc!!{number:09}AAAAAAAAAAAAAAA"),
                Value::Blob(hash) => {
                    hash.iter_mut().zip(number.to_ne_bytes()).for_each(|(old, new)| *old = new)
                }
                _ => {}
            }
        }
        connection.prepare_cached(&self.insert)?.execute(params_from_iter(&self.values))
    }
}

/// What the libraries take of a creation in memory: one verification, and its rows in a commit of their own.
pub(crate) struct BareCreation {
    verification: RsaVerification,
    rows: SameRows,
}

impl BareCreation {
    /// With a database of its own.
    pub(crate) fn new() -> Outcome<Self> {
        Ok(Self { verification: RsaVerification::new()?, rows: SameRows::in_memory()? })
    }
}

impl Contender for BareCreation {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.verification.prepare(calls)?;
        self.rows.prepare(calls)
    }

    fn run(&mut self) -> Outcome<Duration> {
        Ok(self.verification.run()? + self.rows.run()?)
    }
}
