//! The sandbox's control: what its bank says of a person is kept with the person.

use xs2a::{Error, Sandbox, SandboxOptions};

use crate::aisp::{answered, assert_needs_sca, Aisp};
use crate::world::{World, PAYER};

fn assert_misuse(sandbox: &Sandbox, customer: &str, demand: &str) {
    let refused = sandbox.set_sca_demand(customer, demand);
    assert!(matches!(refused, Err(Error::Misuse(_))), "{customer} {demand}: {refused:?}");
}

#[test]
fn another_word_and_a_number_that_no_person_has_are_the_hosts_mistake() {
    let World { sandbox, .. } = World::new();
    for demand in ["", "Exempt", "required", "exempt "] {
        assert_misuse(&sandbox, PAYER, demand);
    }
    // A company answers no SCA.
    for customer in ["", "00000000000", "18129215603"] {
        assert_misuse(&sandbox, customer, "exempt");
    }
    for demand in ["exempt", "demanded", "as_ruled", "as_ruled"] {
        sandbox.set_sca_demand(PAYER, demand).unwrap();
    }
}

#[test]
fn snapshots_forks_and_files_keep_what_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sandbox.db");
    let aisp = Aisp::of(World::on_file(&path), &xs2a::ScaAnswer::approve(PAYER));
    let before = aisp.world.sandbox.snapshot().unwrap();
    aisp.world.sandbox.set_sca_demand(PAYER, "demanded").unwrap();
    let fork = aisp.clone();
    assert_needs_sca(&fork.get("/v1/accounts"), 401, "SCA_INVALID");
    let Aisp { world: World { sandbox, tpp }, psu_id, corporate_id } = aisp;
    drop(sandbox);
    let options = SandboxOptions { database: Some(path), seed: 1, ..SandboxOptions::default() };
    let world = World { sandbox: Sandbox::open(&options).unwrap(), tpp };
    let aisp = Aisp { world, psu_id, corporate_id };
    assert_needs_sca(&aisp.get("/v1/accounts"), 401, "SCA_INVALID");
    aisp.world.sandbox.restore(&before).unwrap();
    answered(&aisp.get("/v1/accounts"));
    assert_needs_sca(&fork.get("/v1/accounts"), 401, "SCA_INVALID");
}

#[test]
fn initialising_forgets_what_was_said() {
    let world = World::new();
    world.sandbox.set_sca_demand(PAYER, "demanded").unwrap();
    world.sandbox.initialize().unwrap();
    let aisp = Aisp::of(world, &xs2a::ScaAnswer::approve(PAYER));
    // The consent's own SCA would have answered a demand: an exemption it would not have.
    answered(&aisp.get("/v1/accounts"));
    aisp.world.sandbox.set_sca_demand(PAYER, "exempt").unwrap();
    aisp.world.sandbox.initialize().unwrap();
    let aisp = Aisp::of(aisp.world, &xs2a::ScaAnswer::approve(PAYER));
    let unseen = aisp.get_with("/v1/accounts", &[("TPP-Session-ID", "unseen")]);
    assert_needs_sca(&unseen, 401, "SCA_NOT_FOUND");
}

#[test]
fn a_deleted_customer_takes_along_what_was_said() {
    let world = World::new();
    world.sandbox.set_sca_demand(PAYER, "exempt").unwrap();
    let customers: serde_json::Value =
        crate::world::body(&world.call("GET", "/v1/sandbox/customers", &[], b""));
    let listed = customers["customers"].as_array().unwrap();
    let payer = listed.iter().find(|customer| customer["customerNumber"] == PAYER).unwrap();
    let target = format!("/v1/sandbox/customers/{}", payer["customerId"].as_str().unwrap());
    assert_eq!(world.call("DELETE", &target, &[], b"").status(), 204);
    assert_misuse(&world.sandbox, PAYER, "as_ruled");
}
