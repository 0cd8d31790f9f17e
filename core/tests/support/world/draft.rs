//! A request while a test makes it: header values are bytes, and signing is a step of its own, so that a
//! test can spoil any part before or after it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::{DateTime, Utc};
use serde_json::Value;
use xs2a::internal::{
    digest, format_http_date, names_to_sign, parse_certificate, signature_header, signing_string, Database,
    DigestAlgorithm, RsaPrivateKey,
};
use xs2a::trust::Certificate;
use xs2a::{Request, Response, Sandbox, ScaAnswer, TestTpp};

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, Vec<u8>)>,
    pub body: Vec<u8>,
}

impl Draft {
    pub fn new(method: &str, target: &str) -> Self {
        Self { method: method.to_owned(), target: target.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    /// The creation of a payment as a single SCA, not yet signed.
    pub fn creation(target: &str, body: &Value) -> Self {
        Self::raw_creation(target, body.to_string().into_bytes())
    }

    /// As [`Draft::creation`], with any bytes for a body.
    pub fn raw_creation(target: &str, body: impl Into<Vec<u8>>) -> Self {
        let draft = Self { body: body.into(), ..Self::new("POST", target) };
        super::creation_headers().into_iter().fold(draft, |draft, (name, value)| draft.with(name, value))
    }

    /// A reading call, not yet signed.
    pub fn get(target: &str) -> Self {
        Self::new("GET", target).with("TPP-Redirect-URI", super::REDIRECT_URI)
    }

    /// The header, in place of any of that name.
    pub fn with(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.without(name).plus(name, value)
    }

    /// The header, beside any of that name.
    pub fn plus(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(found, _)| !found.eq_ignore_ascii_case(name));
        self
    }

    pub fn header(&self, name: &str) -> Option<&[u8]> {
        let found = self.headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_slice())
    }

    /// Gives the request to the function that answers it.
    pub fn ask(&self, answer: impl FnOnce(&Request<'_>) -> Response) -> Response {
        let headers: Vec<(&str, &[u8])> =
            self.headers.iter().map(|(name, value)| (name.as_str(), value.as_slice())).collect();
        answer(&Request {
            method: &self.method,
            target: &self.target,
            headers: &headers,
            body: &self.body,
            correlation_id: None,
        })
    }

    pub fn send(&self, sandbox: &Sandbox) -> Response {
        self.ask(|request| sandbox.handle(request))
    }
}

/// A certificate with its key: signs as a TPP does.
#[derive(Clone)]
pub struct Signer {
    certificate: Arc<Certificate>,
    key: Arc<RsaPrivateKey>,
    header: String,
}

impl Signer {
    pub fn new(certificate: Arc<Certificate>, private_key_pem: &str) -> Self {
        let key = RsaPrivateKey::from_pkcs8(private_key_pem.as_bytes()).unwrap();
        let header = STANDARD.encode(certificate.der());
        Self { certificate, key: Arc::new(key), header }
    }

    pub fn of(tpp: &TestTpp) -> Self {
        let certificate = parse_certificate(tpp.certificate_pem().as_bytes()).unwrap();
        Self::new(Arc::new(certificate), tpp.private_key_pem())
    }

    /// The same, sending another value of `TPP-Signature-Certificate`.
    pub fn presenting(&self, header: impl Into<String>) -> Self {
        Self { header: header.into(), ..self.clone() }
    }

    pub fn certificate(&self) -> &Arc<Certificate> {
        &self.certificate
    }

    /// Adds what is absent of the headers that signing needs, and signs the mandatory ones.
    pub fn sign(&self, draft: Draft, now: DateTime<Utc>) -> Draft {
        let draft = self.prepare(draft, now);
        let names = names_to_sign(draft.headers.as_slice());
        self.sign_over(draft, &names)
    }

    /// As [`Signer::sign`], over the names given.
    pub fn sign_names(&self, draft: Draft, now: DateTime<Utc>, names: &[&str]) -> Draft {
        let draft = self.prepare(draft, now);
        self.sign_over(draft, names)
    }

