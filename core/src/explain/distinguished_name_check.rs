//! How the issuer in keyId differs from the certificate's.

use super::charset::recoded;
use super::explanation::Proof;
use super::finding::Finding;
use super::table;
use crate::policy::KeyIdIssuer;
use crate::tpp::certificate::Certificate;
use crate::tpp::distinguished_name::{Attribute, DistinguishedName};

/// Explains `SIG-12`.
pub(super) fn explain_issuer(leaf: &Certificate, issuer: &str) -> Option<Finding> {
    let written = DistinguishedName::parse(issuer).ok()?;
    let actual = leaf.issuer();
    let form = |mistake| Finding::new(mistake, Proof::Form);
    let detail = format!("The certificate's issuer is `{actual}`.");
    if written.names_issuer(leaf.subject(), KeyIdIssuer::Lenient) {
        let mistake =
            if leaf.names_an_authority() { &table::CERTIFICATE_OF_ISSUER } else { &table::ISSUER_IS_SUBJECT };
        return Some(form(mistake).with_detail(detail));
    }
    if written.names_issuer(actual, KeyIdIssuer::Lenient) && is_in_order_of(&written.reversed(), actual) {
        return Some(form(&table::ISSUER_REVERSED).with_detail(detail));
    }
    let (written, actual) = (attributes(&written), attributes(actual));
    let missing: Vec<&Attribute> = without(&actual, &written);
    let surplus: Vec<&Attribute> = without(&written, &actual);
    match (surplus.is_empty(), missing.is_empty()) {
        (true, true) => {
            let detail = format!("Its parts are in another order. {detail}");
            Some(form(&table::ISSUER_VALUE_DIFFERS).with_detail(detail))
        }
        (true, false) => {
            let detail = format!("It lacks {}. {detail}", listed(&missing));
            Some(form(&table::ISSUER_VALUE_DIFFERS).with_detail(detail))
        }
        (false, _) => {
            let is_recoded = surplus.iter().any(|own| missing.iter().any(|actual| is_recoded(own, actual)));
            let mistake = if is_recoded { &table::ISSUER_CHARSET } else { &table::ISSUER_VALUE_DIFFERS };
            let differing =
                format!("keyId has {}, which the certificate's issuer has not.", listed(&surplus));
            Some(form(mistake).with_detail(format!("{differing} {detail}")))
        }
    }
}

/// Returns true if the RDNs of a name occur in the order of another one, which may have more.
fn is_in_order_of(name: &DistinguishedName, other: &DistinguishedName) -> bool {
    let mut rest = other.rdns().iter();
    name.rdns().iter().all(|rdn| rest.any(|candidate| candidate == rdn))
}

fn attributes(name: &DistinguishedName) -> Vec<&Attribute> {
    name.rdns().iter().flatten().collect()
}

fn without<'a>(attributes: &[&'a Attribute], others: &[&Attribute]) -> Vec<&'a Attribute> {
    attributes.iter().filter(|own| !others.contains(own)).copied().collect()
}

fn listed(attributes: &[&Attribute]) -> String {
    attributes.iter().map(|attribute| format!("`{attribute}`")).collect::<Vec<_>>().join(", ")
}

/// Whether one value is the other in another charset.
fn is_recoded(written: &Attribute, actual: &Attribute) -> bool {
    let (Some(own), Some(text)) = (written.value().as_text(), actual.value().as_text()) else { return false };
    let same_kind = written.oid() == actual.oid();
    same_kind
        && (recoded(text.as_bytes()).iter().any(|form| String::from_utf8_lossy(form) == own)
            || recoded(own.as_bytes()).iter().any(|form| form == text.as_bytes()))
}
