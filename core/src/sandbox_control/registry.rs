//! The sandbox's register of TPPs.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::env::registry::{Applicant, TppRegistry};
use crate::error::Result;
use crate::store::sqlite::Database;

/// A certificate of the test PKI counts where its TPP was registered; one of an authority that the user
/// trusted counts by itself.
pub(super) struct SandboxRegistry {
    database: Arc<Database>,
    test_root: [u8; 32],
    /// The TPPs found before. No TPP is ever removed, so only restoring a snapshot clears it.
    found: Mutex<HashSet<Box<str>>>,
}

impl SandboxRegistry {
    pub(super) fn new(database: Arc<Database>, test_root: [u8; 32]) -> Self {
        Self { database, test_root, found: Mutex::default() }
    }

    pub(super) fn forget(&self) {
        self.found.lock().clear();
    }
}

impl TppRegistry for SandboxRegistry {
    fn is_registered(&self, applicant: &Applicant<'_>) -> Result<bool> {
        if applicant.anchor_sha256 != self.test_root {
            return Ok(true);
        }
        // Held during the query, so that a result from books that are replaced at the same time is discarded.
        let mut found = self.found.lock();
        if found.contains(applicant.organisation_id) {
            return Ok(true);
        }
        let exists = self.database.read_books(|books| books.tpp_exists(applicant.organisation_id))?;
        if exists {
            found.insert(applicant.organisation_id.into());
        }
        Ok(exists)
    }
}
