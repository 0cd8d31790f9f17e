//! The rows of a table, wherever they come from.

use super::column::Column;
use crate::error::Result;
use crate::store::sqlite::sandbox::TakeCell;

/// Where a table comes from.
pub(crate) trait Origin: Send + Sync {
    /// The rows from the first one, with these columns.
    fn rows(&self, columns: &[&'static Column]) -> Box<dyn Rows>;
}

/// Rows that are read a part at a time.
pub(crate) trait Rows: Send {
    /// Gives the values of the next rows, of each row one for each column. Returns false at the end.
    ///
    /// # Errors
    /// Those of the origin, and what `take` fails with.
    fn next_part(&mut self, take: TakeCell<'_>) -> Result<bool>;
}
