//! The operations of store and bank at which something may go wrong.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use xs2a::{Error, Result};

use crate::plan::Hazard;
use crate::world::World;

/// What the operation of a seam is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Write,
    /// What waited, after the call's own commit: the model does not know yet what that call did.
    WriteAfterwards,
    Question,
    Deed,
}

/// The hazards of the step that a node runs.
pub(crate) struct Armed {
    pub(crate) node: usize,
    pub(crate) hazards: Vec<(usize, Hazard)>,
    pub(crate) operations: usize,
    /// Whether one of them happened.
    pub(crate) has_fired: bool,
}

/// The operations of one process of a node.
pub(crate) struct Seam {
    pub(crate) world: Weak<World>,
    pub(crate) node: usize,
    pub(crate) is_dead: Arc<AtomicBool>,
}

impl Seam {
    /// Runs an operation, or what goes wrong in its place.
    pub(crate) fn around<T>(
        &self,
        name: &'static str,
        operation: Operation,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        if self.is_dead.load(Ordering::Relaxed) {
            return Err(failure(operation));
        }
        let Some(world) = self.world.upgrade() else { return Err(failure(operation)) };
        let is_away = matches!(operation, Operation::Question | Operation::Deed)
            && world.is_bank_away.load(Ordering::Relaxed);
        let Some(hazard) = self.next_hazard(&world, operation) else {
            return if is_away { Err(failure(operation)) } else { work() };
        };
        if is_away {
            return Err(failure(operation));
        }
        world.note_point(name, &hazard);
        match hazard {
            Hazard::CrashBefore => {
                self.is_dead.store(true, Ordering::Relaxed);
                Err(failure(operation))
            }
            Hazard::CrashAfter => {
                let _lost = work();
                self.is_dead.store(true, Ordering::Relaxed);
                Err(failure(operation))
            }
            Hazard::Fails => Err(failure(operation)),
            Hazard::AnswerLost => {
                let _lost = work();
                Err(match operation {
                    Operation::Write | Operation::WriteAfterwards => {
                        Error::OutcomeUnknown("the connection was lost".into())
                    }
                    Operation::Question | Operation::Deed => failure(operation),
                })
            }
            Hazard::Wrong => {
                let _lost = work();
                Err(Error::BankAnswer("no such answer is possible".to_owned()))
            }
            Hazard::Slow(seconds) => {
                world.pass(seconds * 1_000_000);
                work()
            }
            Hazard::OtherCall(step) => {
                world.run_step(&step);
                work()
            }
        }
    }

    fn next_hazard(&self, world: &World, operation: Operation) -> Option<Hazard> {
        let mut steps = world.armed.lock();
        let armed = steps.last_mut().filter(|armed| armed.node == self.node)?;
        armed.operations += 1;
        let is_due = |(at, hazard): &(usize, Hazard)| *at <= armed.operations && applies(hazard, operation);
        let place = armed.hazards.iter().position(is_due)?;
        armed.has_fired = true;
        Some(armed.hazards.remove(place).1)
    }
}

fn applies(hazard: &Hazard, operation: Operation) -> bool {
    match operation {
        Operation::Write => !matches!(hazard, Hazard::Wrong | Hazard::Slow(_)),
        Operation::WriteAfterwards => {
            !matches!(hazard, Hazard::Wrong | Hazard::Slow(_) | Hazard::OtherCall(_))
        }
        Operation::Question | Operation::Deed => true,
    }
}

fn failure(operation: Operation) -> Error {
    match operation {
        Operation::Write | Operation::WriteAfterwards => Error::Store("the disk is full".into()),
        Operation::Question | Operation::Deed => Error::Bank("the line is dead".to_owned()),
    }
}

/// The points at which something went wrong in a run, and how.
pub(crate) type Points = BTreeSet<(&'static str, &'static str)>;

/// The name of a hazard in a report.
pub(crate) fn hazard_name(hazard: &Hazard) -> &'static str {
    match hazard {
        Hazard::CrashBefore => "crash before",
        Hazard::CrashAfter => "crash after",
        Hazard::Fails => "failure",
        Hazard::AnswerLost => "lost answer",
        Hazard::Wrong => "wrong answer",
        Hazard::Slow(_) => "delay",
        Hazard::OtherCall(_) => "call of another node",
    }
}
