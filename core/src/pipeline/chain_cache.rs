//! Verified chains, kept by the SHA-256 of the certificate header; those of the TPPs that called last beside their
//! whole headers. What depends on time is not part of a chain, so it may be kept for as long as the trust anchors stay
//! the same.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;

use super::recent::Recent;
use crate::crypto::sha256;
use crate::limits::CHAIN_CACHE_ENTRIES_MAX;
use crate::tpp::verify::Identity;

/// How many headers are kept whole: as many TPPs as are likely to be busy at once.
const WHOLE_MAX: usize = 16;

/// The chains one engine has seen.
#[derive(Debug)]
pub(crate) struct ChainCache(Mutex<Chains>);

#[derive(Debug)]
struct Chains {
    by_hash: Recent<[u8; 32], Arc<Identity>>,
    /// The headers that were looked for last, the very last one at the end: to compare them is quicker than to hash
    /// one.
    whole: VecDeque<(Box<[u8]>, Arc<Identity>)>,
}

impl ChainCache {
    pub(crate) fn new() -> Self {
        let by_hash = Recent::new(CHAIN_CACHE_ENTRIES_MAX / 2);
        Self(Mutex::new(Chains { by_hash, whole: VecDeque::with_capacity(WHOLE_MAX) }))
    }

    /// The chain of a certificate header.
    pub(crate) fn get(&self, header: &[u8]) -> Option<Arc<Identity>> {
        if let Some(identity) = self.0.lock().find_whole(header) {
            return Some(identity);
        }
        let hash = sha256(header);
        let mut chains = self.0.lock();
        let identity = chains.by_hash.get(&hash)?;
        chains.keep_whole(header, &identity);
        Some(identity)
    }

    pub(crate) fn insert(&self, header: &[u8], identity: Arc<Identity>) {
        self.0.lock().by_hash.insert(sha256(header), identity);
    }

    /// Forgets every chain: the trust anchors changed.
    pub(crate) fn clear(&self) {
        let mut chains = self.0.lock();
        chains.by_hash.clear();
        chains.whole.clear();
    }
}

impl Chains {
    fn find_whole(&mut self, header: &[u8]) -> Option<Arc<Identity>> {
        let place = self.whole.iter().rposition(|(known, _)| **known == *header)?;
        let found = self.whole.remove(place)?;
        let identity = Arc::clone(&found.1);
        self.whole.push_back(found);
        Some(identity)
    }

    fn keep_whole(&mut self, header: &[u8], identity: &Arc<Identity>) {
        // Another thread may have been first.
        if self.find_whole(header).is_some() {
            return;
        }
        if self.whole.len() == WHOLE_MAX {
            self.whole.pop_front();
        }
        self.whole.push_back((header.into(), Arc::clone(identity)));
    }
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use super::*;
    use crate::sandbox::pki::TestPki;
    use crate::tpp::role::Roles;
    use crate::tpp::trust::TrustAnchors;

    fn identity() -> Arc<Identity> {
        let pki = TestPki::new().unwrap();
        let tpp = pki.issue("Acme", Roles::NONE, "PSDNO-FSA-000001", [1; 16], 0).unwrap();
        let mut anchors = TrustAnchors::new();
        anchors.add(pki.root().clone());
        Arc::new(Identity::from_header(tpp.certificate().to_pem().as_bytes(), &anchors).unwrap())
    }

    #[test]
    fn the_headers_that_came_last_are_kept_whole() {
        let cache = ChainCache::new();
        let kept = || cache.0.lock().whole.iter().map(|(header, _)| header[0]).collect::<Vec<_>>();
        let chain = identity();
        for number in 0..=u8::try_from(WHOLE_MAX).unwrap() {
            cache.insert(&[number], Arc::clone(&chain));
            cache.get(&[number]).unwrap();
            cache.get(&[0]).unwrap();
        }
        assert_eq!(kept().len(), WHOLE_MAX);
        assert!(kept().ends_with(&[16, 0]) && !kept().contains(&1), "{:?}", kept());
    }

    #[test]
    fn each_header_finds_its_chain_in_any_order_and_repeatedly() {
        let cache = ChainCache::new();
        let chains: Vec<_> = (0..2 * WHOLE_MAX).map(|_| identity()).collect();
        for (number, chain) in chains.iter().enumerate() {
            assert!(cache.get(&number.to_be_bytes()).is_none());
            cache.insert(&number.to_be_bytes(), Arc::clone(chain));
        }
        for number in (0..chains.len()).flat_map(|number| [number, number, chains.len() - 1 - number]) {
            let found = cache.get(&number.to_be_bytes()).unwrap();
            assert!(Arc::ptr_eq(&found, &chains[number]), "{number}");
            assert!(cache.0.lock().whole.len() <= WHOLE_MAX);
        }
        cache.clear();
        assert!((0..chains.len()).all(|number| cache.get(&number.to_be_bytes()).is_none()));
    }
}
