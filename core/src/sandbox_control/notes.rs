//! What a sandbox notes of what is done with it: its journal, and what it has seen of all there is.

use std::sync::Arc;

use crate::sandbox::coverage::Collector;
use crate::sandbox::journal::{Beginning, Journal, StepsInProgress};

/// The notebooks of one sandbox. They belong to the sandbox, not to its state: no snapshot holds them.
pub(super) struct Notes {
    pub(super) journal: Arc<Journal>,
    pub(super) beginning: Beginning,
    pub(super) coverage: Arc<Collector>,
    pub(super) in_progress: Arc<StepsInProgress>,
}

impl Notes {
    pub(super) fn begin(beginning: Beginning) -> Self {
        Self { journal: Arc::default(), beginning, coverage: Arc::default(), in_progress: Arc::default() }
    }

    /// Those of a fork: its journal continues this one, and its coverage counts for the same family.
    pub(super) fn fork(&self) -> Self {
        Self {
            journal: Arc::new(self.journal.fork()),
            beginning: self.beginning.clone(),
            coverage: Arc::new(self.coverage.fork()),
            in_progress: Arc::default(),
        }
    }
}
