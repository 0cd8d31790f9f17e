//! How an engine over a bank's own core is set up, as JSON: for hosts in other languages.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Unexpected, Visitor};
use serde::Deserialize;

use super::EngineBuilder;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::policy::overrides::Overrides;
use crate::policy::{Environment, Policy};
use crate::tpp::response_key::ResponseKey;
use crate::tpp::trust::TrustAnchors;
use crate::trust::AnswerAges;
use crate::wire::json;

/// The configuration of an engine. Its keys are listed in [`SETTINGS`](super::setting::SETTINGS).
#[derive(Debug)]
pub struct EngineConfig {
    database: String,
    trust_anchors: TrustAnchors,
    bank_id: Option<String>,
    response_key: Option<Seal>,
    registry_ages: Option<AnswerAges>,
    order_lease_seconds: Option<u32>,
    policy: Policy,
}

/// What answers are signed with.
#[derive(Debug)]
enum Seal {
    Key(Box<ResponseKey>),
    /// PEM of a certificate whose key a function of the host has.
    Certificate(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    // Required, and looked for by hand: what is null counts as absent.
    database: Option<String>,
    trust_anchors: Option<String>,
    bank_id: Option<String>,
    response_key: Option<Object<ResponseKeyPair>>,
    registry_ages: Option<Object<Ages>>,
    order_lease_seconds: Option<u32>,
    policy: Option<Object<Overrides>>,
}

/// The bank's seal.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResponseKeyPair {
    certificate: Option<String>,
    private_key: Option<String>,
}

/// For how long answers of the host's register count.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ages {
    registered_seconds: Option<u32>,
    unknown_seconds: Option<u32>,
}

/// What is written as an object alone: serde reads a struct from an array too. An error shows no value, which may
/// be a key.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Object<T>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }

            fn visit_str<E: de::Error>(self, _text: &str) -> std::result::Result<Object<T>, E> {
                Err(E::invalid_type(Unexpected::Other("a text"), &self))
            }
        }

        // With `deserialize_map`, an error of serde_json would show a text that is here instead of an object.
        deserializer.deserialize_any(Members(PhantomData))
    }
}

impl EngineConfig {
    /// Reads a JSON object.
    ///
    /// # Errors
    /// [`Error::Config`] for what is no JSON object, an unknown key, a key that is missing, and a value of another
    /// type or form.
    pub fn from_json(text: &str) -> Result<Self> {
        let keys: Keys = json::read_config(text)?;
        let database = required(keys.database, "database")?;
        let anchors = TrustAnchors::from_bundle(required(keys.trust_anchors, "trust_anchors")?.as_bytes());
        let trust_anchors = anchors.map_err(|fault| Error::unusable("trust_anchors", &fault))?;
        let response_key = keys.response_key.map(|Object(pair)| {
            let certificate = required(pair.certificate, "response_key.certificate")?;
            match pair.private_key {
                Some(key) => ResponseKey::new(certificate.as_bytes(), key.as_bytes())
                    .map(|key| Seal::Key(Box::new(key))),
                None => Ok(Seal::Certificate(certificate)),
            }
        });
        let policy = match keys.policy {
            Some(Object(overrides)) => Policy::with(Environment::Production, overrides)?,
            None => Policy::new(Environment::Production),
        };
        let registry_ages = keys.registry_ages.map(|Object(ages)| {
            Ok::<_, Error>(AnswerAges {
                registered_seconds: required(ages.registered_seconds, "registry_ages.registered_seconds")?,
                unknown_seconds: required(ages.unknown_seconds, "registry_ages.unknown_seconds")?,
            })
        });
        Ok(Self {
            database,
            trust_anchors,
            bank_id: keys.bank_id,
            response_key: response_key.transpose()?,
            registry_ages: registry_ages.transpose()?,
            order_lease_seconds: keys.order_lease_seconds,
            policy,
        })
    }

    /// A builder with the address of the store, the trust anchors, the seal and the policy. It still needs a bank. It
    /// opens the store ([`store::open`](crate::store::open())) when it builds the engine. What its engine trusts can be
    /// replaced by plain bytes: [`Engine::supply_revocation_lists`], [`Engine::replace_register`].
    pub fn builder(self) -> EngineBuilder {
        let builder = Engine::builder().store_at(self.database).trust_anchors(self.trust_anchors);
        let mut builder = builder.policy(self.policy).host_trust(self.registry_ages);
        if let Some(seconds) = self.order_lease_seconds {
            builder = builder.order_lease_seconds(seconds);
        }
        if let Some(id) = self.bank_id {
            builder = builder.bank_id(id);
        }
        match self.response_key {
            Some(Seal::Key(key)) => builder.response_key(*key),
            Some(Seal::Certificate(certificate)) => builder.response_certificate(certificate),
            None => builder,
        }
    }
}

