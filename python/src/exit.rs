//! The end of the interpreter while daemon threads are within the library.
//!
//! Until Python 3.14 a thread that asks for an ending interpreter is ended on the spot, by an unwinding that must not
//! pass Rust frames: it takes the process with it. So the end waits, but not for long, for the threads that are
//! between Rust and Python; and a thread that comes to Python later stays away, until the process is gone.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread::sleep;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::greenlets::Asked;

/// How long the end waits for a thread, such as one that a bank does not answer, in steps.
const STEPS_MAX: usize = 1000;
const STEP: Duration = Duration::from_millis(1);

/// How long a thread stays away until it looks whether the interpreter has ended. There are handlers at exit that run
/// after ours, and one may wait for this thread.
const AWAY: Duration = Duration::from_secs(1);

/// Whether the interpreter ends.
static ENDING: AtomicBool = AtomicBool::new(false);

/// The visits of all threads.
static VISITS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The visits of this thread: a bank may call the engine again.
    static MINE: Cell<usize> = const { Cell::new(0) };
    /// Whether the interpreter ends by this thread, which always has it.
    static ENDS_IT: Cell<bool> = const { Cell::new(false) };
}

/// A thread between Rust and Python, or in Python that Rust has called: the end of the interpreter waits for it.
pub(crate) struct Visit(());

impl Visit {
    /// `None` where the interpreter ends already. Counted first, asked then: the end does it the other way round, so
    /// that one of the two sees the other.
    fn begin() -> Option<Self> {
        let visit = Self::counted();
        let may = MINE.get() > 1 || ENDS_IT.get() || !ENDING.load(SeqCst);
        may.then_some(visit)
    }

    fn counted() -> Self {
        VISITS.fetch_add(1, SeqCst);
        MINE.set(MINE.get() + 1);
        Self(())
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        MINE.set(MINE.get().saturating_sub(1));
        VISITS.fetch_sub(1, SeqCst);
    }
}

/// The way back to Python of a thread that has released it. Where the interpreter ends there is none: this does not
/// return then.
pub(crate) fn back() -> Visit {
    loop {
        if let Some(visit) = Visit::begin() {
            return visit;
        }
        sleep(AWAY);
        // Where it has ended, PyO3 keeps this thread, or says that there is none.
        if Python::try_attach(|_| ()).is_some() {
            return Visit::counted();
        }
    }
}

/// Has Python run something that Rust called for. Of an ending interpreter nothing is asked any more.
pub(crate) fn visit<T>(py: Python<'_>, run: impl FnOnce() -> T) -> T {
    let _visit = Visit::begin().unwrap_or_else(|| py.detach(back));
    run()
}

/// Asks Python, from a thread that has released it. `None` where the interpreter ends.
pub(crate) fn attached<T>(ask: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    let _visit = Visit::begin()?;
    Python::try_attach(|py| {
        let _asked = Asked::begin(py);
        ask(py)
    })
}

/// Has [`end`] called when the interpreter ends, and [`fork`] in a forked process.
pub(crate) fn watch(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    py.import("atexit")?.call_method1("register", (wrap_pyfunction!(end, module)?,))?;
    // Not where nothing forks.
    let Some(register) = py.import("os")?.getattr_opt("register_at_fork")? else { return Ok(()) };
    let when = PyDict::new(py);
    when.set_item("after_in_child", wrap_pyfunction!(fork, module)?)?;
    register.call((), Some(&when)).map(drop)
}

#[pyfunction]
fn end(py: Python<'_>) {
    ENDS_IT.set(true);
    ENDING.store(true, SeqCst);
    py.detach(|| (0..STEPS_MAX).take_while(|_| VISITS.load(SeqCst) > MINE.get()).for_each(|_| sleep(STEP)));
}

/// Of all threads the forking one alone goes on.
#[pyfunction]
fn fork() {
    VISITS.store(MINE.get(), SeqCst);
}
