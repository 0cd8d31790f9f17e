//! What the tests of the whole engine share: a sandbox at a fixed time, a TPP, and short ways to call.

pub mod answer;
pub mod authority;
pub mod baskets;
pub mod draft;
pub mod products;

use serde_json::{json, Value};
use xs2a::{Request, Response, Sandbox, SandboxOptions, ScaAnswer, TestTpp};

pub const STRAKS: &str = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks";
pub const CROSS_BORDER: &str = "/v1/payments/norwegian-cross-border-credit-transfers";
pub const PAYER: &str = "13039319955";
pub const PAYEE: &str = "12085592767";
pub const PAYER_ACCOUNT: &str = "95360573002";
pub const PAYEE_ACCOUNT: &str = "95360573037";
pub const REDIRECT_URI: &str = "https://tpp.example/callback?state=42";

/// A sandbox at 2026-09-01T10:00:00Z with one TPP that has both roles.
pub struct World {
    pub sandbox: Sandbox,
    pub tpp: TestTpp,
}

impl World {
    pub fn new() -> Self {
        Self::with(SandboxOptions::default())
    }

    pub fn with_policy(policy: &str) -> Self {
        Self::with(SandboxOptions { policy: Some(policy.to_owned()), ..SandboxOptions::default() })
    }

    pub fn with(options: SandboxOptions) -> Self {
        let now = options.now.unwrap_or_else(|| "2026-09-01T10:00:00Z".parse().unwrap());
        let sandbox = Sandbox::open(&SandboxOptions { now: Some(now), seed: 1, ..options }).unwrap();
        let tpp = sandbox.register_tpp("Acme Pay", &["AISP", "PISP"]).unwrap();
        Self { sandbox, tpp }
    }

    /// Signs and sends.
    pub fn call(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        send(&self.sandbox, method, target, &self.signed(method, target, headers, body), body)
    }

