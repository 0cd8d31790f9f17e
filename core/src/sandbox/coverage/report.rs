//! Coverage as JSON, and read back from it: that is how the counts of several processes come together.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::moves::{self, State, Transition};
use super::tally::{Coverage, CoverageKind, Statuses};
use crate::error::{Error, Result};
use crate::operation::{Operation, OPERATIONS};
use crate::reason::{Code, Reason};
use crate::sandbox::management::OPERATIONS as SANDBOX_ROUTES;
use crate::wire::json;

/// The whole report. Rows are in the order of their tables, including those never seen.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    operations: Section<OperationRow>,
    sandbox_routes: Section<OperationRow>,
    unrouted: Unrouted,
    reasons: Section<ReasonRow>,
    codes: Section<CodeRow>,
    states: Section<StateRow>,
    transitions: Section<TransitionRow>,
}

/// One kind.
#[derive(Serialize, Deserialize)]
struct Section<R> {
    touched: usize,
    total: usize,
    rows: Vec<R>,
}

#[derive(Serialize, Deserialize)]
struct OperationRow {
    name: String,
    calls: u64,
    /// How often each status was answered.
    statuses: BTreeMap<String, u64>,
}

/// Calls that led to no operation.
#[derive(Serialize, Deserialize)]
struct Unrouted {
    calls: u64,
    statuses: BTreeMap<String, u64>,
}

#[derive(Serialize, Deserialize)]
struct ReasonRow {
    id: String,
    code: String,
    times: u64,
}

#[derive(Serialize, Deserialize)]
struct CodeRow {
    code: String,
    times: u64,
}

#[derive(Serialize, Deserialize)]
struct StateRow {
    machine: String,
    state: String,
    times: u64,
}

#[derive(Serialize, Deserialize)]
struct TransitionRow {
    machine: String,
    from: String,
    to: String,
    times: u64,
}

impl Coverage {
    /// The report as the text of a JSON object: `operations`, `sandboxRoutes`, `reasons`, `codes`, `states` and
    /// `transitions`, each `{"touched", "total", "rows": […]}` with every row there is, and `unrouted`
    /// `{"calls", "statuses"}`.
    ///
    /// # Errors
    /// [`Error::Internal`]: a bug.
    pub fn to_json(&self) -> Result<String> {
        let section = |kind| (self.touched(kind), Self::total(kind));
        let reasons = Reason::ALL.iter().map(|reason| ReasonRow {
            id: reason.id().to_owned(),
            code: reason.code().as_str().to_owned(),
            times: times(&self.reasons, reason),
        });
        let codes = Code::all()
            .into_iter()
            .map(|code| CodeRow { code: code.as_str().to_owned(), times: self.times_of_code(code) });
        let states = moves::states().into_iter().map(|row| StateRow {
            machine: row.machine.to_owned(),
            state: row.state.to_owned(),
            times: times(&self.states, &row),
        });
        let transitions = moves::transitions().into_iter().map(|row| TransitionRow {
            machine: row.machine.to_owned(),
            from: row.from.to_owned(),
            to: row.to.to_owned(),
            times: times(&self.transitions, &row),
        });
        json::write_text(&Report {
            operations: Section::new(section(CoverageKind::Operations), self.rows_of(OPERATIONS)),
            sandbox_routes: Section::new(section(CoverageKind::SandboxRoutes), self.rows_of(SANDBOX_ROUTES)),
            unrouted: Unrouted { calls: self.unrouted.values().sum(), statuses: written(&self.unrouted) },
            reasons: Section::new(section(CoverageKind::Reasons), reasons.collect()),
            codes: Section::new(section(CoverageKind::Codes), codes.collect()),
            states: Section::new(section(CoverageKind::States), states.collect()),
            transitions: Section::new(section(CoverageKind::Transitions), transitions.collect()),
        })
    }

