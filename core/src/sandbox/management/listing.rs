//! What the queries of lists ask for (contract: Get sandbox customers; Get sandbox account transactions).

use super::customer_view::Shown;
use super::outcome::{unless_found, Outcome};
use crate::account::query::{day, number, Reader};
use crate::account::record::TransactionQuery;
use crate::operation::{QueryParameter, QueryValue};
use crate::reason::{Finding, Reason, Violation};
use crate::wire::target::{self, Target};

const STATUS: &str = "bookingStatus";

/// What the query of the list of customers may have.
pub(super) const OF_CUSTOMERS: &[QueryParameter] = &[
    QueryParameter::optional(
        "includeAccounts",
        "`true` or `false`: whether their accounts come along",
        QueryValue::Switch,
    ),
    QueryParameter::optional(
        "includeAgreements",
        "`true` or `false`: whether their agreements come along",
        QueryValue::Switch,
    ),
];

/// What that of an account's list may have.
pub(super) const OF_TRANSACTIONS: &[QueryParameter] = &[FROM_DATE, TO_DATE, OFFSET, LIMIT];

/// What that of a card account's list may have.
pub(super) const OF_CARD_TRANSACTIONS: &[QueryParameter] = &[
    QueryParameter::required(
        STATUS,
        "required: `booked`, `pending` or `both`",
        QueryValue::OneOf(&["booked", "pending", "both"]),
    ),
    FROM_DATE,
    TO_DATE,
    OFFSET,
    LIMIT,
];

/// The contract has numbers of 32 bits here.
const MOST: u32 = i32::MAX.unsigned_abs();
const FROM_DATE: QueryParameter =
    QueryParameter::optional("fromDate", "`YYYY-MM-DD`: the first booking day", QueryValue::Day);
const TO_DATE: QueryParameter =
    QueryParameter::optional("toDate", "`YYYY-MM-DD`: the last booking day", QueryValue::Day);
const OFFSET: QueryParameter = QueryParameter::optional(
    "offset",
    "how many are skipped",
    QueryValue::Whole { from: 0, to: MOST as u64, default: Some(0) },
);
const LIMIT: QueryParameter = QueryParameter::optional(
    "limit",
    "how many come at most; without it all",
    QueryValue::Whole { from: 1, to: MOST as u64, default: None },
);

/// Reads the query of an account's list; every fault of it at once. Without a limit in the query the list is whole: the
/// contract defines a page size for the production list only.
pub(super) fn read(target: &Target<'_>) -> Outcome<TransactionQuery> {
    let mut reader = Reader { target, findings: Vec::new() };
    let part = part(&mut reader);
    unless_found(reader.findings)?;
    Ok(part)
}

/// As [`read`], for a card account's list, which must say whether booked transactions are asked for.
pub(super) fn read_of_card(target: &Target<'_>) -> Outcome<(bool, TransactionQuery)> {
    let mut reader = Reader { target, findings: Vec::new() };
    if matches!(target.parameter(STATUS), Ok(None)) {
        reader.findings.push(Finding::error(Reason::QueryParameterMissing, STATUS));
    }
    let wants_booked = reader.parameter(STATUS, booked_is_asked_for);
    let part = part(&mut reader);
    unless_found(reader.findings)?;
    Ok((wants_booked.unwrap_or_default(), part))
}

/// Reads the query of the list of customers; every fault of it at once.
pub(super) fn read_of_customers(target: &Target<'_>) -> Outcome<Shown> {
    let mut reader = Reader { target, findings: Vec::new() };
    let mut asked = |name| reader.parameter(name, |text| Ok(target::switch(text)?)).unwrap_or_default();
    let shown = Shown { accounts: asked("includeAccounts"), agreements: asked("includeAgreements") };
    unless_found(reader.findings)?;
    Ok(shown)
}

/// Days, by booking date and both inclusive, and the place in the list.
fn part(reader: &mut Reader<'_, '_>) -> TransactionQuery {
    let (from, to) = (reader.parameter(FROM_DATE.name, day), reader.parameter(TO_DATE.name, day));
    let offset = reader.parameter(OFFSET.name, |text| number(text, 0, MOST)).map(u64::from);
    let limit = reader.parameter(LIMIT.name, |text| number(text, 1, MOST));
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        reader.findings.push(Finding::error(Reason::QueryDatesReversed, FROM_DATE.name));
    }
    TransactionQuery { from, to, offset: offset.unwrap_or(0), limit: limit.unwrap_or(u32::MAX) }
}

fn booked_is_asked_for(text: &str) -> Result<bool, Violation> {
    match text {
        "booked" | "both" => Ok(true),
        "pending" => Ok(false),
        _ => Err(Violation::with(Reason::QueryNotListed, &[&"booked, pending, both"])),
    }
}
