//! What a person is like, before there are accounts.

use chrono::NaiveDate;

use super::chance::Chance;
use super::country::Segment;
use super::distribution::Weights;
use super::income::Income;
use super::world::World;

/// A person without accounts.
pub(super) struct Sketch {
    /// What every day of this life is drawn from.
    pub(super) seed: u64,
    pub(super) born: NaiveDate,
    /// When the history begins.
    pub(super) age: i32,
    pub(super) segment: &'static Segment,
    pub(super) town: usize,
    pub(super) income: Income,
    pub(super) children: i64,
    pub(super) owns: bool,
    pub(super) has_loan: bool,
    pub(super) has_card: bool,
    /// How much of the income is saved.
    pub(super) saved_percent: i64,
    /// What is paid for things, relative to the prices of the data.
    pub(super) price_percent: i64,
    /// How many of the purchases are on the credit card.
    pub(super) on_credit: i64,
}

impl Sketch {
    /// A person who was born then and has that age, in a neighbourhood of so many companies.
    pub(super) fn invent(
        (born, age): (NaiveDate, i32),
        companies: usize,
        world: &'static World,
        chance: &mut Chance,
    ) -> Option<Self> {
        let country = &world.country;
        let of_age = |segment: &&Segment| (segment.ages.0..=segment.ages.1).contains(&age);
        let possible: Vec<_> = country.segments.rows.iter().filter(of_age).collect();
        let weights: Weights = possible.iter().map(|segment| segment.weight).collect();
        let segment: &'static Segment = possible.get(weights.draw(chance)?)?;
        let (family, habits) = (&country.family, &country.habits);
        let may_have_children = (family.children_ages.0..=family.children_ages.1).contains(&age);
        let children = world.children.draw(chance).filter(|_| may_have_children);
        Some(Self {
            seed: chance.draw(),
            born,
            age,
            segment,
            town: world.town(chance),
            income: Income::invent(segment, companies, world, chance),
            children: children.and_then(|count| i64::try_from(count).ok()).unwrap_or_default(),
            owns: chance.happens(segment.owns),
            has_loan: chance.happens(segment.loan),
            has_card: chance.happens(segment.card),
            saved_percent: chance.between(segment.saved.0, segment.saved.1),
            price_percent: habits.prices.draw(1, chance),
            on_credit: chance.between(habits.on_credit.0, habits.on_credit.1),
        })
    }

    /// Whether anything happens in this life beside interest.
    pub(super) fn is_active(&self) -> bool {
        self.income.mean() > 0
    }

    /// The place of the age among those of the habits.
    pub(super) fn age_group(&self) -> usize {
        [35, 55, 70].iter().filter(|from| self.age >= **from).count()
    }
}

/// Beyond this difference of age no two persons are a couple here.
const AGES_APART: i32 = 8;

/// The other one of a couple for each person: the place of a later person, for those who have one.
pub(super) fn couples(sketches: &[Sketch], world: &World, chance: &mut Chance) -> Vec<Option<usize>> {
    let family = &world.country.family;
    let may = |sketch: &Sketch| {
        sketch.is_active() && (family.couple_ages.0..=family.couple_ages.1).contains(&sketch.age)
    };
    let mut is_taken = vec![false; sketches.len()];
    let mut couples = vec![None; sketches.len()];
    for (at, sketch) in sketches.iter().enumerate() {
        let seeks = chance.happens(family.couples) && may(sketch);
        if !seeks || is_taken.get(at).copied().unwrap_or(true) {
            continue;
        }
        let fits = |other: &Sketch| may(other) && (other.age - sketch.age).abs() <= AGES_APART;
        let mut others = sketches.iter().zip(&is_taken).enumerate().skip(at + 1);
        let found = others.find(|(_, (other, is_taken))| !**is_taken && fits(other)).map(|(at, _)| at);
        if let (Some(found), Some(couple)) = (found, couples.get_mut(at)) {
            *couple = Some(found);
            if let Some(is_taken) = is_taken.get_mut(found) {
                *is_taken = true;
            }
        }
    }
    couples
}
