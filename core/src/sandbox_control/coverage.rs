//! What a sandbox has seen of all there is.

use super::sandbox::Sandbox;
use crate::sandbox::coverage::Coverage;

impl Sandbox {
    /// Which operations, reasons, states and transitions this sandbox has seen since it was opened or forked off.
    /// Calls to [`Sandbox::engine`] itself are not counted, the transitions they bring about are.
    pub fn coverage(&self) -> Coverage {
        self.notes.coverage.own()
    }

    /// What this sandbox, the one it was forked from and all its other forks have seen, closed ones too: with a fork
    /// for each test, that is the whole run.
    pub fn family_coverage(&self) -> Coverage {
        self.notes.coverage.family()
    }
}
