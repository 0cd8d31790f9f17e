//! The TPP of each line; a TPP reads only lines of calls it took part in.

use serde_json::Value;
use xs2a::consent::record::Grant;
use xs2a::engine::ScaOutcome;
use xs2a::types::{ActingPsu, PsuKey};
use xs2a::{Context, ScaAnswer};

use crate::audit::{all, consent, count, kinds, since, ON};
use crate::world::*;

#[test]
fn a_revocation_is_audited_once_and_only_if_a_consent_existed() {
    let world = World::with_policy(ON);
    let (tpp, engine) = (world.tpp.organisation_id(), world.sandbox.engine());
    let revoke = |psu: &str| engine.revoke_consent(tpp, &PsuKey::new(psu)).unwrap();
    consent(&world, &ScaAnswer::approve(PAYER));
    let psu = text(&all(engine)[3], "/psu").to_owned();
    let before = count(&world);
    revoke("unknown");
    engine.revoke_consent("PSDNO-FSA-unknown", &PsuKey::new(psu.as_str())).unwrap();
    assert_eq!(count(&world), before);
    revoke(&psu);
    revoke(&psu);
    assert_eq!(kinds(&since(&world, before)), ["consent.revoked"]);
    // A consent that is given again can be revoked again.
    consent(&world, &ScaAnswer::approve(PAYER));
    let before = count(&world);
    revoke(&psu);
    assert_eq!(kinds(&since(&world, before)), ["consent.revoked"]);
}

/// The line of an SCA that failed in this way, which the call asked of a person by PSU-ID; and who that was.
fn failed(outcome: impl Fn(&ActingPsu) -> ScaOutcome) -> (Value, Value) {
    let world = World::with_policy(ON);
    let psu_id = world.known_payer();
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("PSU-ID", &psu_id), ("PSU-Context", "PRIVATE")];
    let started = accepted(&world.call("POST", "/v1/bank-offered-consents", &headers, b""));
    let of_sca = |end: &str| {
        let lines = all(world.sandbox.engine()).into_iter();
        lines.filter(|line| line["event"] == format!("authorisation.{end}")).collect::<Vec<_>>()
    };
    let [named] = of_sca("finalised").try_into().unwrap();
    let psu = ActingPsu { psu: PsuKey::new("another person"), context: Context::Private, corporate: None };
    let id = link(&started).rsplit('/').next().unwrap();
    world.sandbox.engine().complete_sca(id, &outcome(&psu)).unwrap();
    let [line] = of_sca("failed").try_into().unwrap();
    (line, named["psu"].clone())
}

#[test]
fn an_sca_failed_by_another_person_is_audited_without_the_named_psu() {
    for (outcome, reason) in [(ScaOutcome::OtherPsu, "SCA-03"), (ScaOutcome::PsuUnknown, "SCA-04")] {
        let (line, named) = failed(|_| outcome.clone());
        assert!(named.is_string());
        assert_eq!(text(&line, "/details/reason"), reason);
        for member in ["psu", "context", "corporate"] {
            assert_eq!(line.get(member), None, "{reason} {member}");
        }
    }
    // Of this one it is known who came.
    let (line, _) = failed(|psu| ScaOutcome::Approved { psu: psu.clone(), grant: Grant::Everything });
    assert_eq!((text(&line, "/details/reason"), text(&line, "/psu")), ("SCA-03", "another person"));
}

#[test]
fn an_sca_that_fails_otherwise_is_audited_for_the_named_psu() {
    for outcome in [ScaOutcome::Aborted, ScaOutcome::Failed] {
        let (line, named) = failed(|_| outcome.clone());
        assert_eq!((&line["psu"], text(&line, "/context")), (&named, "PRIVATE"));
    }
}
