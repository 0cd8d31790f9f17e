//! What lines made by hand call the account's own side (contract: Sandbox account transaction).

use super::books::Books;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;
use crate::types::TransactionId;

impl Books<'_> {
    /// Keeps what a line calls the account's own side.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store), of a line that has such a name too.
    pub fn insert_own_name(&self, line: &TransactionId, name: &str) -> Result<()> {
        self.change("INSERT INTO sandbox_own_name (line, name) VALUES (?, ?)", [line.as_str(), name])?;
        Ok(())
    }

    /// What a line calls the account's own side; `None`: by its owner's name.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn own_name(&self, line: &TransactionId) -> Result<Option<String>> {
        let query = "SELECT name FROM sandbox_own_name WHERE line = ?";
        self.row(query, [line.as_str()], |row| Columns::of(row).value())
    }
}
