//! Runs steps, and makes a run that fails shorter.

use std::panic::{catch_unwind, AssertUnwindSafe};

use crate::plan::Step;
use crate::world::{Records, Tally, Violation, World};

/// How many runs a failure is shortened by.
const SHRINKING_RUNS_MAX: usize = 300;

/// What a run came to.
pub(crate) struct Outcome {
    pub(crate) violation: Option<Violation>,
    pub(crate) tally: Tally,
    pub(crate) transcript: String,
}

/// Runs the steps over new records.
pub(crate) fn run(seed: u64, steps: &[Step], records: Records) -> Outcome {
    let world = World::open(seed, records);
    let walked = catch_unwind(AssertUnwindSafe(|| {
        for step in steps {
            world.run_step(step);
            world.check_money();
            if world.violation.lock().is_some() {
                return;
            }
        }
        world.come_to_rest();
        world.check_everything();
    }));
    if let Err(panic) = walked {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        world.violate("the simulator does not panic", text.unwrap_or_default());
    }
    let violation = world.violation.lock().clone();
    let tally = world.tally.lock().clone();
    let transcript = std::mem::take(&mut *world.transcript.lock());
    Outcome { violation, tally, transcript }
}

/// The fewest steps found that still fail: whole stretches are left out first, single steps last.
pub(crate) fn shrink(steps: Vec<Step>, still_fails: impl Fn(&[Step]) -> bool) -> Vec<Step> {
    let mut kept = steps;
    let mut runs = 0;
    let mut stretch = kept.len().div_ceil(2);
    while stretch > 0 && runs < SHRINKING_RUNS_MAX {
        let mut start = 0;
        let mut is_shorter = false;
        while start < kept.len() && runs < SHRINKING_RUNS_MAX {
            let end = (start + stretch).min(kept.len());
            let shorter = [&kept[..start], &kept[end..]].concat();
            runs += 1;
            if still_fails(&shorter) {
                (kept, is_shorter) = (shorter, true);
            } else {
                start = end;
            }
        }
        if !is_shorter || stretch > 1 {
            stretch = if stretch == 1 { 0 } else { stretch.div_ceil(2) };
        }
    }
    kept
}
