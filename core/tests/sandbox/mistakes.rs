//! The mistake behind a refusal by authentication: in the journal, and in the answer if the policy shows it.

use crate::world::answer::{messages, Message};
use crate::world::draft::{Draft, Signer};
use crate::world::*;
use serde_json::Value;
use xs2a::limits::EXPLAINED_ENTRIES_MAX;
use xs2a::{Explanation, JournalExport, JournalForm, Response, Sandbox};

/// A call whose text was signed with a newline after the last line.
fn trailing_newline(world: &World) -> Draft {
    let signer = Signer::of(&world.tpp);
    let sign = |text: Vec<u8>| [&text[..], b"\n"].concat();
    signer.sign_changed(Draft::get("/v1/accounts"), world.sandbox.now(), sign)
}

/// A call whose text was another one by a byte that no known mistake puts there.
fn unknown_text(world: &World) -> Draft {
    let signer = Signer::of(&world.tpp);
    signer.sign_changed(Draft::get("/v1/accounts"), world.sandbox.now(), |text| [&text[..], b"?"].concat())
}

fn export(sandbox: &Sandbox, form: JournalForm) -> String {
    sandbox.export_journal(&JournalExport::new(form)).unwrap()
}

fn warnings(answer: &Response) -> Vec<Message> {
    messages(answer).into_iter().filter(|message| message.category == "WARNING").collect()
}

#[test]
fn every_form_of_the_journal_names_the_mistake() {
    let world = World::new();
    assert_eq!(trailing_newline(&world).send(&world.sandbox).reason(), Some("SIG-13"));
    let line = "mistake: trailing-newline (proof: hash). ";
    let text = export(&world.sandbox, JournalForm::Text);
    assert!(text.contains(&format!("\n    {line}")), "{text}");
    let curl = export(&world.sandbox, JournalForm::Curl);
    assert!(curl.contains(&format!("\n# {line}")), "{curl}");
    let har: Value = serde_json::from_str(&export(&world.sandbox, JournalForm::Har)).unwrap();
    let shown = &har["log"]["entries"][0]["_mistake"];
    assert_eq!((&shown["id"], &shown["proof"]), (&"trailing-newline".into(), &"hash".into()));
    assert!(text.contains(shown["text"].as_str().unwrap()), "{text}");
}

#[test]
fn an_entry_without_a_proven_mistake_names_none() {
    let world = World::new();
    assert_eq!(unknown_text(&world).send(&world.sandbox).reason(), Some("SIG-13"));
    world.get("/v1/no-such-route");
    for form in [JournalForm::Text, JournalForm::Har, JournalForm::Curl] {
        let journal = export(&world.sandbox, form);
        assert!(!journal.contains("mistake"), "{journal}");
    }
    // The first entry is the registration of the TPP.
    assert_eq!(world.sandbox.explain_entry(2).unwrap().mistake, None);
    for number in [0, 1, 3, 4] {
        assert!(world.sandbox.explain_entry(number).is_none(), "{number}");
    }
}

#[test]
fn an_entry_is_explained_as_its_answer_is() {
    let world = World::new();
    let mut drafts = [trailing_newline(&world), unknown_text(&world), trailing_newline(&world)];
    drafts[2] = drafts[2].clone().with("Date", "Tue, 01 Sep 2026 12:00:00 GMT");
    for (number, draft) in (2..).zip(drafts) {
        let at = world.sandbox.now();
        let (answer, refused) = {
            let answer = draft.send(&world.sandbox);
            let mut refused = None;
            draft.ask(|request| {
                refused = world.sandbox.refused_call(request, &answer, at);
                answer.clone()
            });
            (answer, refused.unwrap())
        };
        assert!(answer.status() == 400 && warnings(&answer).is_empty());
        // How many hypotheses the time is enough for depends on the machine.
        let counted = |found: Explanation| Explanation { hypotheses: 0, ..found };
        let explained = world.sandbox.explain_entry(number).unwrap();
        assert_eq!(counted(explained), counted(refused.explain()));
    }
    assert_eq!(world.sandbox.explain_entry(4).unwrap().mistake, Some("date-local-time-as-gmt"));
}

