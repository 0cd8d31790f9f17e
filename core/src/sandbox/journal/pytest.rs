//! Everything that was done, as a test of pytest: it opens the same bank and does the same again.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::entry::{AuthoriseStep, FaultStep, JournalEntry, Step};
use super::packed_call::RecordedCall;
use super::python_fault;
use super::python_literal::{bytes, or_none, text, texts, truth};
use super::replay::{Beginning, Signed, Signers};
use super::ring::Journal;
use crate::env::entropy::Position;
use crate::error::{Error, Result};
use crate::sandbox::population::PopulationPlan;
use crate::store::sqlite::Database;
use crate::types::instant::rfc3339;

/// A file for pytest. Nothing in it is masked, for it has to run.
///
/// # Errors
/// [`Error::Misuse`] where the same cannot be done again: the database existed before, entries were dropped, a fault
/// was set with a condition in code or before this sandbox was forked off, or another state was taken;
/// [`Error::Store`].
pub(crate) fn pytest(
    journal: &Journal,
    beginning: &Beginning,
    database: &Database,
    position: Position,
) -> Result<String> {
    let cannot = |why: &str| Error::Misuse(format!("no test comes of this journal: {why}"));
    if !beginning.is_new {
        return Err(cannot("the database held something before"));
    }
    let history = journal.history().ok_or_else(|| cannot("its oldest entries are gone"))?;
    if history.iter().any(|entry| entry.step == Step::Restore) {
        return Err(cannot("a snapshot was restored, or an exported state"));
    }
    let fault = |step: &Step| matches!(step, Step::SetFault(_));
    if journal.past_holds(fault) {
        // A fork begins without any, and counts its own from 1.
        return Err(cannot("a fault was set before this was forked off"));
    }
    let in_code = |step: &Step| matches!(step, Step::SetFault(FaultStep { has_predicate: true, .. }));
    if history.iter().any(|entry| in_code(&entry.step)) {
        return Err(cannot("a fault was set with a condition in code"));
    }
    let history: Vec<&JournalEntry> = history.iter().map(AsRef::as_ref).collect();
    let mut file = File {
        lines: String::new(),
        tpps: HashMap::new(),
        first_tpp: None,
        signers: Signers::of(&history, database, position)?,
        drawn: 0,
        needs_json: false,
        needs_pytest: false,
        needs_timedelta: false,
    };
    for entry in history {
        file.push(entry)?;
    }
    Ok(file.finish(beginning))
}

/// The file as it grows.
struct File {
    lines: String,
    /// The name of each TPP's variable, by its authorisation number.
    tpps: HashMap<String, String>,
    first_tpp: Option<String>,
    signers: Signers,
    /// How many blocks of the stream of ids the test has drawn so far.
    drawn: u64,
    needs_json: bool,
    needs_pytest: bool,
    needs_timedelta: bool,
}

impl File {
    fn push(&mut self, entry: &JournalEntry) -> Result<()> {
        self.lines.push('\n');
        self.line(&format!("# {}: {}", entry.number, rfc3339(entry.at)));
        let mut signed_now = entry.draws.before.saturating_sub(self.drawn);
        if let Step::Call(call) = &entry.step {
            let call = call.unpack();
            // Looked for only where something was drawn for it.
            let signed = if signed_now > 0 { self.signers.signed(entry, &call)? } else { None };
            let signer = signed.as_ref().and_then(|signed| self.tpps.get(signed.organisation_id).cloned());
            let lines = match signed.zip(signer) {
                Some((signed, signer)) => {
                    signed_now -= 1;
                    signed_call(&call, &signed, &signer)
                }
                None => sent_call(&call),
            };
            self.draw(signed_now);
            self.lines(&lines);
        } else {
            self.draw(signed_now);
            self.push_control(&entry.step)?;
        }
        self.drawn = entry.draws.after;
        Ok(())
    }

