//! The complete answer.

use std::borrow::Cow;

/// Name and value of each header, in the order they are to be sent.
pub type ResponseHeaders = Vec<(Cow<'static, str>, Cow<'static, str>)>;

/// An HTTP response, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    pub(crate) status: u16,
    pub(crate) headers: ResponseHeaders,
    pub(crate) body: Vec<u8>,
    pub(crate) reason: Option<&'static str>,
}

impl Response {
    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Name and value of each header, in the order they are to be sent.
    pub fn headers(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.headers.iter().map(|(name, value)| (name.as_ref(), value.as_ref()))
    }

    /// The value of the first header of that name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The body as sent: compressed where `Content-Encoding` says so.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Status, headers, body and reason, given away.
    pub fn into_parts(self) -> (u16, ResponseHeaders, Vec<u8>, Option<&'static str>) {
        (self.status, self.headers, self.body, self.reason)
    }

    /// Our own stable id of the first refusal, such as `SIG-07`. For logs and tests; not sent to the TPP.
    pub fn reason(&self) -> Option<&'static str> {
        self.reason
    }
}
