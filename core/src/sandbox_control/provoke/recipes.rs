//! The recipes: for each code of the contract a request that earns it. The first row of a code is the one that the
//! code alone asks for.

use chrono::{Days, TimeDelta};

use super::caller::{creation, Caller, Signed, ACCOUNT, OTHER_ACCOUNT, SESSION};
use crate::error::{Error, Result};
use crate::limits::CONSENT_LIFE_DAYS;
use crate::reason::Reason;
use crate::sandbox::faults::{FaultKind, FaultSpec};
use crate::types::date::oslo_day;

const STRAKS: &str = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks";
const DOMESTIC: &str = "/v1/payments/norwegian-domestic-credit-transfers";
const CROSS_BORDER: &str = "/v1/payments/cross-border-credit-transfers";
const PERIODIC: &str = "/v1/periodic-payments/norwegian-domestic-credit-transfers";
const PAYEE: &str = "95360573037";
const KID_PAYEE: &str = "91351631959";
const UNKNOWN: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";
const NOTHING: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";

/// How a request is made that earns a reason.
type Recipe = (Reason, fn(&Caller<'_>) -> Result<Signed>);

pub(super) const RECIPES: &[Recipe] = &[
    (Reason::BankFailed, bank_failed),
    (Reason::SignatureInvalid, signature_invalid),
    (Reason::TppRoleMissing, role_missing),
    (Reason::PathUnknown, |caller| caller.get("/v1/no-such-path", &[])),
    (Reason::LogicalDuplicate, duplicate),
    (Reason::HeaderMissing, header_missing),
    (Reason::QueryParameterMissing, |caller| {
        caller.get(&format!("/v1/accounts/{NOTHING}/transactions"), &[])
    }),
    (Reason::PsuNotIdentified, |caller| caller.get("/v1/accounts", &[])),
    (Reason::HistoryNeedsSca, history_needs_sca),
    (Reason::SessionReplaced, session_replaced),
    (Reason::AmountFractionDigits, |caller| caller.create(STRAKS, &domestic(PAYEE, "1", ""))),
    (Reason::PaymentUnknown, |caller| caller.get(&format!("{STRAKS}/{NOTHING}/status"), &[])),
    (Reason::PsuUnknown, |caller| caller.create_for(UNKNOWN, STRAKS, &domestic(PAYEE, "1.00", ""))),
    (Reason::ConsentUnknown, consent_unknown),
    (Reason::AccountNotGranted, account_not_granted),
    (Reason::ConsentExpired, consent_expired),
    (Reason::AccessExceeded, access_exceeded),
    (Reason::ProductUnknown, |caller| caller.create("/v1/payments/no-such-product", "{}")),
    (Reason::ProductNotOfService, |caller| caller.create("/v1/bulk-payments/sepa-credit-transfers", "{}")),
    (Reason::KidMissing, |caller| caller.create(STRAKS, &domestic(KID_PAYEE, "1.00", ""))),
    (Reason::KidInvalid, kid_invalid),
    (Reason::CurrencyNotConvertible, not_convertible),
    (Reason::ExecutionDateOutside, execution_date_outside),
    (Reason::BasketProductMixed, basket_mixed),
    // Further causes of the codes above.
    (Reason::MethodNotAllowed, |caller| caller.sign("PUT", "/v1/accounts", &Vec::new(), "")),
    (Reason::DateOutsideWindow, date_outside),
    (Reason::DigestMismatch, digest_mismatch),
    (Reason::RequestReplayed, replayed),
    (Reason::BodyNotJson, |caller| caller.create(STRAKS, "{")),
];

/// A domestic payment of the customer, with members of its own at the end.
fn domestic(payee: &str, amount: &str, more: &str) -> String {
    format!(
        r#"{{"instructedAmount":{{"amount":"{amount}","currency":"NOK"}},"creditorName":"Testine Test",
"creditorAccount":{{"bban":"{payee}","currency":"NOK"}},"creditorAddress":{{"townName":"Oslo","country":"NO"}},
"debtorAccount":{{"bban":"{ACCOUNT}","currency":"NOK"}}{more}}}"#
    )
}

/// The bank is down, once, for this TPP alone.
fn bank_failed(caller: &Caller<'_>) -> Result<Signed> {
    strike_once(caller, FaultKind::BankDown)?;
    caller.create(STRAKS, &domestic(PAYEE, "1.00", ""))
}

fn not_convertible(caller: &Caller<'_>) -> Result<Signed> {
    strike_once(caller, FaultKind::NoRate)?;
    let body = format!(
        r#"{{"instructedAmount":{{"amount":"1.00","currency":"EUR"}},"creditorName":"Fiktiv Handel GmbH",
"creditorAgent":"DEUTDEFF","creditorAccount":{{"iban":"DE89370400440532013000","currency":"EUR"}},
"creditorAddress":{{"townName":"Berlin","country":"DE"}},"debtorAccount":{{"bban":"{ACCOUNT}","currency":"NOK"}}}}"#
    );
    caller.create(CROSS_BORDER, &body)
}

fn strike_once(caller: &Caller<'_>, kind: FaultKind) -> Result<()> {
    let tpp = Some(caller.tpp.organisation_id().to_owned());
    caller.sandbox.add_fault(FaultSpec { tpp, times: Some(1), ..FaultSpec::of(kind) }).map(drop)
}

