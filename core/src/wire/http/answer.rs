//! The answer to a request that came as bytes.

use std::io::Write as _;

use super::request_message::{Malformed, RequestMessage};
use crate::reason::Violation;
use crate::wire::request::Request;
use crate::wire::response::Response;

/// A complete answer as an HTTP/1.1 message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpAnswer {
    response: Response,
    /// Whether the request was HEAD, whose answer has no body.
    is_head_alone: bool,
    is_last: bool,
}

/// Answers one message: by `handle` if it is a request, else by `refuse`, with the fields that could be read.
pub(crate) fn answer(
    message: &[u8],
    body_bytes_max: usize,
    handle: impl FnOnce(&Request<'_>) -> Response,
    refuse: impl FnOnce(&[(&str, &[u8])], Violation) -> Response,
) -> HttpAnswer {
    match RequestMessage::read(message, body_bytes_max) {
        Ok(read) => HttpAnswer {
            response: handle(&read.request()),
            is_head_alone: read.asks_for_head_alone(),
            is_last: read.is_last(),
        },
        // Where the next request begins is unknown.
        Err(Malformed { violation, fields }) => {
            HttpAnswer { response: refuse(&fields, violation), is_head_alone: false, is_last: true }
        }
    }
}

impl HttpAnswer {
    /// Status, headers and body, and the reason of a refusal for the host's log.
    pub fn response(&self) -> &Response {
        &self.response
    }

    /// Whether the host closes the connection after the answer, which then has `Connection: close`.
    pub fn is_last(&self) -> bool {
        self.is_last
    }

    /// The message to send.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (status, body) = (self.response.status(), self.response.body());
        let mut message = Vec::with_capacity(body.len() + HEAD_BYTES_USUAL);
        self.write(&mut message, status, body).map(|()| message).unwrap_or_default()
    }

    /// Writing to memory does not fail.
    fn write(&self, message: &mut Vec<u8>, status: u16, body: &[u8]) -> std::io::Result<()> {
        write!(message, "HTTP/1.1 {status} {}\r\n", phrase(status))?;
        for (name, value) in self.response.headers() {
            write!(message, "{name}: {value}\r\n")?;
        }
        // A 204 has no length (RFC 9110 section 8.6).
        if status != 204 {
            write!(message, "Content-Length: {}\r\n", body.len())?;
        }
        if self.is_last {
            message.write_all(b"Connection: close\r\n")?;
        }
        message.write_all(b"\r\n")?;
        message.write_all(if self.is_head_alone { &[] } else { body })
    }
}

/// Most heads are shorter.
const HEAD_BYTES_USUAL: usize = 1024;

/// The phrase of a status (RFC 9110 section 15). It may be empty: clients do not read it.
fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        302 => "Found",
        303 => "See Other",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        409 => "Conflict",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "",
    }
}
