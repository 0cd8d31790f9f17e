//! The way from a TPP's certificate to a trusted one (RFC 5280 section 6).
//!
//! [`verify_chain`] looks at names, signatures, authority, path lengths and critical extensions: nothing in
//! it depends on time, so its result may be kept. [`Chain::valid_at`] and the certificates of the [`Path`] it
//! gives (for revocation) are looked at on every call.
//!
//! A certificate may lead to trust by several ways, one of which expires before the others (authorities that are
//! cross-signed, or renewed under the same key). So all that a search finds are kept.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::certificate::Certificate;
use super::trust::TrustAnchors;
use crate::crypto::RefusedScheme;
use crate::limits::{CHAIN_CERTIFICATES_MAX, CHAIN_SIGNATURE_CHECKS_MAX};
use crate::reason::{Case, Reason, Violation};
use crate::types::instant::rfc3339_seconds;

/// One way: the leaf first, a trusted certificate last. A leaf that is trusted itself is the whole way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(Vec<Arc<Certificate>>);

impl Path {
    /// Leaf to anchor. Revocation is looked up by each one's issuer and serial number.
    pub fn certificates(&self) -> &[Arc<Certificate>] {
        &self.0
    }

    /// Whether all its certificates are valid; both ends of a validity are included.
    ///
    /// # Errors
    /// [`Reason::CertificateNotYetValid`] first, then [`Reason::CertificateExpired`].
    pub fn check_at(&self, now: DateTime<Utc>) -> Result<(), Violation> {
        if let Some(early) = self.0.iter().find(|certificate| certificate.is_early_at(now)) {
            return Err(Violation::with(
                Reason::CertificateNotYetValid,
                &[&rfc3339_seconds(early.not_before())],
            ));
        }
        match self.0.iter().find(|certificate| certificate.is_expired_at(now)) {
            Some(late) => {
                Err(Violation::with(Reason::CertificateExpired, &[&rfc3339_seconds(late.not_after())]))
            }
            None => Ok(()),
        }
    }
}

/// A certificate's verified ways to trust; at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    first: Path,
    others: Vec<Path>,
}

impl Chain {
    /// All ways, in the order they were found.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// The first way whose certificates are all valid.
    ///
    /// # Errors
    /// What [`Path::check_at`] says of the first way, where none is valid.
    pub fn valid_at(&self, now: DateTime<Utc>) -> Result<&Path, Violation> {
        let failure = match self.first.check_at(now) {
            Ok(()) => return Ok(&self.first),
            Err(failure) => failure,
        };
        self.others.iter().find(|path| path.check_at(now).is_ok()).ok_or(failure)
    }
}

/// Searches the chains from a leaf over the intermediates that came with it to the host's anchors.
///
/// The search makes at most [`CHAIN_SIGNATURE_CHECKS_MAX`] signature checks for any input.
///
/// # Errors
/// If there is no chain, the failure that is furthest from the leaf: [`Reason::ChainUnknown`] (no issuer),
/// [`Reason::ChainAlgorithmRefused`], [`Reason::ChainSignatureInvalid`], [`Reason::ChainIssuerNotAuthority`],
/// [`Reason::ChainExtensionUnknown`], [`Reason::ChainTooLong`].
pub fn verify_chain(
    leaf: &Arc<Certificate>,
    intermediates: &[Arc<Certificate>],
    anchors: &TrustAnchors,
) -> Result<Chain, Violation> {
    let mut search = Search {
        intermediates: by_subject(intermediates, anchors),
        anchors,
        checks_left: CHAIN_SIGNATURE_CHECKS_MAX,
        way: Vec::with_capacity(CHAIN_CERTIFICATES_MAX),
        found: Vec::new(),
        failure: (0, Reason::ChainUnknown.into()),
    };
    search.way.push(Arc::clone(leaf));
    if anchors.contains(leaf) {
        search.found.push(Path(search.way.clone()));
    } else {
        search.extend();
    }
    let failure = search.failure.1;
    let mut found = search.found.into_iter();
    let first = found.next().ok_or(failure)?;
    Ok(Chain { first, others: found.collect() })
}

