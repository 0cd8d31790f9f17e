//! The data of a country, as it is read from its file.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::distribution::Quantiles;
use crate::error::Result;
use crate::types::Currency;
use crate::wire::json;

/// Most distributions of one country. The file says what each of them means.
#[derive(Debug, Deserialize)]
pub(super) struct Country {
    pub(super) calendar: CalendarData,
    pub(super) towns: Rows<Town>,
    pub(super) merchant_words: Vec<String>,
    pub(super) trades: Rows<Trade>,
    pub(super) hours: HoursData,
    pub(super) abroad: Abroad,
    pub(super) segments: Rows<Segment>,
    pub(super) family: Family,
    pub(super) events: EventsData,
    pub(super) habits: Habits,
    pub(super) bills: Bills,
    pub(super) loans: Loans,
    pub(super) rates: Rates,
    pub(super) tax: Tax,
    pub(super) parties: Parties,
}

impl Country {
    /// Reads the data of Norway.
    ///
    /// # Errors
    /// [`Error::Config`](crate::Error::Config) with the place.
    pub(super) fn norway() -> Result<Self> {
        json::read_config(include_str!("norway.json"))
    }
}

/// A table.
#[derive(Debug, Deserialize)]
pub(super) struct Rows<T> {
    pub(super) rows: Vec<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CalendarData {
    pub(super) holidays: Vec<String>,
    pub(super) easter: Vec<i64>,
    pub(super) weekdays: [i64; 7],
    pub(super) months: [i64; 12],
    pub(super) on_holidays: i64,
    pub(super) days: BTreeMap<String, i64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Town {
    pub(super) name: String,
    pub(super) weight: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Trade {
    pub(super) mcc: String,
    pub(super) weight: u64,
    pub(super) nouns: Vec<String>,
    pub(super) merchants: usize,
    pub(super) chains: usize,
    #[serde(default)]
    pub(super) online: bool,
    pub(super) kroner: Quantiles,
    pub(super) ending: Ending,
    pub(super) sunday: u64,
    pub(super) hours: Hours,
    #[serde(default)]
    pub(super) delay: usize,
    #[serde(default)]
    pub(super) returns: i64,
    #[serde(default = "even_months")]
    pub(super) months: [u64; 12],
}

fn even_months() -> [u64; 12] {
    [100; 12]
}

/// How a price ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Ending {
    Exact,
    Krone,
    Five,
    Ninety,
    Nine,
}

/// At which hours something happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Hours {
    Shop,
    Office,
    Commute,
    Evening,
    Online,
}

#[derive(Debug, Deserialize)]
pub(super) struct HoursData {
    pub(super) shop: [u64; 24],
    pub(super) office: [u64; 24],
    pub(super) commute: [u64; 24],
    pub(super) evening: [u64; 24],
    pub(super) online: [u64; 24],
}

#[derive(Debug, Deserialize)]
pub(super) struct Abroad {
    pub(super) journeys: i64,
    pub(super) days: (i64, i64),
    pub(super) uses: (i64, i64),
    pub(super) rows: Vec<PlaceAbroad>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PlaceAbroad {
    pub(super) name: String,
    pub(super) city: String,
    pub(super) country: String,
    pub(super) mcc: String,
    #[serde(deserialize_with = "currency")]
    pub(super) currency: Currency,
    pub(super) units: Quantiles,
}

fn currency<'de, D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Currency, D::Error> {
    let code = String::deserialize(from)?;
    Currency::parse(&code).map_err(|_| serde::de::Error::custom("no currency"))
}

/// Where an income comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Source {
    Work,
    Studies,
    Benefit,
    Pension,
    None,
}

