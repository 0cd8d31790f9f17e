//! References of the bank's own that PostgreSQL cannot store are refused with every store.

use chrono::{DateTime, Utc};
use xs2a::consent::record::Grant;
use xs2a::engine::ScaOutcome;
use xs2a::policy::{Environment, Policy};
use xs2a::types::{ActingPsu, Context, CorporateKey, PsuKey};
use xs2a::{Error, Result};

use crate::setup::{approved, authorisation_id, Setup, TPP};
use crate::world::*;

fn is_misuse<T>(answered: Result<T>) -> bool {
    matches!(answered, Err(Error::Misuse(text)) if text.contains("U+0000"))
}

fn approved_by(person: &str, corporate: Option<&str>) -> ScaOutcome {
    let context = if corporate.is_some() { Context::Corporate } else { Context::Private };
    let corporate = corporate.map(CorporateKey::new);
    let psu = ActingPsu { psu: PsuKey::new(person), context, corporate };
    ScaOutcome::Approved { psu, grant: Grant::Everything }
}

#[test]
fn a_reference_that_cannot_be_kept_is_the_hosts_misuse() {
    let setup = Setup::new();
    let created = accepted(&setup.create());
    let id = authorisation_id(&created);
    let [_, _, long] = unkept();
    for outcome in [
        approved_by("a\0b", None),
        approved_by("", None),
        approved_by(long, None),
        approved_by("kari", Some("\0")),
        approved_by("kari", Some("")),
        approved_by("kari", Some(long)),
    ] {
        assert!(is_misuse(setup.engine.complete_sca(id, &outcome)), "{outcome:?}");
    }
    let reported = r#"{"outcome":"approved","psu":{"person":"a\u0000b","context":"PRIVATE"}}"#;
    assert!(is_misuse(setup.engine.complete_sca_json(id, reported)));
    let before = setup.engine.audit(DateTime::<Utc>::MIN_UTC..DateTime::<Utc>::MAX_UTC).count();
    assert!(is_misuse(setup.engine.revoke_consent(TPP, &PsuKey::new("a\0b"))));
    // The link stays open, and nothing is noted.
    assert_eq!(setup.engine.audit(DateTime::<Utc>::MIN_UTC..DateTime::<Utc>::MAX_UTC).count(), before);
    assert!(setup.engine.complete_sca(id, &approved()).unwrap().approved);
}

#[test]
fn a_person_reference_that_cannot_be_stored_is_an_unusable_answer() {
    // Whether or not the bank's time is watched.
    for policy in ["{}", r#"{"bank_seconds_max":0}"#] {
        let policy = Policy::from_json(Environment::Production, policy).unwrap();
        for person in unkept() {
            refuses(&Setup::with(|builder| builder.policy(policy.clone())), person);
        }
    }
}

/// What is no reference: of 1 to 256 characters, none of them U+0000.
fn unkept() -> [&'static str; 3] {
    ["a\0b", "", "x".repeat(257).leak()]
}

fn refuses(setup: &Setup, person: &'static str) {
    let headers = replaced(creation_headers(), &[("X-PSU-IDENTITY", PAYER)]);
    let created = accepted(&setup.call("POST", STRAKS, &headers, straks().to_string().as_bytes()));
    *setup.bank.person.lock() = person;
    let answered = setup.engine.complete_sca(authorisation_id(&created), &approved());
    assert!(matches!(&answered, Err(Error::BankAnswer(text)) if text.starts_with("psu: ")), "{answered:?}");
}
