//! A certificate that was never seen before: read, and its chain verified.

use std::time::Duration;

use aws_lc_rs::signature::{ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256};
use chrono::{DateTime, Utc};
use x509_parser::pem::parse_x509_pem;
use xs2a::internal::Identity;
use xs2a::sandbox::ROOT_PEM;
use xs2a::trust::TrustAnchors;

use crate::payments::{Payer, NOW};
use crate::report::Figure;
use crate::rounds::{timed, Contender, Rounds};
use crate::rows::micros;
use crate::Outcome;

const ROUNDS: Rounds = Rounds { warm_up: 1, count: 31, calls: 200 };
/// What a chain may cost where its bare RSA verifications cost 1.
const AIM: Option<f64> = Some(1.5);

/// Measures a chain of one signature against that signature.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    let (mut chain, mut bare) = (UncachedChain::new()?, BareSignature::new()?);
    let mut contenders: [&mut dyn Contender; 2] = [&mut bare, &mut chain];
    let medians = ROUNDS.measure(&mut contenders)?;
    Ok(vec![Figure {
        name: "read a certificate not seen before and verify its chain",
        measured: micros(medians.seconds_of(1)),
        against: format!("the bare RSA-2048 verification of it: {}", micros(medians.seconds_of(0))),
        ratio: medians.ratio(1, 0),
        aim: AIM,
    }])
}

/// The value of the header, and what is trusted.
struct UncachedChain {
    header: String,
    anchors: TrustAnchors,
    now: DateTime<Utc>,
    calls: usize,
}

impl UncachedChain {
    fn new() -> Outcome<Self> {
        let header = Payer::open(None)?.creation()?.header("TPP-Signature-Certificate")?.to_owned();
        let anchors = TrustAnchors::from_bundle(ROOT_PEM.as_bytes());
        let anchors = anchors.map_err(|_| "the test root cannot be read")?;
        Ok(Self { header, anchors, now: NOW.parse()?, calls: 0 })
    }
}

impl Contender for UncachedChain {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let (time, all_good) = timed(|| {
            (0..self.calls).all(|_| {
                let identity = Identity::from_header(self.header.as_bytes(), &self.anchors);
                identity.is_ok_and(|identity| identity.chain.valid_at(self.now).is_ok())
            })
        });
        all_good.then_some(time).ok_or_else(|| "a good chain was refused".into())
    }
}

/// The signature of the root on that certificate, its key parsed.
struct BareSignature {
    key: ParsedPublicKey,
    message: Vec<u8>,
    signature: Vec<u8>,
    calls: usize,
}

impl BareSignature {
    fn new() -> Outcome<Self> {
        let payer = Payer::open(None)?;
        let (_, root) = parse_x509_pem(ROOT_PEM.as_bytes())?;
        let root = root.parse_x509()?;
        let key = root.public_key().subject_public_key.data.as_ref();
        let key = ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key)?;
        let (_, leaf) = parse_x509_pem(payer.tpp.certificate_pem().as_bytes())?;
        let leaf = leaf.parse_x509()?;
        let message = leaf.tbs_certificate.as_ref().to_vec();
        let signature = leaf.signature_value.data.to_vec();
        key.verify_sig(&message, &signature)?;
        Ok(Self { key, message, signature, calls: 0 })
    }
}

impl Contender for BareSignature {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let (time, all_good) =
            timed(|| (0..self.calls).all(|_| self.key.verify_sig(&self.message, &self.signature).is_ok()));
        all_good.then_some(time).ok_or_else(|| "a good signature was refused".into())
    }
}
