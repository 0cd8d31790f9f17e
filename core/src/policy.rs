//! What a bank may set: the switches and numbers that differ from bank to bank.

mod choices;
pub(crate) mod overrides;

#[cfg(feature = "sandbox")]
use std::collections::BTreeMap;

use chrono::NaiveDate;
#[cfg(feature = "sandbox")]
use rust_decimal::Decimal;
use serde::{Serialize, Serializer};

pub use self::choices::{
    AuditReads, CertificateType, CheckDigit, Environment, KeyIdIssuer, OnUnknownRevocation, RequestIdForm,
};
use crate::error::Result;
use crate::limits::{
    BANK_SECONDS_MAX, BODY_BYTES_MAX, CALLS_WITHOUT_PSU_PER_DAY, CALL_BANK_SECONDS_MAX, CONSENTS_KEPT_DAYS,
    PAYMENTS_KEPT_DAYS, STATISTICS_KEPT_DAYS,
};
use crate::types::{Country, Repertoire};
use crate::wire::json;

/// Every policy, with its default for the environment. It serialises to the keys that [`Policy::with_json`] takes. An
/// engine is built only with values that these keys accept, also if the host set the fields itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Policy {
    /// Where the engine runs.
    #[serde(skip)]
    pub environment: Environment,
    /// The prefix of `/v1/…` in the paths of requests; empty when embedded.
    pub base_path: String,
    /// Scheme and host of the bank's site for strong customer authentication; `{base_path}/sca/{id}` follows.
    pub sca_origin: String,
    /// Largest request body in bytes.
    pub body_bytes_max: usize,
    /// How many seconds the bank behind an engine may take for an answer that is used; 0: no limit. The simulated bank
    /// takes no time, and is not measured.
    pub bank_seconds_max: u32,
    /// How many seconds all questions of one call to that bank may take together; 0: no limit.
    pub call_bank_seconds_max: u32,
    /// Check digits of Norwegian account numbers.
    pub account_check_digit: CheckDigit,
    /// The bank's country: which services of an institution the register must have there.
    #[serde(serialize_with = "as_text")]
    pub country: Country,
    /// Comparison of `keyId`'s issuer.
    pub key_id_issuer: KeyIdIssuer,
    /// Which qualified certificates may sign.
    pub certificate_type: CertificateType,
    /// Certificates of an issuer whose revocation list is out of date.
    pub stale_crl: OnUnknownRevocation,
    /// Certificates of an issuer without a revocation list.
    pub missing_crl: OnUnknownRevocation,
    /// Which values of `X-Request-ID` are taken.
    pub request_id: RequestIdForm,
    /// Whether an X-Request-ID counts once within its window.
    pub replay_protection: bool,
    /// Whether `x-accept-fix` and `TPP-Session-ID` are required where the contract says so.
    pub require_session_headers: bool,
    /// Schemes that `TPP-Redirect-URI` may have beside https and those that hold a dot: for apps of TPPs.
    pub redirect_schemes: Vec<String>,
    /// How often a day (Europe/Oslo) one operation on one account is read without the PSU: 4, which is every TPP's,
    /// or more by agreement with the bank's TPPs (Delegated Regulation (EU) 2018/389, article 36(5)(b)).
    pub calls_without_psu_per_day: u32,
    /// Whether the transaction list of an ordinary account shows every pending transaction on every page, independent
    /// of dates, offset and limit (contract: Limits, known issue). Card accounts never do.
    pub pending_unfiltered: bool,
    /// Whether status and details of an ordinary domestic payment answer 404 while it waits for its approval
    /// (contract: States and transitions, known issue).
    pub domestic_unreadable_before_approval: bool,
    /// Whether the audit records changes, and calls whose caller is refused: the default in production.
    pub audit: bool,
    /// When the audit records reads of account data and of payments. Not used where `audit` is false.
    pub audit_reads: AuditReads,
    /// Whether calls and outages are counted for [`Engine::statistics`](crate::Engine::statistics): the default in
    /// production.
    pub statistics: bool,
    /// How many days a consent is kept after it was revoked or replaced; 0: for ever.
    pub consents_kept_days: u32,
    /// How many days a payment and a signing basket are kept after they were created; 0: for ever. A payment with a
    /// history or an order for the bank is kept longer.
    pub payments_kept_days: u32,
    /// How many days statistics are kept; 0: for ever.
    pub statistics_kept_days: u32,
    /// Whether every answer is signed: in a sandbox by the bank of its test PKI. An engine needs a key for it.
    pub sign_responses: bool,
    /// What the bank's downstream systems can carry.
    #[serde(serialize_with = "by_name")]
    pub repertoire: Repertoire,
    /// First day (Europe/Oslo) on which missing structured address parts are refused.
    #[serde(serialize_with = "as_text")]
    pub structured_addresses_from: NaiveDate,
    /// Whether a sandbox adds the mistake that it can prove to a refusal by authentication, as a warning. `None` in
    /// production, which has no such key: a caller without a valid signature learns nothing there.
    #[cfg(feature = "sandbox")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explain_to_tpp: Option<bool>,
    /// Whether a call to a sandbox may choose a fault for itself, by a header. `None` in production.
    #[cfg(feature = "sandbox")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenario_header: Option<bool>,
    /// Whether the sandbox's accounts take transactions that another account pays: incoming money for tests.
    #[cfg(feature = "sandbox")]
    pub accept_foreign_debtor: bool,
    /// The sandbox bank's rates: the value of one unit of a currency in NOK, over its built-in table.
    #[cfg(feature = "sandbox")]
    #[serde(serialize_with = "as_texts")]
    pub rates: BTreeMap<String, Decimal>,
}

