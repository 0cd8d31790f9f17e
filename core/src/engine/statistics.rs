//! The statistics of the interface by day: what Delegated Regulation (EU) 2018/389, article 32(4), has a bank publish
//! each quarter.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;

use super::public_api::Engine;
use crate::error::{Error, Result};
use crate::limits::{OUTAGES_PER_READ, STATISTICS_DAYS_MAX};
use crate::operation::{self, RoleNeeded};
use crate::pipeline::waiting_writes::AT_ONCE;
use crate::pipeline::write_waiting::write_waiting;
use crate::statistics::figures::{end_of, join, CountedRoles, DayStatistics, RequestFigures};
use crate::statistics::record::Outage;
use crate::store::Store;
use crate::types::date::{self, oslo_midnight};
use crate::wire::json;

impl Engine {
    /// The figures of each day (Europe/Oslo) from the first to the last, days without calls too; at most 400. With
    /// `tpp`, an organisation identifier, requests are those of that TPP alone; outages are of the interface in both
    /// cases. What this engine has not written yet is written before; other nodes' last second may be missing.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a last day before the first, and for more days; [`Error::Store`].
    pub fn statistics(
        &self,
        first_day: NaiveDate,
        last_day: NaiveDate,
        tpp: Option<&str>,
    ) -> Result<Vec<DayStatistics>> {
        self.logging.guard("statistics", || {
            check_days(first_day, last_day)?;
            write_waiting(&self.context, AT_ONCE)?;
            statistics(self.context.store(), first_day, last_day, tpp)
        })
    }

    /// As [`Engine::statistics`], with days as `YYYY-MM-DD`, as a JSON array of objects:
    ///
    /// | member | value |
    /// |---|---|
    /// | `day`, `seconds` | the day, and how many seconds it has |
    /// | `uptimePercent`, `downtimeSeconds` | how long the interface was not down, and how long it was |
    /// | `aisp`, `pisp`, `all` | requests of account information, of payment initiation, and all |
    /// | `operations` | an object: the same by the name of the operation |
    ///
    /// Figures of requests are `requests`, `refused`, `errors`, and, if there is one, `errorRate` (0 to 1) and
    /// `meanMillis`.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a text that is not a day, and as [`Engine::statistics`].
    pub fn statistics_json(&self, first_day: &str, last_day: &str, tpp: Option<&str>) -> Result<String> {
        let days = self.statistics(read_day(first_day)?, read_day(last_day)?, tpp)?;
        json::write_text(&days.iter().map(DayView::from).collect::<Vec<_>>())
    }

    /// As [`Engine::statistics_json`], as a CSV (RFC 4180) with a header: a row for each day, without operations.
    /// Percentages have four digits after the decimal point and milliseconds three; a figure that does not exist is
    /// empty.
    ///
    /// # Errors
    /// As [`Engine::statistics_json`].
    pub fn statistics_csv(&self, first_day: &str, last_day: &str, tpp: Option<&str>) -> Result<String> {
        let days = self.statistics(read_day(first_day)?, read_day(last_day)?, tpp)?;
        let rows = days.iter().map(csv_row);
        Ok(std::iter::once(CSV_HEADER.to_owned()).chain(rows).map(|row| row + "\r\n").collect())
    }
}

fn read_day(text: &str) -> Result<NaiveDate> {
    date::parse(text).ok_or_else(|| Error::Misuse("the days are not both dates as YYYY-MM-DD".to_owned()))
}

fn check_days(first: NaiveDate, last: NaiveDate) -> Result<()> {
    let days = last.signed_duration_since(first).num_days().saturating_add(1);
    let are_written = date::has_written_year(&first) && date::has_written_year(&last);
    match (1..=STATISTICS_DAYS_MAX).contains(&days) && are_written {
        true => Ok(()),
        false => {
            Err(Error::Misuse(format!("the days are not 1 to {STATISTICS_DAYS_MAX} of the years 1 to 9999")))
        }
    }
}

fn statistics(
    store: &dyn Store,
    first: NaiveDate,
    last: NaiveDate,
    tpp: Option<&str>,
) -> Result<Vec<DayStatistics>> {
    let days = first.iter_days().take_while(|day| *day <= last);
    let mut days: BTreeMap<NaiveDate, DayStatistics> =
        days.map(|day| (day, DayStatistics::new(day))).collect();
    for calls in store.statistics().day_calls(first, last, tpp)? {
        if let Some(day) = days.get_mut(&calls.day) {
            day.add_calls(&calls, roles_of(&calls.operation));
        }
    }
    for outage in outages(store, oslo_midnight(first), end_of(last))? {
        let of_outage = date::oslo_day(outage.from)..=date::oslo_day(outage.to);
        for day in days.values_mut().filter(|day| of_outage.contains(&day.day)) {
            day.add_outage(outage);
        }
    }
    Ok(days.into_values().collect())
}

