//! The life of a population has the shape of one: when people buy and where, what they earn and owe.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::panic::catch_unwind;
use std::sync::LazyLock;

use chrono::{Datelike, NaiveDate, Weekday};
use serde_json::Value;
use xs2a::tools::kid_is_valid;
use xs2a::PopulationPlan;

use crate::population::history::{populated, rows};
use crate::world::text;

/// A year of 240 persons: 2025-09-01 to 2026-08-31.
const PLAN: PopulationPlan =
    PopulationPlan { persons: 240, companies: 8, months: 12, ..PopulationPlan::DEFAULT };

static STATE: LazyLock<Value> = LazyLock::new(|| populated(PLAN).2);

/// Each of these is a rule of its own. They share one population, because a test runner may start a process for each
/// test.
const RULES: &[(&str, fn())] = &[
    ("weekdays_differ_and_sunday_is_the_quietest", weekdays_differ_and_sunday_is_the_quietest),
    (
        "christmas_day_is_quiet_and_the_days_before_it_are_not",
        christmas_day_is_quiet_and_the_days_before_it_are_not,
    ),
    ("merchants_are_hundreds_and_follow_zipfs_law", merchants_are_hundreds_and_follow_zipfs_law),
    ("every_use_of_a_card_names_its_trade_and_its_town", every_use_of_a_card_names_its_trade_and_its_town),
    ("prices_end_as_prices_do", prices_end_as_prices_do),
    ("persons_differ_in_how_much_they_buy", persons_differ_in_how_much_they_buy),
    (
        "holiday_pay_in_june_and_half_tax_in_december_are_more",
        holiday_pay_in_june_and_half_tax_in_december_are_more,
    ),
    (
        "a_part_of_the_households_has_a_mortgage_that_is_paid_off",
        a_part_of_the_households_has_a_mortgage_that_is_paid_off,
    ),
    (
        "bills_have_a_kid_whose_first_digits_are_the_customers",
        bills_have_a_kid_whose_first_digits_are_the_customers,
    ),
    (
        "some_lines_have_another_value_date_and_no_weekend_has_one",
        some_lines_have_another_value_date_and_no_weekend_has_one,
    ),
    ("couples_have_a_joint_account_that_both_pay_to", couples_have_a_joint_account_that_both_pay_to),
    ("some_accounts_are_overdrawn_and_some_are_dormant", some_accounts_are_overdrawn_and_some_are_dormant),
    (
        "cash_comes_in_notes_and_old_persons_use_more_of_it",
        cash_comes_in_notes_and_old_persons_use_more_of_it,
    ),
];

#[test]
fn a_life_has_its_shape() {
    LazyLock::force(&STATE);
    let broken: Vec<_> =
        RULES.iter().filter(|(_, rule)| catch_unwind(rule).is_err()).map(|(name, _)| name).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

fn state() -> &'static Value {
    &STATE
}

fn day(line: &Value, member: &str) -> NaiveDate {
    text(line, member).parse().unwrap()
}

fn lines() -> impl Iterator<Item = &'static Value> {
    rows(state(), "transactions").iter()
}

