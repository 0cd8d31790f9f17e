//! What the query of a transaction list asks for (contract: Account information; Limits).

use std::str::FromStr;

use chrono::NaiveDate;

use super::record::TransactionQuery;
use crate::limits::{PAGE_OFFSET_MAX, PAGE_TRANSACTIONS_DEFAULT, PAGE_TRANSACTIONS_MAX};
use crate::reason::{Finding, Reason, Refusal, Violation};
use crate::types::date;
use crate::wire::target::Target;

/// Which transactions are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BookingStatus {
    /// Those that are booked.
    Booked,
    /// Those that are not.
    Pending,
    /// Booked and pending.
    Both,
    /// The same as [`BookingStatus::Both`], spelt another way, which links repeat.
    All,
}

impl BookingStatus {
    const ALL: [Self; 4] = [Self::Booked, Self::Pending, Self::Both, Self::All];

    /// The status as written in a query.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Booked => "booked",
            Self::Pending => "pending",
            Self::Both => "both",
            Self::All => "all",
        }
    }

    /// Whether booked transactions are asked for.
    pub(crate) fn wants_booked(self) -> bool {
        self != Self::Pending
    }

    /// Whether pending transactions are asked for.
    pub(crate) fn wants_pending(self) -> bool {
        self != Self::Booked
    }
}

/// The valid query of a transaction list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListQuery {
    /// Which transactions.
    pub status: BookingStatus,
    /// The period and the page. `from` is `None` where the TPP named no day to begin with.
    pub part: TransactionQuery,
}

impl ListQuery {
    /// Reads the query. Parameters of other names are not looked at.
    ///
    /// # Errors
    /// Every fault at once, each with the parameter's name as its path: [`Reason::QueryParameterMissing`]
    /// (of bookingStatus alone), [`Reason::QueryParameterRepeated`], [`Reason::QueryNotListed`],
    /// [`Reason::QueryNotDate`], [`Reason::QueryDatesReversed`], [`Reason::QueryNotInRange`].
    pub(crate) fn read(target: &Target<'_>) -> Result<Self, Refusal> {
        let mut reader = Reader { target, findings: Vec::new() };
        let status = reader.booking_status();
        let from = reader.parameter("dateFrom", day);
        let to = reader.parameter("dateTo", day);
        let offset = reader.parameter("offset", |text| number(text, 0, PAGE_OFFSET_MAX));
        let limit = reader.parameter("limit", |text| number(text, 1, PAGE_TRANSACTIONS_MAX));
        if from.zip(to).is_some_and(|(from, to)| from > to) {
            reader.findings.push(Finding::error(Reason::QueryDatesReversed, "dateFrom"));
        }
        match (status, Refusal::from_findings(reader.findings)) {
            (Some(status), None) => {
                let (offset, limit) = (offset.unwrap_or(0), limit.unwrap_or(PAGE_TRANSACTIONS_DEFAULT));
                Ok(Self { status, part: TransactionQuery { from, to, offset, limit } })
            }
            (_, Some(refusal)) => Err(refusal),
            (None, None) => Err(Refusal::at(Reason::QueryParameterMissing, "bookingStatus")),
        }
    }

    /// The same query, beginning on that day where it named none.
    #[must_use]
    pub(crate) fn or_from(self, day: Option<NaiveDate>) -> Self {
        let from = self.part.from.or(day);
        Self { part: TransactionQuery { from, ..self.part }, ..self }
    }

    /// The parameters as links repeat them, for the page that begins after `offset` transactions.
    pub(crate) fn parameters(&self, offset: u64) -> String {
        let day =
            |name: &str, day: Option<NaiveDate>| day.map(|day| format!("&{name}={day}")).unwrap_or_default();
        let (from, to) = (day("dateFrom", self.part.from), day("dateTo", self.part.to));
        let (status, limit) = (self.status.as_str(), self.part.limit);
        format!("bookingStatus={status}{from}{to}&offset={offset}&limit={limit}")
    }
}

/// Reads one parameter after the other and gathers what is wrong.
pub(crate) struct Reader<'t, 'r> {
    pub(crate) target: &'t Target<'r>,
    pub(crate) findings: Vec<Finding>,
}