fn required<T>(value: Option<T>, key: &str) -> Result<T> {
    value.ok_or_else(|| Error::Config(format!("{key}: is missing")))
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use std::sync::Arc;

    use chrono::{DateTime, Utc};

    use super::*;
    use crate::env::clock::Clock;
    use crate::sandbox::pki::{TestPki, ROOT_PEM};
    use crate::sandbox::{Rates, SandboxBank};
    use crate::store::sqlite::Database;
    use crate::tpp::role::Roles;

    fn config(database: &str, more: &str) -> String {
        let pem = ROOT_PEM.replace('\n', "\\n");
        format!(r#"{{"database":"{database}","trust_anchors":"{pem}"{more}}}"#)
    }

    fn build(config: EngineConfig) -> Result<Engine> {
        let bank = SandboxBank::new(Arc::new(Database::open_memory_for_sandbox()?), Rates::default());
        config.builder().bank(Arc::new(bank)).build()
    }

    #[test]
    fn a_configuration_is_read_and_its_policy_is_one_of_production() {
        let read = EngineConfig::from_json(&config("sqlite::memory:", r#","policy":{"base_path":"/api"}"#));
        let read = read.unwrap();
        assert_eq!(read.trust_anchors.len(), 1);
        assert_eq!(
            (read.policy.environment, read.policy.base_path.as_str()),
            (Environment::Production, "/api")
        );
        assert!(build(read).is_ok());
    }

    #[test]
    fn what_is_null_counts_as_absent() {
        let keys = ["bank_id", "response_key", "registry_ages", "order_lease_seconds", "policy"];
        let null: String = keys.iter().map(|key| format!(r#","{key}":null"#)).collect();
        let read = EngineConfig::from_json(&config("sqlite::memory:", &null)).unwrap();
        assert_eq!(read.policy, Policy::new(Environment::Production));
        assert!(read.response_key.is_none() && read.registry_ages.is_none());
        assert_eq!(read.order_lease_seconds, None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let good = config("sqlite::memory:", "");
        for (text, named) in [
            ("[]", "not a JSON object"),
            ("", "not a JSON object"),
            ("{", "EOF while parsing an object at line 1 column 1"),
            ("{}", "database: is missing"),
            (r#"{"database":null}"#, "database: is missing"),
            (r#"{"database":"sqlite::memory:"}"#, "trust_anchors: is missing"),
            (r#"{"database":"sqlite::memory:","trust_anchors":null}"#, "trust_anchors: is missing"),
            (r#"{"database":1,"trust_anchors":""}"#, "database: invalid type: integer `1`, expected a text"),
            (r#"{"database":"sqlite::memory:","trust_anchors":""}"#, "trust_anchors: "),
            (
                r#"{"database":"sqlite::memory:","trust_anchors":["x"]}"#,
                "trust_anchors: invalid type: sequence, expected a text",
            ),
            (
                &good.replace("{\"database", "{\"databases\":1,\"database"),
                "unknown field `databases`, expected",
            ),
            (
                &config("sqlite::memory:", r#","policy":{"base_paths":"/"}"#),
                "policy: unknown field `base_paths`, expected",
            ),
            (
                &config("sqlite::memory:", r#","policy":{"body_bytes_max":"1"}"#),
                "policy.body_bytes_max: invalid type: string \"1\", expected a whole number",
            ),
            (
                &config("sqlite::memory:", r#","policy":{"audit":1}"#),
                "policy.audit: invalid type: integer `1`, expected `true` or `false`",
            ),
            (&config("sqlite::memory:", r#","policy":{"base_path":"api"}"#), "base_path"),
            (
                &config("sqlite::memory:", r#","policy":{"calls_without_psu_per_day":3}"#),
                "calls_without_psu_per_day: 3 is not from 4",
            ),
            (
                &config("sqlite::memory:", r#","policy":[]"#),
                "policy: invalid type: sequence, expected an object",
            ),
            (
                &config("sqlite::memory:", r#","registry_ages":{"registered_seconds":1}"#),
                "registry_ages.unknown_seconds: is missing",
            ),
            (&config("sqlite::memory:", r#","registry_ages":[1,2]"#), "registry_ages"),
            (
                &config(
                    "sqlite::memory:",
                    r#","registry_ages":{"registered_seconds":-1,"unknown_seconds":1}"#,
                ),
                "registry_ages.registered_seconds: invalid value: integer `-1`, expected a whole number",
            ),
            (
                &config("sqlite::memory:", r#","order_lease_seconds":-1"#),
                "order_lease_seconds: invalid value: integer `-1`, expected a whole number",
            ),
            (
                &config("sqlite::memory:", r#","order_lease_seconds":4294967296"#),
                "order_lease_seconds: invalid value: integer `4294967296`, expected a whole number",
            ),
            (
                &config("sqlite::memory:", r#","order_lease_seconds":"60""#),
                "order_lease_seconds: invalid type: string \"60\", expected a whole number",
            ),
            (&config("sqlite::memory:", r#","database":"sqlite::memory:""#), "duplicate"),
        ] {
            match EngineConfig::from_json(text) {
                Err(Error::Config(message)) => assert!(message.starts_with(named), "{text}: {message}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    fn sealed(certificate: &str, key: &str) -> String {
        let line = |pem: &str| pem.replace('\n', "\\n");
        let pair = format!(r#"{{"certificate":"{}","private_key":"{}"}}"#, line(certificate), line(key));
        config("sqlite::memory:", &format!(r#","response_key":{pair},"policy":{{"sign_responses":true}}"#))
    }

    #[test]
    fn answers_are_signed_with_the_key_of_the_configuration() {
        let bank = TestPki::new().unwrap().issue("Bank", Roles::NONE, "PSDNO-FSA-1", [1; 16], 0).unwrap();
        let read = EngineConfig::from_json(&sealed(&bank.certificate().to_pem(), bank.private_key_pem()));
        let engine = build(read.unwrap()).unwrap();
        let sealed = engine.context.response_key().unwrap();
        assert_eq!(sealed.certificate().der(), bank.certificate().der());
    }

    #[test]
    fn a_fault_of_a_key_is_reported_without_the_key() {
        let bank = TestPki::new().unwrap().issue("Bank", Roles::NONE, "PSDNO-FSA-1", [1; 16], 0).unwrap();
        let secret = "-----BEGIN PRIVATE KEY-----";
        for (text, named) in [
            (sealed(&bank.certificate().to_pem(), secret), "private key"),
            (sealed("none", secret), "response key"),
            (config("sqlite::memory:", &format!(r#","response_key":"{secret}""#)), "response_key"),
            (
                config("sqlite::memory:", &format!(r#","response_key":["{secret}","{secret}"]"#)),
                "response_key",
            ),
        ] {
            let message = EngineConfig::from_json(&text).unwrap_err().to_string();
            assert!(message.contains(named) && !message.contains("BEGIN"), "{message}");
        }
        for pair in [r#"{"certificate":""}"#, r#"{"certificate":"","private_key":null}"#] {
            let text = config("sqlite::memory:", &format!(r#","response_key":{pair}"#));
            let message = build(EngineConfig::from_json(&text).unwrap()).unwrap_err().to_string();
            assert!(message.contains("response_key.private_key: is missing"), "{message}");
        }
    }

    #[test]
    fn a_database_is_opened_when_the_engine_is_built() {
        let read = EngineConfig::from_json(&config("mysql://x", "")).unwrap();
        assert!(matches!(build(read).map(drop), Err(Error::Config(_))));
    }

    #[test]
    fn a_configuration_that_is_refused_opens_no_database() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bank.db");
        let address = format!("sqlite://{}", path.display());
        for (more, opens) in [
            (r#","policy":{"sign_responses":true}"#, false),
            (r#","registry_ages":{"registered_seconds":1,"unknown_seconds":1}"#, false),
            ("", true),
        ] {
            let built = build(EngineConfig::from_json(&config(&address, more)).unwrap());
            assert_eq!((built.is_ok(), path.exists()), (opens, opens), "{more}");
        }
    }

    #[test]
    fn a_database_belongs_to_the_bank_that_opened_it_first() {
        let folder = tempfile::tempdir().unwrap();
        let address = format!("sqlite://{}", folder.path().join("bank.db").display());
        let long = format!(r#","bank_id":"{}""#, "x".repeat(65));
        for (more, refused) in [
            ("", None),
            (r#","bank_id":"BANKNOKK""#, None),
            (r#","bank_id":"BANKNOKK""#, None),
            (r#","bank_id":"banknokk""#, Some("belongs to the bank `BANKNOKK`, not to `banknokk`")),
            ("", Some("bank_id: is missing, and the database belongs to the bank `BANKNOKK`")),
            (r#","bank_id":"""#, Some("bank_id: `` is not 1 to 64 letters")),
            (r#","bank_id":"a b""#, Some("bank_id: `a b` is not")),
            (&long, Some("is not 1 to 64 letters")),
        ] {
            let built = build(EngineConfig::from_json(&config(&address, more)).unwrap()).map(drop);
            match (built, refused) {
                (Ok(()), None) => {}
                (Err(Error::Config(text)), Some(says)) => assert!(text.contains(says), "{more}: {text}"),
                other => panic!("{more}: {other:?}"),
            }
        }
    }

    /// A clock that fails.
    struct Stopped;

    impl Clock for Stopped {
        fn now(&self) -> DateTime<Utc> {
            panic!("no time")
        }
    }

    #[test]
    fn a_failing_clock_opens_no_database() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bank.db");
        let address = format!("sqlite://{}", path.display());
        let config = EngineConfig::from_json(&config(&address, "")).unwrap();
        let bank = SandboxBank::new(Arc::new(Database::open_memory_for_sandbox().unwrap()), Rates::default());
        let built = config.builder().bank(Arc::new(bank)).clock(Arc::new(Stopped)).build();
        assert!(matches!(built.map(drop), Err(Error::Internal(_))));
        assert!(!path.exists());
    }
}
