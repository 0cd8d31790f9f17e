//! The keyId that names a certificate: nearly every call of a TPP has the same, which need not be parsed again each
//! time.

use std::sync::OnceLock;

use crate::policy::KeyIdIssuer;

/// Longer ones are parsed each time, because an engine keeps thousands of certificates.
const KEPT_BYTES_MAX: usize = 512;

/// The keyId of a certificate that was found to name it first, and the policy that it was judged by. Nothing else goes
/// into that judgement, so the same text names the same certificate again. What was refused is not kept.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownKeyId(OnceLock<(Box<str>, KeyIdIssuer)>);

impl KnownKeyId {
    /// Whether it is known that this text names the certificate. `false` means unknown.
    pub(super) fn is(&self, key_id: &str, policy: KeyIdIssuer) -> bool {
        self.0.get().is_some_and(|(known, judged_by)| **known == *key_id && *judged_by == policy)
    }

    /// Keeps a text that names the certificate, unless there is one already.
    pub(super) fn keep(&self, key_id: &str, policy: KeyIdIssuer) {
        if key_id.len() <= KEPT_BYTES_MAX {
            self.0.get_or_init(|| (key_id.into(), policy));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_as_it_was_kept_and_under_its_policy_alone() {
        let known = KnownKeyId::default();
        assert!(!known.is("", KeyIdIssuer::Lenient));
        known.keep("SN=1,CA=CN=x", KeyIdIssuer::Lenient);
        known.keep("SN=01,CA=CN=x", KeyIdIssuer::Exact);
        assert!(known.is("SN=1,CA=CN=x", KeyIdIssuer::Lenient));
        for (key_id, policy) in [
            ("SN=1,CA=CN=x", KeyIdIssuer::Exact),
            ("SN=01,CA=CN=x", KeyIdIssuer::Exact),
            ("sn=1,CA=CN=x", KeyIdIssuer::Lenient),
            ("SN=1,CA=CN=x ", KeyIdIssuer::Lenient),
            ("SN=1,CA=CN=", KeyIdIssuer::Lenient),
            ("", KeyIdIssuer::Lenient),
        ] {
            assert!(!known.is(key_id, policy), "{key_id} {policy:?}");
        }
    }

    #[test]
    fn a_text_of_512_bytes_is_kept_and_a_longer_one_is_not() {
        for (bytes, is_kept) in [(KEPT_BYTES_MAX, true), (KEPT_BYTES_MAX + 1, false)] {
            let (known, key_id) = (KnownKeyId::default(), "x".repeat(bytes));
            known.keep(&key_id, KeyIdIssuer::Exact);
            assert_eq!(known.is(&key_id, KeyIdIssuer::Exact), is_kept);
        }
    }
}
