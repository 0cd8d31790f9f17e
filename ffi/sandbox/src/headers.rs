//! Lists of header fields: what a TPP signed.

use crate::abi::xs2a_str;
use crate::guard;
use crate::message::xs2a_header;

/// A list of header fields. Owned by the caller: free it with xs2a_headers_free().
pub struct xs2a_headers {
    /// Borrow from `fields`, whose texts never move.
    views: Vec<xs2a_header>,
    fields: Vec<(String, String)>,
}

impl xs2a_headers {
    pub(crate) fn owned(fields: Vec<(String, String)>) -> Option<Box<Self>> {
        let views = fields.iter().map(|(name, value)| xs2a_header::of(name, value)).collect();
        guard::owned(Self { views, fields })
    }
}

/// How many fields the list has; 0 where `headers` is NULL.
#[no_mangle]
pub extern "C" fn xs2a_headers_count(headers: Option<&xs2a_headers>) -> usize {
    guard::total(0, || headers.map_or(0, |headers| headers.views.len()))
}

/// The list as an array of xs2a_headers_count() fields: what xs2a_request.headers takes. Lives as long as
/// `headers`; NULL where it is empty or NULL.
#[no_mangle]
pub extern "C" fn xs2a_headers_data(headers: Option<&xs2a_headers>) -> *const xs2a_header {
    guard::total(std::ptr::null(), || {
        headers.filter(|list| !list.views.is_empty()).map_or(std::ptr::null(), |list| list.views.as_ptr())
    })
}

/// The field at `index`, counted from 0. Lives as long as `headers`; both parts are empty where there is none.
#[no_mangle]
pub extern "C" fn xs2a_headers_get(headers: Option<&xs2a_headers>, index: usize) -> xs2a_header {
    guard::total(xs2a_header::EMPTY, || {
        headers.and_then(|headers| headers.views.get(index)).copied().unwrap_or(xs2a_header::EMPTY)
    })
}

/// The value of the first field of that name, in any letter case. Lives as long as `headers`; NULL with length 0 where
/// there is none.
#[no_mangle]
pub extern "C" fn xs2a_headers_value(headers: Option<&xs2a_headers>, name: xs2a_str) -> xs2a_str {
    guard::total(xs2a_str::EMPTY, || {
        let Ok(name) = name.bytes("name") else { return xs2a_str::EMPTY };
        let fields = headers.map_or(&[][..], |headers| &headers.fields);
        let named = fields.iter().find(|(found, _)| found.as_bytes().eq_ignore_ascii_case(name));
        named.map_or(xs2a_str::EMPTY, |(_, value)| xs2a_str::of(value))
    })
}

/// Frees a list of header fields. NULL is fine.
#[no_mangle]
pub extern "C" fn xs2a_headers_free(headers: Option<Box<xs2a_headers>>) {
    guard::total((), || drop(headers));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::xs2a_slice;
    use crate::message::xs2a_request;

    #[test]
    fn a_list_can_be_the_headers_of_a_request() {
        let list = xs2a_headers::owned(vec![("Date".into(), "today".into()), ("A".into(), String::new())]);
        let (data, count) = (xs2a_headers_data(list.as_deref()), xs2a_headers_count(list.as_deref()));
        let request = xs2a_request::of_answer(data, count, xs2a_slice::EMPTY);
        let pieces = request.given().unwrap();
        pieces.with(|request| assert_eq!(request.headers, [("Date", &b"today"[..]), ("A", b"")]));
    }
}
