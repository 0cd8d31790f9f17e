//! Mistakes in the values of headers in the signing string.

use super::super::mistake::Varies::Value;
use super::super::variants::{dates, digests, earlier, values};
use super::row::mistakes;

mistakes! {
    /// The values of the other lines.
    VALUE:
    VALUE_WHITE_SPACE "value-white-space" Value(values::white_space),
        "A value was signed with other white space, quotes or commas than it has as a header."
        "Sign each value without white space around it; join the values of repeated headers by a comma and a space."
        "draft-cavage-http-signatures-12, section 2.3, step 3; RFC 9110, section 5.3"
        r"psu-id: \x20 13039319955" "psu-id: 13039319955";
    VALUE_DECODED "value-decoded" Value(values::decoded),
        "A value was signed decoded, or encoded once more, but was sent otherwise."
        "Sign each value exactly as it is sent."
        "redirect URIs that are encoded between signing and sending; RFC 2047 words"
        "tpp-redirect-uri: https://tpp.example/?a=%2525" "tpp-redirect-uri: https://tpp.example/?a=%25";
    VALUE_CHARSET "value-charset" Value(values::charset),
        "A value was signed in another charset than it was sent in, or with another charset parameter."
        "Sign the bytes that are sent; header values outside of ASCII are UTF-8."
        "HTTP clients that send headers in ISO 8859-1: Java, Node, Python; RFC 9110, section 5.5"
        r"tpp-brand: Bj\xF8rn" "tpp-brand: Bjørn";
    DATE_MADE_AGAIN "date-made-again" Value(dates::made_again),
        "Another date was signed than the one that was sent."
        "Read the clock once, and use the same text in the header and in the signing string."
        "clients and proxies that set Date when they send: gcr/lua-s3 pull request 2, EMCECS/ecs-object-client-java \
         pull request 30"
        "Date: … 12:00:01 GMT, signed: date: … 12:00:00 GMT" "Date: … 12:00:00 GMT, signed: the same";
    DIGEST_MADE_AGAIN "digest-made-again" Value(digests::made_again),
        "Another Digest was signed than the one that was sent."
        "Compute Digest once, over the bytes that are sent, and use the same text in both places."
        "bodies that are serialised again between signing and sending"
        "Digest: SHA-256=A…, signed: digest: SHA-256=B…" "Digest: SHA-256=A…, signed: digest: SHA-256=A…";
    REQUEST_ID_MADE_AGAIN "request-id-made-again" Value(values::request_id_made_again),
        "Another X-Request-ID was signed than the one that was sent."
        "Create the id once per call, and use it in the header and in the signing string."
        "interceptors that set an id of their own; retries that keep the old signature"
        "X-Request-ID: A, signed: x-request-id: B" "X-Request-ID: A, signed: x-request-id: A";
    VALUE_PLACEHOLDER "value-placeholder" Value(values::placeholder),
        "The signed text has the name of an empty variable, or nothing, for the value of a header that was sent."
        "Build the signing string after all headers are set."
        "null of Java, undefined of JavaScript, None of Python in a text"
        "psu-id: undefined" "psu-id: 13039319955";
    VALUE_CASE "value-case" Value(values::letter_case),
        "A value was signed in lower or upper case, but was sent otherwise."
        "Change the case of names only; sign each value as it is sent."
        "clients that change the case of the whole line"
        "date: fri, 20 nov 2026 12:00:00 gmt" "date: Fri, 20 Nov 2026 12:00:00 GMT";
    ANOTHER_REQUEST "another-request" Value(earlier::another_request),
        "The signature is that of another request."
        "Sign each request by itself, after its method, target and headers are final."
        "signatures that are kept for several calls; retries; redirects of HTTP clients"
        "POST /v1/payments, signed: get /v1/payments" "POST /v1/payments, signed: post /v1/payments";
}
