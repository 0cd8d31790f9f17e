//! Parquet.

use std::path::Path;

use arrow_array::RecordBatchReader;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::table::Table;
use super::whole_file::{write_whole, Unfinished};
use crate::error::Result;

impl Table {
    /// Writes the table as a Parquet file, compressed by Snappy: whole or not at all. A file of that name is replaced.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) where the rows cannot be read, the folder does not exist or cannot be
    /// written, or the disk is full; [`Error::Misuse`](crate::Error::Misuse) where the sandbox is closed. Nothing is
    /// changed then.
    pub fn write_parquet(&self, path: impl AsRef<Path>) -> Result<()> {
        write_whole(path.as_ref(), |out| {
            let mut rows = self.reader();
            let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
            let writer = ArrowWriter::try_new(out, rows.schema(), Some(properties));
            let mut writer = writer.map_err(Unfinished::file)?;
            while let Some(batch) = rows.next_batch().map_err(Unfinished::Rows)? {
                writer.write(&batch).map_err(Unfinished::file)?;
            }
            writer.close().map(drop).map_err(Unfinished::file)
        })
    }
}
