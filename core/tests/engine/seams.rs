//! The engine over seams that fail, refuse and come back.

mod answers;
mod forgetting;
mod host_clock;
mod panicking_host;
mod parts;
mod references;
mod refusals;
mod slow_bank;

use crate::house::*;
use std::sync::Arc;

use crate::world::products::{bulk, BULK};
use crate::world::*;
use xs2a::account::record::{Account, CardAccount, Party, Transaction};
use xs2a::bank::Bank;
use xs2a::engine::ScaOutcome;
use xs2a::env::logger::LogLevel;
use xs2a::payment::machine::PaymentStatus;
use xs2a::policy::{Environment, Policy};
use xs2a::sandbox::pki::ROOT_PEM;
use xs2a::store::Store;
use xs2a::tpp::trust::TrustAnchors;
use xs2a::types::{AccountId, CardAccountId, Context, Currency, Money, TransactionId};
use xs2a::{Engine, EngineBuilder, Error, Response};

// What the bank decides.

#[test]
fn the_fee_is_the_banks_in_the_digits_of_its_currency() {
    for (amount, currency, indicator) in [
        ("0.00", "NOK", false),
        ("0.01", "NOK", true),
        ("7", "JPY", true),
        ("0", "JPY", false),
        ("1.250", "KWD", true),
    ] {
        let house = House::new();
        let fee = Money::parse(amount, Currency::parse(currency).unwrap()).unwrap();
        *house.bank.fee.lock() = fee;
        let created = accepted(&house.create());
        let expected = serde_json::json!({"amount": amount, "currency": currency});
        assert_eq!(created["transactionFees"], expected);
        assert_eq!(created["transactionFeeIndicator"], indicator, "{fee:?}");
    }
}

// Building.

