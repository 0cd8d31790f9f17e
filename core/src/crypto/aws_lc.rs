//! The default backend: AWS-LC through `aws-lc-rs`.

use std::fmt;
use std::sync::OnceLock;

use aws_lc_rs::digest::{digest, SHA256, SHA512};
use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    self, ParsedPublicKey, RsaKeyPair, UnparsedPublicKey, VerificationAlgorithm, RSA_PKCS1_SHA256,
};

use super::key::{self, Curve, KeyShell, RsaNumbers};
use super::pem;
use super::scheme::{Hash, RefusedScheme, SignatureScheme};

/// The SHA-256 hash of some bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    digest(&SHA256, bytes).as_ref().try_into().unwrap_or_default()
}

/// The SHA-512 hash of some bytes.
pub fn sha512(bytes: &[u8]) -> [u8; 64] {
    digest(&SHA512, bytes).as_ref().try_into().unwrap_or([0; 64])
}

/// An RSA public key of 2048 to 8192 bits, parsed once and ready to verify.
#[derive(Clone)]
pub struct RsaPublicKey {
    key: ParsedPublicKey,
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
        let bits = RsaNumbers::from_pkcs1(pkcs1)?.modulus_bits();
        let key = ParsedPublicKey::new(&signature::RSA_PKCS1_2048_8192_SHA256, pkcs1).ok()?;
        Some(Self { key, bits })
    }

    /// Bits of the modulus.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Whether the signature (PKCS#1 v1.5 over SHA-256) is this key's over the message.
    pub fn verify_sha256(&self, message: &[u8], signature: &[u8]) -> bool {
        self.key.verify_sig(message, signature).is_ok()
    }
}

impl fmt::Debug for RsaPublicKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "RsaPublicKey({} bits)", self.bits)
    }
}

/// What kind of key is in `spki`, where no signature by it can be verified.
pub(crate) fn refused_key(spki: &[u8]) -> Option<RefusedScheme> {
    key::refused_key(spki, &Curve::ALL)
}

/// Whether `signature` is the signature over a certificate's `tbs` part by the key in `spki`.
pub fn verify_certificate(spki: &[u8], scheme: SignatureScheme, tbs: &[u8], signature: &[u8]) -> bool {
    let Some(shell) = KeyShell::from_spki(spki) else { return false };
    let (algorithm, key): (&'static dyn VerificationAlgorithm, &[u8]) = match (shell, scheme) {
        (KeyShell::Rsa(pkcs1), SignatureScheme::RsaPkcs1(hash)) => (pkcs1_verifier(hash), pkcs1),
        (KeyShell::Rsa(pkcs1) | KeyShell::RsaPssOnly(pkcs1), SignatureScheme::RsaPss(hash)) => {
            (pss_verifier(hash), pkcs1)
        }
        (KeyShell::Elliptic(curve, point), SignatureScheme::Ecdsa(hash)) => {
            (ecdsa_verifier(curve, hash), point)
        }
        _ => return false,
    };
    let sound = matches!(shell, KeyShell::Elliptic(..)) || RsaNumbers::from_pkcs1(key).is_some();
    sound && UnparsedPublicKey::new(algorithm, key).verify(tbs, signature).is_ok()
}

fn pkcs1_verifier(hash: Hash) -> &'static dyn VerificationAlgorithm {
    match hash {
        Hash::Sha256 => &signature::RSA_PKCS1_2048_8192_SHA256,
        Hash::Sha384 => &signature::RSA_PKCS1_2048_8192_SHA384,
        Hash::Sha512 => &signature::RSA_PKCS1_2048_8192_SHA512,
    }
}

fn pss_verifier(hash: Hash) -> &'static dyn VerificationAlgorithm {
    match hash {
        Hash::Sha256 => &signature::RSA_PSS_2048_8192_SHA256,
        Hash::Sha384 => &signature::RSA_PSS_2048_8192_SHA384,
        Hash::Sha512 => &signature::RSA_PSS_2048_8192_SHA512,
    }
}

