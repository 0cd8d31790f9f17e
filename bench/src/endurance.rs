//! Endurance: what a process holds after very many requests, compared with after ten thousand.
//!
//! Most requests are refused before a key is used, or repeat one that was signed, so that ten million take minutes. All
//! that an engine remembers is replaced in this time: request ids, chains, the refusals of a minute.

use std::process::Command;
use std::sync::Arc;

use base64::prelude::{Engine as _, BASE64_STANDARD};
use chrono::{DateTime, TimeDelta, Utc};
use xs2a::env::ManualClock;
use xs2a::internal::{format_http_date, load_default_data, Database, SandboxBank, SqliteStore, TestPki};
use xs2a::policy::{Environment, Policy};
use xs2a::store::{AuditEvent, AuditKind, CommitOutcome, Store, Write};
use xs2a::trust::TrustAnchors;
use xs2a::types::Rates;
use xs2a::{Engine, Request, TestTpp};

use crate::memory::private_kib;
use crate::payments::{Payer, NOW};
use crate::report::Figure;
use crate::rows::{progress, Folder};
use crate::Outcome;

/// Requests before memory is first read: by then every memory has been full.
const FIRST: u64 = 10_000;
/// Requests before it is read again.
const MANY: u64 = 1_000_000;
/// As many only where this variable is set: they take some minutes.
const TEN_MILLION: u64 = 10_000_000;
const TEN_MILLION_VARIABLE: &str = "XS2A_BENCH_TEN_MILLION";
/// How far the clock moves with each request: ten thousand take longer than the replay window is.
const STEP_MILLIS: i64 = 20;
/// One request in so many is signed again; those between repeat it.
const FRESH_EVERY: u64 = 200;
/// Lines of the audit that are there from the start, each of some 300 bytes: more than the store's cache of pages
/// holds, so that it is full when memory is first read.
const LINES_BEFORE: i64 = 100_000;
/// How many of them are written at once.
const LINES_AT_ONCE: i64 = 1_000;
/// What may be held after many requests where 1 is held after the first.
const AIM: f64 = 1.05;

/// The reasons of the answers: no such payment; a request id that was used.
const UNKNOWN_PAYMENT: &str = "PAY-01";
const REPEATED: &str = "RPL-01";

const CERTIFICATE: &str = "TPP-Signature-Certificate";
const TARGET: &str =
    "/v1/payments/norwegian-domestic-credit-transfers/00000000-0000-4000-8000-000000000000/status";

/// Measures in a process of its own. None where the system does not say what a process owns.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    if private_kib().is_none() {
        progress("this system does not say what memory a process owns: no endurance row");
        return Ok(Vec::new());
    }
    let output = Command::new(std::env::current_exe()?).arg("endurance").output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let text = String::from_utf8(output.stdout)?;
    let mut figures = text.split_whitespace().map(str::parse::<f64>);
    let mut next = || figures.next().ok_or("a figure is missing");
    let (first, last) = (next()??, next()??);
    let name = match requests() {
        TEN_MILLION => "memory after ten million handled requests",
        _ => "memory after a million handled requests",
    };
    Ok(vec![Figure {
        name,
        measured: format!("{:.1} MiB", last / 1024.0),
        against: format!("after ten thousand: {:.1} MiB", first / 1024.0),
        ratio: last / first,
        aim: Some(AIM),
    }])
}

fn requests() -> u64 {
    match std::env::var_os(TEN_MILLION_VARIABLE) {
        Some(_) => TEN_MILLION,
        None => MANY,
    }
}

/// The work of that process: prints the KiB after the first requests and after all.
pub(crate) fn print_figures() -> Outcome<()> {
    let folder = Folder::make()?;
    let mut gateway = Gateway::open(&folder)?;
    let read = || private_kib().ok_or("the system does not say");
    for number in 0..FIRST {
        gateway.serve(number)?;
    }
    let first = read()?;
    for number in FIRST..requests() {
        gateway.serve(number)?;
    }
    println!("{first} {}", read()?);
    Ok(())
}

/// A production engine whose records are in a file, and a TPP.
struct Gateway {
    engine: Engine,
    clock: Arc<ManualClock>,
    start: DateTime<Utc>,
    payer: Payer,
    /// The certificate of the TPP, in base64.
    certificate: String,
    signed: Headers,
}

type Headers = Vec<(String, String)>;

