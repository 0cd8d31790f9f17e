//! A page as an HTTP response.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use maud::Markup;

use super::content_security::content_security_policy;
use crate::reason::Language;
use crate::wire::call_record::CallRecord;
use crate::wire::http_date::format_http_date;
use crate::wire::response::Response;

/// A page that ends the walk.
pub(super) fn answer(status: u16, language: Language, html: Markup) -> Response {
    response(status, language, content_security_policy(false), html)
}

/// A page that asks something.
pub(super) fn answer_with_form(status: u16, language: Language, html: Markup) -> Response {
    response(status, language, content_security_policy(true), html)
}

/// A page with the headers that every page has.
fn response(status: u16, language: Language, policy: String, html: Markup) -> Response {
    let fields = [
        ("Content-Type", "text/html; charset=utf-8".into()),
        ("Content-Language", language.tag().into()),
        ("Cache-Control", "no-store".into()),
        ("Content-Security-Policy", Cow::from(policy)),
        ("Referrer-Policy", "no-referrer".into()),
        ("X-Content-Type-Options", "nosniff".into()),
        // For browsers that do not know frame-ancestors.
        ("X-Frame-Options", "DENY".into()),
    ];
    let headers = fields.into_iter().map(|(name, value)| (name.into(), value)).collect();
    Response {
        status,
        headers,
        body: html.into_string().into_bytes(),
        reason: None,
        call: CallRecord::default(),
    }
}

/// The same with the time of the answer, as every server with a clock sends it (RFC 9110, 6.6.1).
pub(crate) fn dated(page: Response, now: DateTime<Utc>) -> Response {
    with_header(page, "Date", format_http_date(now))
}

/// The same with one more header.
pub(super) fn with_header(mut response: Response, name: &'static str, value: String) -> Response {
    response.headers.push((name.into(), value.into()));
    response
}
