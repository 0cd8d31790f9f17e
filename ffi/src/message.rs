//! Requests in and responses out.

use std::borrow::Cow;
use std::mem::offset_of;

use engine::types::CorrelationId;
use engine::{Request, Response};

use crate::abi::{self, xs2a_slice, xs2a_str, Versioned};
use crate::error::xs2a_error;
use crate::guard;

/// One header field, borrowed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct xs2a_header {
    /// The name, in any case.
    name: xs2a_str,
    /// The value: bytes, as they came.
    value: xs2a_slice,
}

impl xs2a_header {
    pub(crate) const EMPTY: Self = Self { name: xs2a_str::EMPTY, value: xs2a_slice::EMPTY };

    pub(crate) fn of(name: &str, value: &str) -> Self {
        Self { name: xs2a_str::of(name), value: xs2a_slice::of(value.as_bytes()) }
    }
}

/// An HTTP request of borrowed pieces. Fill it with zeros, then set `size` and the members you have.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct xs2a_request {
    /// sizeof(xs2a_request).
    size: usize,
    /// The method, such as `POST`.
    method: xs2a_str,
    /// The target as sent: path and query.
    target: xs2a_str,
    /// The header fields in the order sent.
    headers: *const xs2a_header,
    /// How many header fields.
    header_count: usize,
    /// The body, empty where there is none.
    body: xs2a_slice,
    /// Your own id of the call, empty where there is none: 1 to 64 visible ASCII characters. The bank gets it with each
    /// question as the member `correlationId`; lines of log and audit have it.
    correlation_id: xs2a_str,
}

// SAFETY: repr(C), begins with its size; integers and pointers are valid when zero.
unsafe impl Versioned for xs2a_request {
    const SIZES: &'static [usize] = &[offset_of!(Self, correlation_id), size_of::<Self>()];
}

impl xs2a_request {
    /// # Safety
    /// As [`abi::read`].
    pub(crate) unsafe fn read(request: *const Self) -> Result<Self, xs2a_error> {
        // SAFETY: this function's contract is the same.
        unsafe { abi::read(request, "request") }
    }

    /// A received answer, which has neither method nor target.
    pub(crate) fn of_answer(headers: *const xs2a_header, header_count: usize, body: xs2a_slice) -> Self {
        let absent = xs2a_str::of("");
        Self {
            size: size_of::<Self>(),
            method: absent,
            target: absent,
            headers,
            header_count,
            body,
            correlation_id: xs2a_str::EMPTY,
        }
    }

    /// The pieces as the host itself chose them: what is not UTF-8 is the host's mistake.
    pub(crate) fn given(&self) -> Result<Pieces<'_>, xs2a_error> {
        self.pieces(|text, argument| text.text(argument).map(Cow::Borrowed))
    }

    /// The pieces as a TPP sent them: bytes that are not UTF-8 are the TPP's mistake. They become U+FFFD,
    /// which is allowed nowhere in them, so that the engine refuses them with an ordinary response.
    pub(crate) fn received(&self) -> Result<Pieces<'_>, xs2a_error> {
        self.pieces(|text, argument| text.bytes(argument).map(lossy))
    }

    fn pieces<'a>(&'a self, decode: Decode<'a>) -> Result<Pieces<'a>, xs2a_error> {
        // SAFETY: the fields are private, so they came from C, whose contract the header states.
        let fields = unsafe { abi::elements(self.headers, self.header_count, "request.headers")? };
        let (method, target) =
            (decode(&self.method, "request.method")?, decode(&self.target, "request.target")?);
        // An iterator of results has no lower bound of its length to collect by.
        let mut headers = Vec::with_capacity(fields.len());
        for field in fields {
            headers.push((decode(&field.name, "header.name")?, field.value.bytes("header.value")?));
        }
        let body = self.body.bytes("request.body")?;
        // An empty text is an absent one; its pointer may be NULL.
        let correlation_id = match self.correlation_id.text("request.correlation_id")? {
            "" => None,
            text => Some(CorrelationId::new(text)?),
        };
        Ok(Pieces { method, target, headers, body, correlation_id })
    }
}

/// The text, with U+FFFD for what is not UTF-8. Nearly always all of it is, which is the quicker question.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

type Decode<'a> = fn(&'a xs2a_str, &str) -> Result<Cow<'a, str>, xs2a_error>;

/// A request whose pointers are checked.
pub(crate) struct Pieces<'a> {
    pub(crate) method: Cow<'a, str>,
    pub(crate) target: Cow<'a, str>,
    pub(crate) headers: Vec<(Cow<'a, str>, &'a [u8])>,
    pub(crate) body: &'a [u8],
    pub(crate) correlation_id: Option<CorrelationId>,
}

impl Pieces<'_> {
    /// Hands the request on in the shape of the core.
    pub(crate) fn with<T>(&self, call: impl FnOnce(&Request<'_>) -> T) -> T {
        call(&self.with_fields(&self.fields()))
    }

    /// The header fields in the shape of the core.
    pub(crate) fn fields(&self) -> Vec<(&str, &[u8])> {
        self.headers.iter().map(|(name, value)| (name.as_ref(), *value)).collect()
    }

    /// The request in the shape of the core; `headers` are its own fields.
    pub(crate) fn with_fields<'a>(&'a self, headers: &'a [(&'a str, &'a [u8])]) -> Request<'a> {
        let (body, correlation_id) = (self.body, self.correlation_id);
        Request { method: &self.method, target: &self.target, headers, body, correlation_id }
    }
}

/// A complete answer, ready to be sent. Owned by the caller: free it with xs2a_response_free().
pub struct xs2a_response(pub(crate) Response);