/// What came with the leaf and is not trusted anyway, each once, by subject: looked through once, however much it is.
fn by_subject<'a>(
    intermediates: &'a [Arc<Certificate>],
    anchors: &TrustAnchors,
) -> HashMap<String, Vec<&'a Arc<Certificate>>> {
    let mut by_subject: HashMap<_, Vec<_>> = HashMap::new();
    let mut seen = HashSet::new();
    let is_new = |sent: &&Arc<Certificate>| !anchors.contains(sent) && seen.insert(*sent.fingerprint());
    for sent in intermediates.iter().filter(is_new) {
        by_subject.entry(sent.subject().folded_key()).or_default().push(sent);
    }
    by_subject
}

struct Search<'a> {
    intermediates: HashMap<String, Vec<&'a Arc<Certificate>>>,
    anchors: &'a TrustAnchors,
    checks_left: usize,
    /// The chain from the leaf to the current certificate.
    way: Vec<Arc<Certificate>>,
    found: Vec<Path>,
    /// The furthest failure: the length of the chain, and the cause.
    failure: (usize, Violation),
}

impl Search<'_> {
    /// Tries every issuer of the last certificate of the chain. The recursion is as deep as the chain: at most
    /// [`CHAIN_CERTIFICATES_MAX`].
    fn extend(&mut self) {
        let Some(child) = self.way.last().map(Arc::clone) else { return };
        self.note(Reason::ChainUnknown.into());
        for (issuer, trusted) in self.candidates(&child) {
            match self.check_step(&child, &issuer, trusted) {
                Err(failure) => self.note(failure),
                Ok(()) => {
                    self.way.push(issuer);
                    match trusted {
                        true => self.found.push(Path(self.way.clone())),
                        false => self.extend(),
                    }
                    self.way.pop();
                }
            }
        }
    }

    /// The possible issuers of the certificate by name: those with a matching key identifier first, then trusted ones,
    /// then those that are valid longest. No certificate is in a chain twice.
    fn candidates(&self, child: &Certificate) -> Vec<(Arc<Certificate>, bool)> {
        let name = child.issuer().folded_key();
        let trusted = self.anchors.named(&name).iter().map(|anchor| (anchor, true));
        let sent = self.intermediates.get(&name).into_iter().flatten();
        let mut candidates: Vec<_> = trusted
            .chain(sent.map(|sent| (*sent, false)))
            .filter(|(issuer, _)| !self.way.contains(issuer))
            .map(|(issuer, trusted)| (Arc::clone(issuer), trusted))
            .collect();
        candidates.sort_by_key(|(issuer, trusted)| {
            (child.key_identifier_differs(issuer), !trusted, Reverse(issuer.not_after()))
        });
        candidates
    }

    /// Whether `issuer` issued `child` and was allowed to.
    fn check_step(
        &mut self,
        child: &Certificate,
        issuer: &Certificate,
        trusted: bool,
    ) -> Result<(), Violation> {
        self.checks_left = self.checks_left.checked_sub(1).ok_or(Reason::ChainUnknown)?;
        if let Some(scheme) = child.refused_scheme() {
            return Err(refused(scheme));
        }
        if let Some(key) = issuer.refused_key() {
            return Err(refused(&key));
        }
        if !child.is_signed_by(issuer) {
            return Err(Reason::ChainSignatureInvalid.into());
        }
        let authority = issuer.is_authority() || (trusted && issuer.is_bare_root());
        if !authority {
            return Err(Reason::ChainIssuerNotAuthority.into());
        }
        if let Some(oid) = issuer.unknown_critical_extension() {
            return Err(Violation::with(Reason::ChainExtensionUnknown, &[&oid]));
        }
        if let Some(oid) = issuer.binding_extension() {
            return Err(Violation::of_case(Case::ChainConstrained, &[&oid]));
        }
        // RFC 5280 section 4.2.1.9: self-issued intermediates do not count, nor does the leaf.
        let between = self.way.iter().skip(1).filter(|certificate| !certificate.is_self_issued()).count();
        let allowed = issuer.path_length().and_then(|length| usize::try_from(length).ok());
        if allowed.is_some_and(|allowed| between > allowed) || self.way.len() >= CHAIN_CERTIFICATES_MAX {
            return Err(Reason::ChainTooLong.into());
        }
        Ok(())
    }

    /// Keeps the failure that is furthest from the leaf; of several there, the first that is not merely "no issuer".
    fn note(&mut self, failure: Violation) {
        let reach = self.way.len();
        if reach > self.failure.0
            || (reach == self.failure.0 && self.failure.1.reason == Reason::ChainUnknown)
        {
            self.failure = (reach, failure);
        }
    }
}

