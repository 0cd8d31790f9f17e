//! The pure functions: no sandbox, no state, safe from any thread.

use chrono::{DateTime, Utc};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyTuple};
use xs2a::json_bank::{check_answer, BankMethod};
use xs2a::tools::CertificateInfo;
use xs2a::{tools, Request};

use crate::convert::{
    datetime, datetime_of_text, json_value, present, value, value_class, Body, Instant, JsonBody, Pem,
    TextOrBytes, Texts,
};
use crate::error::{guarded, misuse};
use crate::exit;
use crate::headers::Headers;
use crate::text::Text;

#[doc = help!("signing_string")]
#[pyfunction]
pub(crate) fn signing_string(
    py: Python<'_>,
    method: Text,
    target: Text,
    headers: Headers,
    names: Texts,
) -> PyResult<String> {
    let (headers, names) = (headers.borrowed(), names.borrowed());
    guarded(py, || tools::signing_string(&method, &target, &headers, &names))
}

#[doc = help!("digest")]
#[pyfunction]
#[pyo3(
    signature = (body, algorithm=Text::from("SHA-256")),
    text_signature = "(body, algorithm='SHA-256')"
)]
pub(crate) fn digest(py: Python<'_>, body: Body, algorithm: Text) -> PyResult<String> {
    guarded(py, || tools::digest(&body, &algorithm))
}

#[doc = help!("verify_signature")]
#[pyfunction]
#[pyo3(signature = (method, target, headers, body, *, now, trust_anchors=None))]
pub(crate) fn verify_signature<'py>(
    py: Python<'py>,
    method: Text,
    target: Text,
    headers: Headers,
    body: Body,
    now: Instant,
    trust_anchors: Option<Pem>,
) -> PyResult<Bound<'py, PyAny>> {
    let headers = headers.borrowed();
    let request =
        Request { method: &method, target: &target, headers: &headers, body: &body, correlation_id: None };
    let found = guarded(py, || tools::verify_signature(&request, now.0, trust_anchors.as_deref()))?;
    let certificate = found.certificate.as_ref().map(|info| certificate(py, info)).transpose()?;
    value(py, "Verification", (found.ok, found.reason, found.text, certificate))
}

#[doc = help!("validate_payment")]
#[pyfunction]
#[pyo3(
    signature = (service, product, body, *, at=None, environment=Text::from("sandbox"), accept_fix=None),
    text_signature = "(service, product, body, *, at=None, environment='sandbox', accept_fix=())"
)]
pub(crate) fn validate_payment<'py>(
    py: Python<'py>,
    service: Text,
    product: Text,
    body: JsonBody,
    at: Option<Instant>,
    environment: Text,
    accept_fix: Option<Texts>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let fixes = accept_fix.as_ref().map(Texts::borrowed).unwrap_or_default();
    let at = at.map_or_else(|| present(py), |at| Ok(at.0)).map(Some)?;
    let found = guarded(py, || tools::validate_payment(&service, &product, &body, at, &environment, &fixes))?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let class = value_class(py, "TppMessage")?;
    let messages =
        found.into_iter().map(|found| class.call1((found.category, found.code, found.path, found.text)));
    exit::visit(py, || messages.collect())
}

#[doc = help!("openapi")]
#[pyfunction]
#[pyo3(
    signature = (*, environment=Text::from("sandbox"), base_path=Text::from("")),
    text_signature = "(*, environment='sandbox', base_path='')"
)]
pub(crate) fn openapi(py: Python<'_>, environment: Text, base_path: Text) -> PyResult<Bound<'_, PyAny>> {
    json_value(py, guarded(py, || tools::openapi(&environment, &base_path))?)
}

#[doc = help!("payment_transitions")]
#[pyfunction]
pub(crate) fn payment_transitions(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    guarded(py, || Ok(tools::payment_transitions()))?.into_py_dict(py)
}

#[doc = help!("basket_status")]
#[pyfunction]
pub(crate) fn basket_status(py: Python<'_>, list_of_payment_statuses: Texts) -> PyResult<&'static str> {
    guarded(py, || tools::basket_status(&list_of_payment_statuses.borrowed()))
}

#[doc = help!("minor_units")]
#[pyfunction]
pub(crate) fn minor_units(py: Python<'_>, currency: Text) -> PyResult<u8> {
    guarded(py, || tools::minor_units(&currency))
}

#[doc = help!("kid_is_valid")]
#[pyfunction]
pub(crate) fn kid_is_valid(py: Python<'_>, text: Text) -> PyResult<bool> {
    guarded(py, || Ok(tools::kid_is_valid(&text)))
}

#[doc = help!("account_number_is_valid")]
#[pyfunction]
pub(crate) fn account_number_is_valid(py: Python<'_>, text: Text) -> PyResult<bool> {
    guarded(py, || Ok(tools::account_number_is_valid(&text)))
}

#[doc = help!("check_bank_answer_text")]
#[pyfunction]
pub(crate) fn check_bank_answer_text(
    py: Python<'_>,
    method: Text,
    question: Text,
    answer: Text,
) -> PyResult<()> {
    let Some(method) = BankMethod::parse(&method) else {
        return Err(misuse(py, "the method is no question to a bank, such as fee"));
    };
    guarded(py, || check_answer(method, &question, answer.as_bytes()))
}

#[doc = help!("iban_is_valid")]
#[pyfunction]
pub(crate) fn iban_is_valid(py: Python<'_>, text: Text) -> PyResult<bool> {
    guarded(py, || Ok(tools::iban_is_valid(&text)))
}

#[doc = help!("bic_is_valid")]
#[pyfunction]
pub(crate) fn bic_is_valid(py: Python<'_>, text: Text) -> PyResult<bool> {
    guarded(py, || Ok(tools::bic_is_valid(&text)))
}

#[doc = help!("parse_distinguished_name")]
#[pyfunction]
pub(crate) fn parse_distinguished_name(py: Python<'_>, text: Text) -> PyResult<Vec<Vec<(String, String)>>> {
    guarded(py, || tools::parse_distinguished_name(&text))
}

#[doc = help!("parse_certificate")]
#[pyfunction]
pub(crate) fn parse_certificate<'py>(
    py: Python<'py>,
    pem_or_der: TextOrBytes,
) -> PyResult<Bound<'py, PyAny>> {
    certificate(py, &guarded(py, || tools::parse_certificate(&pem_or_der))?)
}

#[doc = help!("parse_http_date")]
#[pyfunction]
pub(crate) fn parse_http_date(py: Python<'_>, text: Text) -> PyResult<DateTime<Utc>> {
    guarded(py, || tools::parse_http_date(&text)).map(datetime)
}

#[doc = help!("decode_encoded_word")]
#[pyfunction]
pub(crate) fn decode_encoded_word(py: Python<'_>, text: Text) -> PyResult<String> {
    guarded(py, || tools::decode_encoded_word(&text))
}

pub(crate) fn certificate<'py>(py: Python<'py>, info: &CertificateInfo) -> PyResult<Bound<'py, PyAny>> {
    let not_before = datetime_of_text(py, &info.not_before)?;
    let not_after = datetime_of_text(py, &info.not_after)?;
    let roles = PyTuple::new(py, &info.roles)?;
    let (issuer, subject) = (&info.issuer, &info.subject);
    let members = (&info.serial_number, issuer, subject, not_before, not_after, roles, &info.organisation_id);
    value(py, "Certificate", members)
}