impl Gateway {
    fn open(folder: &Folder) -> Outcome<Self> {
        let start = NOW.parse()?;
        let clock = Arc::new(ManualClock::new(start));
        let accounts = Arc::new(Database::open_memory_for_sandbox()?);
        load_default_data(&accounts)?;
        let mut trust = TrustAnchors::new();
        trust.add(Arc::clone(TestPki::new()?.root()));
        let records = SqliteStore::new(Arc::new(Database::open_file(folder.path().join("endurance.db"))?));
        fill(&records, start)?;
        let engine = Engine::builder()
            .bank(Arc::new(SandboxBank::new(accounts, Rates::default())))
            .store(Arc::new(records))
            .clock(Arc::clone(&clock) as Arc<_>)
            .trust_anchors(trust)
            .policy(Policy::from_json(Environment::Production, r#"{"audit":true}"#)?)
            .build()?;
        let payer = Payer::open(None)?;
        let armour = |line: &&str| !line.starts_with('-');
        let certificate = payer.tpp.certificate_pem().lines().filter(armour).collect();
        Ok(Self { engine, clock, start, payer, certificate, signed: Headers::new() })
    }

    /// One request, and whether its answer is the right one.
    fn serve(&mut self, number: u64) -> Outcome<()> {
        let now = self.start + TimeDelta::milliseconds(STEP_MILLIS * i64::try_from(number)?);
        self.clock.set(now)?;
        if number.is_multiple_of(FRESH_EVERY) {
            self.signed = sign(&self.payer.tpp, now)?;
            return self.ask(number, TARGET, &self.signed, UNKNOWN_PAYMENT);
        }
        match number % 8 {
            // Each with another spelling of the certificate, so that its chain has to be found again.
            1 | 3 | 5 | 7 => self.ask(number, TARGET, &self.presenting(self.respelt(number)), REPEATED),
            2 => self.ask(number, "/v1/no-such-route", &self.signed, "RTE-02"),
            4 => {
                let noise = BASE64_STANDARD.encode(number.to_be_bytes().repeat(100));
                self.ask(number, TARGET, &self.presenting(noise), "CRT-03")
            }
            6 => self.ask(number, TARGET, self.signed.get(..1).unwrap_or_default(), "HDR-04"),
            _ => self.ask(number, TARGET, &self.signed, REPEATED),
        }
    }

    /// Asks, and holds the answer's reason against the one that is right.
    fn ask(&self, number: u64, target: &str, headers: &[(String, String)], right: &str) -> Outcome<()> {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let response = self.engine.handle(&Request {
            method: "GET",
            target,
            headers: &headers,
            body: b"",
            correlation_id: None,
        });
        match response.reason() {
            Some(reason) if reason == right => Ok(()),
            other => {
                let status = response.status();
                Err(format!("request {number}: {status} {other:?} where {right} is right").into())
            }
        }
    }

    /// The signed request with another certificate.
    fn presenting(&self, certificate: String) -> Headers {
        let mut headers = self.signed.clone();
        let held = headers.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case(CERTIFICATE));
        if let Some((_, value)) = held {
            *value = certificate;
        }
        headers
    }

    /// The TPP's certificate with spaces in it: their places encode the bits of the number.
    fn respelt(&self, number: u64) -> String {
        let mut text = String::with_capacity(self.certificate.len() + 64);
        for (index, character) in self.certificate.chars().enumerate() {
            text.push(character);
            if index < 64 && number >> index & 1 == 1 {
                text.push(' ');
            }
        }
        text
    }
}

/// Writes an audit of the time before.
fn fill(records: &dyn Store, start: DateTime<Utc>) -> Outcome<()> {
    let line = |number: i64| AuditEvent {
        at: start - TimeDelta::seconds(LINES_BEFORE - number),
        kind: AuditKind::CallRefused,
        id: None,
        tpp: Some("PSDNO-FSA-000001".to_owned()),
        psu: None,
        context: None,
        corporate: None,
        cause: "getPaymentInitiationStatus".to_owned(),
        request_id: None,
        details: Some("x".repeat(200)),
    };
    for first in (0..LINES_BEFORE).step_by(usize::try_from(LINES_AT_ONCE)?) {
        let lines = (first..first + LINES_AT_ONCE).map(|number| Write::AppendAudit(line(number)));
        match records.commit(&lines.collect::<Vec<_>>())? {
            CommitOutcome::Applied => {}
            other => return Err(format!("the audit of before was not taken: {other:?}").into()),
        }
    }
    Ok(())
}

/// A question for the status of a payment that is not there, signed at that time.
fn sign(tpp: &TestTpp, now: DateTime<Utc>) -> Outcome<Headers> {
    let fields = [
        ("Date".to_owned(), format_http_date(now)),
        ("TPP-Redirect-URI".to_owned(), "https://tpp.example/callback?state=42".to_owned()),
    ];
    Ok(tpp.sign("GET", TARGET, &fields, b"")?)
}
