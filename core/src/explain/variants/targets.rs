//! The value of `(request-target)`.

use percent_encoding::{percent_decode, utf8_percent_encode, AsciiSet, CONTROLS, NON_ALPHANUMERIC};

use super::super::budget::Flow;
use super::super::case::{target_value, Case};
use super::super::draft::Draft;
use super::super::mistake::{Reach, Visit};

/// What `encodeURIComponent` of JavaScript escapes.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');
/// What RFC 3986 leaves unescaped in every part of a URI.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
/// What must be escaped in a URI as a whole.
const URI: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}')
    .add(b'%');

/// Hosts of examples, for requests that were recorded without theirs.
const HOSTS: [&str; 2] = ["bank.example", "localhost"];

/// Leading segments that a gateway may have stripped or added.
const STRIPPED_SEGMENTS_MAX: usize = 4;

/// Visits the draft with each target, the method as the contract has it.
fn visit_targets<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    visit: Visit<'_, Draft<'a>>,
    targets: impl IntoIterator<Item = String>,
) -> Flow {
    let values = targets.into_iter().map(|target| target_value(case.request.method, &target));
    visit_values(draft, visit, values)
}

fn visit_values<'a>(
    draft: &Draft<'a>,
    visit: Visit<'_, Draft<'a>>,
    values: impl IntoIterator<Item = Vec<u8>>,
) -> Flow {
    let Some(index) = draft.target_index() else { return Flow::Continue(()) };
    values.into_iter().try_for_each(|value| visit(&draft.with_value(index, value)))
}

/// The path and the query, which is without its question mark.
fn parts(target: &str) -> (&str, Option<&str>) {
    target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)))
}

fn joined(path: &str, query: Option<&str>) -> String {
    query.map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"))
}

/// The path alone, and other parts of the target.
pub(in crate::explain) fn without_query<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let (path, _) = parts(case.request.target);
    visit_targets(case, draft, visit, [path.to_owned(), format!("{path}?")])
}

/// The method in another case.
pub(in crate::explain) fn method_case<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let (method, target) = (case.request.method, case.request.target);
    let lower = method.to_ascii_lowercase();
    let (first, rest) = lower.split_at_checked(1).unwrap_or_default();
    let title = first.to_ascii_uppercase() + rest;
    let (path, _) = parts(target);
    let methods = [method.to_ascii_uppercase(), title, method.to_owned()];
    let values = methods
        .iter()
        .flat_map(|method| [target, path].map(|target| format!("{method} {target}").into_bytes()));
    visit_values(draft, visit, values.collect::<Vec<_>>())
}

/// The target without the method, or the two joined by something other than a space.
pub(in crate::explain) fn without_method<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let (method, target) = (case.request.method.to_ascii_lowercase(), case.request.target);
    let (path, _) = parts(target);
    let joined = ["", ": ", "  ", ":", ",", "\n"].map(|between| format!("{method}{between}{target}"));
    let alone = [target.to_owned(), path.to_owned(), method.clone()];
    let with_version = ["HTTP/1.1", "http/1.1"].map(|version| format!("{method} {target} {version}"));
    let values = alone.into_iter().chain(joined).chain(with_version).map(String::into_bytes);
    visit_values(draft, visit, values)
}

/// The whole URL.
pub(in crate::explain) fn absolute<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let sent = ["host", "x-forwarded-host", ":authority"].into_iter().filter_map(|name| case.text(name));
    let hosts = sent.chain(HOSTS.map(str::to_owned));
    let (path, query) = parts(case.request.target);
    let below = ["".to_owned()].into_iter().chain(case.options.base_paths.iter().cloned());
    let paths: Vec<String> =
        below.flat_map(|base| [joined(&format!("{base}{path}"), query), format!("{base}{path}")]).collect();
    for host in hosts {
        let bare = host.rsplit_once(':').map_or(host.as_str(), |(bare, _)| bare).to_owned();
        for host in [host.clone(), bare] {
            for prefix in ["https://", "http://", "//", ""] {
                visit_targets(case, draft, visit, paths.iter().map(|path| format!("{prefix}{host}{path}")))?;
            }
        }
    }
    Flow::Continue(())
}

/// The line of the target without its name.
pub(in crate::explain) fn without_name<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let Some(index) = draft.target_index() else { return Flow::Continue(()) };
    let mut draft = draft.clone();
    if let Some(line) = draft.lines.get_mut(index) {
        line.name = "".into();
    }
    visit(&draft)
}

fn decoded(text: &str) -> String {
    percent_decode(text.as_bytes()).decode_utf8_lossy().into_owned()
}

/// The target with escapes decoded.
pub(in crate::explain) fn decoded_once<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let (path, query) = parts(case.request.target);
    let form = query.map(|query| decoded(&query.replace('+', " ")));
    let targets = [
        decoded(case.request.target),
        joined(path, query.map(decoded).as_deref()),
        joined(&decoded(path), query),
        decoded(path),
        joined(path, form.as_deref()),
        joined(&decoded(path), form.as_deref()),
        joined(path, query.map(|query| query.replace('+', " ")).as_deref()),
    ];
    visit_targets(case, draft, visit, targets)
}

