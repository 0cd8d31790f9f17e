//! The status of a payment that is given from Python.

use pyo3::prelude::*;
use xs2a::bank::PaymentStatus;
use xs2a::types::Machine;

use crate::error::misuse;

/// The status that a bank reports. A payment on hold is PDNG, and nothing is known of its funds yet.
pub(crate) fn read_status(
    py: Python<'_>,
    status: &str,
    funds_available: Option<bool>,
    on_hold: bool,
) -> PyResult<PaymentStatus> {
    let status = PaymentStatus::parse(status)
        .ok_or_else(|| misuse(py, format!("`{status}` is no status of a payment")))?;
    if on_hold && (status != PaymentStatus::Pdng || funds_available.is_some()) {
        let text = "a payment on hold is reported with the status PDNG and without funds_available";
        return Err(misuse(py, text.to_owned()));
    }
    Ok(status)
}
