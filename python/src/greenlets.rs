//! Greenlets, which gevent switches between: several stacks of one thread, which Rust cannot distinguish.
//!
//! A callback may switch to another greenlet of its thread. If that greenlet called an engine, its frames would lie
//! among those of the waiting call, and they would share its thread-local values. Such a call is refused.

use std::cell::Cell;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::misuse;

thread_local! {
    /// The greenlet in which this thread is asked something, by its address.
    static ASKED_IN: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The greenlet that runs. `None` where this process has none.
fn current(py: Python<'_>) -> Option<usize> {
    let modules = py.import(intern!(py, "sys")).ok()?.getattr(intern!(py, "modules")).ok()?;
    let module = modules.cast::<PyDict>().ok()?.get_item(intern!(py, "greenlet")).ok()??;
    let running = module.call_method0(intern!(py, "getcurrent")).ok()?;
    Some(running.as_ptr() as usize)
}

/// A question to Python: until this is dropped, it is noted in which greenlet.
pub(crate) struct Asked {
    before: Option<usize>,
}

impl Asked {
    pub(crate) fn begin(py: Python<'_>) -> Self {
        Self { before: ASKED_IN.replace(current(py)) }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        ASKED_IN.set(self.before);
    }
}

/// That no other greenlet of this thread is asked something: `MisuseError`.
pub(crate) fn check(py: Python<'_>) -> PyResult<()> {
    match ASKED_IN.get() {
        Some(waiting) if current(py).is_some_and(|running| running != waiting) => Err(misuse(
            py,
            "a call of another greenlet of this thread waits for what it asked Python: greenlets cannot call side \
             by side; give each call a thread of the system, such as one of gevent's threadpool",
        )),
        _ => Ok(()),
    }
}
