//! What a seed draws: the steps of a run, each complete in itself, so that a run without some of them is a run too.

use crate::dice::Dice;

/// How many nodes a run has.
pub(crate) const NODES: usize = 3;

/// One thing that happens.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// The time since the step before, in microseconds.
    pub(crate) gap_micros: i64,
    /// The node that is called.
    pub(crate) node: usize,
    /// What is done.
    pub(crate) deed: Deed,
    /// Decides what it is done to.
    pub(crate) dice: u64,
    /// What goes wrong: at which operation of the store or the bank, counted from 1, and what.
    pub(crate) hazards: Vec<(usize, Hazard)>,
}

/// What a TPP, a PSU, an operator, the bank or a machine does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    CreatePayment,
    RepeatPayment,
    StartPayment,
    ReadPayment,
    DeletePayment,
    StartCancelling,
    CreateBasket,
    StartBasket,
    DeleteBasket,
    StartConsent,
    ReadAccounts,
    AnswerLink,
    RunDue,
    BankSettles,
    BankRepeatsItself,
    BankGoesAway,
    BankReturns,
    RetryDeadLetters,
    Block,
    Unblock,
    RevokeConsent,
    ReplayRequest,
    UseForeignPayment,
    UseForeignBasket,
    SpoilRequest,
    ClockJumps,
    ClockIsSet,
    Restart,
    Quiet,
}

/// What goes wrong at one operation.
#[derive(Debug, Clone)]
pub(crate) enum Hazard {
    /// The process ends before the operation.
    CrashBefore,
    /// The process ends after the operation, before its result is used.
    CrashAfter,
    /// The operation is not done, and fails.
    Fails,
    /// The operation is done, and its result is lost.
    AnswerLost,
    /// The bank does it, and answers what cannot be.
    Wrong,
    /// That many seconds pass before it.
    Slow(i64),
    /// Another node is called before it.
    OtherCall(Box<Step>),
}

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;

/// The deeds with their weights.
const WEIGHTS: [(Deed, usize); 29] = [
    (Deed::CreatePayment, 14),
    (Deed::RepeatPayment, 3),
    (Deed::StartPayment, 7),
    (Deed::ReadPayment, 9),
    (Deed::DeletePayment, 5),
    (Deed::StartCancelling, 6),
    (Deed::CreateBasket, 5),
    (Deed::StartBasket, 5),
    (Deed::DeleteBasket, 2),
    (Deed::StartConsent, 6),
    (Deed::ReadAccounts, 32),
    (Deed::AnswerLink, 40),
    (Deed::RunDue, 10),
    (Deed::BankSettles, 4),
    (Deed::BankRepeatsItself, 2),
    (Deed::BankGoesAway, 1),
    (Deed::BankReturns, 6),
    (Deed::RetryDeadLetters, 1),
    (Deed::Block, 1),
    (Deed::Unblock, 9),
    (Deed::RevokeConsent, 1),
    (Deed::ReplayRequest, 5),
    (Deed::UseForeignPayment, 2),
    (Deed::UseForeignBasket, 1),
    (Deed::SpoilRequest, 3),
    (Deed::ClockJumps, 1),
    (Deed::ClockIsSet, 12),
    (Deed::Restart, 1),
    (Deed::Quiet, 1),
];

/// What comes in between, with weights: what competes for a payment, a basket, a link or a consent.
const RIVALS: [(Deed, usize); 14] = [
    (Deed::RepeatPayment, 3),
    (Deed::StartPayment, 1),
    (Deed::ReadPayment, 1),
    (Deed::DeletePayment, 5),
    (Deed::StartCancelling, 1),
    (Deed::CreateBasket, 3),
    (Deed::DeleteBasket, 3),
    (Deed::ReadAccounts, 8),
    (Deed::AnswerLink, 9),
    (Deed::RunDue, 4),
    (Deed::BankRepeatsItself, 2),
    (Deed::BankSettles, 1),
    (Deed::RevokeConsent, 2),
    (Deed::Block, 1),
];

/// The steps of a run.
pub(crate) fn plan(seed: u64, steps: usize) -> Vec<Step> {
    let mut dice = Dice::new(seed);
    (0..steps).map(|_| step(&mut dice)).collect()
}

fn step(dice: &mut Dice) -> Step {
    let (gap_micros, node, deed) = (gap(dice), dice.below(NODES), weighted(dice, &WEIGHTS));
    let hazards = match dice.below(100) {
        0..=69 => Vec::new(),
        70..=94 => vec![hazard(dice, node)],
        // A slow bank beside another node: leases and links end while the bank is asked.
        _ => vec![(1 + dice.below(3), Hazard::Slow(40 + seconds(dice, 60))), hazard(dice, node)],
    };
    Step { gap_micros, node, deed, dice: dice.next(), hazards }
}

/// Less than a minute on average.
fn gap(dice: &mut Dice) -> i64 {
    match dice.below(1000) {
        0..=299 => 0,
        300..=699 => seconds(dice, 20) * SECOND + 1,
        700..=971 => (20 + seconds(dice, 70)) * SECOND,
        972..=996 => (5 + seconds(dice, 7)) * MINUTE,
        _ => 60 * MINUTE,
    }
}

fn seconds(dice: &mut Dice, bound: usize) -> i64 {
    i64::try_from(dice.below(bound)).unwrap()
}

fn weighted(dice: &mut Dice, weights: &[(Deed, usize)]) -> Deed {
    let all: usize = weights.iter().map(|(_, weight)| weight).sum();
    let mut left = dice.below(all);
    for (deed, weight) in weights {
        if left < *weight {
            return *deed;
        }
        left -= weight;
    }
    Deed::RunDue
}

fn hazard(dice: &mut Dice, node: usize) -> (usize, Hazard) {
    let at = 1 + dice.below(4);
    let hazard = match dice.below(20) {
        0..=1 => Hazard::CrashBefore,
        2..=3 => Hazard::CrashAfter,
        4..=5 => Hazard::Fails,
        6 => Hazard::AnswerLost,
        7 => Hazard::Wrong,
        8 => Hazard::Slow(1 + seconds(dice, 30)),
        _ => {
            let other = Step {
                gap_micros: 0,
                node: (node + 1 + dice.below(NODES - 1)) % NODES,
                deed: weighted(dice, &RIVALS),
                dice: dice.next(),
                hazards: Vec::new(),
            };
            Hazard::OtherCall(Box::new(other))
        }
    };
    (at, hazard)
}
