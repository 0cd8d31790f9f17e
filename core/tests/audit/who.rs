//! Whose line it is, and that nobody is told of what he had no part in.

use xs2a::types::PsuKey;
use xs2a::ScaAnswer;

use crate::world::*;
use crate::{all, consent, count, kinds, since, ON};

#[test]
fn a_consent_is_told_to_be_revoked_once_and_only_where_there_was_one() {
    let world = World::with_policy(ON);
    let (tpp, engine) = (world.tpp.organisation_id(), world.sandbox.engine());
    let revoke = |psu: &str| engine.revoke_consent(tpp, &PsuKey::new(psu)).unwrap();
    consent(&world, &ScaAnswer::approve(PAYER));
    let psu = text(&all(engine)[3], "/psu").to_owned();
    let before = count(&world);
    revoke("nobody");
    engine.revoke_consent("PSDNO-FSA-nobody", &PsuKey::new(psu.as_str())).unwrap();
    assert_eq!(count(&world), before);
    revoke(&psu);
    revoke(&psu);
    assert_eq!(kinds(&since(&world, before)), ["consent.revoked"]);
    // What is opened anew can be taken back anew.
    consent(&world, &ScaAnswer::approve(PAYER));
    let before = count(&world);
    revoke(&psu);
    assert_eq!(kinds(&since(&world, before)), ["consent.revoked"]);
}
