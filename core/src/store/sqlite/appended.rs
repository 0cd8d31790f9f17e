//! Tables to which rows are appended, for whoever knows them from memory.

use rusqlite::{Result, Row};

use super::places::Key;

/// A table to which rows are appended.
pub(super) trait Appended {
    /// Selects the lines of the rows from number `?1` on, in their order. Of the first, number and id are enough.
    const ONWARD: &'static str;
    /// Selects the lines of all rows, the last one first.
    const BACKWARD: &'static str;
    /// Whether the rows stand in the order of their times.
    const IS_IN_ORDER: bool;
    /// How far the times of rows may run against their order, and those of questions against each other, in
    /// microseconds.
    const DISORDER_MAX: i64;

    /// The line of a row.
    fn line(row: &Row<'_>) -> Result<Line>;
}

/// What is to be known of a row: its rowid, what tells it from a row that gets its number later, its key, and when it
/// was added, in microseconds since 1970.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) number: i64,
    pub(super) id: Vec<u8>,
    /// Of a row that nobody looks for, none.
    pub(super) key: Option<Key>,
    pub(super) at: i64,
}

/// A row that was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) number: i64,
    pub(super) id: Vec<u8>,
}

impl Line {
    /// What it is known by later.
    pub(super) fn into_seen(self) -> Seen {
        Seen { number: self.number, id: self.id }
    }
}
