//! The header `Signature`: what is accepted has the same parts when it is written again, and none that is empty of
//! meaning.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use xs2a::internal::SignatureHeader;

pub(super) fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(header) = SignatureHeader::parse(text) else { return };
    // A backslash at the end of a name escapes the blank after it. Such a name is the name of no field.
    if header.names().iter().any(|name| name.ends_with('\\')) {
        return;
    }
    let (key_id, names) = (header.key_id(), header.names().join(" "));
    let signature = STANDARD.encode(header.signature());
    let written =
        format!("keyId=\"{key_id}\",algorithm=\"rsa-sha256\",headers=\"{names}\",signature=\"{signature}\"");
    assert_eq!(SignatureHeader::parse(&written).as_ref(), Ok(&header), "{text:?} and {written:?}");
    // A part in other letters is the same part, so a second one is a repetition.
    let repeated = format!("{text},SIGNATURE=\"AA==\"");
    assert!(SignatureHeader::parse(&repeated).is_err(), "{repeated:?} has two signatures");
}