    /// As [`Signer::sign`], but the text that is signed is changed before.
    pub fn sign_changed(
        &self,
        draft: Draft,
        now: DateTime<Utc>,
        change: impl FnOnce(Vec<u8>) -> Vec<u8>,
    ) -> Draft {
        let draft = self.prepare(draft, now);
        let names = names_to_sign(draft.headers.as_slice());
        let text = signing_string(&draft.method, &draft.target, draft.headers.as_slice(), &names).unwrap();
        let value = signature_header(&self.certificate, &self.key, &names, &change(text)).unwrap();
        draft.with("Signature", value)
    }

    /// Signs what is there over the names given, and adds no digest.
    pub fn sign_undigested(&self, draft: Draft, names: &[&str]) -> Draft {
        self.sign_over(draft, names)
    }

    fn prepare(&self, mut draft: Draft, now: DateTime<Utc>) -> Draft {
        let mut wanted = vec![
            ("Date", format_http_date(now)),
            ("X-Request-ID", request_id()),
            ("TPP-Signature-Certificate", self.header.clone()),
        ];
        if draft.method != "GET" {
            wanted.push(("Digest", digest(&draft.body, DigestAlgorithm::Sha256)));
        }
        for (name, value) in wanted {
            if draft.header(name).is_none() {
                draft = draft.plus(name, value);
            }
        }
        draft
    }

    fn sign_over(&self, draft: Draft, names: &[&str]) -> Draft {
        let signed = signing_string(&draft.method, &draft.target, draft.headers.as_slice(), names).unwrap();
        let value = signature_header(&self.certificate, &self.key, names, &signed).unwrap();
        draft.with("Signature", value)
    }
}

/// What a TPP knows of a PSU after an SCA.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acquainted {
    pub psu_id: String,
    pub corporate_id: Option<String>,
}

/// Makes a PSU known to the TPP: a small payment from an account of theirs, approved.
pub fn acquaint(sandbox: &Sandbox, signer: &Signer, answer: &ScaAnswer, account: &str) -> Acquainted {
    let mut payment = super::straks();
    payment["debtorAccount"]["bban"] = account.into();
    payment["instructedAmount"]["amount"] = "1.00".into();
    payment["remittanceInformationUnstructured"] = format!("From {account}").into();
    let creation = Draft::creation(super::STRAKS, &payment).with("PSU-Context", answer.context.as_str());
    let created = signer.sign(creation, sandbox.now()).send(sandbox);
    let created = super::body(&created);
    let link = super::text(&created, "/_links/scaRedirect/href");
    let url = sandbox.authorise(link, answer).unwrap();
    let parameter = |name: &str| {
        let query = url.split_once('?').map_or("", |(_, query)| query);
        let found =
            query.split('&').filter_map(|pair| pair.split_once('=')).find(|(found, _)| *found == name);
        found.map(|(_, value)| value.to_owned())
    };
    Acquainted {
        psu_id: parameter("psu-id").unwrap_or_else(|| panic!("{url}")),
        corporate_id: parameter("psu-corporate-id"),
    }
}

/// A request id that no other call of this process has.
pub fn request_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    uuid::Uuid::from_u128(NEXT.fetch_add(1, Ordering::Relaxed).into()).to_string()
}

/// The database of a sandbox, byte for byte: what no refused request may change.
pub fn database(sandbox: &Sandbox) -> Vec<u8> {
    const HASH_BYTES: usize = 32;
    const SQLITE: &[u8] = b"SQLite format 3\0";
    let image = sandbox.snapshot().unwrap();
    let start = image.windows(SQLITE.len()).position(|window| window == SQLITE).unwrap();
    image[start..image.len() - HASH_BYTES].to_vec()
}

/// What a database holds beside the request ids of the calls, as text: a refused call uses its id up.
pub fn without_request_ids(image: &[u8]) -> String {
    let database = Database::from_image(image).unwrap();
    let mut sections = database.sections().unwrap();
    sections.retain(|(name, _)| *name != "usedRequestIds");
    format!("{sections:?}")
}
