//! The Python binding: the native half of the package `xs2a`.
//!
//! It converts and calls, nothing else; every rule lives in the core. The reference of what Python sees is
//! `python/xs2a/_native.pyi`, which the type checker holds against this module (`mypy.stubtest`).

// The macro `help!`: build.rs.
include!(concat!(env!("OUT_DIR"), "/help.rs"));

mod asking;
mod audit;
mod bank;
mod clock;
mod convert;
mod engine;
mod engine_host;
mod error;
mod exit;
mod explain;
mod faults;
mod given;
mod greenlets;
mod headers;
mod journal;
mod log;
mod payment_status;
mod pickling;
mod population;
mod predicate;
mod progress;
mod response;
mod sandbox;
mod sandbox_access;
mod seal;
mod settings;
mod signer;
mod snapshot;
mod state;
mod table;
mod text;
mod tools;
mod tpp;
mod trust;

/// The extension module `xs2a._native`; users import `xs2a`.
#[pyo3::pymodule]
mod _native {
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;
    use xs2a::internal::DATE_DEVIATION_SECONDS_MAX;
    use xs2a::CoverageKind;

    #[pymodule_export]
    use crate::bank::current_call;
    #[pymodule_export]
    use crate::clock::Clock;
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::explain::{explain, mistakes};
    #[pymodule_export]
    use crate::faults::{Fault, Faults};
    #[pymodule_export]
    use crate::journal::{
        coverage_of, coverage_sum, coverage_text, coverage_untouched, journal_clear, journal_entries,
        journal_explanation, journal_export, journal_last_number, journal_length, journal_newest_calls,
    };
    #[pymodule_export]
    use crate::population::Population;
    #[pymodule_export]
    use crate::response::{restored_response, verify_response, Response};
    #[pymodule_export]
    use crate::sandbox::Sandbox;
    #[pymodule_export]
    use crate::signer::Signer;
    #[pymodule_export]
    use crate::snapshot::diff;
    #[pymodule_export]
    use crate::state::state_rows;
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::tools::{
        account_number_is_valid, basket_status, bic_is_valid, check_bank_answer_text, decode_encoded_word,
        digest, iban_is_valid, kid_is_valid, minor_units, openapi, parse_certificate,
        parse_distinguished_name, parse_http_date, payment_transitions, signing_string, validate_payment,
        verify_signature,
    };
    #[pymodule_export]
    use crate::tpp::Tpp;
    #[pymodule_export]
    use crate::trust::trusted_list_anchors;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::exit::watch(module)?;
        module
            .add("COVERAGE_KINDS", PyTuple::new(module.py(), CoverageKind::ALL.map(CoverageKind::as_str))?)?;
        module.add("DATE_DEVIATION_SECONDS_MAX", DATE_DEVIATION_SECONDS_MAX)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
