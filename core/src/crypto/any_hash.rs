//! The hashes that a client may have taken, those that the contract does not accept included: to explain a refusal,
//! never to accept a signature.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest as _, Sha384};

use crate::wire::der;

/// A hash function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnyHash {
    /// MD5.
    Md5,
    /// SHA-1.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

impl AnyHash {
    /// Every one.
    pub(crate) const ALL: [Self; 5] = [Self::Sha256, Self::Sha512, Self::Sha1, Self::Sha384, Self::Md5];

    /// The name, as a text shows it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Md5 => "MD5",
            Self::Sha1 => "SHA-1",
            Self::Sha256 => "SHA-256",
            Self::Sha384 => "SHA-384",
            Self::Sha512 => "SHA-512",
        }
    }

    /// The hash's length in bytes.
    pub(crate) fn length(self) -> usize {
        match self {
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    /// The function whose hashes have that many bytes.
    pub(crate) fn of_length(length: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|hash| hash.length() == length)
    }

    /// The hash of some bytes.
    pub(crate) fn of(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Md5 => <Md5 as md5::Digest>::digest(bytes).to_vec(),
            Self::Sha1 => Sha1::digest(bytes).to_vec(),
            Self::Sha256 => super::sha256(bytes).to_vec(),
            Self::Sha384 => Sha384::digest(bytes).to_vec(),
            Self::Sha512 => super::sha512(bytes).to_vec(),
        }
    }

    fn oid(self) -> &'static [u8] {
        match self {
            Self::Md5 => &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x05],
            Self::Sha1 => &[0x2b, 0x0e, 0x03, 0x02, 0x1a],
            Self::Sha256 => &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01],
            Self::Sha384 => &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02],
            Self::Sha512 => &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03],
        }
    }

    /// Reads a DigestInfo (RFC 8017 section 9.2): the function, `None` if it is none of these, and the hash.
    pub(crate) fn from_digest_info(content: &[u8]) -> Option<(Option<Self>, &[u8])> {
        let shell = der::read_all(content).filter(|element| element.tag == der::SEQUENCE)?;
        let (algorithm, rest) = der::read_tagged(shell.content, der::SEQUENCE)?;
        let (hash, rest) = der::read_tagged(rest, der::OCTET_STRING)?;
        let (oid, _) = der::read_tagged(algorithm, der::OBJECT_IDENTIFIER)?;
        let known = Self::ALL.into_iter().find(|known| known.oid() == oid && known.length() == hash.len());
        rest.is_empty().then_some((known, hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-4, for SHA-1 RFC 3174, for MD5 RFC 1321: the message `abc`.
    #[test]
    fn the_hashes_are_the_published_ones() {
        let hex =
            |hash: AnyHash| hash.of(b"abc").iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(hex(AnyHash::Md5), "900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(hex(AnyHash::Sha1), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert!(hex(AnyHash::Sha256).starts_with("ba7816bf8f01cfea"));
        assert!(hex(AnyHash::Sha384).starts_with("cb00753f45a35e8b"));
        assert!(hex(AnyHash::Sha512).starts_with("ddaf35a193617aba"));
        for hash in AnyHash::ALL {
            assert_eq!(AnyHash::of_length(hash.of(b"").len()), Some(hash));
        }
    }
}
