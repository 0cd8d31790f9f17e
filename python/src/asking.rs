//! How deep Python may be asked, by a thread, about calls that it made when it was asked.
//!
//! A bank that calls its own engine may be asked by that call again. Each such question lies on the thread's stack,
//! with the call around it: without a bound the process would end by SIGSEGV.

use std::cell::Cell;

use pyo3::exceptions::PyRecursionError;
use pyo3::PyResult;

/// Each takes up to 80 KiB, and one more is begun; the threads of some systems have 512.
const ASKED_WITHIN_MAX: usize = 4;

/// The questions that a thread is within.
#[derive(Clone, Copy)]
struct Within {
    depth: usize,
    /// Then nothing is asked any more until the outermost is answered: each might make several calls.
    too_deep: bool,
}

thread_local! {
    static WITHIN: Cell<Within> = const { Cell::new(Within { depth: 0, too_deep: false }) };
}

/// A question to Python: to a bank, a register, a clock or a fault's `when`.
pub(crate) struct Asking(());

impl Asking {
    /// `RecursionError` where it would be too deep.
    pub(crate) fn begin() -> PyResult<Self> {
        let Within { depth, too_deep } = WITHIN.get();
        if too_deep || depth >= ASKED_WITHIN_MAX {
            WITHIN.set(Within { depth, too_deep: true });
            return Err(PyRecursionError::new_err(
                "asked about a call that was made to answer another, too deep",
            ));
        }
        WITHIN.set(Within { depth: depth + 1, too_deep });
        Ok(Self(()))
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        let Within { depth, too_deep } = WITHIN.get();
        let depth = depth.saturating_sub(1);
        WITHIN.set(Within { depth, too_deep: too_deep && depth > 0 });
    }
}
