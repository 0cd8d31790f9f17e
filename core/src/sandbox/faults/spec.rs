//! What is to go wrong, when, and how often: as it is written down, and as it was checked.

use std::fmt::{self, Debug};
use std::sync::Arc;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::env::interference::ObservedCall;
use crate::error::{Error, Result};
use crate::operation::{Operation, OPERATIONS};
use crate::payment::product::Product;
use crate::reason::Reason;
use crate::sandbox::management;
use crate::wire::json;

/// The longest that one answer may take: longer than every span in the contract.
const DELAY_DAYS_MAX: i64 = 366;

/// Returns whether a fault is for a call. It may be called from any thread.
pub type Predicate = Arc<dyn Fn(&ObservedCall<'_>) -> bool + Send + Sync>;

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// A call is refused with a code of the contract.
    #[default]
    Refusal,
    /// The bank behind the engine fails whenever a call asks it; without conditions, for every caller.
    BankDown,
    /// The bank has no rate between any two currencies.
    NoRate,
    /// The answer to a call comes late, by the sandbox's clock.
    Slow,
    /// An SCA that the PSU would approve ends otherwise.
    Sca,
    /// The bank does not take an authorised payment, which is delivered again later.
    SubmitPayment,
}

impl FaultKind {
    fn name(self) -> &'static str {
        match self {
            Self::Refusal => "refusal",
            Self::BankDown => "bank_down",
            Self::NoRate => "no_rate",
            Self::Slow => "slow",
            Self::Sca => "sca",
            Self::SubmitPayment => "submit_payment",
        }
    }
}

/// A fault as it is written down; in JSON an object with these members, absent ones `None`.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FaultSpec {
    /// What goes wrong.
    pub kind: FaultKind,
    /// Of a refusal, and of an SCA that fails: a code of the contract's section "Errors".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Where a code has several statuses: which. The usual one otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Of a slow answer: how many seconds it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Of an SCA: `aborted`, `expired` or `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Only calls of this operation, by its name in docs/operations.md, such as `getAccounts`. Without it every
    /// operation but the sandbox's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Only what this TPP does, by its organisation identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tpp: Option<String>,
    /// Only payments of this product, such as `sepa-credit-transfers`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
    /// Only calls whose target (path and query, as sent) holds this text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// From the nth match on; without `times` the nth alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nth: Option<u64>,
    /// How often at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
    /// With this probability, above 0 and up to 1. The draw depends on the seed, on the match, and on the fault's place
    /// among those set since the sandbox was opened or last reset (`restore`, `import_json`, `initialize`,
    /// `clear_faults`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Only calls for which this is true. Not part of the JSON.
    #[serde(skip)]
    pub when: Option<Predicate>,
}

impl Debug for FaultSpec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&json::write_text(self).unwrap_or_default())
    }
}

