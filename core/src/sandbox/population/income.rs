//! What comes in every month.

use std::sync::Arc;

use super::calendar::Day;
use super::chance::Chance;
use super::country::{PartyKind, Segment, Source};
use super::diary::{Payment, Place};
use super::kind::Kind;
use super::scene::Scene;
use super::unit::UNIT;
use super::world::World;
use crate::store::sqlite::sandbox::Counterpart;

/// Of a hundred who work, so many do so for a company of the neighbourhood where there is one.
const IN_THE_NEIGHBOURHOOD: i64 = 60;
/// When holiday pay replaces wages, and when incomes grow.
const HOLIDAY_PAY_MONTH: u32 = 6;
pub(super) const RAISE_MONTH: u32 = 5;

/// How often another employer is drawn where it is the present one.
const TRIALS: usize = 64;

/// Who pays it.
enum Payer {
    /// A company of the neighbourhood, by its place there.
    Company(usize),
    /// A party outside.
    Outside { party: Arc<Counterpart>, payday: u32 },
}

impl Payer {
    /// One of an income from that source, in a neighbourhood of so many companies.
    fn invent(source: Source, companies: usize, world: &World, chance: &mut Chance) -> Self {
        let employer = chance.place(companies);
        let is_local = source == Source::Work && chance.happens(IN_THE_NEIGHBOURHOOD);
        let outside = world.outside.one(payer_of(source), chance);
        employer.filter(|_| is_local).map(Self::Company).unwrap_or_else(|| Self::Outside {
            party: outside.map(|outsider| Arc::clone(&outsider.party)).unwrap_or_default(),
            payday: outside.map_or(1, |outsider| outsider.payday),
        })
    }

    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Company(at), Self::Company(other)) => at == other,
            (Self::Outside { party, .. }, Self::Outside { party: other, .. }) => Arc::ptr_eq(party, other),
            _ => false,
        }
    }
}

/// What comes in every month.
pub(super) struct Income {
    payer: Payer,
    /// In øre, taxes taken off, before the percents of a year.
    net: i64,
    segment: &'static Segment,
}

impl Income {
    /// The income of a person of a segment, in a neighbourhood of so many companies.
    pub(super) fn invent(
        segment: &'static Segment,
        companies: usize,
        world: &World,
        chance: &mut Chance,
    ) -> Self {
        let payer = Payer::invent(segment.income_from, companies, world, chance);
        Self { payer, net: segment.income.draw(UNIT, chance), segment }
    }

    /// The place of the company of the neighbourhood that pays it.
    pub(super) fn company(&self) -> Option<usize> {
        match self.payer {
            Payer::Company(at) => Some(at),
            Payer::Outside { .. } => None,
        }
    }

    /// On which day of a month it comes, as far as that is known.
    pub(super) fn payday(&self) -> u32 {
        match self.payer {
            Payer::Company(_) => LATEST_PAYDAY,
            Payer::Outside { payday, .. } => payday,
        }
    }

    /// What it comes to in a month on the average.
    pub(super) fn mean(&self) -> i64 {
        self.net * self.segment.year.iter().sum::<i64>() / 1_200
    }

    /// Whether taxes are settled for it.
    pub(super) fn is_taxed(&self) -> bool {
        self.net > 0 && !matches!(self.segment.income_from, Source::Studies | Source::None)
    }

    /// The payment in the month of that day.
    pub(super) fn payment(&self, day: &Day) -> Payment {
        let sum = self.net * day.of_month(&self.segment.year) / 100;
        let (kind, text) = match self.segment.income_from {
            Source::Work if day.month() == HOLIDAY_PAY_MONTH => (Kind::Salary, "Feriepenger"),
            Source::Work | Source::None => (Kind::Salary, "Lønn"),
            Source::Pension => (Kind::Pension, "Pensjon"),
            Source::Benefit => (Kind::Benefit, "Trygd"),
            Source::Studies => (Kind::Studies, "Utbetaling av lån og stipend"),
        };
        Payment::of(sum, kind, text)
    }

    /// It becomes so many percent of what it was.
    pub(super) fn grow(&mut self, percent: i64) {
        self.net = self.net * percent / 100;
    }

    /// Another employer pays it, in a neighbourhood of so many companies.
    pub(super) fn change_employer(&mut self, companies: usize, world: &World, chance: &mut Chance) {
        let drawn = std::iter::repeat_with(|| Payer::invent(Source::Work, companies, world, chance));
        if let Some(other) = drawn.take(TRIALS).find(|payer| !payer.is(&self.payer)) {
            self.payer = other;
        }
    }

    /// It becomes a pension.
    pub(super) fn retire(&mut self, world: &'static World, chance: &mut Chance) {
        let mut segments = world.country.segments.rows.iter();
        if let Some(segment) = segments.find(|segment| segment.income_from == Source::Pension) {
            self.segment = segment;
            self.payer = Payer::invent(Source::Pension, 0, world, chance);
        }
    }

    /// Nothing comes in any more.
    pub(super) fn end(&mut self) {
        self.payer = Payer::Outside { party: Arc::default(), payday: LATEST_PAYDAY };
        self.net = 0;
    }

    /// What a party outside pays comes in.
    pub(super) fn live(&self, to: &Place, scene: &mut Scene<'_>) {
        if let Payer::Outside { party, payday } = &self.payer {
            if scene.day.pays(*payday) {
                scene.diary.receive(to, party, self.payment(scene.day));
            }
        }
    }
}

/// The latest day on which companies pay wages.
pub(super) const LATEST_PAYDAY: u32 = 25;

fn payer_of(source: Source) -> PartyKind {
    match source {
        Source::Work | Source::None => PartyKind::Employer,
        Source::Studies => PartyKind::Studies,
        Source::Benefit => PartyKind::Benefit,
        Source::Pension => PartyKind::Pension,
    }
}