/// A kind of persons.
#[derive(Debug, Deserialize)]
pub(super) struct Segment {
    #[cfg(feature = "arrow")]
    pub(super) name: String,
    pub(super) ages: (i32, i32),
    pub(super) weight: u64,
    pub(super) income_from: Source,
    pub(super) income: Quantiles,
    pub(super) year: [i64; 12],
    pub(super) opening: (i64, i64),
    pub(super) savings: (i64, i64),
    pub(super) credit_line: i64,
    pub(super) saved: (i64, i64),
    pub(super) owns: i64,
    pub(super) loan: i64,
    pub(super) card: i64,
    pub(super) least: i64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Family {
    pub(super) couples: i64,
    pub(super) couple_ages: (i32, i32),
    pub(super) children_ages: (i32, i32),
    pub(super) children: [u64; 4],
    pub(super) child_benefit: i64,
}

#[derive(Debug, Deserialize)]
pub(super) struct EventsData {
    pub(super) death: EventRates,
    pub(super) retirement: EventRates,
    pub(super) new_job: EventRates,
    pub(super) relocation: EventRates,
    pub(super) child: EventRates,
    pub(super) months_between_children: u32,
    pub(super) pay: Quantiles,
    pub(super) pension: Quantiles,
    pub(super) dwelling: Quantiles,
    pub(super) furnishing: Extra,
    pub(super) furnishing_days: u64,
    pub(super) groceries: Extra,
}

/// How often something happens in a month, by age: pairs of an age and of how many in a million.
#[derive(Debug, Deserialize)]
pub(super) struct EventRates(Vec<(i32, i64)>);

impl EventRates {
    /// Of how many in a million of that age it happens in a month.
    pub(super) fn at(&self, age: i32) -> i64 {
        self.0.iter().take_while(|(from, _)| *from <= age).last().map_or(0, |(_, rate)| *rate)
    }

    /// Whether the ages are in order, and no rate is beyond that of what is certain.
    #[cfg(test)]
    pub(super) fn is_possible(&self, certain: i64) -> bool {
        self.0.is_sorted_by_key(|(from, _)| *from)
            && self.0.iter().all(|(_, rate)| (0..=certain).contains(rate))
    }
}

/// What is bought more after an event.
#[derive(Debug, Deserialize)]
pub(super) struct Extra {
    pub(super) mcc: String,
    /// On a day, in thousandths.
    pub(super) per_mille: i64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Habits {
    pub(super) prices: Quantiles,
    pub(super) on_credit: (i64, i64),
    pub(super) cash: [Quantiles; 4],
    pub(super) cash_kroner: Vec<i64>,
    pub(super) gifts: [Quantiles; 4],
    pub(super) deposits: i64,
    pub(super) gift_kroner: Quantiles,
    pub(super) gift_texts: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Bills {
    pub(super) rent: BillData,
    pub(super) common_costs: BillData,
    pub(super) kindergarten: BillData,
    pub(super) rows: Vec<BillData>,
}

#[derive(Debug, Deserialize)]
pub(super) struct BillData {
    pub(super) text: String,
    pub(super) from: PartyKind,
    #[serde(flatten)]
    pub(super) sum: BillSum,
    pub(super) ending: Ending,
    pub(super) winter: i64,
    pub(super) share: i64,
    pub(super) shared: bool,
    pub(super) every: u32,
    pub(super) reference: bool,
}

/// How much a bill is for, before the winter.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum BillSum {
    PercentOfIncome(Quantiles),
    Kroner(Quantiles),
}

#[derive(Debug, Deserialize)]
pub(super) struct Loans {
    pub(super) mortgage: LoanData,
    pub(super) consumer: LoanData,
}

#[derive(Debug, Deserialize)]
pub(super) struct LoanData {
    pub(super) principal: Quantiles,
    pub(super) rate: Quantiles,
    pub(super) months: u32,
    pub(super) passed: (i64, i64),
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Rates {
    pub(super) savings: i64,
    pub(super) overdraft: i64,
    pub(super) card: i64,
    #[serde(rename = "raise")]
    pub(super) raise_percent: i64,
    #[serde(rename = "dearer")]
    pub(super) dearer_percent: i64,
    #[serde(rename = "withheld")]
    pub(super) withheld_percent: i64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Tax {
    pub(super) refund_percent: i64,
    pub(super) owed_percent: i64,
    pub(super) refund: Quantiles,
    pub(super) owed: Quantiles,
}

#[derive(Debug, Deserialize)]
pub(super) struct Parties {
    pub(super) rows: Vec<PartyRow>,
    pub(super) traders: usize,
}

#[derive(Debug, Deserialize)]
pub(super) struct PartyRow {
    pub(super) kind: PartyKind,
    pub(super) names: Vec<String>,
}

/// What a party outside is to the bank's customers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum PartyKind {
    Employer,
    Pension,
    Studies,
    Benefit,
    Landlord,
    Power,
    Grid,
    Telephone,
    Insurance,
    Streaming,
    Gym,
    Union,
    Municipality,
    Charity,
    Tax,
    Lender,
    ConsumerLender,
    Abroad,
    /// The companies' own; their names are generated.
    Supplier,
    Client,
}
