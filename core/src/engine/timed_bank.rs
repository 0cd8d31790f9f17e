//! The bank with the time that calls wait for it.

use std::sync::Arc;

use crate::bank::Bank;
use crate::env::current_call::asking_bank;
use crate::error::Result;
use crate::json_bank::guarded_bank::{Guard, GuardedBank, Question};

/// A bank whose time is added to that of the call.
pub(super) fn timed(bank: Arc<dyn Bank>) -> Arc<dyn Bank> {
    Arc::new(GuardedBank::new(bank, Timer))
}

struct Timer;

impl Guard for Timer {
    fn ask<T>(&self, _question: &Question<'_>, ask: impl FnOnce() -> Result<T>) -> Result<T> {
        asking_bank(ask)
    }
}
