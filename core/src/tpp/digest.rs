//! The `Digest` header (RFC 3230 with the algorithms of RFC 5843): `SHA-256=…`, or a list of such.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;

use crate::crypto;
use crate::reason::{Case, Reason, Violation};
use crate::wire::mime_word::LENIENT_BASE64;

/// The algorithms that the contract names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigestAlgorithm {
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
}

impl DigestAlgorithm {
    /// Reads a name in any case; `None` for all others.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Sha256, Self::Sha512].into_iter().find(|known| name.eq_ignore_ascii_case(known.as_str()))
    }

    /// The name as written in the header.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sha256 => "SHA-256",
            Self::Sha512 => "SHA-512",
        }
    }

    fn hash(self, body: &[u8]) -> Hashed {
        match self {
            Self::Sha256 => Hashed::Sha256(crypto::sha256(body)),
            Self::Sha512 => Hashed::Sha512(crypto::sha512(body)),
        }
    }
}

/// A hash on the stack.
enum Hashed {
    Sha256([u8; 32]),
    Sha512([u8; 64]),
}

impl AsRef<[u8]> for Hashed {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Sha256(hash) => hash,
            Self::Sha512(hash) => hash,
        }
    }
}

/// The header's value for a body.
pub fn digest(body: &[u8], algorithm: DigestAlgorithm) -> String {
    format!("{}={}", algorithm.as_str(), STANDARD.encode(algorithm.hash(body)))
}

/// Holds the header against the body's bytes as received. Every SHA-256 and SHA-512 in the list must match,
/// and one must be there; other algorithms are not looked at.
///
/// # Errors
/// In this order: [`Reason::DigestMalformed`], [`Reason::DigestAlgorithmUnknown`],
/// [`Reason::DigestMismatch`].
pub(crate) fn verify_digest(header: &[u8], body: &[u8]) -> Result<(), Violation> {
    // Each hash is computed once, however often the list names its algorithm.
    let (mut sha256, mut sha512) = (None, None);
    let mut mismatch = None;
    let header = std::str::from_utf8(header).map_err(|_| Reason::DigestMalformed)?;
    // RFC 9110 section 5.6.1: empty elements of a list are skipped.
    let mut items = header.split(',').filter(|item| !item.trim().is_empty()).peekable();
    items.peek().ok_or(Reason::DigestMalformed)?;
    for item in items {
        let (name, value) = item.split_once('=').ok_or(Reason::DigestMalformed)?;
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() {
            return Err(Reason::DigestMalformed.into());
        }
        let Some(algorithm) = DigestAlgorithm::parse(name) else { continue };
        let hash = match algorithm {
            DigestAlgorithm::Sha256 => sha256.get_or_insert_with(|| algorithm.hash(body)),
            DigestAlgorithm::Sha512 => sha512.get_or_insert_with(|| algorithm.hash(body)),
        };
        if !matches(value, hash.as_ref())? {
            mismatch.get_or_insert(algorithm);
        }
    }
    match mismatch {
        _ if sha256.is_none() && sha512.is_none() => Err(Reason::DigestAlgorithmUnknown.into()),
        Some(algorithm) => Err(Violation::with(Reason::DigestMismatch, &[&algorithm.as_str()])),
        None => Ok(()),
    }
}

/// Whether base64 encodes the hash; padding may be missing.
fn matches(value: &str, hash: &[u8]) -> Result<bool, Violation> {
    // The size of base64 of the longest hash; a longer value is wrong or malformed.
    let mut expected = [0u8; 88];
    let length = STANDARD.encode_slice(hash, &mut expected).unwrap_or_default();
    if expected.get(..length) == Some(value.as_bytes()) {
        return Ok(true);
    }
    let decoded = LENIENT_BASE64.decode(value).map_err(|_| Violation::of_case(Case::DigestNotBase64, &[]))?;
    Ok(decoded == hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reason(header: &str, body: &[u8]) -> Option<Reason> {
        verify_digest(header.as_bytes(), body).err().map(|violation| violation.reason)
    }

    /// `printf '' | openssl dgst -sha256 -binary | base64`, and the same with `-sha512`.
    const EMPTY_256: &str = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    const EMPTY_512: &str =
        "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==";

    #[test]
    fn the_digest_of_the_empty_body_is_the_published_one() {
        assert_eq!(digest(b"", DigestAlgorithm::Sha256), format!("SHA-256={EMPTY_256}"));
        assert_eq!(digest(b"", DigestAlgorithm::Sha512), format!("SHA-512={EMPTY_512}"));
    }

    #[test]
    fn the_algorithms_case_and_missing_padding_do_not_matter() {
        for header in [
            format!("SHA-256={EMPTY_256}"),
            format!("sha-256={}", EMPTY_256.trim_end_matches('=')),
            format!("SHA-512={EMPTY_512}"),
            format!("MD5=x , SHA-512={EMPTY_512} , sha-256={EMPTY_256}"),
            format!("SHA-256={EMPTY_256},"),
            format!("unixsum=30637,SHA-256={EMPTY_256}"),
        ] {
            assert_eq!(reason(&header, b""), None, "{header}");
        }
    }

    #[test]
    fn every_known_digest_must_match() {
        for header in [
            format!("SHA-256={EMPTY_256}, SHA-512={EMPTY_256}"),
            format!("SHA-256={EMPTY_512}"),
            format!("SHA-256=, SHA-512={EMPTY_512}"),
        ] {
            assert_eq!(reason(&header, b""), Some(Reason::DigestMismatch), "{header}");
        }
        assert_eq!(reason(&format!("SHA-256={EMPTY_256}"), b" "), Some(Reason::DigestMismatch));
    }

    #[test]
    fn one_known_digest_is_needed() {
        assert_eq!(reason("MD5=1B2M2Y8AsgTpgAmY7PhCfg==", b""), Some(Reason::DigestAlgorithmUnknown));
        assert_eq!(reason("SHA-384=x", b""), Some(Reason::DigestAlgorithmUnknown));
    }

    #[test]
    fn what_is_no_list_of_pairs_is_malformed() {
        for header in
            ["", ",", "SHA-256", EMPTY_256.trim_end_matches('='), "SHA-256=%%", "=x", "SHA-256=AAAA,x"]
        {
            assert_eq!(reason(header, b""), Some(Reason::DigestMalformed), "{header}");
        }
    }

    #[test]
    fn a_pair_without_base64_differs_from_what_is_no_pair() {
        let case = |header: &str| verify_digest(header.as_bytes(), b"").unwrap_err().case;
        let url_safe = EMPTY_256.replace('+', "-").replace('/', "_");
        for header in [
            format!("SHA-256={url_safe}"),
            format!("sha-256=:{EMPTY_256}:"),
            format!("SHA-256=\"{EMPTY_256}\""),
            "SHA-256=%%".to_owned(),
        ] {
            assert_eq!(case(&header), Some(Case::DigestNotBase64), "{header}");
        }
        for header in ["SHA-256", ",", "=x"] {
            assert_eq!(case(header), None, "{header}");
        }
    }

    proptest! {
        #[test]
        fn any_change_of_the_body_is_refused(
            mut body in proptest::collection::vec(any::<u8>(), 1..100), at in any::<usize>(), bit in 0..8,
        ) {
            let header = digest(&body, DigestAlgorithm::Sha512);
            prop_assert_eq!(reason(&header, &body), None);
            let at = at % body.len();
            body[at] ^= 1u8 << bit;
            prop_assert_eq!(reason(&header, &body), Some(Reason::DigestMismatch));
        }

        #[test]
        fn no_input_panics(header in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = verify_digest(&header, b"");
        }
    }
}
