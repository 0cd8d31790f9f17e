// Generated from the C headers by bindings/generator: not to be edited.

package xs2a;

abstract class ToolCalls {
    /**
     * The version of the library, such as `0.1.0`. Lives as long as the library.
     */
    public static String version() {
        return Calls.borrowed("xs2a_version");
    }

    /**
     * The certificates of an EU trusted list (XML of ETSI TS 119 612) for services that issue certificates of a
     * type: `certificateType` is `qseal`, `qwac` or `any` (of the two), `at` the time by RFC 3339. Gives PEM, for
     * Engine.replaceTrustAnchors; empty where the list has none. The list's signature is NOT verified here: verify
     * it first. Certificates that cannot be read are left out.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.BAD_ARGUMENT (at), Result.MISUSE (another type),
     * Result.CONFIG (no trusted list; after its NextUpdate).
     */
    public static String trustedListAnchors(byte[] verifiedXml, String certificateType, String at) {
        return Calls.text("xs2a_trusted_list_anchors", verifiedXml, certificateType, at);
    }

    /**
     * The text that is signed, for a list of names as in a Signature header, such as `date digest x-request-id`.
     * The body is not read.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.BAD_SIZE, Result.NOT_UTF8, Result.MISUSE (a name the request does not
     * have).
     */
    public static String signingString(Request request, String names) {
        return Calls.text("xs2a_signing_string", request, names);
    }

    /**
     * The value of a Digest header, such as `SHA-256=…`. `algorithm`: `SHA-256` or `SHA-512`, in any case; absent:
     * `SHA-256`.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (another algorithm).
     */
    public static String digest(byte[] body, String algorithm) {
        return Calls.text("xs2a_digest", body, algorithm);
    }

    /**
     * Verifies a signed request as the engine does: certificate, Digest, Date, signature. `now`: by RFC 3339.
     * `trustAnchors`: a PEM bundle; absent (null, not an empty text): the chain is not checked.
     * <p>
     * Gives JSON: `{"ok":false,"reason":"SIG-13","text":"…","certificate":{…}}`; `text` names the header concerned,
     * such as `Date: the header is required`; `certificate` has the form of Xs2a.parseCertificate, or is null.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.BAD_SIZE, Result.NOT_UTF8, Result.BAD_ARGUMENT (now), Result.CONFIG
     * (trust_anchors).
     */
    public static String verifySignature(Request request, String now, String trustAnchors) {
        return Calls.text("xs2a_verify_signature", request, now, trustAnchors);
    }

    /**
     * Every mistake that Xs2a.explain may name, as a JSON array, those of one part of a request together:
     * `[{"id":"trailing-newline","sentence":"…","advice":"…","source":"…","wrong":"…","right":"…"}]`.
     * <p>
     * Results: Result.NULL_ARGUMENT.
     */
    public static String mistakes() {
        return Calls.text("xs2a_mistakes");
    }

    /**
     * The interface that TPPs call, as an OpenAPI 3.1 document in JSON. That of a sandbox also has the sandbox's
     * own routes. `environment`: `sandbox` or `production`; absent: `sandbox` in libxs2a_sandbox, and `production`
     * in libxs2a, which has no other. `basePath`: as in the engine's policy, such as `/psd2`; absent: empty.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (environment), Result.CONFIG (base_path).
     */
    public static String openapi(String environment, String basePath) {
        return Calls.text("xs2a_openapi", environment, basePath);
    }

    /**
     * Which status may follow which, as a JSON object: `{"RCVD":["PDNG",…],…,"ACSC":[]}`.
     * <p>
     * Results: Result.NULL_ARGUMENT.
     */
    public static String paymentTransitions() {
        return Calls.text("xs2a_payment_transitions");
    }

    /**
     * How many fraction digits amounts of a currency have (ISO 4217). XDR has no defined number: its amounts have
     * up to five, and this function returns 5.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (a code that is not accepted).
     */
    public static int minorUnits(String currency) {
        return (int) Calls.number("xs2a_minor_units", currency);
    }

    /**
     * Whether a text is a KID: 2 to 25 digits, the last may be `-`, valid by modulus 10 or 11. 1 or 0.
     */
    public static boolean kidIsValid(String text) {
        return Calls.truth("xs2a_kid_is_valid", text);
    }

    /**
     * Whether a text is a Norwegian account number with a right check digit. 1 or 0.
     */
    public static boolean accountNumberIsValid(String text) {
        return Calls.truth("xs2a_account_number_is_valid", text);
    }