#[test]
fn an_engine_that_cannot_be_built_is_a_configuration_error_that_names_what_is_missing_or_wrong() {
    let house = House::new();
    let bank = |builder: EngineBuilder| builder.bank(Arc::clone(&house.bank) as Arc<dyn Bank>);
    let store = |builder: EngineBuilder| builder.store(Arc::clone(&house.store) as Arc<dyn Store>);
    let anchors = TrustAnchors::from_bundle(ROOT_PEM.as_bytes()).unwrap();
    let trust = |builder: EngineBuilder| builder.trust_anchors(anchors.clone());
    for (builder, missing) in [
        (store(trust(Engine::builder())), "a bank"),
        (bank(trust(Engine::builder())), "a store"),
        (bank(store(Engine::builder())), "trust anchors"),
        (bank(store(Engine::builder())).trust_anchors(TrustAnchors::new()), "trust anchors"),
        (Engine::builder(), "a bank"),
    ] {
        match builder.build() {
            Err(Error::Config(told)) => assert!(told.contains(missing), "{told}"),
            other => panic!("{other:?}"),
        }
    }
    assert!(bank(store(trust(Engine::builder()))).build().is_ok());
    let mut policy = Policy::new(Environment::Production);
    policy.sca_origin = "bank.example".to_owned();
    match bank(store(trust(Engine::builder()))).policy(policy).build() {
        Err(Error::Config(told)) => assert!(told.starts_with("sca_origin: `bank.example`"), "{told}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn that_nobody_is_trusted_any_more_is_logged() {
    let kept = Arc::new(Kept::default());
    let house = House::with(|builder| builder.logger(Arc::clone(&kept) as Arc<_>));
    house.engine.replace_trust_anchors(TrustAnchors::new());
    let [(level, _, told)] = std::mem::take(&mut *kept.0.lock()).try_into().unwrap();
    assert_eq!((level, told.as_str()), (LogLevel::Warn, "there are no trust anchors: every TPP is refused"));
}

#[test]
fn production_refuses_what_the_sandbox_warns_of() {
    let house = House::new();
    let order = changed(straks(), &[("/creditorAccount/bban", serde_json::json!("95360573038"))]);
    let response = house.call("POST", STRAKS, &creation_headers(), order.to_string().as_bytes());
    assert_refused(&response, 400, "FORMAT_ERROR", "/creditorAccount/bban");
    let created = accepted(&World::new().create(STRAKS, &order));
    assert_eq!(text(&created, "/tppMessages/0/category"), "WARNING");
}

#[test]
fn an_engine_over_another_bank_has_none_of_the_routes_of_the_sandbox() {
    let house = House::new();
    for operation in xs2a::sandbox::management::OPERATIONS {
        let response =
            house.call(operation.method, operation.path.replace(['{', '}'], "").as_str(), &[], b"{}");
        assert_eq!((response.status(), response.reason()), (404, Some("RTE-02")), "{}", operation.name);
        assert_eq!(text(&body(&response), "/tppMessages/0/code"), "NOT_FOUND");
    }
}

#[test]
fn a_bank_performs_an_operation_of_its_own_and_gives_the_answer() {
    let house = House::new();
    let response = house.call("POST", "/v1/own/7?on=true", &[], b"sent");
    let given = serde_json::json!(["own", ["7"], true, "sent", TPP]);
    assert_eq!((response.status(), response.reason(), body(&response)), (202, None, given));
    assert_eq!(response.header("Location"), Some("/v1/own/made"));
    let refused = house.call("POST", "/v1/own/unknown", &[], b"");
    assert_eq!((refused.status(), refused.reason()), (404, Some("RTE-02")));
    let method = house.call("DELETE", "/v1/own/7", &[], b"");
    assert_eq!((method.status(), method.header("Allow")), (405, Some("GET, POST")));
}

#[test]
fn the_request_id_is_kept_before_the_bank_changes_anything_and_not_where_it_only_reads() {
    let house = House::new();
    assert_eq!(house.call("GET", "/v1/own/7", &[], b"").status(), 202);
    assert_eq!(*house.store.committed.lock(), 0);
    house.bank.feel("perform", Mood::Failing);
    assert_system_error(&house.call("POST", "/v1/own/7", &[], b""), "SYS-02");
    assert_eq!(*house.store.committed.lock(), 1);
    *house.store.mood.lock() = Mood::Failing;
    assert_system_error(&house.call("POST", "/v1/own/7", &[], b""), "SYS-01");
}

// A bank in trouble.

#[test]
fn a_bank_that_fails_while_a_payment_is_created_stores_nothing() {
    for question in ["kid_agreement", "fee"] {
        let house = House::new();
        house.bank.feel(question, Mood::Failing);
        assert_system_error(&house.create(), "SYS-02");
        assert_eq!(*house.store.committed.lock(), 0, "{question}");
        house.bank.feel(question, Mood::Well);
        // Had it been kept, the second would be a duplicate.
        let again = house.call("POST", STRAKS, &creation_headers(), straks().to_string().as_bytes());
        assert_eq!(again.status(), 201);
    }
}

#[test]
fn the_bank_is_asked_once_about_each_creditor_of_a_bulk() {
    let house = House::new();
    let mut body = bulk(50);
    body["payments"][49]["creditorAccount"]["bban"] = "12085592767".into();
    let headers = creation_headers();
    let made = house.call("POST", BULK, &headers, body.to_string().as_bytes());
    assert_eq!(made.status(), 201, "{}", String::from_utf8_lossy(made.body()));
    assert_eq!(house.bank.creditors.lock().len(), 2);
}

#[test]
fn a_bank_that_fails_for_an_identified_psu_stores_nothing() {
    let house = House::new();
    let created = accepted(&house.create());
    let redirect = house.engine.complete_sca(authorisation_id(&created), &approved()).unwrap();
    let psu_id = parameter(&redirect.url, "psu-id").unwrap();
    let committed = *house.store.committed.lock();
    house.bank.feel("debtor_account", Mood::Failing);
    let headers = replaced(creation_headers(), &[("PSU-Context", ""), ("PSU-ID", &psu_id)]);
    let response = house.call("POST", STRAKS, &headers, straks().to_string().as_bytes());
    assert_system_error(&response, "SYS-02");
    assert_eq!(*house.store.committed.lock(), committed);
}

#[test]
fn a_bank_that_panics_is_answered_for_and_the_engine_goes_on() {
    let house = House::new();
    house.bank.feel("fee", Mood::Panicking);
    assert_system_error(&house.create(), "SYS-03");
    house.bank.feel("fee", Mood::Well);
    accepted(&house.create());
}

#[test]
fn a_store_that_fails_is_answered_500() {
    let house = House::new();
    *house.store.mood.lock() = Mood::Failing;
    assert_system_error(&house.create(), "SYS-01");
    *house.store.mood.lock() = Mood::Well;
    accepted(&house.create());
}

#[test]
fn a_bank_that_fails_while_an_sca_is_completed_leaves_the_link_open() {
    let house = House::new();
    let created = accepted(&house.create());
    let id = authorisation_id(&created);
    house.bank.feel("debtor_account", Mood::Failing);
    assert!(matches!(house.engine.complete_sca(id, &approved()), Err(Error::Bank(_))));
    assert!(house.engine.authorisation(id).unwrap().is_some());
    house.bank.feel("debtor_account", Mood::Well);
    assert!(house.engine.complete_sca(id, &approved()).unwrap().approved);
    assert!(matches!(house.engine.complete_sca(id, &approved()), Err(Error::Misuse(_))));
}

#[test]
fn a_bank_that_panics_while_an_sca_is_completed_leaves_the_link_open() {
    let house = House::new();
    let created = accepted(&house.create());
    let id = authorisation_id(&created);
    let committed = *house.store.committed.lock();
    house.bank.feel("debtor_account", Mood::Panicking);
    assert!(matches!(house.engine.complete_sca(id, &approved()), Err(Error::Internal(_))));
    assert!(house.engine.authorisation(id).unwrap().is_some());
    assert_eq!(*house.store.committed.lock(), committed);
    assert_eq!(house.payment(&created).status, PaymentStatus::Rcvd);
    house.bank.feel("debtor_account", Mood::Well);
    assert!(house.engine.complete_sca(id, &approved()).unwrap().approved);
}

#[test]
fn a_bank_that_answers_for_another_thing_of_the_same_psu_is_a_system_error_logged_once_that_counts_nothing() {
    let kept = Arc::new(Kept::default());
    let house = House::with(|builder| builder.logger(Arc::clone(&kept) as Arc<_>));
    let ids = ["1", "2"].map(|last| format!("enc!!{}{last}", "A".repeat(23)));
    *house.bank.accounts.lock() = ids.iter().map(|id| account(id)).collect();
    *house.bank.cards.lock() = ids.iter().map(|id| card(id)).collect();
    *house.bank.transactions.lock() = ids.iter().map(|id| transaction(Some(id))).collect();
    let read = reader(&house);
    let transactions = format!("accounts/{}/transactions", ids[0]);
    for (question, path, own, place) in [
        ("account", "accounts", "/account/resourceId", "/accountId"),
        ("card_account", "card-accounts", "/cardAccount/resourceId", "/cardAccountId"),
        ("transaction", &transactions, "/transactionsDetails/transactionId", "/transactionId"),
    ] {
        for id in &ids {
            let path = format!("{path}/{id}");
            *house.bank.mixed_up.lock() = "";
            assert_eq!(text(&body(&read(&path)), own), id, "{path}");
            let committed = *house.store.committed.lock();
            *house.bank.mixed_up.lock() = question;
            assert_eq!(logged(&kept), [""; 0]);
            assert_system_error(&read(&path), "SYS-02");
            let told = format!("bank's answer: {question}: {place}: is not what was asked for");
            let lines = logged(&kept);
            assert!(lines.len() == 1 && lines[0].ends_with(&format!(" error={told}")), "{lines:?}");
            assert_eq!(*house.store.committed.lock(), committed, "{path}");
        }
    }
}

#[test]
fn a_bank_that_answers_a_transaction_without_an_id_for_one_is_a_system_error_and_none_is_not_found() {
    let house = House::new();
    let id = format!("enc!!{}", "A".repeat(24));
    *house.bank.accounts.lock() = vec![account(&id)];
    let read = reader(&house);
    let path = format!("accounts/{id}/transactions/{id}");
    *house.bank.mixed_up.lock() = "transaction";
    assert_eq!(read(&path).status(), 404);
    *house.bank.transactions.lock() = vec![transaction(None)];
    assert_system_error(&read(&path), "SYS-02");
}

fn account(id: &str) -> Account {
    Account {
        id: AccountId::parse(id).unwrap(),
        bban: None,
        iban: None,
        bic: None,
        currency: Currency::NOK,
        name: None,
        product: None,
        cash_account_type: None,
    }
}

fn card(id: &str) -> CardAccount {
    CardAccount {
        id: CardAccountId::parse(id).unwrap(),
        masked_pan: "5413********1234".to_owned(),
        currency: Currency::NOK,
        name: None,
        product: None,
        credit_limit: None,
    }
}

fn transaction(id: Option<&str>) -> Transaction {
    Transaction {
        id: id.map(|id| TransactionId::parse(id).unwrap()),
        end_to_end_id: None,
        booking_date: None,
        value_date: None,
        amount: Money::zero(Currency::NOK),
        exchange: None,
        creditor: Party::default(),
        debtor: Party::default(),
        unstructured: None,
        structured: Vec::new(),
        purpose_code: None,
        bank_transaction_code: None,
        proprietary_code: None,
    }
}

/// Reads what its PSU opened: everything that the bank has at this time.
fn reader(house: &House) -> impl Fn(&str) -> Response + '_ {
    reader_with(house, &[])
}

/// As [`reader`], with more headers.
fn reader_with<'h>(house: &'h House, more: &'h [(&'h str, &'h str)]) -> impl Fn(&str) -> Response + 'h {
    let headers = [("TPP-Session-ID", "s"), ("TPP-Redirect-URI", REDIRECT_URI), ("x-accept-fix", "")];
    let started = accepted(&house.call("POST", "/v1/bank-offered-consents", &headers, b""));
    let redirect = house.engine.complete_sca(authorisation_id(&started), &approved()).unwrap();
    let psu_id = parameter(&redirect.url, "psu-id").unwrap();
    move |path| {
        let identified = replaced(replaced(headers.to_vec(), &[("PSU-ID", &psu_id)]), more);
        house.call("GET", &format!("/v1/{path}"), &identified, b"")
    }
}

/// What was logged since the last time.
fn logged(kept: &Kept) -> Vec<String> {
    std::mem::take(&mut *kept.0.lock()).into_iter().map(|(_, _, message)| message).collect()
}

// What the bank reports.

#[test]
fn a_report_the_machine_has_no_row_for_is_the_hosts_mistake_and_changes_nothing() {
    let house = House::new();
    let waiting = accepted(&house.create());
    // Without an SCA there is no way but to the end.
    for status in [PaymentStatus::Pdng, PaymentStatus::Acsp, PaymentStatus::Acsc, PaymentStatus::Part] {
        assert!(matches!(house.report(&waiting, status, None), Err(Error::Misuse(_))), "{status}");
    }
    assert_eq!(house.payment(&waiting).status, PaymentStatus::Rcvd);
    let settled = house.ordered();
    house.engine.run_due().unwrap();
    for status in [PaymentStatus::Rjct, PaymentStatus::Canc, PaymentStatus::Acsp, PaymentStatus::Rcvd] {
        assert!(matches!(house.report(&settled, status, None), Err(Error::Misuse(_))), "{status}");
    }
    assert_eq!(house.payment(&settled).status, PaymentStatus::Acsc);
    for unknown in ["", "x", "enc!!AAAAAAAAAAAAAAAAAAAAAAAA"] {
        let reported = house.engine.report_payment_status(unknown, PaymentStatus::Rjct, None);
        assert!(matches!(reported, Err(Error::Misuse(_))), "{unknown}");
    }
}

#[test]
fn a_report_may_come_twice_and_may_bring_news_of_the_funds_alone() {
    let house = House::new();
    let created = house.ordered();
    let events = || house.store.payments().events(&house.payment(&created).id).unwrap().len();
    let before = events();
    house.report(&created, PaymentStatus::Pdng, None).unwrap();
    let untouched = house.payment(&created);
    house.report(&created, PaymentStatus::Pdng, Some(true)).unwrap();
    let known = house.payment(&created);
    assert_eq!((untouched.funds_available, known.funds_available), (None, Some(true)));
    assert_eq!(known.version, untouched.version + 1);
    assert_eq!(events(), before);
    for _ in 0..2 {
        house.report(&created, PaymentStatus::Acsp, None).unwrap();
        assert_eq!(events(), before + 1);
        assert_eq!(house.payment(&created).funds_available, Some(true));
    }
}

#[test]
fn a_corporate_customer_belongs_to_the_corporate_context_alone() {
    let house = House::new();
    let headers = replaced(creation_headers(), &[("PSU-Context", "CORPORATE")]);
    let created = accepted(&house.call("POST", STRAKS, &headers, straks().to_string().as_bytes()));
    let id = authorisation_id(&created);
    for (context, corporate) in [(Context::Corporate, None), (Context::Private, Some("firma"))] {
        let answered = house.engine.complete_sca(id, &kari(context, corporate));
        assert!(matches!(answered, Err(Error::Misuse(_))), "{answered:?}");
    }
    let redirect = house.engine.complete_sca(id, &kari(Context::Corporate, Some("firma"))).unwrap();
    assert!(parameter(&redirect.url, "psu-corporate-id").is_some());
}

#[test]
fn each_way_an_sca_can_fail_has_its_code() {
    for (outcome, code) in [
        (ScaOutcome::Aborted, "SCA_INVALID"),
        (ScaOutcome::Failed, "SCA_INVALID"),
        (ScaOutcome::PsuUnknown, "PSU_CREDENTIALS_INVALID"),
        (ScaOutcome::OtherPsu, "PSU_CREDENTIALS_INVALID"),
    ] {
        let house = House::new();
        let created = accepted(&house.create());
        let redirect = house.engine.complete_sca(authorisation_id(&created), &outcome).unwrap();
        assert!(!redirect.approved);
        assert_eq!(parameter(&redirect.url, "code").as_deref(), Some(code));
        assert_eq!(house.payment(&created).status, PaymentStatus::Rcvd);
        assert_eq!(house.engine.next_due().unwrap(), None);
    }
}

// The TPP's status, checked on every call.

#[test]
fn a_tpp_the_register_does_not_know_is_refused_from_the_next_call_on() {
    let house = House::new();
    accepted(&house.create());
    house.registry.say(Ok(false));
    let refused = house.create();
    assert_refused(&refused, 403, "FORBIDDEN", "");
    assert_eq!(refused.reason(), Some("TPP-01"));
    house.registry.say(Ok(true));
    accepted(&house.create());
}

#[test]
fn a_certificate_is_refused_from_the_call_after_its_revocation_on_though_its_chain_is_remembered() {
    let house = House::new();
    accepted(&house.create());
    house.revocation.say(Ok(true));
    for _ in 0..2 {
        let refused = house.create();
        assert_refused(&refused, 400, "BAD_REQUEST", "TPP-Signature-Certificate");
    }
    house.revocation.say(Ok(false));
    accepted(&house.create());
}

#[test]
fn a_register_or_revocation_list_out_of_reach_lets_nobody_in() {
    let house = House::new();
    let committed = || *house.store.committed.lock();
    house.registry.say(Err(()));
    assert_eq!(house.create().status(), 500);
    house.registry.say(Ok(true));
    house.revocation.say(Err(()));
    assert_eq!(house.create().status(), 500);
    assert_eq!(committed(), 0);
    house.revocation.say(Ok(false));
    accepted(&house.create());
}

#[test]
fn a_certificate_counts_to_its_last_second_and_its_remembered_chain_no_longer() {
    let house = House::new();
    accepted(&house.create());
    house.clock.set(at("2030-01-01T00:00:00Z")).unwrap();
    accepted(&house.create());
    house.clock.set(at("2030-01-01T00:00:01Z")).unwrap();
    assert_refused(&house.create(), 400, "BAD_REQUEST", "TPP-Signature-Certificate");
}
