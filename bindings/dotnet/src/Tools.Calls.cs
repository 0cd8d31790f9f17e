// Generated from the C headers by bindings/generator: not to be edited.

using System;
using System.Runtime.InteropServices;

namespace Xs2a
{
    public static partial class Tools
    {
        /// <summary>
        /// The version of the library, such as `0.1.0`. Lives as long as the library.
        /// </summary>
        public static string Version()
        {
            using (var frame = new Frame())
            {
                return Take.String(Native.xs2a_version());
            }
        }

        /// <summary>
        /// The certificates of an EU trusted list (XML of ETSI TS 119 612) for services that issue certificates of
        /// a type: `certificateType` is `qseal`, `qwac` or `any` (of the two), `at` the time by RFC 3339. Gives
        /// PEM, for Engine.ReplaceTrustAnchors; empty where the list has none. The list's signature is NOT verified
        /// here: verify it first. Certificates that cannot be read are left out.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.BadArgument (at), Result.Misuse (another type),
        /// Result.Config (no trusted list; after its NextUpdate).
        /// </summary>
        public static string TrustedListAnchors(byte[] verifiedXml, string certificateType, string at)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_trusted_list_anchors(frame.Bytes(verifiedXml),
                    frame.Text(certificateType), frame.Text(at), out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// The text that is signed, for a list of names as in a Signature header, such as `date digest x-request-
        /// id`. The body is not read.
        /// <para/>
        /// Results: Result.NullArgument, Result.BadSize, Result.NotUtf8, Result.Misuse (a name the request does not
        /// have).
        /// </summary>
        public static string SigningString(Request request, string names)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_signing_string(frame.Request(request), frame.Text(names),
                    out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// The value of a Digest header, such as `SHA-256=…`. `algorithm`: `SHA-256` or `SHA-512`, in any case;
        /// absent: `SHA-256`.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (another algorithm).
        /// </summary>
        public static string Digest(byte[] body, string algorithm)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_digest(frame.Bytes(body), frame.Text(algorithm), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Verifies a signed request as the engine does: certificate, Digest, Date, signature. `now`: by RFC 3339.
        /// `trustAnchors`: a PEM bundle; absent (null, not an empty text): the chain is not checked.
        /// <para/>
        /// Gives JSON: `{"ok":false,"reason":"SIG-13","text":"…","certificate":{…}}`; `text` names the header
        /// concerned, such as `Date: the header is required`; `certificate` has the form of Tools.ParseCertificate,
        /// or is null.
        /// <para/>
        /// Results: Result.NullArgument, Result.BadSize, Result.NotUtf8, Result.BadArgument (now), Result.Config
        /// (trust_anchors).
        /// </summary>
        public static string VerifySignature(Request request, string now, string trustAnchors)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_verify_signature(frame.Request(request), frame.Text(now),
                    frame.Text(trustAnchors), out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Every mistake that Tools.Explain may name, as a JSON array, those of one part of a request together:
        /// `[{"id":"trailing-newline","sentence":"…","advice":"…","source":"…","wrong":"…","right":"…"}]`.
        /// <para/>
        /// Results: Result.NullArgument.
        /// </summary>
        public static string Mistakes()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_mistakes(out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// The interface that TPPs call, as an OpenAPI 3.1 document in JSON. That of a sandbox also has the
        /// sandbox's own routes. `environment`: `sandbox` or `production`; absent: `sandbox` in libxs2a_sandbox,
        /// and `production` in libxs2a, which has no other. `basePath`: as in the engine's policy, such as `/psd2`;
        /// absent: empty.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (environment), Result.Config (base_path).
        /// </summary>
        public static string Openapi(string environment, string basePath)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_openapi(frame.Text(environment), frame.Text(basePath), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Which status may follow which, as a JSON object: `{"RCVD":["PDNG",…],…,"ACSC":[]}`.
        /// <para/>
        /// Results: Result.NullArgument.
        /// </summary>
        public static string PaymentTransitions()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_payment_transitions(out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// How many fraction digits amounts of a currency have (ISO 4217). XDR has no defined number: its amounts
        /// have up to five, and this function returns 5.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (a code that is not accepted).
        /// </summary>
        public static int MinorUnits(string currency)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_minor_units(frame.Text(currency), out byte output, out IntPtr error),
                    error);
                return output;
            }
        }

        /// <summary>
        /// Whether a text is a KID: 2 to 25 digits, the last may be `-`, valid by modulus 10 or 11. 1 or 0.
        /// </summary>
        public static bool KidIsValid(string text)
        {
            using (var frame = new Frame())
            {
                return Native.xs2a_kid_is_valid(frame.Text(text)) != 0;
            }
        }

        /// <summary>
        /// Whether a text is a Norwegian account number with a right check digit. 1 or 0.
        /// </summary>
        public static bool AccountNumberIsValid(string text)
        {
            using (var frame = new Frame())
            {
                return Native.xs2a_account_number_is_valid(frame.Text(text)) != 0;
            }
        }

        /// <summary>
        /// Whether a text is an IBAN (ISO 13616) with right check digits, in any case, with or without spaces. 1 or
        /// 0.
        /// </summary>
        public static bool IbanIsValid(string text)
        {
            using (var frame = new Frame())
            {
                return Native.xs2a_iban_is_valid(frame.Text(text)) != 0;
            }
        }

        /// <summary>
        /// Whether a text has the form of a BIC (ISO 9362, as the contract writes it). 1 or 0.
        /// </summary>
        public static bool BicIsValid(string text)
        {
            using (var frame = new Frame())
            {
                return Native.xs2a_bic_is_valid(frame.Text(text)) != 0;
            }
        }

        /// <summary>
        /// Reads a distinguished name (RFC 2253, RFC 4514). Gives a JSON array of RDNs in the order written, each
        /// an array of `[oid, value]`: `[[["2.5.4.3","Acme"]],[["2.5.4.6","NO"]]]`.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (not a distinguished name).
        /// </summary>
        public static string ParseDistinguishedName(string text)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_parse_distinguished_name(frame.Text(text), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Reads a certificate, PEM, DER or base64 of DER. Gives JSON:
        /// `{"serial_number":"1A2B","issuer":"…","subject":"…",
        /// "not_before":"…","not_after":"…","roles":["PSP_AI"],"organisation_id":"…"}`; times by RFC 3339 in UTC,
        /// organisation_id null where there is none.
        /// <para/>
        /// Results: Result.NullArgument, Result.Misuse (not a certificate).
        /// </summary>
        public static string ParseCertificate(byte[] pemOrDer)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_parse_certificate(frame.Bytes(pemOrDer), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Reads a date of an HTTP header in any form of RFC 9110. Gives it by RFC 3339 in UTC.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (not such a date).
        /// </summary>
        public static string ParseHttpDate(string text)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_parse_http_date(frame.Text(text), out IntPtr output, out IntPtr error),
                    error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Decodes an encoded word, such as `=?utf-8?B?…?=` (RFC 2047). Other text is given as it is.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (an encoded word that cannot be decoded).
        /// </summary>
        public static string DecodeEncodedWord(string text)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_decode_encoded_word(frame.Text(text), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Checks an answer as an engine does that asks its bank `question`: the members, their values, and what
        /// the answer has to repeat. For tests of a bank, without an engine; docs/guide/gateway.md shows one.
        /// `method` is a question of docs/bank.md, `question` and `answer` are JSON.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.BadArgument (method), Result.Misuse (the question
        /// is no JSON object), Result.Bank (an engine would not take the answer; the message has the place as a
        /// JSON Pointer).
        /// </summary>
        public static void CheckBankAnswer(string method, string question, string answer)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_check_bank_answer(frame.Text(method), frame.Text(question),
                    frame.Text(answer), out IntPtr error), error);
            }
        }

        /// <summary>
        /// Writes a text as a JSON string: in quotes, with `"`, `\` and control characters escaped. For programs
        /// without a JSON library, which put a configuration, a query or an answer of the bank together from
        /// pieces: no text can end its string.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8.
        /// </summary>
        public static string JsonString(string text)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_json_string(frame.Text(text), out IntPtr output, out IntPtr error),
                    error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Reads one value of a JSON text by its JSON Pointer (RFC 6901), such as `/_links/scaRedirect/href`: the
        /// contents where it is a string, else its JSON text, in which a number is as a 64-bit integer or a double
        /// holds it. For programs without a JSON library; each call reads the whole text.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.BadArgument (not JSON, or nested too deep),
        /// Result.NotFound (no such member).
        /// </summary>
        public static string JsonAt(string json, string pointer)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_json_at(frame.Text(json), frame.Text(pointer), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }
    }
}