    /// Draws what was drawn for requests that were never sent, or were sent later than others.
    fn draw(&mut self, times: u64) {
        let Some(tpp) = self.first_tpp.clone().filter(|_| times > 0) else { return };
        self.line(&format!("for _ in range({times}):  # signed and not sent at once: each draws an id"));
        self.line(&format!("    {tpp}.sign(\"GET\", \"/\")"));
    }

    fn push_control(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Call(_) | Step::Restore => {}
            Step::RegisterTpp { organisation_id, name, roles } => {
                let variable = format!("tpp_{}", self.tpps.len() + 1);
                self.line(&format!("{variable} = bank.register_tpp({}, roles={})", text(name), texts(roles)));
                self.line(&format!("assert {variable}.organisation_id == {}", text(organisation_id)));
                self.first_tpp.get_or_insert_with(|| variable.clone());
                self.tpps.insert(organisation_id.clone(), variable);
            }
            Step::Trust { pem } => self.line(&format!("bank.trust({})", text(pem))),
            Step::Authorise(step) => self.push_authorise(step),
            Step::RevokeConsent { customer_number, organisation_id } => {
                self.line(&format!(
                    "bank.revoke_consent({}, {})",
                    text(customer_number),
                    text(organisation_id)
                ));
            }
            Step::ReportPaymentStatus { payment_id, status, funds_available } => {
                let funds = or_none(funds_available.map(|funds| truth(funds).to_owned()));
                let (id, status) = (text(payment_id), text(&status.to_string()));
                self.line(&format!("bank.report_payment_status({id}, {status}, {funds})"));
            }
            Step::Hold { payment_id, why } => {
                let why = or_none(why.as_deref().map(text));
                self.line(&format!("bank.hold({}, {why})", text(payment_id)));
            }
            Step::Release { payment_id } => self.line(&format!("bank.release({})", text(payment_id))),
            Step::MoveClock { to } => self.line(&format!("bank.clock.set({})", text(&rfc3339(*to)))),
            Step::SetCardStatus { card_account_id, status } => {
                self.line(&format!("bank.set_card_status({}, {})", text(card_account_id), text(status)));
            }
            Step::SetScaOrigin { origin } => self.line(&format!("bank.sca_origin = {}", text(origin))),
            Step::SetPolicy { policy } => {
                self.needs_json = true;
                self.line(&format!("bank.set_policy(json.loads({}))", text(policy)));
            }
            Step::SetScaDemand { customer_number, demand } => {
                self.line(&format!("bank.set_sca_demand({}, {})", text(customer_number), text(demand)));
            }
            Step::SetFault(FaultStep { id, json, .. }) => {
                let call = python_fault::call(json)?;
                self.needs_timedelta |= call.contains("timedelta(");
                self.line(&format!("fault_{id} = {call}"));
            }
            Step::RemoveFault { id, .. } => self.line(&format!("fault_{id}.remove()")),
            Step::ClearFaults => self.line("bank.faults.clear()"),
            Step::Populate {
                plan: PopulationPlan { persons, companies, months, cases, generator, lives_on, events },
            } => {
                let generator = text(generator.as_str());
                let cases = if *cases > 0 { format!(", cases={cases}") } else { String::new() };
                let events = if *events { ", events=True" } else { "" };
                let lives_on = if *lives_on { ", lives_on=True" } else { "" };
                self.line(&format!(
                    "bank.populate(persons={persons}, companies={companies}, months={months}, \
                     generator={generator}{cases}{events}{lives_on})"
                ));
            }
            Step::Initialize => self.line("bank.initialize()"),
        }
        Ok(())
    }

    fn push_authorise(&mut self, step: &AuthoriseStep) {
        let mut arguments = vec![
            text(&step.sca_redirect),
            text(&step.customer_number),
            format!("context={}", text(step.context.as_str())),
        ];
        arguments.extend(step.agreement.as_ref().map(|agreement| format!("agreement={}", text(agreement))));
        arguments.extend(step.accounts.as_ref().map(|accounts| format!("accounts={}", texts(accounts))));
        arguments.extend((!step.approve).then(|| "approve=False".to_owned()));
        let call = format!("bank.authorise({})", arguments.join(", "));
        match &step.outcome {
            Ok(url) => self.line(&format!("assert {call} == {}", text(url))),
            Err(_) => {
                self.needs_pytest = true;
                self.line("with pytest.raises(xs2a.Error):");
                self.line(&format!("    {call}"));
            }
        }
    }

    fn line(&mut self, line: &str) {
        self.lines.push_str("        ");
        self.lines.push_str(line);
        self.lines.push('\n');
    }

    fn lines(&mut self, lines: &[String]) {
        lines.iter().for_each(|line| self.line(line));
    }

    fn finish(self, beginning: &Beginning) -> String {
        let policy = beginning.policy.as_ref();
        let mut file = format!(
            "\"\"\"What was done with a sandbox, as a test. Written by xs2a {} from its journal.\n\n\
             It opens the same bank and does the same again, so that the same ids come of it. What a TPP of the\n\
             bank signed is signed again and may be changed; what was signed elsewhere is sent as it was.\n\"\"\"\n\n",
            env!("CARGO_PKG_VERSION")
        );
        let needs_json = policy.is_some() || self.needs_json;
        if needs_json {
            file.push_str("import json\n");
        }
        if self.needs_timedelta {
            file.push_str("from datetime import timedelta\n");
        }
        if needs_json || self.needs_timedelta {
            file.push('\n');
        }
        if self.needs_pytest {
            file.push_str("import pytest\n");
        }
        let mut arguments =
            vec![format!("now={}", text(&rfc3339(beginning.start))), format!("seed={}", beginning.seed)];
        if !beginning.base_path.is_empty() {
            arguments.push(format!("base_path={}", text(&beginning.base_path)));
        }
        arguments.extend(policy.map(|policy| format!("policy=json.loads({})", text(policy))));
        // Writing to a String does not fail.
        let _ = write!(
            file,
            "import xs2a\n\n\ndef test_it_happens_again():\n    with xs2a.Sandbox({}) as bank:{}",
            arguments.join(", "),
            if self.lines.is_empty() { "\n        pass\n" } else { &self.lines }
        );
        file
    }
}

