//! Ids that need no randomness: the same thing has the same id in every run.

use crate::crypto::sha256;
use crate::types::ID_BYTES;

/// The bytes of the id of that thing: the beginning of a SHA-256 over its kind and its label. As guessable as
/// the label is.
pub(super) fn id_bytes(kind: &str, label: &str) -> [u8; ID_BYTES] {
    let hash = sha256(format!("xs2a sandbox {kind} {label}").as_bytes());
    let mut bytes = [0; ID_BYTES];
    bytes.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::AccountId;

    #[test]
    fn an_id_is_the_beginning_of_the_hash() {
        // printf 'xs2a sandbox account 95360573002' | openssl dgst -sha256 -binary | head -c 18 | basenc --base64url
        let id = AccountId::from_bytes(id_bytes("account", "95360573002"));
        assert_eq!(id.as_str(), "enc!!53ZlSSbsdjA6KHoHk0ZbZUNz");
        assert_ne!(id_bytes("card account", "95360573002"), id_bytes("account", "95360573002"));
    }
}
