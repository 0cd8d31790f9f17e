//! One body, judged twice.

use chrono::{DateTime, Utc};
use serde_json::Value;
use xs2a::reason::{Case, Language, Reason};
use xs2a::tools::validate_payment;
use xs2a::{Sandbox, SandboxOptions};

use crate::world::answer::{assert_well_formed, messages, Message};
use crate::world::draft::{database, Draft, Signer};
use crate::world::{cross_border, products, straks, World, CROSS_BORDER, STRAKS};

/// A product with a body that it takes without a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Product {
    Domestic,
    Instant,
    Straks,
    Sepa,
    CrossBorder,
    NorwegianCrossBorder,
    Periodic,
    /// Its bodies are written as those of the other products; see [`Product::wire_body`].
    Bulk,
}

/// The members that a bulk has once; the others are members of each of its payments.
const OF_THE_BULK: [&str; 3] = ["debtorAccount", "requestedExecutionDate", "paymentInformationId"];

impl Product {
    pub(crate) const ALL: [Self; 8] = [
        Self::Domestic,
        Self::Instant,
        Self::Straks,
        Self::Sepa,
        Self::CrossBorder,
        Self::NorwegianCrossBorder,
        Self::Periodic,
        Self::Bulk,
    ];

    pub(crate) fn target(self) -> &'static str {
        match self {
            Self::Domestic => products::DOMESTIC,
            Self::Instant => products::INSTANT,
            Self::Straks => STRAKS,
            Self::Sepa => products::SEPA,
            Self::CrossBorder => products::PLAIN_CROSS_BORDER,
            Self::NorwegianCrossBorder => CROSS_BORDER,
            Self::Periodic => products::PERIODIC,
            Self::Bulk => products::BULK,
        }
    }

    pub(crate) fn body(self) -> Value {
        match self {
            Self::Domestic | Self::Instant | Self::Straks | Self::Bulk => straks(),
            Self::Sepa => products::sepa(),
            Self::CrossBorder | Self::NorwegianCrossBorder => cross_border(),
            Self::Periodic => products::periodic(),
        }
    }

    pub(crate) fn is_domestic(self) -> bool {
        !matches!(self, Self::Sepa | Self::CrossBorder | Self::NorwegianCrossBorder)
    }

    /// The Norwegian domestic ones.
    pub(crate) fn at_home() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|product| product.is_domestic())
    }

    /// The body as it is sent: for a bulk, a sound payment and then the one that is given.
    fn wire_body(self, body: &Value) -> Value {
        let (Self::Bulk, Value::Object(members)) = (self, body) else { return body.clone() };
        let (of_the_bulk, of_the_entry): (serde_json::Map<_, _>, serde_json::Map<_, _>) =
            members.clone().into_iter().partition(|(name, _)| OF_THE_BULK.contains(&name.as_str()));
        let mut sound = straks();
        remove(&mut sound, "/debtorAccount");
        let mut bulk = Value::Object(of_the_bulk);
        bulk["payments"] = Value::Array(vec![sound, Value::Object(of_the_entry)]);
        bulk
    }

    /// Where a place of the body is in the body as it is sent.
    fn wire_pointer(self, pointer: &str) -> String {
        match pointer.strip_prefix('/') {
            Some(below) if self == Self::Bulk && !OF_THE_BULK.iter().any(|name| below.starts_with(name)) => {
                format!("/payments/1{pointer}")
            }
            _ => pointer.to_owned(),
        }
    }
}

/// A finding as the tests write it: the row's id and the pointer, `~` before the id of a warning.
pub(crate) type Found = (String, String);

pub(crate) fn error(id: &str, pointer: &str) -> Found {
    (id.to_owned(), pointer.to_owned())
}

pub(crate) fn warning(id: &str, pointer: &str) -> Found {
    (format!("~{id}"), pointer.to_owned())
}

