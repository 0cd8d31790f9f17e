//! What an RSA signature holds (RFC 8017 sections 8.1.2 and 8.2.2): the block under its padding, recovered by the
//! public key. Everything here is public, so that constant time is not needed.

use num_bigint::BigUint;

use super::any_hash::AnyHash;
use super::key::{KeyShell, RsaNumbers};

/// The block that a signature is the encryption of, as long as the modulus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RsaBlock {
    bytes: Vec<u8>,
    modulus_bits: usize,
}

/// What a block with PSS padding holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PssContent {
    hash: AnyHash,
    salt: Vec<u8>,
    hashed: Vec<u8>,
    /// Bytes of padding that are zero. The more there are, the less can a block have this form by chance.
    pub zeros: usize,
}

/// The length in bytes of a signature by the key in `spki`; `None` if the key is not RSA within the supported bounds.
pub(crate) fn rsa_signature_length(spki: &[u8]) -> Option<usize> {
    Some(numbers(spki)?.modulus().len())
}

/// Keys that are reserved for PSS are read too: they show why another padding does not verify.
fn numbers(spki: &[u8]) -> Option<RsaNumbers<'_>> {
    match KeyShell::from_spki(spki)? {
        KeyShell::Rsa(pkcs1) | KeyShell::RsaPssOnly(pkcs1) => RsaNumbers::from_pkcs1(pkcs1),
        KeyShell::Elliptic(..) => None,
    }
}

impl RsaBlock {
    /// The block of a signature by the key in `spki`. Leading zeros of the signature may be missing. `None` if the key
    /// is not RSA within the supported bounds, or the signature is not a number below the modulus.
    pub(crate) fn recover(spki: &[u8], signature: &[u8]) -> Option<Self> {
        let numbers = numbers(spki)?;
        let length = numbers.modulus().len();
        (signature.len() <= length).then_some(())?;
        let (modulus, signature) =
            (BigUint::from_bytes_be(numbers.modulus()), BigUint::from_bytes_be(signature));
        (signature < modulus).then_some(())?;
        let block = signature.modpow(&BigUint::from_bytes_be(numbers.exponent()), &modulus).to_bytes_be();
        let zeros = std::iter::repeat_n(0, length.saturating_sub(block.len()));
        Some(Self { bytes: zeros.chain(block).collect(), modulus_bits: numbers.modulus_bits() })
    }

    /// The content under PKCS#1 v1.5 padding of a signature: after `00 01`, at least eight `FF`, and `00`.
    pub(crate) fn pkcs1_content(&self) -> Option<&[u8]> {
        let padded = self.bytes.strip_prefix(&[0, 1])?;
        let ones = padded.iter().take_while(|byte| **byte == 0xff).count();
        let content = padded.get(ones..)?.strip_prefix(&[0])?;
        (ones >= 8).then_some(content)
    }

    /// The content of a block that is filled up with zeros and holds no more than a hash in hexadecimal.
    pub(crate) fn unpadded_content(&self) -> Option<Vec<u8>> {
        let zeros = self.bytes.iter().take_while(|byte| **byte == 0).count();
        let content = self.bytes.get(zeros..).filter(|content| !content.is_empty())?;
        let longest = 2 * AnyHash::Sha512.length();
        (content.len() <= longest && content.len() < self.bytes.len() / 2).then(|| content.to_vec())
    }

    /// The content under PSS padding over `hash`, masked by MGF1 over `mask_hash`.
    pub(crate) fn pss_content(&self, hash: AnyHash, mask_hash: AnyHash) -> Option<PssContent> {
        // The encoded message has one bit less than the modulus (RFC 8017 section 9.1.2).
        let encoded_bits = self.modulus_bits.saturating_sub(1);
        let encoded_length = encoded_bits.div_ceil(8);
        let surplus = self.bytes.len().saturating_sub(encoded_length);
        let (outside, encoded) = self.bytes.split_at_checked(surplus)?;
        let (rest, trailer) = encoded.split_at_checked(encoded_length.checked_sub(1)?)?;
        let (masked, hashed) = rest.split_at_checked(rest.len().checked_sub(hash.length())?)?;
        (trailer == [0xbc] && outside.iter().all(|byte| *byte == 0)).then_some(())?;
        let mut data: Vec<u8> = masked
            .iter()
            .zip(mask(hashed, masked.len(), mask_hash))
            .map(|(byte, mask)| byte ^ mask)
            .collect();
        if let Some(first) = data.first_mut() {
            *first &= 0xff_u8.checked_shr(u32::try_from(8 * encoded_length - encoded_bits).ok()?)?;
        }
        let zeros = data.iter().take_while(|byte| **byte == 0).count();
        let salt = data.get(zeros..)?.strip_prefix(&[1])?;
        Some(PssContent { hash, salt: salt.to_vec(), hashed: hashed.to_vec(), zeros })
    }
}

impl PssContent {
    /// Whether this is what PSS holds of the message (RFC 8017 section 9.1.2, steps 12 to 14).
    pub(crate) fn is_of(&self, message: &[u8]) -> bool {
        let inner = [&[0; 8][..], &self.hash.of(message), &self.salt].concat();
        self.hash.of(&inner) == self.hashed
    }
}

/// MGF1 (RFC 8017 appendix B.2.1).
fn mask(seed: &[u8], length: usize, hash: AnyHash) -> Vec<u8> {
    let mut mask = Vec::with_capacity(length + hash.length());
    for counter in 0_u32.. {
        if mask.len() >= length {
            break;
        }
        mask.extend(hash.of(&[seed, &counter.to_be_bytes()].concat()));
    }
    mask.truncate(length);
    mask
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use super::*;
    use crate::crypto::RsaPrivateKey;
    use crate::sandbox::pki::{TestPki, TEST_KEYS_PEM};
    use crate::tpp::role::Roles;

    fn spki() -> Vec<u8> {
        let tpp = TestPki::new().unwrap().issue("Acme", Roles::NONE, "PSDNO-FSA-1", [1; 16], 0).unwrap();
        tpp.certificate().public_key().to_vec()
    }

    #[test]
    fn the_block_of_a_signature_holds_the_hash_of_the_message() {
        let key = RsaPrivateKey::from_pkcs8(TEST_KEYS_PEM[0].as_bytes()).unwrap();
        let signature = key.sign_sha256(b"message").unwrap();
        let block = RsaBlock::recover(&spki(), &signature).unwrap();
        let (hash, content) = AnyHash::from_digest_info(block.pkcs1_content().unwrap()).unwrap();
        assert_eq!((hash, content), (Some(AnyHash::Sha256), &AnyHash::Sha256.of(b"message")[..]));
        assert_eq!(block.pss_content(AnyHash::Sha256, AnyHash::Sha256), None);
    }

    #[test]
    fn a_number_that_no_key_of_the_modulus_makes_has_no_block() {
        let spki = spki();
        let length = rsa_signature_length(&spki).unwrap();
        assert_eq!(RsaBlock::recover(&spki, &vec![0xff; length]), None);
        assert_eq!(RsaBlock::recover(&spki, &vec![0; length + 1]), None);
        assert_eq!(RsaBlock::recover(&spki, &[]).unwrap().pkcs1_content(), None);
        assert_eq!(RsaBlock::recover(b"no key", &[1]), None);
    }
}
