//! Life events: lives change with them on their day.

use std::collections::{HashMap, HashSet};

use chrono::{Datelike, Months, NaiveDate};
use xs2a::tables::{Population, PopulationOptions};
use xs2a::PopulationPlan;

use super::history::{never_overdrawn, populated};
use super::labels::{labelled, options, rows};

/// Two years from 2024-09-01 on.
pub(crate) const PLAN: PopulationPlan =
    PopulationPlan { persons: 4_000, companies: 200, months: 24, events: true, ..PopulationPlan::DEFAULT };
const FIRST_DAY: &str = "2024-09-01";
pub(crate) const NOW: &str = "2026-09-01";
/// Each neighbourhood of [`PLAN`] is a part of its own.
const PARTS: u64 = 100;
const NEIGHBOURS: u64 = 40;
const CHILD_BENEFIT: f64 = 1_968.0;

/// An event of a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Event {
    pub(crate) person: String,
    pub(crate) kind: String,
    pub(crate) date: NaiveDate,
    pub(crate) partner: String,
    pub(crate) town: String,
}

pub(crate) fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

pub(crate) fn events(population: &Population) -> Vec<Event> {
    let columns = ["customer_number", "kind", "date", "partner_customer_number", "town"];
    let event = |[person, kind, date, partner, town]: [String; 5]| Event {
        person,
        kind,
        date: day(&date),
        partner,
        town,
    };
    rows(population, "life_events", columns).into_iter().map(event).collect()
}

/// A line of an account.
struct Line {
    account: String,
    date: NaiveDate,
    /// When the card was used, for its uses; otherwise the booking date.
    used: NaiveDate,
    amount: f64,
    code: String,
    payer: String,
    /// Where it is an account of the part, its owner.
    other_owner: Option<String>,
    text: String,
    /// Of a use of a card in a town of the country.
    town: Option<String>,
}

/// By the owners of their accounts.
type Lines = HashMap<String, Vec<Line>>;

fn lines(population: &Population) -> Lines {
    let uses =
        rows(population, "card_transactions", ["transaction_id", "transaction_date", "city", "country"]);
    let at_home =
        |town, country: &str| Some(town).filter(|town: &String| country == "NO" && !town.is_empty());
    let uses: HashMap<String, (NaiveDate, Option<String>)> = uses
        .into_iter()
        .map(|[id, used, town, country]| (id, (day(&used), at_home(town, &country))))
        .collect();
    let accounts = rows(population, "accounts", ["bban", "customer_number"]).into_iter();
    let owners: HashMap<String, String> =
        accounts.filter(|[bban, _]| !bban.is_empty()).map(|[bban, owner]| (bban, owner)).collect();
    let columns = [
        "id",
        "account_id",
        "customer_number",
        "booking_date",
        "amount",
        "proprietary_code",
        "counterpart_name",
        "counterpart_bban",
        "remittance",
    ];
    let mut lines = Lines::new();
    for [id, account, owner, date, amount, code, payer, bban, text] in
        rows(population, "transactions", columns)
    {
        let (date, used) = (day(&date), uses.get(&id));
        lines.entry(owner).or_default().push(Line {
            account,
            date,
            used: used.map_or(date, |(used, _)| *used),
            amount: amount.parse().unwrap(),
            code,
            payer,
            other_owner: owners.get(&bban).cloned(),
            text,
            town: used.and_then(|(_, town)| town.clone()),
        });
    }
    lines
}

fn of<'l>(lines: &'l Lines, person: &str) -> &'l [Line] {
    lines.get(person).map_or(&[], Vec::as_slice)
}

/// The customer numbers of those who share an account.
fn couples(population: &Population) -> HashSet<String> {
    let customers = rows(population, "customers", ["id", "customer_number"]).into_iter();
    let numbers: HashMap<String, String> = customers.map(|[id, number]| (id, number)).collect();
    let mut persons: HashMap<String, Vec<String>> = HashMap::new();
    for [account, person] in rows(population, "engagements", ["account_id", "person_id"]) {
        persons.entry(account).or_default().push(numbers[&person].clone());
    }
    persons.into_values().filter(|persons| persons.len() == 2).flatten().collect()
}

/// So many neighbourhoods in which the most persons retire and die, half of a couple most of all.
fn eventful_parts(plan: PopulationPlan, count: usize) -> Vec<Population> {
    let whole = labelled(plan);
    let (couples, mut weights) = (couples(&whole), HashMap::<u64, usize>::new());
    for [id, kind, number] in rows(&whole, "life_events", ["id", "kind", "customer_number"]) {
        let person: u64 = id.split('-').nth(1).unwrap().parse().unwrap();
        *weights.entry(person / NEIGHBOURS).or_default() += match kind.as_str() {
            "death" if couples.contains(&number) => 4,
            "death" | "retirement" => 1,
            _ => 0,
        };
    }
    let mut parts: Vec<_> = weights.into_iter().collect();
    parts.sort_by_key(|(part, weight)| (std::cmp::Reverse(*weight), *part));
    let part = |(partition, _)| {
        Population::new(&PopulationOptions { partition, of: PARTS, ..options(plan, true) }).unwrap()
    };
    parts.into_iter().take(count).map(part).collect()
}

