//! The faults that a sandbox is set to answer with: each code with each of its statuses.

use xs2a::FaultSpec;

use crate::reasons::case::{refused, Asker, Case, Earned};
use crate::world::draft::Draft;
use crate::world::STRAKS;

/// A call that would be answered 404, refused before that is found out.
fn injected(ask: &Asker, code: &str, status: u16) -> Earned {
    let spec = FaultSpec { code: Some(code.to_owned()), status: Some(status), ..FaultSpec::default() };
    let fault = ask.sandbox.add_fault(spec).unwrap();
    let earned = ask.refused(Draft::get(&format!("{STRAKS}/enc!!AAAAAAAAAAAAAAAAAAAAAAAA/status")));
    assert_eq!(fault.hits(), 1, "{code} {status}");
    earned
}

macro_rules! injected {
    ($id:literal $code:literal $status:literal) => {
        refused($id, |ask| injected(ask, $code, $status))
    };
}

pub(crate) fn cases() -> Vec<Case> {
    vec![
        refused("SCN-01", |ask| {
            let ask = ask.under(r#"{"scenario_header":true}"#);
            ask.refused(Draft::get("/v1/accounts").with("X-Sandbox-Scenario", "times=1"))
        })
        .at("X-Sandbox-Scenario")
        .saying(&["`fault` is missing"]),
        injected!("FLT-01" "SYSTEM_ERROR" 500),
        injected!("FLT-02" "BAD_REQUEST" 400),
        injected!("FLT-03" "BAD_REQUEST" 405),
        injected!("FLT-04" "BAD_REQUEST" 406),
        injected!("FLT-05" "BAD_REQUEST" 413),
        injected!("FLT-06" "BAD_REQUEST" 415),
        injected!("FLT-07" "FORBIDDEN" 403),
        injected!("FLT-08" "NOT_FOUND" 404),
        injected!("FLT-09" "CONFLICT" 409),
        injected!("FLT-10" "CONFLICT" 405),
        injected!("FLT-11" "HTTP_HEADER_REQUIRED" 400),
        injected!("FLT-12" "QUERY_PARAMETER_REQUIRED" 400),
        injected!("FLT-13" "SCA_NOT_FOUND" 401),
        injected!("FLT-14" "SCA_EXPIRED" 401),
        injected!("FLT-15" "SCA_INVALID" 401),
        injected!("FLT-16" "FORMAT_ERROR" 400),
        injected!("FLT-17" "RESOURCE_UNKNOWN" 404),
        injected!("FLT-18" "RESOURCE_UNKNOWN" 400),
        injected!("FLT-19" "PSU_CREDENTIALS_INVALID" 401),
        injected!("FLT-20" "CONSENT_UNKNOWN" 403),
        injected!("FLT-21" "CONSENT_INVALID" 401),
        injected!("FLT-22" "CONSENT_EXPIRED" 401),
        injected!("FLT-23" "ACCESS_EXCEEDED" 429),
        injected!("FLT-24" "PRODUCT_UNKNOWN" 404),
        injected!("FLT-25" "PRODUCT_INVALID" 403),
        injected!("FLT-26" "KID_MISSING" 400),
        injected!("FLT-27" "KID_INVALID" 400),
        injected!("FLT-28" "PAYMENT_FAILED" 400),
        injected!("FLT-29" "EXECUTION_DATE_INVALID" 400),
        injected!("FLT-30" "REFERENCE_MIX_INVALID" 400),
    ]
}
