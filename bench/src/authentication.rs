//! Authentication alone: what the engine does between the raw headers and knowing who calls, for a certificate it has
//! seen before.

use std::time::Duration;

use chrono::{DateTime, Utc};
use xs2a::internal::{authenticate, Headers, Identity, SignedRequest};
use xs2a::policy::KeyIdIssuer;
use xs2a::trust::TrustAnchors;

use crate::payments::{Payer, Signed, NOW};
use crate::rounds::{timed, Contender};
use crate::Outcome;

const CERTIFICATE: &str = "TPP-Signature-Certificate";

/// Signed creations and the remembered chain of their certificate.
pub(crate) struct Authentication {
    payer: Payer,
    header: String,
    identity: Identity,
    now: DateTime<Utc>,
    requests: Vec<Signed>,
}

impl Authentication {
    /// Remembers the chain of the test TPP.
    pub(crate) fn new() -> Outcome<Self> {
        let mut payer = Payer::open(None)?;
        let anchors = TrustAnchors::from_bundle(xs2a::sandbox::ROOT_PEM.as_bytes());
        let anchors = anchors.map_err(|_| "the test root cannot be read")?;
        let header = payer.creation()?.header(CERTIFICATE)?.to_owned();
        let identity =
            Identity::from_header(header.as_bytes(), &anchors).map_err(|_| "no chain to the test root")?;
        Ok(Self { payer, header, identity, now: NOW.parse()?, requests: Vec::new() })
    }

    /// Header limits, the chain of the certificate among those seen last, validity, digest, date, signature.
    fn is_authentic(&self, request: &Signed) -> bool {
        let (method, target, headers, body) = request.parts();
        let fields: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let Ok(headers) = Headers::parse(&fields) else { return false };
        if headers.get(CERTIFICATE).is_none_or(|value| *value != *self.header.as_bytes()) {
            return false;
        }
        let signed = SignedRequest { method, target, fields: &headers, body };
        self.identity.chain.valid_at(self.now).is_ok()
            && authenticate(&signed, &self.identity.certificate, self.now, KeyIdIssuer::Lenient).is_ok()
    }
}

impl Contender for Authentication {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.requests = (0..calls).map(|_| self.payer.creation()).collect::<Outcome<_>>()?;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let (time, all_good) = timed(|| self.requests.iter().all(|request| self.is_authentic(request)));
        all_good.then_some(time).ok_or_else(|| "a good request was refused".into())
    }
}
