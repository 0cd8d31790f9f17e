//! Resource ids: nothing to be parsed, unguessable, and safe as one path segment.
//!
//! An id is `enc!!` and 18 bytes in base64url without padding, the shape that clients of this API already meet in the
//! field. Ids that are drawn while the engine runs sort in the order of drawing: a store appends them to the indexes by
//! id instead of scattering them over all pages. 90 random bits follow their rank.

use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::Engine as _;

use super::inline_ascii::InlineAscii;

const PREFIX: &str = "enc!!";
/// How many bytes an id is made of.
pub const ID_BYTES: usize = 18;
/// How many characters of an id hold its rank, six bits each: as microseconds, up to the year 2540.
const RANK_CHARS: usize = 9;
/// Longer ids do not exist; they are not looked up.
const ID_CHARS_MAX: usize = 64;

type IdText = InlineAscii<ID_CHARS_MAX>;

macro_rules! resource_ids {
    ($( $(#[$doc:meta])* $name:ident $shown:ident; )+) => { $(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(IdText);

        impl $name {
            /// The id of those bytes.
            pub fn from_bytes(bytes: [u8; ID_BYTES]) -> Self {
                Self(opaque(&bytes))
            }

            /// An id as a client or the store gives it back. `None` where no such id can exist.
            pub fn parse(text: &str) -> Option<Self> {
                IdText::copy(text).filter(|_| is_plausible(text)).map(Self)
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        resource_ids!(@$shown $name);
    )+ };
    (@shown $name:ident) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.debug_tuple(stringify!($name)).field(&self.as_str()).finish()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.as_str())
            }
        }
    };
    (@hidden $name:ident) => {
        /// Log-safe: a person who knows the id can answer instead of the PSU.
        impl std::fmt::Debug for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(concat!(stringify!($name), "(redacted)"))
            }
        }
    };
}

resource_ids! {
    /// A payment.
    PaymentId shown;
    /// A signing basket.
    BasketId shown;
    /// An authorisation: the thing behind an `scaRedirect` link.
    AuthorisationId hidden;
    /// A customer of the simulated bank, private or corporate.
    CustomerId shown;
    /// An agreement of the simulated bank.
    AgreementId shown;
    /// An engagement within an agreement.
    EngagementId shown;
    /// An account.
    AccountId shown;
    /// A card account.
    CardAccountId shown;
    /// A booked transaction. It never changes.
    TransactionId shown;
}

/// Makes random bytes those of an id that sorts, as text, behind those of lower ranks. The lowest 54 bits of a rank
/// count.
pub(crate) fn put_rank(rank: u64, bytes: &mut [u8; ID_BYTES]) {
    // Three bytes are four characters.
    for (triple, characters) in bytes.chunks_exact_mut(3).zip([0..4, 4..8, 8..RANK_CHARS]) {
        let [first, second, third] = triple else { continue };
        let mut bits = u32::from_be_bytes([0, *first, *second, *third]);
        for (place, character) in characters.enumerate() {
            let digit = rank >> (6 * (RANK_CHARS - 1 - character)) & 0x3F;
            let shift = 18 - 6 * place;
            bits = bits & !(0x3F << shift) | sextet_of_digit(digit) << shift;
        }
        [_, *first, *second, *third] = bits.to_be_bytes();
    }
}

/// The alphabet of base64url in the order of ASCII, by the first character of each kind: which place it has there, and
/// which six bits it is.
const KINDS: [(u64, u32, u8); 5] =
    [(0, 62, b'-'), (1, 52, b'0'), (11, 0, b'A'), (37, 63, b'_'), (38, 26, b'a')];

/// The six bits that base64url writes as that character of its alphabet in the order of ASCII.
fn sextet_of_digit(digit: u64) -> u32 {
    let kind = KINDS.iter().rev().find(|(first, _, _)| *first <= digit);
    kind.map_or(0, |(first, sextet, _)| (digit - first) as u32 + sextet)
}

fn opaque(bytes: &[u8; ID_BYTES]) -> IdText {
    let mut characters = [0; ID_BYTES / 3 * 4];
    // Three bytes are four characters, so both buffers are large enough.
    let _ = URL_SAFE_NO_PAD.encode_slice(bytes, &mut characters);
    IdText::collect(PREFIX.bytes().chain(characters)).unwrap_or_default()
}

fn is_plausible(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!=-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_path_segment_of_fixed_length() {
        let id = PaymentId::from_bytes([0xFF; ID_BYTES]);
        assert_eq!(id.as_str(), "enc!!________________________");
        assert_eq!(PaymentId::parse(id.as_str()), Some(id));
    }

    /// What base64url writes as `----` and as `zzzz`: its least and its greatest in the order of ASCII.
    const LEAST: [u8; 3] = [0xFB, 0xEF, 0xBE];
    const GREATEST: [u8; 3] = [0xCF, 0x3C, 0xF3];

    fn id_of(rank: u64, random: [u8; 3]) -> String {
        let mut bytes = [0; ID_BYTES];
        bytes.chunks_exact_mut(3).for_each(|triple| triple.copy_from_slice(&random));
        put_rank(rank, &mut bytes);
        PaymentId::from_bytes(bytes).as_str().to_owned()
    }

    #[test]
    fn ids_of_higher_ranks_sort_behind_lower_ones_for_all_random_bits() {
        let rising = (0..54).map(|bit| 1_u64 << bit).chain([(1 << 54) - 1]);
        let mut ranks: Vec<u64> = rising.flat_map(|rank| [rank - 1, rank]).chain(0..4096).collect();
        ranks.sort_unstable();
        ranks.dedup();
        for pair in ranks.windows(2) {
            let (lower, higher) = (id_of(pair[0], GREATEST), id_of(pair[1], LEAST));
            assert!(lower < higher, "{pair:?}: {lower} {higher}");
        }
    }

    #[test]
    fn the_rank_takes_nine_characters_and_leaves_the_others_to_chance() {
        // The characters in the order of ASCII, counted by hand: 0 is `-`, 1 is `0`, 11 is `A`, 37 is `_`, 63 is `z`.
        assert_eq!(id_of(0, GREATEST), "enc!!---------zzzzzzzzzzzzzzz");
        assert_eq!(id_of(1, LEAST), "enc!!--------0---------------");
        assert_eq!(id_of(11 << 6 | 37, [0; 3]), "enc!!-------A_AAAAAAAAAAAAAAA");
        assert_eq!(id_of(1 << 54, [0; 3]), id_of(0, [0; 3]), "beyond 54 bits the order starts again");
        assert_eq!(id_of((1 << 54) - 1, [0; 3]), "enc!!zzzzzzzzzAAAAAAAAAAAAAAA");
    }

    #[test]
    fn what_cannot_be_an_id_is_not_looked_up() {
        for text in ["", "a/b", "a b", "é", &"a".repeat(ID_CHARS_MAX + 1)] {
            assert_eq!(PaymentId::parse(text), None, "{text}");
        }
        assert!(PaymentId::parse(&"a".repeat(ID_CHARS_MAX)).is_some());
    }
}
