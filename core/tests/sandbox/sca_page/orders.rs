//! Every kind of order as the PSU sees it.

use super::browser::{Browser, Page};
use crate::world::*;
use serde_json::{json, Value};

const DOMESTIC: &str = "/v1/payments/norwegian-domestic-credit-transfers";
const PERIODIC: &str = "/v1/periodic-payments/norwegian-domestic-credit-transfers";
const BULK: &str = "/v1/bulk-payments/norwegian-domestic-credit-transfers";

fn question(world: &World, product: &str, order: &Value, language: &str) -> Page {
    let created = accepted(&world.create(product, order));
    Browser::at(&world.sandbox, link(&created)).speaking(language).identify(PAYER)
}

#[test]
fn a_payment_with_a_day_shows_it() {
    let world = World::new();
    let order = changed(straks(), &[("/requestedExecutionDate", json!("2026-10-01"))]);
    question(&world, DOMESTIC, &order, "en").assert_shows(&["Date 1 October 2026"]);
    let other = changed(order, &[("/instructedAmount/amount", json!("251.00"))]);
    question(&world, DOMESTIC, &other, "nb").assert_shows(&["Dato 1. oktober 2026"]);
}

#[test]
fn a_periodic_payment_shows_its_schedule() {
    let world = World::new();
    let scheduled = |frequency: &str, more: &[(&str, Value)]| {
        let basic = [("/startDate", json!("2026-09-02")), ("/frequency", json!(frequency))];
        changed(changed(straks(), &basic), more)
    };
    let until = [
        ("/endDate", json!("2027-09-01")),
        ("/executionRule", json!("preceding")),
        ("/dayOfExecution", json!("31")),
    ];
    question(&world, PERIODIC, &scheduled("Monthly", &until), "en").assert_shows(&[
        "Amount NOK 250.00",
        "How often Every month",
        "First time 2 September 2026",
        "Last time 1 September 2027",
        "Day of the month 31",
        "Where that is no banking day On the banking day before",
    ]);
    for (index, (frequency, shown)) in [
        ("Annual", "Every year"),
        ("Daily", "Every day"),
        ("EveryTwoMonths", "Every two months"),
        ("EveryTwoWeeks", "Every two weeks"),
        ("Monthly", "Every month"),
        ("MonthlyVariable", "Every month, on changing days"),
        ("Quarterly", "Every three months"),
        ("SemiAnnual", "Every six months"),
        ("Weekly", "Every week"),
    ]
    .into_iter()
    .enumerate()
    {
        let other = [("/instructedAmount/amount", json!(format!("{}.00", 300 + index)))];
        let page = question(&world, PERIODIC, &scheduled(frequency, &other), "en");
        page.assert_shows(&[&format!("How often {shown} First time"), "Last time Until it is stopped"]);
        page.assert_hides(&["Day of the month", "no banking day"]);
    }
}

#[test]
fn a_bulk_shows_its_sum_and_each_payment_and_says_once_who_pays() {
    let world = World::new();
    let entry = |name: &str, amount: &str| {
        json!({
            "instructedAmount": {"amount": amount, "currency": "NOK"},
            "creditorName": name,
            "creditorAccount": {"bban": PAYEE_ACCOUNT, "currency": "NOK"},
            "creditorAddress": {"townName": "Oslo", "country": "NO"},
            "remittanceInformationUnstructured": format!("for {name}"),
        })
    };
    let order = json!({
        "debtorAccount": {"bban": PAYER_ACCOUNT, "currency": "NOK"},
        "requestedExecutionDate": "2026-09-03",
        "payments": [entry("First Payee", "1000.50"), entry("Second Payee", "999.50")],
    });
    let page = question(&world, BULK, &order, "en");
    page.assert_shows(&[
        "Approve 2 payments Acme Pay asks you to approve several payments.",
        "In all NOK 2,000.00 From account 9536 05 73002 Date 3 September 2026",
        "Amount NOK 1,000.50 To First Payee To account 9536 05 73037 Message for First Payee",
        "Amount NOK 999.50 To Second Payee",
    ]);
    assert_eq!((page.tags("li").len(), page.text().matches("From account").count()), (2, 1));
    let one = changed(order, &[("/payments", json!([entry("Only Payee", "7.00")]))]);
    question(&world, BULK, &one, "en").assert_shows(&[
        "Approve payment Acme Pay asks you to approve a payment. Amount NOK 7.00 To Only Payee",
        "Approve payment Cancel",
    ]);
}

#[test]
fn a_bulk_is_stopped_as_several_payments() {
    let world = World::new();
    let entry = |amount: &str| {
        json!({
            "instructedAmount": {"amount": amount, "currency": "NOK"},
            "creditorName": "Testodius To",
            "creditorAccount": {"bban": PAYEE_ACCOUNT, "currency": "NOK"},
            "creditorAddress": {"townName": "Oslo", "country": "NO"},
        })
    };
    let order = json!({
        "debtorAccount": {"bban": PAYER_ACCOUNT, "currency": "NOK"},
        "requestedExecutionDate": "2026-09-03",
        "payments": [entry("1.00"), entry("2.00")],
    });
    let started = world.start_cancelling(&world.pay(BULK, &order, PAYER));
    let browser = Browser::at(&world.sandbox, link(&started));
    browser.get().assert_shows(&["Acme Pay asks you to stop several payments."]);
    browser.identify(PAYER).assert_shows(&[
        "Stop these 2 payments? Acme Pay asks you to stop several payments.",
        "Yes, stop them No, let them be",
    ]);
}

#[test]
fn the_largest_bulk_is_shown_whole() {
    let world = World::new();
    let entry = |index: usize| {
        json!({
            "instructedAmount": {"amount": "9999999999999.99", "currency": "NOK"},
            "creditorName": format!("Payee {index}"),
            "creditorAccount": {"bban": PAYEE_ACCOUNT, "currency": "NOK"},
            "creditorAddress": {"country": "NO"},
        })
    };
    let order = json!({
        "debtorAccount": {"bban": PAYER_ACCOUNT, "currency": "NOK"},
        "payments": (0..1000).map(entry).collect::<Vec<_>>(),
    });
    let page = question(&world, BULK, &order, "en");
    assert_eq!((page.status(), page.tags("li").len()), (200, 1000));
    page.assert_shows(&["NOK 9,999,999,999,999,990.00", "To Payee 999"]);
}
