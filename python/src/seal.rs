//! The bank's seal, from Python: a certificate, and its private key or a callable that signs with it.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList, PyTuple};
use xs2a::env::ResponseSigner;
use xs2a::trust::ResponseKey;
use xs2a::{Error, Result};

use crate::bank::{begin, callable, ending, troubled, Asked};
use crate::convert::Pem;
use crate::error::misconfigured;
use crate::exit;
use crate::given::not_a;

/// A certificate, and what signs for it.
pub(crate) struct Seal {
    pub(crate) certificate: Pem,
    pub(crate) key: SealKey,
}

/// What signs.
pub(crate) enum SealKey {
    Pem(Pem),
    Callable(PySigner),
}

impl FromPyObject<'_> for Seal {
    fn extract_bound(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !given.is_instance_of::<PyTuple>() && !given.is_instance_of::<PyList>() {
            return Err(not_a("a tuple of a certificate and its private key", given));
        }
        let parts: Vec<Bound<'_, PyAny>> = given.try_iter()?.collect::<PyResult<_>>()?;
        let [certificate, key] = parts.as_slice() else {
            let text =
                format!("response_key: a certificate and its private key are two, not {}", parts.len());
            return Err(misconfigured(given.py(), text));
        };
        let key = match key.is_callable() {
            true => SealKey::Callable(PySigner::new(key)?),
            false => SealKey::Pem(key.extract()?),
        };
        Ok(Self { certificate: certificate.extract()?, key })
    }
}

impl Seal {
    /// The callable, where there is one.
    pub(crate) fn asked(&self) -> Option<Asked> {
        match &self.key {
            SealKey::Pem(_) => None,
            SealKey::Callable(signer) => Some(signer.asked()),
        }
    }

    /// Reads certificate and key; a callable signs once.
    ///
    /// # Errors
    /// As [`ResponseKey::new`] and [`ResponseKey::with_signer`].
    pub(crate) fn into_key(self) -> Result<ResponseKey> {
        let certificate = self.certificate.as_bytes();
        match self.key {
            SealKey::Pem(key) => ResponseKey::new(certificate, key.as_bytes()),
            SealKey::Callable(signer) => ResponseKey::with_signer(certificate, Arc::new(signer)),
        }
    }
}

/// A callable that signs.
pub(crate) struct PySigner(Asked);

impl PySigner {
    /// `TypeError` for what cannot be called.
    pub(crate) fn new(sign: &Bound<'_, PyAny>) -> PyResult<Self> {
        callable(sign, "sign").map(Self)
    }

    pub(crate) fn asked(&self) -> Asked {
        Arc::clone(&self.0)
    }

    fn ask_object(&self, py: Python<'_>, text: &[u8]) -> PyResult<Vec<u8>> {
        let _asking = begin(py, "the seal")?;
        let ask = py.import("xs2a._bank")?.getattr("signature")?;
        let answer = ask.call1((&*self.0, PyBytes::new(py, text)))?;
        Ok(answer.extract::<PyBackedBytes>()?.to_vec())
    }
}

impl ResponseSigner for PySigner {
    fn sign(&self, _certificate: &[u8], text: &[u8]) -> Result<Vec<u8>> {
        let answered =
            exit::attached(|py| self.ask_object(py, text).map_err(|raised| troubled(py, raised, "sign")));
        answered.unwrap_or_else(|| Err::<_, Error>(ending("sign")))
    }
}
