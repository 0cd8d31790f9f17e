//! The register of payment institutions that the European Banking Authority publishes as JSON, or an extract of it:
//!
//! ```text
//! [ [disclaimer…], [ { "CA_OwnerID": "NO_FSA", "EntityType": "PSD_PI",
//!                      "Properties": [ {"ENT_NAT_REF_COD": "912345678"}, {"ENT_NAM": "Betaling AS"},
//!                                      {"ENT_AUT": ["2019-04-12"]}, … ],
//!                      "Services": [ {"NO": ["PS_070", "PS_080"]}, {"SE": "PS_080"}, … ], … }, … ] ]
//! ```
//!
//! `ENT_AUT` has the dates on which the authorisation was given, withdrawn, given again: an odd number of them means
//! that it is there. Payment institutions, e-money institutions and account information services count; agents and
//! branches act under their parent's authorisation, and exempted institutions may not be third parties. `Services` has
//! what an institution may provide in each country, its own and those that it is passported to: of the bank's country
//! `PS_070` allows payment initiation, `PS_080` account information. Banks are not in this register.

use std::collections::hash_map::Entry;
use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::RwLock;
use serde::de::IgnoredAny;
use serde::Deserialize;

use crate::env::registry::{Applicant, Registration, TppRegistry};
use crate::error::{Error, Result};
use crate::limits::REGISTER_BYTES_MAX;
use crate::types::{shown_name, Country};
use crate::wire::json;

const COUNTING: [&str; 3] = ["PSD_PI", "PSD_EMI", "PSD_AISP"];
const PAYMENT_INITIATION: &str = "PS_070";
const ACCOUNT_INFORMATION: &str = "PS_080";

/// The institutions of an extract that are authorised.
#[derive(Debug)]
pub struct RegisterExtract {
    country: Country,
    organisations: RwLock<Organisations>,
}

/// By organizationIdentifier.
type Organisations = HashMap<String, Registration>;

impl RegisterExtract {
    /// Reads an extract, for a bank in that country.
    ///
    /// # Errors
    /// [`Error::Config`] for what is not of the form above, or larger than `REGISTER_BYTES_MAX`.
    pub fn from_json(extract: &[u8], country: Country) -> Result<Self> {
        Ok(Self { country, organisations: RwLock::new(read(extract, country)?) })
    }

    /// Puts another extract in place. It counts from the next call on; on an error the old one stays.
    ///
    /// # Errors
    /// As [`RegisterExtract::from_json`].
    pub fn replace(&self, extract: &[u8]) -> Result<()> {
        let organisations = read(extract, self.country)?;
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
        Ok(self.organisations.read().contains_key(applicant.organisation_id))
    }

    fn registration(&self, applicant: &Applicant<'_>) -> Result<Option<Registration>> {
        Ok(self.organisations.read().get(applicant.organisation_id).cloned())
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
    /// By the code of the country.
    #[serde(rename = "Services", default)]
    services: Vec<HashMap<String, OneOrMany>>,
}

#[derive(Deserialize)]
struct Property {
    #[serde(rename = "ENT_NAT_REF_COD")]
    number: Option<OneOrMany>,
    #[serde(rename = "ENT_NAM")]
    name: Option<OneOrMany>,
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

fn read(extract: &[u8], country: Country) -> Result<Organisations> {
    if extract.len() > REGISTER_BYTES_MAX {
        return Err(Error::Config(format!("the register extract is larger than {REGISTER_BYTES_MAX} bytes")));
    }
    let (_, entities): (IgnoredAny, Vec<Entity>) = json::read_supplied("register extract", extract)?;
    let mut organisations = Organisations::new();
    for entity in &entities {
        let Some(id) = entity.organisation_id() else { continue };
        match organisations.entry(id) {
            Entry::Occupied(known) => merge(known.into_mut(), entity.registration(country)),
            Entry::Vacant(place) => _ = place.insert(entity.registration(country)),
        }
    }
    Ok(organisations)
}

/// Of an institution that is authorised twice, such as for payments and for e-money, each authorisation counts.
fn merge(known: &mut Registration, other: Registration) {
    known.account_information |= other.account_information;
    known.payment_initiation |= other.payment_initiation;
    known.name = known.name.take().or(other.name);
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

    fn registration(&self, country: Country) -> Registration {
        let may_provide = |service: &str| {
            let of_country = self.services.iter().filter_map(|services| services.get(country.code()));
            of_country.flat_map(OneOrMany::as_slice).any(|code| code == service)
        };
        Registration {
            name: self.name(),
            account_information: may_provide(ACCOUNT_INFORMATION),
            payment_initiation: may_provide(PAYMENT_INITIATION),
        }
    }

    fn name(&self) -> Option<Arc<str>> {
        let names = self.properties.iter().filter_map(|property| property.name.as_ref());
        names.flat_map(OneOrMany::as_slice).find_map(|name| shown_name(name))
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
            let register =
                RegisterExtract::from_json(extract(kind, &properties).as_bytes(), Country::NO).unwrap();
            assert_eq!(knows(&register, "PSDNO-FSA-912345678"), expected, "{kind} {properties}");
            assert_eq!((register.len(), register.is_empty()), (usize::from(expected), !expected));
            assert!(!knows(&register, "PSDSE-FSA-912345678") && !knows(&register, "PSDNO-FSA-91234567"));
        }
    }