/// The target with escapes encoded again, or with more characters escaped than were sent so.
pub(in crate::explain) fn encoded_again<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let target = case.request.target;
    let (path, query) = parts(target);
    let encode = |text: &str, set: &'static AsciiSet| utf8_percent_encode(text, set).to_string();
    let values = |set: &'static AsciiSet| query.map(|query| encoded_values(query, set));
    let form = values(UNRESERVED).map(|query| query.replace("%20", "+"));
    let targets = [
        target.replace('%', "%25"),
        joined(path, query.map(|query| query.replace('%', "%25")).as_deref()),
        encode(target, URI),
        joined(path, values(COMPONENT).as_deref()),
        joined(path, values(UNRESERVED).as_deref()),
        joined(path, form.as_deref()),
        encode(target, COMPONENT),
        encode(target, UNRESERVED),
        encode(target, UNRESERVED).replace("%2F", "/"),
        joined(&encode(&decoded(path), UNRESERVED).replace("%2F", "/"), query),
        joined(&encode(&decoded(path), COMPONENT).replace("%2F", "/"), query),
        joined(path, query.map(|query| query.replace("%20", "+")).as_deref()),
        joined(path, query.map(|query| query.replace('+', "%20")).as_deref()),
    ];
    let lower = targets.clone().map(|target| lower_escapes(&target));
    visit_targets(case, draft, visit, targets)?;
    visit_targets(case, draft, visit, lower)?;
    visit_targets(case, draft, visit, [lower_escapes(target), upper_escapes(target)])
}

/// A query whose names and values are encoded from what they mean.
fn encoded_values(query: &str, set: &'static AsciiSet) -> String {
    let encode = |text: &str| utf8_percent_encode(&decoded(text), set).to_string();
    let pair = |pair: &str| match pair.split_once('=') {
        Some((name, value)) => format!("{}={}", encode(name), encode(value)),
        None => encode(pair),
    };
    query.split('&').map(pair).collect::<Vec<_>>().join("&")
}

fn with_escapes(text: &str, change: impl Fn(&str) -> String) -> String {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        out.push('%');
        out.push_str(&change(digits));
        out.push_str(rest);
    }
    out
}

fn lower_escapes(text: &str) -> String {
    with_escapes(text, str::to_ascii_lowercase)
}

fn upper_escapes(text: &str) -> String {
    with_escapes(text, str::to_ascii_uppercase)
}

/// The path with or without leading segments: a gateway's base path.
pub(in crate::explain) fn base_path<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let target = case.request.target;
    let bases = || case.options.base_paths.iter().map(|base| base.trim_end_matches('/'));
    let stripped = || bases().filter_map(|base| target.strip_prefix(base)).chain(without_leading(target));
    let mut targets: Vec<String> = bases().map(|base| format!("{base}{target}")).collect();
    targets.extend(stripped().map(str::to_owned));
    targets.extend(bases().flat_map(|base| stripped().map(move |rest| format!("{base}{rest}"))));
    let paths: Vec<String> = targets.iter().map(|target| parts(target).0.to_owned()).collect();
    visit_targets(case, draft, visit, targets)?;
    visit_targets(case, draft, visit, paths)
}

/// The target without its first segment, without its first two, and so on.
fn without_leading(target: &str) -> impl Iterator<Item = &str> {
    let (path, _) = parts(target);
    let slashes = path.match_indices('/').map(|(place, _)| place).filter(|place| *place > 0);
    slashes.take(STRIPPED_SEGMENTS_MAX).filter_map(|place| target.get(place..))
}

/// Slashes at the ends of the path.
pub(in crate::explain) fn slash<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let (path, query) = parts(case.request.target);
    let paths = [
        format!("{path}/"),
        path.trim_end_matches('/').to_owned(),
        path.trim_start_matches('/').to_owned(),
        format!("/{path}"),
        path.replace("//", "/"),
        path.trim_matches('/').to_owned(),
    ];
    let targets = paths.iter().flat_map(|path| [joined(path, query), path.clone()]);
    visit_targets(case, draft, visit, targets.collect::<Vec<_>>())
}

/// The parameters of the query in another order.
pub(in crate::explain) fn query_order<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let (path, Some(query)) = parts(case.request.target) else { return Flow::Continue(()) };
    let mut pairs: Vec<&str> = query.split('&').collect();
    pairs.sort_unstable();
    let ascending = pairs.join("&");
    pairs.reverse();
    let descending = pairs.join("&");
    let reversed = query.split('&').rev().collect::<Vec<_>>().join("&");
    visit_targets(
        case,
        draft,
        visit,
        [ascending, descending, reversed].map(|query| joined(path, Some(&query))),
    )
}
