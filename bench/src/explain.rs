//! Explained refusals: how long a search takes, and that a call that is not refused pays nothing for it.

use base64::prelude::{Engine as _, BASE64_STANDARD};
use chrono::{DateTime, Utc};
use serde_json::Value;
use xs2a::{explain, ExplainOptions, Request};

use crate::interface::{Call, RustInterface};
use crate::products::Product;
use crate::report::Figure;
use crate::rounds::{median, timed};
use crate::rows::{against_fixed, micros, repository, FAST};
use crate::Outcome;

/// What an explanation may take, in the middle and at most, in milliseconds.
const MEDIAN_MS_AIM: f64 = 1.0;
const WORST_MS_AIM: f64 = 50.0;
/// What a payment may cost in a sandbox that explains refusals, where one in another sandbox costs 1.
const UNREFUSED_AIM: f64 = 1.02;
/// Each request is explained so often, and the middle of its times counts.
const TIMES: usize = 5;
const LARGE: usize = 1 << 20;

/// Measures the rows.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    let requests = corpus()?;
    let times = requests.iter().map(Refused::millis).collect::<Outcome<Vec<f64>>>()?;
    let large = large_bodies(&requests)?;
    let large = large.iter().map(Refused::millis).collect::<Outcome<Vec<f64>>>()?;
    let worst = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
    Ok(vec![
        against_fixed(
            "explain a request of the corpus of real mistakes, the middle one",
            median(times.clone()),
            MEDIAN_MS_AIM,
            "ms",
        ),
        against_fixed("the same, the slowest one", worst(&times), WORST_MS_AIM, "ms"),
        against_fixed(
            "explain a wrong Digest of a body of 1 MiB, the slowest of several",
            worst(&large),
            WORST_MS_AIM,
            "ms",
        ),
        unrefused()?,
    ])
}

/// A payment that is not refused, with the policy and without.
fn unrefused() -> Outcome<Figure> {
    let creation = Call::CreatePayment(Product::Straks);
    let mut plain = RustInterface::open(creation, None)?;
    let mut explaining = RustInterface::with_policy(creation, r#"{"explain_to_tpp":true}"#)?;
    let medians = FAST.measure(&mut [&mut plain, &mut explaining])?;
    Ok(Figure {
        name: "create an instant payment in a sandbox that explains refusals",
        measured: micros(medians.seconds_of(1)),
        against: format!("one in a sandbox that does not: {}", micros(medians.seconds_of(0))),
        ratio: medians.ratio(1, 0),
        aim: Some(UNREFUSED_AIM),
    })
}

/// A request, and what an explanation may use beside it.
#[derive(Clone)]
struct Refused {
    now: DateTime<Utc>,
    certificates: String,
    base_paths: Vec<String>,
    policy: Option<String>,
    call: Sent,
    earlier: Vec<Sent>,
}

#[derive(Clone)]
struct Sent {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Refused {
    fn read(case: &Value) -> Option<Self> {
        let texts = |member: &str| -> Option<Vec<String>> {
            case.get(member)?.as_array()?.iter().map(|text| Some(text.as_str()?.to_owned())).collect()
        };
        Some(Self {
            now: case.get("now")?.as_str()?.parse().ok()?,
            certificates: texts("certificates")?.join("\n"),
            base_paths: texts("base_paths")?,
            policy: case.get("policy").filter(|policy| policy.is_object()).map(ToString::to_string),
            call: Sent::read(case)?,
            earlier: case.get("earlier")?.as_array()?.iter().map(Sent::read).collect::<Option<_>>()?,
        })
    }

    fn millis(&self) -> Outcome<f64> {
        let earlier: Vec<_> = self.earlier.iter().map(|call| (call, call.fields())).collect();
        let mut options = ExplainOptions {
            now: Some(self.now),
            base_paths: self.base_paths.clone(),
            earlier: earlier.iter().map(|(call, fields)| call.request(fields)).collect(),
            ..ExplainOptions::default()
        };
        if !self.certificates.is_empty() {
            options.add_certificates(&self.certificates)?;
        }
        if let Some(policy) = &self.policy {
            options.set_policy(policy)?;
        }
        let fields = self.call.fields();
        let request = self.call.request(&fields);
        let times = (0..TIMES).map(|_| timed(|| explain(&request, &options)).0.as_secs_f64() * 1e3);
        Ok(median(times.collect()))
    }
}

impl Sent {
    fn read(value: &Value) -> Option<Self> {
        let text = |value: &Value| Some(value.as_str()?.to_owned());
        let pair = |pair: &Value| Some((text(pair.get(0)?)?, text(pair.get(1)?)?));
        Some(Self {
            method: text(value.get("method")?)?,
            target: text(value.get("target")?)?,
            headers: value.get("headers")?.as_array()?.iter().map(pair).collect::<Option<_>>()?,
            body: BASE64_STANDARD.decode(value.get("body")?.as_str()?).ok()?,
        })
    }

    fn fields(&self) -> Vec<(&str, &[u8])> {
        self.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect()
    }

    fn request<'a>(&'a self, headers: &'a [(&'a str, &'a [u8])]) -> Request<'a> {
        Request {
            method: &self.method,
            target: &self.target,
            headers,
            body: &self.body,
            correlation_id: None,
        }
    }
}

/// The refused requests of the corpus of mistakes.
fn corpus() -> Outcome<Vec<Refused>> {
    let text = std::fs::read(repository().join("tests/vectors/mistakes/requests.json"))?;
    let cases: Vec<Value> = serde_json::from_slice(&text)?;
    let refused = cases.iter().map(Refused::read);
    refused.collect::<Option<_>>().ok_or_else(|| "a request of the corpus cannot be read".into())
}

/// Bodies of 1 MiB whose Digest is of none of their forms: the whole search, until the budget is spent.
fn large_bodies(corpus: &[Refused]) -> Outcome<Vec<Refused>> {
    let with_digest =
        |refused: &&Refused| refused.call.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("digest"));
    let first = corpus.iter().find(with_digest).ok_or("no request of the corpus has a Digest")?;
    let filled = |begin: &str, part: &str, end: &str| {
        let parts = (LARGE - begin.len() - end.len()) / part.len();
        format!("{begin}{}{end}", part.repeat(parts)).into_bytes()
    };
    let bodies = [
        filled("", "[", ""),
        filled("", "x", ""),
        filled("", "\n", ""),
        filled("", "å", ""),
        filled("[1", ",1", "]"),
        filled(r#"{"a":1"#, r#","b":"c""#, "}"),
    ];
    let with_body = |body: Vec<u8>| {
        let mut refused = first.clone();
        refused.call.body = body;
        refused
    };
    Ok(bodies.into_iter().map(with_body).collect())
}
