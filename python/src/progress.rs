//! A callable that is called with how far a long call is.

use std::cell::Cell;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use xs2a::{Error, Result};

use crate::bank::{begin, callable, ending, raise_at_the_end, Asked};
use crate::exit;

thread_local! {
    /// Whether this thread is within one. The sandbox waits until the call is over: a call of it would wait for ever.
    static IS_CALLED: Cell<bool> = const { Cell::new(false) };
}

/// What it raises ends the call, and is raised by it.
pub(crate) struct Progress(Asked);

impl Progress {
    /// None for None. `TypeError` for what cannot be called.
    pub(crate) fn new(progress: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Self>> {
        progress.map(|progress| callable(progress, "progress").map(Self)).transpose()
    }

    /// # Errors
    /// [`Error::Bank`], which does not leave the call, where something is to be raised.
    pub(crate) fn report<const N: usize>(&self, numbers: [u64; N]) -> Result<()> {
        let reported = exit::attached(|py| {
            let _calling = Calling::begin();
            let reported = begin(py, "progress")
                .and_then(|_asking| self.0.call1(py, PyTuple::new(py, numbers)?).map(drop));
            reported.map_err(|raised| {
                raise_at_the_end(raised);
                Error::Bank("`progress` raised".to_owned())
            })
        });
        reported.unwrap_or_else(|| Err(ending("progress")))
    }
}

struct Calling {
    before: bool,
}

impl Calling {
    fn begin() -> Self {
        Self { before: IS_CALLED.replace(true) }
    }
}

impl Drop for Calling {
    fn drop(&mut self) {
        IS_CALLED.set(self.before);
    }
}

/// Refuses a call of a sandbox by a callable of this kind.
///
/// # Errors
/// [`Error::Misuse`].
pub(crate) fn refuse_calls() -> Result<()> {
    match IS_CALLED.get() {
        true => Err(Error::Misuse("`progress` cannot call a sandbox: its own call has not ended".to_owned())),
        false => Ok(()),
    }
}
