//! `xs2a.Population`: a generated population without a database.

use pyo3::prelude::*;
use xs2a::tables::{self, PopulationOptions};
use xs2a::{GeneratorVersion, PopulationPlan};

use crate::convert::{self, Instant, Texts};
use crate::error::guarded;
use crate::pickling::not_pickled;
use crate::table::Table;
use crate::text::Text;

#[doc = help!("Population")]
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Population(tables::Population);

#[pymethods]
impl Population {
    #[new]
    #[pyo3(
        signature = (
            *, persons, companies=0, months=12, now, seed=0, generator=Text::from("2026.1"), partition=0, of=1
        ),
        text_signature = "(*, persons, companies=0, months=12, now, seed=0, generator='2026.1', partition=0, of=1)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = convert::part_of_population)] persons: u64,
        #[pyo3(from_py_with = convert::part_of_population)] companies: u64,
        #[pyo3(from_py_with = convert::part_of_population)] months: u64,
        now: Instant,
        #[pyo3(from_py_with = convert::seed)] seed: u64,
        generator: Text,
        #[pyo3(from_py_with = convert::partition)] partition: u64,
        #[pyo3(from_py_with = convert::partition)] of: u64,
    ) -> PyResult<Self> {
        guarded(py, || {
            let generator = GeneratorVersion::parse(&generator)?;
            let plan = PopulationPlan { persons, companies, months, generator };
            tables::Population::new(&PopulationOptions { plan, now: now.0, seed, partition, of })
        })
        .map(Self)
    }

    #[doc = help!("Population.tables")]
    fn tables(&self) -> Vec<&'static str> {
        self.0.tables()
    }

    #[doc = help!("Population.table")]
    #[pyo3(signature = (name, *, columns=None))]
    fn table(&self, py: Python<'_>, name: Text, columns: Option<Texts>) -> PyResult<Table> {
        let columns = columns.as_ref().map(Texts::borrowed);
        guarded(py, || self.0.table(&name, columns.as_deref())).map(Table)
    }

    fn __reduce__(&self) -> PyResult<()> {
        not_pickled("Population", "send its arguments to the other process, which makes the same one of them")
    }
}
