//! HTTP/1.1 messages as bytes (RFC 9112), for hosts without an HTTP server of their own.

mod answer;
mod framing;
mod malformed_line;
mod request_message;
mod violation;

pub(crate) use answer::answer;
pub use answer::HttpAnswer;
