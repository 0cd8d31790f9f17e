//! The backend without C: the `rsa` and `sha2` crates. It verifies RSA only; a chain with an elliptic-curve
//! authority is refused. Its private-key operations are not constant-time (RUSTSEC-2023-0071).

use std::fmt;

use rsa::pkcs1::{DecodeRsaPrivateKey as _, EncodeRsaPublicKey as _};
use rsa::pkcs8::DecodePrivateKey as _;
use rsa::{BigUint, Pkcs1v15Sign, Pss};
use sha2::{Digest as _, Sha256, Sha384, Sha512};

use super::key::{self, KeyShell, RsaNumbers};
use super::pem;
use super::scheme::{Hash, RefusedScheme, SignatureScheme};
use crate::limits::RSA_BITS_MAX;

/// The SHA-256 hash of some bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The SHA-512 hash of some bytes.
pub fn sha512(bytes: &[u8]) -> [u8; 64] {
    Sha512::digest(bytes).into()
}

/// An RSA public key of 2048 to 8192 bits, parsed once and ready to verify.
#[derive(Clone)]
pub struct RsaPublicKey {
    key: rsa::RsaPublicKey,
    bits: usize,
}

impl RsaPublicKey {
    /// Reads a SubjectPublicKeyInfo. `None` where the key is not RSA within the supported bounds.
    pub fn from_spki(spki: &[u8]) -> Option<Self> {
        match KeyShell::from_spki(spki)? {
            KeyShell::Rsa(pkcs1) => Self::from_pkcs1(pkcs1),
            KeyShell::RsaPssOnly(_) | KeyShell::Elliptic(..) => None,
        }
    }

    /// Reads PKCS#1 DER. `None` where the key is not within the supported bounds.
    pub fn from_pkcs1(pkcs1: &[u8]) -> Option<Self> {
        let numbers = RsaNumbers::from_pkcs1(pkcs1)?;
        let (n, e) = (BigUint::from_bytes_be(numbers.modulus()), BigUint::from_bytes_be(numbers.exponent()));
        let key = rsa::RsaPublicKey::new_with_max_size(n, e, RSA_BITS_MAX).ok()?;
        Some(Self { key, bits: numbers.modulus_bits() })
    }

    /// Bits of the modulus.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Whether the signature (PKCS#1 v1.5 over SHA-256) is this key's over the message.
    pub fn verify_sha256(&self, message: &[u8], signature: &[u8]) -> bool {
        self.verify(SignatureScheme::RsaPkcs1(Hash::Sha256), message, signature)
    }

    fn verify(&self, scheme: SignatureScheme, message: &[u8], signature: &[u8]) -> bool {
        use SignatureScheme::{Ecdsa, RsaPkcs1, RsaPss};
        let hash = |hash| match hash {
            Hash::Sha256 => Sha256::digest(message).to_vec(),
            Hash::Sha384 => Sha384::digest(message).to_vec(),
            Hash::Sha512 => Sha512::digest(message).to_vec(),
        };
        let pkcs1 = |kind| match kind {
            Hash::Sha256 => Pkcs1v15Sign::new::<Sha256>(),
            Hash::Sha384 => Pkcs1v15Sign::new::<Sha384>(),
            Hash::Sha512 => Pkcs1v15Sign::new::<Sha512>(),
        };
        let pss = |kind: Hash| {
            let salt = usize::from(kind.length());
            match kind {
                Hash::Sha256 => Pss::new_with_salt::<Sha256>(salt),
                Hash::Sha384 => Pss::new_with_salt::<Sha384>(salt),
                Hash::Sha512 => Pss::new_with_salt::<Sha512>(salt),
            }
        };
        match scheme {
            RsaPkcs1(kind) => self.key.verify(pkcs1(kind), &hash(kind), signature).is_ok(),
            RsaPss(kind) => self.key.verify(pss(kind), &hash(kind), signature).is_ok(),
            Ecdsa(_) => false,
        }
    }
}

impl fmt::Debug for RsaPublicKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "RsaPublicKey({} bits)", self.bits)
    }
}

/// What kind of key is in `spki`, where no signature by it can be verified.
pub(crate) fn refused_key(spki: &[u8]) -> Option<RefusedScheme> {
    key::refused_key(spki, &[])
}

/// Whether `signature` is the signature over a certificate's `tbs` part by the key in `spki`. Always false
/// for ECDSA.
pub fn verify_certificate(spki: &[u8], scheme: SignatureScheme, tbs: &[u8], signature: &[u8]) -> bool {
    let pkcs1 = match (KeyShell::from_spki(spki), scheme) {
        (Some(KeyShell::Rsa(pkcs1)), _) => pkcs1,
        (Some(KeyShell::RsaPssOnly(pkcs1)), SignatureScheme::RsaPss(_)) => pkcs1,
        _ => return false,
    };
    RsaPublicKey::from_pkcs1(pkcs1).is_some_and(|key| key.verify(scheme, tbs, signature))
}

