//! How an engine over a bank's own core is set up, as JSON: for hosts in other languages.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::Deserialize;

use super::EngineBuilder;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::policy::{Environment, Overrides, Policy};
use crate::reason::Language;
use crate::store;
use crate::tpp::trust::TrustAnchors;
use crate::wire::json;

/// The configuration of an engine. Every key stands in [`SETTINGS`](super::setting::SETTINGS).
#[derive(Debug)]
pub struct EngineConfig {
    database: String,
    trust_anchors: TrustAnchors,
    policy: Policy,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    database: String,
    trust_anchors: String,
    policy: Option<PolicyObject>,
}

/// The policy, as an object: serde reads a struct from an array too.
struct PolicyObject(Overrides);

impl<'de> Deserialize<'de> for PolicyObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = PolicyObject;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("the object `policy`")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<PolicyObject, A::Error> {
                Overrides::deserialize(MapAccessDeserializer::new(map)).map(PolicyObject)
            }
        }

        deserializer.deserialize_map(Object)
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
        let policy = match keys.policy {
            Some(PolicyObject(overrides)) => Policy::with(Environment::Production, overrides)?,
            None => Policy::new(Environment::Production),
        };
        Ok(Self { database: keys.database, trust_anchors, policy })
    }

    /// A builder with the store opened, the trust anchors and the policy. It still needs a bank.
    ///
    /// # Errors
    /// Those of [`store::open`].
    pub fn builder(self) -> Result<EngineBuilder> {
        let store = store::open(&self.database)?;
        Ok(Engine::builder().store(store).trust_anchors(self.trust_anchors).policy(self.policy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::pki::ROOT_PEM;

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
            (&config("sqlite::memory:", r#","policy":[]"#), "policy"),
            (&config("sqlite::memory:", r#","database":"sqlite::memory:""#), "duplicate"),
        ] {
            match EngineConfig::from_json(text) {
                Err(Error::Config(told)) => assert!(told.contains(named), "{text}: {told}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_database_is_opened_by_the_builder() {
        let read = EngineConfig::from_json(&config("mysql://x", "")).unwrap();
        assert!(matches!(read.builder().map(drop), Err(Error::Config(_))));
    }
}
