//! A credit card: used at home and abroad, paid in the middle of the next month, never beyond its limit.

use std::sync::Arc;

use super::budget::Budget;
use super::diary::{Entry, Kind, Payment, Place, Use};
use super::scene::Scene;
use super::shops::{in_nok, Stop, CREDIT_LIMIT, STOPS, STOP_TIMES};

/// When what was owed as the month began is paid.
const DUE: u32 = 15;

/// A credit card, and what is owed on it.
pub(super) struct Credit {
    place: Place,
    owed: i64,
}

impl Credit {
    /// One that was not used yet.
    pub(super) fn of(place: Place) -> Self {
        Self { place, owed: 0 }
    }

    /// A month of it, paid from that account. What it was used for, in øre.
    pub(super) fn live(&mut self, from: &Place, budget: Budget, scene: &mut Scene<'_>) -> i64 {
        let owed_before = self.owed;
        if self.is_paid(from, scene) {
            self.owed = 0;
        }
        // Uses before the payment come on top of what it pays.
        let (available, mut spent) = (CREDIT_LIMIT - owed_before, 0);
        for _ in 0..scene.chance.between(STOP_TIMES.0, STOP_TIMES.1) {
            spent += self.used(available - spent, budget, scene);
        }
        self.owed += spent;
        spent
    }

    fn is_paid(&self, from: &Place, scene: &mut Scene<'_>) -> bool {
        let (day, sum, kind) = (scene.month.due(DUE), self.owed, Kind::OwnTransfer);
        let payment = Payment { day, sum, kind, text: "Betaling av kredittkort" };
        sum > 0 && scene.diary.transfer(from, &self.place, payment)
    }

    /// Uses it once, and gives what that was, in øre: nothing where the bank does not trade the currency, where it
    /// comes to no øre, and where the limit is reached.
    fn used(&self, available: i64, budget: Budget, scene: &mut Scene<'_>) -> i64 {
        let Some(stop) = scene.chance.pick(STOPS) else { return 0 };
        let ((low, high), day) = (stop.sums(), scene.month.any_day(scene.chance));
        let original = budget.spent(scene.chance.between(low, high));
        let Stop { name: text, city, country, category, currency, .. } = *stop;
        let Some(sum) =
            in_nok(original, currency, scene.around.rates).filter(|sum| (1..=available).contains(sum))
        else {
            return 0;
        };
        let card = Some(Use { original, currency, city, country, category });
        let (at, kind, other) = (self.place.at, Kind::CreditPurchase, Arc::default());
        match scene.diary.note(Entry { at, day, sum: -sum, kind, other, text, card }) {
            true => sum,
            false => 0,
        }
    }
}
