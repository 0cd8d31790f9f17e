//! Who does what.

use std::sync::atomic::Ordering;

use crate::dice::Dice;
use crate::plan::{Deed, Step};
use crate::world::World;

/// How many of the newest things of a kind are chosen from.
const RECENT: usize = 8;

/// One of the newest of a list.
pub(crate) fn recent(dice: &mut Dice, length: usize) -> Option<usize> {
    let of = match dice.one_in(8) {
        true => length,
        false => length.min(RECENT),
    };
    (of > 0).then(|| length - 1 - dice.below(of))
}

const DAY_MICROS: i64 = 86_400_000_000;
const MINUTE_MICROS: i64 = 60_000_000;

impl World {
    pub(crate) fn act(&self, step: &Step) {
        let node = &*self.node(step.node);
        let dice = &mut Dice::new(step.dice);
        match step.deed {
            Deed::CreatePayment => self.create_payment(node, dice),
            Deed::RepeatPayment => self.repeat_payment(node, dice),
            Deed::StartPayment => self.start_payment(node, dice),
            Deed::ReadPayment => self.read_payment(node, dice),
            Deed::DeletePayment => self.delete_payment(node, dice),
            Deed::StartCancelling => self.start_cancelling(node, dice),
            Deed::CreateBasket => self.create_basket(node, dice),
            Deed::StartBasket => self.start_basket(node, dice),
            Deed::DeleteBasket => self.delete_basket(node, dice),
            Deed::StartConsent => self.start_consent(node, dice),
            Deed::ReadAccounts => self.read_accounts(node, dice),
            Deed::AnswerLink => self.answer_link(node, dice),
            Deed::RunDue => self.run_due(node),
            Deed::BankSettles => self.settle(node, dice),
            Deed::BankRepeatsItself => self.repeat_report(node, dice),
            Deed::BankGoesAway => self.is_bank_away.store(true, Ordering::Relaxed),
            Deed::BankReturns => self.is_bank_away.store(false, Ordering::Relaxed),
            Deed::RetryDeadLetters => self.retry_dead_letters(node),
            Deed::Block => self.block(node, dice),
            Deed::Unblock => self.unblock(node, dice),
            Deed::RevokeConsent => self.revoke_consent(node, dice),
            Deed::ReplayRequest => self.replay_request(node, dice),
            Deed::UseForeignPayment => self.use_foreign_payment(node, dice),
            Deed::UseForeignBasket => self.use_foreign_basket(node, dice),
            Deed::SpoilRequest => self.spoil_request(node, dice),
            Deed::ClockJumps => {
                let minutes = i64::try_from(dice.below(540)).unwrap();
                let ahead = if dice.one_in(4) { minutes * MINUTE_MICROS * 2 } else { minutes * 1_000_000 };
                let skew = if dice.one_in(2) { ahead } else { -ahead };
                node.skew.store(skew, Ordering::Relaxed);
            }
            Deed::ClockIsSet => node.skew.store(0, Ordering::Relaxed),
            Deed::Restart => {
                let (closed, _) = self.host(node, "close", xs2a::Engine::close);
                self.require_cause(closed.is_ok(), "close");
                self.restart(step.node);
            }
            Deed::Quiet => {
                let days = i64::try_from(1 + dice.below(100)).unwrap();
                if dice.one_in(3) {
                    self.be_quiet(days * DAY_MICROS);
                }
            }
        }
    }

    /// A call of the host fails only where something went wrong.
    pub(crate) fn require_cause(&self, is_done: bool, name: &str) {
        self.require(is_done || self.has_fired(), "every failure has a cause", || name.to_owned());
    }
}
