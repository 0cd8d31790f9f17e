//! The complete answer.

use std::borrow::Cow;

use super::call_record::{CallRecord, Timing};

/// Name and value of each header, in the order they are to be sent.
pub type ResponseHeaders = Vec<(Cow<'static, str>, Cow<'static, str>)>;

/// An HTTP response, ready to be sent, with the record of its call. Two are equal if they send the same for the same
/// reason: the times of two calls differ.
#[derive(Debug, Clone)]
pub struct Response {
    pub(crate) status: u16,
    pub(crate) headers: ResponseHeaders,
    pub(crate) body: Vec<u8>,
    pub(crate) reason: Option<&'static str>,
    pub(crate) call: CallRecord,
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

    /// The name of the operation that the request was routed to, such as `createPayment`. `None` for an unknown path.
    pub fn operation(&self) -> Option<&str> {
        self.call.operation
    }

    /// The organisation identifier in the TPP's certificate, if the certificate is valid. The call is proven to be that
    /// TPP's unless it was refused for its signature.
    pub fn tpp(&self) -> Option<&str> {
        self.call.tpp.as_deref()
    }

    /// The name of the TPP in the subject of its certificate, as [`Self::tpp`].
    pub fn tpp_name(&self) -> Option<&str> {
        self.call.tpp_name.as_deref()
    }

    /// The roles in the TPP's certificate, such as `PSP_AI`, as [`Self::tpp`].
    pub fn roles(&self) -> &[&'static str] {
        &self.call.roles
    }

    /// How long the call took.
    pub fn timing(&self) -> Timing {
        self.call.timing
    }
}

impl PartialEq for Response {
    fn eq(&self, other: &Self) -> bool {
        let sent = |answer: &Self| (answer.status, answer.reason);
        sent(self) == sent(other) && self.headers == other.headers && self.body == other.body
    }
}

impl Eq for Response {}
