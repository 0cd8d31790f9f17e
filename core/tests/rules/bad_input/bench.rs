//! A sandbox that judges what must be true of every answer.

use xs2a::{Response, Sandbox};

use crate::world::answer::{assert_well_formed, messages, Message};
use crate::world::draft::{database, Draft, Signer};
use crate::world::{straks, World, PAYER, STRAKS};

pub(crate) const MIB: usize = 1 << 20;
pub(crate) const KIB: usize = 1 << 10;
/// Every answer is about the body, so the same payment may be made again and again.
pub(crate) const AGAIN: &str = "?allowLogicalDuplicate=true";

pub(crate) struct Bench {
    pub(crate) sandbox: Sandbox,
    pub(crate) signer: Signer,
    pub(crate) private_key: String,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let World { sandbox, tpp } = World::new();
        Self { sandbox, signer: Signer::of(&tpp), private_key: tpp.private_key_pem().to_owned() }
    }

    pub(crate) fn sign(&self, draft: Draft) -> Draft {
        self.signer.sign(draft, self.sandbox.now())
    }

    /// Sends a signed request and judges what any answer must be.
    pub(crate) fn judge(&self, signed: &Draft) -> Response {
        let before = database(&self.sandbox);
        let response = signed.send(&self.sandbox);
        assert_well_formed(&response);
        assert!(response.status() < 500, "{signed:?}: {:?}", response.reason());
        let shown = String::from_utf8_lossy(response.body());
        assert!(
            !shown.contains(&self.private_key) && !shown.contains("PRIVATE KEY-----\n"),
            "a key: {shown}"
        );
        if response.status() >= 400 {
            assert!(database(&self.sandbox) == before, "{:?} changed the database", response.reason());
            assert!(!shown.contains(PAYER), "an identity number: {shown}");
        }
        response
    }

    pub(crate) fn ask(&self, draft: Draft) -> Response {
        self.judge(&self.sign(draft))
    }

    pub(crate) fn body(&self, body: impl Into<Vec<u8>>) -> Response {
        self.ask(Draft::raw_creation(&format!("{STRAKS}{AGAIN}"), body))
    }

    pub(crate) fn assert_body(&self, body: impl Into<Vec<u8>>, expected: Option<&str>) -> Vec<Message> {
        let body = body.into();
        let response = self.body(body.clone());
        let shown = String::from_utf8_lossy(&body).chars().take(200).collect::<String>();
        assert_eq!(response.reason(), expected, "{shown}");
        assert_eq!(response.status(), if expected.is_some() { 400 } else { 201 }, "{shown}");
        messages(&response)
    }

    pub(crate) fn assert_sound(&self) {
        assert_eq!(self.ask(creation()).status(), 201, "the bench itself");
    }
}

pub(crate) fn creation() -> Draft {
    Draft::creation(&format!("{STRAKS}{AGAIN}"), &straks())
}

/// Every header that a creation may have.
pub(crate) fn decked() -> Draft {
    let forwarded = [
        ("TPP-Redirect-Preferred", "true"),
        ("TPP-Brand-Logging-Information", "Acme"),
        ("X-PSU-IDENTITY", PAYER),
        ("PSU-IP-Port", "443"),
        ("PSU-User-Agent", "Mozilla/5.0"),
        ("PSU-Accept", "text/html"),
        ("PSU-Accept-Charset", "utf-8"),
        ("PSU-Accept-Encoding", "gzip"),
        ("PSU-Accept-Language", "nb"),
        ("PSU-Device-ID", "67e55044-10b1-426f-9247-bb680e5fe0c8"),
        ("PSU-Geo-Location", "GEO:59.9139,10.7522"),
        ("PSU-HTTP-Method", "POST"),
        ("Accept", "application/json"),
        ("Accept-Charset", "utf-8"),
        ("Accept-Encoding", "gzip"),
        ("Accept-Language", "en"),
        ("Host", "api.bank.example"),
    ];
    forwarded.into_iter().fold(creation(), |draft, (name, value)| draft.with(name, value))
}
