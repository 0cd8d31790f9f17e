//! A request for every code and every reason.

use xs2a::reason::{Language, Reason};
use xs2a::FaultSpec;

use crate::reasons::case::Earned;
use crate::recorder::Recorder;
use crate::world::answer::CODES;
use crate::world::draft::Draft;
use crate::world::{straks, World, PAYER, STRAKS};

/// The requests that `provoke` makes for each code and for each reason it has a recipe for, twice.
pub(crate) fn provoked(mut recorder: Recorder) -> Vec<String> {
    let ids = Reason::ALL.iter().map(|reason| reason.id());
    let wanted: Vec<_> = CODES.into_iter().chain(ids).collect();
    for _ in 0..2 {
        for wanted in &wanted {
            // Not every reason has a recipe.
            let Ok(provoked) = recorder.sandbox.provoke(wanted) else { continue };
            let headers = provoked.headers().iter();
            let draft = Draft {
                headers: headers.map(|(name, value)| (name.clone(), value.clone().into_bytes())).collect(),
                body: provoked.body().as_bytes().to_vec(),
                ..Draft::new(provoked.method(), provoked.target())
            };
            recorder.send_as_is(&format!("provoked {wanted}"), &draft);
        }
    }
    recorder.into_blocks()
}

/// The request of the tests of reasons for each row of the table, in both languages.
pub(crate) fn reasons(mut recorder: Recorder) -> Vec<String> {
    let world = World::new();
    for case in crate::reasons::every_case::cases() {
        for language in [Language::English, Language::Bokmal] {
            let label = format!("the case of {} in {language:?}", case.id);
            match case.earn(&world, language) {
                Earned::Answered(response) => drop(recorder.record(&label, "", &response)),
                Earned::CalledBack { url, payment_status } => {
                    recorder.note(&label, &format!("{payment_status} {url}"));
                }
            }
        }
    }
    recorder.into_blocks()
}

/// Faults that are set in the sandbox: each code and status, a bank that is down, an SCA that ends otherwise.
pub(crate) fn faults(mut recorder: Recorder) -> Vec<String> {
    let set = Reason::ALL.iter().filter(|reason| reason.id().starts_with("FLT-"));
    for reason in set {
        let (code, status) = (reason.code().as_str(), reason.status());
        let spec = format!(r#"{{"kind":"refusal","code":"{code}","status":{status},"times":1}}"#);
        struck(&mut recorder, &spec);
    }
    for spec in [
        r#"{"kind":"bank_down","times":1}"#,
        r#"{"kind":"slow","seconds":3.5,"times":1}"#,
        r#"{"kind":"no_rate","times":1}"#,
        r#"{"kind":"submit_payment","times":1}"#,
        r#"{"kind":"sca","outcome":"aborted","times":1}"#,
        r#"{"kind":"sca","outcome":"failed","times":1}"#,
        r#"{"kind":"sca","outcome":"failed","code":"CONFLICT","status":405,"times":1}"#,
        r#"{"kind":"sca","outcome":"expired","times":1}"#,
    ] {
        struck(&mut recorder, spec);
        recorder.sandbox.clear_faults();
    }
    recorder.into_blocks()
}

/// Sets a fault and pays: the creation, its SCA and the status afterwards.
fn struck(recorder: &mut Recorder, spec: &str) {
    recorder.sandbox.add_fault(FaultSpec::from_json(spec).unwrap()).unwrap();
    recorder.note("fault", spec);
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let answer = recorder.send("createPayment", Draft::creation(&target, &straks()));
    let Some(link) = answer.sca_link() else { return };
    recorder.authorise("approve", &link, &xs2a::ScaAnswer::approve(PAYER));
    let status = answer.link("status");
    recorder.send("getPaymentStatus", Draft::get(&status));
    recorder.advance(5);
    recorder.send("getPaymentStatus", Draft::get(&status));
}
