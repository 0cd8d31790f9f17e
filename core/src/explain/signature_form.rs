//! How the bytes of a signature are written in the header.

use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::DecodePaddingMode;
use base64::{alphabet, Engine as _};
use percent_encoding::percent_decode_str;

use super::mistake::Mistake;
use super::table;
use crate::wire::mime_word::{hex_digit, LENIENT_BASE64};

/// Base64 with `-` and `_`, padded or not.
pub(super) const LENIENT_BASE64URL: GeneralPurpose = GeneralPurpose::new(
    &alphabet::URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The bytes that the text may encode, with the mistake in the encoding; those of plain base64 come first.
pub(super) fn readings(text: &str) -> Vec<(Option<&'static Mistake>, Vec<u8>)> {
    let plain = LENIENT_BASE64.decode(text).ok();
    let packed = without_breaks(text);
    let broken = (packed != text).then(|| LENIENT_BASE64.decode(&packed).ok()).flatten();
    let mut inner = plain.as_ref().or(broken.as_ref()).and_then(|bytes| std::str::from_utf8(bytes).ok());
    let twice = inner.take().and_then(|text| LENIENT_BASE64.decode(without_breaks(text)).ok());
    let hex_in_base64 = plain.as_ref().and_then(|bytes| std::str::from_utf8(bytes).ok()).and_then(from_hex);
    let reversed = |bytes: &Vec<u8>| bytes.iter().rev().copied().collect();
    let reversed = plain.as_ref().map(reversed);
    [
        (None, plain),
        (Some(&table::SIGNATURE_HEX), from_hex(&packed).or(hex_in_base64)),
        (Some(&table::SIGNATURE_BASE64URL), LENIENT_BASE64URL.decode(&packed).ok()),
        (Some(&table::SIGNATURE_LINE_BREAKS), broken),
        (Some(&table::SIGNATURE_BASE64_TWICE), twice),
        (Some(&table::SIGNATURE_ESCAPED), unescaped(text)),
        (Some(&table::SIGNATURE_REVERSED), reversed),
    ]
    .into_iter()
    .filter_map(|(mistake, bytes)| Some((mistake, bytes?)))
    .collect()
}

/// Without line breaks, also those that are written as escapes.
fn without_breaks(text: &str) -> String {
    let plain = ["\\r", "\\n", "%0D", "%0A", "%0d", "%0a"]
        .iter()
        .fold(text.to_owned(), |text, escape| text.replace(escape, ""));
    plain.chars().filter(|character| !character.is_whitespace()).collect()
}

/// The bytes of hexadecimal digits, which may have colons between them.
pub(super) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|byte| *byte != b':').collect();
    (!digits.is_empty() && digits.len().is_multiple_of(2)).then_some(())?;
    digits
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => Some(hex_digit(*high)? << 4 | hex_digit(*low)?),
            _ => None,
        })
        .collect()
}

/// Base64 whose `+`, `/` and `=` are percent escapes.
fn unescaped(text: &str) -> Option<Vec<u8>> {
    text.contains('%').then_some(())?;
    LENIENT_BASE64.decode(percent_decode_str(text).collect::<Vec<u8>>()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_is_read_in_both_cases() {
        assert_eq!(from_hex("00fF:a1"), Some(vec![0, 0xff, 0xa1]));
        for text in ["", "0", "0g", "å0"] {
            assert_eq!(from_hex(text), None, "{text}");
        }
    }
}
