//! The merchants of a country: hundreds, in each town its own, and chains in all of them.

use std::sync::Arc;

use super::calendar::Day;
use super::chance::Chance;
use super::country::{Country, Trade};
use super::distribution::Weights;
use super::unit::UNIT;
use crate::store::sqlite::sandbox::Counterpart;

/// A branch of a merchant, or a place abroad, as it is named where a card is used.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) party: Arc<Counterpart>,
    pub(super) acceptor_id: String,
    pub(super) city: Option<String>,
    pub(super) country: String,
    /// ISO 18245.
    pub(super) category: String,
}

/// A trade with its merchants.
#[derive(Debug)]
struct OfTrade {
    popularity: Weights,
    /// By rank and then by town; of an online merchant there is one.
    branches: Vec<Arc<Branch>>,
    /// How many branches each merchant has here.
    towns: usize,
}

/// All merchants.
#[derive(Debug)]
pub(super) struct Merchants {
    trades: Vec<OfTrade>,
    /// Which trade is next: by month, on open days and then on closed ones.
    open: Vec<Weights>,
    closed: Vec<Weights>,
    pub(super) abroad: Vec<Arc<Branch>>,
    pub(super) cash_machines: Vec<Arc<Branch>>,
    /// What a purchase costs on the average, in øre.
    pub(super) mean_price: i64,
}

/// The code of cash machines, ISO 18245.
const CASH_MACHINE: &str = "6011";
const HOME: &str = "NO";

impl Merchants {
    /// Those of a country.
    pub(super) fn of(country: &Country) -> Self {
        let trades = &country.trades.rows;
        let by_month = |closed: bool| {
            let weights =
                |month: usize| trades.iter().map(move |trade| weight(trade, month, closed)).collect();
            (0..12).map(weights).collect()
        };
        let all: u64 = trades.iter().map(|trade| trade.weight).sum();
        let spent = |trade: &Trade| trade.kroner.mean(UNIT) * i64::try_from(trade.weight).unwrap_or_default();
        let spent: i64 = trades.iter().map(spent).sum();
        Self {
            open: by_month(false),
            closed: by_month(true),
            abroad: country
                .abroad
                .rows
                .iter()
                .map(|place| {
                    let city = Some(place.city.clone());
                    Arc::new(Branch { city, ..branch(place.name.clone(), &place.country, &place.mcc, 0) })
                })
                .collect(),
            cash_machines: country
                .towns
                .rows
                .iter()
                .map(|town| {
                    let place = branch(format!("Minibank {}", town.name), HOME, CASH_MACHINE, 1);
                    Arc::new(Branch { city: Some(town.name.clone()), ..place })
                })
                .collect(),
            mean_price: spent / i64::try_from(all).unwrap_or(i64::MAX).max(1),
            trades: trades.iter().enumerate().map(|(nth, trade)| OfTrade::of(nth, trade, country)).collect(),
        }
    }

    /// The place of the trade of a purchase among those of the country.
    pub(super) fn trade(&self, day: &Day, chance: &mut Chance) -> Option<usize> {
        let by_month = if day.is_closed { &self.closed } else { &self.open };
        let month = usize::try_from(day.month()).unwrap_or(1) - 1;
        by_month.get(month)?.draw(chance)
    }

    /// A merchant of that trade, in that town where it has a branch.
    pub(super) fn branch(&self, trade: usize, town: usize, chance: &mut Chance) -> Option<Arc<Branch>> {
        let OfTrade { popularity, branches, towns } = self.trades.get(trade)?;
        let rank = popularity.draw(chance)?;
        branches.get(rank * towns + town.min(towns - 1)).cloned()
    }
}

impl OfTrade {
    fn of(nth: usize, trade: &Trade, country: &Country) -> Self {
        let towns = if trade.online { 1 } else { country.towns.rows.len().max(1) };
        let branches = (0..trade.merchants).flat_map(|rank| (0..towns).map(move |town| (rank, town)));
        let branches = branches.map(|(rank, town)| Arc::new(of_trade(nth, trade, rank, town, country)));
        Self { popularity: Weights::by_rank(trade.merchants), branches: branches.collect(), towns }
    }
}

/// A closed day has fewer purchases of some trades; how many there are in all is in the calendar.
fn weight(trade: &Trade, month: usize, closed: bool) -> u64 {
    let season = trade.months.get(month).copied().unwrap_or(100);
    trade.weight * season * if closed { trade.sunday } else { 100 }
}

/// A branch by its trade, its rank there and its town. A chain has the same name in every town.
fn of_trade(nth: usize, trade: &Trade, rank: usize, town: usize, country: &Country) -> Branch {
    let is_chain = rank < trade.chains;
    let (words, nouns) = (&country.merchant_words, &trade.nouns);
    // The names of a trade in a town are all pairs of words at most once; those of towns begin at different ones.
    let local = (words.len() * nouns.len()).saturating_sub(trade.chains).max(1);
    let pair = if is_chain { rank } else { trade.chains + (rank - trade.chains + town * 5) % local };
    let (turn, first) = (pair / words.len().max(1), pair % words.len().max(1));
    let word = words.get((first + nth * 7) % words.len().max(1)).map(String::as_str).unwrap_or_default();
    let noun = nouns.get((turn + first) % nouns.len().max(1)).map(String::as_str).unwrap_or_default();
    let name = format!("{word} {noun}");
    let id = (nth * 100 + rank) * 100 + town + 10;
    if trade.online {
        return branch(name, HOME, &trade.mcc, id);
    }
    let at = country.towns.rows.get(town);
    let city = at.map(|town| town.name.clone());
    let named = format!("{name} {}", city.as_deref().unwrap_or_default());
    Branch { city, ..branch(named, HOME, &trade.mcc, id) }
}

fn branch(name: String, country: &str, category: &str, id: usize) -> Branch {
    Branch {
        party: Arc::new(Counterpart { name: Some(name), ..Counterpart::default() }),
        acceptor_id: format!("{:08}", id),
        city: None,
        country: country.to_owned(),
        category: category.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn merchants_are_hundreds_and_each_is_named_once_in_its_town() {
        let country = Country::norway().unwrap();
        let merchants = Merchants::of(&country);
        let branches: Vec<_> = merchants.trades.iter().flat_map(|trade| &trade.branches).collect();
        let names: HashSet<_> = branches.iter().map(|branch| branch.party.name.as_ref()).collect();
        let ids: HashSet<_> = branches.iter().map(|branch| &branch.acceptor_id).collect();
        assert!(branches.len() > 1_000, "{}", branches.len());
        assert_eq!((names.len(), ids.len()), (branches.len(), branches.len()));
        assert!(branches.iter().all(|branch| branch.category.len() == 4));
    }

    #[test]
    fn closed_trades_sell_nothing_on_sundays() {
        let country = Country::norway().unwrap();
        let (wine, mut chance) =
            (country.trades.rows.iter().position(|trade| trade.mcc == "5921"), Chance::of(1));
        let calendar = super::super::calendar::Calendar::of(&country.calendar).unwrap();
        let merchants = Merchants::of(&country);
        let sold = |day: &str, chance: &mut Chance| {
            let day = calendar.day(day.parse().unwrap());
            (0..2_000).filter(|_| merchants.trade(&day, chance) == wine).count()
        };
        assert_eq!(sold("2026-08-30", &mut chance), 0);
        assert!(sold("2026-08-29", &mut chance) > 20);
    }
}
