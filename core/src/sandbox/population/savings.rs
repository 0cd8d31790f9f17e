//! A savings account: filled every month, with interest for each day, which is paid at the end of a year.

use std::sync::Arc;

use super::diary::{Payment, Place};
use super::kind::Kind;
use super::scene::Scene;
use super::unit::UNIT;

/// On which day one saves.
const SAVING_DAY: u32 = 21;
const DECEMBER: u32 = 12;
/// Days in a year times hundredths of a percent in a whole.
const RATE_PARTS: i128 = 3_650_000;
/// In which steps money is taken back, in øre.
const STEP: i64 = 1_000 * UNIT;

/// Savings.
pub(super) struct Savings {
    pub(super) place: Place,
    /// How much is saved in a month, in øre.
    pub(super) monthly: i64,
    /// The balances of the days of this year, summed.
    day_balances: i128,
}

impl Savings {
    /// Those on an account, where so much is saved in a month.
    pub(super) fn of(place: Place, monthly: i64) -> Self {
        Self { place, monthly, day_balances: 0 }
    }

    /// A day: money is saved, and interest is paid on the last day of a year.
    pub(super) fn live(&mut self, from: &Place, scene: &mut Scene<'_>) {
        if scene.day.pays(SAVING_DAY) && self.monthly > 0 {
            let saving = Payment::of(self.monthly, Kind::Standing, "Sparing");
            scene.diary.transfer(from, &self.place, saving);
        }
        self.day_balances += i128::from(scene.diary.available(self.place.at));
        if scene.day.month() == DECEMBER && scene.day.ends_month() {
            let rate = i128::from(scene.world.country.rates.savings);
            let sum = i64::try_from(self.day_balances * rate / RATE_PARTS).unwrap_or_default();
            scene.diary.receive(
                &self.place,
                &Arc::default(),
                Payment::of(sum, Kind::Interest, "Kreditrenter"),
            );
            self.day_balances = 0;
        }
    }

    /// Takes back what an account lacks for a payment, in thousands, if there is as much.
    pub(super) fn cover(&self, to: &Place, payment: i64, scene: &mut Scene<'_>) {
        let lacking = payment - scene.diary.free(to.at);
        if lacking > 0 {
            let sum = (lacking + STEP - 1) / STEP * STEP;
            scene.diary.transfer(&self.place, to, Payment::of(sum, Kind::OwnTransfer, "Fra sparekonto"));
        }
    }
}
