//! The engine over seams that fail, refuse and come back.

mod answers;
mod forgetting;
mod host_clock;
mod panicking_host;
mod parts;
mod references;
mod refusals;
mod slow_bank;

use crate::setup::*;
use std::sync::Arc;

use crate::world::products::{bulk, BULK};
use crate::world::*;
use xs2a::bank::{Account, Bank, CardAccount, Party, PaymentStatus, Transaction};
use xs2a::env::LogLevel;
use xs2a::policy::{Environment, Policy};
use xs2a::sandbox::ROOT_PEM;
use xs2a::store::Store;
use xs2a::trust::TrustAnchors;
use xs2a::types::{AccountId, CardAccountId, Context, Currency, Money, TransactionId};
use xs2a::{Engine, EngineBuilder, Error, Response, ScaOutcome};

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
        let setup = Setup::new();
        let fee = Money::parse(amount, Currency::parse(currency).unwrap()).unwrap();
        *setup.bank.fee.lock() = fee;
        let created = accepted(&setup.create());
        let expected = serde_json::json!({"amount": amount, "currency": currency});
        assert_eq!(created["transactionFees"], expected);
        assert_eq!(created["transactionFeeIndicator"], indicator, "{fee:?}");
    }
}

// Building.

#[test]
fn an_engine_that_cannot_be_built_is_a_config_error_naming_the_cause() {
    let setup = Setup::new();
    let bank = |builder: EngineBuilder| builder.bank(Arc::clone(&setup.bank) as Arc<dyn Bank>);
    let store = |builder: EngineBuilder| builder.store(Arc::clone(&setup.store) as Arc<dyn Store>);
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
            Err(Error::Config(error_text)) => assert!(error_text.contains(missing), "{error_text}"),
            other => panic!("{other:?}"),
        }
    }
    assert!(bank(store(trust(Engine::builder()))).build().is_ok());
    let mut policy = Policy::new(Environment::Production);
    policy.sca_origin = "bank.example".to_owned();
    match bank(store(trust(Engine::builder()))).policy(policy).build() {
        Err(Error::Config(error_text)) => {
            assert!(error_text.starts_with("sca_origin: `bank.example`"), "{error_text}")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_end_of_the_last_trust_anchor_is_logged() {
    let kept = Arc::new(Kept::default());
    let setup = Setup::with(|builder| builder.logger(Arc::clone(&kept) as Arc<_>));
    setup.engine.replace_trust_anchors(TrustAnchors::new());
    let [(level, _, error_text)] = std::mem::take(&mut *kept.0.lock()).try_into().unwrap();
    assert_eq!(
        (level, error_text.as_str()),
        (LogLevel::Warn, "there are no trust anchors: every TPP is refused")
    );
}

#[test]
fn production_refuses_what_the_sandbox_warns_of() {
    let setup = Setup::new();
    let order = changed(straks(), &[("/creditorAccount/bban", serde_json::json!("95360573038"))]);
    let response = setup.call("POST", STRAKS, &creation_headers(), order.to_string().as_bytes());
    assert_refused(&response, 400, "FORMAT_ERROR", "/creditorAccount/bban");
    let created = accepted(&World::new().create(STRAKS, &order));
    assert_eq!(text(&created, "/tppMessages/0/category"), "WARNING");
}

#[test]
fn an_engine_over_another_bank_has_none_of_the_routes_of_the_sandbox() {
    let setup = Setup::new();
    for operation in xs2a::internal::SANDBOX_OPERATIONS {
        let response =
            setup.call(operation.method, operation.path.replace(['{', '}'], "").as_str(), &[], b"{}");
        assert_eq!((response.status(), response.reason()), (404, Some("RTE-02")), "{}", operation.name);
        assert_eq!(text(&body(&response), "/tppMessages/0/code"), "NOT_FOUND");
    }
}

#[test]
fn a_bank_performs_an_operation_of_its_own_and_gives_the_answer() {
    let setup = Setup::new();
    let response = setup.call("POST", "/v1/own/7?on=true", &[], b"sent");
    let given = serde_json::json!(["own", ["7"], true, "sent", TPP]);
    assert_eq!((response.status(), response.reason(), body(&response)), (202, None, given));
    assert_eq!(response.header("Location"), Some("/v1/own/made"));
    let refused = setup.call("POST", "/v1/own/unknown", &[], b"");
    assert_eq!((refused.status(), refused.reason()), (404, Some("RTE-02")));
    let method = setup.call("DELETE", "/v1/own/7", &[], b"");
    assert_eq!((method.status(), method.header("Allow")), (405, Some("GET, POST")));
}

#[test]
fn the_request_id_is_stored_before_a_deed_and_not_for_a_question() {
    let setup = Setup::new();
    assert_eq!(setup.call("GET", "/v1/own/7", &[], b"").status(), 202);
    assert_eq!(*setup.store.committed.lock(), 0);
    setup.bank.feel("perform", Mood::Failing);
    assert_system_error(&setup.call("POST", "/v1/own/7", &[], b""), "SYS-02");
    assert_eq!(*setup.store.committed.lock(), 1);
    *setup.store.mood.lock() = Mood::Failing;
    assert_system_error(&setup.call("POST", "/v1/own/7", &[], b""), "SYS-01");
}

// A bank in trouble.

#[test]
fn a_bank_that_fails_while_a_payment_is_created_stores_nothing() {
    for question in ["kid_agreement", "fee"] {
        let setup = Setup::new();
        setup.bank.feel(question, Mood::Failing);
        assert_system_error(&setup.create(), "SYS-02");
        assert_eq!(*setup.store.committed.lock(), 0, "{question}");
        setup.bank.feel(question, Mood::Well);
        // Had it been kept, the second would be a duplicate.
        let again = setup.call("POST", STRAKS, &creation_headers(), straks().to_string().as_bytes());
        assert_eq!(again.status(), 201);
    }
}

#[test]
fn the_bank_is_asked_once_about_each_creditor_of_a_bulk() {
    let setup = Setup::new();
    let mut body = bulk(50);
    body["payments"][49]["creditorAccount"]["bban"] = "12085592767".into();
    let headers = creation_headers();
    let made = setup.call("POST", BULK, &headers, body.to_string().as_bytes());
    assert_eq!(made.status(), 201, "{}", String::from_utf8_lossy(made.body()));
    assert_eq!(setup.bank.creditors.lock().len(), 2);
}

#[test]
fn a_bank_that_fails_for_an_identified_psu_stores_nothing() {
    let setup = Setup::new();
    let created = accepted(&setup.create());
    let redirect = setup.engine.complete_sca(authorisation_id(&created), &approved()).unwrap();
    let psu_id = parameter(&redirect.url, "psu-id").unwrap();
    let committed = *setup.store.committed.lock();
    setup.bank.feel("debtor_account", Mood::Failing);
    let headers = replaced(creation_headers(), &[("PSU-Context", ""), ("PSU-ID", &psu_id)]);
    let response = setup.call("POST", STRAKS, &headers, straks().to_string().as_bytes());
    assert_system_error(&response, "SYS-02");
    assert_eq!(*setup.store.committed.lock(), committed);
}

#[test]
fn a_bank_that_panics_is_answered_for_and_the_engine_goes_on() {
    let setup = Setup::new();
    setup.bank.feel("fee", Mood::Panicking);
    assert_system_error(&setup.create(), "SYS-03");
    setup.bank.feel("fee", Mood::Well);
    accepted(&setup.create());
}

#[test]
fn a_store_that_fails_is_answered_500() {
    let setup = Setup::new();
    *setup.store.mood.lock() = Mood::Failing;
    assert_system_error(&setup.create(), "SYS-01");
    *setup.store.mood.lock() = Mood::Well;
    accepted(&setup.create());
}

#[test]
fn a_bank_that_fails_while_an_sca_is_completed_leaves_the_link_open() {
    let setup = Setup::new();
    let created = accepted(&setup.create());
    let id = authorisation_id(&created);
    setup.bank.feel("debtor_account", Mood::Failing);
    assert!(matches!(setup.engine.complete_sca(id, &approved()), Err(Error::Bank(_))));
    assert!(setup.engine.authorisation(id).unwrap().is_some());
    setup.bank.feel("debtor_account", Mood::Well);
    assert!(setup.engine.complete_sca(id, &approved()).unwrap().approved);
    assert!(matches!(setup.engine.complete_sca(id, &approved()), Err(Error::Expired(_))));
}

#[test]
fn a_bank_that_panics_while_an_sca_is_completed_leaves_the_link_open() {
    let setup = Setup::new();
    let created = accepted(&setup.create());
    let id = authorisation_id(&created);
    let committed = *setup.store.committed.lock();
    setup.bank.feel("debtor_account", Mood::Panicking);
    assert!(matches!(setup.engine.complete_sca(id, &approved()), Err(Error::Internal(_))));
    assert!(setup.engine.authorisation(id).unwrap().is_some());
    assert_eq!(*setup.store.committed.lock(), committed);
    assert_eq!(setup.payment(&created).status, PaymentStatus::Rcvd);
    setup.bank.feel("debtor_account", Mood::Well);
    assert!(setup.engine.complete_sca(id, &approved()).unwrap().approved);
}

#[test]
fn an_answer_about_another_object_is_a_system_error_logged_once() {
    let kept = Arc::new(Kept::default());
    let setup = Setup::with(|builder| builder.logger(Arc::clone(&kept) as Arc<_>));
    let ids = ["1", "2"].map(|last| format!("enc!!{}{last}", "A".repeat(23)));
    *setup.bank.accounts.lock() = ids.iter().map(|id| account(id)).collect();
    *setup.bank.cards.lock() = ids.iter().map(|id| card(id)).collect();
    *setup.bank.transactions.lock() = ids.iter().map(|id| transaction(Some(id))).collect();
    let read = reader(&setup);
    let transactions = format!("accounts/{}/transactions", ids[0]);
    for (question, path, own, place) in [
        ("account", "accounts", "/account/resourceId", "/accountId"),
        ("card_account", "card-accounts", "/cardAccount/resourceId", "/cardAccountId"),
        ("transaction", &transactions, "/transactionsDetails/transactionId", "/transactionId"),
    ] {
        for id in &ids {
            let path = format!("{path}/{id}");
            *setup.bank.mixed_up.lock() = "";
            assert_eq!(text(&body(&read(&path)), own), id, "{path}");
            let committed = *setup.store.committed.lock();
            *setup.bank.mixed_up.lock() = question;
            assert_eq!(logged(&kept), [""; 0]);
            assert_system_error(&read(&path), "SYS-02");
            let error_text = format!("bank's answer: {question}: {place}: is not what was asked for");
            let lines = logged(&kept);
            assert!(lines.len() == 1 && lines[0].ends_with(&format!(" error={error_text:?}")), "{lines:?}");
            assert_eq!(*setup.store.committed.lock(), committed, "{path}");
        }
    }
}

#[test]
fn a_transaction_without_id_is_a_system_error_and_none_is_not_found() {
    let setup = Setup::new();
    let id = format!("enc!!{}", "A".repeat(24));
    *setup.bank.accounts.lock() = vec![account(&id)];
    let read = reader(&setup);
    let path = format!("accounts/{id}/transactions/{id}");
    *setup.bank.mixed_up.lock() = "transaction";
    assert_eq!(read(&path).status(), 404);
    *setup.bank.transactions.lock() = vec![transaction(None)];
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
fn reader(setup: &Setup) -> impl Fn(&str) -> Response + '_ {
    reader_with(setup, &[])
}

/// As [`reader`], with more headers.
fn reader_with<'h>(setup: &'h Setup, more: &'h [(&'h str, &'h str)]) -> impl Fn(&str) -> Response + 'h {
    let headers = [("TPP-Session-ID", "s"), ("TPP-Redirect-URI", REDIRECT_URI), ("x-accept-fix", "")];
    let started = accepted(&setup.call("POST", "/v1/bank-offered-consents", &headers, b""));
    let redirect = setup.engine.complete_sca(authorisation_id(&started), &approved()).unwrap();
    let psu_id = parameter(&redirect.url, "psu-id").unwrap();
    move |path| {
        let identified = replaced(replaced(headers.to_vec(), &[("PSU-ID", &psu_id)]), more);
        setup.call("GET", &format!("/v1/{path}"), &identified, b"")
    }
}

/// What was logged since the last time.
fn logged(kept: &Kept) -> Vec<String> {
    std::mem::take(&mut *kept.0.lock()).into_iter().map(|(_, _, message)| message).collect()
}

// What the bank reports.

#[test]
fn a_report_without_a_transition_is_misuse_and_changes_nothing() {
    let setup = Setup::new();
    let waiting = accepted(&setup.create());
    // Without an SCA there is no way but to the end.
    for status in [PaymentStatus::Pdng, PaymentStatus::Acsp, PaymentStatus::Acsc, PaymentStatus::Part] {
        assert!(matches!(setup.report(&waiting, status, None), Err(Error::Conflict(_))), "{status}");
    }
    assert_eq!(setup.payment(&waiting).status, PaymentStatus::Rcvd);
    let settled = setup.ordered();
    setup.engine.run_due().unwrap();
    for status in [PaymentStatus::Rjct, PaymentStatus::Canc, PaymentStatus::Acsp, PaymentStatus::Rcvd] {
        assert!(matches!(setup.report(&settled, status, None), Err(Error::Conflict(_))), "{status}");
    }
    assert_eq!(setup.payment(&settled).status, PaymentStatus::Acsc);
    for unknown in ["", "x", "enc!!AAAAAAAAAAAAAAAAAAAAAAAA"] {
        let reported = setup.engine.report_payment_status(unknown, PaymentStatus::Rjct, None);
        assert!(matches!(reported, Err(Error::NotFound(_))), "{unknown}");
    }
}

#[test]
fn a_report_may_come_twice_and_may_bring_news_of_the_funds_alone() {
    let setup = Setup::new();
    let created = setup.ordered();
    let events = || setup.store.payments().events(&setup.payment(&created).id).unwrap().len();
    let before = events();
    setup.report(&created, PaymentStatus::Pdng, None).unwrap();
    let untouched = setup.payment(&created);
    setup.report(&created, PaymentStatus::Pdng, Some(true)).unwrap();
    let known = setup.payment(&created);
    assert_eq!((untouched.funds_available, known.funds_available), (None, Some(true)));
    assert_eq!(known.version, untouched.version + 1);
    assert_eq!(events(), before);
    for _ in 0..2 {
        setup.report(&created, PaymentStatus::Acsp, None).unwrap();
        assert_eq!(events(), before + 1);
        assert_eq!(setup.payment(&created).funds_available, Some(true));
    }
}

#[test]
fn a_corporate_customer_belongs_to_the_corporate_context_alone() {
    let setup = Setup::new();
    let headers = replaced(creation_headers(), &[("PSU-Context", "CORPORATE")]);
    let created = accepted(&setup.call("POST", STRAKS, &headers, straks().to_string().as_bytes()));
    let id = authorisation_id(&created);
    for (context, corporate) in [(Context::Corporate, None), (Context::Private, Some("firma"))] {
        let answered = setup.engine.complete_sca(id, &kari(context, corporate));
        assert!(matches!(answered, Err(Error::Misuse(_))), "{answered:?}");
    }
    let redirect = setup.engine.complete_sca(id, &kari(Context::Corporate, Some("firma"))).unwrap();
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
        let setup = Setup::new();
        let created = accepted(&setup.create());
        let redirect = setup.engine.complete_sca(authorisation_id(&created), &outcome).unwrap();
        assert!(!redirect.approved);
        assert_eq!(parameter(&redirect.url, "code").as_deref(), Some(code));
        assert_eq!(setup.payment(&created).status, PaymentStatus::Rcvd);
        assert_eq!(setup.engine.next_due().unwrap(), None);
    }
}

// The TPP's status, checked on every call.

#[test]
fn a_tpp_the_register_does_not_know_is_refused_from_the_next_call_on() {
    let setup = Setup::new();
    accepted(&setup.create());
    setup.registry.say(Ok(false));
    let refused = setup.create();
    assert_refused(&refused, 403, "FORBIDDEN", "");
    assert_eq!(refused.reason(), Some("TPP-01"));
    setup.registry.say(Ok(true));
    accepted(&setup.create());
}

#[test]
fn a_revoked_certificate_is_refused_although_its_chain_is_cached() {
    let setup = Setup::new();
    accepted(&setup.create());
    setup.revocation.say(Ok(true));
    for _ in 0..2 {
        let refused = setup.create();
        assert_refused(&refused, 400, "BAD_REQUEST", "TPP-Signature-Certificate");
    }
    setup.revocation.say(Ok(false));
    accepted(&setup.create());
}

#[test]
fn an_unreachable_register_or_revocation_list_refuses_every_call() {
    let setup = Setup::new();
    let committed = || *setup.store.committed.lock();
    setup.registry.say(Err(()));
    assert_eq!(setup.create().status(), 500);
    setup.registry.say(Ok(true));
    setup.revocation.say(Err(()));
    assert_eq!(setup.create().status(), 500);
    assert_eq!(committed(), 0);
    setup.revocation.say(Ok(false));
    accepted(&setup.create());
}

#[test]
fn a_cached_chain_counts_to_the_last_second_of_its_certificate() {
    let setup = Setup::new();
    accepted(&setup.create());
    setup.clock.set(at("2030-01-01T00:00:00Z")).unwrap();
    accepted(&setup.create());
    setup.clock.set(at("2030-01-01T00:00:01Z")).unwrap();
    assert_refused(&setup.create(), 400, "BAD_REQUEST", "TPP-Signature-Certificate");
}
