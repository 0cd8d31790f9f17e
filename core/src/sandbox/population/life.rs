//! A population whose lives go on, in memory.

use std::sync::Arc;

use super::block::{AccountDay, Block};
use super::generator::Generator;
use super::numbers::Numbers;
use super::origin::Origin;
use super::setting::Setting;
use super::world::World;
use crate::error::{Error, Result};
use crate::sandbox::Rates;
use crate::store::sqlite::sandbox::StoredPopulation;
use crate::types::date::oslo_midnight;

/// A population as it is after the days that were lived. It follows from what is stored of it alone: not from its
/// accounts, which others pay from and to as well.
pub(super) struct Life {
    pub(super) stored: StoredPopulation,
    rates: Arc<Rates>,
    world: &'static World,
    blocks: Vec<Block>,
}

impl Life {
    /// Lives the days again that were lived before.
    ///
    /// # Errors
    /// [`Error::Record`] where what is stored is not what this library writes.
    pub(super) fn resume(stored: StoredPopulation) -> Result<Self> {
        let unreadable = |error: Error| {
            let number = stored.number;
            Error::Record(format!("population {number} cannot be read: {}", error.text()).into())
        };
        let origin = Origin::parse(&stored.origin).map_err(unreadable)?;
        let rates = Arc::new(origin.rates().map_err(unreadable)?);
        let Origin { seed, plan, replaced, .. } = origin;
        let now = oslo_midnight(stored.lived_until);
        let setting = Setting { seed, rates: Arc::clone(&rates), now };
        let until = stored.lived_until;
        let lived = stored.begin_day.iter_days().take_while(|day| *day < until);
        let mut generator = Generator::resumed(plan, setting, stored.first_day, lived)?;
        let mut numbers = Numbers::again(plan, seed, stored.first_day, replaced);
        let mut blocks = Vec::new();
        while let Some(block) = generator.next_block(&mut numbers).map_err(unreadable)? {
            blocks.push(block);
        }
        Ok(Self { stored, rates, world: World::norway()?, blocks })
    }

    /// What one more day adds.
    ///
    /// # Errors
    /// [`Error::Internal`]: a bug.
    pub(super) fn live(&mut self) -> Result<Vec<AccountDay>> {
        let today = self.stored.lived_until;
        let day = self.world.calendar.day(today);
        let mut booked = Vec::new();
        for block in &mut self.blocks {
            booked.extend(block.live(day, self.world, &self.rates)?);
        }
        let ended = || Error::Internal("the calendar has no more days".to_owned());
        self.stored.lived_until = today.succ_opt().ok_or_else(ended)?;
        Ok(booked)
    }
}
