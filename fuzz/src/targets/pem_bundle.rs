//! Bundles of certificates: each that was read is read again from its PEM, and a bundle that is cut off is refused.

use xs2a::trust::TrustAnchors;

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";

pub(super) fn check(input: &[u8]) {
    let Ok(anchors) = TrustAnchors::from_bundle(input) else { return };
    assert!(!anchors.is_empty(), "a bundle without a certificate");
    let written: String = anchors.certificates().map(|certificate| certificate.to_pem()).collect();
    let again = TrustAnchors::from_bundle(written.as_bytes()).expect("PEM that was written");
    assert_eq!(again.len(), anchors.len());
    assert!(anchors.certificates().all(|certificate| again.contains(certificate)));
    // Of a text that ends within its last block it is unknown what is missing.
    let Some(begin) = input.windows(BEGIN.len()).rposition(|window| window == BEGIN) else { return };
    if let Some(length) = input[begin..].windows(END.len()).position(|window| window == END) {
        assert!(TrustAnchors::from_bundle(&input[..begin + length]).is_err(), "a bundle that is cut off");
    }
}
