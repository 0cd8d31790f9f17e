//! Closed lists of codes: one table of codes gives the enum, its spelling and its reader.

use crate::reason::{Reason, Violation};

/// Declares an enum whose variants are spelt as the codes themselves, in ascending order (a test of each
/// list holds that: `find` searches by halves).
macro_rules! code_list {
    ($(#[$meta:meta])* $name:ident { $($code:ident)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $( #[doc = concat!("`", stringify!($code), "`")] $code, )+
        }

        impl $name {
            /// Every code, in ascending order.
            pub const LIST: &'static [Self] = &[ $( Self::$code, )+ ];

            /// The code as it is written.
            pub fn code(self) -> &'static str {
                match self { $( Self::$code => stringify!($code), )+ }
            }

            /// The row of exactly this code, case counting.
            fn find(text: &str) -> Option<Self> {
                let place = Self::LIST.binary_search_by(|row| row.code().cmp(text)).ok()?;
                Self::LIST.get(place).copied()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.code())
            }
        }
    };
}
pub(super) use code_list;

/// The refusal of a value that is in no row of a short list: it names the list.
pub(super) fn not_listed(codes: impl Iterator<Item = &'static str>) -> Violation {
    let list = codes.collect::<Vec<_>>().join(", ");
    Violation::with(Reason::ValueNotListed, &[&list])
}
