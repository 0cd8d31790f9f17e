//! No simple rule about the bank's rows finds cases without finding many more honest payments.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Datelike, NaiveDate, Timelike, Utc, Weekday};
use xs2a::tables::Population;
use xs2a::PopulationPlan;

use super::labels::{labelled_with, rows};

/// In August, when Oslo is two hours ahead of UTC. A case of each typology, or several.
const PLAN: PopulationPlan =
    PopulationPlan { persons: 2_400, companies: 120, months: 1, cases: 10, ..PopulationPlan::DEFAULT };
/// Of a hundred lines that a rule finds so many belong to cases at most.
const OF_CASES_PERCENT: usize = 25;
/// Fewer lines than these are no rule.
const LINES_MIN: usize = 5;
const OSLO_HOURS: u32 = 2;

/// What a rule looks at, and what it finds there.
type Value = (&'static str, String);

/// The values of each line of a population, by its id.
fn values(population: &Population) -> HashMap<String, Vec<Value>> {
    let owners: HashMap<String, String> = rows(population, "customers", ["customer_number", "type"])
        .into_iter()
        .map(|[id, kind]| (id, kind))
        .collect();
    let accounts: HashMap<String, String> = rows(population, "accounts", ["bban", "customer_number"])
        .into_iter()
        .map(|[bban, owner]| (bban, owners[&owner].clone()))
        .collect();
    let uses: HashMap<String, [String; 2]> = rows(
        population,
        "card_transactions",
        ["transaction_id", "transaction_date", "merchant_category_code"],
    )
    .into_iter()
    .map(|[id, day, category]| (id, [day, category]))
    .collect();
    let columns = [
        "id",
        "customer_number",
        "proprietary_code",
        "amount",
        "booking_date",
        "value_date",
        "created_at",
        "purpose_code",
        "reference",
        "remittance",
        "counterpart_bban",
        "counterpart_name",
    ];
    let mut values = HashMap::new();
    for [id, owner, code, amount, booked, valued, created, purpose, reference, remittance, bban, name] in
        rows(population, "transactions", columns)
    {
        let direction = if amount.starts_with('-') { "out" } else { "in" };
        let base = format!("{code} {} {direction}", owners[&owner]);
        let day: NaiveDate = booked.parse().unwrap();
        let (hour, sum) = (hours(&created), minor_units(&amount));
        let mut found = vec![
            ("code", base.clone()),
            ("purpose", format!("{base} {purpose}")),
            ("hour", format!("{base} {hour}")),
            ("sum", format!("{base} {}", roundness(sum))),
            ("counterpart", format!("{base} {}", counterpart(&bban, &name, &accounts))),
            ("reference", format!("{base} {}", reference.is_empty())),
            ("text", format!("{base} {remittance}")),
            ("value date", format!("{base} {}", (valued.parse::<NaiveDate>().unwrap() - day).num_days())),
            ("weekend", format!("{base} {}", matches!(day.weekday(), Weekday::Sat | Weekday::Sun))),
        ];
        if code == "LØNN" {
            found.push(("payday", format!("{name} {day}")));
        }
        if let Some([used, category]) = uses.get(&id) {
            let base = format!("{base} {category}");
            found.push(("category", base.clone()));
            found.push(("delay", format!("{base} {}", *used == booked)));
            found.push(("category and hour", format!("{base} {hour}")));
            found.push(("price", format!("{base} {} {}", sum % 100, sum / 100 % 10 == 9)));
        }
        values.insert(id, found);
    }
    values
}

/// A sum in øre without its sign.
fn minor_units(amount: &str) -> i64 {
    let amount = amount.trim_start_matches('-');
    let (whole, rest) = amount.split_once('.').unwrap_or((amount, "0"));
    let rest = format!("{rest:0<2}");
    whole.parse::<i64>().unwrap() * 100 + rest[..2].parse::<i64>().unwrap()
}

/// The part of the day in Oslo.
fn hours(created: &str) -> &'static str {
    let created: DateTime<Utc> = created.parse().unwrap();
    match (created.hour() + OSLO_HOURS) % 24 {
        0..2 => "0 to 2",
        2..6 => "2 to 6",
        6 => "6",
        7..12 => "7 to 12",
        12..18 => "12 to 18",
        _ => "18 to 24",
    }
}

fn roundness(sum: i64) -> &'static str {
    let steps = [(100_000, "thousands"), (10_000, "hundreds"), (100, "kroner")];
    steps.into_iter().find(|(step, _)| sum % step == 0).map_or("øre", |(_, name)| name)
}

fn counterpart(bban: &str, name: &str, accounts: &HashMap<String, String>) -> String {
    match accounts.get(bban) {
        Some(kind) => format!("customer {kind}"),
        None if bban.is_empty() => "no account".to_owned(),
        None if name.ends_with(" GmbH") => "company abroad".to_owned(),
        None if name.ends_with(" AS") => "company at another bank".to_owned(),
        None => "other party at another bank".to_owned(),
    }
}

/// How many lines have a value, and how many of these belong to cases.
#[derive(Default, Debug)]
struct Found {
    lines: usize,
    of_cases: usize,
}

/// Of each value what a rule finds that looks for it; with the lines of cases.
fn found<'v>(
    values: &'v HashMap<String, Vec<Value>>,
    of_cases: &HashSet<String>,
) -> BTreeMap<&'v Value, Found> {
    let mut found: BTreeMap<&Value, Found> = BTreeMap::new();
    for (id, values) in values {
        for value in values {
            let found = found.entry(value).or_default();
            found.lines += 1;
            found.of_cases += usize::from(of_cases.contains(id));
        }
    }
    found
}

fn lines_of_cases(population: &Population) -> HashSet<String> {
    rows(population, "case_transactions", ["transaction_id"]).into_iter().flatten().collect()
}

#[test]
fn a_simple_rule_finds_many_more_honest_payments_than_cases() {
    for seed in [3, 4] {
        let population = labelled_with(PLAN, seed);
        let typologies = rows(&population, "cases", ["typology"]);
        assert_eq!(typologies.iter().collect::<HashSet<_>>().len(), 12, "{typologies:?}");
        let values = values(&population);
        let found = found(&values, &lines_of_cases(&population));
        let rules = found.iter().filter(|(_, found)| {
            found.of_cases >= LINES_MIN && found.of_cases * 100 > found.lines * OF_CASES_PERCENT
        });
        let rules: Vec<_> = rules.collect();
        assert!(rules.is_empty(), "seed {seed}: {rules:#?}");
        let certain: Vec<_> = found.iter().filter(|(_, found)| found.of_cases == found.lines).collect();
        assert!(certain.is_empty(), "{certain:#?}");
    }
}

/// Without what looks like cases, the same rules find them.
#[test]
fn payments_that_look_like_cases_are_needed_for_it() {
    let plan = PopulationPlan { persons: 600, companies: 30, cases: 400, ..PLAN };
    let population = labelled_with(plan, 3);
    let values_with = values(&population);
    let of_cases = lines_of_cases(&population);
    let without = values(&labelled_with(PopulationPlan { cases: 0, ..plan }, 3));
    let honest: HashSet<&Value> = without.values().flatten().collect();
    let found = found(&values_with, &of_cases);
    let certain = found.iter().filter(|(value, found)| found.of_cases > 0 && !honest.contains(*value));
    assert!(certain.count() > 10);
}
