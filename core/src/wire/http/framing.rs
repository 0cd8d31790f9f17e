//! The fields that decide where a message ends, and whom it is for.

use super::violation::malformed;
use crate::reason::Violation;

/// Name and value of each header field.
pub(super) type Fields<'m> = Vec<(&'m str, &'m [u8])>;

/// The length of the body.
///
/// Transfer-Encoding is refused, because a request of this interface has a body that its client knows before it sends
/// it: a signature covers the Digest. So no message has two statements of its length.
pub(super) fn body_length(head: &[u8], fields: &Fields<'_>) -> Result<usize, Violation> {
    if let Some((name, _)) = named(fields, "Transfer-Encoding").next() {
        return Err(malformed("6.1", place(head, name.as_bytes())));
    }
    let mut lengths = named(fields, "Content-Length");
    let Some((_, value)) = lengths.next() else { return Ok(0) };
    if let Some((name, _)) = lengths.next() {
        return Err(malformed("6.3", place(head, name.as_bytes())));
    }
    decimal(value).ok_or_else(|| malformed("6.2", place(head, value)))
}

/// Every request has exactly one Host, and its value is a host with a port or without (RFC 9112 section 3.2).
pub(super) fn check_host(head: &[u8], fields: &Fields<'_>) -> Result<(), Violation> {
    let mut hosts = named(fields, "Host");
    // The empty line that ends the head is where the field is missing.
    let Some((_, value)) = hosts.next() else { return Err(malformed("3.2", head.len().saturating_sub(2))) };
    if let Some((name, _)) = hosts.next() {
        return Err(malformed("3.2", place(head, name.as_bytes())));
    }
    let is_of_host = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+;=:[]".contains(byte);
    match value.iter().all(is_of_host) {
        true => Ok(()),
        false => Err(malformed("3.2", place(head, value))),
    }
}

/// Whether the client closes the connection after this request (RFC 9112 section 9.6).
pub(super) fn is_last(fields: &Fields<'_>) -> bool {
    named(fields, "Connection")
        .flat_map(|(_, value)| value.split(|byte| *byte == b','))
        .any(|option| option.trim_ascii().eq_ignore_ascii_case(b"close"))
}

fn named<'f, 'm>(
    fields: &'f Fields<'m>,
    name: &'f str,
) -> impl Iterator<Item = (&'m str, &'m [u8])> + use<'f, 'm> {
    fields.iter().copied().filter(move |(found, _)| found.eq_ignore_ascii_case(name))
}

/// Digits alone: Rust's own reading would take a plus sign.
fn decimal(value: &[u8]) -> Option<usize> {
    let digits =
        std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits.parse().ok()
}

/// Where a part of the head begins in it.
fn place(head: &[u8], part: &[u8]) -> usize {
    (part.as_ptr() as usize).saturating_sub(head.as_ptr() as usize)
}
