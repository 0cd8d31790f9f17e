//! Texts of names as they are compared.

use std::borrow::Cow;

/// The text with case removed and runs of white space made one space; borrowed where nothing changes.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    let mut previous = ' ';
    let folded_already = text.bytes().all(|byte| {
        let double_space = byte == b' ' && previous == ' ';
        previous = char::from(byte);
        matches!(byte, b' '..=b'@' | b'['..=b'~') && !double_space
    });
    if folded_already && !text.ends_with(' ') {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars().flat_map(char::to_lowercase));
    }
    Cow::Owned(folded)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_without_case_and_double_spaces_is_borrowed() {
        for text in ["", "x", "a bank, as", "\u{7e}"] {
            assert!(matches!(fold(text), Cow::Borrowed(same) if same == text), "{text:?}");
        }
        for (text, folded) in [(" x", "x"), ("x ", "x"), ("a  b", "a b"), ("A b", "a b"), ("a\tb", "a b")] {
            assert!(matches!(fold(text), Cow::Owned(owned) if owned == folded), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn folding_is_idempotent(text in any::<String>()) {
            let once = fold(&text).into_owned();
            prop_assert_eq!(fold(&once).into_owned(), once.clone());
        }
    }
}