impl Policy {
    /// The defaults of an environment.
    pub fn new(environment: Environment) -> Self {
        Self {
            environment,
            base_path: String::new(),
            sca_origin: "https://sca.bank.example".to_owned(),
            body_bytes_max: BODY_BYTES_MAX,
            bank_seconds_max: BANK_SECONDS_MAX,
            call_bank_seconds_max: CALL_BANK_SECONDS_MAX,
            account_check_digit: match environment {
                Environment::Sandbox => CheckDigit::Warn,
                Environment::Production => CheckDigit::Refuse,
            },
            country: Country::NO,
            key_id_issuer: KeyIdIssuer::Lenient,
            certificate_type: CertificateType::Any,
            stale_crl: OnUnknownRevocation::Refuse,
            missing_crl: OnUnknownRevocation::Accept,
            request_id: RequestIdForm::Text,
            replay_protection: true,
            require_session_headers: true,
            redirect_schemes: Vec::new(),
            calls_without_psu_per_day: CALLS_WITHOUT_PSU_PER_DAY,
            pending_unfiltered: true,
            domestic_unreadable_before_approval: false,
            audit: environment == Environment::Production,
            audit_reads: match environment {
                Environment::Sandbox => AuditReads::Committed,
                Environment::Production => AuditReads::Batched,
            },
            statistics: environment == Environment::Production,
            consents_kept_days: CONSENTS_KEPT_DAYS,
            payments_kept_days: PAYMENTS_KEPT_DAYS,
            statistics_kept_days: STATISTICS_KEPT_DAYS,
            sign_responses: false,
            repertoire: Repertoire::Latin1,
            structured_addresses_from: structured_addresses_from(environment),
            #[cfg(feature = "sandbox")]
            explain_to_tpp: (environment == Environment::Sandbox).then_some(false),
            #[cfg(feature = "sandbox")]
            scenario_header: (environment == Environment::Sandbox).then_some(false),
            #[cfg(feature = "sandbox")]
            accept_foreign_debtor: false,
            #[cfg(feature = "sandbox")]
            rates: BTreeMap::new(),
        }
    }

    /// Returns true if refusals show the TPP the mistake that it made.
    pub(crate) fn shows_mistakes(&self) -> bool {
        #[cfg(feature = "sandbox")]
        let is_shown = self.explain_to_tpp == Some(true);
        #[cfg(not(feature = "sandbox"))]
        let is_shown = false;
        is_shown
    }

    /// Returns true if a call may choose a fault for itself.
    pub(crate) fn takes_scenarios(&self) -> bool {
        #[cfg(feature = "sandbox")]
        return self.scenario_header == Some(true);
        #[cfg(not(feature = "sandbox"))]
        false
    }

