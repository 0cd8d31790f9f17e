//! One HTTP/1.1 request as bytes.
//!
//! It is read strictly. A form that two readers may understand differently is refused, because a proxy in front of the
//! host may be the other reader (RFC 9112 section 11.2, request smuggling).

use super::framing::{body_length, check_host, is_last, Fields};
use super::malformed_line::malformed_line;
use super::violation::malformed;
use crate::limits::{HEADER_FIELDS_MAX, TARGET_BYTES_MAX};
use crate::reason::{Reason, Violation};
use crate::wire::request::Request;

/// The end of a head, and of a line.
const HEAD_END: &[u8] = b"\r\n\r\n";

/// The parts of a message that holds one request and nothing else.
#[derive(Debug)]
pub(super) struct RequestMessage<'m> {
    method: &'m str,
    target: &'m str,
    fields: Fields<'m>,
    body: &'m [u8],
}

/// Why a message is refused, with the fields that could be read: they choose the language of the answer.
#[derive(Debug)]
pub(super) struct Malformed<'m> {
    pub(super) violation: Violation,
    pub(super) fields: Fields<'m>,
}

impl<'m> RequestMessage<'m> {
    /// Reads a message. `body_bytes_max`: a body that is declared to be longer is refused, and need not be there.
    pub(super) fn read(message: &'m [u8], body_bytes_max: usize) -> Result<Self, Malformed<'m>> {
        let unread = |violation| Malformed { violation, fields: Fields::new() };
        let (head, rest) = split_head(message).map_err(unread)?;
        let (method, target, fields) = read_head(head).map_err(unread)?;
        match read_body(head, rest, &fields, body_bytes_max) {
            Ok(body) => Ok(Self { method, target: origin_form(target), fields, body }),
            Err(violation) => Err(Malformed { violation, fields }),
        }
    }

    pub(super) fn request(&self) -> Request<'_> {
        Request {
            method: self.method,
            target: self.target,
            headers: &self.fields,
            body: self.body,
            correlation_id: None,
        }
    }

    /// Whether the client closes the connection after this request.
    pub(super) fn is_last(&self) -> bool {
        is_last(&self.fields)
    }

    pub(super) fn asks_for_head_alone(&self) -> bool {
        self.method == "HEAD"
    }
}

/// The head with its closing empty line, and what follows.
fn split_head(message: &[u8]) -> Result<(&[u8], &[u8]), Violation> {
    let found = message.windows(HEAD_END.len()).position(|bytes| bytes == HEAD_END);
    let head_length = found.map(|at| at + HEAD_END.len());
    // Of a message without an end of its head, the first wrong line end says more than that the end is missing.
    let head = message.get(..head_length.unwrap_or(message.len())).unwrap_or(message);
    if let Some(byte) = stray_line_end(head) {
        return Err(malformed("2.2", byte));
    }
    head_length
        .and_then(|length| message.split_at_checked(length))
        .ok_or_else(|| malformed("8", message.len()))
}

/// The first CR without LF, or LF without CR, but for a CR that may be the beginning of a line end.
fn stray_line_end(head: &[u8]) -> Option<usize> {
    let before = std::iter::once(0).chain(head.iter().copied());
    let after = head.iter().copied().skip(1).map(Some).chain([None]);
    head.iter().zip(before).zip(after).position(|((byte, before), after)| match byte {
        b'\n' => before != b'\r',
        b'\r' => after.is_some_and(|after| after != b'\n'),
        _ => false,
    })
}

/// Method, target and fields.
fn read_head(head: &[u8]) -> Result<(&str, &str, Fields<'_>), Violation> {
    // httparse skips empty lines before the request line; they belong to no request.
    if head.starts_with(b"\r\n") {
        return Err(malformed("2.2", 0));
    }
    let mut fields = [httparse::EMPTY_HEADER; HEADER_FIELDS_MAX];
    let mut read = httparse::Request::new(&mut fields);
    match read.parse(head) {
        Ok(httparse::Status::Complete(length)) if length == head.len() => {}
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Violation::with(Reason::HeaderFieldsTooMany, &[&HEADER_FIELDS_MAX]));
        }
        Ok(_) | Err(_) => return Err(malformed_line(head)),
    }
    let (Some(method), Some(target), Some(version)) = (read.method, read.path, read.version) else {
        return Err(malformed_line(head));
    };
    if target.len() > TARGET_BYTES_MAX {
        return Err(Violation::with(Reason::TargetTooLong, &[&TARGET_BYTES_MAX]));
    }
    if version != 1 {
        return Err(malformed("2.3", method.len() + target.len() + 2));
    }
    Ok((method, target, read.headers.iter().map(|field| (field.name, field.value)).collect()))
}

/// The body, which is exactly what follows the head.
fn read_body<'m>(
    head: &[u8],
    rest: &'m [u8],
    fields: &Fields<'m>,
    body_bytes_max: usize,
) -> Result<&'m [u8], Violation> {
    check_host(head, fields)?;
    let length = body_length(head, fields)?;
    if length > body_bytes_max {
        return Err(Violation::with(Reason::BodyTooLarge, &[&body_bytes_max]));
    }
    match rest.len().cmp(&length) {
        std::cmp::Ordering::Equal => Ok(rest),
        std::cmp::Ordering::Less => Err(malformed("8", head.len() + rest.len())),
        // A second request, or a body that a proxy understood otherwise.
        std::cmp::Ordering::Greater => Err(malformed("6.3", head.len() + length)),
    }
}

