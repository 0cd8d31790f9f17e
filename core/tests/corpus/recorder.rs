//! Sends requests to one sandbox and writes down each of them with its answer.

use std::io::Read;

use serde_json::Value;
use xs2a::{Response, Sandbox, SandboxOptions, ScaAnswer, TestTpp};

use crate::dice::Dice;
use crate::normal::Normal;
use crate::world::at;
use crate::world::draft::{Draft, Signer};

/// Request headers that are the same in kind for every request, so that they are not written down.
const UNWRITTEN: [&str; 5] = ["date", "x-request-id", "digest", "tpp-signature-certificate", "signature"];
/// How much of a request's header value and body is written down.
const VALUE_CHARS_MAX: usize = 120;
const BODY_CHARS_MAX: usize = 4_000;
/// The outcome of a call of the host that was refused.
const REFUSED: &str = "refused";

/// A sandbox with its TPPs, and what was recorded of it so far.
pub(crate) struct Recorder {
    pub(crate) sandbox: Sandbox,
    pub(crate) tpps: Vec<TestTpp>,
    pub(crate) dice: Dice,
    pub(crate) base_path: String,
    signers: Vec<Signer>,
    normal: Normal,
    blocks: Vec<String>,
}

/// What the generator needs of an answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) text: String,
    json: Value,
}

impl Answer {
    /// The text at a JSON pointer; empty if there is none.
    pub(crate) fn at(&self, pointer: &str) -> &str {
        self.json.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn json(&self) -> &Value {
        &self.json
    }

    /// The path of a link.
    pub(crate) fn link(&self, name: &str) -> String {
        path_of(self.at(&format!("/_links/{name}/href"))).to_owned()
    }

    pub(crate) fn sca_link(&self) -> Option<String> {
        Some(self.at("/_links/scaRedirect/href").to_owned()).filter(|link| !link.is_empty())
    }
}

/// A URL without scheme and host.
pub(crate) fn path_of(link: &str) -> &str {
    let path = link.split_once("://").map_or(link, |(_, rest)| rest);
    path.find('/').map_or(path, |start| &path[start..])
}

impl Recorder {
    /// A new sandbox at 2026-09-01T10:00:00Z with a TPP of both roles, one of each role and one without a role.
    pub(crate) fn new(seed: u64, policy: &str) -> Self {
        let policy = Some(policy.to_owned());
        Self::with(seed, SandboxOptions { seed, policy, ..SandboxOptions::default() })
    }

    /// The seed chooses the requests, that of the options the ids.
    pub(crate) fn with(seed: u64, options: SandboxOptions) -> Self {
        let now = Some(options.now.unwrap_or_else(|| at("2026-09-01T10:00:00Z")));
        let base_path = options.base_path.clone();
        let sandbox = Sandbox::open(&SandboxOptions { now, ..options }).unwrap();
        let register = |(name, roles): (&str, &[&str])| sandbox.register_tpp(name, roles).unwrap();
        let tpps: Vec<_> = [
            ("Acme Pay", &["AISP", "PISP"][..]),
            ("Reader", &["AISP"]),
            ("Payer", &["PISP"]),
            ("Watcher", &[]),
        ]
        .into_iter()
        .map(register)
        .collect();
        let signers = tpps.iter().map(Signer::of).collect();
        let dice = Dice::new(seed);
        Self { sandbox, tpps, dice, base_path, signers, normal: Normal::default(), blocks: Vec::new() }
    }

    /// Everything recorded so far, one block for each call.
    pub(crate) fn into_blocks(self) -> Vec<String> {
        self.blocks
    }

    /// Signs as the TPP with both roles, sends and records.
    pub(crate) fn send(&mut self, label: &str, draft: Draft) -> Answer {
        self.send_by(0, label, draft)
    }

    pub(crate) fn send_by(&mut self, tpp: usize, label: &str, draft: Draft) -> Answer {
        let signed = self.sign_by(tpp, draft);
        self.send_as_is(label, &signed)
    }

    pub(crate) fn sign(&mut self, draft: Draft) -> Draft {
        self.sign_by(0, draft)
    }

    pub(crate) fn sign_by(&mut self, tpp: usize, mut draft: Draft) -> Draft {
        if !self.base_path.is_empty() && draft.target.starts_with("/v1/") {
            draft.target = format!("{}{}", self.base_path, draft.target);
        }
        let draft = match draft.header("X-Request-ID") {
            Some(_) => draft,
            None => draft.with("X-Request-ID", self.dice.uuid()),
        };
        self.signers[tpp].sign(draft, self.sandbox.now())
    }