fn ecdsa_verifier(curve: Curve, hash: Hash) -> &'static dyn VerificationAlgorithm {
    match (curve, hash) {
        (Curve::P256, Hash::Sha256) => &signature::ECDSA_P256_SHA256_ASN1,
        (Curve::P256, Hash::Sha384) => &signature::ECDSA_P256_SHA384_ASN1,
        (Curve::P256, Hash::Sha512) => &signature::ECDSA_P256_SHA512_ASN1,
        (Curve::P384, Hash::Sha256) => &signature::ECDSA_P384_SHA256_ASN1,
        (Curve::P384, Hash::Sha384) => &signature::ECDSA_P384_SHA384_ASN1,
        (Curve::P384, Hash::Sha512) => &signature::ECDSA_P384_SHA512_ASN1,
        (Curve::P521, Hash::Sha256) => &signature::ECDSA_P521_SHA256_ASN1,
        (Curve::P521, Hash::Sha384) => &signature::ECDSA_P521_SHA384_ASN1,
        (Curve::P521, Hash::Sha512) => &signature::ECDSA_P521_SHA512_ASN1,
    }
}

/// An RSA private key. Its `Debug` shows nothing of it.
pub struct RsaPrivateKey {
    /// Signing takes turns by a lock within. A process that was forked has a copy of it as it was then, perhaps held.
    key: RsaKeyPair,
    /// Whose `key` is to sign with.
    process: u32,
    /// The same for a process that was forked since.
    after_fork: OnceLock<Option<Box<Self>>>,
}

impl RsaPrivateKey {
    /// Reads unencrypted PKCS#8, PEM (`PRIVATE KEY`) or DER. `None` if it is no such key, or outside of the bounds.
    pub fn from_pkcs8(key: &[u8]) -> Option<Self> {
        let der = pem::private_key(key)?;
        Some(Self::of(RsaKeyPair::from_pkcs8(&der).ok()?))
    }

    /// Reads an unencrypted key in PKCS#8 or PKCS#1, PEM (`PRIVATE KEY`, `RSA PRIVATE KEY`) or DER. `None` where it
    /// is none or out of bounds.
    pub fn read(key: &[u8]) -> Option<Self> {
        Self::from_pkcs8(key).or_else(|| Self::from_pkcs1(key))
    }

    fn from_pkcs1(key: &[u8]) -> Option<Self> {
        let der = pem::rsa_private_key(key)?;
        Some(Self::of(RsaKeyPair::from_der(&der).ok()?))
    }

    fn of(key: RsaKeyPair) -> Self {
        Self { key, process: std::process::id(), after_fork: OnceLock::new() }
    }

    /// The key for this process to sign with.
    fn own(&self) -> Option<&RsaKeyPair> {
        if self.process == std::process::id() {
            return Some(&self.key);
        }
        let read_again = || {
            let der = AsDer::<Pkcs8V1Der<'_>>::as_der(&self.key).ok()?;
            Self::from_pkcs8(der.as_ref()).map(Box::new)
        };
        self.after_fork.get_or_init(read_again).as_deref()?.own()
    }

    /// The public half as PKCS#1 DER.
    pub fn public_key_pkcs1(&self) -> Vec<u8> {
        use aws_lc_rs::signature::KeyPair as _;
        self.key.public_key().as_ref().to_vec()
    }

    /// Signs with PKCS#1 v1.5 over SHA-256; the same message gives the same signature. `None` only where the
    /// backend fails.
    pub fn sign_sha256(&self, message: &[u8]) -> Option<Vec<u8>> {
        let key = self.own()?;
        let mut signature = vec![0; key.public_modulus_len()];
        // PKCS#1 v1.5 draws nothing from it; the backend blinds with a generator of its own.
        key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).ok()?;
        Some(signature)
    }
}

impl fmt::Debug for RsaPrivateKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("RsaPrivateKey(…)")
    }
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use super::*;
    use crate::sandbox::pki::TEST_KEYS_PEM;

    #[test]
    fn a_forked_process_signs_with_a_copy_of_its_own() {
        let key = RsaPrivateKey::from_pkcs8(TEST_KEYS_PEM[0].as_bytes()).unwrap();
        let expected = key.sign_sha256(b"text");
        // As if this were the child of the process that read the key, and then the child of that.
        let forked = RsaPrivateKey { process: 0, ..key };
        assert_eq!(forked.sign_sha256(b"text"), expected);
        let child = forked.after_fork.get().unwrap().as_deref().unwrap();
        assert!(std::ptr::eq(forked.own().unwrap(), &child.key) && child.after_fork.get().is_none());
    }
}
