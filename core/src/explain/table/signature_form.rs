//! Mistakes in the form of the Signature header.

use super::super::mistake::Varies::Shown;
use super::row::mistakes;

mistakes! {
    /// How the signature, and the header around it, are written.
    SIGNATURE_FORM:
    SIGNATURE_HEX "signature-hex" Shown,
        "The signature is written in hexadecimal."
        "Encode the bytes of the signature in base64."
        "openssl dgst -hex, hexdigest, BitConverter.ToString"
        r#"signature="3f9a0c…""# r#"signature="P5oM…""#;
    SIGNATURE_BASE64URL "signature-base64url" Shown,
        "The signature is written in base64url."
        "Use the alphabet of base64 with `+` and `/`."
        "JWS (RFC 7515); RFC 4648, sections 4 and 5"
        r#"signature="P5-_oM…""# r#"signature="P5+/oM…""#;
    SIGNATURE_LINE_BREAKS "signature-line-breaks" Shown,
        "The signature has line breaks or other white space in it."
        "Write base64 in one line: `base64 -w0`, `openssl base64 -A`, Convert.ToBase64String without options."
        "RFC 2045; `base64` and `openssl base64` break lines, and Base64.getMimeEncoder of Java"
        r#"signature="P5oM…\nqX2…""# r#"signature="P5oM…qX2…""#;
    SIGNATURE_BASE64_TWICE "signature-base64-twice" Shown,
        "The signature is encoded in base64 twice."
        "Encode the bytes of the signature in base64 once."
        "libraries that return base64 already"
        r#"signature="UDVvTS4u…""# r#"signature="P5oM…""#;
    SIGNATURE_CUT "signature-cut" Shown,
        "The signature is cut off."
        "Send all of the header; look for fields of limited length, for base64 of the first line only, and for proxies."
        "columns and buffers that are too short; `base64` read by line"
        r#"signature="P5oM"# r#"signature="P5oM…==""#;
    SIGNATURE_ESCAPED "signature-escaped" Shown,
        "The base64 of the signature has percent escapes."
        "Write `+`, `/` and `=` as they are."
        "URL encoders that are applied to headers"
        r#"signature="P5%2BoM%3D""# r#"signature="P5+oM=""#;
    SIGNATURE_REVERSED "signature-reversed" Shown,
        "The bytes of the signature are in reverse order."
        "Reverse the bytes before you encode them: the number is big-endian."
        "RFC 8017, section 4.1; CryptSignHash of Windows is little-endian"
        "little-endian" "big-endian";
    SIGNATURE_HEADER_FORM "signature-header-form" Shown,
        "The Signature header is not a list of parts name=\"value\" that are joined by commas."
        "Write the four parts with double quotes and one comma between two of them."
        "draft-cavage-http-signatures-12, section 4.1"
        "keyId=…;algorithm=rsa-sha256" r#"keyId="…",algorithm="rsa-sha256""#;
    SIGNATURE_PART_MISSING "signature-part-missing" Shown,
        "The Signature header lacks one of the parts keyId, algorithm, headers and signature."
        "Write all four parts."
        "draft-cavage-http-signatures-12, section 4.1, where `algorithm` and `headers` are optional"
        r#"keyId="…",signature="…""# r#"keyId="…",algorithm="rsa-sha256",headers="…",signature="…""#;
    SIGNATURE_PART_REPEATED "signature-part-repeated" Shown,
        "The Signature header has a part twice."
        "Write each part once."
        "draft-cavage-http-signatures-12, section 2.2; two Signature headers that are joined"
        r#"keyId="…",keyId="…""# r#"keyId="…""#;
    NAMES_SEPARATED_OTHERWISE "names-separated-otherwise" Shown,
        "The names in the `headers` part are separated by something other than a space."
        "Separate the names by one space."
        "draft-cavage-http-signatures-12, section 2.1.6; lists with commas"
        r#"headers="date,digest""# r#"headers="date digest""#;
    LISTED_TWICE "listed-twice" Shown,
        "The `headers` part lists a name twice."
        "List each name once; the values of repeated headers are one line."
        "draft-cavage-http-signatures-12, section 2.1.6"
        r#"headers="date digest date""# r#"headers="date digest""#;
    MANDATORY_NOT_SIGNED "mandatory-not-signed" Shown,
        "A header was sent that must be signed, and the `headers` part does not list it."
        "Sign Date, Digest, X-Request-ID, PSU-ID, PSU-Corporate-ID and TPP-Redirect-URI wherever you send them."
        "NextGenPSD2 Implementation Guidelines, section 12.2"
        r#"PSU-ID: …, headers="date digest x-request-id""# r#"headers="date digest x-request-id psu-id""#;
    ENCODED_WORD "encoded-word" Shown,
        "The Signature header begins as an encoded word of RFC 2047 and cannot be decoded."
        "Encode the whole value as =?utf-8?B?…?=, or leave it as plain ASCII."
        "RFC 2047"
        "=?utf-8?B?a2V5" "=?utf-8?B?a2V5SWQ9…?=";
}
