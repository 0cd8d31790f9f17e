//! A fault in words, for readers of a journal.

use super::spec::{Effect, FaultSpec, ScaEnd};
use crate::reason::Reason;

/// What goes wrong, for whom, and when.
pub(super) fn words(spec: &FaultSpec, effect: Effect) -> String {
    let mut parts = vec![what(effect)];
    let conditions = [
        spec.operation.as_ref().map(|operation| format!("for {operation}")),
        spec.tpp.as_ref().map(|tpp| format!("of {tpp}")),
        spec.product.as_ref().map(|product| format!("of the product {product}")),
        spec.target.as_ref().map(|target| format!("where the target holds `{target}`")),
        spec.when.as_ref().map(|_| "where a condition in code holds".to_owned()),
    ];
    parts.extend(conditions.into_iter().flatten());
    let schedule = [
        turns(spec.nth, spec.times),
        spec.probability.map(|probability| format!("with probability {probability}")),
    ];
    let mut text = parts.join(" ");
    for part in schedule.into_iter().flatten() {
        text.push_str(", ");
        text.push_str(&part);
    }
    text
}

fn what(effect: Effect) -> String {
    match effect {
        Effect::Refuse(reason) => format!("{} {}", reason.status(), reason.code().as_str()),
        Effect::BankDown => "the bank is down".to_owned(),
        Effect::NoRate => "the bank has no rate".to_owned(),
        Effect::Slow(by) => format!("answers come {} s late", by.as_seconds_f64()),
        Effect::Sca(ScaEnd::Aborted) => "SCAs are aborted".to_owned(),
        Effect::Sca(ScaEnd::Expired) => "SCAs expire".to_owned(),
        Effect::Sca(ScaEnd::Failed(Reason::ScaFailed)) => "SCAs fail".to_owned(),
        Effect::Sca(ScaEnd::Failed(reason)) => format!("SCAs fail with {}", reason.code().as_str()),
        Effect::SubmitFails => "payments are not taken".to_owned(),
    }
}

/// At which matches it strikes; nothing where at all of them.
fn turns(nth: Option<u64>, times: Option<u64>) -> Option<String> {
    match (nth, times) {
        (None, None) => None,
        (Some(nth), None | Some(1)) => Some(format!("match {nth} alone")),
        (None, Some(1)) => Some("once".to_owned()),
        (None, Some(times)) => Some(format!("{times} times")),
        (Some(nth), Some(times)) => Some(format!("from match {nth} on {times} times")),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn everything_that_is_set_is_said() {
        for (text, expected) in [
            (r#"{"code":"CONFLICT"}"#, "409 CONFLICT"),
            (
                r#"{"code":"CONFLICT","status":405,"operation":"createPayment","nth":2}"#,
                "405 CONFLICT for createPayment, match 2 alone",
            ),
            (r#"{"code":"CONFLICT","nth":2,"times":1}"#, "409 CONFLICT, match 2 alone"),
            (r#"{"code":"CONFLICT","nth":2,"times":3}"#, "409 CONFLICT, from match 2 on 3 times"),
            (r#"{"kind":"no_rate","times":1}"#, "the bank has no rate, once"),
            (r#"{"kind":"submit_payment","times":2}"#, "payments are not taken, 2 times"),
            (
                r#"{"kind":"bank_down","tpp":"T-1","target":"x=1","probability":0.25}"#,
                "the bank is down of T-1 where the target holds `x=1`, with probability 0.25",
            ),
            (
                r#"{"kind":"slow","seconds":1.5,"product":"sepa-credit-transfers"}"#,
                "answers come 1.5 s late of the product sepa-credit-transfers",
            ),
            (r#"{"kind":"sca","outcome":"aborted"}"#, "SCAs are aborted"),
            (r#"{"kind":"sca","outcome":"expired"}"#, "SCAs expire"),
            (r#"{"kind":"sca","outcome":"failed"}"#, "SCAs fail"),
            (r#"{"kind":"sca","outcome":"failed","code":"PAYMENT_FAILED"}"#, "SCAs fail with PAYMENT_FAILED"),
        ] {
            let spec = FaultSpec::from_json(text).unwrap();
            assert_eq!(words(&spec, spec.effect().unwrap()), expected);
        }
        let spec = FaultSpec { when: Some(Arc::new(|_| true)), ..FaultSpec::refusal("CONFLICT") };
        let said = words(&spec, spec.effect().unwrap());
        assert_eq!(said, "409 CONFLICT where a condition in code holds");
    }
}