    /// Every key that [`Policy::with_json`] takes, with its present value, as the text of a JSON object.
    ///
    /// # Errors
    /// [`Error::Internal`](crate::Error::Internal): a bug.
    pub fn to_json(&self) -> Result<String> {
        json::write_text(self)
    }
}

/// The day from which the contract's first announced change is in force.
fn structured_addresses_from(environment: Environment) -> NaiveDate {
    let (month, day) = match environment {
        Environment::Sandbox => (8, 13),
        Environment::Production => (11, 15),
    };
    NaiveDate::from_ymd_opt(2026, month, day).unwrap_or(NaiveDate::MAX)
}

/// The texts of what has no form of its own in JSON.
fn as_text<S: Serializer>(value: &impl ToString, out: S) -> std::result::Result<S::Ok, S::Error> {
    out.serialize_str(&value.to_string())
}

fn by_name<S: Serializer>(repertoire: &Repertoire, out: S) -> std::result::Result<S::Ok, S::Error> {
    out.serialize_str(repertoire_name(*repertoire))
}

#[cfg(feature = "sandbox")]
fn as_texts<S: Serializer>(
    rates: &BTreeMap<String, Decimal>,
    out: S,
) -> std::result::Result<S::Ok, S::Error> {
    out.collect_map(rates.iter().map(|(currency, rate)| (currency, rate.to_string())))
}

