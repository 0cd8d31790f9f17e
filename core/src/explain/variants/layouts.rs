//! Separators of the signing string.

use super::super::budget::Flow;
use super::super::case::Case;
use super::super::draft::{Draft, Layout};
use super::super::mistake::{Reach, Visit};

fn visit_each<'a>(draft: &Draft<'a>, layouts: &[Layout], visit: Visit<'_, Draft<'a>>) -> Flow {
    layouts.iter().try_for_each(|layout| visit(&draft.laid_out(*layout)))
}

/// A newline after the last line.
pub(in crate::explain) fn trailing_newline<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let ends = ["\n", "\r\n", "\n\n", "\r"];
    visit_each(draft, &ends.map(|after| Layout { after, ..draft.layout }), visit)
}

/// A newline before the first line.
pub(in crate::explain) fn leading_newline<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let begins = ["\n", "\r\n"];
    visit_each(draft, &begins.map(|before| Layout { before, ..draft.layout }), visit)
}

/// Lines that end as on Windows.
pub(in crate::explain) fn line_ends_crlf<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let ends = [draft.layout.after, "\r\n"];
    visit_each(draft, &ends.map(|after| Layout { separator: "\r\n", after, ..draft.layout }), visit)
}

/// No space after the colon.
pub(in crate::explain) fn no_space_after_colon<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    visit(&draft.laid_out(Layout { colon: ":", ..draft.layout }))
}

/// Something other than a colon and one space between name and value.
pub(in crate::explain) fn other_colon<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let colons = [" : ", ":  ", "=", " = ", ":\t", " ", " :", ""];
    visit_each(draft, &colons.map(|colon| Layout { colon, ..draft.layout }), visit)
}

/// Values without their names.
pub(in crate::explain) fn values_only<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    reach: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let own = [draft.layout.separator];
    let separators = if reach == Reach::Near { &[] } else { SEPARATORS };
    own.iter().chain(separators).try_for_each(|separator| {
        visit(&draft.laid_out(Layout { has_names: false, separator, ..draft.layout }))
    })
}

/// What clients put between lines.
const SEPARATORS: &[&str] = &[
    "", " ", ", ", ",", "; ", ";", "&", "|", "\\n", "\\r\\n", "\r", "\t", "\n\n", "\n ", " \n", ",\n", "+",
    "%0A", ".", ":",
];

/// Something other than one newline between lines.
pub(in crate::explain) fn lines_joined_otherwise<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    reach: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let separators = match reach {
        Reach::Near => SEPARATORS.get(..3).unwrap_or_default(),
        Reach::Far => SEPARATORS,
    };
    separators.iter().try_for_each(|separator| {
        visit(&draft.laid_out(Layout { separator, ..draft.layout }))?;
        visit(&draft.laid_out(Layout { separator, after: separator, ..draft.layout }))
    })
}
