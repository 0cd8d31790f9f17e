//! Verified chains, kept by the SHA-256 of the certificate header. What depends on time is not part of a
//! chain, so it may be kept for as long as the trust anchors stay the same.

use std::sync::Arc;

use parking_lot::Mutex;

use super::recent::Recent;
use crate::limits::CHAIN_CACHE_ENTRIES_MAX;
use crate::tpp::verify::Identity;

/// The chains one engine has seen.
#[derive(Debug)]
pub(crate) struct ChainCache(Mutex<Recent<[u8; 32], Arc<Identity>>>);

impl ChainCache {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Recent::new(CHAIN_CACHE_ENTRIES_MAX / 2)))
    }

    pub(crate) fn get(&self, header_sha256: &[u8; 32]) -> Option<Arc<Identity>> {
        self.0.lock().get(header_sha256)
    }

    pub(crate) fn insert(&self, header_sha256: [u8; 32], identity: Arc<Identity>) {
        self.0.lock().insert(header_sha256, identity);
    }

    /// Forgets every chain: the trust anchors changed.
    pub(crate) fn clear(&self) {
        self.0.lock().clear();
    }
}
