//! Arrow's own format (IPC), as a stream in a file.

use std::path::Path;

use arrow_array::RecordBatchReader;
use arrow_ipc::writer::StreamWriter;

use super::table::Table;
use super::whole_file::{write_whole, Unfinished};
use crate::error::Result;

impl Table {
    /// Writes the table as a file in Arrow's streaming format (`application/vnd.apache.arrow.stream`): whole or not at
    /// all. A file of that name is replaced.
    ///
    /// # Errors
    /// As [`Table::write_csv`].
    pub fn write_arrow(&self, path: impl AsRef<Path>) -> Result<()> {
        write_whole(path.as_ref(), |out| {
            let mut rows = self.reader();
            let mut writer = StreamWriter::try_new(out, &rows.schema()).map_err(Unfinished::file)?;
            while let Some(batch) = rows.next_batch().map_err(Unfinished::Rows)? {
                writer.write(&batch).map_err(Unfinished::file)?;
            }
            writer.finish().map_err(Unfinished::file)
        })
    }
}
