//! Encoded words of RFC 2047: a text that was encoded by RFC 4648 alone is decoded to itself, and a text that is none
//! is returned as it is.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use xs2a::tools::decode_encoded_word;

pub(super) fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let decoded = decode_encoded_word(text);
    if !text.trim().starts_with("=?") {
        assert_eq!(decoded.as_deref().ok(), Some(text));
    }
    let base64 = format!("=?utf-8?B?{}?=", STANDARD.encode(text));
    assert_eq!(decode_encoded_word(&base64).as_deref().ok(), Some(text), "{base64}");
    let quoted: String = text.bytes().map(|byte| format!("={byte:02X}")).collect();
    // Split between the bytes of a character, as some encoders do.
    let (first, second) = quoted.split_at(quoted.len() / 6 * 3);
    let quoted = format!("=?UTF-8*en?q?{first}?= \t=?utf-8?Q?{second}?=");
    assert_eq!(decode_encoded_word(&quoted).as_deref().ok(), Some(text), "{quoted}");
}
