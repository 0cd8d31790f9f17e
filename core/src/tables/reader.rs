//! A table as a stream of batches, and its hand-over by Arrow's C interfaces.

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};

use super::batch::Batch;
use super::column::Column;
use super::rows::Rows;
use crate::error::Result;

/// `struct ArrowArrayStream` of Arrow's C stream interface.
pub type ArrowArrayStream = arrow_array::ffi_stream::FFI_ArrowArrayStream;
/// `struct ArrowSchema` of Arrow's C data interface.
pub type ArrowSchema = arrow_schema::ffi::FFI_ArrowSchema;

/// The batches of a table from the first one. After an error there are no more.
pub(super) struct Reader {
    schema: SchemaRef,
    columns: Vec<&'static Column>,
    rows: Option<Box<dyn Rows>>,
}

impl Reader {
    pub(super) fn of(schema: SchemaRef, columns: Vec<&'static Column>, rows: Box<dyn Rows>) -> Self {
        Self { schema, columns, rows: Some(rows) }
    }

    /// The next batch that has rows.
    pub(super) fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let Some(rows) = &mut self.rows else { return Ok(None) };
        loop {
            let mut batch = Batch::of(&self.columns);
            let is_part = rows.next_part(&mut |column, cell| batch.take(column, cell))?;
            if !batch.is_empty() {
                return batch.finish(SchemaRef::clone(&self.schema)).map(Some);
            }
            if !is_part {
                return Ok(None);
            }
        }
    }
}

impl Iterator for Reader {
    type Item = std::result::Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_batch().map_err(|error| ArrowError::ExternalError(Box::new(error)));
        if !matches!(next, Ok(Some(_))) {
            self.rows = None;
        }
        next.transpose()
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}
