//! Names of TPPs and customers are escaped: they stay text.

use super::browser::Browser;
use crate::world::*;
use serde_json::json;

const HOSTILE: &str = r#""><script>alert('x')</script><b a=' &amp;{0}"#;

#[test]
fn hostile_names_and_messages_are_text() {
    let world = World::new();
    let order = changed(
        straks(),
        &[
            ("/creditorName", json!(HOSTILE)),
            ("/ultimateDebtor", json!("</main></html><!--")),
            ("/remittanceInformationUnstructured", json!("<img src=x onerror=alert(1)>&lt;")),
        ],
    );
    let created = accepted(&world.create(STRAKS, &order));
    let page = Browser::at(&world.sandbox, link(&created)).identify(PAYER);
    page.assert_hides(&["<script", "<img", "<!--", "</main></html><", "onerror=alert(1)>&lt;"]);
    page.assert_shows(&[HOSTILE, "</main></html><!--", "<img src=x onerror=alert(1)>&lt;"]);
    assert_eq!((page.tags("main").len(), page.tags("form").len(), page.tags("b").len()), (1, 1, 0));
}

#[test]
fn the_name_of_a_tpp_is_text() {
    let world = World::new();
    let tpp = world.sandbox.register_tpp(HOSTILE, &["PISP"]).unwrap();
    let order = straks().to_string();
    let created = accepted(&world.call_by(&tpp, "POST", STRAKS, &creation_headers(), order.as_bytes()));
    let browser = Browser::at(&world.sandbox, link(&created));
    for page in [browser.get(), browser.identify(PAYER)] {
        page.assert_hides(&["<script"]);
        page.assert_shows(&[HOSTILE]);
    }
}

#[test]
fn the_brand_of_a_tpp_is_text_on_every_page_if_it_was_sent() {
    let world = World::new();
    let brand = [("TPP-Brand-Logging-Information", HOSTILE)];
    let created = accepted(&world.create_with(STRAKS, &brand, &straks()));
    let browser = Browser::at(&world.sandbox, link(&created));
    for page in [browser.get(), browser.identify(PAYER)] {
        page.assert_hides(&["<script"]);
        page.assert_shows(&[&format!("You may know Acme Pay as {HOSTILE}.")]);
    }
    let other = changed(straks(), &[("/instructedAmount/amount", json!("2.00"))]);
    let created = accepted(&world.create(STRAKS, &other));
    Browser::at(&world.sandbox, link(&created)).get().assert_hides(&["You may know"]);
}

#[test]
fn what_was_typed_comes_back_as_text() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let browser = Browser::at(&world.sandbox, link(&created));
    let page = browser.identify(HOSTILE);
    page.assert_hides(&["<script"]);
    let inputs = page.tags("input");
    let field = inputs.iter().find(|tag| tag.contains("customerNumber")).unwrap();
    // The tag ends where it should: at its own bracket.
    assert_eq!(super::browser::attribute(field, "value").as_deref(), Some(HOSTILE), "{field}");
}

#[test]
fn the_name_of_a_foreign_field_is_text_and_short() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let browser = Browser::at(&world.sandbox, link(&created));
    let page = browser.post(&[("<script>alert(1)</script>".repeat(100), "x".to_owned())]);
    page.assert_hides(&["<script"]);
    page.assert_notice(400, "<script>alert(1)</script><script>alert(1");
    assert!(page.html.len() < 8_000);
}
