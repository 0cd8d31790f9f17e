//! The locks of the queue of commits. `core/tests/schedules` has others in their place.

pub(super) use parking_lot::{Condvar, Mutex};
