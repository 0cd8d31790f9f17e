//! The steps at which a node can be killed, and what it says on its way.

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::kill::hunter::MARK;

/// Writes a line to the parent process. It arrives even if this process is killed after the return.
pub(crate) fn say(what: &str, about: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{MARK} {what} {about}").unwrap();
    out.flush().unwrap();
}

/// Waits to be killed.
pub(crate) fn wait_for_the_end() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// Where a node stops.
pub(crate) struct Stop {
    /// The step.
    pub(crate) name: String,
    /// Which of its arrivals there is the last, from 1.
    pub(crate) turn: u64,
}

impl Stop {
    /// Reads what `Display` wrote.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (turn, name) = text.split_once(' ')?;
        Some(Self { name: name.to_owned(), turn: turn.parse().ok()? })
    }
}

impl std::fmt::Display for Stop {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} {}", self.turn, self.name)
    }
}

/// The steps of this process.
pub(crate) struct Steps {
    stop: Option<Stop>,
    arrivals: AtomicU64,
}

impl Steps {
    /// Without a stop, the process goes on until it is killed.
    pub(crate) fn until(stop: Option<Stop>) -> Self {
        Self { stop, arrivals: AtomicU64::new(0) }
    }

    /// A step is reached.
    pub(crate) fn reach(&self, name: &str) {
        let Some(stop) = self.stop.as_ref().filter(|stop| stop.name == name) else { return };
        if self.arrivals.fetch_add(1, Ordering::Relaxed) + 1 == stop.turn {
            say("at", name);
            wait_for_the_end();
        }
    }
}
