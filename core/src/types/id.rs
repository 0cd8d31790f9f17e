//! Resource ids: opaque, unguessable, and safe as one path segment.
//!
//! An id is `enc!!` and 144 random bits in base64url without padding, the shape that clients of this API
//! already meet in the field. Nothing can be read out of it.

use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::Engine as _;

const PREFIX: &str = "enc!!";
/// How many random bytes an id is made of.
pub const ID_BYTES: usize = 18;
/// Ids longer than this are nobody's; they are not looked up.
const ID_CHARS_MAX: usize = 64;

macro_rules! resource_ids {
    ($( $(#[$doc:meta])* $name:ident; )+) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Box<str>);

        impl $name {
            /// A new id out of fresh randomness.
            pub fn from_random(bytes: [u8; ID_BYTES]) -> Self {
                Self(opaque(&bytes).into())
            }

            /// An id as a client or the store gives it back. `None` where no such id can exist.
            pub fn parse(text: &str) -> Option<Self> {
                is_plausible(text).then(|| Self(text.into()))
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(&self.0)
            }
        }
    )+ };
}

resource_ids! {
    /// A payment.
    PaymentId;
    /// A signing basket.
    BasketId;
    /// An authorisation: the thing behind an `scaRedirect` link.
    AuthorisationId;
    /// A customer of the simulated bank, private or corporate.
    CustomerId;
    /// An agreement of the simulated bank.
    AgreementId;
    /// An engagement within an agreement.
    EngagementId;
    /// An account.
    AccountId;
    /// A card account.
    CardAccountId;
    /// A booked transaction. It never changes.
    TransactionId;
}

fn opaque(bytes: &[u8; ID_BYTES]) -> String {
    let mut text = String::with_capacity(PREFIX.len() + ID_BYTES / 3 * 4);
    text.push_str(PREFIX);
    URL_SAFE_NO_PAD.encode_string(bytes, &mut text);
    text
}

fn is_plausible(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= ID_CHARS_MAX
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!=-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_path_segment_of_fixed_length() {
        let id = PaymentId::from_random([0xFF; ID_BYTES]);
        assert_eq!(id.as_str(), "enc!!________________________");
        assert_eq!(PaymentId::parse(id.as_str()), Some(id));
    }

    #[test]
    fn what_cannot_be_an_id_is_not_looked_up() {
        for text in ["", "a/b", "a b", "é", &"a".repeat(ID_CHARS_MAX + 1)] {
            assert_eq!(PaymentId::parse(text), None, "{text}");
        }
        assert!(PaymentId::parse(&"a".repeat(ID_CHARS_MAX)).is_some());
    }
}