fn of_code(code: &'static str) -> impl Iterator<Item = &'static Value> {
    lines().filter(move |line| line["bankTransactionCode"] == code)
}

/// The uses of cards in shops: the day of use, and the row with the merchant.
fn purchases() -> Vec<(NaiveDate, &'static Value, &'static Value)> {
    let by_id: HashMap<&str, &Value> = lines().map(|line| (text(line, "/id"), line)).collect();
    let uses = rows(state(), "cardTransactions").iter();
    let uses = uses.map(|used| (day(used, "/transactionDate"), used, by_id[text(used, "/transaction")]));
    uses.filter(|(_, _, line)| text(line, "/bankTransactionCode").starts_with("PMNT-CCRD-POS")).collect()
}

fn percent(part: usize, whole: usize) -> f64 {
    part as f64 * 100.0 / whole as f64
}

fn sum(line: &Value) -> f64 {
    text(line, "/amount").parse::<f64>().unwrap()
}

fn weekdays_differ_and_sunday_is_the_quietest() {
    let purchases = purchases();
    let share = |weekday: Weekday| {
        let on_it = purchases.iter().filter(|(day, ..)| day.weekday() == weekday);
        percent(on_it.count(), purchases.len())
    };
    assert!((17.0..21.0).contains(&share(Weekday::Fri)), "{}", share(Weekday::Fri));
    assert!((16.0..20.0).contains(&share(Weekday::Sat)), "{}", share(Weekday::Sat));
    assert!((7.0..11.0).contains(&share(Weekday::Sun)), "{}", share(Weekday::Sun));
    assert!((11.5..14.5).contains(&share(Weekday::Mon)), "{}", share(Weekday::Mon));
}

fn christmas_day_is_quiet_and_the_days_before_it_are_not() {
    let purchases = purchases();
    let on = |month: u32, of_month: u32| {
        purchases.iter().filter(|(day, ..)| (day.month(), day.day()) == (month, of_month)).count()
    };
    let mean = purchases.len() as f64 / 365.0;
    assert!((on(12, 25) as f64) < mean * 0.15, "{} {mean}", on(12, 25));
    assert!((on(5, 17) as f64) < mean * 0.4, "{} {mean}", on(5, 17));
    assert!((on(12, 23) as f64) > mean * 1.25, "{} {mean}", on(12, 23));
    let december = purchases.iter().filter(|(day, ..)| day.month() == 12).count();
    let january = purchases.iter().filter(|(day, ..)| day.month() == 1).count();
    assert!(december * 100 > january * 115, "{december} {january}");
}

/// Within the largest trade the merchant of rank n has one nth of the purchases of the first: a slope of -1 in the
/// logarithms, here over the first eight, which are chains.
fn merchants_are_hundreds_and_follow_zipfs_law() {
    let purchases = purchases();
    let mut merchants: HashMap<&str, usize> = HashMap::new();
    let mut chains: HashMap<&str, usize> = HashMap::new();
    for (_, used, line) in &purchases {
        *merchants.entry(text(line, "/counterpartName")).or_default() += 1;
        if used["merchantCategoryCode"] == "5411" && used["country"] == "NO" {
            // Without the two digits of the town.
            *chains.entry(&text(used, "/cardAcceptorId")[..6]).or_default() += 1;
        }
    }
    assert!(merchants.len() > 700, "{}", merchants.len());
    let most = merchants.values().max().copied().unwrap();
    assert!(percent(most, purchases.len()) < 6.0, "{most} of {}", purchases.len());
    let mut ranked: Vec<usize> = chains.values().copied().collect();
    ranked.sort_unstable_by(|one, other| other.cmp(one));
    let points: Vec<(f64, f64)> =
        (1..=8).zip(&ranked).map(|(rank, count)| (f64::from(rank).ln(), (*count as f64).ln())).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>()
        / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>();
    assert!((-1.15..-0.85).contains(&slope), "{slope}");
}

fn every_use_of_a_card_names_its_trade_and_its_town() {
    let purchases = purchases();
    let trades: HashSet<&str> =
        purchases.iter().map(|(_, used, _)| text(used, "/merchantCategoryCode")).collect();
    assert!(trades.len() >= 25, "{}", trades.len());
    let cities: HashSet<&str> = purchases.iter().filter_map(|(_, used, _)| used["city"].as_str()).collect();
    assert!(cities.len() >= 15, "{}", cities.len());
    assert!(purchases.iter().all(|(_, used, _)| text(used, "/cardAcceptorId").len() == 8));
    // Wine is not sold on Sundays and holidays.
    let wine = purchases.iter().filter(|(_, used, _)| used["merchantCategoryCode"] == "5921");
    assert!(wine.clone().count() > 60);
    assert!(wine.clone().all(|(day, ..)| day.weekday() != Weekday::Sun));
}

fn prices_end_as_prices_do() {
    let purchases = purchases();
    let ends = |mcc: &str, ending: &str| {
        let of_trade = purchases.iter().filter(|(_, used, _)| used["merchantCategoryCode"] == mcc);
        of_trade.clone().count() > 50
            && of_trade.clone().all(|(_, used, _)| text(used, "/originalAmount").ends_with(ending))
    };
    assert!(ends("5651", "9.00") && ends("5912", ".90") && ends("5994", ".00"));
    let groceries = purchases.iter().filter(|(_, used, _)| used["merchantCategoryCode"] == "5411");
    let whole =
        groceries.clone().filter(|(_, used, _)| text(used, "/originalAmount").ends_with(".00")).count();
    assert!(percent(whole, groceries.count()) < 5.0);
}

fn persons_differ_in_how_much_they_buy() {
    let mut counts: HashMap<&str, f64> = HashMap::new();
    for (_, _, line) in purchases() {
        *counts.entry(text(line, "/account")).or_default() += 1.0 / 12.0;
    }
    let counts: Vec<f64> = counts.into_values().collect();
    let mean = counts.iter().sum::<f64>() / counts.len() as f64;
    let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / counts.len() as f64;
    assert!((10.0..45.0).contains(&mean) && variance.sqrt() > 8.0, "{mean} {}", variance.sqrt());
}

fn holiday_pay_in_june_and_half_tax_in_december_are_more() {
    let mut months: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for line in of_code("PMNT-RCDT-SALA") {
        let (sum_of_month, count) = months.entry(day(line, "/bookingDate").month()).or_default();
        *sum_of_month += sum(line);
        *count += 1.0;
    }
    let mean = |month: u32| months[&month].0 / months[&month].1;
    assert!(mean(6) > mean(4) * 1.25 && mean(12) > mean(10) * 1.15, "{months:?}");
    assert!(mean(3) < mean(4) * 1.02 && mean(11) < mean(10) * 1.02, "{months:?}");
    let refunds = lines().filter(|line| line["purposeCode"] == "TAXR");
    let refunds: Vec<_> = refunds.map(|line| day(line, "/bookingDate").month()).collect();
    assert!(refunds.len() > 75 && refunds.iter().all(|month| *month == 6), "{refunds:?}");
}

fn a_part_of_the_households_has_a_mortgage_that_is_paid_off() {
    let mut interest: HashMap<&str, Vec<f64>> = HashMap::new();
    for line in of_code("LDAS-MGLN-INTR") {
        interest.entry(text(line, "/account")).or_default().push(-sum(line));
    }
    let rents: HashSet<&str> =
        lines().filter(|line| line["remittance"] == "Husleie").map(|line| text(line, "/account")).collect();
    let owners = percent(interest.len(), interest.len() + rents.len());
    assert!((40.0..70.0).contains(&owners), "{owners}");
    assert!(interest.values().all(|paid| paid.first() > paid.last()), "interest falls with what is left");
}

fn bills_have_a_kid_whose_first_digits_are_the_customers() {
    let bills: Vec<_> = lines().filter(|line| line["proprietaryCode"] == "EFAKTURA").collect();
    assert!(bills.len() > 6_000, "{}", bills.len());
    assert!(bills.iter().all(|line| kid_is_valid(text(line, "/reference")) && line["remittance"].is_null()));
    let monthly = bills.iter().filter(|line| line["counterpartName"] == "Livlig Trening AS");
    let mut customers: HashMap<(&str, &str), usize> = HashMap::new();
    for line in monthly {
        *customers.entry((text(line, "/account"), &text(line, "/reference")[..7])).or_default() += 1;
    }
    assert!(customers.values().filter(|count| **count >= 11).count() > 10, "{customers:?}");
}

fn some_lines_have_another_value_date_and_no_weekend_has_one() {
    let differ = lines().filter(|line| line["bookingDate"] != line["valueDate"]).count();
    let share = percent(differ, lines().count());
    assert!((10.0..45.0).contains(&share), "{share}");
    let booked_later = purchases().iter().filter(|(used, _, line)| day(line, "/bookingDate") > *used).count();
    assert!(booked_later > 1_000, "{booked_later}");
}

fn couples_have_a_joint_account_that_both_pay_to() {
    let accounts = rows(state(), "accounts").iter();
    let joint: HashMap<&str, &str> = accounts
        .filter(|account| account["name"] == "Felleskonto")
        .map(|account| (text(account, "/bban"), text(account, "/id")))
        .collect();
    assert!((40..110).contains(&joint.len()), "{}", joint.len());
    let mut engaged: HashMap<&str, HashSet<&str>> = HashMap::new();
    for engagement in rows(state(), "engagements") {
        engaged.entry(text(engagement, "/account")).or_default().insert(text(engagement, "/customer"));
    }
    assert!(joint.values().all(|id| engaged[id].len() == 2));
    let mut payers: HashMap<&str, HashSet<&str>> = HashMap::new();
    for line in lines().filter(|line| line["remittance"] == "Til felleskonto" && sum(line) < 0.0) {
        payers.entry(text(line, "/counterpartBban")).or_default().insert(text(line, "/account"));
    }
    assert!(
        joint.keys().filter(|bban| payers.get(*bban).is_some_and(|from| from.len() == 2)).count() * 10
            > joint.len() * 9
    );
}

fn some_accounts_are_overdrawn_and_some_are_dormant() {
    let of_interest: HashSet<&str> = of_code("ACMT-MDOP-INTR").map(|line| text(line, "/account")).collect();
    let used: HashSet<&str> = lines().map(|line| text(line, "/account")).collect();
    let current = rows(state(), "accounts").iter().filter(|account| account["name"] == "Brukskonto");
    let dormant = current.filter(|account| !used.contains(text(account, "/id"))).count();
    assert!((3..30).contains(&of_interest.len()), "{}", of_interest.len());
    assert!((1..20).contains(&dormant), "{dormant}");
}

fn cash_comes_in_notes_and_old_persons_use_more_of_it() {
    let withdrawn: Vec<f64> = of_code("PMNT-CCRD-CWDL").map(sum).collect();
    assert!(withdrawn.len() > 300, "{}", withdrawn.len());
    assert!(withdrawn.iter().all(|sum| *sum <= -200.0 && sum % 100.0 == 0.0));
}
