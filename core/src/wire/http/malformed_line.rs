//! Where a head is malformed: httparse says what is wrong, not where.

use super::violation::malformed;
use crate::reason::Violation;

/// The first line of a head that is no request line, or no header field. The head has no stray line end.
pub(super) fn malformed_line(head: &[u8]) -> Violation {
    let mut start = 0;
    let request_line = line_at(head, start);
    start += request_line.len() + 2;
    if !is_request_line(request_line) {
        return malformed("3", 0);
    }
    while start < head.len() {
        let line = line_at(head, start);
        if !line.is_empty() && !is_field(line) {
            return in_field(line, start);
        }
        start += line.len() + 2;
    }
    malformed("2.1", 0)
}

/// The line that begins there, without its end.
fn line_at(head: &[u8], start: usize) -> &[u8] {
    let rest = head.get(start..).unwrap_or_default();
    rest.split(|byte| *byte == b'\r').next().unwrap_or_default()
}

fn is_request_line(line: &[u8]) -> bool {
    let head = [line, b"\r\n\r\n"].concat();
    httparse::Request::new(&mut []).parse(&head).is_ok_and(|status| status.is_complete())
}

fn is_field(line: &[u8]) -> bool {
    let head = [line, b"\r\n\r\n"].concat();
    httparse::parse_headers(&head, &mut [httparse::EMPTY_HEADER]).is_ok_and(|status| status.is_complete())
}

/// A line that continues the one before it, white space before the colon, or another form that is none.
fn in_field(line: &[u8], start: usize) -> Violation {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
    match (name.first(), name.last()) {
        (Some(b' ' | b'\t'), _) => malformed("5.2", start),
        (_, Some(b' ' | b'\t')) => malformed("5.1", start + name.trim_ascii_end().len()),
        _ => malformed("5", start),
    }
}
