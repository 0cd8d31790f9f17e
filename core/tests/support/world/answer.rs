//! The form of every answer.

use std::io::Read as _;

use serde_json::Value;
use xs2a::Response;

/// The codes of the contract, section 7.
pub const CODES: [&str; 24] = [
    "SYSTEM_ERROR",
    "BAD_REQUEST",
    "FORBIDDEN",
    "NOT_FOUND",
    "CONFLICT",
    "HTTP_HEADER_REQUIRED",
    "QUERY_PARAMETER_REQUIRED",
    "SCA_NOT_FOUND",
    "SCA_EXPIRED",
    "SCA_INVALID",
    "FORMAT_ERROR",
    "RESOURCE_UNKNOWN",
    "PSU_CREDENTIALS_INVALID",
    "CONSENT_UNKNOWN",
    "CONSENT_INVALID",
    "CONSENT_EXPIRED",
    "ACCESS_EXCEEDED",
    "PRODUCT_UNKNOWN",
    "PRODUCT_INVALID",
    "KID_MISSING",
    "KID_INVALID",
    "PAYMENT_FAILED",
    "EXECUTION_DATE_INVALID",
    "REFERENCE_MIX_INVALID",
];

/// Longest text of a message (contract: TPP message).
const TEXT_CHARS_MAX: usize = 512;
/// How many messages an answer has at most.
const MESSAGES_MAX: usize = 100;

/// One TPP message, its absent members empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub category: String,
    pub code: String,
    pub path: String,
    pub text: String,
}

/// The body, decompressed where it came so.
pub fn json_of(response: &Response) -> Value {
    let mut plain = Vec::new();
    let bytes = match response.header("Content-Encoding") {
        Some("gzip") => {
            flate2::read::GzDecoder::new(response.body()).read_to_end(&mut plain).unwrap();
            plain.as_slice()
        }
        _ => response.body(),
    };
    serde_json::from_slice(bytes)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(bytes)))
}

/// The messages of an answer.
pub fn messages(response: &Response) -> Vec<Message> {
    let body = json_of(response);
    let read = |message: &Value| {
        let member = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let known = ["category", "code", "path", "text"];
        assert!(message.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{message}");
        Message {
            category: member("category"),
            code: member("code"),
            path: member("path"),
            text: member("text"),
        }
    };
    body["tppMessages"].as_array().map(|list| list.iter().map(read).collect()).unwrap_or_default()
}

/// Returns true if eleven digits follow one another.
fn has_identity_number(text: &str) -> bool {
    text.as_bytes().windows(11).any(|window| window.iter().all(u8::is_ascii_digit))
}

/// Holds an answer against what is true of every answer: its headers, its form, the list of codes, the
/// length of texts, that no message shows an identity number, and that a refusal has a reason and says why.
pub fn assert_well_formed(response: &Response) {
    assert_eq!(response.header("Content-Type"), Some("application/json"));
    assert!(matches!(response.header("Content-Language"), Some("en" | "nb")));
    assert!(response.headers().all(|(_, value)| value.bytes().all(|byte| (0x20..0x7F).contains(&byte))));
    let messages = messages(response);
    assert!(messages.len() <= MESSAGES_MAX, "{} messages", messages.len());
    for message in &messages {
        assert!(CODES.contains(&message.code.as_str()), "{message:?}");
        assert!(["ERROR", "WARNING"].contains(&message.category.as_str()), "{message:?}");
        assert!((1..=TEXT_CHARS_MAX).contains(&message.text.chars().count()), "{message:?}");
        let unfilled = ["{0}", "{1}", "{2}"].iter().any(|place| message.text.contains(place));
        assert!(!unfilled, "an argument is missing: {message:?}");
        assert!(message.path.chars().count() <= 2_048, "{message:?}");
        for shown in [&message.path, &message.text] {
            assert!(!has_identity_number(shown), "a whole identity number: {message:?}");
        }
    }
    if let Some(reported) = json_of(response)["psuMessage"].as_str() {
        assert!((1..=TEXT_CHARS_MAX).contains(&reported.chars().count()), "{reported}");
    }
    let is_refusal = response.status() >= 400;
    assert_eq!(response.reason().is_some(), is_refusal, "{} {:?}", response.status(), response.reason());
    let errors = messages.iter().filter(|message| message.category == "ERROR").count();
    assert_eq!(errors > 0, is_refusal, "{} with {errors} errors", response.status());
}
