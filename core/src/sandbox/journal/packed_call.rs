//! A call as the journal stores it. Every call is stored and few are read, so storing one must cost little: its
//! variable parts are in one allocation.

use std::sync::Arc;

use super::fields::Fields;
use super::parts::{Parts, PartsReader};
use crate::reason::Reason;
use crate::wire::request::Request;
use crate::wire::response::Response;

/// Longer values of headers come again with every call, as certificates do: those are shared. Most of the others
/// differ from call to call; a signature by a key of 4096 bits is shorter.
const SHORT_MAX: usize = 1023;

/// A request as it came in and the answer as it went out, packed: see [`PackedCall::unpack`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedCall {
    /// Method, target, TPP, name and value of each header field of both messages, both bodies.
    parts: Parts,
    /// The long values of headers, in their order.
    long_values: Vec<Arc<[u8]>>,
    body_bytes: usize,
    status: u16,
    reason: Option<&'static str>,
    reasons: Vec<Reason>,
    operation: Option<&'static str>,
    has_tpp: bool,
    sent_fields: usize,
    answered_fields: usize,
}

/// A request as it came in and the answer as it went out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedCall {
    /// The method.
    pub method: String,
    /// Path and query as sent.
    pub target: String,
    /// The header fields in the order sent.
    pub headers: Fields,
    /// The body; of one that is larger than any that is taken, the beginning.
    pub body: Vec<u8>,
    /// How many bytes the body had.
    pub body_bytes: usize,
    /// The HTTP status of the answer.
    pub status: u16,
    /// The header fields of the answer.
    pub answer_headers: Fields,
    /// The body of the answer as sent: compressed where `Content-Encoding` says so.
    pub answer_body: Vec<u8>,
    /// The stable id of the first refusal, as [`Response::reason`].
    pub reason: Option<&'static str>,
    /// Every reason and warning of the answer, in its order.
    pub reasons: Vec<Reason>,
    /// The operation it was routed to. `None` for an unknown path and for the SCA site.
    pub operation: Option<&'static str>,
    /// The TPP of its certificate, where that counts. Whether the call is really this TPP's is known only where
    /// it was not refused for its signature.
    pub tpp: Option<String>,
}

/// What the engine's trace reports of a call.
#[derive(Debug, Default)]
pub struct CallFacts<'t> {
    /// As [`RecordedCall::operation`].
    pub operation: Option<&'static str>,
    /// As [`RecordedCall::tpp`].
    pub tpp: Option<&'t str>,
    /// As [`RecordedCall::reasons`].
    pub reasons: Vec<Reason>,
}

impl PackedCall {
    /// What was sent and answered; of the request's body at most so many bytes are kept. Long values of headers are
    /// kept by `keep`.
    pub fn new(
        request: &Request<'_>,
        answer: &Response,
        facts: CallFacts<'_>,
        body_bytes_max: usize,
        keep: impl Fn(&[u8]) -> Arc<[u8]>,
    ) -> Self {
        let body = request.body.get(..body_bytes_max).unwrap_or(request.body);
        let sent = request.headers.iter().copied();
        let answered = answer.headers.iter().map(|(name, value)| (name.as_ref(), value.as_bytes()));
        let texts = [request.method, request.target, facts.tpp.unwrap_or_default()];
        let bodies = [body, answer.body()];
        let bytes = texts.iter().map(|text| text.len()).chain(bodies.map(<[u8]>::len)).sum::<usize>();
        let fields = sent.len() + answered.len();
        let mut call = Self {
            parts: Parts::with_capacity(
                texts.len() + bodies.len() + 2 * fields,
                bytes + bytes_of(sent.clone()) + bytes_of(answered.clone()),
            ),
            long_values: Vec::new(),
            body_bytes: request.body.len(),
            status: answer.status(),
            reason: answer.reason(),
            reasons: facts.reasons,
            operation: facts.operation,
            has_tpp: facts.tpp.is_some(),
            sent_fields: sent.len(),
            answered_fields: answered.len(),
        };
        texts.iter().for_each(|text| call.parts.push(text.as_bytes()));
        sent.chain(answered).for_each(|(name, value)| call.push_field(name, value, &keep));
        bodies.iter().for_each(|body| call.parts.push(body));
        call
    }

    fn push_field(&mut self, name: &str, value: &[u8], keep: impl Fn(&[u8]) -> Arc<[u8]>) {
        self.parts.push(name.as_bytes());
        if is_short(value) {
            self.parts.push(value);
        } else {
            self.parts.push_elsewhere();
            self.long_values.push(keep(value));
        }
    }

    /// The call as one looks at it.
    pub fn unpack(&self) -> RecordedCall {
        let mut parts = self.parts.reader();
        let mut long_values = self.long_values.iter();
        // Read in the order in which they were packed.
        RecordedCall {
            method: parts.text(),
            target: parts.text(),
            tpp: Some(parts.text()).filter(|_| self.has_tpp),
            headers: unpack_fields(self.sent_fields, &mut parts, &mut long_values),
            answer_headers: unpack_fields(self.answered_fields, &mut parts, &mut long_values),
            body: parts.part().unwrap_or_default().to_vec(),
            answer_body: parts.part().unwrap_or_default().to_vec(),
            body_bytes: self.body_bytes,
            status: self.status,
            reason: self.reason,
            reasons: self.reasons.clone(),
            operation: self.operation,
        }
    }