    pub fn signed(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Vec<(String, String)> {
        self.tpp.sign(method, target, &self.dated(headers), body).unwrap()
    }

    /// Creates a payment as a single SCA.
    pub fn create(&self, target: &str, body: &Value) -> Response {
        self.call("POST", target, &creation_headers(), body.to_string().as_bytes())
    }

    pub fn get(&self, target: &str) -> Response {
        self.call("GET", target, &plain_headers(), b"")
    }

    pub fn ledger(&self, account: &str) -> Value {
        serde_json::from_str(&self.sandbox.ledger(account).unwrap()).unwrap()
    }
}

pub fn send(
    sandbox: &Sandbox,
    method: &str,
    target: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> Response {
    let headers: Vec<(&str, &[u8])> =
        headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    sandbox.handle(&Request { method, target, headers: &headers, body, correlation_id: None })
}

pub fn owned(headers: &[(&str, &str)]) -> Vec<(String, String)> {
    headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// What a creation with a single SCA sends beside its signature.
pub fn creation_headers() -> Vec<(&'static str, &'static str)> {
    vec![
        ("x-accept-fix", ""),
        ("TPP-Session-ID", "session-1"),
        ("TPP-Redirect-URI", REDIRECT_URI),
        ("PSU-Context", "PRIVATE"),
        ("PSU-IP-Address", "192.0.2.1"),
        ("Content-Type", "application/json"),
    ]
}

pub fn plain_headers() -> Vec<(&'static str, &'static str)> {
    vec![("TPP-Redirect-URI", REDIRECT_URI)]
}

pub fn straks() -> Value {
    json!({
        "instructedAmount": {"amount": "250.00", "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": PAYEE_ACCOUNT, "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "debtorAccount": {"bban": PAYER_ACCOUNT, "currency": "NOK"},
        "remittanceInformationUnstructured": "Invoice 1001",
    })
}

pub fn cross_border() -> Value {
    json!({
        "instructedAmount": {"amount": "100.00", "currency": "EUR"},
        "creditorName": "Fiktiv Handel GmbH",
        "creditorAgent": "DEUTDEFF",
        "creditorAccount": {"iban": "DE89370400440532013000", "currency": "EUR"},
        "creditorAddress": {"townName": "Berlin", "country": "DE"},
        "debtorAccount": {"bban": PAYER_ACCOUNT, "currency": "NOK"},
    })
}

pub fn body(response: &Response) -> Value {
    serde_json::from_slice(response.body()).unwrap()
}

pub fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{pointer} in {value}"))
}

/// The private person who acts for two companies, and an account of the first.
pub const PROXY: &str = "01085800481";
pub const PROXY_ACCOUNT: &str = "95360573061";
pub const COMPANY_AGREEMENT: &str = "Nettbank bedrift Fiktiv Handel AS";
pub const COMPANY_ACCOUNT: &str = "95360573118";
pub const OTHER_COMPANY_AGREEMENT: &str = "Nettbank bedrift Oppdiktet Fisk AS";
pub const OTHER_COMPANY_ACCOUNT: &str = "95360573134";
/// The account in EUR, of [`PAYEE`].
pub const EUR_ACCOUNT: &str = "95360573045";
/// The card account of [`PAYER`] by its two names.
pub const PAYER_CARD: &str = "95360573029";
pub const PAYER_CARD_MASKED: &str = "123456******0001";

impl World {
    /// A world on a database file.
    pub fn on_file(path: &std::path::Path) -> Self {
        Self::with(SandboxOptions { database: Some(path.to_owned()), ..SandboxOptions::default() })
    }

    /// As [`World::call`], by another TPP.
    pub fn call_by(
        &self,
        tpp: &TestTpp,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Response {
        let signed = tpp.sign(method, target, &self.dated(headers), body).unwrap();
        send(&self.sandbox, method, target, &signed, body)
    }

    /// The headers with a `Date` of this sandbox: the TPP may have been made by another one.
    fn dated(&self, headers: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut dated = owned(headers);
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("Date")) {
            let now = xs2a::internal::format_http_date(self.sandbox.now());
            dated.push(("Date".to_owned(), now));
        }
        dated
    }

    /// As [`World::create`], with some headers in the place of the usual ones; an empty value leaves one out.
    pub fn create_with(&self, target: &str, headers: &[(&str, &str)], body: &Value) -> Response {
        self.call("POST", target, &replaced(creation_headers(), headers), body.to_string().as_bytes())
    }

    /// Creates a payment of an identified PSU: an explicit start.
    pub fn create_for(&self, psu_id: &str, target: &str, body: &Value) -> Response {
        self.create_with(target, &[("PSU-Context", ""), ("PSU-ID", psu_id)], body)
    }

    /// Starts an authorisation of a payment by a single SCA.
    pub fn start(&self, created: &Value) -> Response {
        self.start_with(created, &[])
    }

    pub fn start_with(&self, created: &Value, headers: &[(&str, &str)]) -> Response {
        let target = format!("{}/authorisations", text(created, "/_links/self/href"));
        self.call("POST", &target, &replaced(creation_headers(), headers), b"")
    }

    /// The PSU answers the link of an answer. The call-back's URL.
    pub fn answer(&self, answered: &Value, answer: &ScaAnswer) -> String {
        self.sandbox.authorise(link(answered), answer).unwrap()
    }

    /// Creates a payment as a single SCA and lets its PSU approve. The answer to the creation.
    pub fn pay(&self, target: &str, order: &Value, customer_number: &str) -> Value {
        let created = accepted(&self.create(target, order));
        let callback = self.answer(&created, &ScaAnswer::approve(customer_number));
        assert_eq!(parameter(&callback, "code"), None, "{callback}");
        created
    }

    /// The status of a payment.
    pub fn status(&self, created: &Value) -> Value {
        let response = self.get(text(created, "/_links/status/href"));
        assert_eq!(response.status(), 200, "{}", body(&response));
        body(&response)
    }

    pub fn transaction_status(&self, created: &Value) -> String {
        text(&self.status(created), "/transactionStatus").to_owned()
    }

    /// A PSU-ID, from a first payment of one krone between the PSU's own accounts.
    pub fn psu_id(&self, customer_number: &str, from: &str, to: &str) -> String {
        let mut order = straks();
        order["instructedAmount"]["amount"] = "1.00".into();
        order["debtorAccount"]["bban"] = from.into();
        order["creditorAccount"]["bban"] = to.into();
        order["remittanceInformationUnstructured"] = "a first payment".into();
        let created = accepted(&self.create(STRAKS, &order));
        let callback = self.answer(&created, &ScaAnswer::approve(customer_number));
        parameter(&callback, "psu-id").unwrap_or_else(|| panic!("{callback}"))
    }

    /// The PSU-ID of [`PAYER`].
    pub fn payer_id(&self) -> String {
        self.psu_id(PAYER, "95360573010", PAYER_ACCOUNT)
    }

    pub fn balance(&self, account: &str) -> String {
        text(&self.ledger(account), "/balance/amount").to_owned()
    }

    /// The amounts booked on an account, the newest first.
    pub fn booked(&self, account: &str) -> Vec<String> {
        let ledger = self.ledger(account);
        let bookings = ledger["bookings"].as_array().unwrap();
        bookings.iter().map(|booking| text(booking, "/amount").to_owned()).collect()
    }

    pub fn set_now(&self, time: &str) {
        self.sandbox.set_now(at(time)).unwrap();
    }

    /// Nothing is lost and nothing made.
    pub fn assert_reconciled(&self) {
        assert_eq!(self.sandbox.reconcile().unwrap(), []);
    }
}

impl Clone for World {
    fn clone(&self) -> Self {
        Self { sandbox: self.sandbox.fork().unwrap(), tpp: self.tpp.clone() }
    }
}

/// Headers with others in their place; an empty value leaves one out.
pub fn replaced<'h>(
    headers: Vec<(&'h str, &'h str)>,
    with: &[(&'h str, &'h str)],
) -> Vec<(&'h str, &'h str)> {
    let is_replaced = |name: &str| with.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
    let kept = headers.into_iter().filter(|(name, _)| !is_replaced(name));
    kept.chain(with.iter().copied().filter(|(_, value)| !value.is_empty())).collect()
}

/// The body of a 201.
pub fn accepted(response: &Response) -> Value {
    assert_eq!((response.status(), response.reason()), (201, None), "{}", body(response));
    body(response)
}

/// Status, our reason, and code and path of the first message.
pub fn refused(response: &Response) -> (u16, &'static str, String, String) {
    let answered = body(response);
    let text = |pointer| answered.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let reason = response.reason().unwrap_or_default();
    (response.status(), reason, text("/tppMessages/0/code"), text("/tppMessages/0/path"))
}

#[track_caller]
pub fn assert_refused(response: &Response, status: u16, code: &str, path: &str) {
    let (found_status, reason, found_code, found_path) = refused(response);
    assert_eq!((found_status, found_code.as_str(), found_path.as_str()), (status, code, path), "{reason}");
}

/// The scaRedirect of an answer.
pub fn link(answered: &Value) -> &str {
    text(answered, "/_links/scaRedirect/href")
}

/// The query parameters of a URL, decoded, in their order.
pub fn parameters(url: &str) -> Vec<(String, String)> {
    let query = url.split_once('?').map_or("", |(_, query)| query).split('#').next().unwrap_or_default();
    let decoded = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned();
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

pub fn parameter(url: &str, name: &str) -> Option<String> {
    parameters(url).into_iter().find(|(found, _)| found == name).map(|(_, value)| value)
}

pub fn at(time: &str) -> chrono::DateTime<chrono::Utc> {
    time.parse().unwrap()
}

/// An order with other values at some JSON Pointers; `null` takes a member out.
pub fn changed(order: Value, changes: &[(&str, Value)]) -> Value {
    let mut order = order;
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let parent = order.pointer_mut(parent).and_then(Value::as_object_mut).unwrap();
        match value {
            Value::Null => drop(parent.remove(name)),
            value => drop(parent.insert(name.to_owned(), value.clone())),
        }
    }
    order
}

/// The approval of the person who acts for two companies, under one agreement.
pub fn approve_for(agreement: &str) -> ScaAnswer {
    ScaAnswer {
        context: xs2a::Context::Corporate,
        agreement: Some(agreement.to_owned()),
        ..ScaAnswer::approve(PROXY)
    }
}

/// A PSU who cancels.
pub fn abort() -> ScaAnswer {
    ScaAnswer { approve: false, ..ScaAnswer::approve(PAYER) }
}