impl FaultSpec {
    /// A fault of that kind, everything else open.
    pub fn of(kind: FaultKind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// A refusal with that code.
    pub fn refusal(code: &str) -> Self {
        Self { code: Some(code.to_owned()), ..Self::default() }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// [`Error::Misuse`] for what is no JSON object, for unknown members and for values of another type.
    pub fn from_json(text: &str) -> Result<Self> {
        json::read_config(text).map_err(|error| match error {
            Error::Config(what) => misuse(&what),
            other => other,
        })
    }

    /// Writes the JSON form.
    ///
    /// # Errors
    /// [`Error::Internal`]: a bug.
    pub fn to_json(&self) -> Result<String> {
        json::write_text(self)
    }

    /// Whether it names calls, or the bank's part in them, at all.
    pub(super) fn has_conditions(&self) -> bool {
        self.operation.is_some()
            || self.tpp.is_some()
            || self.product.is_some()
            || self.target.is_some()
            || self.when.is_some()
    }

    /// What it does, where everything in it makes sense together.
    pub(super) fn effect(&self) -> Result<Effect> {
        self.check_members()?;
        self.check_conditions()?;
        self.check_schedule()?;
        match self.kind {
            FaultKind::Refusal => {
                let code = self.code.as_deref().ok_or_else(|| misuse("a refusal needs a `code`"))?;
                injected(code, self.status).map(Effect::Refuse)
            }
            FaultKind::BankDown => Ok(Effect::BankDown),
            FaultKind::NoRate => Ok(Effect::NoRate),
            FaultKind::Slow => delay(self.seconds).map(Effect::Slow),
            FaultKind::Sca => self.sca_end().map(Effect::Sca),
            FaultKind::SubmitPayment => Ok(Effect::SubmitFails),
        }
    }

    fn sca_end(&self) -> Result<ScaEnd> {
        match (self.outcome.as_deref(), self.code.as_deref()) {
            (Some("aborted"), None) => Ok(ScaEnd::Aborted),
            (Some("expired"), None) => Ok(ScaEnd::Expired),
            (Some("failed"), None) => Ok(ScaEnd::Failed(Reason::ScaFailed)),
            (Some("failed"), Some(code)) => injected(code, self.status).map(ScaEnd::Failed),
            (Some("aborted" | "expired"), Some(_)) => Err(misuse("`code`: only an SCA that failed has one")),
            _ => Err(misuse("`outcome` is one of aborted, expired, failed")),
        }
    }

    /// Members that only other kinds have.
    fn check_members(&self) -> Result<()> {
        let (kind, of_calls) = (self.kind, !matches!(self.kind, FaultKind::Sca | FaultKind::SubmitPayment));
        let takes_code = matches!(kind, FaultKind::Refusal | FaultKind::Sca);
        let members = [
            ("code", self.code.is_some(), takes_code),
            ("status", self.status.is_some(), takes_code && self.code.is_some()),
            ("seconds", self.seconds.is_some(), kind == FaultKind::Slow),
            ("outcome", self.outcome.is_some(), kind == FaultKind::Sca),
            ("operation", self.operation.is_some(), of_calls),
            ("tpp", self.tpp.is_some(), of_calls || kind == FaultKind::Sca),
            ("product", self.product.is_some(), of_calls || kind == FaultKind::SubmitPayment),
            ("target", self.target.is_some(), of_calls),
            ("when", self.when.is_some(), of_calls),
        ];
        match members.iter().find(|(_, is_there, is_taken)| *is_there && !*is_taken) {
            Some((name, ..)) => Err(misuse(&format!("`{name}` says nothing of `{}` here", kind.name()))),
            None => Ok(()),
        }
    }

    fn check_conditions(&self) -> Result<()> {
        if let Some(name) = &self.operation {
            if !operations().any(|operation| operation.name == name) {
                let names: Vec<_> = operations().map(|operation| operation.name).collect();
                return Err(misuse(&format!("`{name}` is no operation; they are {}", names.join(", "))));
            }
        }
        if let Some(name) = &self.product {
            if !Product::ALL.iter().any(|product| product.as_str() == name) {
                let names: Vec<_> = Product::ALL.iter().map(|product| product.as_str()).collect();
                return Err(misuse(&format!(
                    "`{name}` is no payment product; they are {}",
                    names.join(", ")
                )));
            }
        }
        Ok(())
    }

    fn check_schedule(&self) -> Result<()> {
        if self.nth == Some(0) {
            return Err(misuse("`nth` counts from 1"));
        }
        if self.times == Some(0) {
            return Err(misuse("`times` is 1 or more"));
        }
        match self.probability {
            Some(probability) if !(probability > 0.0 && probability <= 1.0) => {
                Err(misuse("`probability` is above 0 and at most 1"))
            }
            _ => Ok(()),
        }
    }
}

/// What a fault does, each value checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Refuse(Reason),
    BankDown,
    NoRate,
    Slow(TimeDelta),
    Sca(ScaEnd),
    SubmitFails,
}

/// How an SCA ends that the PSU would approve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScaEnd {
    /// The PSU cancels after all.
    Aborted,
    /// The PSU takes longer than the link lives.
    Expired,
    /// The bank refuses.
    Failed(Reason),
}

/// The operations of the contract and the sandbox's own.
fn operations() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().chain(management::OPERATIONS)
}

/// The row of the table that answers with that code, and that status where one is asked for.
fn injected(code: &str, status: Option<u16>) -> Result<Reason> {
    let of_code = || {
        let of_faults = Reason::ALL.iter().copied().filter(|reason| reason.id().starts_with("FLT-"));
        of_faults.filter(move |reason| reason.code().as_str() == code)
    };
    if of_code().next().is_none() {
        return Err(misuse(&format!("`{code}` is no code of the contract")));
    }
    of_code().find(|reason| status.is_none_or(|status| reason.status() == status)).ok_or_else(|| {
        let statuses: Vec<_> = of_code().map(|reason| reason.status().to_string()).collect();
        misuse(&format!("{code} is answered with {}", statuses.join(" or ")))
    })
}

fn delay(seconds: Option<f64>) -> Result<TimeDelta> {
    let wrong =
        || misuse(&format!("a slow answer takes more than 0 seconds and at most {DELAY_DAYS_MAX} days"));
    let seconds = seconds.filter(|seconds| *seconds > 0.0).ok_or_else(wrong)?;
    let longest = TimeDelta::days(DELAY_DAYS_MAX);
    if seconds > longest.num_seconds() as f64 {
        return Err(wrong());
    }
    Ok(TimeDelta::microseconds((seconds * 1e6).round() as i64))
}

