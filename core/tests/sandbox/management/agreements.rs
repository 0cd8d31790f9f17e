//! Mock agreements and engagements, and what they open at SCA.

use serde_json::{json, Value};
use xs2a::{Context, Error, Response, ScaAnswer};

use crate::counter::{long, paths, AGREEMENTS, CARD_ACCOUNTS, COMPANY, COMPANY_ACCOUNT, PERSON};
use crate::management::card_accounts::card;
use crate::world::{accepted, body, changed, parameter, refused, straks, text, World, PAYER_ACCOUNT, STRAKS};

fn engagement() -> Value {
    json!({
        "customer": PERSON,
        "account": {"bban": COMPANY_ACCOUNT},
        "roles": ["REGISTER", "VIEW"],
        "registerLimit": 0,
        "approvalLimit": 0,
    })
}

fn agreement() -> Value {
    json!({"name": "Ny avtale", "owner": COMPANY, "engagements": [engagement()]})
}

#[test]
fn an_agreement_is_made_with_its_engagements_and_shown_in_full() {
    let world = World::new();
    let made = world.made(AGREEMENTS, &agreement());
    let id = text(&made, "/id");
    let path = format!("{AGREEMENTS}/{id}");
    let expected = json!({
        "id": id,
        "name": "Ny avtale",
        "owner": COMPANY,
        "engagements": [{
            "id": text(&made, "/engagements/0/id"),
            "customer": PERSON,
            "account": {"iban": "NO7895360573118", "bban": COMPANY_ACCOUNT},
            "roles": ["REGISTER", "VIEW"],
            "accessRights": true,
            "paymentRights": true,
            "transferRights": true,
            "registerLimit": 0,
            "approvalLimit": 0,
        }],
        "_links": {
            "self": {"href": path, "verbs": ["GET", "DELETE"]},
            "engagements": {"href": format!("{path}/engagements"), "verbs": ["POST"]},
        },
    });
    assert_eq!(made, expected);
    assert_eq!(world.found(&path), expected);
    let list = world.found(AGREEMENTS);
    let names: Vec<_> = list["agreements"].as_array().unwrap().iter().map(|row| text(row, "/name")).collect();
    assert_eq!(names.len(), 6);
    assert_eq!((names[0], names[5]), ("Privatavtale", "Ny avtale"));
}

#[test]
fn what_an_engagement_may_leave_out_is_kept_where_it_is_sent() {
    let world = World::new();
    let full = changed(
        engagement(),
        &[
            ("/name", json!("Drift")),
            ("/account", json!({"iban": "NO7895360573118", "bban": COMPANY_ACCOUNT})),
            ("/roles", json!(["VIEW", "SALARY", "VIEW"])),
            ("/accessRights", json!(false)),
            ("/paymentRights", json!(false)),
            ("/transferRights", json!(false)),
            ("/registerLimit", json!(i32::MAX)),
            ("/approvalLimit", json!(1)),
        ],
    );
    let id = text(&world.made(AGREEMENTS, &agreement()), "/id").to_owned();
    let made = world.made(&format!("{AGREEMENTS}/{id}/engagements"), &full);
    let expected = changed(full, &[("/roles", json!(["VIEW", "SALARY"])), ("/id", made["id"].clone())]);
    assert_eq!(made, expected);
    assert_eq!(world.found(&format!("{AGREEMENTS}/{id}"))["engagements"][1], expected);
}

