//! What an explanation may use beside the request.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::env::clock::{Clock, SystemClock};
use crate::error::{Error, Result};
use crate::policy::{Environment, KeyIdIssuer, Policy};
use crate::tpp::bundle::parse_bundle;
use crate::tpp::certificate::Certificate;
use crate::tpp::trust::TrustAnchors;
use crate::wire::request::Request;

/// What [`explain`](super::explain) may use beside the request. All of it is optional.
#[derive(Clone)]
pub struct ExplainOptions<'a> {
    /// The bank's clock when the request was refused; the present by default.
    pub now: Option<DateTime<Utc>>,
    /// Certificates of other TPPs, and earlier ones of this TPP.
    pub certificates: Vec<Arc<Certificate>>,
    /// Paths that a gateway may add or strip before the bank's own, such as `/psd2`.
    pub base_paths: Vec<String>,
    /// Calls before this one.
    pub earlier: Vec<Request<'a>>,
    /// What certificates must chain to; `None`: neither chain nor validity is checked.
    pub trust_anchors: Option<TrustAnchors>,
    /// How keyId's issuer is compared.
    pub key_id_issuer: KeyIdIssuer,
    /// How long a search may take; 50 ms by default.
    pub budget: Duration,
    /// The clock that the budget is measured by; the machine's by default.
    pub clock: &'a dyn Clock,
}

impl Default for ExplainOptions<'_> {
    fn default() -> Self {
        Self {
            now: None,
            certificates: Vec::new(),
            base_paths: Vec::new(),
            earlier: Vec::new(),
            trust_anchors: None,
            key_id_issuer: KeyIdIssuer::Lenient,
            budget: Duration::from_millis(50),
            clock: &SystemClock,
        }
    }
}

impl ExplainOptions<'_> {
    /// Takes the certificates of a PEM bundle in.
    ///
    /// # Errors
    /// [`Error::Config`] for a text that holds no certificate that can be read.
    pub fn add_certificates(&mut self, pem: &str) -> Result<()> {
        let certificates =
            parse_bundle(pem.as_bytes()).map_err(|fault| Error::unusable("certificates", &fault))?;
        self.certificates.extend(certificates.into_iter().map(Arc::new));
        Ok(())
    }

    /// Takes from the text of a policy what matters here: `key_id_issuer`.
    ///
    /// # Errors
    /// [`Error::Config`] for an unknown key, and for a value of the wrong type or form.
    pub fn set_policy(&mut self, text: &str) -> Result<()> {
        self.key_id_issuer = Policy::from_json(Environment::Sandbox, text)?.key_id_issuer;
        Ok(())
    }
}