/// A call that is signed again.
fn signed_call(call: &RecordedCall, signed: &Signed<'_>, signer: &str) -> Vec<String> {
    let mut lines = variables(call, &signed.given);
    let (method, arguments) = (text(&call.method), "target, headers, body");
    lines.push(format!("headers = {signer}.sign({method}, {arguments})"));
    lines.extend(sending(call));
    lines
}

/// A call as it was sent.
fn sent_call(call: &RecordedCall) -> Vec<String> {
    let mut lines = variables(call, &call.headers.iter().collect::<Vec<_>>());
    lines.extend(sending(call));
    lines
}

fn variables(call: &RecordedCall, headers: &[(&str, &[u8])]) -> Vec<String> {
    let mut lines = vec![format!("target = {}", text(&call.target))];
    lines.push(match call.body.len() == call.body_bytes {
        true => format!("body = {}", bytes(&call.body)),
        // Beyond what is taken, a body is refused for its size alone.
        false => format!("body = bytes({})", call.body_bytes),
    });
    if headers.is_empty() {
        lines.push("headers = []".to_owned());
        return lines;
    }
    lines.push("headers = [".to_owned());
    for (name, value) in headers {
        let value = std::str::from_utf8(value).map_or_else(|_| bytes(value), text);
        lines.push(format!("    ({}, {value}),", text(name)));
    }
    lines.push("]".to_owned());
    lines
}

fn sending(call: &RecordedCall) -> [String; 2] {
    let reason = or_none(call.reason.map(text));
    [
        format!("answer = bank.handle({}, target, headers, body)", text(&call.method)),
        format!("assert (answer.status, answer.reason) == ({}, {reason}), answer.body", call.status),
    ]
}