/// Every fault of an engagement, below `$place`.
macro_rules! engagement_faults {
    ($place:literal) => {
        &[
            (concat!($place, "/customer"), Value::Null, "BOD-01", concat!($place, "/customer")),
            (concat!($place, "/customer"), json!(""), "SBX-11", concat!($place, "/customer")),
            (concat!($place, "/customer"), json!("123456789012"), "SBX-11", concat!($place, "/customer")),
            (concat!($place, "/customer"), json!(7), "BOD-02", concat!($place, "/customer")),
            (concat!($place, "/customer"), json!("999999"), "SBX-21", concat!($place, "/customer")),
            (concat!($place, "/customer"), json!(COMPANY), "SBX-23", concat!($place, "/customer")),
            (concat!($place, "/account"), Value::Null, "BOD-01", concat!($place, "/account")),
            (concat!($place, "/account"), json!({}), "BOD-10", concat!($place, "/account")),
            (concat!($place, "/account"), json!({"bban": "", "iban": ""}), "BOD-10", concat!($place, "/account")),
            (concat!($place, "/account"), json!("95360573118"), "BOD-03", concat!($place, "/account")),
            (concat!($place, "/account/bban"), json!("9".repeat(31)), "ACC-01", concat!($place, "/account/bban")),
            (concat!($place, "/account/bban"), json!(9), "BOD-02", concat!($place, "/account/bban")),
            (
                concat!($place, "/account"),
                json!({"iban": "NO0095360573118"}),
                "ACC-05",
                concat!($place, "/account/iban"),
            ),
            (
                concat!($place, "/account"),
                json!({"bban": "95360573118", "iban": "NO0995360573002"}),
                "SBX-12",
                concat!($place, "/account"),
            ),
            // The account of another customer, and an unknown one.
            (concat!($place, "/account"), json!({"bban": PAYER_ACCOUNT}), "SBX-24", concat!($place, "/account")),
            (concat!($place, "/account"), json!({"bban": "95360573290"}), "SBX-24", concat!($place, "/account")),
            (concat!($place, "/name"), json!(""), "BOD-05", concat!($place, "/name")),
            (concat!($place, "/name"), long(71), "BOD-06", concat!($place, "/name")),
            (concat!($place, "/roles"), Value::Null, "BOD-01", concat!($place, "/roles")),
            (concat!($place, "/roles"), json!("VIEW"), "BOD-04", concat!($place, "/roles")),
            (concat!($place, "/roles"), json!(["VIEW", "view"]), "BOD-08", concat!($place, "/roles/1")),
            (concat!($place, "/roles"), json!([7]), "BOD-02", concat!($place, "/roles/0")),
            (concat!($place, "/accessRights"), json!("true"), "BOD-22", concat!($place, "/accessRights")),
            (concat!($place, "/paymentRights"), json!(1), "BOD-22", concat!($place, "/paymentRights")),
            (concat!($place, "/transferRights"), json!(""), "BOD-22", concat!($place, "/transferRights")),
            (concat!($place, "/registerLimit"), json!(-1), "BOD-24", concat!($place, "/registerLimit")),
            (concat!($place, "/registerLimit"), json!("0"), "BOD-21", concat!($place, "/registerLimit")),
            (concat!($place, "/registerLimit"), json!(0.5), "BOD-21", concat!($place, "/registerLimit")),
            (
                concat!($place, "/approvalLimit"),
                json!(2_147_483_648_i64),
                "BOD-21",
                concat!($place, "/approvalLimit"),
            ),
        ]
    };
}

#[test]
fn each_member_of_an_engagement_is_held_to_its_form() {
    let world = World::new();
    let id = text(&world.made(AGREEMENTS, &agreement()), "/id").to_owned();
    let target = format!("{AGREEMENTS}/{id}/engagements");
    world.assert_faults("POST", &target, &engagement(), engagement_faults!(""));
    world.assert_faults("POST", AGREEMENTS, &agreement(), engagement_faults!("/engagements/0"));
}

#[test]
fn each_member_of_an_agreement_is_held_to_its_form() {
    let world = World::new();
    world.assert_faults(
        "POST",
        AGREEMENTS,
        &agreement(),
        &[
            ("/name", Value::Null, "BOD-01", "/name"),
            ("/name", json!(""), "BOD-05", "/name"),
            ("/name", long(71), "BOD-06", "/name"),
            ("/name", json!(1), "BOD-02", "/name"),
            ("/owner", Value::Null, "BOD-01", "/owner"),
            ("/owner", json!("12345"), "SBX-11", "/owner"),
            ("/owner", json!(1), "BOD-02", "/owner"),
            ("/owner", json!("999999"), "SBX-21", "/owner"),
            ("/owner", json!(PERSON), "SBX-22", "/owner"),
            ("/engagements", Value::Null, "BOD-01", "/engagements"),
            ("/engagements", json!({}), "BOD-04", "/engagements"),
            ("/engagements/0", json!("x"), "BOD-03", "/engagements/0"),
        ],
    );
    let bare =
        world.made(AGREEMENTS, &changed(agreement(), &[("/engagements", json!([])), ("/name", long(70))]));
    assert_eq!(bare["engagements"], json!([]));
}

#[test]
fn faults_of_all_engagements_are_reported_and_none_is_stored() {
    let world = World::new();
    let sent = json!({"name": "Ny", "owner": COMPANY, "engagements": [
        engagement(),
        changed(engagement(), &[("/customer", json!("999999"))]),
        changed(engagement(), &[("/customer", json!(COMPANY)), ("/account", json!({"bban": PAYER_ACCOUNT}))]),
    ]});
    let response = world.post(AGREEMENTS, &sent);
    assert_eq!(response.status(), 400);
    let expected = ["/engagements/1/customer", "/engagements/2/customer", "/engagements/2/account"];
    assert_eq!(paths(&response), expected);
    assert_eq!(world.found(AGREEMENTS)["agreements"].as_array().unwrap().len(), 5);
}

