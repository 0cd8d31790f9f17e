//! The pure functions: no engine, no state. Structured results are JSON text.

use std::mem::MaybeUninit;

use engine::internal::rfc3339;
use engine::json_bank::{check_answer, BankMethod};
use engine::tools;
use serde::{Serialize, Serializer};

use crate::abi::{self, xs2a_slice, xs2a_str, xs2a_text, Versioned};
use crate::error::{xs2a_error, xs2a_result};
use crate::guard::{self, produce, run};
use crate::json::written;
use crate::library;
use crate::time::instant;

/// The parts of a list with commas between.
pub(crate) fn listed(text: &str) -> Vec<&str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// A payment to check. Fill it with zeros, then set `size` and the members you have.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct xs2a_payment_check {
    /// sizeof(xs2a_payment_check).
    size: usize,
    /// The payment service, such as `payments`.
    service: xs2a_str,
    /// The payment product, such as `sepa-credit-transfers`.
    product: xs2a_str,
    /// The body as it would be sent.
    body: xs2a_slice,
    /// When it would be sent, by RFC 3339. Absent: now.
    at: xs2a_str,
    /// `sandbox` or `production`; absent: `sandbox`.
    environment: xs2a_str,
    /// As the x-accept-fix header: names of announced changes, with commas between.
    accept_fix: xs2a_str,
}

// SAFETY: repr(C), begins with its size; integers and pointers are valid when zero.
unsafe impl Versioned for xs2a_payment_check {
    const SIZES: &'static [usize] = &[size_of::<Self>()];
}

impl xs2a_payment_check {
    fn run(&self) -> Result<Vec<tools::TppMessage>, xs2a_error> {
        let at = self.at.optional("check.at")?.map(|text| instant(text, "check.at")).transpose()?;
        Ok(tools::validate_payment(
            self.service.text("check.service")?,
            self.product.text("check.product")?,
            self.body.bytes("check.body")?,
            at,
            self.environment.optional("check.environment")?.unwrap_or("sandbox"),
            &listed(self.accept_fix.text("check.accept_fix")?),
        )?)
    }
}

/// The payments' JSON object: each status with those that may follow it, in table order.
struct Transitions(Vec<(&'static str, Vec<&'static str>)>);

impl Serialize for Transitions {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.0.iter().map(|(from, to)| (from, to)))
    }
}

/// What an engine would say about a payment before the bank is asked. Gives a JSON array, empty where the body
/// is fine: `[{"category":"ERROR","code":"FORMAT_ERROR","path":"/creditorName","text":"…"}]`.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (at), XS2A_MISUSE (environment; at is
/// outside of the years 1 to 9999).
#[no_mangle]
pub unsafe extern "C" fn xs2a_validate_payment(
    check: *const xs2a_payment_check,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on structs.
        let check = unsafe { abi::read(check, "check")? };
        written(&check.run()?)
    })
}

/// The interface that TPPs call, as an OpenAPI 3.1 document in JSON. That of a sandbox also has the sandbox's own
/// routes. `environment`: `sandbox` or `production`; absent: `sandbox` in libxs2a_sandbox, and `production` in libxs2a,
/// which has no other. `base_path`: as in the engine's policy, such as `/psd2`; absent: empty.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (environment), XS2A_CONFIG (base_path).
#[no_mangle]
pub extern "C" fn xs2a_openapi(
    environment: xs2a_str,
    base_path: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        let environment = environment.optional("environment")?.unwrap_or(library::INTERFACE);
        Ok(xs2a_text::owned(tools::openapi(environment, base_path.text("base_path")?)?))
    })
}

/// Which status may follow which, as a JSON object: `{"RCVD":["PDNG",…],…,"ACSC":[]}`.
///
/// Results: XS2A_NULL_ARGUMENT.
#[no_mangle]
pub extern "C" fn xs2a_payment_transitions(
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || written(&Transitions(tools::payment_transitions())))
}

/// The status of a signing basket of payments with these statuses, such as `PATC`: the worst case among them.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_BAD_SIZE, XS2A_NOT_UTF8, XS2A_MISUSE (no payment; no status of a payment).
#[no_mangle]
pub unsafe extern "C" fn xs2a_basket_status(
    payment_statuses: *const xs2a_str,
    count: usize,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || {
        // SAFETY: the header's contract on arrays.
        let statuses = unsafe { abi::elements(payment_statuses, count, "payment_statuses")? };
        let statuses: Vec<&str> =
            statuses.iter().map(|status| status.text("payment_statuses")).collect::<Result<_, _>>()?;
        Ok(xs2a_text::owned(tools::basket_status(&statuses)?.to_owned()))
    })
}

/// How many fraction digits amounts of a currency have (ISO 4217). XDR has no defined number: its amounts
/// have up to five, and this function returns 5.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (a code that is not accepted).
#[no_mangle]
pub extern "C" fn xs2a_minor_units(
    currency: xs2a_str,
    out: Option<&mut MaybeUninit<u8>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || Ok(tools::minor_units(currency.text("currency")?)?))
}

