//! Faults belong to one sandbox object: not to its state, not to its copies, not to a production engine.

use crate::world::*;
use xs2a::{FaultSpec, Sandbox, SandboxOptions};

fn faulty() -> World {
    let world = World::new();
    world.sandbox.add_fault(FaultSpec::refusal("CONFLICT")).unwrap();
    world
}

fn status(world: &World) -> u16 {
    world.get("/v1/accounts").status()
}

#[test]
fn a_fork_begins_without_faults_and_has_its_own() {
    let world = faulty();
    let fork = world.clone();
    assert_eq!((status(&world), status(&fork)), (409, 401));
    fork.sandbox.add_fault(FaultSpec::refusal("FORBIDDEN")).unwrap();
    assert_eq!((status(&world), status(&fork)), (409, 403));
    world.sandbox.clear_faults();
    assert_eq!((status(&world), status(&fork)), (401, 403));
}

#[test]
fn a_snapshot_holds_no_fault_and_restoring_leaves_those_that_are_set() {
    let world = World::new();
    let plain = world.sandbox.snapshot().unwrap();
    world.sandbox.add_fault(FaultSpec::refusal("CONFLICT")).unwrap();
    assert!(world.sandbox.snapshot().unwrap() == plain, "setting a fault changes no state");
    let image = world.sandbox.snapshot().unwrap();
    world.sandbox.restore(&plain).unwrap();
    assert_eq!(status(&world), 409);
    let other = World::new();
    other.sandbox.restore(&image).unwrap();
    assert_eq!(status(&other), 401);
}

#[test]
fn initialize_leaves_the_faults() {
    let world = faulty();
    world.sandbox.initialize().unwrap();
    assert_eq!(status(&world), 409);
}

#[test]
fn the_same_faults_and_calls_give_the_same_bytes() {
    let run = || {
        let world = World::new();
        let spec = r#"{"code":"CONSENT_EXPIRED","probability":0.5}"#;
        world.sandbox.add_fault(FaultSpec::from_json(spec).unwrap()).unwrap();
        world.sandbox.add_fault(FaultSpec::from_json(r#"{"kind":"slow","seconds":1}"#).unwrap()).unwrap();
        (0..12).map(|_| world.get("/v1/accounts").body().to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn chance_follows_the_seed_of_the_state_that_was_put_in() {
    let of_seed = |seed| Sandbox::open(&SandboxOptions { seed, ..SandboxOptions::default() }).unwrap();
    let origin = of_seed(7);
    let tpp = origin.register_tpp("Acme Pay", &["AISP"]).unwrap();
    let (restored, imported) = (of_seed(1), of_seed(2));
    restored.restore(&origin.snapshot().unwrap()).unwrap();
    imported.import_json(&origin.export_json().unwrap()).unwrap();
    let drawn = |sandbox: Sandbox| {
        let world = World { sandbox, tpp: tpp.clone() };
        let spec = r#"{"code":"CONFLICT","probability":0.5}"#;
        world.sandbox.add_fault(FaultSpec::from_json(spec).unwrap()).unwrap();
        (0..64).map(|_| status(&world)).collect::<Vec<_>>()
    };
    let expected = drawn(origin.fork().unwrap());
    assert_eq!(drawn(restored), expected);
    assert_eq!(drawn(imported), expected);
}

fn by_chance() -> FaultSpec {
    FaultSpec { probability: Some(0.5), ..FaultSpec::refusal("CONFLICT") }
}

/// Which of 32 calls a fault strikes by chance, and its id.
fn drawn(world: &World) -> (Vec<u16>, u64) {
    let fault = world.sandbox.add_fault(by_chance()).unwrap();
    let statuses = (0..32).map(|_| status(world)).collect();
    world.sandbox.remove_fault(fault.id());
    (statuses, fault.id())
}

#[test]
fn after_a_restore_chance_does_the_same_for_any_earlier_faults() {
    type Back<'b> = &'b dyn Fn(&Sandbox);
    let world = World::new();
    let (image, text) = (world.sandbox.snapshot().unwrap(), world.sandbox.export_json().unwrap());
    let (first, _) = drawn(&world);
    assert_ne!(drawn(&world).0, first, "the next fault is another one");
    let ways: [(&str, Back<'_>); 4] = [
        ("restore", &|sandbox| sandbox.restore(&image).unwrap()),
        ("import_json", &|sandbox| sandbox.import_json(&text).unwrap()),
        ("initialize", &|sandbox| sandbox.initialize().unwrap()),
        ("clear_faults", &Sandbox::clear_faults),
    ];
    let mut last_id = 2;
    for (name, back) in ways {
        back(&world.sandbox);
        let (statuses, id) = drawn(&world);
        assert_eq!(statuses, first, "{name}");
        assert_eq!(id, last_id + 1, "{name}: an id names one fault for ever");
        last_id = id;
    }
}

#[test]
fn beside_a_fault_that_is_left_chance_does_the_same_after_each_way_back() {
    let world = World::new();
    let image = world.sandbox.snapshot().unwrap();
    let (first, _) = drawn(&world);
    let of_others = Some("getCardAccounts".to_owned());
    let left = world.sandbox.add_fault(FaultSpec { operation: of_others, ..by_chance() }).unwrap();
    let after = [(); 3].map(|()| {
        world.sandbox.restore(&image).unwrap();
        drawn(&world).0
    });
    assert_eq!(after[0], after[1]);
    assert_eq!(after[1], after[2]);
    assert_ne!(after[0], first, "two that are set are not the same");
    assert!(world.sandbox.remove_fault(left.id()));
}

#[test]
fn faults_are_set_and_taken_away_while_calls_are_under_way() {
    let world = World::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let response = world.get("/v1/accounts");
                    assert!([401, 409, 500].contains(&response.status()), "{}", body(&response));
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..50 {
                let fault = world.sandbox.add_fault(FaultSpec::refusal("CONFLICT")).unwrap();
                world.sandbox.add_fault(FaultSpec::of(xs2a::FaultKind::BankDown)).unwrap();
                world.sandbox.remove_fault(fault.id());
                world.sandbox.clear_faults();
            }
        });
    });
    assert_eq!(status(&world), 401);
}
