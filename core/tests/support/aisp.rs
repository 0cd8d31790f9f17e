//! An account information service and its short ways to call.

use serde_json::Value;
use xs2a::{Response, ScaAnswer};

use crate::support::world::{
    body, link, parameter, replaced, straks, text, World, PAYER, PAYER_ACCOUNT, REDIRECT_URI, STRAKS,
};

/// The session that [`Aisp::new`] opens.
pub(crate) const SESSION: &str = "session-a";
pub(crate) const OTHER_ACCOUNT: &str = "95360573010";

/// What a call is sent with beside the usual headers, or in their place; an empty value leaves one out.
pub(crate) type With<'h> = &'h [(&'h str, &'h str)];

/// A TPP to which a PSU has opened accounts.
#[derive(Clone)]
pub(crate) struct Aisp {
    pub(crate) world: World,
    pub(crate) psu_id: String,
    pub(crate) corporate_id: Option<String>,
}

impl Aisp {
    /// The payer opens everything, at 2026-09-01T10:00:00Z.
    pub(crate) fn new() -> Self {
        Self::of(World::new(), &ScaAnswer::approve(PAYER))
    }

    /// A PSU gives access to accounts under [`SESSION`].
    pub(crate) fn of(world: World, answer: &ScaAnswer) -> Self {
        let callback = consent(&world, SESSION, answer);
        let psu_id = parameter(&callback, "psu-id").unwrap_or_else(|| panic!("{callback}"));
        Self { world, psu_id, corporate_id: parameter(&callback, "psu-corporate-id") }
    }

    /// The payer opens everything, having paid and been paid 250 before.
    pub(crate) fn with_history() -> Self {
        let world = World::new();
        world.pay(STRAKS, &straks(), PAYER);
        Self::of(world, &ScaAnswer::approve(PAYER))
    }

    /// Reads while the PSU is there, under the session.
    pub(crate) fn get(&self, target: &str) -> Response {
        self.get_with(target, &[])
    }

    /// As [`Aisp::get`], with other headers.
    pub(crate) fn get_with(&self, target: &str, with: With<'_>) -> Response {
        self.world.call("GET", target, &replaced(self.headers(), with), b"")
    }

    /// Reads without the PSU.
    pub(crate) fn get_alone(&self, target: &str) -> Response {
        self.get_with(target, &[("PSU-IP-Address", "")])
    }

    pub(crate) fn headers(&self) -> Vec<(&str, &str)> {
        let mut headers = vec![
            ("x-accept-fix", ""),
            ("TPP-Session-ID", SESSION),
            ("TPP-Redirect-URI", REDIRECT_URI),
            ("PSU-ID", self.psu_id.as_str()),
            ("PSU-IP-Address", "192.0.2.1"),
        ];
        headers.extend(self.corporate_id.as_deref().map(|id| ("PSU-Corporate-ID", id)));
        headers
    }

    /// The id of an account by its bban.
    pub(crate) fn account(&self, bban: &str) -> String {
        let accounts = answered(&self.get("/v1/accounts"));
        let found = accounts["accounts"].as_array().unwrap().iter().find(|account| account["bban"] == bban);
        text(found.unwrap_or_else(|| panic!("{bban} in {accounts}")), "/resourceId").to_owned()
    }

    /// The path of the payer's first account.
    pub(crate) fn account_path(&self) -> String {
        format!("/v1/accounts/{}", self.account(PAYER_ACCOUNT))
    }

    /// The path of the payer's card account.
    pub(crate) fn card_path(&self) -> String {
        let cards = answered(&self.get("/v1/card-accounts"));
        format!("/v1/card-accounts/{}", text(&cards, "/cardAccounts/0/resourceId"))
    }

    /// The path of the newest transaction on the payer's first account.
    pub(crate) fn transaction_path(&self) -> String {
        let account = self.account_path();
        let list = answered(&self.get(&format!("{account}/transactions?bookingStatus=booked")));
        format!("{account}/transactions/{}", text(&list, "/transactions/booked/0/transactionId"))
    }

    /// Every path that can be read, once each.
    pub(crate) fn paths(&self) -> Vec<String> {
        let (account, card) = (self.account_path(), self.card_path());
        vec![
            "/v1/accounts".to_owned(),
            account.clone(),
            format!("{account}/balances"),
            format!("{account}/transactions?bookingStatus=both"),
            self.transaction_path(),
            "/v1/card-accounts".to_owned(),
            card.clone(),
            format!("{card}/balances"),
            format!("{card}/transactions?bookingStatus=both"),
        ]
    }
}

/// A consent SCA under a session. The call-back.
pub(crate) fn consent(world: &World, session: &str, answer: &ScaAnswer) -> String {
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", session)];
    let started = world.call("POST", "/v1/bank-offered-consents", &headers, b"");
    assert_eq!(started.status(), 201, "{}", body(&started));
    world.answer(&body(&started), answer)
}

/// A payment SCA under a session, of one krone.
pub(crate) fn pay(world: &World, session: &str) {
    let mut order = straks();
    order["remittanceInformationUnstructured"] = session.into();
    let created = world.create_with(STRAKS, &[("TPP-Session-ID", session)], &order);
    assert_eq!(created.status(), 201, "{}", body(&created));
    let callback = world.answer(&body(&created), &ScaAnswer::approve(PAYER));
    assert_eq!(parameter(&callback, "code"), None, "{callback}");
}

/// The PSU opens these accounts alone.
pub(crate) fn choosing(accounts: &[&str], answer: ScaAnswer) -> ScaAnswer {
    ScaAnswer { accounts: Some(accounts.iter().map(|number| (*number).to_owned()).collect()), ..answer }
}

/// The body of a 200.
#[track_caller]
pub(crate) fn answered(response: &Response) -> Value {
    assert_eq!((response.status(), response.reason()), (200, None), "{}", body(response));
    body(response)
}

/// Asserts a refusal with a link to an SCA.
#[track_caller]
pub(crate) fn assert_needs_sca(response: &Response, status: u16, code: &str) {
    let refusal = body(response);
    let found = (response.status(), text(&refusal, "/tppMessages/0/code"));
    assert_eq!(found, (status, code), "{:?} {refusal}", response.reason());
    assert!(link(&refusal).starts_with("https://"), "{refusal}");
    assert_eq!(refusal["_links"]["scaRedirect"]["verbs"], serde_json::json!(["GET"]));
}

/// Asserts a refusal without a link.
#[track_caller]
pub(crate) fn assert_refused(response: &Response, status: u16, code: &str) {
    let refusal = body(response);
    let found = (response.status(), text(&refusal, "/tppMessages/0/code"));
    assert_eq!(found, (status, code), "{:?} {refusal}", response.reason());
    assert_eq!(refusal.get("_links"), None, "{refusal}");
}

/// The numbers of the accounts in an answer.
pub(crate) fn bbans(response: &Response) -> Vec<String> {
    let accounts = answered(response);
    let accounts = accounts["accounts"].as_array().unwrap();
    accounts.iter().map(|account| text(account, "/bban").to_owned()).collect()
}
