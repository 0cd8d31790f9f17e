//! The locks of parking_lot, as far as they are used here, by those of shuttle.

use std::ops::{Deref, DerefMut};

use shuttle::sync;

#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(sync::Mutex<T>);

/// `None` only while a thread waits.
pub(crate) struct MutexGuard<'m, T>(Option<sync::MutexGuard<'m, T>>);

#[derive(Debug, Default)]
pub(crate) struct Condvar(sync::Condvar);

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(sync::Mutex::new(value))
    }

    /// As in parking_lot, a thread that panicked leaves the lock usable.
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard(Some(self.0.lock().unwrap_or_else(sync::PoisonError::into_inner)))
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().unwrap()
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().unwrap()
    }
}

impl Condvar {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        let held = guard.0.take().unwrap();
        guard.0 = Some(self.0.wait(held).unwrap_or_else(sync::PoisonError::into_inner));
    }

    pub(crate) fn notify_one(&self) {
        self.0.notify_one();
    }
}
