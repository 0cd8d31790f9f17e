//! How a certificate is signed: the AlgorithmIdentifier of RFC 4055 (RSA) and RFC 5758 (ECDSA).

use std::fmt;

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

/// A way to sign, or a key to sign with, that is not supported.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RefusedScheme {
    /// RSA-PSS as it is supported, but for the length of its salt in bytes.
    PssSalt(u32),
    /// Any other: the name of what is not supported, or the dotted number of its identifier.
    Other(String),
}

impl fmt::Display for RefusedScheme {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PssSalt(bytes) => {
                write!(out, "RSA-PSS with a salt of {bytes} bytes; it must be as long as the hash")
            }
            Self::Other(what) => out.write_str(what),
        }
    }
}

/// What certificates in the field are still signed with, the hashes that RSA-PSS may name, and kinds of keys.
const NAMES: &[(&str, &str)] = &[
    ("1.2.840.113549.1.1.4", "MD5"),
    ("1.2.840.113549.1.1.5", "SHA-1"),
    ("1.3.14.3.2.29", "SHA-1"),
    ("1.2.840.10045.4.1", "SHA-1"),
    ("1.2.840.113549.1.1.14", "SHA-224"),
    ("1.2.840.10045.4.3.1", "SHA-224"),
    ("1.3.101.112", "Ed25519"),
    ("1.3.101.113", "Ed448"),
    ("1.3.14.3.2.26", "SHA-1"),
    ("2.16.840.1.101.3.4.2.1", "SHA-256"),
    ("2.16.840.1.101.3.4.2.2", "SHA-384"),
    ("2.16.840.1.101.3.4.2.3", "SHA-512"),
    ("2.16.840.1.101.3.4.2.4", "SHA-224"),
    ("1.2.840.10040.4.1", "DSA"),
    ("1.3.132.0.10", "secp256k1"),
    ("1.3.36.3.3.2.8.1.1.7", "brainpoolP256r1"),
    ("1.3.36.3.3.2.8.1.1.11", "brainpoolP384r1"),
    ("1.3.36.3.3.2.8.1.1.13", "brainpoolP512r1"),
];

/// Longest dotted number that a message shows.
const DOTTED_CHARS_SHOWN: usize = 64;

/// The length of the salt where the parameters of RSA-PSS leave it out (RFC 4055 section 3.1).
const DEFAULT_SALT_BYTES: u32 = 20;

const PKCS1_ARC: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01];
const ECDSA_SHA2_ARC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03];

