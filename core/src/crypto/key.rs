//! The outer shell of public keys (RFC 5280 SubjectPublicKeyInfo, RFC 8017 RSAPublicKey), read the same way
//! for every backend, so that all of them accept the same keys.

use crate::limits::{RSA_BITS_MAX, RSA_BITS_MIN};
use crate::wire::der;

const RSA_ENCRYPTION: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const RSASSA_PSS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a];
const EC_PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
const P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
const P384: &[u8] = &[0x2b, 0x81, 0x04, 0x00, 0x22];
const P521: &[u8] = &[0x2b, 0x81, 0x04, 0x00, 0x23];

/// The elliptic curves that certificates may be signed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Curve {
    /// NIST P-256.
    P256,
    /// NIST P-384.
    P384,
    /// NIST P-521.
    P521,
}

/// A public key as it stands in a certificate, not yet looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyShell<'a> {
    /// PKCS#1 DER of an RSA key that signs with any padding.
    Rsa(&'a [u8]),
    /// PKCS#1 DER of an RSA key that the certificate reserves for PSS.
    RsaPssOnly(&'a [u8]),
    /// A point in the form of SEC 1.
    Elliptic(Curve, &'a [u8]),
}

impl<'a> KeyShell<'a> {
    /// Reads a SubjectPublicKeyInfo. `None` where it is malformed or of a kind that is not supported.
    pub fn from_spki(spki: &'a [u8]) -> Option<Self> {
        let shell = der::read_all(spki).filter(|element| element.tag == der::SEQUENCE)?;
        let (algorithm, rest) = der::read_tagged(shell.content, der::SEQUENCE)?;
        let (bits, _) = der::read_tagged(rest, der::BIT_STRING)?;
        let key = bits.strip_prefix(&[0])?;
        let (oid, parameters) = der::read_tagged(algorithm, der::OBJECT_IDENTIFIER)?;
        match oid {
            RSA_ENCRYPTION => Some(Self::Rsa(key)),
            RSASSA_PSS => Some(Self::RsaPssOnly(key)),
            EC_PUBLIC_KEY => {
                let (curve, _) = der::read_tagged(parameters, der::OBJECT_IDENTIFIER)?;
                let curve = match curve {
                    P256 => Curve::P256,
                    P384 => Curve::P384,
                    P521 => Curve::P521,
                    _ => return None,
                };
                Some(Self::Elliptic(curve, key))
            }
            _ => None,
        }
    }
}

/// The numbers of an RSA key within the supported bounds, big-endian without leading zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RsaNumbers<'a> {
    modulus: &'a [u8],
    exponent: &'a [u8],
}

impl<'a> RsaNumbers<'a> {
    /// Reads PKCS#1 DER. `None` unless the modulus is odd and has 2048 to 8192 bits, and the exponent is odd
    /// and has 2 to 33 bits: the widest range that all backends share.
    pub fn from_pkcs1(pkcs1: &'a [u8]) -> Option<Self> {
        let shell = der::read_all(pkcs1).filter(|element| element.tag == der::SEQUENCE)?;
        let (modulus, rest) = der::read_tagged(shell.content, der::INTEGER)?;
        let (exponent, rest) = der::read_tagged(rest, der::INTEGER)?;
        let numbers = Self { modulus: positive(modulus)?, exponent: positive(exponent)? };
        let odd = |number: &[u8]| number.last().is_some_and(|byte| byte & 1 == 1);
        let sound = rest.is_empty()
            && odd(numbers.modulus)
            && odd(numbers.exponent)
            && (RSA_BITS_MIN..=RSA_BITS_MAX).contains(&numbers.modulus_bits())
            && (2..=33).contains(&bits(numbers.exponent));
        sound.then_some(numbers)
    }

    /// The modulus.
    pub fn modulus(&self) -> &'a [u8] {
        self.modulus
    }

    /// The public exponent.
    pub fn exponent(&self) -> &'a [u8] {
        self.exponent
    }

    /// Bits of the modulus.
    pub fn modulus_bits(&self) -> usize {
        bits(self.modulus)
    }
}

/// The magnitude of a DER integer in its shortest form; `None` for a negative, an empty or a padded one.
fn positive(integer: &[u8]) -> Option<&[u8]> {
    match integer {
        [] => None,
        [first, ..] if first & 0x80 != 0 => None,
        [0, second, ..] if second & 0x80 == 0 => None,
        [0, rest @ ..] => Some(rest),
        _ => Some(integer),
    }
}

fn bits(magnitude: &[u8]) -> usize {
    let leading = magnitude.first().map_or(0, |byte| byte.leading_zeros());
    (magnitude.len() * 8).saturating_sub(usize::try_from(leading).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pkcs1(modulus: &[u8], exponent: &[u8]) -> Vec<u8> {
        let (n, e) = (der::encode(der::INTEGER, &[modulus]), der::encode(der::INTEGER, &[exponent]));
        der::encode(der::SEQUENCE, &[&n, &e])
    }

    fn modulus(bits: usize) -> Vec<u8> {
        let mut magnitude = vec![0xff; bits.div_ceil(8)];
        magnitude[0] >>= (8 - bits % 8) % 8;
        if magnitude[0] & 0x80 != 0 {
            magnitude.insert(0, 0);
        }
        magnitude
    }

    #[test]
    fn moduli_from_2048_to_8192_bits_are_supported() {
        for (bits, expected) in [(2047, None), (2048, Some(2048)), (8192, Some(8192)), (8193, None)] {
            let der = pkcs1(&modulus(bits), &[1, 0, 1]);
            assert_eq!(
                RsaNumbers::from_pkcs1(&der).map(|numbers| numbers.modulus_bits()),
                expected,
                "{bits}"
            );
        }
    }

    #[test]
    fn exponents_are_odd_and_have_at_most_33_bits() {
        let sound = |exponent: &[u8]| RsaNumbers::from_pkcs1(&pkcs1(&modulus(2048), exponent)).is_some();
        assert!(sound(&[3]) && sound(&[1, 0, 1]) && sound(&[1, 0xff, 0xff, 0xff, 0xff]));
        assert!(!sound(&[1]) && !sound(&[0]) && !sound(&[4]) && !sound(&[3, 0xff, 0xff, 0xff, 0xff]));
        assert!(!sound(&[0x83]), "negative");
    }
}
