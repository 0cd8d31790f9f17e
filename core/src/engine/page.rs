//! Which page of a list is asked for, as a JSON object.

use chrono::{DateTime, Utc};

use crate::error::{Error, Result};
use crate::json_bank::shape::{Fault, Part};
use crate::limits::LISTED_ROWS_MAX;
use crate::reason::Language;
use crate::types::instant;
use crate::wire::json::Json;

/// How many rows a page has where the query has no limit.
const ROWS: u64 = 200;

/// Reads a query. An empty text is one without members.
///
/// # Errors
/// [`Error::Misuse`] with the place of a value in another form.
pub(super) fn read_query<Q: Part<Held = Q>>(text: &str) -> Result<Q> {
    let text = if text.is_empty() { "{}" } else { text };
    let json = Json::parse(text.as_bytes())
        .map_err(|violation| Error::Misuse(format!("the query: {}", violation.text(Language::English))))?;
    Q::read(&json).map_err(misuse)
}

/// The number of rows that a query asks for.
pub(super) fn limit_of(asked: Option<u64>) -> usize {
    usize::try_from(asked.unwrap_or(ROWS)).unwrap_or(usize::MAX)
}

/// The time in a member of a query.
///
/// # Errors
/// [`Error::Misuse`] for a text in another form.
pub(super) fn time_of(text: Option<&str>, member: &str) -> Result<Option<DateTime<Utc>>> {
    let form = || misuse(Fault::new("is not a time by RFC 3339").below(member));
    text.map(|text| instant::parse(text).ok_or_else(form)).transpose()
}

/// A number of rows that one call lists.
///
/// # Errors
/// [`Error::Misuse`].
pub(super) fn check_limit(limit: usize) -> Result<usize> {
    match (1..=LISTED_ROWS_MAX).contains(&limit) {
        true => Ok(limit),
        false => Err(Error::Misuse(format!("the limit of a page is not from 1 to {LISTED_ROWS_MAX}"))),
    }
}

/// A member of a query whose value is none of a row.
pub(super) fn no_row(member: &str, of: &str) -> Error {
    misuse(Fault::new(format!("is not the id of a {of}")).below(member))
}

fn misuse(fault: Fault) -> Error {
    let place = if fault.pointer.is_empty() { String::new() } else { format!("{} ", fault.pointer) };
    Error::Misuse(format!("the query: {place}{}", fault.text))
}