impl Reader<'_, '_> {
    fn booking_status(&mut self) -> Option<BookingStatus> {
        let faults = self.findings.len();
        let status = self.parameter("bookingStatus", booking_status);
        if status.is_none() && self.findings.len() == faults {
            self.findings.push(Finding::error(Reason::QueryParameterMissing, "bookingStatus"));
        }
        status
    }

    /// The value of a parameter; `None` where it is absent or has a fault.
    pub(crate) fn parameter<T>(&mut self, name: &str, read: fn(&str) -> Result<T, Violation>) -> Option<T> {
        let value = self.target.parameter(name).map_err(Violation::from);
        match value.and_then(|text| text.map(read).transpose()) {
            Ok(value) => value,
            Err(violation) => {
                self.findings.push(Finding::error(violation, name));
                None
            }
        }
    }
}

fn booking_status(text: &str) -> Result<BookingStatus, Violation> {
    BookingStatus::ALL.into_iter().find(|status| status.as_str() == text).ok_or_else(|| {
        let names = BookingStatus::ALL.map(BookingStatus::as_str).join(", ");
        Violation::with(Reason::QueryNotListed, &[&names])
    })
}

/// A day as YYYY-MM-DD.
pub(crate) fn day(text: &str) -> Result<NaiveDate, Violation> {
    date::parse(text).ok_or_else(|| Reason::QueryNotDate.into())
}

