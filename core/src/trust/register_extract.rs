//! The register of payment institutions that the European Banking Authority publishes as JSON, or an extract of it:
//!
//! ```text
//! [ [disclaimer…], [ { "CA_OwnerID": "NO_FSA", "EntityType": "PSD_PI",
//!                      "Properties": [ {"ENT_NAT_REF_COD": "912345678"}, {"ENT_AUT": ["2019-04-12"]}, … ], … }, … ] ]
//! ```
//!
//! `ENT_AUT` has the dates on which the authorisation was given, withdrawn, given again: an odd number of them means
//! that it is there. Payment institutions, e-money institutions and account information services count; agents and
//! branches act under their parent's authorisation, and exempted institutions may not be third parties. What services
//! an institution has is not looked at: its certificate's roles say that. Banks are not in this register.

use std::collections::HashSet;

use parking_lot::RwLock;
use serde::de::IgnoredAny;
use serde::Deserialize;

use crate::env::registry::{Applicant, TppRegistry};
use crate::error::{Error, Result};
use crate::limits::REGISTER_BYTES_MAX;
use crate::wire::json;

const COUNTING: [&str; 3] = ["PSD_PI", "PSD_EMI", "PSD_AISP"];

/// The institutions of an extract that are authorised.
#[derive(Debug, Default)]
pub struct RegisterExtract {
    organisations: RwLock<HashSet<String>>,
}

impl RegisterExtract {
    /// Reads an extract.
    ///
    /// # Errors
    /// [`Error::Config`] for what is not of the form above, or larger than `REGISTER_BYTES_MAX`.
    pub fn from_json(extract: &[u8]) -> Result<Self> {
        Ok(Self { organisations: RwLock::new(read(extract)?) })
    }

    /// Puts another extract in place. It counts from the next call on; on an error the old one stays.
    ///
    /// # Errors
    /// As [`RegisterExtract::from_json`].
    pub fn replace(&self, extract: &[u8]) -> Result<()> {
        let organisations = read(extract)?;
        *self.organisations.write() = organisations;
        Ok(())
    }

    /// How many institutions count.
    pub fn len(&self) -> usize {
        self.organisations.read().len()
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.organisations.read().is_empty()
    }
}

impl TppRegistry for RegisterExtract {
    fn is_registered(&self, applicant: &Applicant<'_>) -> Result<bool> {
        Ok(self.organisations.read().contains(applicant.organisation_id))
    }
}

#[derive(Deserialize)]
struct Entity {
    #[serde(rename = "CA_OwnerID")]
    authority: String,
    #[serde(rename = "EntityType")]
    kind: String,
    #[serde(rename = "Properties", default)]
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    #[serde(rename = "ENT_NAT_REF_COD")]
    number: Option<OneOrMany>,
    #[serde(rename = "ENT_AUT")]
    changes: Option<OneOrMany>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    fn as_slice(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

fn read(extract: &[u8]) -> Result<HashSet<String>> {
    if extract.len() > REGISTER_BYTES_MAX {
        return Err(Error::Config(format!("the register extract is larger than {REGISTER_BYTES_MAX} bytes")));
    }
    let (_, entities): (IgnoredAny, Vec<Entity>) = json::read_supplied("register extract", extract)?;
    Ok(entities.iter().filter_map(Entity::organisation_id).collect())
}

impl Entity {
    /// What its certificates have as organizationIdentifier (ETSI TS 119 495), where it is authorised.
    fn organisation_id(&self) -> Option<String> {
        let changes = self.properties.iter().filter_map(|property| property.changes.as_ref());
        let authorised = changes.map(|changes| changes.as_slice().len()).sum::<usize>() % 2 == 1;
        let number =
            self.properties.iter().find_map(|property| property.number.as_ref())?.as_slice().first()?;
        let counts = authorised && COUNTING.contains(&self.kind.as_str()) && !number.is_empty();
        counts.then(|| format!("PSD{}-{number}", self.authority.replacen('_', "-", 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extract(kind: &str, properties: &str) -> String {
        format!(
            r#"[[{{"disclaimer":"x"}}],[{{"CA_OwnerID":"NO_FSA","EntityCode":"NO_FSA!1","EntityType":"{kind}",
            "Properties":[{{"ENT_NAM":["A","B"]}},{properties}],"Services":[{{"NO":"PS_070"}}],
            "__EBA_EntityVersion":"20260814223344848"}}]]"#
        )
    }

    fn knows(register: &RegisterExtract, organisation_id: &str) -> bool {
        register.is_registered(&Applicant { organisation_id, anchor_sha256: [0; 32] }).unwrap()
    }

    #[test]
    fn an_institution_counts_while_it_is_authorised() {
        const NUMBER: &str = r#"{"ENT_NAT_REF_COD":"912345678"}"#;
        for (kind, properties, expected) in [
            ("PSD_PI", format!(r#"{NUMBER},{{"ENT_AUT":["2019-04-12"]}}"#), true),
            ("PSD_PI", format!(r#"{NUMBER},{{"ENT_AUT":"2019-04-12"}}"#), true),
            ("PSD_PI", format!(r#"{NUMBER},{{"ENT_AUT":["2019-04-12","2020-01-01"]}}"#), false),
            ("PSD_PI", format!(r#"{NUMBER},{{"ENT_AUT":["2019-04-12","2020-01-01","2021-01-01"]}}"#), true),
            ("PSD_PI", NUMBER.to_owned(), false),
            ("PSD_PI", r#"{"ENT_AUT":["2019-04-12"]}"#.to_owned(), false),
            ("PSD_EMI", format!(r#"{NUMBER},{{"ENT_AUT":["2019-04-12"]}}"#), true),
            ("PSD_AISP", format!(r#"{NUMBER},{{"ENT_AUT":["2019-04-12"]}}"#), true),
            ("PSD_AG", format!(r#"{NUMBER},{{"DER_CHI_ENT_AUT":"Active"}}"#), false),
            ("PSD_EPI", format!(r#"{NUMBER},{{"ENT_AUT":["2019-04-12"]}}"#), false),
        ] {
            let register = RegisterExtract::from_json(extract(kind, &properties).as_bytes()).unwrap();
            assert_eq!(knows(&register, "PSDNO-FSA-912345678"), expected, "{kind} {properties}");
            assert_eq!((register.len(), register.is_empty()), (usize::from(expected), !expected));
            assert!(!knows(&register, "PSDSE-FSA-912345678") && !knows(&register, "PSDNO-FSA-91234567"));
        }
    }

    #[test]
    fn another_extract_counts_from_the_next_call_on_and_a_broken_one_never() {
        let of = |changes: &str| {
            extract("PSD_PI", &format!(r#"{{"ENT_NAT_REF_COD":"1"}},{{"ENT_AUT":{changes}}}"#))
        };
        let register = RegisterExtract::from_json(of(r#"["2019-04-12"]"#).as_bytes()).unwrap();
        for broken in ["", "[]", "{}", "[[],[{}]]", "[[],{}]", "[[],[],[]]", "[[],[]] x"] {
            let error = register.replace(broken.as_bytes()).unwrap_err();
            assert!(
                matches!(&error, Error::Config(text) if text.contains("register extract")),
                "{broken}: {error:?}"
            );
            assert!(knows(&register, "PSDNO-FSA-1"));
        }
        register.replace(of(r#"["2019-04-12","2026-01-01"]"#).as_bytes()).unwrap();
        assert!(!knows(&register, "PSDNO-FSA-1"));
    }
}
