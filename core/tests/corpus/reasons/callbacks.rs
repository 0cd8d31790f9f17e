//! What an SCA can end with: it travels in the URL the PSU is sent back to, and the payment stays as it was.

use serde_json::json;
use xs2a::{Context, ScaAnswer, ScaOutcome};

use crate::reasons::case::{called_back, Asker, Case, Earned};
use crate::world::draft::Draft;
use crate::world::{body, straks, text, PAYEE, PAYEE_ACCOUNT, PAYER, STRAKS};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        called_back("SCA-01", |ask| {
            ask.called_back(creation(), &ScaAnswer { approve: false, ..ScaAnswer::approve(PAYER) })
        }),
        called_back("SCA-02", |ask| completed(ask, &ScaOutcome::Failed)),
        called_back("SCA-03", |ask| {
            ask.called_back(creation().with("X-PSU-IDENTITY", PAYEE), &ScaAnswer::approve(PAYER))
        }),
        // An unknown customer number is another person, too.
        called_back("SCA-03", |ask| {
            ask.called_back(creation().with("X-PSU-IDENTITY", "11111111111"), &ScaAnswer::approve(PAYER))
        }),
        called_back("SCA-04", |ask| ask.called_back(creation(), &ScaAnswer::approve("99999999999"))),
        // A corporate customer cannot authenticate.
        called_back("SCA-04", |ask| ask.called_back(creation(), &ScaAnswer::approve("18129215603"))),
        called_back("SCA-05", |ask| {
            let agreement = Some("Nettbank bedrift Fiktiv Handel AS".to_owned());
            let corporate =
                ScaAnswer { context: Context::Corporate, agreement, ..ScaAnswer::approve("01085800481") };
            ask.called_back(creation(), &corporate)
        }),
        called_back("PAY-02", |ask| {
            let mut body = straks();
            body["debtorAccount"]["bban"] = json!(PAYEE_ACCOUNT);
            ask.called_back(Draft::creation(STRAKS, &body), &ScaAnswer::approve(PAYER))
        }),
        called_back("PAY-03", |ask| {
            let mut body = straks();
            body["debtorAccount"]["currency"] = json!("EUR");
            ask.called_back(Draft::creation(STRAKS, &body), &ScaAnswer::approve(PAYER))
        }),
    ]
}

fn creation() -> Draft {
    Draft::creation(STRAKS, &straks())
}

/// Ends an SCA as a bank of its own would.
fn completed(ask: &Asker, outcome: &ScaOutcome) -> Earned {
    let created = ask.asked(creation());
    let created = body(&created);
    let link = text(&created, "/_links/scaRedirect/href");
    let id = link.rsplit('/').next().unwrap();
    let redirect = ask.sandbox.engine().complete_sca(id, outcome).unwrap();
    assert!(!redirect.approved);
    ask.fallen_back(redirect.url, text(&created, "/_links/status/href"))
}
