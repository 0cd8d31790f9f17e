//! Which thread asks: everything done to a sandbox is done on the thread of its caller.

/// Distinguishes living threads by the address of a thread-local byte. The standard library's handle of a thread would
/// stay allocated for every thread that a C program calls from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ThreadKey(usize);

impl ThreadKey {
    pub(super) fn of_caller() -> Self {
        thread_local! {
            static OWN: u8 = const { 0 };
        }
        Self(OWN.with(|own| std::ptr::from_ref(own).addr()))
    }
}
