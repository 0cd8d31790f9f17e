//! Texts in another charset than UTF-8.

/// The bytes of a text in ISO 8859-1, each character outside of it as `?`.
pub(super) fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(b'?')).collect()
}

/// The text that bytes are in ISO 8859-1.
pub(super) fn from_latin1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// What clients make of bytes that are not ASCII: read as ISO 8859-1 and written as UTF-8, the other way around, or
/// replaced.
pub(super) fn recoded(bytes: &[u8]) -> Vec<Vec<u8>> {
    if bytes.is_ascii() {
        return Vec::new();
    }
    let mut forms = vec![from_latin1(bytes).into_bytes()];
    if let Ok(text) = std::str::from_utf8(bytes) {
        let replaced = |with: &str| -> Vec<u8> {
            let ascii = |character: char| match character.is_ascii() {
                true => character.to_string(),
                false => with.to_owned(),
            };
            text.chars().map(ascii).collect::<String>().into_bytes()
        };
        forms.extend([latin1(text), replaced("?"), replaced("\u{fffd}"), replaced("")]);
    }
    forms
}

/// The bytes of a text in UTF-16: little-endian, big-endian, and both with a byte order mark.
pub(super) fn utf16(text: &str) -> [Vec<u8>; 4] {
    let bytes = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let (little, big) = (bytes(u16::to_le_bytes), bytes(u16::to_be_bytes));
    let (marked_little, marked_big) =
        ([&[0xff, 0xfe], &little[..]].concat(), [&[0xfe, 0xff], &big[..]].concat());
    [little, big, marked_little, marked_big]
}

/// The byte order mark of UTF-8.
pub(super) const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_has_no_other_form() {
        assert!(recoded(b"abc").is_empty());
    }

    #[test]
    fn forms_of_other_charsets_are_made() {
        let forms = recoded("Åse".as_bytes());
        for form in [&b"\xc5se"[..], "Ã\u{85}se".as_bytes(), b"?se", "\u{fffd}se".as_bytes(), b"se"] {
            assert!(forms.iter().any(|found| found == form), "{form:?}");
        }
        assert!(recoded(b"\xc5se").contains(&"Åse".as_bytes().to_vec()));
        assert_eq!(utf16("a")[3], b"\xfe\xff\0a");
    }
}
