//! The bank's signature on its answers: its check, and the anchor that a sandbox's leads to.

use std::mem::MaybeUninit;

use engine::tools;

use crate::abi::{xs2a_slice, xs2a_str, xs2a_text};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::produce;
use crate::json::written;
use crate::message::{xs2a_header, xs2a_request};
use crate::time::instant;

/// Verifies a bank's signed answer: certificate (ASPSP-Signature-Certificate), Digest, Date, signature. `body`: as it
/// was received, before it is decompressed. `now`: by RFC 3339; absent: the present. `trust_anchors`: a PEM bundle;
/// absent (NULL, not an empty text): the chain is not checked.
///
/// Gives JSON as xs2a_verify_signature() does. The caller has to compare X-Request-ID with that of the request. The
/// status and the other headers are not signed.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (now), XS2A_CONFIG (trust_anchors).
#[no_mangle]
pub unsafe extern "C" fn xs2a_verify_response(
    headers: *const xs2a_header,
    header_count: usize,
    body: xs2a_slice,
    now: xs2a_str,
    trust_anchors: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let answer = xs2a_request::of_answer(headers, header_count, body);
        let received = answer.received()?;
        let now = now.optional("now")?.map(|now| instant(now, "now")).transpose()?;
        let anchors = trust_anchors.optional("trust_anchors")?;
        let found =
            received.with(|answer| tools::verify_response(answer.headers, answer.body, now, anchors))?;
        written(&found)
    })
}
