//! What a signature holds: a hash, or what was put in its place.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;

use super::mistake::Mistake;
use super::table;
use super::variants::texts::hex;
use crate::crypto::any_hash::AnyHash;
use crate::crypto::rsa_block::{PssContent, RsaBlock};

/// So many zero bytes of PSS padding do not occur by chance.
const PSS_ZEROS_CERTAIN: usize = 8;

/// The content of a signature that a public key has opened.
#[derive(Debug)]
pub(super) enum Sealed {
    /// PKCS#1 v1.5 over a hash.
    Hash(AnyHash, Vec<u8>),
    /// PKCS#1 v1.5 over a hash that is none of those known here.
    OtherHash,
    /// PKCS#1 v1.5 padding without the name of a hash function.
    Bare(Vec<u8>),
    /// PSS padding, as each pair of hash functions reads it. One with a long salt may be read by a wrong pair too.
    Pss(Vec<PssContent>),
    /// A hash without any padding: `NoPadding` of Java, `-pkeyopt rsa_padding_mode:none` of OpenSSL.
    Unpadded(Vec<u8>),
}

impl Sealed {
    /// Opens a signature by the key in `spki`; `None` if no known padding appears.
    pub(super) fn open(spki: &[u8], signature: &[u8]) -> Option<Self> {
        let block = RsaBlock::recover(spki, signature)?;
        if let Some(content) = block.pkcs1_content() {
            return Some(match AnyHash::from_digest_info(content) {
                Some((Some(algorithm), hash)) => Self::Hash(algorithm, hash.to_vec()),
                Some((None, _)) => Self::OtherHash,
                None => Self::Bare(content.to_vec()),
            });
        }
        let masks = |hash| [hash, AnyHash::Sha1].map(|mask| (hash, mask));
        let pss = AnyHash::ALL.into_iter().flat_map(masks);
        let pss: Vec<PssContent> = pss.filter_map(|(hash, mask)| block.pss_content(hash, mask)).collect();
        match pss.is_empty() {
            true => block.unpadded_content().map(Self::Unpadded),
            false => Some(Self::Pss(pss)),
        }
    }

    /// Whether the key is proven by the form alone.
    pub(super) fn is_certain(&self) -> bool {
        match self {
            Self::Pss(readings) => readings.iter().any(|content| content.zeros >= PSS_ZEROS_CERTAIN),
            Self::Unpadded(_) => false,
            _ => true,
        }
    }

    /// The mistake in padding or hash function; `None` if both are the contract's.
    pub(super) fn mistake(&self) -> Option<&'static Mistake> {
        match self {
            Self::Hash(AnyHash::Sha256, _) => None,
            Self::Hash(AnyHash::Sha512, _) => Some(&table::SHA_512),
            Self::Hash(AnyHash::Sha1, _) => Some(&table::SHA_1),
            Self::Hash(AnyHash::Sha384 | AnyHash::Md5, _) | Self::OtherHash => Some(&table::OTHER_HASH),
            Self::Bare(content) if is_hex(content) => Some(&table::HEX_WITHOUT_DIGEST_INFO),
            Self::Bare(_) | Self::Unpadded(_) => Some(&table::NO_DIGEST_INFO),
            Self::Pss(_) => Some(&table::PSS),
        }
    }

    /// Whether this is what a signature over the text holds.
    pub(super) fn holds(&self, text: &[u8]) -> bool {
        match self {
            Self::Hash(algorithm, hash) => algorithm.of(text) == *hash,
            Self::OtherHash => false,
            Self::Pss(readings) => readings.iter().any(|content| content.is_of(text)),
            Self::Bare(content) | Self::Unpadded(content) => {
                content == text
                    || AnyHash::ALL.into_iter().any(|hash| {
                        let hash = hash.of(text);
                        *content == hash || hash_forms(&hash).iter().any(|form| form == content)
                    })
            }
        }
    }

    /// The mistake, if a hash of the text was signed as if it were the text.
    pub(super) fn holds_hash_of(&self, text: &[u8]) -> Option<(&'static Mistake, Vec<u8>)> {
        AnyHash::ALL.into_iter().find_map(|algorithm| {
            let hash = algorithm.of(text);
            let [lower, upper, base64] = hash_forms(&hash);
            let twice = [hash, base64].map(|form| (&table::HASHED_TWICE, form));
            let hex = [lower, upper].map(|form| (&table::HEX_OF_HASH_SIGNED, form));
            twice.into_iter().chain(hex).find(|(_, form)| self.holds(form))
        })
    }
}

/// A hash as texts: hexadecimal in both cases, and base64.
fn hash_forms(hash: &[u8]) -> [Vec<u8>; 3] {
    let hex = hex(hash);
    [hex.clone().into_bytes(), hex.to_uppercase().into_bytes(), STANDARD.encode(hash).into_bytes()]
}

fn is_hex(content: &[u8]) -> bool {
    AnyHash::ALL.iter().any(|hash| hash.length() * 2 == content.len())
        && content.iter().all(u8::is_ascii_hexdigit)
}
