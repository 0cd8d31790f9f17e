//! What the host supplied, run so that a panic of it stays there.

use std::mem::forget;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Runs it; `None` where it panicked.
///
/// Unwind safety: a caller gets nothing of what panicked, what is kept is written in transactions, and locks do not
/// poison.
pub(super) fn contained<T>(call: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(done) => Some(done),
        Err(thrown) => {
            // What was thrown is the host's too, and may panic where it is dropped; what that throws is never dropped.
            if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(thrown))) {
                forget(again);
            }
            None
        }
    }
}
