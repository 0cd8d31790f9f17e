//! The outer shell of public keys (RFC 5280 SubjectPublicKeyInfo, RFC 8017 RSAPublicKey), read the same way
//! for every backend, so that all of them accept the same keys.

use super::scheme::{named, RefusedScheme};
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
pub(crate) enum Curve {
    /// NIST P-256.
    P256,
    /// NIST P-384.
    P384,
    /// NIST P-521.
    P521,
}

impl Curve {
    /// Every one.
    #[cfg(any(test, feature = "aws-lc"))]
    pub(crate) const ALL: [Self; 3] = [Self::P256, Self::P384, Self::P521];

    fn name(self) -> &'static str {
        match self {
            Self::P256 => "P-256",
            Self::P384 => "P-384",
            Self::P521 => "P-521",
        }
    }
}

/// A public key as encoded in a certificate, not yet parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyShell<'a> {
    /// PKCS#1 DER of an RSA key that signs with any padding.
    Rsa(&'a [u8]),
    /// PKCS#1 DER of an RSA key that the certificate reserves for PSS.
    RsaPssOnly(&'a [u8]),
    /// A point in the form of SEC 1.
    Elliptic(Curve, &'a [u8]),
}

impl<'a> KeyShell<'a> {
    /// Reads a SubjectPublicKeyInfo. `None` where it is malformed or of a kind that is not supported.
    pub(crate) fn from_spki(spki: &'a [u8]) -> Option<Self> {
        let (oid, parameters, key) = parts(spki)?;
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

/// The algorithm of a SubjectPublicKeyInfo, its parameters, and the key.
fn parts(spki: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let shell = der::read_all(spki).filter(|element| element.tag == der::SEQUENCE)?;
    let (algorithm, rest) = der::read_tagged(shell.content, der::SEQUENCE)?;
    let (bits, _) = der::read_tagged(rest, der::BIT_STRING)?;
    let (oid, parameters) = der::read_tagged(algorithm, der::OBJECT_IDENTIFIER)?;
    Some((oid, parameters, bits.strip_prefix(&[0])?))
}

/// What kind of key it is, where certificates signed with it cannot be verified: by a backend that takes RSA within
/// the supported bounds, and these curves.
pub(super) fn refused_key(spki: &[u8], curves: &[Curve]) -> Option<RefusedScheme> {
    let kind = match KeyShell::from_spki(spki) {
        Some(KeyShell::Rsa(pkcs1) | KeyShell::RsaPssOnly(pkcs1)) => match RsaNumbers::from_pkcs1(pkcs1) {
            Some(_) => return None,
            None => refused_rsa(pkcs1),
        },
        Some(KeyShell::Elliptic(curve, _)) if curves.contains(&curve) => return None,
        Some(KeyShell::Elliptic(curve, _)) => curve.name().to_owned(),
        None => refused_kind(spki),
    };
    Some(RefusedScheme::Other(kind))
}

/// Longest exponent that a message shows.
const EXPONENT_BYTES_SHOWN: usize = 8;

/// RSA with the size of its modulus; where that is supported, the exponent is what is not.
fn refused_rsa(pkcs1: &[u8]) -> String {
    match RsaNumbers::read(pkcs1) {
        Some(numbers) if numbers.has_supported_size() => {
            let shown = numbers.exponent.iter().take(EXPONENT_BYTES_SHOWN);
            let exponent: String = shown.map(|byte| format!("{byte:02x}")).collect();
            format!("RSA-{}, e=0x{exponent}", numbers.modulus_bits())
        }
        Some(numbers) => format!("RSA-{}", numbers.modulus_bits()),
        None => "RSA".to_owned(),
    }
}

/// The curve by its name or number, the algorithm of another key by its own. A curve may be written out instead.
fn refused_kind(spki: &[u8]) -> String {
    let (oid, parameters, _) = parts(spki).unwrap_or_default();
    let curve = der::read_tagged(parameters, der::OBJECT_IDENTIFIER).filter(|_| oid == EC_PUBLIC_KEY);
    named(curve.map_or(oid, |(curve, _)| curve))
}

/// The numbers of an RSA key within the supported bounds, big-endian without leading zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RsaNumbers<'a> {
    modulus: &'a [u8],
    exponent: &'a [u8],
}

impl<'a> RsaNumbers<'a> {
    /// Reads PKCS#1 DER. `None` unless the modulus is odd and has 2048 to 8192 bits, and the exponent is odd
    /// and has 2 to 33 bits: the widest range that all backends share.
    pub(crate) fn from_pkcs1(pkcs1: &'a [u8]) -> Option<Self> {
        let numbers = Self::read(pkcs1)?;
        let odd = |number: &[u8]| number.last().is_some_and(|byte| byte & 1 == 1);
        let sound = odd(numbers.modulus)
            && odd(numbers.exponent)
            && numbers.has_supported_size()
            && (2..=33).contains(&bits(numbers.exponent));
        sound.then_some(numbers)
    }

    /// Those of any RSA key.
    fn read(pkcs1: &'a [u8]) -> Option<Self> {
        let shell = der::read_all(pkcs1).filter(|element| element.tag == der::SEQUENCE)?;
        let (modulus, rest) = der::read_tagged(shell.content, der::INTEGER)?;
        let (exponent, rest) = der::read_tagged(rest, der::INTEGER)?;
        rest.is_empty().then_some(Self { modulus: positive(modulus)?, exponent: positive(exponent)? })
    }

    fn has_supported_size(&self) -> bool {
        (RSA_BITS_MIN..=RSA_BITS_MAX).contains(&self.modulus_bits())
    }

    /// The modulus.
    pub(crate) fn modulus(&self) -> &'a [u8] {
        self.modulus
    }

    /// The public exponent.
    pub(crate) fn exponent(&self) -> &'a [u8] {
        self.exponent
    }

    /// Bits of the modulus.
    pub(crate) fn modulus_bits(&self) -> usize {
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

    fn spki(algorithm: &[&[u8]], key: &[u8]) -> Vec<u8> {
        let identifiers: Vec<_> =
            algorithm.iter().map(|oid| der::encode(der::OBJECT_IDENTIFIER, &[oid])).collect();
        let identifiers: Vec<_> = identifiers.iter().map(Vec::as_slice).collect();
        let bits = der::encode(der::BIT_STRING, &[&[0], key]);
        der::encode(der::SEQUENCE, &[&der::encode(der::SEQUENCE, &identifiers), &bits])
    }

    #[test]
    fn an_unsupported_key_is_reported_by_its_kind() {
        let refused = |algorithm: &[&[u8]], key: &[u8]| match refused_key(&spki(algorithm, key), &Curve::ALL)
        {
            Some(RefusedScheme::Other(kind)) => kind,
            other => format!("{other:?}"),
        };
        let rsa = |bits: usize, exponent: &[u8]| refused(&[RSA_ENCRYPTION], &pkcs1(&modulus(bits), exponent));
        assert_eq!([rsa(2047, &[3]), rsa(2048, &[3])], ["RSA-2047", "None"]);
        assert_eq!([rsa(8192, &[3]), rsa(8193, &[3])], ["None", "RSA-8193"]);
        assert_eq!(rsa(2048, &[1]), "RSA-2048, e=0x01");
        assert_eq!(rsa(2048, &[0x7f; 9]), "RSA-2048, e=0x7f7f7f7f7f7f7f7f");
        assert_eq!(refused(&[RSASSA_PSS], &pkcs1(&modulus(1024), &[3])), "RSA-1024");
        assert_eq!(refused(&[RSA_ENCRYPTION], b"no key"), "RSA");
        let on = |curve: &[u8]| refused(&[EC_PUBLIC_KEY, curve], &[4]);
        assert_eq!([on(P256), on(P384), on(P521)], ["None"; 3]);
        assert_eq!(on(&[0x2b, 0x24, 3, 3, 2, 8, 1, 1, 7]), "brainpoolP256r1");
        assert_eq!(on(&[0x2b, 0x81, 4, 0, 10]), "secp256k1");
        assert_eq!(on(&[0x2b, 0x81, 4, 0, 33]), "1.3.132.0.33", "a curve without a name here");
        assert_eq!(refused(&[EC_PUBLIC_KEY], &[4]), "1.2.840.10045.2.1", "a curve written out");
        assert_eq!(refused(&[&[0x2b, 0x65, 0x70]], &[0; 32]), "Ed25519");
        assert_eq!(refused_key(b"no key", &Curve::ALL), Some(RefusedScheme::Other("?".into())));
        let without_curves = refused_key(&spki(&[EC_PUBLIC_KEY, P384], &[4]), &[]);
        assert_eq!(without_curves, Some(RefusedScheme::Other("P-384".into())));
    }

    #[test]
    fn exponents_are_odd_and_have_at_most_33_bits() {
        let sound = |exponent: &[u8]| RsaNumbers::from_pkcs1(&pkcs1(&modulus(2048), exponent)).is_some();
        assert!(sound(&[3]) && sound(&[1, 0, 1]) && sound(&[1, 0xff, 0xff, 0xff, 0xff]));
        assert!(!sound(&[1]) && !sound(&[0]) && !sound(&[4]) && !sound(&[3, 0xff, 0xff, 0xff, 0xff]));
        assert!(!sound(&[0x83]), "negative");
    }
}
