//! The authorities of the vectors, and an independent check of what they signed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;
use xs2a::internal::{der, verify_certificate, verify_certificate_in_rust, SignatureScheme};
use xs2a::trust::{Certificate, TrustAnchors};

/// The steps of engines whose trust is replaced while they run.
static VECTORS: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../tests/vectors/trust.json")).expect("the vectors are JSON")
});

/// The anchors of every vector.
pub fn anchors() -> &'static TrustAnchors {
    static ANCHORS: LazyLock<TrustAnchors> = LazyLock::new(|| {
        let cases = VECTORS.as_array().into_iter().flatten();
        bundle(cases.filter_map(|case| case.pointer("/config/trust_anchors")?.as_str()))
    });
    &ANCHORS
}

/// The authorities whose revocation lists the vectors supply.
pub fn authorities() -> impl Iterator<Item = &'static Certificate> {
    static AUTHORITIES: LazyLock<TrustAnchors> = LazyLock::new(|| {
        let cases = VECTORS.as_array().into_iter().flatten();
        let steps = cases.filter_map(|case| case.get("steps")?.as_array()).flatten();
        bundle(steps.filter_map(|step| step.get("authorities")?.as_str()))
    });
    AUTHORITIES.certificates().map(AsRef::as_ref)
}

fn bundle<'t>(texts: impl Iterator<Item = &'t str>) -> TrustAnchors {
    let mut anchors = TrustAnchors::new();
    for text in texts.collect::<BTreeSet<_>>() {
        // Some vectors have a bundle that is refused.
        anchors.add_bundle(text.as_bytes()).ok();
    }
    assert!(!anchors.is_empty(), "the vectors have certificates");
    anchors
}

/// Something signed, as RFC 5280 writes certificates and revocation lists.
pub struct Signed<'d> {
    content: &'d [u8],
    scheme: SignatureScheme,
    signature: &'d [u8],
}

impl<'d> Signed<'d> {
    /// The three parts of the outer SEQUENCE. `None` for other bytes, and for an algorithm that is refused.
    pub fn read(input: &'d [u8]) -> Option<Self> {
        let outer = der::read_all(input).filter(|outer| outer.tag == der::SEQUENCE)?.content;
        let (_, rest) = der::read_tagged(outer, der::SEQUENCE)?;
        let content = &outer[..outer.len() - rest.len()];
        let (algorithm, rest) = der::read_tagged(rest, der::SEQUENCE)?;
        let (oid, parameters) = der::read_tagged(algorithm, der::OBJECT_IDENTIFIER)?;
        let parameters = (!parameters.is_empty()).then_some(parameters);
        let scheme = SignatureScheme::from_parts(oid, parameters).ok()?;
        let (bits, _) = der::read_tagged(rest, der::BIT_STRING)?;
        Some(Self { content, scheme, signature: bits.strip_prefix(&[0])? })
    }

    /// Whether the key signed it, by both backends, which must agree. ECDSA is not in the second one: `None`.
    pub fn is_signed_by(&self, key: &[u8]) -> Option<bool> {
        if matches!(self.scheme, SignatureScheme::Ecdsa(_)) {
            return None;
        }
        let first = verify_certificate(key, self.scheme, self.content, self.signature);
        let second = verify_certificate_in_rust(key, self.scheme, self.content, self.signature);
        assert_eq!(first, second, "the backends disagree");
        Some(first)
    }
}
