//! A population whose lives go on while the clock moves by a year, against the same year as history.

use std::time::Duration;

use xs2a::{PopulationPlan, Sandbox, SandboxOptions};

use crate::report::Figure;
use crate::rounds::{timed, Contender, Rounds};
use crate::Outcome;

/// In memory: some two hundred thousand rows.
const PLAN: PopulationPlan =
    PopulationPlan { persons: 400, companies: 16, months: 0, lives_on: true, ..PopulationPlan::DEFAULT };
const ROUNDS: Rounds = Rounds { warm_up: 0, count: 5, calls: 1 };
/// The first of a month, so that the lives begin as those of a history do.
const BEGIN: &str = "2025-09-01T10:00:00Z";
const END: &str = "2026-09-01T10:00:00Z";
const MONTHS: u64 = 12;
/// What a year may take where the same year of a history takes 1.
const AIM: f64 = 1.2;

/// Measures both.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    let (mut moved, mut invented) = (Moved::default(), Invented::default());
    let medians = ROUNDS.measure(&mut [&mut moved, &mut invented])?;
    let seconds = |contender| format!("{:.2} s", medians.seconds_of(contender));
    Ok(vec![Figure {
        name: "move the clock of 416 lives that go on by a year",
        measured: seconds(0),
        against: format!("the same year from `populate`: {}", seconds(1)),
        ratio: medians.ratio(0, 1),
        aim: Some(AIM),
    }])
}

fn opened(now: &str) -> Outcome<Sandbox> {
    Ok(Sandbox::open(&SandboxOptions { now: Some(now.parse()?), seed: 1, ..SandboxOptions::default() })?)
}

/// Lives that go on.
#[derive(Default)]
struct Moved(Option<Sandbox>);

impl Contender for Moved {
    fn prepare(&mut self, _: usize) -> Outcome<()> {
        let sandbox = opened(BEGIN)?;
        sandbox.populate(PLAN)?;
        self.0 = Some(sandbox);
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let sandbox = self.0.as_ref().ok_or("nothing was prepared")?;
        let end = END.parse()?;
        let (time, moved) = timed(|| sandbox.set_now(end));
        moved.map(|()| time).map_err(Into::into)
    }
}

/// The same as history.
#[derive(Default)]
struct Invented(Option<Sandbox>);

impl Contender for Invented {
    fn prepare(&mut self, _: usize) -> Outcome<()> {
        self.0 = Some(opened(END)?);
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let sandbox = self.0.as_ref().ok_or("nothing was prepared")?;
        let (time, report) =
            timed(|| sandbox.populate(PopulationPlan { months: MONTHS, lives_on: false, ..PLAN }));
        report.map(|_| time).map_err(Into::into)
    }
}