/// A sandbox at a time, and the pure function at the same.
pub(crate) struct Bench {
    sandbox: Sandbox,
    signer: Signer,
    accept_fix: &'static str,
    is_default_policy: bool,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::of(World::new(), true)
    }

    pub(crate) fn at(now: &str) -> Self {
        let now: DateTime<Utc> = now.parse().unwrap();
        Self::of(World::with(SandboxOptions { now: Some(now), ..SandboxOptions::default() }), true)
    }

    /// Under another policy the pure function, which has none, is not asked.
    pub(crate) fn under(policy: &str) -> Self {
        Self::of(World::with_policy(policy), false)
    }

    fn of(world: World, is_default_policy: bool) -> Self {
        let World { sandbox, tpp } = world;
        Self { sandbox, signer: Signer::of(&tpp), accept_fix: "", is_default_policy }
    }

    pub(crate) fn with_accept_fix(self, accept_fix: &'static str) -> Self {
        Self { accept_fix, ..self }
    }

    /// Judges a body and gives what was found, in the order of the answer.
    pub(crate) fn judge(&self, product: Product, body: &Value) -> Vec<Found> {
        self.judge_sent(product, &product.wire_body(body))
    }

    /// Judges a body as it is sent.
    pub(crate) fn judge_sent(&self, product: Product, body: &Value) -> Vec<Found> {
        let before = database(&self.sandbox);
        let draft = Draft::creation(&format!("{}?allowLogicalDuplicate=true", product.target()), body)
            .with("x-accept-fix", self.accept_fix);
        let response = self.signer.sign(draft, self.sandbox.now()).send(&self.sandbox);
        assert_well_formed(&response);
        let answered: Vec<Found> = messages(&response).iter().map(found).collect();
        let first_error = answered.iter().find(|(id, _)| !id.starts_with('~'));
        assert_eq!(response.reason(), first_error.map(|(id, _)| id.as_str()), "{body}");
        assert_eq!(response.status(), if first_error.is_some() { 400 } else { 201 }, "{body}");
        assert_eq!(database(&self.sandbox) == before, first_error.is_some(), "stored or not: {body}");
        if self.is_default_policy {
            let judged = purely(product, body, Some(self.sandbox.now()), "sandbox", self.accept_fix);
            // What only the bank knows is not among its own findings.
            let own: Vec<_> =
                answered.iter().filter(|(id, _)| !["KID-01", "KID-03"].contains(&id.as_str())).collect();
            assert_eq!(own, judged.iter().collect::<Vec<_>>(), "{body}");
        }
        answered
    }

    pub(crate) fn assert(&self, product: Product, body: &Value, expected: &[Found]) {
        let mut found = self.judge(product, body);
        let lift = |(id, pointer): &Found| (id.clone(), product.wire_pointer(pointer));
        let mut expected: Vec<Found> = expected.iter().map(lift).collect();
        if product == Product::Bulk {
            // What a bulk has once is read before its payments.
            found.sort();
            expected.sort();
        }
        assert_eq!(found, expected, "{product:?} {body}");
    }
}

pub(crate) fn judge_purely(
    product: Product,
    body: &Value,
    at: Option<DateTime<Utc>>,
    environment: &str,
    accept_fix: &str,
) -> Vec<Found> {
    purely(product, &product.wire_body(body), at, environment, accept_fix)
}

fn purely(
    product: Product,
    body: &Value,
    at: Option<DateTime<Utc>>,
    environment: &str,
    accept_fix: &str,
) -> Vec<Found> {
    let mut segments = product.target().rsplit('/');
    let (name, service) = (segments.next().unwrap(), segments.next().unwrap());
    let fixes: Vec<&str> = accept_fix.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let text = body.to_string();
    let messages = validate_payment(service, name, text.as_bytes(), at, environment, &fixes).unwrap();
    let read = |message: &xs2a::tools::TppMessage| Message {
        category: message.category.to_owned(),
        code: message.code.to_owned(),
        path: message.path.clone().unwrap_or_default(),
        text: message.text.clone(),
    };
    messages.iter().map(|message| found(&read(message))).collect()
}

/// The row of a message, by its text, be it the row's own or that of a case: a message has no id.
fn found(message: &Message) -> Found {
    let fits = |reason: Reason, template: &str| {
        reason.code().as_str() == message.code && fits(template, &message.text)
    };
    let own = Reason::ALL.iter().filter(|reason| fits(**reason, reason.template(Language::English)));
    let mut rows: Vec<_> = own.map(|reason| reason.id()).collect();
    if rows.is_empty() {
        let cases = Case::ALL.iter().filter(|case| fits(case.reason(), case.template(Language::English)));
        rows.extend(cases.map(|case| case.reason().id()));
    }
    assert_eq!(rows.len(), 1, "{message:?} is of {rows:?}");
    let mark = if message.category == "WARNING" { "~" } else { "" };
    (format!("{mark}{}", rows[0]), message.path.clone())
}

/// Whether a text is the template with something in its places.
fn fits(template: &str, text: &str) -> bool {
    let mut rest = text;
    for (index, part) in template.split(['{', '}']).step_by(2).enumerate() {
        match rest.find(part) {
            Some(0) => rest = &rest[part.len()..],
            Some(at) if index > 0 && !part.is_empty() => rest = &rest[at + part.len()..],
            Some(_) | None => return false,
        }
        if index > 0 && part.is_empty() {
            rest = "";
        }
    }
    rest.is_empty()
}

/// Takes the member at the pointer away.
pub(crate) fn remove(body: &mut Value, pointer: &str) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    body.pointer_mut(parent).and_then(Value::as_object_mut).and_then(|members| members.remove(name));
}

/// Puts a value at the pointer, whose parent must be there.
pub(crate) fn set(body: &mut Value, pointer: &str, value: impl Into<Value>) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = body.pointer_mut(parent).unwrap_or_else(|| panic!("no parent of {pointer}"));
    match parent {
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = value.into(),
        _ => parent[name] = value.into(),
    }
}

/// The body of a product with changes.
pub(crate) fn changed(product: Product, changes: &[(&str, Value)]) -> Value {
    let mut body = product.body();
    for (pointer, value) in changes {
        set(&mut body, pointer, value.clone());
    }
    body
}
