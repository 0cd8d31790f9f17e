//! The row of a creation, written past the library: the same table and settings, and nothing else.

use std::path::Path;
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{params_from_iter, Connection, MAIN_DB};

use crate::baseline::{set_as_the_store, RsaVerification};
use crate::payments::Payer;
use crate::rounds::{timed, Contender};
use crate::rows::Folder;
use crate::Outcome;

/// What a creation writes of a payment's row: the columns whose values are new each time, and the others.
const OWN: [&str; 4] = ["id", "likeness", "request_id", "link"];
const OTHERS: &str = "version, tpp, product, context, transfer, fee, fee_currency, status, created_at, \
    link_redirect_uri, link_session_id, link_language";

/// Commits the row of one payment again and again, under other ids.
pub(crate) struct SameRow {
    connection: Connection,
    row: Row,
    calls: usize,
    written: usize,
}

impl SameRow {
    /// In a file of its own.
    pub(crate) fn in_file(folder: &Path) -> Outcome<Self> {
        let connection = one_payment(&folder.join("same_row.db"))?;
        set_as_the_store(&connection)?;
        Self::over(connection)
    }

    /// In memory, where no request id is kept.
    pub(crate) fn in_memory() -> Outcome<Self> {
        let folder = Folder::make()?;
        let file = folder.path().join("same_row.db");
        drop(one_payment(&file)?);
        let mut connection = Connection::open_in_memory()?;
        connection.restore(MAIN_DB, file, None::<fn(_)>)?;
        connection.execute("UPDATE payment SET request_id = NULL", [])?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Self::over(connection)
    }

    fn over(connection: Connection) -> Outcome<Self> {
        let row = Row::read(&connection)?;
        Ok(Self { connection, row, calls: 0, written: 0 })
    }

    fn commit(&mut self) -> rusqlite::Result<usize> {
        self.written += 1;
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let written = self.row.write(&self.connection, self.written)?;
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

impl Contender for SameRow {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let calls = self.calls;
        let (time, rows) = timed(|| (0..calls).map(|_| self.commit()).sum::<rusqlite::Result<usize>>());
        match rows? == calls {
            true => Ok(time),
            false => Err("the row to be copied is not there".into()),
        }
    }
}

/// A row to be copied.
struct Row {
    insert: String,
    /// Those that are new each time come first.
    values: Vec<Value>,
}

impl Row {
    /// The one that a creation wrote.
    fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let columns = format!("{}, {OTHERS}", OWN.join(", "));
        let mut statement = connection.prepare(&format!("SELECT {columns} FROM payment"))?;
        let count = statement.column_count();
        let values = statement.query_row([], |row| (0..count).map(|at| row.get(at)).collect())?;
        let marks = vec!["?"; count].join(", ");
        let insert = format!("INSERT INTO payment ({columns}) VALUES ({marks})");
        Ok(Self { insert, values })
    }

    fn write(&mut self, connection: &Connection, number: usize) -> rusqlite::Result<usize> {
        // Ids come behind their predecessors, as the library's do; hashes do not, and no index has them.
        for value in self.values.iter_mut().take(OWN.len()) {
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

/// What the libraries take of a creation in memory: one verification, and its row in a commit of its own.
pub(crate) struct BareCreation {
    verification: RsaVerification,
    row: SameRow,
}

impl BareCreation {
    /// With a database of its own.
    pub(crate) fn new() -> Outcome<Self> {
        Ok(Self { verification: RsaVerification::new()?, row: SameRow::in_memory()? })
    }
}

impl Contender for BareCreation {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.verification.prepare(calls)?;
        self.row.prepare(calls)
    }

    fn run(&mut self) -> Outcome<Duration> {
        Ok(self.verification.run()? + self.row.run()?)
    }
}