fn repertoire_name(repertoire: Repertoire) -> &'static str {
    match repertoire {
        Repertoire::Latin1 => "iso-8859-1",
        Repertoire::SwiftX => "swift-x",
        Repertoire::Bmp => "bmp",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    fn sandbox(text: &str) -> Result<Policy> {
        Policy::from_json(Environment::Sandbox, text)
    }

    #[test]
    fn an_empty_object_gives_the_defaults() {
        assert_eq!(sandbox("{}").unwrap(), Policy::new(Environment::Sandbox));
        assert_eq!(Policy::new(Environment::Production).account_check_digit, CheckDigit::Refuse);
    }

    #[test]
    fn keys_are_put_over_the_defaults() {
        let policy = sandbox(r#"{"base_path":"/api-sandbox/","repertoire":"bmp","replay_protection":false}"#);
        let policy = policy.unwrap();
        assert_eq!(
            (policy.base_path.as_str(), policy.repertoire, policy.replay_protection),
            ("/api-sandbox", Repertoire::Bmp, false)
        );
    }

    #[test]
    #[cfg(feature = "sandbox")]
    fn rates_that_are_given_are_all_there_are_and_what_is_left_out_stays() {
        let policy = sandbox(r#"{"rates":{"EUR":"12","USD":"10"}}"#).unwrap();
        let currencies = |text: &str| {
            let changed = policy.clone().with_json(text).unwrap();
            changed.rates.into_keys().collect::<Vec<_>>()
        };
        assert_eq!(currencies(r#"{"rates":{"SEK":"1"}}"#), ["SEK"]);
        assert_eq!(currencies(r#"{"rates":{}}"#), [""; 0]);
        for untouched in ["{}", r#"{"rates":null}"#] {
            assert_eq!(currencies(untouched), ["EUR", "USD"]);
        }
    }

    #[test]
    #[cfg(feature = "sandbox")]
    fn rates_that_cannot_be_used_are_named() {
        for (text, named) in [
            (r#"{"rates":{"EUR":"0"}}"#, "rates"),
            (r#"{"rates":{"EURO":"1"}}"#, "EURO"),
            (r#"{"rates":{"EUR":12}}"#, "rates.EUR: invalid type: integer `12`, expected a text"),
        ] {
            assert!(sandbox(text).unwrap_err().to_string().contains(named), "{text}");
        }
    }

    #[test]
    #[cfg(not(feature = "sandbox"))]
    fn keys_of_the_sandbox_are_unknown_without_it() {
        for key in ["explain_to_tpp", "scenario_header", "accept_foreign_debtor", "rates"] {
            let refused = sandbox(&format!(r#"{{"{key}":true}}"#)).unwrap_err().to_string();
            assert!(refused.contains(&format!("unknown field `{key}`, expected")), "{refused}");
        }
    }

    #[test]
    #[cfg(feature = "sandbox")]
    fn some_keys_are_of_a_sandbox_alone() {
        type Place = fn(&mut Policy) -> &mut Option<bool>;
        let keys: [(&str, Place); 2] = [
            ("explain_to_tpp", |policy| &mut policy.explain_to_tpp),
            ("scenario_header", |policy| &mut policy.scenario_header),
        ];
        for (key, place) in keys {
            assert_eq!(*place(&mut sandbox("{}").unwrap()), Some(false));
            assert_eq!(*place(&mut sandbox(&format!(r#"{{"{key}":true}}"#)).unwrap()), Some(true));
            for value in ["true", "false"] {
                let text = format!(r#"{{"{key}":{value}}}"#);
                let refused = Policy::from_json(Environment::Production, &text).unwrap_err().to_string();
                assert!(refused.contains(&format!("unknown field `{key}`")), "{refused}");
            }
            let mut by_hand = Policy::new(Environment::Production);
            assert_eq!(*place(&mut by_hand), None);
            *place(&mut by_hand) = Some(true);
            assert!(by_hand.checked().is_err());
        }
    }

    #[test]
    fn what_is_shown_can_be_set_and_changes_nothing() {
        let changes = [
            "{}",
            r#"{"base_path":"/x","sca_origin":"http://localhost:1","body_bytes_max":7,"pending_unfiltered":false}"#,
            r#"{"account_check_digit":"refuse","key_id_issuer":"exact","replay_protection":false}"#,
            r#"{"certificate_type":"qseal","stale_crl":"accept","missing_crl":"refuse","audit":true}"#,
            r#"{"require_session_headers":false,"bank_seconds_max":0,"domestic_unreadable_before_approval":true}"#,
            r#"{"repertoire":"swift-x","structured_addresses_from":"2030-01-31"}"#,
            r#"{"repertoire":"bmp","calls_without_psu_per_day":24}"#,
            r#"{"redirect_schemes":["myapp","a+b"],"request_id":"uuid"}"#,
            #[cfg(feature = "sandbox")]
            r#"{"accept_foreign_debtor":true,"explain_to_tpp":true,"scenario_header":true,"rates":{"EUR":"12.50"}}"#,
        ];
        for text in changes {
            let policy = sandbox(text).unwrap();
            assert_eq!(sandbox(&policy.to_json().unwrap()).unwrap(), policy, "{text}");
            assert_eq!(policy.clone().with_json("{}").unwrap(), policy);
        }
    }

    #[test]
    fn a_tpp_has_4_calls_without_the_psu_and_up_to_1440_by_agreement() {
        let read = |calls: u32| sandbox(&format!(r#"{{"calls_without_psu_per_day":{calls}}}"#));
        assert_eq!(sandbox(r#"{"calls_without_psu_per_day":null}"#).unwrap().calls_without_psu_per_day, 4);
        for calls in [4, 5, 1440] {
            assert_eq!(read(calls).unwrap().calls_without_psu_per_day, calls);
        }
        for calls in [0, 3, 1441, u32::MAX] {
            let shown = read(calls).unwrap_err().to_string();
            let law = "(Delegated Regulation (EU) 2018/389, article 36(5)(b))";
            let why = format!("is not from 4, which every TPP has {law}, to 1440");
            assert_eq!(shown, format!("configuration: calls_without_psu_per_day: {calls} {why}"));
        }
    }

    #[test]
    fn what_was_set_by_hand_is_held_to_the_rules_of_the_keys() {
        type Set = fn(&mut Policy);
        let faults: &[(&str, Set)] = &[
            ("base_path", |policy| policy.base_path = "api".to_owned()),
            ("sca_origin", |policy| policy.sca_origin = "bank.example".to_owned()),
            ("calls_without_psu_per_day", |policy| policy.calls_without_psu_per_day = 3),
            ("structured_addresses_from", |policy| policy.structured_addresses_from = NaiveDate::MAX),
            #[cfg(feature = "sandbox")]
            ("rates", |policy| policy.rates = [("EUR".to_owned(), Decimal::ZERO)].into()),
        ];
        for (key, set) in faults {
            let mut policy = Policy::new(Environment::Production);
            set(&mut policy);
            let shown = policy.checked().unwrap_err().to_string();
            assert!(shown.starts_with(&format!("configuration: {key}: ")), "{shown}");
        }
        let mut policy = Policy::new(Environment::Production);
        policy.base_path = "/api/".to_owned();
        assert_eq!(policy.checked().unwrap().base_path, "/api");
    }

    #[test]
    fn certificates_are_as_strict_as_the_keys_say() {
        let default = Policy::new(Environment::Production);
        let shown = (default.certificate_type, default.stale_crl, default.missing_crl);
        assert_eq!(shown, (CertificateType::Any, OnUnknownRevocation::Refuse, OnUnknownRevocation::Accept));
        let text = r#"{"certificate_type":"qwac","stale_crl":"accept","missing_crl":"refuse"}"#;
        let policy = sandbox(text).unwrap();
        let shown = (policy.certificate_type, policy.stale_crl, policy.missing_crl);
        assert_eq!(shown, (CertificateType::Qwac, OnUnknownRevocation::Accept, OnUnknownRevocation::Refuse));
    }

    #[test]
    fn where_the_sca_site_is_has_a_host_and_perhaps_a_port() {
        for (authority, is_taken) in [
            ("sca.bank.example", true),
            ("localhost:65535", true),
            ("localhost:65536", false),
            ("localhost:+80", false),
            ("localhost:", false),
            ("127.0.0.1:1", true),
            ("[::1]", true),
            ("[::1]:443", true),
            ("[::1", false),
            ("[host]", false),
            ("user@bank.example", false),
            ("bank.example/sca", false),
            ("b\u{e5}nk.example", false),
            ("", false),
        ] {
            let text = format!(r#"{{"sca_origin":"https://{authority}"}}"#);
            assert_eq!(sandbox(&text).is_ok(), is_taken, "{authority}");
        }
    }

    #[test]
    fn unknown_keys_and_wrong_values_are_named() {
        for (text, named) in [
            (r#"{"repertoir":"bmp"}"#, "unknown field `repertoir`, expected"),
            (r#"{"repertoire":"utf-9"}"#, "utf-9"),
            (r#"{"base_path":"api"}"#, "base_path"),
            (r#"{"base_path":"/api\n"}"#, "base_path"),
            (r#"{"base_path":"/é"}"#, "base_path"),
            (r#"{"sca_origin":"bank.example"}"#, "sca_origin"),
            (r#"{"sca_origin":"https://bank.example\r\nX: y"}"#, "sca_origin"),
            (r#"{"sca_origin":"https://bank example"}"#, "sca_origin"),
            (r#"{"structured_addresses_from":"13.8.2026"}"#, "structured_addresses_from"),
            (r#"{"certificate_type":"eseal"}"#, "eseal"),
            (r#"{"stale_crl":"warn"}"#, "warn"),
            (
                r#"{"body_bytes_max":"1"}"#,
                "body_bytes_max: invalid type: string \"1\", expected a whole number",
            ),
            (r#"{"bank_seconds_max":-1}"#, "-1"),
            (r#"{"bank_seconds_max":4294967296}"#, "4294967296"),
            (r#"{"bank_seconds_max":0.5}"#, "bank_seconds_max: invalid type: floating point `0.5`"),
            (r#"{"certificate_type":1}"#, "certificate_type: expected a text"),
            (
                r#"{"calls_without_psu_per_day":"6"}"#,
                "calls_without_psu_per_day: invalid type: string \"6\", expected a whole number",
            ),
            (r#"{"calls_without_psu_per_day":4.5}"#, "4.5"),
            (r#"{"calls_without_psu_per_day":-4}"#, "-4"),
            (r#"{"calls_without_psu_per_day":[6]}"#, "sequence"),
            ("[]", "not a JSON object"),
        ] {
            match sandbox(text) {
                Err(Error::Config(message)) => assert!(message.contains(named), "{text}: {message}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