    /// Reads what [`Coverage::to_json`] wrote. `touched`, `total`, `calls`, `code` and `codes` are computed
    /// again.
    ///
    /// # Errors
    /// [`Error::Misuse`] for another text, and for a row that this version of the library does not have.
    pub fn from_json(text: &str) -> Result<Self> {
        let report: Report = json::read_config(text)
            .map_err(|error| Error::Misuse(format!("this is no coverage: {error}")))?;
        let mut coverage = Self { unrouted: read_statuses(&report.unrouted.statuses)?, ..Self::default() };
        for (rows, table) in [(&report.operations, OPERATIONS), (&report.sandbox_routes, SANDBOX_ROUTES)] {
            for row in &rows.rows {
                let operation = table.iter().find(|operation| operation.name == row.name);
                let name = operation.ok_or_else(|| unknown(&row.name))?.name;
                let statuses = read_statuses(&row.statuses)?;
                if !statuses.is_empty() {
                    coverage.operations.insert(name, statuses);
                }
            }
        }
        for row in &report.reasons.rows {
            let reason = Reason::ALL.iter().find(|reason| reason.id() == row.id);
            insert(&mut coverage.reasons, *reason.ok_or_else(|| unknown(&row.id))?, row.times);
        }
        let known = moves::states();
        for row in &report.states.rows {
            let is_it = |state: &&State| state.machine == row.machine && state.state == row.state;
            let state = known.iter().find(is_it).ok_or_else(|| unknown(&row.state))?;
            insert(&mut coverage.states, *state, row.times);
        }
        let known = moves::transitions();
        for row in &report.transitions.rows {
            let is_it = |known: &&Transition| {
                (known.machine, known.from, known.to) == (&row.machine, &row.from, &row.to)
            };
            let transition = known.iter().find(is_it).ok_or_else(|| unknown(&row.to))?;
            insert(&mut coverage.transitions, *transition, row.times);
        }
        Ok(coverage)
    }

    fn rows_of(&self, table: &'static [Operation]) -> Vec<OperationRow> {
        let row = |operation: &Operation| {
            let statuses = self.operations.get(operation.name);
            OperationRow {
                name: operation.name.to_owned(),
                calls: statuses.map_or(0, |statuses| statuses.values().sum()),
                statuses: statuses.map(written).unwrap_or_default(),
            }
        };
        table.iter().map(row).collect()
    }
}

impl<R> Section<R> {
    fn new((touched, total): (usize, usize), rows: Vec<R>) -> Self {
        Self { touched, total, rows }
    }
}

fn times<K: Ord>(counts: &BTreeMap<K, u64>, key: &K) -> u64 {
    counts.get(key).copied().unwrap_or_default()
}

fn insert<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K, times: u64) {
    if times > 0 {
        counts.insert(key, times);
    }
}

fn written(statuses: &Statuses) -> BTreeMap<String, u64> {
    statuses.iter().map(|(status, times)| (status.to_string(), *times)).collect()
}

fn read_statuses(written: &BTreeMap<String, u64>) -> Result<Statuses> {
    let status = |text: &String| text.parse().map_err(|_| unknown(text));
    let seen = written.iter().filter(|(_, times)| **times > 0);
    seen.map(|(text, times)| Ok((status(text)?, *times))).collect()
}

fn unknown(name: &str) -> Error {
    Error::Misuse(format!("this is no coverage of this version: `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sca::machine::ScaStatus;

    #[test]
    fn what_is_written_is_read_back() {
        let mut seen = Coverage::default();
        assert_eq!(Coverage::from_json(&seen.to_json().unwrap()).unwrap(), seen);
        seen.note_call(OPERATIONS.first(), 201, &[Reason::HeaderMissing]);
        seen.note_call(SANDBOX_ROUTES.last(), 200, &[]);
        seen.note_call(None, 404, &[Reason::PathUnknown]);
        seen.note_move(moves::moved(ScaStatus::Started, ScaStatus::Failed));
        assert_eq!(Coverage::from_json(&seen.to_json().unwrap()).unwrap(), seen);
    }

    #[test]
    fn another_text_and_a_row_of_another_version_are_refused() {
        let good = Coverage::default().to_json().unwrap();
        for (from, to) in [
            ("\"createPayment\"", "\"noSuchOperation\""),
            ("\"RTE-01\"", "\"RTE-00\""),
            ("\"state\":\"RCVD\"", "\"state\":\"XXXX\""),
            ("\"to\":\"PDNG\"", "\"to\":\"RCVD\""),
            ("\"statuses\":{}", "\"statuses\":{\"2oo\":1}"),
            ("{\"operations\"", "[\"operations\""),
            ("\"times\":0", "\"times\":-1"),
            ("\"unrouted\"", "\"uprooted\""),
        ] {
            let changed = good.replacen(from, to, 1);
            assert_ne!(changed, good, "{from}");
            assert!(matches!(Coverage::from_json(&changed), Err(Error::Misuse(_))), "{to}");
        }
    }
}