#[test]
fn what_the_bank_does_not_know_is_reported_beside_malformed_members() {
    let world = World::new();
    let sent = json!({"name": "", "owner": COMPANY, "engagements": [
        changed(engagement(), &[("/account", json!({"bban": PAYER_ACCOUNT}))]),
        changed(engagement(), &[("/roles", json!(["KING"])), ("/customer", json!("999999"))]),
    ]});
    let response = world.post(AGREEMENTS, &sent);
    let expected = ["/name", "/engagements/1/roles/0", "/engagements/0/account", "/engagements/1/customer"];
    assert_eq!((response.status(), paths(&response)), (400, expected.map(str::to_owned).to_vec()));
    // Whose accounts an agreement may name is not known without its owner.
    let sent = changed(sent, &[("/owner", json!("999999"))]);
    let expected = ["/name", "/engagements/1/roles/0", "/owner", "/engagements/1/customer"];
    assert_eq!(paths(&world.post(AGREEMENTS, &sent)), expected);

    let id = text(&world.made(AGREEMENTS, &agreement()), "/id").to_owned();
    let strange = changed(
        engagement(),
        &[
            ("/roles", json!("VIEW")),
            ("/customer", json!("999999")),
            ("/account", json!({"bban": PAYER_ACCOUNT})),
        ],
    );
    let response = world.post(&format!("{AGREEMENTS}/{id}/engagements"), &strange);
    assert_eq!((response.status(), response.reason()), (400, Some("BOD-04")));
    assert_eq!(paths(&response), ["/roles", "/customer", "/account"]);
}

#[test]
fn agreements_and_engagements_are_deleted_once() {
    let world = World::new();
    let made = world.made(AGREEMENTS, &agreement());
    let (id, engagement) = (text(&made, "/id"), text(&made, "/engagements/0/id"));
    let path = format!("{AGREEMENTS}/{id}");
    world.delete_twice(&format!("{path}/engagements/{engagement}"), "SBX-03");
    assert_eq!(world.found(&path)["engagements"], json!([]));
    world.delete_twice(&path, "SBX-02");
    world.assert_unknown("GET", &path, &Value::Null, "SBX-02");
}

#[test]
fn what_is_not_there_is_not_found() {
    let world = World::new();
    let id = text(&world.made(AGREEMENTS, &agreement()), "/id").to_owned();
    let list = world.found(AGREEMENTS);
    let of_another = text(&list, "/agreements/0/engagements/0/id");
    let unknown = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";
    for (method, path, sent, reason) in [
        ("GET", format!("/{unknown}"), Value::Null, "SBX-02"),
        ("DELETE", format!("/{unknown}"), Value::Null, "SBX-02"),
        ("POST", format!("/{unknown}/engagements"), engagement(), "SBX-02"),
        ("DELETE", format!("/{unknown}/engagements/{of_another}"), Value::Null, "SBX-02"),
        ("DELETE", format!("/{id}/engagements/{unknown}"), Value::Null, "SBX-03"),
        ("DELETE", format!("/{id}/engagements/{of_another}"), Value::Null, "SBX-03"),
        ("DELETE", format!("/{id}/engagements/%20"), Value::Null, "SBX-03"),
    ] {
        world.assert_unknown(method, &format!("{AGREEMENTS}{path}"), &sent, reason);
    }
}

#[test]
fn a_private_agreement_takes_no_engagements_by_hand() {
    let world = World::new();
    let list = world.found(AGREEMENTS);
    let own = format!("{AGREEMENTS}/{}/engagements", text(&list, "/agreements/0/id"));
    let sent = changed(engagement(), &[("/account", json!({"bban": PAYER_ACCOUNT}))]);
    assert_eq!(refused(&world.post(&own, &sent)).1, "SBX-22");
}

