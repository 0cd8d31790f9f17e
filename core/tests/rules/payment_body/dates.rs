//! The days that payments are dated, by the calendar in Oslo.

use serde_json::json;

use crate::payment_body::bench::{changed, error, judge_purely, Bench, Found, Product};
use crate::payment_body::table::{DATED, PERIODIC};

/// The member that dates a product's payments.
fn member(product: Product) -> &'static str {
    if product == Product::Periodic {
        "/startDate"
    } else {
        "/requestedExecutionDate"
    }
}

#[test]
fn a_payment_is_dated_today_to_365_days_ahead() {
    // Half past midnight in Oslo, on the 2nd: still the 1st by universal time. And before it.
    for (now, first, last, before, after) in [
        ("2026-09-01T22:30:00Z", "2026-09-02", "2027-09-02", "2026-09-01", "2027-09-03"),
        ("2026-09-01T21:59:59Z", "2026-09-01", "2027-09-01", "2026-08-31", "2027-09-02"),
        // In winter midnight is at 23:00; over 29 February a year has a day more.
        ("2027-12-31T23:00:00Z", "2028-01-01", "2028-12-31", "2027-12-31", "2029-01-01"),
    ] {
        let bench = Bench::at(now);
        for product in DATED.iter().chain(PERIODIC).copied() {
            for (day, is_taken) in [(first, true), (last, true), (before, false), (after, false)] {
                let body = changed(product, &[(member(product), json!(day))]);
                let outside = [error("DAY-02", member(product))];
                let expected: &[Found] = if is_taken { &[] } else { &outside };
                bench.assert(product, &body, expected);
            }
        }
    }
}

#[test]
fn without_a_date_a_payment_is_carried_out_when_it_is_due() {
    let bench = Bench::new();
    for product in DATED.iter().copied() {
        bench.assert(product, &product.body(), &[]);
    }
}

#[test]
fn a_schedule_may_end_on_the_day_it_starts_and_not_before() {
    let bench = Bench::new();
    let judge = |start: &str, end: &str, expected: &[Found]| {
        let changes = [("/startDate", json!(start)), ("/endDate", json!(end))];
        bench.assert(Product::Periodic, &changed(Product::Periodic, &changes), expected);
    };
    judge("2026-12-01", "2026-12-01", &[]);
    judge("2026-12-01", "2026-11-30", &[error("DAY-03", "/endDate")]);
    judge("2026-08-31", "2026-08-30", &[error("DAY-02", "/startDate"), error("DAY-03", "/endDate")]);
    judge("soon", "2026-08-30", &[error("DAY-01", "/startDate")]);
}

#[test]
fn any_day_can_be_asked_about() {
    let judge = |at: &str, day: &str| {
        let body = changed(Product::Domestic, &[("/requestedExecutionDate", json!(day))]);
        judge_purely(Product::Domestic, &body, Some(at.parse().unwrap()), "production", "")
    };
    assert_eq!(judge("2031-05-17T10:00:00Z", "2031-05-17"), []);
    assert_eq!(judge("2031-05-17T10:00:00Z", "2026-09-02"), [error("DAY-02", "/requestedExecutionDate")]);
}
