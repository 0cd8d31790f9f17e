//! How a certificate is signed: the AlgorithmIdentifier of RFC 4055 (RSA) and RFC 5758 (ECDSA).

use crate::wire::der;

/// The hash inside a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

impl Hash {
    /// Length of the hash in bytes.
    pub fn length(self) -> u8 {
        match self {
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    fn from_oid(oid: &[u8]) -> Option<Self> {
        match oid.strip_prefix(&[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02])? {
            [1] => Some(Self::Sha256),
            [2] => Some(Self::Sha384),
            [3] => Some(Self::Sha512),
            _ => None,
        }
    }
}

/// A supported way to sign a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureScheme {
    /// RSA with PKCS#1 v1.5 padding.
    RsaPkcs1(Hash),
    /// RSA-PSS with MGF1 over the same hash and a salt of the hash's length.
    RsaPss(Hash),
    /// ECDSA over the hash; the curve is the key's.
    Ecdsa(Hash),
}

const PKCS1_ARC: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01];
const ECDSA_SHA2_ARC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03];

impl SignatureScheme {
    /// Reads the DER of an algorithm's OID (content only) and its parameters (whole, where present). `None`
    /// for what is not supported: SHA-1, EdDSA, PSS with mixed hashes or another salt length.
    pub fn from_parts(oid: &[u8], parameters: Option<&[u8]>) -> Option<Self> {
        match (oid.strip_prefix(PKCS1_ARC), oid.strip_prefix(ECDSA_SHA2_ARC)) {
            (Some([10]), _) => pss(parameters?),
            (Some([11]), _) => Some(Self::RsaPkcs1(Hash::Sha256)),
            (Some([12]), _) => Some(Self::RsaPkcs1(Hash::Sha384)),
            (Some([13]), _) => Some(Self::RsaPkcs1(Hash::Sha512)),
            (_, Some([2])) => Some(Self::Ecdsa(Hash::Sha256)),
            (_, Some([3])) => Some(Self::Ecdsa(Hash::Sha384)),
            (_, Some([4])) => Some(Self::Ecdsa(Hash::Sha512)),
            _ => None,
        }
    }
}

/// RSASSA-PSS-params: `[0]` hash, `[1]` mask generation, `[2]` salt length. The defaults of the absent
/// members are SHA-1 and 20, which are not supported, so all three must be present.
fn pss(parameters: &[u8]) -> Option<SignatureScheme> {
    let members = der::read_all(parameters).filter(|element| element.tag == der::SEQUENCE)?.content;
    let (hash, rest) = der::read_tagged(members, 0xa0)?;
    let (mask, rest) = der::read_tagged(rest, 0xa1)?;
    let (salt, _) = der::read_tagged(rest, 0xa2)?;
    let hash = named_hash(hash)?;
    let (mask, _) = der::read_tagged(mask, der::SEQUENCE)?;
    let (mgf1, mask_hash) = der::read_tagged(mask, der::OBJECT_IDENTIFIER)?;
    let fits = mgf1.strip_prefix(PKCS1_ARC) == Some(&[8])
        && named_hash(mask_hash) == Some(hash)
        && der::read_tagged(salt, der::INTEGER)?.0 == [hash.length()];
    fits.then_some(SignatureScheme::RsaPss(hash))
}

fn named_hash(identifier: &[u8]) -> Option<Hash> {
    let (identifier, _) = der::read_tagged(identifier, der::SEQUENCE)?;
    Hash::from_oid(der::read_tagged(identifier, der::OBJECT_IDENTIFIER)?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters as OpenSSL writes them for `-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest`.
    fn pss_parameters(hash: u8, mask_hash: u8, salt: u8) -> Vec<u8> {
        let algorithm = |last| {
            let oid = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, last];
            der::encode(der::SEQUENCE, &[&der::encode(der::OBJECT_IDENTIFIER, &[&oid]), &[5, 0]])
        };
        let mgf1 = der::encode(der::OBJECT_IDENTIFIER, &[PKCS1_ARC, &[8]]);
        let mask = der::encode(der::SEQUENCE, &[&mgf1, &algorithm(mask_hash)]);
        let salt = der::encode(der::INTEGER, &[&[salt]]);
        let members = [
            der::encode(0xa0, &[&algorithm(hash)]),
            der::encode(0xa1, &[&mask]),
            der::encode(0xa2, &[&salt]),
        ];
        der::encode(der::SEQUENCE, &[&members[0], &members[1], &members[2]])
    }

    #[test]
    fn pss_needs_one_hash_and_a_salt_of_its_length() {
        let pss = |hash, mask, salt| {
            let oid = [PKCS1_ARC, &[10]].concat();
            SignatureScheme::from_parts(&oid, Some(&pss_parameters(hash, mask, salt)))
        };
        assert_eq!(pss(1, 1, 32), Some(SignatureScheme::RsaPss(Hash::Sha256)));
        assert_eq!(pss(3, 3, 64), Some(SignatureScheme::RsaPss(Hash::Sha512)));
        assert_eq!(pss(1, 2, 32), None);
        assert_eq!(pss(1, 1, 20), None);
    }

    #[test]
    fn sha1_is_not_supported() {
        assert_eq!(SignatureScheme::from_parts(&[PKCS1_ARC, &[5]].concat(), Some(&[5, 0])), None);
        assert_eq!(SignatureScheme::from_parts(&[PKCS1_ARC, &[10]].concat(), Some(&[0x30, 0])), None);
    }
}