    /**
     * Whether a text is an IBAN (ISO 13616) with right check digits, in any case, with or without spaces. 1 or 0.
     */
    public static boolean ibanIsValid(String text) {
        return Calls.truth("xs2a_iban_is_valid", text);
    }

    /**
     * Whether a text has the form of a BIC (ISO 9362, as the contract writes it). 1 or 0.
     */
    public static boolean bicIsValid(String text) {
        return Calls.truth("xs2a_bic_is_valid", text);
    }

    /**
     * Reads a distinguished name (RFC 2253, RFC 4514). Gives a JSON array of RDNs in the order written, each an
     * array of `[oid, value]`: `[[["2.5.4.3","Acme"]],[["2.5.4.6","NO"]]]`.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (not a distinguished name).
     */
    public static String parseDistinguishedName(String text) {
        return Calls.text("xs2a_parse_distinguished_name", text);
    }

    /**
     * Reads a certificate, PEM, DER or base64 of DER. Gives JSON:
     * `{"serial_number":"1A2B","issuer":"…","subject":"…",
     * "not_before":"…","not_after":"…","roles":["PSP_AI"],"organisation_id":"…"}`; times by RFC 3339 in UTC,
     * organisation_id null where there is none.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.MISUSE (not a certificate).
     */
    public static String parseCertificate(byte[] pemOrDer) {
        return Calls.text("xs2a_parse_certificate", pemOrDer);
    }

    /**
     * Reads a date of an HTTP header in any form of RFC 9110. Gives it by RFC 3339 in UTC.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (not such a date).
     */
    public static String parseHttpDate(String text) {
        return Calls.text("xs2a_parse_http_date", text);
    }

    /**
     * Decodes an encoded word, such as `=?utf-8?B?…?=` (RFC 2047). Other text is given as it is.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (an encoded word that cannot be decoded).
     */
    public static String decodeEncodedWord(String text) {
        return Calls.text("xs2a_decode_encoded_word", text);
    }

    /**
     * Checks an answer as an engine does that asks its bank `question`: the members, their values, and what the
     * answer has to repeat. For tests of a bank, without an engine; docs/guide/gateway.md shows one. `method` is a
     * question of docs/bank.md, `question` and `answer` are JSON.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.BAD_ARGUMENT (method), Result.MISUSE (the question is
     * no JSON object), Result.BANK (an engine would not take the answer; the message has the place as a JSON
     * Pointer).
     */
    public static void checkBankAnswer(String method, String question, String answer) {
        Calls.call("xs2a_check_bank_answer", method, question, answer);
    }

    /**
     * Writes a text as a JSON string: in quotes, with `"`, `\` and control characters escaped. For programs without
     * a JSON library, which put a configuration, a query or an answer of the bank together from pieces: no text can
     * end its string.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8.
     */
    public static String jsonString(String text) {
        return Calls.text("xs2a_json_string", text);
    }

    /**
     * Reads one value of a JSON text by its JSON Pointer (RFC 6901), such as `/_links/scaRedirect/href`: the
     * contents where it is a string, else its JSON text, in which a number is as a 64-bit integer or a double holds
     * it. For programs without a JSON library; each call reads the whole text.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.BAD_ARGUMENT (not JSON, or nested too deep),
     * Result.NOT_FOUND (no such member).
     */
    public static String jsonAt(String json, String pointer) {
        return Calls.text("xs2a_json_at", json, pointer);
    }

    /**
     * Adds up two coverages, such as those of two processes.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no coverage of this version).
     */
    public static String coverageMerge(String one, String other) {
        return Calls.text("xs2a_coverage_merge", one, other);
    }

    /**
     * A coverage in words, a line for each kind. `untouched`: 1 to list below each what was not seen.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no coverage of this version).
     */
    public static String coverageText(String coverage, boolean untouched) {
        return Calls.text("xs2a_coverage_text", coverage, (byte) (untouched ? 1 : 0));
    }

    /**
     * What changed from one snapshot to another, in words, as a JSON array of texts: `["payment enc!!…: RCVD →
     * ACSC"]`. An empty array: no difference. At most 1001 lines: beyond a thousand the last has the number of the
     * others.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.MISUSE (not a whole snapshot of this version), Result.STORE.
     */
    public static String snapshotDiff(byte[] before, byte[] after) {
        return Calls.text("xs2a_snapshot_diff", before, after);
    }
}
