//! The calls as an HTTP Archive (HAR 1.2), as the tools of browsers read it.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use percent_encoding::percent_decode_str;
use serde::Serialize;

use super::entry::{JournalEntry, Step};
use super::fields::Fields;
use super::message_body::{header_text, unpacked};
use super::named_mistake::{Mistakes, NamedMistake};
use super::packed_call::RecordedCall;
use super::redact::Redaction;
use super::summary::{happened, note};
use crate::error::Result;
use crate::types::instant::rfc3339;
use crate::wire::json;

#[derive(Serialize)]
struct Har {
    log: Log,
}

#[derive(Serialize)]
struct Log {
    version: &'static str,
    creator: Creator,
    entries: Vec<Entry>,
    comment: &'static str,
    /// What else was done. Our own member, which HAR requires to begin with an underscore.
    #[serde(rename = "_notes")]
    notes: Vec<Note>,
}

#[derive(Serialize)]
struct Creator {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Note {
    number: u64,
    at: String,
    text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    happened: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    started_date_time: String,
    time: u64,
    request: Request,
    response: Response,
    cache: Nothing,
    timings: Timings,
    #[serde(rename = "_number")]
    number: u64,
    #[serde(rename = "_operation")]
    operation: Option<&'static str>,
    #[serde(rename = "_tpp")]
    tpp: Option<String>,
    #[serde(rename = "_reason")]
    reason: Option<&'static str>,
    #[serde(rename = "_reasons")]
    reasons: Vec<&'static str>,
    #[serde(rename = "_mistake", skip_serializing_if = "Option::is_none")]
    mistake: Option<Mistake>,
    #[serde(rename = "_happened", skip_serializing_if = "Vec::is_empty")]
    happened: Vec<String>,
}

#[derive(Serialize)]
struct Mistake {
    id: &'static str,
    proof: &'static str,
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    method: String,
    url: String,
    http_version: &'static str,
    cookies: [Nothing; 0],
    headers: Vec<Pair>,
    query_string: Vec<Pair>,
    #[serde(skip_serializing_if = "Option::is_none")]
    post_data: Option<PostData>,
    headers_size: i32,
    body_size: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PostData {
    mime_type: String,
    text: String,
    /// HAR defines it for answers only.
    #[serde(rename = "_encoding", skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    status: u16,
    status_text: &'static str,
    http_version: &'static str,
    cookies: [Nothing; 0],
    headers: Vec<Pair>,
    content: Content,
    #[serde(rename = "redirectURL")]
    redirect_url: String,
    headers_size: i32,
    body_size: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Content {
    size: usize,
    mime_type: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
}

/// In milliseconds. The sandbox's clock does not move while it answers, unless a fault delays the answer.
#[derive(Serialize)]
struct Timings {
    send: u64,
    wait: u64,
    receive: u64,
}

#[derive(Serialize)]
struct Pair {
    name: String,
    value: String,
}

#[derive(Serialize)]
struct Nothing {}

/// The size of what HAR may leave untold.
const UNKNOWN: i32 = -1;
const HTTP: &str = "HTTP/1.1";

/// The calls of some entries as a HAR, addressed to an origin; the other entries are `_notes`.
pub(crate) fn har<'e>(
    entries: impl Iterator<Item = &'e JournalEntry>,
    mistakes: &Mistakes,
    origin: &str,
    redact: bool,
) -> Result<String> {
    let (mut calls, mut notes) = (Vec::new(), Vec::new());
    for entry in entries {
        match &entry.step {
            Step::Call(call) => {
                let redaction = Redaction(redact);
                let mistake = mistakes.get(&entry.number).map(|mistake| shown(mistake, redaction));
                calls.push(Entry { mistake, ..call_entry(entry, call.unpack(), origin, redaction) });
            }
            step => notes.push(Note {
                number: entry.number,
                at: rfc3339(entry.at),
                text: note(step, redact),
                happened: happened(entry, redact),
            }),
        }
    }
    json::write_text(&Har {
        log: Log {
            version: "1.2",
            creator: Creator { name: "xs2a", version: env!("CARGO_PKG_VERSION") },
            entries: calls,
            comment: if redact {
                "identity numbers are masked"
            } else {
                "as it was sent, with personal data"
            },
            notes,
        },
    })
}

fn call_entry(entry: &JournalEntry, call: RecordedCall, origin: &str, redaction: Redaction) -> Entry {
    let late = entry.late().num_milliseconds().unsigned_abs();
    Entry {
        started_date_time: rfc3339(entry.at),
        time: late,
        request: request(&call, origin, redaction),
        response: response(&call, redaction),
        cache: Nothing {},
        timings: Timings { send: 0, wait: late, receive: 0 },
        number: entry.number,
        operation: call.operation,
        tpp: call.tpp,
        reason: call.reason,
        reasons: call.reasons.iter().map(|reason| reason.id()).collect(),
        mistake: None,
        happened: happened(entry, redaction.0),
    }
}

fn shown(mistake: &NamedMistake, redaction: Redaction) -> Mistake {
    Mistake { id: mistake.id, proof: mistake.proof, text: redaction.text(&mistake.text).into_owned() }
}

fn request(call: &RecordedCall, origin: &str, redaction: Redaction) -> Request {
    let post_data = (!call.body.is_empty()).then(|| {
        let (text, encoding) = text(&call.body, redaction);
        PostData {
            mime_type: call.headers.text("Content-Type").unwrap_or_default().to_owned(),
            text,
            encoding,
        }
    });
    Request {
        method: call.method.clone(),
        url: format!("{origin}{}", uri(&redaction.target(&call.target))),
        http_version: HTTP,
        cookies: [],
        headers: pairs(&call.headers, redaction),
        query_string: query(&redaction.target(&call.target)),
        post_data,
        headers_size: UNKNOWN,
        body_size: call.body_bytes,
    }
}

fn pairs(headers: &Fields, redaction: Redaction) -> Vec<Pair> {
    let pair = |(name, value): (&str, &[u8])| Pair {
        name: name.to_owned(),
        value: redaction.header(name, &header_text(value)).into_owned(),
    };
    headers.iter().map(pair).collect()
}

fn response(call: &RecordedCall, redaction: Redaction) -> Response {
    let body = unpacked(call);
    let (text, encoding) = text(&body, redaction);
    Response {
        status: call.status,
        // HTTP/1.1 has no use for one.
        status_text: "",
        http_version: HTTP,
        cookies: [],
        headers: pairs(&call.answer_headers, redaction),
        content: Content {
            size: body.len(),
            mime_type: call.answer_headers.text("Content-Type").unwrap_or_default().to_owned(),
            text,
            encoding,
        },
        redirect_url: redaction.text(call.answer_headers.text("Location").unwrap_or_default()).into_owned(),
        headers_size: UNKNOWN,
        body_size: call.answer_body.len(),
    }
}

/// A body as text, or in base64 where it is none.
fn text(body: &[u8], redaction: Redaction) -> (String, Option<&'static str>) {
    match String::from_utf8(redaction.bytes(body).into_owned()) {
        Ok(text) => (text, None),
        Err(other) => (STANDARD.encode(other.as_bytes()), Some("base64")),
    }
}

fn query(target: &str) -> Vec<Pair> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (_, query) = target.split_once('?').unwrap_or_default();
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Pair { name: decoded(name), value: decoded(value) }
        })
        .collect()
}

/// A target as part of a URI: characters that a URI may not contain (RFC 3986) are escaped, existing escapes stay.
fn uri(target: &str) -> String {
    let mut uri = String::with_capacity(target.len() + 1);
    if !target.starts_with('/') {
        uri.push('/');
    }
    for byte in target.bytes() {
        match byte {
            byte if byte.is_ascii_alphanumeric() || b"-._~:/?@!$&'()*+,;=%".contains(&byte) => {
                uri.push(char::from(byte));
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_uri_is_escaped_and_what_is_one_stays() {
        for (target, expected) in [
            ("/v1/a%20b?x=%C3%A6&y=a!!b", "/v1/a%20b?x=%C3%A6&y=a!!b"),
            ("/a b\"<#>", "/a%20b%22%3C%23%3E"),
            ("*", "/*"),
            ("", "/"),
            ("/æ", "/%C3%A6"),
        ] {
            assert_eq!(uri(target), expected);
        }
    }
}
