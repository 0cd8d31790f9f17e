//! The request at hand, read as far as it can be.

use chrono::{DateTime, Utc};

use super::draft::{Draft, Line, CONTRACT};
use super::options::ExplainOptions;
use crate::limits::EXPLAIN_NAMES_MAX;
use crate::tpp::signing_string::{Fields as _, REQUEST_TARGET};
use crate::wire::headers::Headers;
use crate::wire::request::Request;

/// A request, and what an explanation may use beside it.
pub(super) struct Case<'a> {
    pub(super) request: Request<'a>,
    pub(super) headers: Headers<'a>,
    /// The names that Signature lists, as they are written.
    pub(super) names: Vec<&'a str>,
    pub(super) now: DateTime<Utc>,
    pub(super) options: &'a ExplainOptions<'a>,
}

impl<'a> Case<'a> {
    /// The fields, at most as many as the bank looks at.
    pub(super) fn fields(&self) -> &'a [(&'a str, &'a [u8])] {
        let fields = self.request.headers;
        fields.get(..crate::limits::HEADER_FIELDS_MAX).unwrap_or(fields)
    }

    /// The value of a header as text, without white space around it.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        String::from_utf8(self.headers.value(name)?.into_owned()).ok()
    }

    /// The signing string as the bank builds it, without the lines of headers that were not sent. `None` if the list
    /// is longer than any that is signed.
    pub(super) fn expected(&self) -> Option<Draft<'a>> {
        let lines = self.names.iter().filter_map(|name| self.line(name)).collect();
        (self.names.len() <= EXPLAIN_NAMES_MAX).then_some(Draft { lines, layout: CONTRACT })
    }

    /// The line of a name; `None` if the header was not sent.
    pub(super) fn line(&self, name: &str) -> Option<Line<'a>> {
        line_of(&self.request, &self.headers, name)
    }
}

/// The line of a name in the signing string of a request; `None` if the header was not sent.
pub(super) fn line_of<'a>(request: &Request<'a>, headers: &Headers<'a>, name: &str) -> Option<Line<'a>> {
    let value = match name.eq_ignore_ascii_case(REQUEST_TARGET) {
        true => target_value(request.method, request.target).into(),
        false => headers.get(name)?,
    };
    Some(Line::new(name.to_ascii_lowercase(), value))
}

/// The value of `(request-target)`.
pub(super) fn target_value(method: &str, target: &str) -> Vec<u8> {
    format!("{} {target}", method.to_ascii_lowercase()).into_bytes()
}
