//! A sandbox that is called step by step, and what must hold after each call.

mod call;
mod change;
mod rules;
mod state;
mod step;

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::Value;
use xs2a::internal::Database;
use xs2a::{Request, Response, Sandbox, SandboxOptions, TestTpp};

pub use step::Step;

/// What may be paid from, and to.
pub(crate) const ACCOUNTS: [&str; 3] = ["95360573002", "95360573010", "95360573037"];
/// The owners of the first and of the last of them.
pub(crate) const PERSONS: [&str; 2] = ["13039319955", "12085592767"];

/// A sandbox at 2026-09-01T10:00:00Z with one TPP, and what the TPP learnt.
pub struct Walk {
    /// The bank.
    pub sandbox: Sandbox,
    tpp: TestTpp,
    /// The state at the beginning.
    image: Vec<u8>,
    /// Paths of resources, from the links of answers.
    resources: Vec<String>,
    /// Links at which a PSU answers.
    redirects: Vec<String>,
    psu_id: Option<String>,
    /// The last request, to be sent again.
    last: Option<call::Call>,
    /// Payments that were created: id and body.
    payments: Vec<(String, serde_json::Value)>,
}

/// The sections of a sandbox's database, as JSON.
#[derive(Debug, PartialEq, Eq)]
pub struct State(BTreeMap<&'static str, String>);

impl State {
    /// Whether it is the state before with one authorisation more, and with nothing else changed.
    pub(crate) fn adds_one_authorisation(mut self, mut before: Self) -> bool {
        const SECTION: &str = "authorisations";
        let rows = |state: &mut Self| -> Vec<Value> {
            let section = state.0.remove(SECTION).expect("a section of every state");
            serde_json::from_str(&section).expect("JSON")
        };
        let (own, others) = (rows(&mut self), rows(&mut before));
        own.len() == others.len() + 1 && others.iter().all(|row| own.contains(row)) && self == before
    }
}

thread_local! {
    // Opening one takes longer than most inputs.
    static WALK: RefCell<Walk> = RefCell::new(Walk::open());
}

impl Walk {
    fn open() -> Self {
        let now = "2026-09-01T10:00:00Z".parse().ok();
        let sandbox = Sandbox::open(&SandboxOptions { now, seed: 1, ..SandboxOptions::default() });
        let sandbox = sandbox.expect("a sandbox");
        let tpp = sandbox.register_tpp("Acme Pay", &["AISP", "PISP"]).expect("a TPP");
        let image = sandbox.snapshot().expect("a snapshot");
        Self {
            sandbox,
            tpp,
            image,
            resources: Vec::new(),
            redirects: Vec::new(),
            psu_id: None,
            last: None,
            payments: Vec::new(),
        }
    }

    /// Runs with the sandbox of this thread.
    pub fn with(run: impl FnOnce(&mut Self)) {
        WALK.with_borrow_mut(run);
    }

    /// Puts everything back to the beginning.
    pub fn restore(&mut self) {
        self.sandbox.restore(&self.image).expect("the state at the beginning");
        self.sandbox.clear_journal();
        self.resources = START.iter().map(|path| (*path).to_owned()).collect();
        self.redirects.clear();
        self.payments.clear();
        (self.psu_id, self.last) = (None, None);
    }

    /// What a refused request may not change: every section but the notes of calls. Those are the audit, the ids of
    /// requests in use, and the statistics.
    pub fn state(&self) -> State {
        const HASH_BYTES: usize = 32;
        const SQLITE: &[u8] = b"SQLite format 3\0";
        const NOTES: [&str; 3] = ["audit", "usedRequestIds", "callCounts"];
        let image = self.sandbox.snapshot().expect("a snapshot");
        let start = image.windows(SQLITE.len()).position(|window| window == SQLITE).expect("a database");
        let database = Database::from_image(&image[start..image.len() - HASH_BYTES]).expect("a database");
        let sections = database.sections().expect("its sections");
        State(sections.into_iter().filter(|(name, _)| !NOTES.contains(name)).collect())
    }

    /// Walks from the beginning to the end of the steps.
    pub fn run(&mut self, steps: &[Step]) {
        self.restore();
        for step in steps {
            self.step(step);
        }
        self.settle();
    }

    /// Reads the list of accounts: after anything, the answer is one of the contract.
    pub fn read_accounts(&self) {
        let headers = step::reading_headers(None);
        let signed = self.tpp.sign("GET", "/v1/accounts", &headers, b"");
        // An imported state may not have the TPP's key any more; it signs all the same.
        let response = self.send("GET", "/v1/accounts", &bytes(&signed.expect("a signature")), b"");
        assert!(response.status() < 500, "{}: {:?}", response.status(), response.reason());
    }

    fn send(&self, method: &str, target: &str, headers: &[(String, Vec<u8>)], body: &[u8]) -> Response {
        let headers: Vec<(&str, &[u8])> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_slice())).collect();
        self.sandbox.handle(&Request { method, target, headers: &headers, body, correlation_id: None })
    }
}

/// Paths that exist from the beginning.
const START: [&str; 6] = [
    "/v1/accounts",
    "/v1/card-accounts",
    "/v1/bank-offered-consents",
    "/v1/signing-baskets",
    "/v1/payments/norwegian-domestic-credit-transfers",
    "/v1/consents",
];

fn bytes(headers: &[(String, String)]) -> Vec<(String, Vec<u8>)> {
    headers.iter().map(|(name, value)| (name.clone(), value.clone().into_bytes())).collect()
}