#[test]
fn the_text_of_a_mistake_masks_identity_numbers() {
    let world = World::new();
    let signature = "keyId=\"SN=0x13039319955,CA=C=NO\",algorithm=\"rsa-sha256\",headers=\"date \
                     x-request-id tpp-redirect-uri\",signature=\"AA==\"";
    let draft = trailing_newline(&world).with("Signature", signature);
    assert_eq!(draft.send(&world.sandbox).reason(), Some("SIG-15"));
    for form in [JournalForm::Text, JournalForm::Har, JournalForm::Curl] {
        for redact in [true, false] {
            let export = JournalExport { redact, ..JournalExport::new(form) };
            let journal = world.sandbox.export_journal(&export).unwrap();
            let (_, mistake) = journal.split_once("serial-form").unwrap();
            let text = mistake.split('\n').next().unwrap();
            assert_eq!(text.contains("`0x13039319955`"), !redact, "{text}");
        }
    }
}

#[test]
fn the_newest_refused_entries_are_explained() {
    let world = World::new();
    for _ in 0..=EXPLAINED_ENTRIES_MAX {
        trailing_newline(&world).send(&world.sandbox);
    }
    let text = export(&world.sandbox, JournalForm::Text);
    assert_eq!(text.matches("mistake: trailing-newline").count(), EXPLAINED_ENTRIES_MAX);
    let (first, _) = text.split_once("\n#3 ").unwrap();
    assert!(first.contains("SIG-13") && !first.contains("mistake:"), "{first}");
    let last = JournalExport { last: Some(1), ..JournalExport::new(JournalForm::Text) };
    assert_eq!(world.sandbox.export_journal(&last).unwrap().matches("mistake:").count(), 1);
}

#[test]
fn a_tpp_is_shown_its_mistake_only_if_the_policy_says_so() {
    let silent = World::new();
    let refused = messages(&trailing_newline(&silent).send(&silent.sandbox));
    assert_eq!(refused.len(), 1);
    let world = World::with_policy(r#"{"explain_to_tpp":true}"#);
    let answer = trailing_newline(&world).send(&world.sandbox);
    assert_eq!((answer.status(), answer.reason()), (400, Some("SIG-13")));
    let shown = messages(&answer);
    assert_eq!(shown[..1], refused[..]);
    assert_eq!(
        (shown.len(), shown[1].category.as_str(), shown[1].path.as_str()),
        (2, "WARNING", "Signature")
    );
    assert!(shown[1].text.starts_with("the mistake is trailing-newline: "), "{}", shown[1].text);

    world.sandbox.set_policy(r#"{"explain_to_tpp":false}"#).unwrap();
    assert_eq!(messages(&trailing_newline(&world).send(&world.sandbox)), refused);
    silent.sandbox.set_policy(r#"{"explain_to_tpp":true}"#).unwrap();
    assert_eq!(messages(&trailing_newline(&silent).send(&silent.sandbox)), shown);
}

#[test]
fn a_shown_mistake_is_in_the_language_and_the_form_of_the_answer() {
    let world = World::with_policy(r#"{"explain_to_tpp":true,"sign_responses":true}"#);
    let answer = trailing_newline(&world).with("Accept-Language", "nb").send(&world.sandbox);
    let [warning] = warnings(&answer).try_into().unwrap();
    assert!(warning.text.starts_with("feilen er trailing-newline; på engelsk: "), "{}", warning.text);
    assert!(warning.text.chars().count() <= 512);
    let headers: Vec<_> = answer.headers().map(|(name, value)| (name, value.as_bytes())).collect();
    let found =
        xs2a::tools::verify_response(&headers, answer.body(), Some(world.sandbox.now()), None).unwrap();
    assert!(found.ok, "{:?}", found.text);
}

#[test]
fn what_is_not_proven_or_not_of_authentication_is_not_shown() {
    let world = World::with_policy(r#"{"explain_to_tpp":true}"#);
    let answers = [
        unknown_text(&world).send(&world.sandbox),
        world.get("/v1/no-such-route"),
        world.create(STRAKS, &serde_json::json!({"instructedAmount": 1})),
    ];
    for answer in answers {
        assert!(answer.status() >= 400 && warnings(&answer).is_empty());
    }
    accepted(&world.create(STRAKS, &straks()));
}
