//! What is on current accounts beside what their owners live on, in a population with cases. Without it, an opening
//! balance would show who pays in a case: the one of a company is otherwise a whole percent of its monthly trade, that
//! of a dormant account below a krone, and that of an overdrawn account below zero.

use super::super::chance::Chance;
use super::super::neighbourhood::Neighbourhood;
use super::super::unit::UNIT;
use super::additions::Additions;

/// Of a hundred persons so many have such a sum.
const PERSONS_PERCENT: i64 = 30;
/// Up to how much it is, in kroner: small sums are as frequent as large ones.
const OF_A_PERSON: [i64; 3] = [3_000, 30_000, 200_000];
const OF_A_COMPANY: i64 = 400_000;

/// Adds them in a neighbourhood.
pub(super) fn add(seed: u64, nth: u64, neighbourhood: &Neighbourhood, additions: &mut Additions) {
    let mut chance = Chance::of_part(seed, "openings", nth);
    for (place, _) in neighbourhood.everyday() {
        let most = chance.pick(&OF_A_PERSON).copied().unwrap_or_default();
        let sum = chance.between(1, most * UNIT);
        if chance.happens(PERSONS_PERCENT) {
            additions.add_opening(place.at, sum);
        }
    }
    for place in neighbourhood.main_accounts() {
        additions.add_opening(place.at, chance.between(1, OF_A_COMPANY * UNIT));
    }
}
