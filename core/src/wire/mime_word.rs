//! RFC 2047 encoded words, the wrapping of a `Signature` header whose text is not ASCII (contract:
//! Authentication, 5). Clients wrap always, and in one word far beyond the 75 characters of the RFC: no
//! length is enforced.

use base64::engine::general_purpose::GeneralPurpose;
use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};
use base64::{alphabet, Engine as _};

use crate::reason::{Reason, Violation};

/// Base64 as it is met: padding may be missing, and the bits after the last byte are not looked at.
pub(crate) const LENIENT_BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes a header value that is one or several encoded words (B or Q; utf-8, iso-8859-1 or us-ascii in any
/// case; a language suffix of RFC 2231 is skipped). White space between words is dropped, as RFC 2047 section
/// 6.2 says. A value that does not begin as an encoded word is returned as it is.
///
/// # Errors
/// [`Reason::SignatureEncodedWord`] for a value that begins with `=?` and cannot be decoded to its end.
pub(crate) fn decode_encoded_word(text: &str) -> Result<String, Violation> {
    let trimmed = text.trim();
    if !trimmed.starts_with("=?") {
        return Ok(text.to_owned());
    }
    decode_words(trimmed).ok_or_else(|| Reason::SignatureEncodedWord.into())
}

/// Wraps a text as one UTF-8 word in base64, of any length, as the contract writes it.
pub(crate) fn encode_word(text: &str) -> String {
    format!("=?utf-8?B?{}?=", base64::engine::general_purpose::STANDARD.encode(text))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Charset {
    Utf8,
    Latin1,
    Ascii,
}

impl Charset {
    fn named(name: &str) -> Option<Self> {
        let name = name.split_once('*').map_or(name, |(charset, _language)| charset);
        let is = |known: &[&str]| known.iter().any(|known| name.eq_ignore_ascii_case(known));
        match () {
            () if is(&["utf-8", "utf8"]) => Some(Self::Utf8),
            () if is(&["iso-8859-1", "latin1"]) => Some(Self::Latin1),
            () if is(&["us-ascii", "ascii"]) => Some(Self::Ascii),
            () => None,
        }
    }

    fn decode(self, bytes: Vec<u8>) -> Option<String> {
        match self {
            Self::Utf8 => String::from_utf8(bytes).ok(),
            Self::Latin1 => Some(bytes.into_iter().map(char::from).collect()),
            Self::Ascii => bytes.is_ascii().then(|| String::from_utf8(bytes).ok()).flatten(),
        }
    }
}

/// A character may be split over adjacent words of one charset (RFC 2047 forbids it, encoders do it), so
/// the bytes are joined before the charset is applied.
fn decode_words(mut rest: &str) -> Option<String> {
    let mut text = String::new();
    let mut run: Option<(Charset, Vec<u8>)> = None;
    while !rest.is_empty() {
        let (charset, bytes, after) = decode_one(rest)?;
        match &mut run {
            Some((open, pending)) if *open == charset => pending.extend(bytes),
            _ => {
                if let Some((open, pending)) = run.replace((charset, bytes)) {
                    text.push_str(&open.decode(pending)?);
                }
            }
        }
        rest = after.trim_start();
    }
    let (charset, pending) = run?;
    text.push_str(&charset.decode(pending)?);
    Some(text)
}

fn decode_one(text: &str) -> Option<(Charset, Vec<u8>, &str)> {
    let (charset, rest) = text.strip_prefix("=?")?.split_once('?')?;
    let (encoding, rest) = rest.split_once('?')?;
    let (encoded, rest) = rest.split_once("?=")?;
    let bytes = match encoding {
        "B" | "b" => LENIENT_BASE64.decode(encoded).ok()?,
        "Q" | "q" => decode_q(encoded)?,
        _ => return None,
    };
    Some((Charset::named(charset)?, bytes, rest))
}

fn decode_q(encoded: &str) -> Option<Vec<u8>> {
    let mut bytes = encoded.bytes();
    let mut out = Vec::with_capacity(encoded.len());
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'_' => b' ',
            b'=' => {
                let (high, low) = (hex_digit(bytes.next()?)?, hex_digit(bytes.next()?)?);
                high << 4 | low
            }
            b'!'..=b'~' | b' ' => byte,
            _ => return None,
        });
    }
    Some(out)
}

/// The value of a hexadecimal digit in either case.
pub(crate) fn hex_digit(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_encodings_and_charsets_are_read() {
        for (encoded, plain) in [
            ("=?utf-8?B?w6XDuA==?=", "åø"),
            ("=?UTF-8?b?w6XDuA?=", "åø"),
            ("=?utf-8*nb?Q?=C3=A5_=c3=b8?=", "å ø"),
            ("=?iso-8859-1?Q?=E5=F8=3F?=", "åø?"),
            ("=?ISO-8859-1?B?5fg=?=", "åø"),
            ("=?us-ascii?Q?a=22b?=", "a\"b"),
            ("=?utf-8?Q??=", ""),
        ] {
            assert_eq!(decode_encoded_word(encoded).unwrap(), plain, "{encoded}");
        }
    }

    #[test]
    fn white_space_between_words_is_dropped_and_inside_kept() {
        assert_eq!(decode_encoded_word("=?utf-8?Q?a_?= \t =?utf-8?Q?b?=").unwrap(), "a b");
        assert_eq!(decode_encoded_word(" =?utf-8?B?YQ==?==?iso-8859-1?Q?=E5?= ").unwrap(), "aå");
    }

    #[test]
    fn a_character_split_over_two_words_is_joined() {
        assert_eq!(decode_encoded_word("=?utf-8?B?ww==?= =?utf-8?B?pQ==?=").unwrap(), "å");
    }

    #[test]
    fn plain_text_stays_as_it_is() {
        for plain in ["", " keyId=\"x\" ", "a =?utf-8?B?YQ==?=", "=a?"] {
            assert_eq!(decode_encoded_word(plain).unwrap(), plain);
        }
    }

    #[test]
    fn what_begins_as_a_word_must_be_one_to_its_end() {
        for broken in [
            "=?utf-8?B?YQ==",
            "=?utf-8?X?YQ==?=",
            "=?koi8-r?B?YQ==?=",
            "=?utf-8?B?Y!?=",
            "=?utf-8?B?/w==?=",
            "=?us-ascii?B?5fg=?=",
            "=?utf-8?Q?=4?=",
            "=?utf-8?Q?=GG?=",
            "=?utf-8?B?YQ==?= tail",
            "=?",
        ] {
            let violation = decode_encoded_word(broken).unwrap_err();
            assert_eq!(violation.reason, Reason::SignatureEncodedWord, "{broken}");
        }
    }

    #[test]
    fn words_of_another_encoder_are_read() {
        let cases = include_str!("../../../tests/vectors/encoded_words.json");
        for case in serde_json::from_str::<Vec<serde_json::Value>>(cases).unwrap() {
            let decoded = decode_encoded_word(case["encoded"].as_str().unwrap());
            match case["expected"].as_str() {
                Some(expected) => assert_eq!(decoded.unwrap(), expected, "{}", case["id"]),
                None => assert!(decoded.is_err(), "{}", case["id"]),
            }
        }
    }

    proptest! {
        #[test]
        fn wrapped_text_comes_back(text in any::<String>()) {
            prop_assert_eq!(decode_encoded_word(&encode_word(&text)).unwrap(), text);
        }

        #[test]
        fn no_input_panics(text in "(=\\?)?(utf-8|iso-8859-1)?\\?[BQ]?\\?\\PC*(\\?=)?\\PC*") {
            let _ = decode_encoded_word(&text);
        }
    }
}
