//! Enums that are kept and shown under fixed names.

/// An enum kept and shown under fixed names: `Variant "NAME"`.
macro_rules! named_enum {
    ($(#[$doc:meta])* $name:ident { $( $(#[$variant_doc:meta])* $variant:ident $text:literal, )+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $( $(#[$variant_doc])* $variant, )+ }

        impl $name {
            /// Every name there is, in the order of the table.
            pub const NAMES: &'static [&'static str] = &[ $($text),+ ];

            /// The name it is kept and shown under.
            pub fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $text, )+ }
            }

            /// The one of that name, case counting.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $( $text => Some(Self::$variant), )+ _ => None }
            }
        }
    };
}
pub(super) use named_enum;