    /// Sends a request that is signed already, or that needs no signature.
    pub(crate) fn send_as_is(&mut self, label: &str, draft: &Draft) -> Answer {
        if let Some(id) = draft.header("X-Request-ID") {
            self.normal.set(&String::from_utf8_lossy(id), "<request>");
        }
        let response = draft.send(&self.sandbox);
        self.record(label, &written_request(draft), &response)
    }

    /// Records an answer to a request that was made elsewhere.
    pub(crate) fn record(&mut self, label: &str, request: &str, response: &Response) -> Answer {
        let text = plain_text(response);
        let mut block = format!("=== {label}\n{request}< {}", response.status());
        if let Some(reason) = response.reason() {
            block.push_str(&format!(" {reason}"));
        }
        let is_compressed = response.header("Content-Encoding").is_some();
        for (name, value) in response.headers() {
            let depends = match name.to_ascii_lowercase().as_str() {
                "digest" | "aspsp-signature-certificate" => true,
                // The length of a compressed body depends on the ids in it.
                "content-length" => is_compressed,
                _ => false,
            };
            block.push_str(&format!("\n< {name}: {}", if depends { "<value>" } else { value }));
        }
        block.push_str(&format!("\n{}", lines_of(&text)));
        self.push(&block);
        Answer { status: response.status(), json: serde_json::from_str(&text).unwrap_or(Value::Null), text }
    }

    /// Records the outcome of a call that the host makes.
    pub(crate) fn note(&mut self, label: &str, outcome: &str) {
        self.push(&format!("--- {label}\n{outcome}"));
    }

    /// The PSU answers a link without a browser. The call-back's URL.
    pub(crate) fn authorise(&mut self, label: &str, link: &str, answer: &ScaAnswer) -> Option<String> {
        let ended = self.sandbox.authorise(link, answer);
        self.note(&format!("authorise {label}"), ended.as_deref().unwrap_or(REFUSED));
        ended.ok()
    }

    /// Records whether a call of the host succeeded. Texts of the host's errors are not part of the corpus.
    pub(crate) fn note_ended(&mut self, label: &str, ended: &xs2a::Result<()>) {
        self.note(label, if ended.is_ok() { "done" } else { REFUSED });
    }

    /// Moves the clock forward by minutes.
    pub(crate) fn advance(&mut self, minutes: i64) {
        self.sandbox.advance(chrono::TimeDelta::minutes(minutes)).unwrap();
        let now = self.sandbox.now().to_string();
        self.note(&format!("advance {minutes} minutes"), &now);
    }

    fn push(&mut self, block: &str) {
        let block = self.normal.text(block);
        self.blocks.push(block);
    }
}

fn written_request(draft: &Draft) -> String {
    let shortened = |bytes: &[u8], most: usize| {
        let text = String::from_utf8_lossy(bytes);
        match text.chars().count() {
            count if count > most => {
                format!("{}… ({count} characters)", text.chars().take(most).collect::<String>())
            }
            _ => text.into_owned(),
        }
    };
    let target = shortened(draft.target.as_bytes(), 400);
    let mut written = format!("> {} {target}\n", draft.method);
    for (name, value) in &draft.headers {
        if !UNWRITTEN.contains(&name.to_ascii_lowercase().as_str()) {
            let value = shortened(value, VALUE_CHARS_MAX).escape_debug().to_string();
            written.push_str(&format!("> {name}: {value}\n"));
        }
    }
    if !draft.body.is_empty() {
        let body = shortened(&draft.body, BODY_CHARS_MAX).replace("\r\n", "\n").replace('\n', "\n>> ");
        written.push_str(&format!(">> {body}\n"));
    }
    written
}

fn plain_text(response: &Response) -> String {
    let mut plain = Vec::new();
    match response.header("Content-Encoding") {
        Some("gzip") => {
            flate2::read::GzDecoder::new(response.body()).read_to_end(&mut plain).unwrap();
        }
        _ => plain.extend_from_slice(response.body()),
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// A page without the text of its style sheet, which is the same in every page and whose hash is in a header.
fn without_style(page: &str) -> String {
    match (page.find("<style>"), page.find("</style>")) {
        (Some(start), Some(end)) => format!("{}<style>{}", &page[..start], &page[end..]),
        _ => page.to_owned(),
    }
}

/// The text with a line break after each comma of JSON and before each tag of HTML, for readable differences.
fn lines_of(text: &str) -> String {
    if text.starts_with("<!DOCTYPE") {
        return without_style(text).replace("><", ">\n<");
    }
    let (mut lines, mut in_string, mut is_escaped) = (String::with_capacity(text.len()), false, false);
    for character in text.chars() {
        lines.push(character);
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string = !in_string,
            ',' if !in_string => lines.push('\n'),
            _ => {}
        }
    }
    lines
}