fn misuse(what: &str) -> Error {
    Error::Misuse(format!("fault: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        match FaultSpec::from_json(text).and_then(|spec| spec.effect()) {
            Err(Error::Misuse(what)) => what,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn effect(text: &str) -> Effect {
        FaultSpec::from_json(text).and_then(|spec| spec.effect()).unwrap()
    }

    #[test]
    fn a_code_has_its_usual_status_and_others_by_name() {
        assert_eq!(effect(r#"{"code":"CONFLICT"}"#), Effect::Refuse(Reason::FaultConflict));
        let of_method = effect(r#"{"code":"CONFLICT","status":405}"#);
        assert_eq!(of_method, Effect::Refuse(Reason::FaultConflictOfMethod));
        assert_eq!(
            refused(r#"{"code":"CONFLICT","status":400}"#),
            "fault: CONFLICT is answered with 409 or 405"
        );
        assert!(refused(r#"{"code":"TEAPOT"}"#).contains("TEAPOT"));
        assert!(refused("{}").contains("code"));
    }

    #[test]
    fn every_kind_is_read_and_its_own_members_alone() {
        for (text, expected) in [
            (r#"{"kind":"bank_down","operation":"getAccounts","tpp":"T","target":"x"}"#, Effect::BankDown),
            (r#"{"kind":"no_rate","product":"sepa-credit-transfers"}"#, Effect::NoRate),
            (r#"{"kind":"slow","seconds":0.5}"#, Effect::Slow(TimeDelta::milliseconds(500))),
            (r#"{"kind":"slow","seconds":600}"#, Effect::Slow(TimeDelta::minutes(10))),
            (r#"{"kind":"sca","outcome":"aborted"}"#, Effect::Sca(ScaEnd::Aborted)),
            (r#"{"kind":"sca","outcome":"expired","tpp":"T"}"#, Effect::Sca(ScaEnd::Expired)),
            (r#"{"kind":"sca","outcome":"failed"}"#, Effect::Sca(ScaEnd::Failed(Reason::ScaFailed))),
            (
                r#"{"kind":"sca","outcome":"failed","code":"PAYMENT_FAILED"}"#,
                Effect::Sca(ScaEnd::Failed(Reason::FaultPaymentFailed)),
            ),
            (r#"{"kind":"submit_payment","times":2}"#, Effect::SubmitFails),
        ] {
            assert_eq!(effect(text), expected, "{text}");
        }
        for (text, named) in [
            (r#"{"kind":"bank_down","code":"CONFLICT"}"#, "`code`"),
            (r#"{"kind":"bank_down","status":500}"#, "`status`"),
            (r#"{"kind":"sca","outcome":"failed","status":401}"#, "`status`"),
            (r#"{"code":"CONFLICT","seconds":1}"#, "`seconds`"),
            (r#"{"code":"CONFLICT","outcome":"failed"}"#, "`outcome`"),
            (r#"{"kind":"sca","outcome":"failed","operation":"getAccounts"}"#, "`operation`"),
            (r#"{"kind":"sca","outcome":"failed","target":"x"}"#, "`target`"),
            (r#"{"kind":"sca","outcome":"failed","product":"sepa-credit-transfers"}"#, "`product`"),
            (r#"{"kind":"submit_payment","tpp":"T"}"#, "`tpp`"),
            (r#"{"kind":"sca","outcome":"expired","code":"CONFLICT"}"#, "`code`"),
            (r#"{"kind":"sca"}"#, "`outcome`"),
            (r#"{"kind":"sca","outcome":"Failed"}"#, "`outcome`"),
            (r#"{"kind":"other"}"#, "other"),
            (r#"{"cod":"CONFLICT"}"#, "cod"),
            (r#"["CONFLICT"]"#, "object"),
            ("", "object"),
        ] {
            assert!(refused(text).contains(named), "{text}: {}", refused(text));
        }
    }

    #[test]
    fn numbers_are_taken_up_to_their_edges() {
        for (member, ok, wrong) in [
            ("nth", vec!["1", "18446744073709551615"], vec!["0", "-1", "1.5", "\"1\""]),
            ("times", vec!["1"], vec!["0", "-1"]),
            ("probability", vec!["0.000001", "1", "1.0"], vec!["0", "-0.1", "1.000001", "1e400"]),
        ] {
            for value in ok {
                effect(&format!(r#"{{"code":"CONFLICT","{member}":{value}}}"#));
            }
            for value in wrong {
                refused(&format!(r#"{{"code":"CONFLICT","{member}":{value}}}"#));
            }
        }
        effect(r#"{"kind":"slow","seconds":31622400}"#);
        for seconds in ["0", "-1", "31622401", "null"] {
            refused(&format!(r#"{{"kind":"slow","seconds":{seconds}}}"#));
        }
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        assert!(refused(r#"{"code":"CONFLICT","operation":"getaccounts"}"#).contains("getaccounts"));
        assert!(refused(r#"{"code":"CONFLICT","product":"sepa"}"#).contains("sepa"));
        for operation in operations() {
            effect(&format!(r#"{{"code":"CONFLICT","operation":"{}"}}"#, operation.name));
        }
    }
}
