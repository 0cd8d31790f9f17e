//! The examples that the docs print are taken.

use serde_json::Value;
use xs2a::internal::sandbox_bodies::BODIES;
use xs2a::internal::SANDBOX_OPERATIONS as OPERATIONS;

use crate::counter::{ACCOUNTS, AGREEMENTS, CARD_ACCOUNTS};
use crate::sandbox_examples::EXAMPLES;
use crate::world::{body, text, World};

#[test]
fn every_body_of_the_docs_is_taken_and_there_is_one_for_each_route() {
    let world = World::new();
    let account = text(&world.found(ACCOUNTS), "/accounts/0/id").to_owned();
    let card = text(&world.found(CARD_ACCOUNTS), "/cardAccounts/0/resourceId").to_owned();
    for (operation, example) in EXAMPLES {
        let route = OPERATIONS.iter().find(|route| route.name == operation).unwrap();
        let agreements = world.found(AGREEMENTS);
        let agreement = text(agreements["agreements"].as_array().unwrap().last().unwrap(), "/id");
        let path = route.path.replace("{mockAccountId}", &account).replace("{mockCardAccountId}", &card);
        let path = path.replace("{mockAgreementId}", agreement);
        let sent: Value = serde_json::from_str(example).unwrap();
        let response = world.send(route.method, &path, &sent);
        let taken = if route.method == "PUT" { 200 } else { 201 };
        assert_eq!(response.status(), taken, "{operation}: {}", body(&response));
        assert!(body(&response).get("tppMessages").is_none(), "{operation}: without a warning");
    }
    let mut examples: Vec<_> = EXAMPLES.iter().map(|(operation, _)| *operation).collect();
    let mut bodies: Vec<_> = BODIES.iter().map(|body| body.operation).collect();
    examples.sort_unstable();
    bodies.sort_unstable();
    assert_eq!(examples, bodies);
}
