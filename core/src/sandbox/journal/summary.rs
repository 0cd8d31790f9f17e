//! The journal in a few lines, for a terminal.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use super::entry::{AuthoriseStep, JournalEntry, Step};
use super::message_body::unpacked;
use super::named_mistake::{Mistakes, NamedMistake};
use super::packed_call::RecordedCall;
use super::redact::Redaction;
use super::side_effect::SideEffect;
use super::signed_over::signed_over;
use crate::reason::Reason;
use crate::sandbox::population::PopulationPlan;
use crate::types::instant::rfc3339;
use crate::wire::json;

/// How much of the body of a refusal is shown.
const BODY_CHARS_MAX: usize = 1000;

/// Some lines for each entry: what was asked and what came of it, what happened during it, and the body of a refusal
/// with the mistake behind it, or the links of another answer.
pub(crate) fn summary<'e>(
    entries: impl Iterator<Item = &'e JournalEntry>,
    mistakes: &Mistakes,
    redact: bool,
) -> String {
    let redaction = Redaction(redact);
    let mut text = String::new();
    for entry in entries {
        // Writing to a String does not fail.
        let _ = write!(text, "#{} {} ", entry.number, rfc3339(entry.at));
        match &entry.step {
            Step::Call(call) => {
                let mistake = mistakes.get(&entry.number);
                push_call(&mut text, &call.unpack(), &happened(entry, redact), mistake, redaction);
            }
            step => {
                let _ = writeln!(text, "{}", note(step, redact));
                push_happened(&mut text, &happened(entry, redact));
            }
        }
    }
    text
}

fn push_call(
    text: &mut String,
    call: &RecordedCall,
    happened: &[String],
    mistake: Option<&NamedMistake>,
    redaction: Redaction,
) {
    let target = redaction.target(&call.target);
    let _ = writeln!(text, "{} {target} -> {}", call.method, outcome(call));
    push_happened(text, happened);
    let is_json =
        call.answer_headers.text("Content-Type").is_some_and(|form| form.starts_with("application/json"));
    // A page of the SCA site says little to a terminal.
    if call.status >= 400 && is_json {
        let body = unpacked(call);
        let body = String::from_utf8_lossy(&body);
        let shown: String = redaction.text(&body).chars().take(BODY_CHARS_MAX).collect();
        let _ = writeln!(text, "    {}", shown.replace('\n', "\n    "));
    }
    if let Some(mistake) = mistake {
        let _ = writeln!(text, "    {}", one_line(&mistake.line(redaction)));
    }
    if (200..300).contains(&call.status) && is_json {
        push_links(text, call, redaction);
    }
    if call.reasons.contains(&Reason::SignatureInvalid) {
        push_signed_over(text, call, redaction);
    }
}

/// Without line breaks and other control characters: a part of what was sent must not look like an entry.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The top level of an answer, for its links.
#[derive(Deserialize)]
struct Linked {
    #[serde(default, rename = "_links")]
    links: BTreeMap<String, Link>,
}

#[derive(Deserialize)]
struct Link {
    href: String,
}

/// What the TPP can call next: the answer says it in its links, and nothing else in the summary does.
fn push_links(text: &mut String, call: &RecordedCall, redaction: Redaction) {
    let body = unpacked(call);
    let Ok(linked) = json::read_config::<Linked>(&String::from_utf8_lossy(&body)) else { return };
    for (name, Link { href }) in &linked.links {
        let _ = writeln!(text, "    {name}: {}", redaction.text(href));
    }
}

/// The TPP compares these with what it signed; the answer cannot show where the two differ.
fn push_signed_over(text: &mut String, call: &RecordedCall, redaction: Redaction) {
    let Some(lines) = signed_over(call, redaction) else { return };
    let _ = writeln!(
        text,
        "    the signature was checked against these lines, joined by newlines, none at the end:"
    );
    for line in lines {
        let _ = writeln!(text, "      {line}");
    }
}

fn push_happened(text: &mut String, happened: &[String]) {
    for line in happened {
        let _ = writeln!(text, "    {line}");
    }
}

