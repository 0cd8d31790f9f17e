//! Which headers the signing string has, and how their names are written.

use std::borrow::Cow;

use super::super::budget::Flow;
use super::super::case::Case;
use super::super::draft::{Draft, Line};
use super::super::mistake::{Reach, Visit};
use crate::tpp::digest::{digest, DigestAlgorithm};
use crate::tpp::signing_string::{MANDATORY, REQUEST_TARGET};

/// Lists up to this length are searched for every part of them.
const SUBSET_NAMES_MAX: usize = 10;

/// Names that are not in lower case.
pub(in crate::explain) fn not_lower_case<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let as_listed = |name: &str| case.names.iter().find(|own| own.eq_ignore_ascii_case(name)).copied();
    let as_sent =
        |name: &str| case.fields().iter().map(|(own, _)| *own).find(|own| own.eq_ignore_ascii_case(name));
    let mut spelt = |spell: &dyn Fn(&str) -> String| {
        let lines = draft.lines.iter();
        visit(&draft.with_lines(lines.map(|line| Line::new(spell(&line.name), line.value.clone())).collect()))
    };
    let headers_only = |spell: fn(&str) -> String| {
        move |name: &str| if name.starts_with('(') { name.to_owned() } else { spell(name) }
    };
    spelt(&|name| as_listed(name).unwrap_or(name).to_owned())?;
    spelt(&|name| as_sent(name).unwrap_or(name).to_owned())?;
    spelt(&headers_only(title_case))?;
    spelt(&headers_only(contract_case))?;
    spelt(&headers_only(|name| name.to_ascii_uppercase()))?;
    spelt(&title_case)?;
    spelt(&str::to_ascii_uppercase)
}

/// As Go and .NET write header names, `X-Request-Id`.
fn title_case(name: &str) -> String {
    let parts = name.split('-').map(|part| {
        let (first, rest) = part.split_at_checked(1).unwrap_or((part, ""));
        first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
    });
    parts.collect::<Vec<_>>().join("-")
}

/// As the contract writes header names, `X-Request-ID`.
fn contract_case(name: &str) -> String {
    let parts = title_case(name);
    let upper = |part: &str| match part {
        "Id" | "Psu" | "Tpp" | "Uri" | "Ip" => part.to_ascii_uppercase(),
        _ => part.to_owned(),
    };
    parts.split('-').map(upper).collect::<Vec<_>>().join("-")
}

/// Headers that are listed and were left out of the text.
pub(in crate::explain) fn listed_not_signed<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    reach: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let count = draft.lines.len();
    for index in 0..count {
        let others = draft.lines.iter().enumerate().filter(|(other, _)| *other != index);
        visit(&draft.with_lines(others.map(|(_, line)| line.clone()).collect()))?;
    }
    for length in (0..count).rev() {
        visit(&draft.with_lines(draft.lines.iter().take(length).cloned().collect()))?;
    }
    if reach == Reach::Near || count > SUBSET_NAMES_MAX {
        return Flow::Continue(());
    }
    (0..1_u32 << count).rev().try_for_each(|subset| {
        let chosen = draft.lines.iter().enumerate().filter(|(index, _)| subset >> index & 1 == 1);
        visit(&draft.with_lines(chosen.map(|(_, line)| line.clone()).collect()))
    })
}

/// What clients sign beside the list: method and target, headers that were sent, and Digest of a body that has none.
fn unlisted<'a>(case: &Case<'a>, draft: &Draft<'a>) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'a>> = Vec::new();
    let sent = case.fields().iter().map(|(name, _)| *name);
    let names = [REQUEST_TARGET].into_iter().chain(MANDATORY).chain(["host", "content-type"]).chain(sent);
    for name in names {
        let is_new = draft.index_of(name).is_none() && !lines.iter().any(|line| line.is(name));
        if is_new && !name.eq_ignore_ascii_case("signature") {
            lines.extend(case.line(name));
        }
    }
    if case.headers.count("digest") == 0 && draft.index_of("digest").is_none() {
        let algorithms = [DigestAlgorithm::Sha256, DigestAlgorithm::Sha512];
        lines.extend(algorithms.map(|algorithm| {
            Line::new("digest", Cow::from(digest(case.request.body, algorithm).into_bytes()))
        }));
    }
    let is_listed = |name: &str| case.names.iter().any(|listed| listed.eq_ignore_ascii_case(name));
    let absent = MANDATORY.into_iter().filter(|name| !case.headers.has(name) && !is_listed(name));
    lines.extend(absent.map(|name| Line::new(name, &b""[..])));
    lines
}

/// Headers that are not listed and were put into the text.
pub(in crate::explain) fn signed_not_listed<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    reach: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let unlisted = unlisted(case, draft);
    let extended = |added: &[&Line<'a>], place: usize| {
        let (before, after) = draft.lines.split_at_checked(place).unwrap_or((&draft.lines, &[]));
        let added = added.iter().copied();
        draft.with_lines(before.iter().chain(added).chain(after).cloned().collect())
    };
    let end = draft.lines.len();
    let near = if reach == Reach::Near { 2 } else { unlisted.len() };
    for line in unlisted.iter().take(near) {
        (0..=end).try_for_each(|place| visit(&extended(&[line], place)))?;
    }
    if reach == Reach::Near {
        return Flow::Continue(());
    }
    for first in &unlisted {
        for second in unlisted.iter().filter(|second| !second.is(&first.name)) {
            visit(&extended(&[first, second], 0))?;
            visit(&extended(&[first, second], end))?;
        }
    }
    all_mandatory(case, draft, visit)
}

/// The contract's list instead of Signature's, with method and target before it and without.
fn all_mandatory<'a>(case: &Case<'a>, draft: &Draft<'a>, visit: Visit<'_, Draft<'a>>) -> Flow {
    let mandatory: Vec<Line<'a>> = MANDATORY.iter().filter_map(|name| case.line(name)).collect();
    visit(&draft.with_lines(mandatory.clone()))?;
    let target = case.line(REQUEST_TARGET).into_iter();
    visit(&draft.with_lines(target.chain(mandatory).collect()))
}

/// Headers that are listed, were not sent, and are in the text: with nothing, or with what an empty variable gives.
pub(in crate::explain) fn listed_not_sent<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    if case.names.iter().all(|name| draft.index_of(name).is_some()) {
        return Flow::Continue(());
    }
    ["", "null", "undefined", "None"].iter().try_for_each(|value| {
        let line = |name: &&'a str| {
            let own = draft.lines.iter().find(|line| line.is(name)).cloned();
            own.unwrap_or_else(|| Line::new(name.to_ascii_lowercase(), value.as_bytes()))
        };
        visit(&draft.with_lines(case.names.iter().map(line).collect()))
    })
}
