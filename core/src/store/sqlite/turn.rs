//! Turns to write to a database: what a writer has to read again depends on who had one since its last.

use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::{Connection, Result};

/// Counts the turns of one process.
#[derive(Debug, Default)]
pub(super) struct Turns {
    taken: AtomicU64,
    /// The last one of which all changes were kept.
    kept: AtomicU64,
    /// How many of them could change the bank's books.
    of_books: AtomicU64,
}

/// A turn, as its writer remembers it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn {
    number: u64,
    /// What SQLite counts of the commits of other processes.
    others: i64,
}

/// What happened to a database since the last turn of a writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meanwhile {
    /// Whether what that turn changed is known to have been kept.
    pub(super) was_kept: bool,
    /// Whether somebody else may have written, in whatever process.
    pub(super) others_wrote: bool,
}

#[cfg(test)]
impl Meanwhile {
    /// What is always safe to say.
    pub(super) const ANYTHING: Self = Self { was_kept: false, others_wrote: true };
}

impl Turns {
    /// Somebody has the writer now, until it is given back. The number of the turn.
    pub(super) fn take(&self) -> u64 {
        self.taken.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The same, for whoever may change the bank's books.
    pub(super) fn take_with_books(&self) -> u64 {
        self.of_books.fetch_add(1, Ordering::Relaxed);
        self.take()
    }

    /// A number that is another one once somebody had a turn who may change the bank's books.
    pub(super) fn books_edition(&self) -> u64 {
        self.of_books.load(Ordering::Relaxed)
    }

    /// Everything that was changed in a turn is kept.
    pub(super) fn keep(&self, turn: u64) {
        self.kept.store(turn, Ordering::Relaxed);
    }

    /// What happened since a writer's last turn, which from now on is the present one. For whoever has it, in a
    /// transaction: nobody else begins one.
    pub(super) fn since(&self, last: &mut Turn, writer: &Connection, is_shared: bool) -> Result<Meanwhile> {
        let others = if is_shared { commits_of_others(writer)? } else { 0 };
        let now = Turn { number: self.taken.load(Ordering::Relaxed), others };
        let before = std::mem::replace(last, now);
        let is_next = now.number == before.number + 1;
        Ok(Meanwhile {
            was_kept: is_next && self.kept.load(Ordering::Relaxed) == before.number,
            others_wrote: !is_next || now.others != before.others,
        })
    }
}

/// A number that is another one once another connection has committed.
fn commits_of_others(writer: &Connection) -> Result<i64> {
    writer.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}
