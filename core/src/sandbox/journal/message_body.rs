//! Bodies as a reader wants them: unpacked, and as text where they are text.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::GzDecoder;

use super::packed_call::RecordedCall;

/// The body of an answer, unpacked where it was compressed.
pub(super) fn unpacked(call: &RecordedCall) -> Cow<'_, [u8]> {
    let is_packed = call
        .answer_headers
        .text("Content-Encoding")
        .is_some_and(|encoding| encoding.eq_ignore_ascii_case("gzip"));
    let mut plain = Vec::new();
    // It is the bank's own answer, so it is no bomb.
    match is_packed && GzDecoder::new(call.answer_body.as_slice()).read_to_end(&mut plain).is_ok() {
        true => Cow::Owned(plain),
        false => Cow::Borrowed(&call.answer_body),
    }
}

/// The value of a header as text: UTF-8, or else Latin-1, of which every byte is a character.
pub fn header_text(value: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(value) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(value.iter().map(|byte| char::from(*byte)).collect()),
    }
}
