//! What was drawn of a sandbox's stream of ids.

/// How many blocks of the sandbox's stream of ids were drawn before a step, and after it. What lies between two
/// steps was drawn by signing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Draws {
    /// Before the step.
    pub before: u64,
    /// After it.
    pub after: u64,
}