    #[test]
    fn services_count_in_the_country_of_the_bank() {
        let read = |services: &str, country: &str| {
            let entity = format!(
                r#"{{"CA_OwnerID":"LT_BL","EntityType":"PSD_PI","Services":{services},
                "Properties":[{{"ENT_NAT_REF_COD":"1"}},{{"ENT_AUT":"2019-04-12"}}]}}"#
            );
            let text = format!("[[],[{entity}]]");
            let register = RegisterExtract::from_json(text.as_bytes(), Country::parse(country).unwrap());
            let applicant = Applicant { organisation_id: "PSDLT-BL-1", anchor_sha256: [0; 32] };
            let found = register.unwrap().registration(&applicant).unwrap().unwrap();
            (found.payment_initiation, found.account_information)
        };
        for (services, country, expected) in [
            (r#"[{"LT":["PS_070","PS_080"]},{"NO":["PS_080"]}]"#, "NO", (false, true)),
            (r#"[{"LT":["PS_070","PS_080"]},{"NO":["PS_080"]}]"#, "LT", (true, true)),
            (r#"[{"LT":["PS_070","PS_080"]},{"NO":["PS_080"]}]"#, "SE", (false, false)),
            (r#"[{"NO":"PS_070"}]"#, "NO", (true, false)),
            (r#"[{"NO":"PS_070"},{"NO":"PS_080"}]"#, "NO", (true, true)),
            (r#"[{"NO":["PS_01A","PS_060"]}]"#, "NO", (false, false)),
            ("[]", "NO", (false, false)),
        ] {
            assert_eq!(read(services, country), expected, "{services} {country}");
        }
    }

    #[test]
    fn an_institution_with_two_authorisations_has_the_services_of_both() {
        let entity = |kind: &str, service: &str, name: &str| {
            format!(
                r#"{{"CA_OwnerID":"NO_FSA","EntityType":"{kind}","Services":[{{"NO":"{service}"}}],
                "Properties":[{{"ENT_NAT_REF_COD":"1"}},{{"ENT_AUT":"2019-04-12"}},{{"ENT_NAM":{name}}}]}}"#
            )
        };
        let names = r#"["Betaling\u200b AS","Payment Ltd"]"#;
        let first = entity("PSD_PI", "PS_070", r#""\u202e""#);
        let text = format!("[[],[{first},{}]]", entity("PSD_EMI", "PS_080", names));
        let register = RegisterExtract::from_json(text.as_bytes(), Country::NO).unwrap();
        let applicant = Applicant { organisation_id: "PSDNO-FSA-1", anchor_sha256: [0; 32] };
        let expected = Registration { name: Some("Betaling AS".into()), ..Registration::UNRESTRICTED };
        assert_eq!(register.registration(&applicant).unwrap(), Some(expected));
        assert_eq!(register.len(), 1);
    }

    #[test]
    fn another_extract_counts_from_the_next_call_on_and_a_broken_one_never() {
        let of = |changes: &str| {
            extract("PSD_PI", &format!(r#"{{"ENT_NAT_REF_COD":"1"}},{{"ENT_AUT":{changes}}}"#))
        };
        let register = RegisterExtract::from_json(of(r#"["2019-04-12"]"#).as_bytes(), Country::NO).unwrap();
        for broken in [
            "",
            "[]",
            "{}",
            "[[],[{}]]",
            "[[],{}]",
            "[[],[],[]]",
            "[[],[]] x",
            r#"[[],[{"CA_OwnerID":"N","EntityType":"P","Services":[1]}]]"#,
        ] {
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
