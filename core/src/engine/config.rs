//! How an engine over a bank's own core is set up, as JSON: for hosts in other languages.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Unexpected, Visitor};
use serde::Deserialize;

use super::EngineBuilder;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::policy::{Environment, Overrides, Policy};
use crate::reason::Language;
use crate::store;
use crate::tpp::response_key::ResponseKey;
use crate::tpp::trust::TrustAnchors;
use crate::trust::AnswerAges;
use crate::wire::json;

/// The configuration of an engine. Every key stands in [`SETTINGS`](super::setting::SETTINGS).
#[derive(Debug)]
pub struct EngineConfig {
    database: String,
    trust_anchors: TrustAnchors,
    response_key: Option<ResponseKey>,
    registry_ages: Option<AnswerAges>,
    order_lease_seconds: Option<u32>,
    policy: Policy,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    database: String,
    trust_anchors: String,
    response_key: Option<Object<ResponseKeyPair>>,
    registry_ages: Option<Object<Ages>>,
    order_lease_seconds: Option<u32>,
    policy: Option<Object<Overrides>>,
}

/// The bank's seal.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResponseKeyPair {
    certificate: String,
    private_key: String,
}

/// For how long answers of the host's register count.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ages {
    registered_seconds: u32,
    unknown_seconds: u32,
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
                out.write_str("an object for `policy`, `response_key` or `registry_ages`")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }

            fn visit_str<E: de::Error>(self, _text: &str) -> std::result::Result<Object<T>, E> {
                Err(E::invalid_type(Unexpected::Other("a text"), &self))
            }
        }

        // `deserialize_map` would let serde_json show a text that stands here.
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
        let anchors = TrustAnchors::from_bundle(keys.trust_anchors.as_bytes());
        let trust_anchors = anchors.map_err(|violation| {
            Error::Config(format!("trust_anchors: {}", violation.text(Language::English)))
        })?;
        let response_key = keys
            .response_key
            .map(|Object(pair)| ResponseKey::new(pair.certificate.as_bytes(), pair.private_key.as_bytes()));
        let policy = match keys.policy {
            Some(Object(overrides)) => Policy::with(Environment::Production, overrides)?,
            None => Policy::new(Environment::Production),
        };
        let registry_ages = keys.registry_ages.map(|Object(Ages { registered_seconds, unknown_seconds })| {
            AnswerAges { registered_seconds, unknown_seconds }
        });
        let response_key = response_key.transpose()?;
        Ok(Self {
            database: keys.database,
            trust_anchors,
            response_key,
            registry_ages,
            order_lease_seconds: keys.order_lease_seconds,
            policy,
        })
    }

    /// A builder with the store opened, the trust anchors, the seal and the policy. It still needs a bank. What its
    /// engine trusts can be replaced by plain bytes: [`Engine::supply_revocation_lists`], [`Engine::replace_register`].
    ///
    /// # Errors
    /// Those of [`store::open`].
    pub fn builder(self) -> Result<EngineBuilder> {
        let store = store::open(&self.database)?;
        let builder = Engine::builder().store(store).trust_anchors(self.trust_anchors).policy(self.policy);
        let mut builder = builder.host_trust(self.registry_ages);
        if let Some(seconds) = self.order_lease_seconds {
            builder = builder.order_lease_seconds(seconds);
        }
        Ok(match self.response_key {
            Some(key) => builder.response_key(key),
            None => builder,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::pki::{TestPki, ROOT_PEM};
    use crate::tpp::role::Roles;

    fn config(database: &str, more: &str) -> String {
        let pem = ROOT_PEM.replace('\n', "\\n");
        format!(r#"{{"database":"{database}","trust_anchors":"{pem}"{more}}}"#)
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
        assert!(read.builder().is_ok());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let good = config("sqlite::memory:", "");
        for (text, named) in [
            ("[]", "not a JSON object"),
            ("", "not a JSON object"),
            ("{}", "database"),
            (r#"{"database":"sqlite::memory:"}"#, "trust_anchors"),
            (r#"{"database":1,"trust_anchors":""}"#, "string"),
            (r#"{"database":"sqlite::memory:","trust_anchors":""}"#, "trust_anchors"),
            (r#"{"database":"sqlite::memory:","trust_anchors":["x"]}"#, "string"),
            (&good.replace("{\"database", "{\"databases\":1,\"database"), "databases"),
            (&config("sqlite::memory:", r#","policy":{"base_paths":"/"}"#), "base_paths"),
            (&config("sqlite::memory:", r#","policy":{"base_path":"api"}"#), "base_path"),
            (
                &config("sqlite::memory:", r#","policy":{"calls_without_psu_per_day":3}"#),
                "calls_without_psu_per_day: 3 is not from 4",
            ),
            (&config("sqlite::memory:", r#","policy":[]"#), "policy"),
            (&config("sqlite::memory:", r#","registry_ages":{"registered_seconds":1}"#), "unknown_seconds"),
            (&config("sqlite::memory:", r#","registry_ages":[1,2]"#), "registry_ages"),
            (
                &config(
                    "sqlite::memory:",
                    r#","registry_ages":{"registered_seconds":-1,"unknown_seconds":1}"#,
                ),
                "-1",
            ),
            (&config("sqlite::memory:", r#","order_lease_seconds":-1"#), "-1"),
            (&config("sqlite::memory:", r#","order_lease_seconds":4294967296"#), "4294967296"),
            (&config("sqlite::memory:", r#","order_lease_seconds":"60""#), "expected u32"),
            (&config("sqlite::memory:", r#","database":"sqlite::memory:""#), "duplicate"),
        ] {
            match EngineConfig::from_json(text) {
                Err(Error::Config(told)) => assert!(told.contains(named), "{text}: {told}"),
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
        assert_eq!(read.unwrap().response_key.unwrap().certificate().der(), bank.certificate().der());
    }

    #[test]
    fn what_is_wrong_with_a_key_is_told_without_it() {
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
            (config("sqlite::memory:", r#","response_key":{"certificate":""}"#), "private_key"),
        ] {
            let told = EngineConfig::from_json(&text).unwrap_err().to_string();
            assert!(told.contains(named) && !told.contains("BEGIN"), "{told}");
        }
    }

    #[test]
    fn a_database_is_opened_by_the_builder() {
        let read = EngineConfig::from_json(&config("mysql://x", "")).unwrap();
        assert!(matches!(read.builder().map(drop), Err(Error::Config(_))));
    }
}
