//! States and transitions of the five machines, by their names.

use crate::basket::machine::BasketState;
use crate::consent::machine::ConsentStatus;
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::sca::machine::ScaStatus;
use crate::session::machine::SessionState;

/// One state of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    pub(super) machine: &'static str,
    pub(super) state: &'static str,
}

/// One row of a machine's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Transition {
    pub(super) machine: &'static str,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
}

/// A change of state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) state: State,
    /// The row that it took. `None` where it is new, or where the table has no such row: a consent that is given
    /// again while it is valid.
    pub(super) transition: Option<Transition>,
}

/// The first state of a new object.
pub(super) fn begun<M: Machine>(state: M) -> Move {
    Move { state: State { machine: M::NAME, state: state.as_str() }, transition: None }
}

/// A change from one state to another.
pub(super) fn moved<M: Machine>(from: M, to: M) -> Move {
    let transition =
        from.may_become(to).then(|| Transition { machine: M::NAME, from: from.as_str(), to: to.as_str() });
    Move { transition, ..begun(to) }
}

/// As [`moved`]; [`begun`] where there was nothing before.
pub(super) fn moved_or_begun<M: Machine>(from: Option<M>, to: M) -> Move {
    from.map_or_else(|| begun(to), |from| moved(from, to))
}

/// The table of one machine.
struct Table {
    states: Vec<State>,
    transitions: Vec<Transition>,
}

/// The five tables.
fn tables() -> [Table; 5] {
    fn of<M: Machine>() -> Table {
        let states = M::STATES.iter().map(|state| State { machine: M::NAME, state: state.as_str() });
        let row = |from: M, to: M| Transition { machine: M::NAME, from: from.as_str(), to: to.as_str() };
        let rows = M::STATES.iter().flat_map(|from| from.targets().iter().map(|to| row(*from, *to)));
        Table { states: states.collect(), transitions: rows.collect() }
    }
    [
        of::<PaymentStatus>(),
        of::<BasketState>(),
        of::<ScaStatus>(),
        of::<SessionState>(),
        of::<ConsentStatus>(),
    ]
}

/// Every state there is, in the order of the tables.
pub(super) fn states() -> Vec<State> {
    tables().into_iter().flat_map(|table| table.states).collect()
}

/// Every row there is, in the order of the tables.
pub(super) fn transitions() -> Vec<Transition> {
    tables().into_iter().flat_map(|table| table.transitions).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_takes_a_row_only_where_the_table_has_it() {
        let row = Transition { machine: "Payment", from: "RCVD", to: "PDNG" };
        assert_eq!(moved(PaymentStatus::Rcvd, PaymentStatus::Pdng).transition, Some(row));
        assert_eq!(moved(PaymentStatus::Acsc, PaymentStatus::Pdng).transition, None);
        assert_eq!(moved_or_begun(None, PaymentStatus::Rcvd), begun(PaymentStatus::Rcvd));
    }

    #[test]
    fn each_state_and_row_is_named_once() {
        let names: std::collections::BTreeSet<_> = transitions().into_iter().collect();
        assert_eq!(names.len(), transitions().len());
        let names: std::collections::BTreeSet<_> = states().into_iter().collect();
        assert_eq!(names.len(), states().len());
        let payment = transitions().into_iter().filter(|row| row.machine == "Payment").count();
        let table: usize = PaymentStatus::STATES.iter().map(|state| state.targets().len()).sum();
        assert_eq!(payment, table);
    }
}