/// What happened during the step, in words.
pub(super) fn happened(entry: &JournalEntry, redact: bool) -> Vec<String> {
    let redaction = Redaction(redact);
    let text = |effect: &SideEffect| redaction.text(&effect.text(entry.at)).into_owned();
    entry.happened.iter().map(text).collect()
}

/// What came of a call: status, reasons, operation, TPP.
pub(super) fn outcome(call: &RecordedCall) -> String {
    let mut parts = vec![call.status.to_string()];
    parts.extend(call.reasons.iter().map(|reason| reason.id().to_owned()));
    let who: Vec<&str> = [call.operation, call.tpp.as_deref()].into_iter().flatten().collect();
    if !who.is_empty() {
        parts.push(format!("({})", who.join(", ")));
    }
    parts.join(" ")
}

impl JournalEntry {
    /// What was done in words, nothing masked; for a call what came of it.
    pub fn text(&self) -> String {
        note(&self.step, false)
    }

    /// What happened inside the bank during the step, in words, nothing masked.
    pub fn happened_text(&self) -> Vec<String> {
        happened(self, false)
    }
}

/// What was done, in words; for a call what came of it.
pub(super) fn note(step: &Step, redact: bool) -> String {
    let redaction = Redaction(redact);
    match step {
        Step::Call(call) => {
            let call = call.unpack();
            format!("{} {} -> {}", call.method, redaction.target(&call.target), outcome(&call))
        }
        Step::RegisterTpp { organisation_id, name, roles } => {
            format!("registered the TPP {name} as {organisation_id} ({})", roles.join(", "))
        }
        Step::Trust { .. } => "trusted certificates made elsewhere".to_owned(),
        Step::Authorise(step) => authorised(step, redaction),
        Step::RevokeConsent { customer_number, organisation_id } => {
            format!(
                "{} took back what was opened to {organisation_id}",
                redaction.customer_number(customer_number)
            )
        }
        Step::ReportPaymentStatus { payment_id, status, .. } => {
            format!("another channel reported {status} of payment {payment_id}")
        }
        Step::Hold { payment_id, why: None } => format!("payment {payment_id} was put on hold"),
        Step::Hold { payment_id, why: Some(why) } => {
            format!("payment {payment_id} was put on hold: {}", redaction.text(why))
        }
        Step::Release { payment_id } => format!("payment {payment_id} was released"),
        Step::MoveClock { to } => format!("the clock was moved to {}", rfc3339(*to)),
        Step::SetCardStatus { card_account_id, status } => {
            format!("the card account {card_account_id} became {status}")
        }
        Step::SetScaOrigin { origin } => format!("links to the bank's site begin with {origin}"),
        Step::SetPolicy { policy } => format!("policies were switched: {policy}"),
        Step::SetScaDemand { customer_number, demand } => {
            format!("the risk analysis says {demand} of {}", redaction.customer_number(customer_number))
        }
        Step::SetFault(step) => format!("fault {} was set: {}", step.id, redaction.text(&step.words)),
        Step::RemoveFault { id, seen, hits } => {
            format!("fault {id} was taken away: it struck {hits} of {seen} matches")
        }
        Step::ClearFaults => "every fault was taken away".to_owned(),
        Step::Populate { plan: PopulationPlan { persons, companies, months, lives_on, events, .. } } => {
            let with_events = if *events { ", with life events" } else { "" };
            let goes_on = if *lives_on { ", its lives go on" } else { "" };
            format!(
                "a population moved in: persons={persons}, companies={companies}, \
                 months={months}{with_events}{goes_on}"
            )
        }
        Step::Initialize => "the default data set was put back".to_owned(),
        Step::Restore => "a snapshot was restored".to_owned(),
    }
}

fn authorised(step: &AuthoriseStep, redaction: Redaction) -> String {
    let customer = redaction.customer_number(&step.customer_number);
    let verb = if step.approve { "approved" } else { "cancelled" };
    let what = format!("{customer} {verb} {}", step.sca_redirect);
    match (&step.outcome, step.reason) {
        (Err(fault), _) => format!("{what}: refused, {fault}"),
        (Ok(url), Some(reason)) => {
            format!("{what}: failed, {}, back to {}", reason.id(), redaction.text(url))
        }
        (Ok(url), None) => format!("{what}, back to {}", redaction.text(url)),
    }
}
