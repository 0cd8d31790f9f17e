//! Evidence: what the audit costs a payment and a read, and what a signature costs an answer.

use std::time::Duration;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{RsaKeyPair, RSA_PKCS1_SHA256};
use base64::prelude::{Engine as _, BASE64_STANDARD};
use xs2a::internal::{Roles, TestPki, TEST_KEYS_PEM};
use xs2a::trust::ResponseKey;

use crate::interface::{Call, RustInterface};
use crate::payments::{Payer, Signed};
use crate::products::Product;
use crate::report::Figure;
use crate::rounds::{timed, Contender, Medians, Rounds};
use crate::rows::{micros, FAST};
use crate::Outcome;

/// Calls that sign.
const SIGNATURES: Rounds = Rounds { warm_up: 1, count: 15, calls: 200 };
/// What a payment with its audit may cost where one without costs 1.
const AUDIT_AIM: f64 = 1.15;
/// What a balance read with its evidence may cost where one without costs 1.
const READ_AIM: f64 = 1.15;
/// What a payment with statistics and metrics may cost where one without statistics costs 1. Metrics are counted in
/// both.
const STATISTICS_AIM: f64 = 1.05;
/// What a signed answer may cost where the bare private-key operation costs 1.
const SIGNING_AIM: f64 = 1.1;
/// An answer of ordinary size.
const BODY: [u8; 2048] = [b'x'; 2048];

/// Measures the rows.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    let creation = Call::CreatePayment(Product::Straks);
    let mut plain = RustInterface::open(creation, None)?;
    let mut audited = RustInterface::with_policy(creation, r#"{"audit":true}"#)?;
    let creations = FAST.measure(&mut [&mut plain, &mut audited])?;
    let mut unread = Reads::with_policy(r#"{"audit":true,"audit_reads":"off"}"#)?;
    let mut read = Reads::with_policy(r#"{"audit":true,"audit_reads":"batched"}"#)?;
    let reads = FAST.measure(&mut [&mut unread, &mut read])?;
    let mut uncounted = RustInterface::with_policy(creation, r#"{"statistics":false}"#)?;
    let mut counted = RustInterface::with_policy(creation, r#"{"statistics":true}"#)?;
    let counts = FAST.measure(&mut [&mut uncounted, &mut counted])?;
    let signatures = SIGNATURES.measure(&mut [&mut Bare::new()?, &mut Answers::new()?])?;
    let figure = |name, medians: &Medians, base: &str, aim| Figure {
        name,
        measured: micros(medians.seconds_of(1)),
        against: format!("{base}: {}", micros(medians.seconds_of(0))),
        ratio: medians.ratio(1, 0),
        aim: Some(aim),
    };
    let audit = "create an instant payment in memory, with its audit";
    Ok(vec![
        figure(audit, &creations, "the same without", AUDIT_AIM),
        figure("a balance read with `audit_reads` batched", &reads, "the same without", READ_AIM),
        figure(
            "create an instant payment in memory, with statistics and metrics",
            &counts,
            "the same without statistics",
            STATISTICS_AIM,
        ),
        figure("sign an answer of 2 KiB", &signatures, "one bare RSA-2048 signature", SIGNING_AIM),
    ])
}

/// A TPP that reads the balances of one account. The batch of a round is written within the round.
struct Reads {
    payer: Payer,
    psu_id: String,
    target: String,
    prepared: Vec<Signed>,
}

impl Reads {
    fn with_policy(policy: &str) -> Outcome<Self> {
        let payer = Payer::with_policy(policy)?;
        let psu_id = payer.consent()?;
        let accounts = payer.read("/v1/accounts".to_owned(), &psu_id)?.answer(&payer.sandbox)?;
        let id = accounts.pointer("/accounts/0/resourceId").and_then(serde_json::Value::as_str);
        let target = format!("/v1/accounts/{}/balances", id.ok_or("no account to read")?);
        Ok(Self { payer, psu_id, target, prepared: Vec::new() })
    }
}

impl Contender for Reads {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        let signed = (0..calls).map(|_| self.payer.read(self.target.clone(), &self.psu_id));
        self.prepared = signed.collect::<Outcome<_>>()?;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let sandbox = &self.payer.sandbox;
        let (time, (all_good, written)) = timed(|| {
            let all_good = self.prepared.iter().all(|signed| signed.send(sandbox) == 200);
            (all_good, sandbox.engine().close())
        });
        written?;
        all_good.then_some(time).ok_or_else(|| "a read was refused".into())
    }
}

/// One bare RSA-2048 signature over as much as an answer's signature covers.
struct Bare {
    key: RsaKeyPair,
    calls: usize,
}

impl Bare {
    fn new() -> Outcome<Self> {
        let [pem, ..] = TEST_KEYS_PEM;
        let base64: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
        Ok(Self { key: RsaKeyPair::from_pkcs8(&BASE64_STANDARD.decode(base64)?)?, calls: 0 })
    }
}

impl Contender for Bare {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let mut signature = vec![0; self.key.public_modulus_len()];
        let random = SystemRandom::new();
        let (time, all_good) = timed(|| {
            let mut sign = |_| self.key.sign(&RSA_PKCS1_SHA256, &random, &[b'x'; 160], &mut signature);
            (0..self.calls).all(|call| sign(call).is_ok())
        });
        all_good.then_some(time).ok_or_else(|| "a signature failed".into())
    }
}

/// The header fields that sign an answer: digest, signing string, signature, header.
struct Answers {
    key: ResponseKey,
    calls: usize,
}

impl Answers {
    fn new() -> Outcome<Self> {
        let bank = TestPki::new()?.issue("Bank", Roles::NONE, "PSDNO-FSA-1", [1; 16], 0)?;
        let key = ResponseKey::new(bank.certificate().der(), bank.private_key_pem().as_bytes())?;
        Ok(Self { key, calls: 0 })
    }
}

impl Contender for Answers {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let headers = [
            ("Content-Type", "application/json".to_owned()),
            ("Date", "Tue, 01 Sep 2026 10:00:00 GMT".to_owned()),
            ("X-Request-ID", "00000000-0000-4000-8000-000000000001".to_owned()),
        ];
        let (time, all_good) = timed(|| (0..self.calls).all(|_| self.key.sign(&headers, &BODY).is_ok()));
        all_good.then_some(time).ok_or_else(|| "an answer could not be signed".into())
    }
}
