//! The numbers of a population are not in use, and no two customers share one.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use xs2a::tools::{account_number_is_valid, iban_is_valid};
use xs2a::PopulationPlan;

use crate::population::history::{populated, rows};
use crate::world::{text, World};

const MANY: PopulationPlan =
    PopulationPlan { persons: 3_000, companies: 300, months: 0, ..PopulationPlan::DEFAULT };

/// The numbers of all accounts and card accounts of a population.
fn account_numbers(report: &Value) -> Vec<&str> {
    let of_customer = |customer| {
        let accounts = rows(customer, "accounts").iter().map(|account| text(account, "/bban"));
        accounts.chain(rows(customer, "cardAccounts").iter().map(|card| text(card, "/accountNumber")))
    };
    rows(report, "customers").iter().flat_map(of_customer).collect()
}

fn customer_numbers(report: &Value) -> Vec<&str> {
    rows(report, "customers").iter().map(|customer| text(customer, "/customerNumber")).collect()
}

#[test]
fn persons_companies_and_accounts_have_numbers_that_are_never_issued() {
    let (_, report, _) = populated(MANY);
    for customer in rows(&report, "customers") {
        let number = text(customer, "/customerNumber");
        match text(customer, "/customerType") {
            // A synthetic person has 80 added to the month.
            "PRIVATE" => {
                assert_eq!(number.len(), 11);
                assert!((81..=92).contains(&number.get(2..4).unwrap().parse::<u8>().unwrap()), "{number}");
            }
            // A company that is registered has a number that begins with 8 or 9.
            _ => assert!(number.len() == 9 && number.starts_with('3'), "{number}"),
        }
        for account in rows(customer, "accounts") {
            assert!(iban_is_valid(text(account, "/iban")));
        }
        for card in rows(customer, "cardAccounts") {
            let pan = text(card, "/maskedPan");
            assert!(pan.starts_with("123456******") && pan.len() == 16, "{pan}");
        }
    }
    for number in account_numbers(&report) {
        assert!(number.starts_with("9999") && account_number_is_valid(number), "{number}");
    }
}

/// In two populations, and in an account that is opened afterwards.
#[test]
fn those_outside_are_the_same_to_everybody_and_never_customers() {
    let world = World::new();
    let plan = PopulationPlan { persons: 200, companies: 20, months: 2, ..PopulationPlan::DEFAULT };
    let report = [(); 2].map(|()| world.sandbox.populate(plan).unwrap());
    let report = report.map(|report| serde_json::from_str::<Value>(&report).unwrap());
    let own: HashSet<&str> = report.iter().flat_map(account_numbers).collect();
    let state: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
    let mut outside: HashMap<&str, HashSet<&str>> = HashMap::new();
    for line in rows(&state, "transactions") {
        let other = line["counterpartBban"].as_str().filter(|bban| !own.contains(bban));
        if let Some(bban) = other {
            assert!(bban.starts_with("999900") && account_number_is_valid(bban), "{bban}");
            outside.entry(text(line, "/counterpartName")).or_default().insert(bban);
        }
    }
    assert_eq!(outside.len(), 138);
    assert!(outside.values().all(|numbers| numbers.len() == 1), "{outside:?}");
    assert!(own.iter().all(|number| *number >= "99990010000"));
}

#[test]
fn no_number_is_there_twice_in_two_populations_of_one_bank() {
    let world = World::new();
    let plan = PopulationPlan { persons: 400, companies: 40, months: 0, ..PopulationPlan::DEFAULT };
    let report = [(); 2].map(|()| world.sandbox.populate(plan).unwrap());
    let report = report.map(|report| serde_json::from_str::<Value>(&report).unwrap());
    for numbers in [customer_numbers, account_numbers] {
        let [first, second] = [&report[0], &report[1]].map(numbers);
        let all: HashSet<&str> = first.iter().chain(&second).copied().collect();
        assert_eq!(all.len(), first.len() + second.len());
    }
}
