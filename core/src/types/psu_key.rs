//! The bank's own references to people and companies. They never reach a TPP.

use crate::limits::BANK_KEY_CHARS_MAX;

macro_rules! keys {
    ($( $(#[$doc:meta])* $name:ident; )+) => { $(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Box<str>);

        impl $name {
            /// The reference as the bank gave it: 1 to 256 characters, none of them U+0000. Another is refused where
            /// it comes into an engine: in an answer of the bank, and in a call of the host.
            pub fn new(text: impl Into<Box<str>>) -> Self {
                Self(text.into())
            }

            /// The reference as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Whether every store can keep it: PostgreSQL takes no U+0000 in a text, and no long one in an index.
            pub(crate) fn is_storable(&self) -> bool {
                (1..=BANK_KEY_CHARS_MAX).contains(&self.0.chars().count()) && !self.0.contains('\0')
            }
        }

        // A bank may use a national identity number here, so no log may show it.
        impl std::fmt::Debug for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(concat!(stringify!($name), "(redacted)"))
            }
        }
    )+ };
}

keys! {
    /// The bank's reference to a person.
    PsuKey;
    /// The bank's reference to a corporate customer.
    CorporateKey;
}