/// The HTTP status; 0 where `response` is NULL.
#[no_mangle]
pub extern "C" fn xs2a_response_status(response: Option<&xs2a_response>) -> u16 {
    guard::total(0, || response.map_or(0, |response| response.0.status()))
}

/// How many header fields there are.
#[no_mangle]
pub extern "C" fn xs2a_response_header_count(response: Option<&xs2a_response>) -> usize {
    guard::total(0, || response.map_or(0, |response| response.0.headers().len()))
}

/// The header field at `index`, counted from 0 in the order they are to be sent. Lives as long as `response`;
/// both parts are empty where there is none.
#[no_mangle]
pub extern "C" fn xs2a_response_header(response: Option<&xs2a_response>, index: usize) -> xs2a_header {
    guard::total(xs2a_header::EMPTY, || {
        let field = response.and_then(|response| response.0.headers().nth(index));
        field.map_or(xs2a_header::EMPTY, |(name, value)| xs2a_header::of(name, value))
    })
}

/// The body as it is to be sent: compressed where Content-Encoding says so. Lives as long as `response`.
#[no_mangle]
pub extern "C" fn xs2a_response_body(response: Option<&xs2a_response>) -> xs2a_slice {
    guard::total(xs2a_slice::EMPTY, || {
        response.map_or(xs2a_slice::EMPTY, |response| xs2a_slice::of(response.0.body()))
    })
}

/// The library's own stable id of the first refusal, such as `SIG-07`: for logs and tests, not sent to the
/// TPP. NULL with length 0 where nothing was refused. Lives as long as the library.
#[no_mangle]
pub extern "C" fn xs2a_response_reason(response: Option<&xs2a_response>) -> xs2a_str {
    guard::total(xs2a_str::EMPTY, || {
        response.and_then(|response| response.0.reason()).map_or(xs2a_str::EMPTY, xs2a_str::of)
    })
}

/// The name of the operation that the request was routed to, such as `createPayment`. NULL with length 0 for an unknown
/// path. Lives as long as `response`.
#[no_mangle]
pub extern "C" fn xs2a_response_operation(response: Option<&xs2a_response>) -> xs2a_str {
    recorded(response, Response::operation)
}

/// The organisation identifier in the TPP's certificate, such as `PSDNO-FSA-912345678`, if the certificate is valid.
/// The call is proven to be that TPP's unless it was refused for its signature. NULL with length 0 where it is unknown.
/// Lives as long as `response`.
#[no_mangle]
pub extern "C" fn xs2a_response_tpp(response: Option<&xs2a_response>) -> xs2a_str {
    recorded(response, Response::tpp)
}

/// The name of the TPP in the subject of its certificate: as xs2a_response_tpp().
#[no_mangle]
pub extern "C" fn xs2a_response_tpp_name(response: Option<&xs2a_response>) -> xs2a_str {
    recorded(response, Response::tpp_name)
}

/// The role at `index` in the TPP's certificate, such as `PSP_AI`, counted from 0; NULL with length 0 after the last:
/// as xs2a_response_tpp().
#[no_mangle]
pub extern "C" fn xs2a_response_role(response: Option<&xs2a_response>, index: usize) -> xs2a_str {
    recorded(response, |response| response.roles().get(index).copied())
}

fn recorded(response: Option<&xs2a_response>, member: impl FnOnce(&Response) -> Option<&str>) -> xs2a_str {
    guard::total(xs2a_str::EMPTY, || {
        response.and_then(|response| member(&response.0)).map_or(xs2a_str::EMPTY, xs2a_str::of)
    })
}

/// How long a call took, in microseconds.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct xs2a_timing {
    /// From the request to its complete answer.
    total: u64,
    /// Of that, waiting for the bank.
    bank: u64,
    /// Of that, waiting for the store.
    store: u64,
}

/// How long the call took; zeros where `response` is NULL.
#[no_mangle]
pub extern "C" fn xs2a_response_timing(response: Option<&xs2a_response>) -> xs2a_timing {
    guard::total(xs2a_timing { total: 0, bank: 0, store: 0 }, || {
        let timing = response.map(|response| response.0.timing()).unwrap_or_default();
        xs2a_timing { total: timing.total_micros, bank: timing.bank_micros, store: timing.store_micros }
    })
}

/// Frees a response. NULL is fine.
#[no_mangle]
pub extern "C" fn xs2a_response_free(response: Option<Box<xs2a_response>>) {
    guard::total((), || drop(response));
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;
    use crate::error::xs2a_result::*;

    fn request(target: &'static CStr) -> xs2a_request {
        xs2a_request {
            size: size_of::<xs2a_request>(),
            method: xs2a_str::of("GET"),
            // SAFETY: a `CStr` ends with NUL.
            target: unsafe { abi::xs2a_str_of(target.as_ptr()) },
            headers: std::ptr::null(),
            header_count: 0,
            body: xs2a_slice::EMPTY,
            correlation_id: xs2a_str::EMPTY,
        }
    }

    #[test]
    fn bytes_of_a_tpp_that_are_not_utf_8_reach_the_engine_to_be_refused() {
        let request = request(c"/v1/\xE6");
        assert_eq!(request.received().unwrap().target, "/v1/\u{FFFD}");
        assert_eq!(request.given().err().unwrap().code(), XS2A_NOT_UTF8);
    }

    #[test]
    fn a_header_count_without_headers_is_refused() {
        let request = xs2a_request { header_count: 1, ..request(c"/") };
        assert_eq!(request.received().err().unwrap().code(), XS2A_NULL_ARGUMENT);
    }
}