    /// As [`RecordedCall::reason`].
    pub fn reason(&self) -> Option<&'static str> {
        self.reason
    }

    /// As [`RecordedCall::status`].
    pub fn status(&self) -> u16 {
        self.status
    }

    /// As [`RecordedCall::operation`].
    pub fn operation(&self) -> Option<&'static str> {
        self.operation
    }

    /// As [`RecordedCall::tpp`].
    pub fn tpp(&self) -> Option<&str> {
        let mut parts = self.parts.reader();
        let _method_and_target = (parts.part(), parts.part());
        let tpp = parts.part().and_then(|name| std::str::from_utf8(name).ok());
        tpp.filter(|_| self.has_tpp)
    }

    /// The size of what varies, in bytes; a shared value counts for each of its owners.
    pub(super) fn weight(&self) -> usize {
        let long: usize = self.long_values.iter().map(|value| value.len() + size_of::<Arc<[u8]>>()).sum();
        self.parts.weight() + long + size_of_val(self.reasons.as_slice())
    }
}

fn is_short(value: &[u8]) -> bool {
    value.len() <= SHORT_MAX
}

/// How many bytes of header fields are not kept elsewhere.
fn bytes_of<'f>(fields: impl Iterator<Item = (&'f str, &'f [u8])>) -> usize {
    fields.map(|(name, value)| name.len() + if is_short(value) { value.len() } else { 0 }).sum()
}

fn unpack_fields<'a>(
    count: usize,
    parts: &mut PartsReader<'_>,
    long_values: &mut impl Iterator<Item = &'a Arc<[u8]>>,
) -> Fields {
    let field = |_| {
        let name = parts.text();
        let value = parts.part().map(Arc::from).or_else(|| long_values.next().cloned());
        (name, value.unwrap_or_default())
    };
    (0..count).map(field).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use crate::wire::call_record::CallRecord;

    use super::*;

    fn request<'r>(headers: &'r [(&'r str, &'r [u8])], body: &'r [u8]) -> Request<'r> {
        Request { method: "PUT", target: "/blåbær?a=1", headers, body, correlation_id: None }
    }

    fn answer() -> Response {
        Response {
            status: 200,
            headers: vec![("Blue".into(), "1".into()), ("".into(), "".into())],
            body: b"\xffanswer".to_vec(),
            reason: Some("BOD-01"),
            call: CallRecord::default(),
        }
    }

    #[test]
    fn a_call_is_unpacked_as_it_was_and_long_values_are_kept_outside() {
        let (short, long) = (vec![b's'; SHORT_MAX], vec![b'l'; SHORT_MAX + 1]);
        let headers: [(&str, &[u8]); 6] =
            [("a", b"1"), ("", b""), ("Long", &long), ("a", b"\xff2"), ("Short", &short), ("blåbær", b"3")];
        let kept = Cell::new(0);
        let keep = |value: &[u8]| {
            kept.set(kept.get() + 1);
            value.into()
        };
        let facts = CallFacts {
            operation: Some("createPayment"),
            tpp: Some("PSDNO-FSA-000001"),
            reasons: vec![Reason::SignatureInvalid],
        };
        let packed = PackedCall::new(&request(&headers, b"body"), &answer(), facts, 3, keep);
        let call = packed.unpack();
        let looked_at = (packed.status(), packed.reason(), packed.operation(), packed.tpp());
        assert_eq!(looked_at, (call.status, call.reason, call.operation, call.tpp.as_deref()));
        assert_eq!((call.method.as_str(), call.target.as_str()), ("PUT", "/blåbær?a=1"));
        assert_eq!((call.headers.iter().collect::<Vec<_>>(), kept.get()), (headers.to_vec(), 1));
        assert_eq!((call.body.as_slice(), call.body_bytes), (&b"bod"[..], 4));
        let answered: Vec<(&str, &[u8])> = vec![("Blue", b"1"), ("", b"")];
        assert_eq!(call.answer_headers.iter().collect::<Vec<_>>(), answered);
        assert_eq!((call.status, call.answer_body.as_slice()), (200, &b"\xffanswer"[..]));
        assert_eq!((call.reason, call.reasons), (Some("BOD-01"), vec![Reason::SignatureInvalid]));
        assert_eq!((call.operation, call.tpp.as_deref()), (Some("createPayment"), Some("PSDNO-FSA-000001")));
    }

    #[test]
    fn no_tpp_is_not_a_tpp_without_a_name() {
        let unpacked = |tpp| {
            let facts = CallFacts { tpp, ..CallFacts::default() };
            let packed = PackedCall::new(&request(&[], b""), &answer(), facts, 0, |value| value.into());
            assert_eq!(packed.tpp(), packed.unpack().tpp.as_deref());
            packed.unpack()
        };
        assert_eq!([unpacked(None).tpp, unpacked(Some("")).tpp], [None, Some(String::new())]);
    }

    #[test]
    fn everything_that_varies_has_its_weight_and_one_piece_of_memory() {
        let weight = |headers: &[(&str, &[u8])], body: &[u8]| {
            let facts = CallFacts::default();
            let call =
                PackedCall::new(&request(headers, body), &answer(), facts, usize::MAX, |value| value.into());
            assert_eq!(call.parts.weight(), call.parts.bytes());
            call.weight()
        };
        let (long, empty) = (vec![0; 5_000], weight(&[], b""));
        assert!(weight(&[], &long) >= empty + 5_000);
        assert!(weight(&[("a", &long)], b"") >= empty + 5_000);
        assert!(weight(&[(&"n".repeat(5_000), b"")], b"") >= empty + 5_000);
        assert!(weight(&[("a", &b""[..]); 1_000], b"") >= empty + 9_000);
    }
}
