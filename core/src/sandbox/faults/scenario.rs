//! The scenario of a call: a fault that the caller itself chooses, by a header.

use std::collections::VecDeque;
use std::sync::Arc;

use super::fault::{Chance, Fault, SCENARIO};
use super::spec::{FaultKind, FaultSpec};
use crate::env::interference::ObservedCall;
use crate::error::Error;
use crate::reason::{Reason, Refusal, Violation};
use crate::wire::headers::Headers;

/// Its value is `fault=SYSTEM_ERROR;times=1`. It need not be signed.
const HEADER: &str = "X-Sandbox-Scenario";
/// A longer value is not read.
const VALUE_BYTES_MAX: usize = 200;
/// How many scenarios are counted; beyond that the oldest one is counted from the beginning again.
const SCENARIOS_MAX: usize = 1000;

/// Scenarios that callers chose, the oldest first: a client that repeats its request with the same value gets the
/// fault `times` times.
#[derive(Default)]
pub(super) struct Scenarios {
    list: VecDeque<Scenario>,
}

struct Scenario {
    tpp: String,
    operation: &'static str,
    value: String,
    fault: Arc<Fault>,
}

impl Scenarios {
    /// The fault that a call chooses for itself, if it does.
    ///
    /// # Errors
    /// The refusal of a call with a value that is no scenario.
    pub(super) fn of_call(
        &mut self,
        call: &ObservedCall<'_>,
        seed: u64,
    ) -> Result<Option<Arc<Fault>>, Refusal> {
        let Some(value) = Headers::unchecked(call.request.headers).get(HEADER) else { return Ok(None) };
        let refused = |why: String| {
            let violation = Violation::with(Reason::ScenarioInvalid, &[&why]);
            Refusal::at(violation, HEADER)
        };
        let value = std::str::from_utf8(&value).map_err(|_| refused("it is not UTF-8".to_owned()))?;
        if value.len() > VALUE_BYTES_MAX {
            return Err(refused(format!("it has more than {VALUE_BYTES_MAX} bytes")));
        }
        let is_same = |known: &&Scenario| {
            known.tpp == call.tpp && known.operation == call.operation.name && known.value == value
        };
        if let Some(known) = self.list.iter().find(is_same) {
            return Ok(Some(Arc::clone(&known.fault)));
        }
        let spec = parse(value).map_err(refused)?;
        let effect = spec.effect().map_err(|error| refused(words(error)))?;
        let fault = Arc::new(Fault::new(SCENARIO, Chance { seed, place: 0 }, spec, effect));
        if self.list.len() == SCENARIOS_MAX {
            self.list.pop_front();
        }
        self.list.push_back(Scenario {
            tpp: call.tpp.to_owned(),
            operation: call.operation.name,
            value: value.to_owned(),
            fault: Arc::clone(&fault),
        });
        Ok(Some(fault))
    }

    /// Counts every scenario from the beginning again.
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }
}

/// Reads members `name=value` that are separated by semicolons.
fn parse(value: &str) -> Result<FaultSpec, String> {
    let mut spec = FaultSpec::default();
    let mut seen = Vec::new();
    for member in value.split(';').map(|member| member.trim_matches([' ', '\t'])) {
        let (name, given) = member.split_once('=').ok_or_else(|| format!("`{member}` is not name=value"))?;
        if seen.contains(&name) {
            return Err(format!("`{name}` occurs twice"));
        }
        seen.push(name);
        match name {
            "fault" => set_fault(&mut spec, given)?,
            "status" => spec.status = Some(whole(name, given)?),
            "seconds" => spec.seconds = Some(decimal(name, given)?),
            "nth" => spec.nth = Some(whole(name, given)?),
            "times" => spec.times = Some(whole(name, given)?),
            "probability" => spec.probability = Some(decimal(name, given)?),
            _ => {
                return Err(format!("`{name}` is none of fault, status, seconds, nth, times and probability"))
            }
        }
    }
    match seen.contains(&"fault") {
        true => Ok(spec),
        false => Err("`fault` is missing".to_owned()),
    }
}

/// A code of the contract, or what goes wrong with a call otherwise.
fn set_fault(spec: &mut FaultSpec, given: &str) -> Result<(), String> {
    match given {
        "bank_down" => spec.kind = FaultKind::BankDown,
        "no_rate" => spec.kind = FaultKind::NoRate,
        "slow" => spec.kind = FaultKind::Slow,
        "sca" | "submit_payment" => return Err(format!("`{given}` is no fault of a call")),
        code => spec.code = Some(code.to_owned()),
    }
    Ok(())
}