impl SignatureScheme {
    /// Reads the DER of an algorithm's OID (content only) and its parameters (whole, where present).
    ///
    /// # Errors
    /// [`RefusedScheme`] for what is not supported: SHA-1, EdDSA, PSS with mixed hashes or another salt length.
    pub fn from_parts(oid: &[u8], parameters: Option<&[u8]>) -> Result<Self, RefusedScheme> {
        match (oid.strip_prefix(PKCS1_ARC), oid.strip_prefix(ECDSA_SHA2_ARC)) {
            (Some([10]), _) => {
                let parameters = parameters.unwrap_or_default();
                pss(parameters).ok_or_else(|| refused_pss(parameters))
            }
            (Some([11]), _) => Ok(Self::RsaPkcs1(Hash::Sha256)),
            (Some([12]), _) => Ok(Self::RsaPkcs1(Hash::Sha384)),
            (Some([13]), _) => Ok(Self::RsaPkcs1(Hash::Sha512)),
            (_, Some([2])) => Ok(Self::Ecdsa(Hash::Sha256)),
            (_, Some([3])) => Ok(Self::Ecdsa(Hash::Sha384)),
            (_, Some([4])) => Ok(Self::Ecdsa(Hash::Sha512)),
            _ => Err(RefusedScheme::Other(named(oid))),
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

/// What about the parameters is not supported. Here the defaults of absent members count.
fn refused_pss(parameters: &[u8]) -> RefusedScheme {
    let members = der::read_all(parameters).filter(|element| element.tag == der::SEQUENCE);
    let (hash, rest) = member(members.map(|element| element.content).unwrap_or_default(), 0xa0);
    let (mask, rest) = member(rest, 0xa1);
    let (salt, _) = member(rest, 0xa2);
    let mask_hash = mask
        .and_then(|mask| der::read_tagged(mask, der::SEQUENCE))
        .and_then(|(mask, _)| der::read_tagged(mask, der::OBJECT_IDENTIFIER))
        .map(|(_, hash)| hash);
    let salt = salt.map_or(Some(DEFAULT_SALT_BYTES), number);
    let (known, same) = (hash.and_then(named_hash), hash == mask_hash);
    match (known, salt) {
        (Some(known), Some(salt)) if same && salt != u32::from(known.length()) => {
            RefusedScheme::PssSalt(salt)
        }
        _ if same => RefusedScheme::Other(format!("RSA-PSS, {}", name_of_hash(hash))),
        _ => {
            RefusedScheme::Other(format!("RSA-PSS, {}, MGF1 {}", name_of_hash(hash), name_of_hash(mask_hash)))
        }
    }
}

/// The content of an optional member, and what follows it.
fn member(input: &[u8], tag: u8) -> (Option<&[u8]>, &[u8]) {
    der::read_tagged(input, tag).map_or((None, input), |(content, rest)| (Some(content), rest))
}

/// A salt's length; `None` of what is none.
fn number(integer: &[u8]) -> Option<u32> {
    let digits = der::read_tagged(integer, der::INTEGER)?.0;
    let (sign, rest) = digits.split_first()?;
    let digits = if *sign == 0 { rest } else { digits };
    (*sign < 0x80 && digits.len() <= 4)
        .then(|| digits.iter().fold(0, |number, digit| number << 8 | u32::from(*digit)))
}

fn name_of_hash(identifier: Option<&[u8]>) -> String {
    let Some(identifier) = identifier else { return "SHA-1".to_owned() };
    let oid = der::read_tagged(identifier, der::SEQUENCE)
        .and_then(|(identifier, _)| der::read_tagged(identifier, der::OBJECT_IDENTIFIER));
    named(oid.map(|(oid, _)| oid).unwrap_or_default())
}

/// The name of an algorithm or a curve, or its dotted number.
pub(super) fn named(oid: &[u8]) -> String {
    let Some(dotted) = der::dotted(oid) else { return "?".to_owned() };
    match NAMES.iter().find(|(known, _)| *known == dotted) {
        Some((_, name)) => (*name).to_owned(),
        None => dotted.chars().take(DOTTED_CHARS_SHOWN).collect(),
    }
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
        assert_eq!(pss(1, 1, 32), Ok(SignatureScheme::RsaPss(Hash::Sha256)));
        assert_eq!(pss(3, 3, 64), Ok(SignatureScheme::RsaPss(Hash::Sha512)));
        let other = |what: &str| Err(RefusedScheme::Other(what.to_owned()));
        assert_eq!(pss(1, 2, 32), other("RSA-PSS, SHA-256, MGF1 SHA-384"));
        assert_eq!(pss(4, 4, 28), other("RSA-PSS, SHA-224"));
        assert_eq!(pss(1, 1, 20), Err(RefusedScheme::PssSalt(20)));
        assert_eq!(pss(1, 1, 0xDE), other("RSA-PSS, SHA-256"), "a negative length is none");
    }

    #[test]
    fn a_salt_is_reported_by_its_length_or_by_the_default() {
        let refused = |parameters: &[u8]| {
            let oid = [PKCS1_ARC, &[10]].concat();
            SignatureScheme::from_parts(&oid, Some(parameters)).unwrap_err()
        };
        let whole = pss_parameters(1, 1, 32);
        let members = der::read_all(&whole).unwrap().content;
        let without_salt = &members[..members.len() - 5];
        let with_salt = |digits: &[u8]| {
            let salt = der::encode(0xa2, &[&der::encode(der::INTEGER, &[digits])]);
            der::encode(der::SEQUENCE, &[without_salt, &salt])
        };
        assert_eq!(refused(&with_salt(&[0, 0xDE])), RefusedScheme::PssSalt(222), "as openssl writes it");
        assert_eq!(refused(&with_salt(&[0])), RefusedScheme::PssSalt(0));
        assert_eq!(refused(&with_salt(&[0x7f; 4])), RefusedScheme::PssSalt(0x7f7f_7f7f));
        assert_eq!(refused(&with_salt(&[1; 5])), RefusedScheme::Other("RSA-PSS, SHA-256".into()));
        assert_eq!(refused(&der::encode(der::SEQUENCE, &[without_salt])), RefusedScheme::PssSalt(20));
    }

    #[test]
    fn an_unsupported_algorithm_is_reported_by_name_or_number() {
        let refused = |oid: &[u8], parameters: &[u8]| match SignatureScheme::from_parts(oid, Some(parameters))
        {
            Err(RefusedScheme::Other(what)) => what,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(&[PKCS1_ARC, &[5]].concat(), &[5, 0]), "SHA-1");
        assert_eq!(refused(&[PKCS1_ARC, &[10]].concat(), &[0x30, 0]), "RSA-PSS, SHA-1");
        assert_eq!(refused(&[0x2b, 0x65, 0x70], &[]), "Ed25519");
        assert_eq!(refused(&[0x60, 0x86, 0x48, 0x01, 0x65, 3, 4, 3, 14], &[]), "2.16.840.1.101.3.4.3.14");
        assert_eq!(refused(&[0x2b; 200], &[]).len(), DOTTED_CHARS_SHOWN);
        assert_eq!(refused(&[], &[]), "?");
        assert_eq!(refused(&[[0x2b].as_slice(), &[0xff; 30], &[1]].concat(), &[]), "?");
    }
}
