// Code generated from the C headers by bindings/generator. DO NOT EDIT.

package xs2a

// #include <xs2a.h>
import "C"

// Version: The version of the library, such as `0.1.0`. Lives as long as the library.
func Version() string {
	return borrowed(C.xs2a_version())
}

// TrustedListAnchors: The certificates of an EU trusted list (XML of ETSI TS 119 612) for services that issue
// certificates of a type: `certificateType` is `qseal`, `qwac` or `any` (of the two), `at` the time by RFC 3339.
// Gives PEM, for Engine.ReplaceTrustAnchors; empty where the list has none. The list's signature is NOT verified
// here: verify it first. Certificates that cannot be read are left out.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultBadArgument (at), ResultMisuse (another type), ResultConfig (no
// trusted list; after its NextUpdate).
func TrustedListAnchors(verifiedXml []byte, certificateType string, at string) (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_trusted_list_anchors(lendBytes(verifiedXml), lend(certificateType), lend(at), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// SigningString: The text that is signed, for a list of names as in a Signature header, such as `date digest
// x-request-id`. The body is not read.
//
// Results: ResultNullArgument, ResultBadSize, ResultNotUtf8, ResultMisuse (a name the request does not have).
func SigningString(request Request, names string) (string, error) {
	var arena arena
	defer arena.free()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_signing_string(arena.request(request), lend(names), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Digest: The value of a Digest header, such as `SHA-256=…`. `algorithm`: `SHA-256` or `SHA-512`, in any case;
// absent: `SHA-256`.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (another algorithm).
func Digest(body []byte, algorithm string) (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_digest(lendBytes(body), lend(algorithm), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// VerifySignature: Verifies a signed request as the engine does: certificate, Digest, Date, signature. `now`: by
// RFC 3339. `trustAnchors`: a PEM bundle; absent (nil, not an empty text): the chain is not checked.
//
// Gives JSON: `{"ok":false,"reason":"SIG-13","text":"…","certificate":{…}}`; `text` names the header concerned,
// such as `Date: the header is required`; `certificate` has the form of ParseCertificate, or is null.
//
// Results: ResultNullArgument, ResultBadSize, ResultNotUtf8, ResultBadArgument (now), ResultConfig (trust_anchors).
func VerifySignature(request Request, now string, trustAnchors *string) (string, error) {
	var arena arena
	defer arena.free()
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_verify_signature(arena.request(request), lend(now), lendOptional(trustAnchors), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Mistakes: Every mistake that Explain may name, as a JSON array, those of one part of a request together:
// `[{"id":"trailing-newline","sentence":"…","advice":"…","source":"…","wrong":"…","right":"…"}]`.
//
// Results: ResultNullArgument.
func Mistakes() (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_mistakes(&out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// Openapi: The interface that TPPs call, as an OpenAPI 3.1 document in JSON. That of a sandbox also has the
// sandbox's own routes. `environment`: `sandbox` or `production`; absent: `sandbox` in libxs2a_sandbox, and
// `production` in libxs2a, which has no other. `basePath`: as in the engine's policy, such as `/psd2`; absent:
// empty.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (environment), ResultConfig (base_path).
func Openapi(environment string, basePath string) (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_openapi(lend(environment), lend(basePath), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// PaymentTransitions: Which status may follow which, as a JSON object: `{"RCVD":["PDNG",…],…,"ACSC":[]}`.
//
// Results: ResultNullArgument.
func PaymentTransitions() (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_payment_transitions(&out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// MinorUnits: How many fraction digits amounts of a currency have (ISO 4217). XDR has no defined number: its
// amounts have up to five, and this function returns 5.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (a code that is not accepted).
func MinorUnits(currency string) (int, error) {
	var failure *C.xs2a_error
	var out C.uint8_t
	result := C.xs2a_minor_units(lend(currency), &out, &failure)
	if err := failed(result, failure); err != nil {
		return 0, err
	}
	return int(out), nil
}

// KidIsValid: Whether a text is a KID: 2 to 25 digits, the last may be `-`, valid by modulus 10 or 11. 1 or 0.
func KidIsValid(text string) bool {
	return C.xs2a_kid_is_valid(lend(text)) != 0
}

// AccountNumberIsValid: Whether a text is a Norwegian account number with a right check digit. 1 or 0.
func AccountNumberIsValid(text string) bool {
	return C.xs2a_account_number_is_valid(lend(text)) != 0
}

// IbanIsValid: Whether a text is an IBAN (ISO 13616) with right check digits, in any case, with or without spaces.
// 1 or 0.
func IbanIsValid(text string) bool {
	return C.xs2a_iban_is_valid(lend(text)) != 0
}

// BicIsValid: Whether a text has the form of a BIC (ISO 9362, as the contract writes it). 1 or 0.
func BicIsValid(text string) bool {
	return C.xs2a_bic_is_valid(lend(text)) != 0
}

// ParseDistinguishedName: Reads a distinguished name (RFC 2253, RFC 4514). Gives a JSON array of RDNs in the order
// written, each an array of `[oid, value]`: `[[["2.5.4.3","Acme"]],[["2.5.4.6","NO"]]]`.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (not a distinguished name).
func ParseDistinguishedName(text string) (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_parse_distinguished_name(lend(text), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// ParseCertificate: Reads a certificate, PEM, DER or base64 of DER. Gives JSON:
// `{"serial_number":"1A2B","issuer":"…","subject":"…",
// "not_before":"…","not_after":"…","roles":["PSP_AI"],"organisation_id":"…"}`; times by RFC 3339 in UTC,
// organisation_id null where there is none.
//
// Results: ResultNullArgument, ResultMisuse (not a certificate).
func ParseCertificate(pemOrDer []byte) (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_parse_certificate(lendBytes(pemOrDer), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// ParseHttpDate: Reads a date of an HTTP header in any form of RFC 9110. Gives it by RFC 3339 in UTC.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (not such a date).
func ParseHttpDate(text string) (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_parse_http_date(lend(text), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// DecodeEncodedWord: Decodes an encoded word, such as `=?utf-8?B?…?=` (RFC 2047). Other text is given as it is.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultMisuse (an encoded word that cannot be decoded).
func DecodeEncodedWord(text string) (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_decode_encoded_word(lend(text), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// CheckBankAnswer: Checks an answer as an engine does that asks its bank `question`: the members, their values, and
// what the answer has to repeat. For tests of a bank, without an engine; docs/guide/gateway.md shows one. `method`
// is a question of docs/bank.md, `question` and `answer` are JSON.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultBadArgument (method), ResultMisuse (the question is no JSON
// object), ResultBank (an engine would not take the answer; the message has the place as a JSON Pointer).
func CheckBankAnswer(method string, question string, answer string) error {
	var failure *C.xs2a_error
	result := C.xs2a_check_bank_answer(lend(method), lend(question), lend(answer), &failure)
	return failed(result, failure)
}

// JsonString: Writes a text as a JSON string: in quotes, with `"`, `\` and control characters escaped. For programs
// without a JSON library, which put a configuration, a query or an answer of the bank together from pieces: no text
// can end its string.
//
// Results: ResultNullArgument, ResultNotUtf8.
func JsonString(text string) (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_json_string(lend(text), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}

// JsonAt: Reads one value of a JSON text by its JSON Pointer (RFC 6901), such as `/_links/scaRedirect/href`: the
// contents where it is a string, else its JSON text, in which a number is as a 64-bit integer or a double holds it.
// For programs without a JSON library; each call reads the whole text.
//
// Results: ResultNullArgument, ResultNotUtf8, ResultBadArgument (not JSON, or nested too deep), ResultNotFound (no
// such member).
func JsonAt(json string, pointer string) (string, error) {
	var failure *C.xs2a_error
	var out *C.xs2a_text
	result := C.xs2a_json_at(lend(json), lend(pointer), &out, &failure)
	if err := failed(result, failure); err != nil {
		return "", err
	}
	return takeText(out), nil
}
