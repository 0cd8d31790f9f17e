//! The order of the lines.

use super::super::budget::Flow;
use super::super::case::Case;
use super::super::draft::{Draft, Line};
use super::super::mistake::{Reach, Visit};
use crate::tpp::signing_string::MANDATORY;

/// Lists up to this length are searched in every order: 5040.
const PERMUTED_NAMES_MAX: usize = 7;

/// Lines in another order than Signature lists them.
pub(in crate::explain) fn order_differs<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    reach: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let sent = |line: &Line<'_>| {
        case.fields().iter().position(|(name, _)| line.is(name)).map_or(0, |place| place + 1)
    };
    let contract =
        |line: &Line<'_>| MANDATORY.iter().position(|name| line.is(name)).unwrap_or(MANDATORY.len());
    sorted(draft, visit, |one, other| one.name.cmp(&other.name))?;
    sorted(draft, visit, |one, other| sent(one).cmp(&sent(other)))?;
    sorted(draft, visit, |one, other| contract(one).cmp(&contract(other)))?;
    sorted(draft, visit, |one, other| other.name.cmp(&one.name))?;
    visit(&draft.with_lines(draft.lines.iter().rev().cloned().collect()))?;
    if reach == Reach::Near {
        return Flow::Continue(());
    }
    match draft.lines.len() {
        count if count <= PERMUTED_NAMES_MAX => permuted(&mut draft.clone(), 0, visit),
        count => moved(draft, count, visit),
    }
}

fn sorted<'a>(
    draft: &Draft<'a>,
    visit: Visit<'_, Draft<'a>>,
    order: impl Fn(&Line<'a>, &Line<'a>) -> std::cmp::Ordering,
) -> Flow {
    let mut lines = draft.lines.clone();
    lines.sort_by(order);
    visit(&draft.with_lines(lines))
}

/// Every order of the lines from one place on.
fn permuted<'a>(draft: &mut Draft<'a>, from: usize, visit: Visit<'_, Draft<'a>>) -> Flow {
    let count = draft.lines.len();
    if from + 1 >= count {
        return visit(draft);
    }
    for place in from..count {
        draft.lines.swap(from, place);
        permuted(draft, from + 1, visit)?;
        draft.lines.swap(from, place);
    }
    Flow::Continue(())
}

/// Every order in which one line is at another place, or two have changed places.
fn moved<'a>(draft: &Draft<'a>, count: usize, visit: Visit<'_, Draft<'a>>) -> Flow {
    for from in 0..count {
        for to in (0..count).filter(|to| *to != from) {
            let mut lines = draft.lines.clone();
            let line = lines.remove(from);
            lines.insert(to, line);
            visit(&draft.with_lines(lines))?;
            let mut lines = draft.lines.clone();
            lines.swap(from, to);
            visit(&draft.with_lines(lines))?;
        }
    }
    Flow::Continue(())
}