/// Another redirect than the one that was signed.
fn signature_invalid(caller: &Caller<'_>) -> Result<Signed> {
    let mut signed = caller.get("/v1/accounts", &[])?;
    for (name, value) in &mut signed.headers {
        if name == "TPP-Redirect-URI" {
            value.push_str("?changed");
        }
    }
    Ok(signed)
}

fn role_missing(caller: &Caller<'_>) -> Result<Signed> {
    let reader = Caller::register(caller.sandbox, &["AISP"])?;
    reader.create(STRAKS, &domestic(PAYEE, "1.00", ""))
}

/// The same payment a second time.
fn duplicate(caller: &Caller<'_>) -> Result<Signed> {
    let body = domestic(PAYEE, "1.00", "");
    caller.prepare(&caller.create(STRAKS, &body)?, 201)?;
    caller.create(STRAKS, &body)
}

fn header_missing(caller: &Caller<'_>) -> Result<Signed> {
    let mut fields = creation(&[("PSU-Context", "PRIVATE")]);
    fields.retain(|(name, _)| *name != "PSU-IP-Address");
    caller.sign("POST", STRAKS, &fields, &domestic(PAYEE, "1.00", ""))
}

/// The whole history, from before the first day of any TPP, by one without a session.
fn history_needs_sca(caller: &Caller<'_>) -> Result<Signed> {
    let psu_id = caller.consent(SESSION, None)?;
    let list =
        format!("{}/transactions?bookingStatus=both&dateFrom=1900-01-01", caller.open_account(&psu_id)?);
    caller.get(&list, &[("PSU-ID", &psu_id)])
}

fn session_replaced(caller: &Caller<'_>) -> Result<Signed> {
    caller.consent(SESSION, None)?;
    let psu_id = caller.consent("newer", None)?;
    caller.get("/v1/accounts", &[("PSU-ID", &psu_id), ("TPP-Session-ID", SESSION)])
}

fn consent_unknown(caller: &Caller<'_>) -> Result<Signed> {
    let psu_id = caller.consent(SESSION, None)?;
    caller.revoke()?;
    caller.get("/v1/accounts", &[("PSU-ID", &psu_id)])
}

/// An account that was open once, and is not in the later consent.
fn account_not_granted(caller: &Caller<'_>) -> Result<Signed> {
    let psu_id = caller.consent(SESSION, Some(&[ACCOUNT]))?;
    let account = caller.open_account(&psu_id)?;
    caller.consent(SESSION, Some(&[OTHER_ACCOUNT]))?;
    caller.get(&account, &[("PSU-ID", &psu_id)])
}

fn consent_expired(caller: &Caller<'_>) -> Result<Signed> {
    let psu_id = caller.consent(SESSION, None)?;
    caller.sandbox.advance(TimeDelta::days(CONSENT_LIFE_DAYS))?;
    caller.get("/v1/accounts", &[("PSU-ID", &psu_id)])
}

/// One call more than a day has, without the customer.
fn access_exceeded(caller: &Caller<'_>) -> Result<Signed> {
    let psu_id = caller.consent(SESSION, None)?;
    let list = format!("{}/transactions?bookingStatus=both", caller.open_account(&psu_id)?);
    for _ in 0..caller.sandbox.engine.policy().calls_without_psu_per_day {
        caller.prepare(&caller.get(&list, &[("PSU-ID", &psu_id)])?, 200)?;
    }
    caller.get(&list, &[("PSU-ID", &psu_id)])
}

fn kid_invalid(caller: &Caller<'_>) -> Result<Signed> {
    let kid = r#","remittanceInformationStructured":{"reference":"1234567890"}"#;
    caller.create(STRAKS, &domestic(PAYEE, "1.00", kid))
}

fn execution_date_outside(caller: &Caller<'_>) -> Result<Signed> {
    caller.create(DOMESTIC, &domestic(PAYEE, "1.00", r#","requestedExecutionDate":"2000-01-01""#))
}

/// A standing order in a signing basket.
fn basket_mixed(caller: &Caller<'_>) -> Result<Signed> {
    let psu_id = caller.consent(SESSION, None)?;
    let beyond = || Error::Misuse("the time is after the year 9999".to_owned());
    let today = oslo_day(caller.sandbox.now());
    let start = today.checked_add_days(Days::new(30)).ok_or_else(beyond)?;
    let schedule = format!(r#","startDate":"{start}","frequency":"Monthly""#);
    let order = caller.create_for(&psu_id, PERIODIC, &domestic(PAYEE, "1.00", &schedule))?;
    let payment = caller.prepare(&order, 201)?.text(&["paymentId"])?;
    caller.create_for(&psu_id, "/v1/signing-baskets", &format!(r#"{{"paymentIds":["{payment}"]}}"#))
}

fn date_outside(caller: &Caller<'_>) -> Result<Signed> {
    caller.get("/v1/accounts", &[("Date", "Sat, 01 Jan 2000 00:00:00 GMT")])
}

/// Another body than the one that was digested.
fn digest_mismatch(caller: &Caller<'_>) -> Result<Signed> {
    let mut signed = caller.create(STRAKS, &domestic(PAYEE, "1.00", ""))?;
    signed.body.push('\n');
    Ok(signed)
}

/// The same request a second time. Its id is used after any answer to the first.
fn replayed(caller: &Caller<'_>) -> Result<Signed> {
    let signed = caller.create(STRAKS, &domestic(PAYEE, "1.00", ""))?;
    caller.prepare(&signed, 201)?;
    Ok(signed)
}
