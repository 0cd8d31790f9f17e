//! What was counted.

use std::collections::BTreeMap;

use super::moves::{self, Move, State, Transition};
use crate::operation::{Operation, OPERATIONS};
use crate::reason::{Code, Reason};
use crate::sandbox::management::OPERATIONS as SANDBOX_ROUTES;

/// How often each HTTP status was answered.
pub(super) type Statuses = BTreeMap<u16, u64>;

/// What a sandbox, or several, have seen of all there is. It holds counts only, no personal data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    pub(super) operations: BTreeMap<&'static str, Statuses>,
    pub(super) unrouted: Statuses,
    pub(super) reasons: BTreeMap<Reason, u64>,
    pub(super) states: BTreeMap<State, u64>,
    pub(super) transitions: BTreeMap<Transition, u64>,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CoverageKind {
    /// The rows of the operation table (contract: Endpoints). A call counts as soon as it is routed.
    Operations,
    /// The sandbox's own routes.
    SandboxRoutes,
    /// The rows of the table of reasons: refusals and warnings, those of a failed SCA too. Some of them no sandbox
    /// gives, such as those of a database that fails.
    Reasons,
    /// The codes of the contract's section Errors. A code is seen with the first of its reasons.
    Codes,
    /// The states of the five machines. `transactionStatus` is one of them.
    States,
    /// The rows of the five machines. What only time changes counts when the engine meets it.
    Transitions,
}

impl CoverageKind {
    /// All of them, in the order of a report.
    pub const ALL: [Self; 6] =
        [Self::Operations, Self::SandboxRoutes, Self::Reasons, Self::Codes, Self::States, Self::Transitions];

    /// Its name in the JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Operations => "operations",
            Self::SandboxRoutes => "sandboxRoutes",
            Self::Reasons => "reasons",
            Self::Codes => "codes",
            Self::States => "states",
            Self::Transitions => "transitions",
        }
    }

    /// The kind of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

impl Coverage {
    /// One call, answered. `None`: it was routed to no operation.
    pub(super) fn note_call(
        &mut self,
        operation: Option<&'static Operation>,
        status: u16,
        reasons: &[Reason],
    ) {
        let statuses = match operation {
            Some(operation) => self.operations.entry(operation.name).or_default(),
            None => &mut self.unrouted,
        };
        count(statuses, status, 1);
        for reason in reasons {
            self.note_reason(*reason);
        }
    }

    /// Counts a reason that is reported elsewhere than in an answer.
    pub(super) fn note_reason(&mut self, reason: Reason) {
        count(&mut self.reasons, reason, 1);
    }

    pub(super) fn note_move(&mut self, moved: Move) {
        count(&mut self.states, moved.state, 1);
        if let Some(transition) = moved.transition {
            count(&mut self.transitions, transition, 1);
        }
    }

    /// Adds what another one saw.
    pub fn merge(&mut self, other: &Self) {
        for (name, statuses) in &other.operations {
            let own = self.operations.entry(name).or_default();
            statuses.iter().for_each(|(status, times)| count(own, *status, *times));
        }
        other.unrouted.iter().for_each(|(status, times)| count(&mut self.unrouted, *status, *times));
        other.reasons.iter().for_each(|(reason, times)| count(&mut self.reasons, *reason, *times));
        other.states.iter().for_each(|(state, times)| count(&mut self.states, *state, *times));
        other.transitions.iter().for_each(|(row, times)| count(&mut self.transitions, *row, *times));
    }

    /// How often a code was seen, with any of its reasons.
    pub(super) fn times_of_code(&self, code: Code) -> u64 {
        let reasons = self.reasons.iter().filter(|(reason, _)| reason.code() == code);
        reasons.fold(0, |sum, (_, times)| sum.saturating_add(*times))
    }

    /// How many there are of a kind.
    pub fn total(kind: CoverageKind) -> usize {
        match kind {
            CoverageKind::Operations => OPERATIONS.len(),
            CoverageKind::SandboxRoutes => SANDBOX_ROUTES.len(),
            CoverageKind::Reasons => Reason::ALL.len(),
            CoverageKind::Codes => Code::all().len(),
            CoverageKind::States => moves::states().len(),
            CoverageKind::Transitions => moves::transitions().len(),
        }
    }

    /// How many of a kind were seen.
    pub fn touched(&self, kind: CoverageKind) -> usize {
        Self::total(kind).saturating_sub(self.untouched(kind).len())
    }

    /// How many of a kind were seen, in per cent of all there are.
    pub fn percent(&self, kind: CoverageKind) -> f64 {
        let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        100.0 * count(self.touched(kind)) / count(Self::total(kind))
    }