/// The accounts of couples.
fn joint_accounts(population: &Population) -> HashSet<String> {
    let accounts = rows(population, "accounts", ["id", "name"]).into_iter();
    accounts.filter_map(|[id, name]| (name == "Felleskonto").then_some(id)).collect()
}

pub(crate) fn of_kind<'e>(events: &'e [Event], kind: &'e str) -> impl Iterator<Item = &'e Event> {
    events.iter().filter(move |event| event.kind == kind)
}

/// Whether no other event of the person is nearer than so many months.
fn is_apart(event: &Event, events: &[Event], months: u32) -> bool {
    let (from, until) = (event.date - Months::new(months), event.date + Months::new(months));
    let near =
        events.iter().filter(|other| other.person == event.person && (from..until).contains(&other.date));
    near.count() == 1 && from >= day(FIRST_DAY) && until <= day(NOW)
}

#[test]
fn a_life_changes_on_the_day_of_an_event() {
    let mut seen = Seen::default();
    for population in eventful_parts(PLAN, 3) {
        let part = Part {
            events: events(&population),
            lines: lines(&population),
            joint: joint_accounts(&population),
        };
        seen.jobs += part.a_new_job_is_paid_by_another_employer();
        seen.pensions += part.a_pension_replaces_the_pay();
        seen.births += part.child_benefit_begins_in_the_month_after();
        seen.moves += part.shops_are_those_of_the_new_town();
        seen.deaths += part.nothing_happens_after_a_death();
        seen.survivors += part.a_survivor_goes_on_with_the_household();
    }
    let Seen { jobs, pensions, births, moves, deaths, survivors } = seen;
    assert!(jobs > 3 && pensions > 1 && births > 1 && moves > 1 && deaths > 3 && survivors > 0, "{seen:?}");
}

/// How many events of each kind were looked at.
#[derive(Debug, Default)]
struct Seen {
    jobs: usize,
    pensions: usize,
    births: usize,
    moves: usize,
    deaths: usize,
    survivors: usize,
}

/// A neighbourhood.
struct Part {
    events: Vec<Event>,
    lines: Lines,
    joint: HashSet<String>,
}

impl Part {
    /// Events of a kind that have no other one of the person nearby.
    fn apart(&self, kind: &'static str, months: u32) -> impl Iterator<Item = &Event> {
        of_kind(&self.events, kind).filter(move |event| is_apart(event, &self.events, months))
    }

    fn deaths(&self) -> HashMap<&str, NaiveDate> {
        of_kind(&self.events, "death").map(|event| (event.person.as_str(), event.date)).collect()
    }

    fn a_new_job_is_paid_by_another_employer(&self) -> usize {
        let mut jobs = 0;
        for event in self.apart("new_job", 2) {
            let pay = |from: NaiveDate, until: NaiveDate| -> Vec<(&str, f64)> {
                let wages = of(&self.lines, &event.person).iter().filter(|line| line.code == "LØNN");
                let in_time = wages.filter(|line| (from..until).contains(&line.date));
                in_time.map(|line| (line.payer.as_str(), line.amount)).collect()
            };
            let before = pay(event.date - Months::new(2), event.date);
            let after = pay(event.date, event.date + Months::new(2));
            assert_eq!((before.len(), after.len()), (2, 2), "{event:?}");
            assert!(before[0].0 == before[1].0 && after[0].0 == after[1].0, "{event:?}");
            assert_ne!(before[0].0, after[0].0, "{event:?}");
            jobs += 1;
        }
        jobs
    }

    fn a_pension_replaces_the_pay(&self) -> usize {
        let mut pensions = 0;
        for event in self.apart("retirement", 1) {
            let days = |code: &str| -> Vec<NaiveDate> {
                let of_code = of(&self.lines, &event.person).iter().filter(|line| line.code == code);
                of_code.map(|line| line.date).collect()
            };
            let (pay, pension) = (days("LØNN"), days("PENSJON"));
            assert!(pay.iter().all(|date| *date < event.date), "{event:?}");
            assert!(pension.iter().all(|date| *date >= event.date), "{event:?}");
            assert!(pay.last().is_some_and(|last| *last >= event.date - Months::new(1)), "{event:?}");
            assert!(pension.first().is_some_and(|first| *first < event.date + Months::new(1)), "{event:?}");
            pensions += 1;
        }
        pensions
    }

    fn child_benefit_begins_in_the_month_after(&self) -> usize {
        let paid = |person: &str, month: NaiveDate| -> f64 {
            let until = month + Months::new(1);
            let of_person = of(&self.lines, person).iter().filter(|line| line.text == "Barnetrygd");
            of_person.filter(|line| (month..until).contains(&line.date)).map(|line| line.amount).sum()
        };
        let mut births = 0;
        for event in self.apart("child", 2) {
            let month = event.date.with_day(1).unwrap();
            let household = |month| paid(&event.person, month) + paid(&event.partner, month);
            let before = household(month - Months::new(1));
            assert_eq!(household(month), before, "{event:?}");
            assert_eq!(household(month + Months::new(1)), before + CHILD_BENEFIT, "{event:?}");
            births += 1;
        }
        births
    }

