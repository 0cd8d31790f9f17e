//! Signatures: the pure functions a client needs to make them and a host to look at them.

use std::mem::MaybeUninit;

use engine::tools;

use crate::abi::{xs2a_slice, xs2a_str, xs2a_text};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::produce;
use crate::json::written;
use crate::message::xs2a_request;
use crate::time::instant;

/// The text that is signed, for a list of names as in a Signature header, such as `date digest x-request-id`. The body
/// is not read.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_MISUSE (a name the request does not have).
#[no_mangle]
pub unsafe extern "C" fn xs2a_signing_string(
    request: *const xs2a_request,
    names: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on structs.
        let request = unsafe { xs2a_request::read(request)? };
        let names: Vec<_> = names.text("names")?.split_ascii_whitespace().collect();
        let text = request
            .given()?
            .with(|given| tools::signing_string(given.method, given.target, given.headers, &names))?;
        Ok(xs2a_text::owned(text))
    })
}

/// The value of a Digest header, such as `SHA-256=…`. `algorithm`: `SHA-256` or `SHA-512`, in any case; absent:
/// `SHA-256`.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (another algorithm).
#[no_mangle]
pub extern "C" fn xs2a_digest(
    body: xs2a_slice,
    algorithm: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let algorithm = algorithm.optional("algorithm")?.unwrap_or("SHA-256");
        Ok(xs2a_text::owned(tools::digest(body.bytes("body")?, algorithm)?))
    })
}

/// Verifies a signed request as the engine does: certificate, Digest, Date, signature. `now`: by RFC 3339.
/// `trust_anchors`: a PEM bundle; absent (NULL, not an empty text): the chain is not checked.
///
/// Gives JSON: `{"ok":false,"reason":"SIG-13","text":"…","certificate":{…}}`; `text` names the header concerned,
/// such as `Date: the header is required`; `certificate` has the form of xs2a_parse_certificate(), or is null.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (now), XS2A_CONFIG (trust_anchors).
#[no_mangle]
pub unsafe extern "C" fn xs2a_verify_signature(
    request: *const xs2a_request,
    now: xs2a_str,
    trust_anchors: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on structs.
        let request = unsafe { xs2a_request::read(request)? };
        let now = instant(now.text("now")?, "now")?;
        let anchors = trust_anchors.optional("trust_anchors")?;
        let found = request.received()?.with(|request| tools::verify_signature(request, now, anchors))?;
        written(&found)
    })
}