/// Whether a text is a KID: 2 to 25 digits, the last may be `-`, valid by modulus 10 or 11. 1 or 0.
#[no_mangle]
pub extern "C" fn xs2a_kid_is_valid(text: xs2a_str) -> i32 {
    holds(text, tools::kid_is_valid)
}

/// Whether a text is a Norwegian account number with a right check digit. 1 or 0.
#[no_mangle]
pub extern "C" fn xs2a_account_number_is_valid(text: xs2a_str) -> i32 {
    holds(text, tools::account_number_is_valid)
}

/// Whether a text is an IBAN (ISO 13616) with right check digits, in any case, with or without spaces. 1 or 0.
#[no_mangle]
pub extern "C" fn xs2a_iban_is_valid(text: xs2a_str) -> i32 {
    holds(text, tools::iban_is_valid)
}

/// Whether a text has the form of a BIC (ISO 9362, as the contract writes it). 1 or 0.
#[no_mangle]
pub extern "C" fn xs2a_bic_is_valid(text: xs2a_str) -> i32 {
    holds(text, tools::bic_is_valid)
}

/// As a number: of a `bool` C sets one byte of the register, and who binds it as four, as .NET and JNA do, reads what
/// was there before.
fn holds(text: xs2a_str, rule: fn(&str) -> bool) -> i32 {
    guard::total(false, || text.text("text").is_ok_and(rule)).into()
}

/// Reads a distinguished name (RFC 2253, RFC 4514). Gives a JSON array of RDNs in the order written, each an
/// array of `[oid, value]`: `[[["2.5.4.3","Acme"]],[["2.5.4.6","NO"]]]`.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (not a distinguished name).
#[no_mangle]
pub extern "C" fn xs2a_parse_distinguished_name(
    text: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || written(&tools::parse_distinguished_name(text.text("text")?)?))
}

/// Reads a certificate, PEM, DER or base64 of DER. Gives JSON: `{"serial_number":"1A2B","issuer":"…","subject":"…",
/// "not_before":"…","not_after":"…","roles":["PSP_AI"],"organisation_id":"…"}`; times by RFC 3339 in UTC,
/// organisation_id null where there is none.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_MISUSE (not a certificate).
#[no_mangle]
pub extern "C" fn xs2a_parse_certificate(
    pem_or_der: xs2a_slice,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || written(&tools::parse_certificate(pem_or_der.bytes("pem_or_der")?)?))
}

/// Reads a date of an HTTP header in any form of RFC 9110. Gives it by RFC 3339 in UTC.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (not such a date).
#[no_mangle]
pub extern "C" fn xs2a_parse_http_date(
    text: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || Ok(xs2a_text::owned(rfc3339(tools::parse_http_date(text.text("text")?)?))))
}

/// Decodes an encoded word, such as `=?utf-8?B?…?=` (RFC 2047). Other text is given as it is.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_MISUSE (an encoded word that cannot be decoded).
#[no_mangle]
pub extern "C" fn xs2a_decode_encoded_word(
    text: xs2a_str,
    out: Option<&mut MaybeUninit<Option<Box<xs2a_text>>>>,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    produce(out, error, || Ok(xs2a_text::owned(tools::decode_encoded_word(text.text("text")?)?)))
}

/// Checks an answer as an engine does that asks its bank `question`: the members, their values, and what the answer has
/// to repeat. For tests of a bank, without an engine; docs/guide/gateway.md shows one. `method` is a question of
/// docs/bank.md, `question` and `answer` are JSON.
///
/// Results: XS2A_NULL_ARGUMENT, XS2A_NOT_UTF8, XS2A_BAD_ARGUMENT (method), XS2A_MISUSE (the question is no JSON
/// object), XS2A_BANK (an engine would not take the answer; the message has the place as a JSON Pointer).
#[no_mangle]
pub extern "C" fn xs2a_check_bank_answer(
    method: xs2a_str,
    question: xs2a_str,
    answer: xs2a_str,
    error: Option<&mut MaybeUninit<Option<Box<xs2a_error>>>>,
) -> xs2a_result {
    run(error, || {
        let method = BankMethod::parse(method.text("method")?)
            .ok_or_else(|| xs2a_error::argument("method", "a question of docs/bank.md, such as fee"))?;
        Ok(check_answer(method, question.text("question")?, answer.text("answer")?.as_bytes())?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_ignores_spaces_and_empty_parts() {
        assert_eq!(listed(" AISP, ,PISP,"), ["AISP", "PISP"]);
        assert!(listed("").is_empty());
    }

    #[test]
    fn transitions_keep_the_order_of_the_table() {
        let table = Transitions(vec![("RCVD", vec!["PDNG", "CANC"]), ("ACSC", vec![])]);
        assert_eq!(serde_json::to_string(&table).unwrap(), r#"{"RCVD":["PDNG","CANC"],"ACSC":[]}"#);
    }

    #[test]
    fn a_rule_never_sees_text_that_is_not_utf_8() {
        assert_eq!(holds(xs2a_str::of("x"), |_| true), 1);
        // SAFETY: a literal of Rust ends with NUL.
        let latin = unsafe { abi::xs2a_str_of(c"\xE6".as_ptr()) };
        assert_eq!(holds(latin, |_| true), 0);
    }
}
