//! The label of a line.

use super::super::diary::Entry;
use super::super::kind::Kind;
use super::super::world::World;
use super::category;
use super::series::SeriesOfAccount;
use crate::types::TransactionId;

/// What is known of a line.
#[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "tables alone show it"))]
pub(crate) struct LineLabel {
    /// What it is spent on, or where it comes from.
    pub(crate) category: &'static str,
    /// Who sold or sent the bill: a chain has one name in all towns.
    pub(crate) merchant: Option<String>,
    /// The first line of what recurs.
    pub(crate) series: Option<TransactionId>,
}

impl LineLabel {
    /// That of an entry of an account.
    pub(in crate::sandbox::population) fn of(
        entry: &Entry,
        id: &TransactionId,
        series: &mut SeriesOfAccount,
        world: &World,
    ) -> Self {
        let party = world.outside.kind_of(&entry.other);
        let category = category::of(entry, party);
        Self { category, merchant: merchant(entry), series: series.of(entry, id) }
    }
}

fn merchant(entry: &Entry) -> Option<String> {
    let name = entry.other.name.as_deref()?;
    match (&entry.card, entry.kind) {
        (Some(_), Kind::Withdrawal) => None,
        (Some(used), _) => {
            let city = used.branch.city.as_deref().unwrap_or_default();
            Some(name.strip_suffix(city).unwrap_or(name).trim_end().to_owned())
        }
        (None, Kind::Bill) if entry.sum < 0 => Some(name.to_owned()),
        _ => None,
    }
}