    /// Most purchases are in the town where the person lives.
    fn shops_are_those_of_the_new_town(&self) -> usize {
        let mut moves = 0;
        for event in self.apart("move", 3) {
            let there = |from: NaiveDate, until: NaiveDate| {
                let own = of(&self.lines, &event.person).iter();
                let own = own.filter(|line| !self.joint.contains(&line.account) && line.code == "VAREKJØP");
                let own = own.filter(|line| (from..until).contains(&line.used));
                let towns = own.filter_map(|line| line.town.as_ref());
                towns.fold((0, 0), |(there, all), town| (there + usize::from(*town == event.town), all + 1))
            };
            let before = there(event.date - Months::new(3), event.date);
            let after = there(event.date, event.date + Months::new(3));
            if before.1 >= 20 && after.1 >= 20 {
                assert!(before.0 * 100 < before.1 * 40, "{event:?} {before:?}");
                assert!(after.0 * 100 > after.1 * 60, "{event:?} {after:?}");
                moves += 1;
            }
        }
        moves
    }

    /// On the accounts of a person alone. What was bought before is booked later, and the bank's interest goes on.
    /// Returns how many persons did something in the month before their death.
    fn nothing_happens_after_a_death(&self) -> usize {
        let mut alive_before = HashSet::new();
        for (person, death) in self.deaths() {
            for line in of(&self.lines, person).iter().filter(|line| !self.joint.contains(&line.account)) {
                let is_after = line.used >= death;
                assert!(!is_after || line.code == "RENTER", "{person} {death} {} {}", line.date, line.text);
                if !is_after && line.used >= death - Months::new(1) {
                    alive_before.insert(person);
                }
            }
        }
        alive_before.len()
    }

    /// The one who is left pays to the joint account, and the household's bills are paid from it.
    fn a_survivor_goes_on_with_the_household(&self) -> usize {
        let deaths = self.deaths();
        let mut payers: HashMap<&str, HashMap<&str, NaiveDate>> = HashMap::new();
        let of_joint = || self.lines.values().flatten().filter(|line| self.joint.contains(&line.account));
        for line in of_joint().filter(|line| line.text == "Til felleskonto") {
            let payer = line.other_owner.as_deref().unwrap();
            let last = payers.entry(&line.account).or_default().entry(payer).or_insert(line.date);
            *last = line.date.max(*last);
        }
        let mut survivors = 0;
        for (account, payers) in &payers {
            let died = payers.keys().filter_map(|payer| deaths.get(payer)).collect::<Vec<_>>();
            let [death] = died.as_slice() else { continue };
            if **death + Months::new(3) > day(NOW) {
                continue;
            }
            let later = payers.values().filter(|last| *last >= *death).count();
            assert_eq!(later, 1, "{account} {payers:?} {death}");
            let paid = of_joint().filter(|line| line.account == *account && line.amount < 0.0);
            assert!(paid.filter(|line| line.date > **death).count() > 5, "{account} {death}");
            survivors += 1;
        }
        survivors
    }
}

#[test]
fn balances_add_up_with_events_and_cases() {
    let plan = PopulationPlan { persons: 60, companies: 3, months: 18, cases: 500, ..PLAN };
    for plan in [PopulationPlan { cases: 0, ..plan }, plan] {
        let (world, _, state) = populated(plan);
        world.assert_reconciled();
        never_overdrawn(&state);
    }
}

/// In a history of two months each person is the subject of a case.
#[test]
fn who_dies_takes_part_in_no_case_and_afterwards_in_no_look_alike() {
    let plan = PopulationPlan { months: 2, cases: 1_000, ..PLAN };
    let mut deaths = 0;
    for population in eventful_parts(plan, 2) {
        let part = Part {
            events: events(&population),
            lines: lines(&population),
            joint: joint_accounts(&population),
        };
        part.nothing_happens_after_a_death();
        let of_cases: HashSet<String> =
            rows(&population, "case_transactions", ["transaction_id"]).into_iter().map(|[id]| id).collect();
        let transactions = rows(&population, "transactions", ["id", "customer_number"]);
        let parts_taken = transactions.iter().filter(|[id, _]| of_cases.contains(id));
        let taking_part: HashSet<&str> = parts_taken.map(|[_, number]| number.as_str()).collect();
        assert!(taking_part.len() > 20, "{taking_part:?}");
        assert!(part.deaths().keys().all(|person| !taking_part.contains(person)));
        deaths += part.deaths().len();
    }
    assert!(deaths > 0);
}

#[test]
fn there_are_as_many_cases_with_events_as_without() {
    let plan = PopulationPlan { persons: 120, companies: 2, months: 24, cases: 1_000, ..PLAN };
    let population = labelled(plan);
    assert!(of_kind(&events(&population), "death").count() > 0);
    let cases = rows(&population, "cases", ["id", "customer_number"]);
    assert_eq!(cases.len(), 120);
    assert_eq!(cases.iter().map(|[id, _]| id).collect::<HashSet<_>>().len(), 120);
}