/// The outages of a time, joined where those of several nodes overlap.
fn outages(store: &dyn Store, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Vec<Outage>> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = store.statistics().outages(&(from..to), after, OUTAGES_PER_READ)?;
        let is_last = page.len() < OUTAGES_PER_READ;
        after = page.last().map(|outage| outage.from);
        join(&mut all, page);
        if is_last {
            return Ok(all);
        }
    }
}

/// The roles for which an operation counts: both if a TPP needs one of the two.
fn roles_of(name: &str) -> CountedRoles {
    let role = operation::named(name).map(|operation| operation.role);
    let is_either = role == Some(RoleNeeded::Either);
    CountedRoles {
        aisp: is_either || role == Some(RoleNeeded::AccountInformation),
        pisp: is_either || role == Some(RoleNeeded::PaymentInitiation),
    }
}

const CSV_HEADER: &str = "day,uptime_percent,downtime_seconds,\
    aisp_requests,aisp_refused,aisp_errors,aisp_error_percent,aisp_mean_ms,\
    pisp_requests,pisp_refused,pisp_errors,pisp_error_percent,pisp_mean_ms,\
    all_requests,all_refused,all_errors,all_error_percent,all_mean_ms";

fn csv_row(day: &DayStatistics) -> String {
    let DayStatistics { aisp, pisp, all, .. } = day;
    let of_day = format!("{},{:.4},{:.3}", day.day, day.uptime_percent(), day.downtime_seconds());
    let of_requests = [aisp, pisp, all].map(|figures| {
        let percent = figures.error_rate().map(|rate| format!("{:.4}", 100.0 * rate)).unwrap_or_default();
        let millis = figures.mean_millis().map(|millis| format!("{millis:.3}")).unwrap_or_default();
        format!("{},{},{},{percent},{millis}", figures.requests(), figures.refused, figures.errors)
    });
    [vec![of_day], of_requests.to_vec()].concat().join(",")
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DayView<'d> {
    day: String,
    seconds: i64,
    uptime_percent: f64,
    downtime_seconds: f64,
    aisp: FiguresView,
    pisp: FiguresView,
    all: FiguresView,
    operations: BTreeMap<&'d str, FiguresView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FiguresView {
    requests: u64,
    refused: u64,
    errors: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_millis: Option<f64>,
}

impl<'d> From<&'d DayStatistics> for DayView<'d> {
    fn from(day: &'d DayStatistics) -> Self {
        let operations = day.operations.iter().map(|(name, figures)| (name.as_str(), figures.into()));
        Self {
            day: day.day.to_string(),
            seconds: day.length.num_seconds(),
            uptime_percent: day.uptime_percent(),
            downtime_seconds: day.downtime_seconds(),
            aisp: (&day.aisp).into(),
            pisp: (&day.pisp).into(),
            all: (&day.all).into(),
            operations: operations.collect(),
        }
    }
}

impl From<&RequestFigures> for FiguresView {
    fn from(figures: &RequestFigures) -> Self {
        Self {
            requests: figures.requests(),
            refused: figures.refused,
            errors: figures.errors,
            error_rate: figures.error_rate(),
            mean_millis: figures.mean_millis(),
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::Days;

    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn at_most_four_hundred_days_are_read() {
        let first = day("2026-01-01");
        assert!(check_days(first, first).is_ok());
        assert!(check_days(first, first + Days::new(399)).is_ok());
        assert!(check_days(first, first + Days::new(400)).is_err());
        assert!(check_days(first, first - Days::new(1)).is_err());
        assert!(check_days(NaiveDate::MIN, NaiveDate::MIN).is_err());
        assert!(check_days(NaiveDate::MIN, NaiveDate::MAX).is_err());
    }

    #[test]
    fn operations_count_for_the_role_that_they_need() {
        let roles = |name| (roles_of(name).aisp, roles_of(name).pisp);
        assert_eq!(roles("getAccounts"), (true, false));
        assert_eq!(roles("createPayment"), (false, true));
        assert_eq!(roles("getAgreements"), (true, true));
        assert_eq!(roles(""), (false, false));
        assert_eq!(roles("initializeSandbox"), (false, false));
    }
}