/// An RSA private key. Its `Debug` shows nothing of it.
pub struct RsaPrivateKey {
    key: rsa::RsaPrivateKey,
}

impl RsaPrivateKey {
    /// Reads unencrypted PKCS#8, PEM (`PRIVATE KEY`) or DER. `None` if it is no such key, or outside of the bounds.
    pub fn from_pkcs8(key: &[u8]) -> Option<Self> {
        let der = pem::private_key(key)?;
        let key = Self { key: rsa::RsaPrivateKey::from_pkcs8_der(&der).ok()? };
        RsaNumbers::from_pkcs1(&key.public_key_pkcs1()).is_some().then_some(key)
    }

    /// Reads an unencrypted key in PKCS#8 or PKCS#1, PEM (`PRIVATE KEY`, `RSA PRIVATE KEY`) or DER. `None` where it
    /// is none or out of bounds.
    pub fn read(key: &[u8]) -> Option<Self> {
        Self::from_pkcs8(key).or_else(|| Self::from_pkcs1(key))
    }

    fn from_pkcs1(key: &[u8]) -> Option<Self> {
        let der = pem::rsa_private_key(key)?;
        let key = Self { key: rsa::RsaPrivateKey::from_pkcs1_der(&der).ok()? };
        RsaNumbers::from_pkcs1(&key.public_key_pkcs1()).is_some().then_some(key)
    }

    /// The public half as PKCS#1 DER.
    pub fn public_key_pkcs1(&self) -> Vec<u8> {
        self.key.to_public_key().to_pkcs1_der().map(|der| der.as_bytes().to_vec()).unwrap_or_default()
    }

    /// Signs with PKCS#1 v1.5 over SHA-256; the same message gives the same signature. `None` only where the
    /// backend fails.
    pub fn sign_sha256(&self, message: &[u8]) -> Option<Vec<u8>> {
        self.key.sign(Pkcs1v15Sign::new::<Sha256>(), &sha256(message)).ok()
    }
}

impl fmt::Debug for RsaPrivateKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("RsaPrivateKey(…)")
    }
}

#[cfg(all(test, feature = "aws-lc"))]
mod tests {
    use super::*;
    use crate::crypto::aws_lc;
    use proptest::prelude::*;

    const KEYS_PEM: [&str; 2] =
        [include_str!("../sandbox/keys/tpp_0.key.pem"), include_str!("../sandbox/keys/tpp_1.key.pem")];

    #[test]
    fn both_backends_sign_alike_and_verify_each_other() {
        for pem in KEYS_PEM {
            let ours = RsaPrivateKey::from_pkcs8(pem.as_bytes()).unwrap();
            let theirs = aws_lc::RsaPrivateKey::from_pkcs8(pem.as_bytes()).unwrap();
            assert_eq!(ours.public_key_pkcs1(), theirs.public_key_pkcs1());
            let signature = ours.sign_sha256(b"message").unwrap();
            assert_eq!(Some(&signature), theirs.sign_sha256(b"message").as_ref());
            let key = aws_lc::RsaPublicKey::from_pkcs1(&ours.public_key_pkcs1()).unwrap();
            assert!(key.verify_sha256(b"message", &signature));
            let key = RsaPublicKey::from_pkcs1(&ours.public_key_pkcs1()).unwrap();
            assert!(key.verify_sha256(b"message", &signature));
            assert!(!key.verify_sha256(b"massage", &signature));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn both_backends_hash_alike(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            prop_assert_eq!(sha256(&bytes), aws_lc::sha256(&bytes));
            prop_assert_eq!(sha512(&bytes), aws_lc::sha512(&bytes));
        }

        #[test]
        fn both_backends_judge_a_damaged_signature_alike(byte in 0usize..256, flip in 0u8..=255) {
            let private = RsaPrivateKey::from_pkcs8(KEYS_PEM[0].as_bytes()).unwrap();
            let mut signature = private.sign_sha256(b"message").unwrap();
            signature[byte] ^= flip;
            let ours = RsaPublicKey::from_pkcs1(&private.public_key_pkcs1()).unwrap();
            let theirs = aws_lc::RsaPublicKey::from_pkcs1(&private.public_key_pkcs1()).unwrap();
            let verdict = ours.verify_sha256(b"message", &signature);
            prop_assert_eq!(verdict, flip == 0);
            prop_assert_eq!(verdict, theirs.verify_sha256(b"message", &signature));
        }
    }
}
