//! `xs2a.Table`: columns with types, handed over without a copy.

use std::ffi::CString;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use xs2a::tables;

use crate::bank::guarded;
use crate::error;
use crate::given::FilePath;
use crate::pickling::not_pickled;
use crate::progress::Progress;

/// How many rows a notebook shows.
const ROWS_SHOWN: usize = 20;

impl Table {
    /// Writes the table, and reports to `progress` how many rows were read.
    fn write(
        &self,
        py: Python<'_>,
        progress: Option<Bound<'_, PyAny>>,
        write: impl FnOnce(&tables::Table) -> xs2a::Result<()> + Send,
    ) -> PyResult<()> {
        let table = match Progress::new(progress.as_ref())? {
            Some(progress) => self.0.watched(Arc::new(move |rows| progress.report([rows]))),
            None => self.0.clone(),
        };
        guarded(py, || write(&table))
    }
}

#[doc = help!("Table")]
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Table(pub(crate) tables::Table);

#[pymethods]
impl Table {
    #[doc = help!("Table.name")]
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    #[doc = help!("Table.column_names")]
    #[getter]
    fn column_names(&self) -> Vec<&'static str> {
        self.0.column_names()
    }

    #[doc = help!("Table.__arrow_c_schema__")]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = error::guarded(py, || self.0.exported_schema())?;
        PyCapsule::new(py, schema, Some(CString::new("arrow_schema")?))
    }

    // A consumer that wishes another schema casts what it gets: the protocol allows that.
    #[doc = help!("Table.__arrow_c_stream__")]
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        PyCapsule::new(py, self.0.arrow_stream(), Some(CString::new("arrow_array_stream")?))
    }

    #[doc = help!("Table.write_parquet")]
    #[cfg(feature = "parquet")]
    #[pyo3(signature = (path, *, progress=None))]
    fn write_parquet(
        &self,
        py: Python<'_>,
        path: FilePath,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.write(py, progress, |table| table.write_parquet(&path.0))
    }

    #[doc = help!("Table.write_csv")]
    #[pyo3(signature = (path, *, progress=None))]
    fn write_csv(&self, py: Python<'_>, path: FilePath, progress: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        self.write(py, progress, |table| table.write_csv(&path.0))
    }

    #[doc = help!("Table.write_arrow")]
    #[pyo3(signature = (path, *, progress=None))]
    fn write_arrow(
        &self,
        py: Python<'_>,
        path: FilePath,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.write(py, progress, |table| table.write_arrow(&path.0))
    }

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // One more, to see whether there are more.
        let rows = error::guarded(py, || self.0.first_rows(ROWS_SHOWN + 1))?;
        py.import("xs2a._html")?
            .call_method1("of_table", (self.0.name(), self.0.column_names(), rows, ROWS_SHOWN))
    }

    fn __repr__(&self) -> String {
        format!("xs2a.Table({:?}, columns={:?})", self.0.name(), self.0.column_names()).replace('"', "'")
    }

    fn __reduce__(&self) -> PyResult<()> {
        not_pickled(
            "Table",
            "it reads from what is in this process; write it to a file, or pickle what was read",
        )
    }
}
