//! What belongs to the process that made it: connections to a database.
//!
//! A process that `fork()` made has a copy of everything, and the same open files and sockets below. Two processes that
//! talk over one socket get each other's answers; two that use one connection of SQLite lose each other's locks.

use std::sync::Arc;

use crate::error::{Error, Result};

/// A thing that no other process may use than the one that made it.
///
/// In another it is not even dropped: the termination message of a connection would end the session of the process that
/// has it, and SQLite forbids to close what was opened before a fork.
#[derive(Debug)]
pub(super) struct ForkGuarded<T> {
    thing: Arc<T>,
    /// `None` where any process may use its copy.
    process: Option<u32>,
}

impl<T> ForkGuarded<T> {
    /// This process's.
    pub(super) fn this_process(thing: T) -> Self {
        Self { thing: Arc::new(thing), process: Some(std::process::id()) }
    }

    /// What lies in memory alone: each process goes on with its copy.
    pub(super) fn any_process(thing: T) -> Self {
        Self { thing: Arc::new(thing), process: None }
    }

    /// The thing.
    ///
    /// # Errors
    /// [`Error::Store`] in another process. It is said before anything is locked: a lock that another thread held while
    /// the process was forked is never released in the copy.
    pub(super) fn get(&self) -> Result<&T> {
        if self.is_usable() {
            return Ok(&self.thing);
        }
        let text =
            "the database was opened in another process, before a fork: each process opens its engine, or \
                    its sandbox, after the fork";
        Err(Error::Store(text.into()))
    }

    fn is_usable(&self) -> bool {
        self.process.is_none_or(|process| process == std::process::id())
    }

    /// As if the process had been forked since.
    #[cfg(test)]
    pub(super) fn fork(&mut self) {
        self.process = self.process.map(|process| process.wrapping_add(1));
    }

    /// As if this were the process again that made it.
    #[cfg(test)]
    pub(super) fn return_home(&mut self) {
        self.process = self.process.map(|_| std::process::id());
    }
}

impl<T> Drop for ForkGuarded<T> {
    fn drop(&mut self) {
        if !self.is_usable() {
            // One owner more than there are: it is never dropped.
            std::mem::forget(Arc::clone(&self.thing));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    struct Noticed(Arc<AtomicBool>);

    impl Drop for Noticed {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    fn is_dropped(made: fn(Noticed) -> ForkGuarded<Noticed>, is_forked: bool) -> bool {
        let dropped = Arc::new(AtomicBool::new(false));
        let mut thing = made(Noticed(Arc::clone(&dropped)));
        if is_forked {
            thing.fork();
        }
        drop(thing);
        dropped.load(Ordering::Relaxed)
    }

    #[test]
    fn only_the_process_that_made_it_uses_it() {
        let mut thing = ForkGuarded::this_process(7);
        assert_eq!(*thing.get().unwrap(), 7);
        thing.fork();
        assert!(matches!(thing.get(), Err(Error::Store(fault)) if fault.text().contains("before a fork")));
        thing.return_home();
        assert_eq!(*thing.get().unwrap(), 7);
    }

    #[test]
    fn what_lies_in_memory_is_used_by_any_process() {
        let mut thing = ForkGuarded::any_process(7);
        thing.fork();
        assert_eq!(*thing.get().unwrap(), 7);
    }

    #[test]
    fn another_process_does_not_drop_it() {
        assert!(is_dropped(ForkGuarded::this_process, false));
        assert!(!is_dropped(ForkGuarded::this_process, true));
        assert!(is_dropped(ForkGuarded::any_process, true));
    }
}
