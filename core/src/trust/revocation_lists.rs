//! The lists that a host supplied: looked at on every call, replaced while the engine runs.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::RwLock;

use super::list_fault::ListFault;
use super::revocation_list::RevocationList;
use crate::crypto::pem;
use crate::env::revocation::{IssuedCertificate, Revocation, RevocationStatus};
use crate::error::Result;
use crate::limits::REVOCATION_LISTS_MAX;
use crate::tpp::certificate::Certificate;
use crate::tpp::distinguished_name::DistinguishedName;
use crate::wire::der;

/// Revocation lists by their issuer. A list counts for the certificates that the same key signed under the same name,
/// and that it covers by its issuingDistributionPoint, where it has one (RFC 5280 section 6.3.3).
#[derive(Debug, Default)]
pub struct RevocationLists {
    by_issuer: RwLock<ByIssuer>,
}

type ByIssuer = HashMap<String, Vec<Arc<RevocationList>>>;

impl RevocationLists {
    /// No list: every certificate is unlisted.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the lists of PEM, or the one of DER, each in the place of the one that its issuer's key signed before for
    /// the same certificates, and gives how many there were. They count from the next call on. `authorities` are the
    /// certificates of those who may have issued them. On an error nothing is taken.
    ///
    /// # Errors
    /// Any [`ListFault`]; `Outdated` for a list older than the one in its place.
    pub fn supply(
        &self,
        lists: &[u8],
        authorities: &[Arc<Certificate>],
    ) -> std::result::Result<usize, ListFault> {
        let read = read_lists(lists, authorities)?;
        // Reading is slow, so it was done before the lock is taken.
        let mut held = self.by_issuer.write();
        let mut next = held.clone();
        for list in &read {
            put(&mut next, list)?;
        }
        match next.values().map(Vec::len).sum::<usize>() > REVOCATION_LISTS_MAX {
            true => Err(ListFault::TooMany),
            false => {
                *held = next;
                Ok(read.len())
            }
        }
    }

    /// Forgets every list.
    pub fn clear(&self) {
        self.by_issuer.write().clear();
    }

    /// The lists, in no particular order.
    pub fn lists(&self) -> Vec<Arc<RevocationList>> {
        self.by_issuer.read().values().flatten().cloned().collect()
    }

    /// The earliest nextUpdate: when the first list ceases to count.
    pub fn next_due(&self) -> Option<DateTime<Utc>> {
        self.by_issuer.read().values().flatten().map(|list| list.next_update()).min()
    }
}

impl Revocation for RevocationLists {
    fn status(&self, certificate: &IssuedCertificate<'_>) -> Result<RevocationStatus> {
        let Some(issuer) = DistinguishedName::from_der(certificate.issuer_der) else {
            return Ok(RevocationStatus::Unlisted);
        };
        let held = self.by_issuer.read();
        let named = held.get(&issuer.folded_key()).map(Vec::as_slice).unwrap_or_default();
        let of_key =
            |list: &&Arc<RevocationList>| certificate.issuer_key.is_none_or(|key| key == list.issuer_key());
        let mut status = RevocationStatus::Unlisted;
        for list in named.iter().filter(of_key).filter(|list| list.covers(certificate)) {
            if list.has(certificate.serial) {
                return Ok(RevocationStatus::Revoked);
            }
            status = match list.is_current(certificate.at) {
                true => RevocationStatus::Good,
                false if status == RevocationStatus::Unlisted => RevocationStatus::Stale,
                false => status,
            };
        }
        Ok(status)
    }
}

fn read_lists(
    input: &[u8],
    authorities: &[Arc<Certificate>],
) -> std::result::Result<Vec<Arc<RevocationList>>, ListFault> {
    let read =
        |der: &[u8]| RevocationList::from_der(der, authorities.iter().map(AsRef::as_ref)).map(Arc::new);
    let text = String::from_utf8_lossy(input);
    if input.first() == Some(&der::SEQUENCE) && pem::blocks(&text).next().is_none() {
        return Ok(vec![read(input)?]);
    }
    // Of a bundle that ends within a list, the others must not count as all of them.
    if pem::is_cut_off(&text) {
        return Err(ListFault::NotDecodable);
    }
    let lists = pem::blocks(&text)
        .filter(|(label, _)| *label == "X509 CRL")
        .map(|(_, der)| read(&der.ok_or(ListFault::NotDecodable)?))
        .collect::<std::result::Result<Vec<_>, _>>()?;
    match lists.is_empty() {
        true => Err(ListFault::NotDecodable),
        false => Ok(lists),
    }
}

/// Puts a list in the place of the one by the same key that covers the same certificates.
fn put(by_issuer: &mut ByIssuer, list: &Arc<RevocationList>) -> std::result::Result<(), ListFault> {
    let named = by_issuer.entry(list.issuer().folded_key()).or_default();
    match named.iter_mut().find(|held| list.is_in_place_of(held)) {
        Some(held) if list.is_older_than(held) => return Err(ListFault::Outdated),
        Some(held) => *held = Arc::clone(list),
        None => named.push(Arc::clone(list)),
    }
    Ok(())
}
