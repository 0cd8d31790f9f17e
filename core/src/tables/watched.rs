//! A table whose readings report how far they are.

use std::sync::Arc;

use super::column::Column;
use super::rows::{Origin, Rows};
use crate::error::Result;
use crate::store::sqlite::sandbox::TakeCell;

/// Called after each part of a reading, with how many rows were read. An error ends the reading.
pub type Watch = Arc<dyn Fn(u64) -> Result<()> + Send + Sync>;

/// The same rows.
pub(super) struct WatchedOrigin {
    pub(super) inner: Arc<dyn Origin>,
    pub(super) watch: Watch,
}

impl Origin for WatchedOrigin {
    fn rows(&self, columns: &[&'static Column]) -> Box<dyn Rows> {
        Box::new(WatchedRows { inner: self.inner.rows(columns), watch: Arc::clone(&self.watch), read: 0 })
    }
}

struct WatchedRows {
    inner: Box<dyn Rows>,
    watch: Watch,
    read: u64,
}

impl Rows for WatchedRows {
    fn next_part(&mut self, take: TakeCell<'_>) -> Result<bool> {
        let read = &mut self.read;
        let is_part = self.inner.next_part(&mut |column, cell| {
            *read += u64::from(column == 0);
            take(column, cell)
        })?;
        if is_part {
            (self.watch)(self.read)?;
        }
        Ok(is_part)
    }
}