/// A payment from the company's account, answered by a new person under the new agreement.
fn approval(roles: &Value, rights: bool) -> Result<String, String> {
    let world = World::new();
    world.customer("123456", "PRIVATE");
    let engagement = changed(
        engagement(),
        &[("/customer", json!("123456")), ("/roles", roles.clone()), ("/paymentRights", json!(rights))],
    );
    world.made(AGREEMENTS, &changed(agreement(), &[("/engagements", json!([engagement]))]));
    let order = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    let created = accepted(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &order));
    let answer = ScaAnswer {
        context: Context::Corporate,
        agreement: Some("Ny avtale".to_owned()),
        ..ScaAnswer::approve("123456")
    };
    match world.sandbox.authorise(crate::world::link(&created), &answer) {
        Ok(url) => parameter(&url, "code").map_or(Ok(world.transaction_status(&created)), Err),
        Err(Error::Misuse(text)) => Err(text),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn an_engagement_opens_its_account_with_register_and_view_both() {
    assert_eq!(approval(&json!(["REGISTER", "VIEW"]), true).as_deref(), Ok("ACSC"));
    assert!(approval(&json!(["VIEW"]), true).unwrap_err().contains("has no agreement to act under"));
    assert!(approval(&json!(["REGISTER", "APPROVE", "OWNER"]), true).is_err());
    assert_eq!(approval(&json!(["REGISTER", "VIEW"]), false).unwrap_err(), "RESOURCE_UNKNOWN");
}

/// An agreement of a company that has a card account with that number, about that account.
fn engage_card(account_number: &str, masked_pan: &str, account: &Value) -> Response {
    let world = World::new();
    let sent = [
        ("/customerNumber", json!(COMPANY)),
        ("/accountNumber", json!(account_number)),
        ("/maskedPan", json!(masked_pan)),
    ];
    world.made(CARD_ACCOUNTS, &changed(card(), &sent));
    let engagement = changed(engagement(), &[("/account", account.clone())]);
    world.post(AGREEMENTS, &changed(agreement(), &[("/engagements", json!([engagement]))]))
}

#[test]
fn a_companys_card_account_is_engaged_by_its_number_in_any_spelling() {
    for (number, account) in [
        ("95360573312", json!({"bban": "95360573312"})),
        ("95360573312", json!({"bban": "9536.05.73312"})),
        ("95360573312", json!({"iban": "NO7895360573312"})),
        ("95360573312", json!({"iban": "NO7895360573312", "bban": "95360573312"})),
        ("9536.05.73312", json!({"bban": "95360573312"})),
        ("9536.05.73312", json!({"bban": "9536.05.73312", "iban": ""})),
        ("9536 05 73312", json!({"iban": "NO78 9536 0573 312"})),
        ("KORT-77", json!({"bban": "KORT77"})),
    ] {
        let response = engage_card(number, "123456******0009", &account);
        assert_eq!(response.status(), 201, "{number} {account}: {}", body(&response));
    }
}

#[test]
fn an_engagement_shows_and_accepts_the_bare_card_account_number() {
    for (number, bban, iban) in [
        ("95360573312", "95360573312", "NO7895360573312"),
        ("9536.05.73312", "95360573312", "NO7895360573312"),
        ("9536 05 73312", "95360573312", "NO7895360573312"),
        ("9536-05-73312", "95360573312", "NO7895360573312"),
        ("KORT-77", "KORT77", ""),
    ] {
        let shown = body(&engage_card(number, "123456******0009", &json!({ "bban": bban })));
        let shown = &shown["engagements"][0]["account"];
        assert_eq!(*shown, json!({"bban": bban, "iban": iban}), "{number}");
        assert_eq!(engage_card(number, "123456******0009", shown).status(), 201, "{number}");
    }
}

#[test]
fn a_masked_pan_is_no_number_of_an_account() {
    let response = engage_card("95360573312", "77770000", &json!({"bban": "77770000"}));
    assert_eq!(refused(&response).1, "SBX-24");
}

#[test]
fn a_deleted_card_account_is_not_engaged_and_hides_no_other() {
    let world = World::new();
    let of_company = changed(card(), &[("/customerNumber", json!(COMPANY))]);
    let gone = world.made(CARD_ACCOUNTS, &of_company);
    world.delete_twice(&format!("{CARD_ACCOUNTS}/{}", text(&gone, "/resourceId")), "SBX-06");
    let engages = changed(agreement(), &[("/engagements/0/account/bban", card()["accountNumber"].clone())]);
    assert_eq!(paths(&world.send("POST", AGREEMENTS, &engages)), ["/engagements/0/account"]);
    let there = world.made(CARD_ACCOUNTS, &of_company);
    world.made(AGREEMENTS, &engages);
    let document: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
    let newest = document["engagements"].as_array().unwrap().last().unwrap();
    assert_eq!(newest["account"], there["resourceId"]);
}
