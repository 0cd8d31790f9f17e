//! HTTP messages: every message has an answer that is itself a message, never a 500; one without a signature changes
//! nothing; and a request is taken only if its length is known from its head.

use crate::walk::Walk;

/// Reasons of messages whose end is unknown: no request, too many fields, too long a target, too large a body.
const UNREAD: [&str; 4] = ["MSG-01", "HDR-01", "RTE-06", "NEG-01"];

pub(super) fn check(message: &[u8]) {
    Walk::with(|walk| {
        let before = walk.state();
        let answer = walk.sandbox.handle_http(message);
        let response = answer.response();
        let reason = response.reason();
        assert!(response.status() < 500, "{}: {reason:?}", response.status());
        let bytes = answer.to_bytes();
        assert!(bytes.starts_with(b"HTTP/1.1 "), "no status line");
        let head = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("the end of the head");
        assert!(!bytes[..head].contains(&0), "a zero in the head");
        if !reason.is_some_and(|reason| UNREAD.contains(&reason)) {
            check_length(message);
        }
        assert!(walk.state() == before, "{reason:?} changed the state");
    });
}

/// Whether the head states how long the body is, in the one way that RFC 9112 section 6.3 leaves to a request here.
fn check_length(message: &[u8]) {
    let head = message.windows(4).position(|window| window == b"\r\n\r\n").expect("the end of the head");
    let body = message.len() - head - 4;
    let lines = message[..head].split(|byte| *byte == b'\n').skip(1);
    let fields = lines.filter_map(|line| {
        let colon = line.iter().position(|byte| *byte == b':')?;
        Some((line[..colon].to_ascii_lowercase(), line[colon + 1..].trim_ascii().to_vec()))
    });
    let fields: Vec<_> = fields.collect();
    let named = |name: &[u8]| -> Vec<&[u8]> {
        fields.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_slice()).collect()
    };
    assert_eq!(named(b"transfer-encoding").len(), 0, "a transfer coding");
    assert_eq!(named(b"host").len(), 1, "one Host");
    let stated = match named(b"content-length").as_slice() {
        [] => 0,
        [one] => String::from_utf8_lossy(one).parse().expect("a length"),
        _ => panic!("several lengths"),
    };
    assert_eq!(body, stated, "a body of another length");
}
