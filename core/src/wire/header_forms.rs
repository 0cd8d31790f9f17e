//! How the values of call headers are read: a function for each form that [`super::call_headers`] names.

use std::net::IpAddr;

use uuid::Uuid;

use crate::limits::{FORWARDED_CHARS_MAX, SESSION_ID_BYTES_MAX};
use crate::reason::{Case, Reason, Violation};
use crate::types::{visible_text, Context, GeoLocation, IdentityNumber, RedirectUri, RequestId};

#[expect(clippy::unnecessary_wraps, reason = "one of the forms of the table")]
pub(super) fn any(_text: &str) -> Result<(), Violation> {
    Ok(())
}

pub(super) fn uuid(text: &str) -> Result<Uuid, Violation> {
    // The 36-character form alone: braces and URNs are not what the header is said to hold.
    let parsed = Uuid::try_parse(text).ok().filter(|_| text.len() == uuid::fmt::Hyphenated::LENGTH);
    parsed.ok_or_else(|| Reason::HeaderNotUuid.into())
}

pub(super) fn request_id(text: &str) -> Result<RequestId, Violation> {
    RequestId::parse(text).ok_or_else(|| Violation::of_case(Case::RequestIdMalformed, &[]))
}

pub(super) fn session_id(text: &str) -> Result<String, Violation> {
    match text.len() {
        0 => Err(Reason::HeaderEmpty.into()),
        1..=SESSION_ID_BYTES_MAX => Ok(text.to_owned()),
        _ => Err(Violation::with(Reason::HeaderTooLong, &[&SESSION_ID_BYTES_MAX])),
    }
}

/// Comma-separated names; clients in the field put the list in quotes.
#[expect(clippy::unnecessary_wraps, reason = "one of the forms of the table")]
pub(super) fn names(text: &str) -> Result<Vec<String>, Violation> {
    let names = text.trim_matches('"').split(',').map(str::trim);
    Ok(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

pub(super) fn redirect_uri(text: &str) -> Result<RedirectUri, Violation> {
    RedirectUri::of_header(text)
}

pub(super) fn boolean(text: &str) -> Result<bool, Violation> {
    text.parse().map_err(|_| Reason::HeaderNotBoolean.into())
}

pub(super) fn identity_number(text: &str) -> Result<IdentityNumber, Violation> {
    IdentityNumber::parse(text).map_err(Violation::from)
}

pub(super) fn context(text: &str) -> Result<Context, Violation> {
    Context::parse(text).map_err(Violation::from)
}

pub(super) fn ip_address(text: &str) -> Result<IpAddr, Violation> {
    text.parse().map_err(|_| Reason::HeaderNotIpAddress.into())
}

pub(super) fn port(text: &str) -> Result<u16, Violation> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let parsed = text.parse().ok().filter(|port| is_plain && *port > 0);
    parsed.ok_or_else(|| Reason::HeaderNotPort.into())
}

pub(super) fn method(text: &str) -> Result<String, Violation> {
    match text {
        "GET" | "POST" | "PUT" | "PATCH" | "DELETE" => Ok(text.to_owned()),
        _ => Err(Reason::HeaderNotMethod.into()),
    }
}

pub(super) fn geo_location(text: &str) -> Result<GeoLocation, Violation> {
    GeoLocation::parse(text).map_err(Violation::from)
}

/// Free text: cut rather than refused, because no call fails for what a browser says of itself. Bytes that are not
/// UTF-8 count as nothing said.
#[expect(clippy::unnecessary_wraps, reason = "one of the forms of the table")]
pub(super) fn forwarded(text: &str) -> Result<String, Violation> {
    Ok(text.chars().take(FORWARDED_CHARS_MAX).collect())
}

/// As [`forwarded`], without hidden characters: the PSU is shown it beside the bank's own words, which it must not turn
/// around nor break up.
pub(super) fn brand(text: &str) -> Result<String, Violation> {
    forwarded(&visible_text(text))
}
