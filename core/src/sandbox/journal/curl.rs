//! The calls as commands of a POSIX shell: curl, sending the bytes that were sent.

use std::fmt::Write as _;

use super::entry::{JournalEntry, Step};
use super::named_mistake::Mistakes;
use super::packed_call::RecordedCall;
use super::redact::Redaction;
use super::summary::{note, one_line, outcome};
use crate::types::instant::rfc3339;

/// Bodies up to this size are passed in the command's arguments; Linux takes 128 KiB in one.
const ARGUMENT_BYTES_MAX: usize = 64 * 1024;
/// What curl says of a body by itself.
const FRAMING_HEADERS: [&str; 2] = ["Content-Length", "Transfer-Encoding"];
/// What curl sends unasked; and what with a body.
const UNASKED_HEADERS: [&str; 2] = ["User-Agent", "Accept"];
const UNASKED_WITH_BODY: [&str; 2] = ["Content-Type", "Expect"];

/// A script with one command for each call, addressed to an origin; the other entries are comments.
pub(crate) fn curl<'e>(
    entries: impl Iterator<Item = &'e JournalEntry>,
    mistakes: &Mistakes,
    origin: &str,
    redact: bool,
) -> String {
    let mut script = String::from("#!/bin/sh\n# Written by xs2a from the journal of a sandbox.\n");
    if redact {
        script.push_str("# Identity numbers are masked: a call with one in it is another call.\n");
    }
    for entry in entries {
        // Writing to a String does not fail.
        let _ = write!(script, "\n# {}: {} ", entry.number, rfc3339(entry.at));
        match &entry.step {
            Step::Call(call) => {
                let call = call.unpack();
                let _ = writeln!(script, "{}", one_line(&outcome(&call)));
                if let Some(mistake) = mistakes.get(&entry.number) {
                    let _ = writeln!(script, "# {}", one_line(&mistake.line(Redaction(redact))));
                }
                match command(&call, origin, Redaction(redact)) {
                    Ok(command) => script.push_str(&command),
                    Err(obstacle) => {
                        let _ = writeln!(script, "# {}: {obstacle}", one_line(&call.method));
                    }
                }
            }
            step => {
                let _ = writeln!(script, "{}", one_line(&note(step, redact)));
            }
        }
    }
    script
}

/// One command, or why curl cannot send that.
fn command(call: &RecordedCall, origin: &str, redaction: Redaction) -> Result<String, &'static str> {
    if call.body_bytes > call.body.len() {
        return Err("the body was too large to be kept");
    }
    let target = redaction.target(&call.target);
    if !call.method.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') || call.method.is_empty()
    {
        return Err("curl does not send such a method");
    }
    if target.chars().any(char::is_control) {
        return Err("curl does not send such a target");
    }
    if call.method == "HEAD" && !call.body.is_empty() {
        return Err("curl sends no body with HEAD");
    }
    let body = redaction.bytes(&call.body);
    let (before, given) = body_arguments(&body);
    // Nothing of a .curlrc, no path tidied up, no brackets read as a range.
    let mut words = vec!["curl -q -sS -i --http1.1 --path-as-is -g".to_owned()];
    words.push(match call.method.as_str() {
        // With -X it would wait for the body that the answer to a HEAD has not.
        "HEAD" => "--head".to_owned(),
        method => format!("-X {method}"),
    });
    let is_plain =
        target.starts_with('/') && target.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
    if is_plain {
        words.push(quoted(&format!("{origin}{target}")));
    } else {
        words.push(format!("--request-target {} {}", quoted(&target), quoted(&format!("{origin}/"))));
    }
    let sent = call.headers.iter().filter(|(name, _)| !is_one_of(name, &FRAMING_HEADERS));
    for (name, value) in sent {
        words.push(format!("-H {}", header_argument(name, value, redaction)?));
    }
    let has = |name: &str| call.headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
    let with_body: &[&str] = if given.is_some() { &UNASKED_WITH_BODY } else { &[] };
    let unasked = UNASKED_HEADERS.iter().chain(with_body);
    words.extend(unasked.filter(|name| !has(name)).map(|name| format!("-H '{name}:'")));
    words.extend(given);
    Ok(format!("{before}{}\n", words.join(" \\\n  ")))
}

/// The text before the command, and the argument that passes the body.
fn body_arguments(body: &[u8]) -> (String, Option<String>) {
    match std::str::from_utf8(body) {
        _ if body.is_empty() => (String::new(), None),
        Ok(text) if !text.contains('\0') && body.len() <= ARGUMENT_BYTES_MAX => {
            (String::new(), Some(format!("--data-raw {}", quoted(text))))
        }
        Ok(text) if !text.contains('\0') => {
            (format!("printf '%s' {} |\n", quoted(text)), Some("--data-binary @-".to_owned()))
        }
        _ => (format!("printf {} |\n", printf_format(body)), Some("--data-binary @-".to_owned())),
    }
}

fn header_argument(name: &str, value: &[u8], redaction: Redaction) -> Result<String, &'static str> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err("curl does not send a header of such a name");
    }
    if value.iter().any(|byte| matches!(byte, b'\0' | b'\r' | b'\n')) {
        return Err("curl does not send a header with a line break or a zero in it");
    }
    let value = redaction.header_bytes(name, value);
    Ok(match std::str::from_utf8(&value) {
        Ok(text) if text.trim().is_empty() => quoted(&format!("{name};")),
        Ok(text) => quoted(&format!("{name}: {text}")),
        Err(_) => {
            let line = [name.as_bytes(), b": ", &value].concat();
            format!("\"$(printf {})\"", printf_format(&line))
        }
    })
}

/// Text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Bytes as the format of `printf`, which takes octal escapes.
fn printf_format(bytes: &[u8]) -> String {
    let mut format = String::from("'");
    for byte in bytes {
        match byte {
            b'%' => format.push_str("%%"),
            byte if byte.is_ascii_alphanumeric() || b" :;,./=+-_{}[]\"".contains(byte) => {
                format.push(char::from(*byte));
            }
            byte => format.push_str(&format!("\\{byte:03o}")),
        }
    }
    format.push('\'');
    format
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|listed| name.eq_ignore_ascii_case(listed))
}
