//! Certificates and chains: bytes that are read as a certificate are kept as they came. In a chain that is accepted
//! each certificate is signed by the next (checked by the second backend), and the last one is an anchor. Input:
//! chunks, the first one the leaf.

use std::sync::Arc;

use crate::chunks;
use crate::trust::{anchors, Signed};
use xs2a::internal::{parse_certificate, verify_chain};
use xs2a::trust::Certificate;

fn read(input: &[u8]) -> Option<Arc<Certificate>> {
    let certificate = parse_certificate(input).ok()?;
    // A text may begin as DER does.
    if input.first() == Some(&0x30) && !input.windows(5).any(|window| window == b"-----") {
        assert_eq!(certificate.der(), input, "other bytes than were read");
    }
    let again = parse_certificate(certificate.to_pem().as_bytes()).expect("PEM that was written");
    assert_eq!(again, certificate);
    assert_eq!(again.roles().iter().count(), certificate.roles().iter().count());
    Some(Arc::new(certificate))
}

pub(super) fn check(input: &[u8]) {
    let mut certificates = chunks(input).take(12).filter_map(read);
    let Some(leaf) = certificates.next() else { return };
    let intermediates: Vec<_> = certificates.collect();
    let Ok(chain) = verify_chain(&leaf, &intermediates, anchors()) else { return };
    for path in chain.paths() {
        let path = path.certificates();
        assert_eq!(path.first(), Some(&leaf));
        assert!(anchors().contains(path.last().expect("a path has a leaf")), "the path ends at no anchor");
        for pair in path.windows(2) {
            let signed = Signed::read(pair[0].der()).expect("a certificate that was accepted");
            assert_ne!(signed.is_signed_by(pair[1].public_key()), Some(false), "a link that nothing signed");
        }
    }
}
