//! A neighbourhood whose lives go on.

use std::collections::{BTreeMap, BTreeSet};

use super::calendar::Day;
use super::cases::Additions;
use super::diary::{Diary, Entry};
use super::holding::broken;
use super::ids::Ids;
use super::neighbourhood::Neighbourhood;
use super::records::{Ledger, Line};
use super::world::World;
use crate::error::Result;
use crate::sandbox::Rates;
use crate::store::sqlite::sandbox::{AccountKey, CardAuthorisation};
use crate::types::TransactionId;

/// A neighbourhood as it is after the days that were lived.
pub(super) struct Block {
    pub(super) neighbourhood: Neighbourhood,
    pub(super) diary: Diary,
    pub(super) ids: Ids,
    /// Its accounts, in their order.
    pub(super) accounts: Vec<Ledger>,
}

/// What a day adds to an account.
pub(super) struct AccountDay {
    pub(super) account: AccountKey,
    pub(super) lines: Vec<Line>,
    /// Those of the lines that were authorised before.
    pub(super) was_authorised: Vec<TransactionId>,
    /// Uses of the card that are not booked yet.
    pub(super) authorised: Vec<CardAuthorisation>,
}

impl Block {
    /// What one more day adds to each account.
    ///
    /// # Errors
    /// As [`Ledger::lines`].
    pub(super) fn live(&mut self, day: Day, world: &'static World, rates: &Rates) -> Result<Vec<AccountDay>> {
        let before: BTreeSet<u64> = self.diary.authorised().iter().map(|entry| entry.number).collect();
        let mut no_cases = Additions::default();
        let entries = self.neighbourhood.live(&[day], world, rates, &mut self.diary, &mut no_cases);
        let mut days = BTreeMap::new();
        for entries in entries.chunk_by(|one, other| one.at == other.at) {
            let Some(first) = entries.first() else { continue };
            let (ledger, day) = self.day_of(&mut days, first)?;
            day.lines = ledger.lines(entries, &self.ids, rates)?;
            let numbers = entries.iter().map(|entry| entry.number).filter(|number| before.contains(number));
            day.was_authorised =
                numbers.map(|number| TransactionId::from_bytes(self.ids.line(number))).collect();
        }
        let authorised = self.diary.authorised();
        for entry in authorised.into_iter().filter(|entry| !before.contains(&entry.number)) {
            let (ledger, day) = self.day_of(&mut days, entry)?;
            day.authorised.push(ledger.authorisation(entry, &self.ids)?);
        }
        Ok(days.into_values().collect())
    }

    /// The account of an entry, and its day.
    fn day_of<'d>(
        &self,
        days: &'d mut BTreeMap<usize, AccountDay>,
        entry: &Entry,
    ) -> Result<(&Ledger, &'d mut AccountDay)> {
        let ledger = self.accounts.get(entry.at).ok_or_else(broken)?;
        let day = days.entry(entry.at).or_insert_with(|| AccountDay {
            account: ledger.key.clone(),
            lines: Vec::new(),
            was_authorised: Vec::new(),
            authorised: Vec::new(),
        });
        Ok((ledger, day))
    }
}