fn whole<N: std::str::FromStr>(name: &str, given: &str) -> Result<N, String> {
    let is_number = given.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| given.parse().ok()).flatten();
    number.ok_or_else(|| format!("`{name}`: `{given}` is not a whole number"))
}

fn decimal(name: &str, given: &str) -> Result<f64, String> {
    let is_number = given.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = is_number.then(|| given.parse().ok()).flatten();
    number.ok_or_else(|| format!("`{name}`: `{given}` is not a number"))
}

/// Why a fault cannot be meant, without the words of the host's own mistakes before it.
fn words(error: Error) -> String {
    match error {
        Error::Misuse(text) => text.strip_prefix("fault: ").unwrap_or(&text).to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(value: &str) -> String {
        match parse(value) {
            Ok(spec) => words(spec.effect().unwrap_err()),
            Err(why) => why,
        }
    }

    #[test]
    fn the_members_are_those_of_a_fault_of_a_call() {
        for (value, json) in [
            ("fault=SYSTEM_ERROR", r#"{"kind":"refusal","code":"SYSTEM_ERROR"}"#),
            (
                "fault=CONFLICT;status=405;times=1",
                r#"{"kind":"refusal","code":"CONFLICT","status":405,"times":1}"#,
            ),
            (
                "times=2 ;\tnth=3; fault=ACCESS_EXCEEDED",
                r#"{"kind":"refusal","code":"ACCESS_EXCEEDED","nth":3,"times":2}"#,
            ),
            ("fault=slow;seconds=1.5", r#"{"kind":"slow","seconds":1.5}"#),
            ("fault=bank_down;probability=0.5", r#"{"kind":"bank_down","probability":0.5}"#),
            ("fault=no_rate", r#"{"kind":"no_rate"}"#),
        ] {
            let spec = parse(value).unwrap();
            spec.effect().unwrap();
            assert_eq!(spec.to_json().unwrap(), json);
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (value, named) in [
            ("", "`` is not name=value"),
            ("SYSTEM_ERROR", "`SYSTEM_ERROR` is not name=value"),
            ("fault=SYSTEM_ERROR;", "`` is not name=value"),
            ("fault=SYSTEM_ERROR;times=1;times=1", "`times` occurs twice"),
            ("times=1", "`fault` is missing"),
            ("Fault=SYSTEM_ERROR", "`Fault` is none of"),
            ("fault =SYSTEM_ERROR", "`fault ` is none of"),
            ("fault=SYSTEM_ERROR;operation=getAccounts", "`operation` is none of"),
            ("fault=", "`` is no code of the contract"),
            ("fault=system_error", "`system_error` is no code of the contract"),
            ("fault=sca", "`sca` is no fault of a call"),
            ("fault=submit_payment", "`submit_payment` is no fault of a call"),
            ("fault=CONFLICT;status=404", "CONFLICT is answered with 409 or 405"),
            ("fault=CONFLICT;status=65536", "`status`: `65536` is not a whole number"),
            ("fault=CONFLICT;seconds=1", "`seconds` says nothing of `refusal` here"),
            ("fault=bank_down;status=500", "`status` says nothing of `bank_down` here"),
            ("fault=slow", "a slow answer takes more than 0 seconds"),
            ("fault=slow;seconds=0", "a slow answer takes more than 0 seconds"),
            ("fault=slow;seconds=inf", "`seconds`: `inf` is not a number"),
            ("fault=slow;seconds=1e3", "`seconds`: `1e3` is not a number"),
            ("fault=CONFLICT;times=0", "`times` is 1 or more"),
            ("fault=CONFLICT;times=+1", "`times`: `+1` is not a whole number"),
            ("fault=CONFLICT;times=", "`times`: `` is not a whole number"),
            ("fault=CONFLICT;times=1, fault=CONFLICT", "`times`: `1, fault=CONFLICT` is not a whole number"),
            ("fault=CONFLICT;nth=0", "`nth` counts from 1"),
            ("fault=CONFLICT;probability=0", "`probability` is above 0"),
            ("fault=CONFLICT;probability=1.1", "`probability` is above 0"),
        ] {
            let shown = refused(value);
            assert!(shown.starts_with(named), "{value}: {shown}");
        }
    }
}
