//! The groups, in the order of a request's parts.

use super::mistake::MistakeGroup;
use super::table::{CERTIFICATE, DATE, DIGEST, KEY, KEY_ID, SIGNATURE_FORM, SIGNING_STRING, TARGET, VALUE};

static GROUPS: &[MistakeGroup] = &[
    MistakeGroup { title: "Signing string", rows: SIGNING_STRING },
    MistakeGroup { title: "Request target in the signing string", rows: TARGET },
    MistakeGroup { title: "Header values in the signing string", rows: VALUE },
    MistakeGroup { title: "Key and padding", rows: KEY },
    MistakeGroup { title: "Form of the signature", rows: SIGNATURE_FORM },
    MistakeGroup { title: "Digest", rows: DIGEST },
    MistakeGroup { title: "keyId", rows: KEY_ID },
    MistakeGroup { title: "Certificate", rows: CERTIFICATE },
    MistakeGroup { title: "Date", rows: DATE },
];

/// Every mistake that an explanation may name, by the part of the request.
pub fn mistakes() -> &'static [MistakeGroup] {
    GROUPS
}