/// A signature that was not checked is not reported as wrong.
fn refused(scheme: &RefusedScheme) -> Violation {
    match scheme {
        RefusedScheme::PssSalt(bytes) => Violation::of_case(Case::ChainSaltLength, &[bytes]),
        RefusedScheme::Other(what) => Violation::with(Reason::ChainAlgorithmRefused, &[what]),
    }
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use super::*;
    use crate::sandbox::pki::{TestPki, ROOT_PEM};
    use crate::tpp::bundle::parse_certificate;
    use crate::tpp::role::Roles;

    fn leaf() -> Arc<Certificate> {
        let pki = TestPki::new().unwrap();
        pki.issue("Acme", Roles::NONE, "PSDNO-FSA-1", [1; 16], 0).unwrap().certificate().clone()
    }

    fn root() -> Arc<Certificate> {
        Arc::new(parse_certificate(ROOT_PEM.as_bytes()).unwrap())
    }

    fn anchors(certificates: &[&Arc<Certificate>]) -> TrustAnchors {
        let mut anchors = TrustAnchors::new();
        certificates.iter().for_each(|certificate| assert!(anchors.add(Arc::clone(certificate))));
        anchors
    }

    #[test]
    fn a_chain_runs_from_leaf_to_anchor() {
        let (leaf, root) = (leaf(), root());
        let chain = verify_chain(&leaf, &[], &anchors(&[&root])).unwrap();
        let paths: Vec<_> = chain.paths().map(Path::certificates).collect();
        assert_eq!(paths, [[leaf, root]]);
    }

    #[test]
    fn a_trusted_leaf_is_a_chain_of_its_own() {
        let leaf = leaf();
        let chain = verify_chain(&leaf, &[], &anchors(&[&leaf])).unwrap();
        assert_eq!(chain.paths().next().unwrap().certificates(), [leaf]);
    }

    #[test]
    fn what_was_sent_is_not_trusted() {
        let violation = verify_chain(&leaf(), &[root()], &TrustAnchors::new()).unwrap_err();
        assert_eq!(violation.reason, Reason::ChainUnknown);
    }

    #[test]
    fn both_ends_of_a_validity_belong_to_it() {
        let path = Path(vec![leaf()]);
        let at = |text: &str, nanos: i64| {
            let time = DateTime::parse_from_rfc3339(text).unwrap().to_utc();
            path.check_at(time + chrono::Duration::nanoseconds(nanos)).map_err(|violation| violation.reason)
        };
        assert_eq!(at("1950-01-01T00:00:00Z", 0), Ok(()));
        assert_eq!(at("1950-01-01T00:00:00Z", -1), Err(Reason::CertificateNotYetValid));
        assert_eq!(at("9999-12-31T23:59:59Z", 999_999_999), Ok(()));
        assert_eq!(at("9999-12-31T23:59:59Z", 1_000_000_000), Err(Reason::CertificateExpired));
    }
}
