//! The bank's own references to people and companies. They never reach a TPP.

macro_rules! keys {
    ($( $(#[$doc:meta])* $name:ident; )+) => { $(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Box<str>);

        impl $name {
            /// The reference as the bank gave it. One with U+0000 in it is refused where it comes into an engine: in
            /// an answer of the host's bank, and in a call of the host.
            pub fn new(text: impl Into<Box<str>>) -> Self {
                Self(text.into())
            }

            /// The reference as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Whether every store can keep it: PostgreSQL takes no U+0000 in a text.
            pub(crate) fn is_storable(&self) -> bool {
                !self.0.contains('\0')
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
