//! `xs2a.Population`: a generated population without a database.

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use xs2a::tables::{self, Criteria, PopulationOptions, PopulationSize};
use xs2a::{GeneratorVersion, PopulationPlan};

use crate::convert::{self, Instant, Texts};
use crate::error::guarded;
use crate::given::Flag;
use crate::pickling::not_pickled;
use crate::table::Table;
use crate::text::Text;

/// Of how many of a thousand persons there is a case where labels are wanted.
const CASES_WITH_LABELS: u64 = 10;

#[doc = help!("Population")]
#[pyclass(frozen, module = "xs2a")]
pub(crate) struct Population(tables::Population);

#[pymethods]
impl Population {
    #[new]
    #[pyo3(
        signature = (
            *, persons, companies=0, months=12, now, seed=0, generator=Text::from("2026.1"), partition=0, of=1,
            labels=Flag(false), cases=None, events=Flag(false)
        ),
        text_signature = "(*, persons, companies=0, months=12, now, seed=0, generator='2026.1', partition=0, of=1, \
                          labels=False, cases=None, events=False)"
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
        labels: Flag,
        #[pyo3(from_py_with = convert::cases)] cases: Option<u64>,
        events: Flag,
    ) -> PyResult<Self> {
        guarded(py, || {
            let generator = GeneratorVersion::parse(&generator)?;
            let cases = cases.unwrap_or(if labels.0 { CASES_WITH_LABELS } else { 0 });
            let events = events.0;
            let plan =
                PopulationPlan { persons, companies, months, cases, generator, lives_on: false, events };
            tables::Population::new(&PopulationOptions {
                plan,
                now: now.0,
                seed,
                partition,
                of,
                labels: labels.0,
            })
        })
        .map(Self)
    }

    #[doc = help!("Population.size")]
    fn size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let PopulationSize { customers, transactions, database_bytes, .. } = self.0.size();
        let size =
            [("customers", customers), ("transactions", transactions), ("databaseBytes", database_bytes)];
        size.into_py_dict(py)
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

    #[doc = help!("Population.personas")]
    #[pyo3(signature = (criteria, *, count=1))]
    fn personas(
        &self,
        py: Python<'_>,
        criteria: Bound<'_, PyAny>,
        #[pyo3(from_py_with = convert::persons_wanted)] count: usize,
    ) -> PyResult<Vec<String>> {
        let criteria: String = convert::json_text(&criteria)?.extract()?;
        guarded(py, || self.0.personas(&Criteria::from_json(&criteria)?, count))
    }

    fn __reduce__(&self) -> PyResult<()> {
        not_pickled("Population", "send its arguments to the other process, which makes the same one of them")
    }
}
