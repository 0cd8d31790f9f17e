//! A fault as Python sets it.

use super::python_literal::text;
use crate::error::Result;
use crate::sandbox::faults::{FaultKind, FaultSpec};

/// The call that sets it, such as `bank.faults.add("CONFLICT", nth=2)`.
///
/// # Errors
/// [`Error::Misuse`](crate::Error::Misuse) for a text that no fault was written as.
pub(super) fn call(json: &str) -> Result<String> {
    let spec = FaultSpec::from_json(json)?;
    let name = match spec.kind {
        FaultKind::Refusal => "add",
        FaultKind::BankDown => "bank_down",
        FaultKind::NoRate => "no_rate",
        FaultKind::Slow => "slow",
        FaultKind::Sca => "sca",
        FaultKind::SubmitPayment => "submit_payment",
    };
    Ok(format!("bank.faults.{name}({})", arguments(&spec).join(", ")))
}

fn arguments(spec: &FaultSpec) -> Vec<String> {
    let literal = |given: &Option<String>| given.as_deref().map(text);
    let named = |name: &str, value: Option<String>| value.map(|value| format!("{name}={value}")).into_iter();
    let mut arguments = Vec::new();
    arguments.extend(literal(&spec.outcome));
    arguments.extend(literal(&spec.code));
    arguments.extend(spec.seconds.map(|seconds| format!("timedelta(seconds={seconds:?})")));
    arguments.extend(named("status", spec.status.map(|status| status.to_string())));
    arguments.extend(named("operation", literal(&spec.operation)));
    arguments.extend(named("tpp", literal(&spec.tpp)));
    arguments.extend(named("product", literal(&spec.product)));
    arguments.extend(named("target", literal(&spec.target)));
    arguments.extend(named("nth", spec.nth.map(|nth| nth.to_string())));
    arguments.extend(named("times", spec.times.map(|times| times.to_string())));
    arguments.extend(named("probability", spec.probability.map(|probability| format!("{probability:?}"))));
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_set_by_its_own_call() {
        for (json, expected) in [
            (
                r#"{"code":"CONFLICT","status":405,"operation":"getAccounts","tpp":"T","target":"\"x","nth":2}"#,
                r#"add("CONFLICT", status=405, operation="getAccounts", tpp="T", target='"x', nth=2)"#,
            ),
            (r#"{"kind":"bank_down","probability":1e-7}"#, "bank_down(probability=1e-7)"),
            (r#"{"kind":"no_rate","times":1}"#, "no_rate(times=1)"),
            (r#"{"kind":"slow","seconds":90}"#, "slow(timedelta(seconds=90.0))"),
            (
                r#"{"kind":"sca","outcome":"failed","code":"CONFLICT","tpp":"T"}"#,
                r#"sca("failed", "CONFLICT", tpp="T")"#,
            ),
            (
                r#"{"kind":"submit_payment","product":"sepa-credit-transfers"}"#,
                r#"submit_payment(product="sepa-credit-transfers")"#,
            ),
        ] {
            assert_eq!(call(json).unwrap(), format!("bank.faults.{expected}"));
        }
    }
}
