//! JSON at the edge: results written as JSON, and a way for C to read one member of them.

use std::mem::MaybeUninit;

use serde::Serialize;
use serde_json::Value;

use crate::abi::{xs2a_str, xs2a_text};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::produce;

/// A result as JSON text.
pub(crate) fn written(value: &impl Serialize) -> Result<Option<Box<xs2a_text>>, xs2a_error> {
    // Only maps with keys that are no text fail to be written, and no result has one.
    serde_json::to_string(value).map(xs2a_text::owned).map_err(|_| xs2a_error::panic())
}

/// Writes a text as a JSON string: in quotes, with `"`, `\` and control characters escaped. For programs without a
/// JSON library, which put a configuration, a query or an answer of the bank together from pieces: no text can end its
/// string.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8.
#[no_mangle]
pub extern "C" fn xs2a_json_string(
    text: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || written(&text.text("text")?))
}

/// Reads one value of a JSON text by its JSON Pointer (RFC 6901), such as `/_links/scaRedirect/href`: the
/// contents where it is a string, else its JSON text, in which a number is as a 64-bit integer or a double holds it.
/// For programs without a JSON library; each call reads the whole text.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (not JSON, or nested too deep), XS2A_NOT_FOUND
/// (no such member).
#[no_mangle]
pub extern "C" fn xs2a_json_at(
    json: xs2a_str,
    pointer: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let value: Value =
            serde_json::from_str(json.text("json")?).map_err(|_| xs2a_error::argument("json", "JSON"))?;
        let pointer = pointer.text("pointer")?;
        match value.pointer(pointer) {
            Some(Value::String(text)) => Ok(xs2a_text::owned(text.clone())),
            Some(other) => written(other),
            None => Err(xs2a_error::not_found(format!("no member at `{pointer}`"))),
        }
    })
}
