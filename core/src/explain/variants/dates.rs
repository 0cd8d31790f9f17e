//! The value of Date.

use chrono::{DateTime, FixedOffset, TimeDelta, Utc};

use super::super::budget::Flow;
use super::super::case::Case;
use super::super::draft::Draft;
use super::super::mistake::{Reach, Visit};
use crate::wire::http_date::{format_http_date, parse_http_date_at};

/// How far a second reading of a clock may be from the first.
const SECONDS_APART_MAX: i64 = 120;
/// The same, where the format differs too.
const FORMATTED_APART_MAX: i64 = 5;
/// The half hours of the time zones, either way.
const HALF_HOURS_MAX: i64 = 28;

/// The formats in which dates are signed, beside that of the header.
const FORMATS: [&str; 9] = [
    "%a, %d %b %Y %H:%M:%S UTC",
    "%a, %d %b %Y %H:%M:%S +0000",
    "%a, %-d %b %Y %H:%M:%S GMT",
    "%Y-%m-%dT%H:%M:%SZ",
    "%Y-%m-%dT%H:%M:%S.000Z",
    "%Y-%m-%dT%H:%M:%S+00:00",
    "%a %b %e %H:%M:%S %Y",
    "%A, %d-%b-%y %H:%M:%S GMT",
    "%s",
];

/// A date that was made a second time, or written in another form.
pub(in crate::explain) fn made_again<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    reach: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let Some((index, line)) = draft.header_lines().find(|(_, line)| line.is("date")) else {
        return Flow::Continue(());
    };
    let text = String::from_utf8_lossy(&line.value);
    let sent = parse_http_date_at(&text, case.now).unwrap_or(case.now);
    let mut visit_text = |text: String| visit(&draft.with_value(index, text.into_bytes()));
    let seconds_apart = if reach == Reach::Near { 2 } else { SECONDS_APART_MAX };
    for seconds in nearest_first(seconds_apart) {
        shifted(sent, seconds).map_or(Flow::Continue(()), |time| visit_text(format_http_date(time)))?;
    }
    let mut visit_formats = |seconds: i64| {
        shifted(sent, seconds).map_or(Flow::Continue(()), |time| {
            FORMATS.iter().try_for_each(|format| visit_text(time.format(format).to_string()))
        })
    };
    if reach == Reach::Near {
        return visit_formats(0);
    }
    nearest_first(FORMATTED_APART_MAX).try_for_each(&mut visit_formats)?;
    for seconds in nearest_first(HALF_HOURS_MAX).map(|half| half * 1800) {
        nearest_first(2).try_for_each(|apart| {
            let time = shifted(sent, seconds + apart);
            time.map_or(Flow::Continue(()), |time| {
                visit(&draft.with_value(index, format_http_date(time).into_bytes()))
            })
        })?;
        if let Some(local) = in_zone(sent, seconds) {
            visit(&draft.with_value(index, local.into_bytes()))?;
        }
        shifted(sent, seconds).map_or(Flow::Continue(()), |time| {
            FORMATS.iter().try_for_each(|format| {
                visit(&draft.with_value(index, time.format(format).to_string().into_bytes()))
            })
        })?;
    }
    super::earlier::values(case, "date").try_for_each(|value| visit(&draft.with_value(index, value)))
}

/// 0, 1, -1, 2, -2 and so on.
fn nearest_first(farthest: i64) -> impl Iterator<Item = i64> {
    std::iter::once(0).chain((1..=farthest).flat_map(|apart| [apart, -apart]))
}

/// The time in a zone that is that many seconds ahead of UTC, with its offset.
fn in_zone(time: DateTime<Utc>, seconds: i64) -> Option<String> {
    let offset = FixedOffset::east_opt(i32::try_from(seconds).ok()?)?;
    Some(time.with_timezone(&offset).format("%a, %d %b %Y %H:%M:%S %z").to_string())
}

fn shifted(time: DateTime<Utc>, seconds: i64) -> Option<DateTime<Utc>> {
    time.checked_add_signed(TimeDelta::seconds(seconds))
}