    /// What of a kind was not seen, in the order of its table: names of operations, ids of reasons, codes,
    /// `Payment RCVD`, `Payment RCVD -> PDNG`.
    pub fn untouched(&self, kind: CoverageKind) -> Vec<String> {
        let not_called = |rows: &'static [Operation]| {
            let names = rows.iter().map(|operation| operation.name);
            names.filter(|name| !self.operations.contains_key(name)).map(str::to_owned).collect()
        };
        match kind {
            CoverageKind::Operations => not_called(OPERATIONS),
            CoverageKind::SandboxRoutes => not_called(SANDBOX_ROUTES),
            CoverageKind::Reasons => {
                let unseen = Reason::ALL.iter().filter(|reason| !self.reasons.contains_key(reason));
                unseen.map(|reason| reason.id().to_owned()).collect()
            }
            CoverageKind::Codes => {
                let unseen = Code::all().into_iter().filter(|code| self.times_of_code(*code) == 0);
                unseen.map(|code| code.as_str().to_owned()).collect()
            }
            CoverageKind::States => {
                let unseen = moves::states().into_iter().filter(|state| !self.states.contains_key(state));
                unseen.map(|state| format!("{} {}", state.machine, state.state)).collect()
            }
            CoverageKind::Transitions => {
                let rows = moves::transitions().into_iter();
                let unseen = rows.filter(|row| !self.transitions.contains_key(row));
                unseen.map(|row| format!("{} {} -> {}", row.machine, row.from, row.to)).collect()
            }
        }
    }
}

fn count<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K, times: u64) {
    let count = counts.entry(key).or_default();
    *count = count.saturating_add(times);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payment::machine::PaymentStatus;

    fn seen() -> Coverage {
        let mut seen = Coverage::default();
        seen.note_call(OPERATIONS.first(), 201, &[]);
        seen.note_call(OPERATIONS.first(), 400, &[Reason::HeaderMissing]);
        seen.note_call(None, 404, &[Reason::PathUnknown]);
        seen.note_move(moves::begun(PaymentStatus::Rcvd));
        seen.note_move(moves::moved(PaymentStatus::Rcvd, PaymentStatus::Pdng));
        seen
    }

    #[test]
    fn what_was_seen_and_what_was_not_make_all_there_is() {
        let counts = CoverageKind::ALL.map(|kind| seen().touched(kind));
        assert_eq!(counts, [1, 0, 2, 2, 2, 1]);
        for kind in CoverageKind::ALL {
            assert_eq!(seen().touched(kind) + seen().untouched(kind).len(), Coverage::total(kind));
            assert_eq!(Coverage::default().percent(kind), 0.0);
            assert_eq!(CoverageKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(CoverageKind::parse("Operations"), None);
        assert!(!seen().untouched(CoverageKind::Transitions).contains(&"Payment RCVD -> PDNG".to_owned()));
        assert!(seen().untouched(CoverageKind::Transitions).contains(&"Payment RCVD -> CANC".to_owned()));
    }

    #[test]
    fn the_24_codes_of_the_contract_are_a_kind() {
        assert_eq!(Coverage::total(CoverageKind::Codes), 24);
        let unseen = seen().untouched(CoverageKind::Codes);
        assert!(!unseen.contains(&"RESOURCE_UNKNOWN".to_owned()), "{unseen:?}");
        assert!(unseen.contains(&"SYSTEM_ERROR".to_owned()), "{unseen:?}");
    }

    #[test]
    fn reasons_of_one_code_are_one_code() {
        let mut seen = Coverage::default();
        let code = Reason::SignedHeaderRepeated.code();
        let is_other = |reason: &&Reason| reason.code() == code && **reason != Reason::SignedHeaderRepeated;
        let other = *Reason::ALL.iter().find(is_other).unwrap();
        seen.note_call(None, 400, &[Reason::SignedHeaderRepeated, Reason::SignedHeaderRepeated, other]);
        assert_eq!((seen.touched(CoverageKind::Codes), seen.times_of_code(code)), (1, 3));
    }

    #[test]
    fn merging_adds_and_does_not_mind_the_order() {
        let mut other = Coverage::default();
        other.note_call(OPERATIONS.last(), 200, &[]);
        other.note_call(OPERATIONS.first(), 201, &[]);
        let (mut one, mut two) = (seen(), other.clone());
        one.merge(&other);
        two.merge(&seen());
        assert_eq!(one, two);
        assert_eq!(one.operations[OPERATIONS[0].name], Statuses::from([(201, 2), (400, 1)]));
        assert_eq!(one.touched(CoverageKind::Operations), 2);
        let before = one.clone();
        one.merge(&Coverage::default());
        assert_eq!(one, before);
    }
}
