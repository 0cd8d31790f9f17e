//! Mistakes in Digest.

use super::super::body_forms;
use super::super::mistake::Varies::{Body, Shown};
use super::row::mistakes;

mistakes! {
    /// How Digest is written, and what it is taken of.
    DIGEST:
    DIGEST_HEX "digest-hex" Shown,
        "The hash in Digest is written in hexadecimal."
        "Encode the bytes of the hash in base64."
        "hexdigest() of Python and Ruby, sha256sum; mastodon/documentation pull request 1235"
        "Digest: SHA-256=e3b0c442…" "Digest: SHA-256=47DEQpj8…";
    DIGEST_BASE64_OF_HEX "digest-base64-of-hex" Shown,
        "The hash in Digest is base64 of hexadecimal digits."
        "Encode the bytes of the hash in base64, not their digits."
        "hash() of PHP without its binary flag, openssl dgst without -binary; Kong/kong issue 9734"
        "Digest: SHA-256=ZTNiMGM0NDI…" "Digest: SHA-256=47DEQpj8…";
    DIGEST_BASE64URL "digest-base64url" Shown,
        "The hash in Digest is written in base64url."
        "Use the alphabet of base64 with `+` and `/`."
        "RFC 4648, sections 4 and 5; libraries of JWS"
        "Digest: SHA-256=47DEQpj8HBSa-_Ti…" "Digest: SHA-256=47DEQpj8HBSa+/Ti…";
    DIGEST_OTHER_ALGORITHM "digest-other-algorithm" Shown,
        "Digest names another hash function than its value was made with, or one that is not accepted."
        "Write SHA-256= before a SHA-256 hash, or SHA-512= before a SHA-512 hash."
        "RFC 3230; RFC 5843"
        "Digest: SHA-256=z4PhNX7v… (64 bytes)" "Digest: SHA-512=z4PhNX7v…";
    DIGEST_WITHOUT_ALGORITHM "digest-without-algorithm" Shown,
        "Digest does not name its hash function."
        "Write SHA-256= before the value."
        "RFC 3230, section 4.3.2; Content-MD5, which has a value only"
        "Digest: 47DEQpj8…" "Digest: SHA-256=47DEQpj8…";
    DIGEST_STRUCTURED "digest-structured" Shown,
        "The hash in Digest has colons or quotes around it."
        "Write the base64 after the equals sign, without colons and quotes."
        "RFC 9530: Content-Digest and Repr-Digest"
        "Digest: sha-256=:47DEQpj8…=:" "Digest: SHA-256=47DEQpj8…=";
    DIGEST_EMPTY_BODY "digest-empty-body" Body(body_forms::empty),
        "Digest is that of an empty body, and a body was sent."
        "Compute Digest over the bytes of the body, after they are written."
        "streams that are read already; bodies that are set after signing"
        "Digest: SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" "the hash of the body";
    DIGEST_NEWLINE "digest-newline" Body(body_forms::newline),
        "Digest is that of the body with other white space at its end, or with other line breaks."
        "Compute Digest over the bytes that are sent."
        "`echo` before `openssl dgst`; files that end in a line break; `curl -d @file`, which removes line breaks; \
         tschwecke/harvey pull request 78"
        r"{…}\n" "{…}";
    DIGEST_JSON_REWRITTEN "digest-json-rewritten" Body(body_forms::json_rewritten),
        "Digest is that of the same JSON, written with other white space, order or escapes."
        "Write the JSON once, and use the same bytes for Digest and for the body."
        "HTTP clients that take an object as body: axios, requests(json=…), RestTemplate; \
         the \"known issue\" of developer.rabobank.nl, signing requests for PSD2 APIs"
        r#"{"amount": "1.00"}"# r#"{"amount":"1.00"}"#;
    DIGEST_CHARSET "digest-charset" Body(body_forms::charset),
        "Digest is that of the body in another charset, or with another byte order mark."
        "Encode the body as UTF-8 without a byte order mark, once, for Digest and for sending."
        "RFC 8259, section 8.1; getBytes() of Java with a default charset, StringContent of .NET"
        r"{…Bj\xF8rn…}" "{…Bjørn…}";
    DIGEST_JSON_STRING "digest-json-string" Body(body_forms::json_string),
        "Digest is that of the body as a JSON string, or the body is the JSON string of what was hashed."
        "Do not serialise a text that is JSON already."
        "JSON.stringify of a string; objects that are serialised twice"
        r#""{\"a\":1}""# r#"{"a":1}"#;
    DIGEST_NOT_OF_BODY "digest-not-of-body" Body(body_forms::other_texts),
        "Digest is that of another text than the body that arrived."
        "Compute Digest over the bytes that are sent, for each call."
        "bodies that change after signing; proxies that rewrite them; a Digest that is kept for several calls"
        "the hash of another text" "the hash of the body";
}