/// A target in absolute form without scheme and authority (RFC 9112 section 3.2.2): the connection decided which bank
/// this is, and no signature covers the two.
fn origin_form(target: &str) -> &str {
    let after_scheme = ["http://", "https://"].iter().find_map(|scheme| {
        let (start, rest) = target.split_at_checked(scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then_some(rest)
    });
    match after_scheme.map(|rest| rest.find('/').and_then(|slash| rest.get(slash..))) {
        None => target,
        Some(path) => path.unwrap_or("/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    const BODY_BYTES_MAX: usize = 1000;

    /// Messages are texts of Latin-1: a character is a byte.
    fn bytes(text: &Value) -> Vec<u8> {
        text.as_str().unwrap().chars().map(|one| u8::try_from(u32::from(one)).unwrap()).collect()
    }

    fn arguments(malformed: &Malformed<'_>) -> Vec<String> {
        malformed.violation.arguments.clone()
    }

    #[test]
    fn messages_are_read_or_refused_as_the_vectors_say() {
        let vectors = include_str!("../../../../tests/vectors/http_messages.json");
        let vectors: Vec<Value> = serde_json::from_str(vectors).unwrap();
        for vector in &vectors {
            let (id, message, expected) = (&vector["id"], bytes(&vector["message"]), &vector["expected"]);
            match RequestMessage::read(&message, BODY_BYTES_MAX) {
                Ok(read) => {
                    assert_eq!(Some(read.method), expected["method"].as_str(), "{id}");
                    assert_eq!(Some(read.target), expected["target"].as_str(), "{id}");
                    assert_eq!(read.body, bytes(&expected["body"]), "{id}");
                    let fields = expected["headers"].as_array().unwrap().iter();
                    let fields: Vec<_> = fields.map(|field| (bytes(&field[0]), bytes(&field[1]))).collect();
                    let found =
                        read.fields.iter().map(|(name, value)| (name.as_bytes().to_vec(), value.to_vec()));
                    assert_eq!(found.collect::<Vec<_>>(), fields, "{id}");
                }
                Err(malformed) => {
                    assert_eq!(malformed.violation.reason, Reason::MessageMalformed, "{id}");
                    let section = expected["section"].as_str().unwrap_or("none");
                    assert_eq!(arguments(&malformed), [section, &expected["byte"].to_string()], "{id}");
                }
            }
        }
    }

    fn reason(message: &str) -> Option<Reason> {
        let read = RequestMessage::read(message.as_bytes(), BODY_BYTES_MAX);
        read.err().map(|malformed| malformed.violation.reason)
    }

    #[test]
    fn a_body_of_the_largest_size_is_read_and_one_byte_more_refused() {
        let message = |declared: usize, sent: usize| {
            format!("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {declared}\r\n\r\n{}", "x".repeat(sent))
        };
        assert_eq!(reason(&message(BODY_BYTES_MAX, BODY_BYTES_MAX)), None);
        assert_eq!(reason(&message(BODY_BYTES_MAX + 1, BODY_BYTES_MAX + 1)), Some(Reason::BodyTooLarge));
        // The host need not read it.
        assert_eq!(reason(&message(BODY_BYTES_MAX + 1, 0)), Some(Reason::BodyTooLarge));
    }

    #[test]
    fn as_many_fields_as_allowed_are_read_and_one_more_refused() {
        let message =
            |fields: usize| format!("GET / HTTP/1.1\r\nHost: a\r\n{}\r\n", "A: b\r\n".repeat(fields - 1));
        assert_eq!(reason(&message(HEADER_FIELDS_MAX)), None);
        assert_eq!(reason(&message(HEADER_FIELDS_MAX + 1)), Some(Reason::HeaderFieldsTooMany));
    }

    #[test]
    fn a_target_of_the_largest_size_is_read_and_one_byte_more_refused() {
        let message = |bytes: usize| format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", "x".repeat(bytes - 1));
        assert_eq!(reason(&message(TARGET_BYTES_MAX)), None);
        assert_eq!(reason(&message(TARGET_BYTES_MAX + 1)), Some(Reason::TargetTooLong));
    }

    #[test]
    fn a_target_in_absolute_form_is_read_without_scheme_and_authority() {
        for (target, expected) in [
            ("http://bank.example/v1/a?b=c", "/v1/a?b=c"),
            ("HTTPS://bank.example:8443/v1", "/v1"),
            ("http://bank.example", "/"),
            ("http://", "/"),
            ("/v1/http://a/b", "/v1/http://a/b"),
            ("ftp://bank.example/v1", "ftp://bank.example/v1"),
            ("*", "*"),
        ] {
            assert_eq!(origin_form(target), expected, "{target}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(message: Vec<u8>) {
            drop(RequestMessage::read(&message, BODY_BYTES_MAX));
        }

        /// Where one byte is replaced, the place that is reported is within the message.
        #[test]
        fn a_changed_byte_is_read_or_refused_within_the_message(at in 0_usize..66, byte: u8) {
            let mut message = b"POST / HTTP/1.1\r\nHost: bank.example\r\nA: b\r\nContent-Length: 2\r\n\r\n{}".to_vec();
            message[at] = byte;
            if let Err(malformed) = RequestMessage::read(&message, BODY_BYTES_MAX) {
                if let [_, place] = &arguments(&malformed)[..] {
                    prop_assert!(place.parse::<usize>().unwrap() <= message.len());
                }
            }
        }
    }
}