/// A whole number in plain digits, without a sign.
pub(crate) fn number<T>(text: &str, least: T, most: T) -> Result<T, Violation>
where
    T: FromStr + PartialOrd + std::fmt::Display,
{
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = is_plain.then(|| text.parse().ok()).flatten();
    value
        .filter(|value| (&least..=&most).contains(&value))
        .ok_or_else(|| Violation::with(Reason::QueryNotInRange, &[&least, &most]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(query: &str) -> Result<ListQuery, Refusal> {
        let target = format!("/v1/accounts/a/transactions?{query}");
        ListQuery::read(&Target::parse(&target).unwrap())
    }

    /// Reason ids and paths, in the order they are answered.
    fn faults(query: &str) -> Vec<(&'static str, String)> {
        let refusal = read(query).unwrap_err();
        let shown =
            refusal.findings().map(|finding| (finding.violation.reason.id(), finding.path.clone().unwrap()));
        shown.collect()
    }

    fn fault(query: &str) -> (&'static str, String) {
        let faults = faults(query);
        assert_eq!(faults.len(), 1, "{query}: {faults:?}");
        faults.into_iter().next().unwrap()
    }

    #[test]
    fn without_paging_a_page_has_the_first_two_hundred() {
        let query = read("bookingStatus=booked").unwrap();
        let part = TransactionQuery { from: None, to: None, offset: 0, limit: 200 };
        assert_eq!(query, ListQuery { status: BookingStatus::Booked, part });
    }

    #[test]
    fn every_booking_status_is_read_and_all_means_both() {
        for (text, booked, pending) in
            [("booked", true, false), ("pending", false, true), ("both", true, true), ("all", true, true)]
        {
            let status = read(&format!("bookingStatus={text}")).unwrap().status;
            assert_eq!(
                (status.as_str(), status.wants_booked(), status.wants_pending()),
                (text, booked, pending)
            );
        }
    }

    #[test]
    fn the_booking_status_is_required_and_one_of_four() {
        assert_eq!(fault(""), ("QRY-03", "bookingStatus".to_owned()));
        assert_eq!(fault("limit=1"), ("QRY-03", "bookingStatus".to_owned()));
        assert_eq!(fault("bookingstatus=both"), ("QRY-03", "bookingStatus".to_owned()));
        for text in ["", "Both", "information", "booked,pending", "both%20"] {
            assert_eq!(fault(&format!("bookingStatus={text}")), ("QRY-04", "bookingStatus".to_owned()));
        }
    }

    #[test]
    fn a_date_is_ten_characters_and_exists() {
        for name in ["dateFrom", "dateTo"] {
            assert!(read(&format!("bookingStatus=both&{name}=2024-02-29")).is_ok());
            for text in ["", "2023-02-29", "2024-1-1", "20240101", "2024-01-01T00:00:00Z", "01.01.2024"] {
                assert_eq!(fault(&format!("bookingStatus=both&{name}={text}")), ("QRY-05", name.to_owned()));
            }
        }
    }

    #[test]
    fn a_period_of_one_day_passes_and_one_that_ends_the_day_before_does_not() {
        let query = |to: &str| format!("bookingStatus=both&dateFrom=2024-03-01&dateTo={to}");
        let part = read(&query("2024-03-01")).unwrap().part;
        assert_eq!((part.from, part.to), (date::parse("2024-03-01"), date::parse("2024-03-01")));
        assert_eq!(fault(&query("2024-02-29")), ("QRY-06", "dateFrom".to_owned()));
    }

    #[test]
    fn one_to_a_thousand_transactions_make_a_page() {
        let query = |limit: &str| format!("bookingStatus=both&limit={limit}");
        for limit in [1, 200, 499, 1000] {
            assert_eq!(read(&query(&limit.to_string())).unwrap().part.limit, limit);
        }
        for limit in ["0", "1001", "-1", "+1", "9223372036854775808", "4294967297", "", "1.0", "1e2", "ten"] {
            assert_eq!(fault(&query(limit)), ("QRY-07", "limit".to_owned()), "{limit}");
        }
    }

    #[test]
    fn as_many_may_be_skipped_as_a_database_counts() {
        let query = |offset: &str| format!("bookingStatus=both&offset={offset}");
        for offset in ["0", "200", "2147483647"] {
            assert_eq!(read(&query(offset)).unwrap().part.offset.to_string(), offset);
        }
        for offset in ["-1", "2147483648", "18446744073709551616", "", "0x10"] {
            assert_eq!(fault(&query(offset)), ("QRY-07", "offset".to_owned()), "{offset}");
        }
    }

    #[test]
    fn every_fault_is_answered_with_its_parameter() {
        let query = "dateFrom=x&dateTo=y&offset=-1&limit=0&limit=1";
        let named = |id, name: &str| (id, name.to_owned());
        let expected = [
            named("QRY-03", "bookingStatus"),
            named("QRY-05", "dateFrom"),
            named("QRY-05", "dateTo"),
            named("QRY-07", "offset"),
            named("QRY-01", "limit"),
        ];
        assert_eq!(faults(query), expected);
    }

    #[test]
    fn other_names_are_ignored() {
        assert!(read("bookingStatus=both&deltaList=maybe&fromDate=x&withBalance=1&withBalance=2").is_ok());
    }

    #[test]
    fn a_period_without_a_beginning_can_be_given_one() {
        let day = date::parse("2024-01-01");
        assert_eq!(read("bookingStatus=both").unwrap().or_from(day).part.from, day);
        let named = read("bookingStatus=both&dateFrom=2020-01-01").unwrap();
        assert_eq!(named.or_from(day), named);
    }

    #[test]
    fn links_repeat_every_parameter() {
        let bare = read("bookingStatus=all").unwrap();
        assert_eq!(bare.parameters(0), "bookingStatus=all&offset=0&limit=200");
        let full =
            read("limit=10&offset=20&dateTo=2024-01-02&dateFrom=2024-01-01&bookingStatus=both").unwrap();
        let expected = "bookingStatus=both&dateFrom=2024-01-01&dateTo=2024-01-02&offset=30&limit=10";
        assert_eq!(full.parameters(30), expected);
    }

    proptest! {
        #[test]
        fn what_links_repeat_reads_as_the_same_query(
            status in 0..4_usize,
            from in proptest::option::of(0..300_000_i32),
            days in proptest::option::of(0..300_000_i32),
            offset in 0..=PAGE_OFFSET_MAX,
            limit in 1..=PAGE_TRANSACTIONS_MAX,
        ) {
            let day = |days| NaiveDate::from_epoch_days(days).unwrap();
            let to = days.map(|days| day(from.unwrap_or_default() + days));
            let part = TransactionQuery { from: from.map(day), to, offset, limit };
            let query = ListQuery { status: BookingStatus::ALL[status], part };
            prop_assert_eq!(read(&query.parameters(offset)), Ok(query));
        }

        #[test]
        fn no_query_makes_the_reader_panic(text in "[a-zA-Z0-9&=+-]{0,60}") {
            let _ = read(&text);
        }
    }
}
