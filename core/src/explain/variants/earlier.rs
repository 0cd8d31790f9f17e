//! Parts of earlier calls.

use super::super::budget::Flow;
use super::super::case::{line_of, target_value, Case};
use super::super::draft::Draft;
use super::super::mistake::{Reach, Visit};
use crate::wire::headers::Headers;

/// Methods of the interface.
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "DELETE", "PATCH"];

/// The values that a header had in earlier calls, the last first.
pub(super) fn values<'a>(case: &Case<'a>, name: &'a str) -> impl Iterator<Item = Vec<u8>> + use<'a> {
    let earlier = case.options.earlier.iter().rev();
    earlier.filter_map(move |request| Some(Headers::unchecked(request.headers).get(name)?.into_owned()))
}

/// The signing string of another call: as a whole, or its method, target or one header.
pub(in crate::explain) fn another_request<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    if let Some(index) = draft.target_index() {
        METHODS.iter().try_for_each(|method| {
            visit(&draft.with_value(index, target_value(method, case.request.target)))
        })?;
    }
    case.options.earlier.iter().rev().try_for_each(|request| {
        let headers = Headers::unchecked(request.headers);
        let theirs = |name: &str| line_of(request, &headers, name);
        let whole = draft.lines.iter().map(|line| theirs(&line.name).unwrap_or_else(|| line.clone()));
        visit(&draft.with_lines(whole.collect()))?;
        draft.lines.iter().enumerate().try_for_each(|(index, line)| match theirs(&line.name) {
            Some(their) => visit(&draft.with_value(index, their.value)),
            None => Flow::Continue(()),
        })
    })
}
