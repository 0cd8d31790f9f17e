//! A request as it came in, borrowed from the host.

use crate::types::CorrelationId;

/// A raw HTTP request: nothing is parsed, nothing is copied.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The method, such as `POST`.
    pub method: &'a str,
    /// The target as sent: path and query.
    pub target: &'a str,
    /// Name and value of each field in the order sent. Names are case-insensitive; values are bytes.
    pub headers: &'a [(&'a str, &'a [u8])],
    /// The body, empty where there is none.
    pub body: &'a [u8],
    /// The gateway's own id of the call. The bank gets it with each question, and lines of log and audit have it.
    pub correlation_id: Option<CorrelationId>,
}
