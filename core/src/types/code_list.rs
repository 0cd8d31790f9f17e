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
                const KEYS: &[u128] = &[ $( $crate::types::code_list::key(stringify!($code)), )+ ];
                let place = KEYS.binary_search(&$crate::types::code_list::key(text)).ok()?;
                Self::LIST.get(place).copied().filter(|row| row.code() == text)
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

/// The longest code of a list.
const CODE_BYTES_MAX: u32 = 16;

/// The first sixteen bytes of a text as a number: numbers are compared faster than texts, and in the same order.
/// Texts that differ beyond, or in NULs at their end, have one key.
pub(super) const fn key(text: &str) -> u128 {
    let mut bytes = text.as_bytes();
    let (mut key, mut taken) = (0, 0);
    while taken < CODE_BYTES_MAX {
        key <<= u8::BITS;
        if let [first, rest @ ..] = bytes {
            key |= *first as u128;
            bytes = rest;
        }
        taken += 1;
    }
    key
}

/// The refusal of a value that is in no row of a short list: it names the list.
pub(super) fn not_listed(codes: impl Iterator<Item = &'static str>) -> Violation {
    let list = codes.collect::<Vec<_>>().join(", ");
    Violation::with(Reason::ValueNotListed, &[&list])
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "the list of this test is seen nowhere else")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    code_list! {
        /// A list to test the macro with; the last code is as long as one may be.
        Sample { A AB Abcd B Zzzzzzzzzzzzzzzz }
    }

    #[test]
    fn codes_are_found_and_their_neighbours_are_not() {
        for row in Sample::LIST {
            assert_eq!(Sample::find(row.code()), Some(*row));
            for text in [format!("{row}\0"), format!("{row}Z"), format!("\0{row}"), row.code().to_lowercase()]
            {
                assert_eq!(Sample::find(&text), None, "{text:?}");
            }
        }
        for text in ["", "\0", "Abc", "Abcde", "Zzzzzzzzzzzzzzz"] {
            assert_eq!(Sample::find(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn keys_are_in_the_order_of_their_texts(one in "[!-~]{0,16}", other in "[!-~]{0,16}") {
            prop_assert_eq!(key(&one).cmp(&key(&other)), one.cmp(&other));
        }
    }
}
