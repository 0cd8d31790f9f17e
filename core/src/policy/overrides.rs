//! The policy as JSON: the keys that are put over the defaults of an environment.

#[cfg(feature = "sandbox")]
use std::collections::BTreeMap;
use std::net::Ipv6Addr;

use chrono::NaiveDate;
#[cfg(feature = "sandbox")]
use rust_decimal::Decimal;
use serde::Deserialize;

use super::{
    AuditReads, CertificateType, CheckDigit, Environment, KeyIdIssuer, OnUnknownRevocation, Policy,
    RequestIdForm,
};
use crate::error::{Error, Result};
use crate::limits::{CALLS_WITHOUT_PSU_PER_DAY, CALLS_WITHOUT_PSU_PER_DAY_MAX, CALL_BANK_SECONDS_MAX};
use crate::types::{date, Country, Repertoire};
use crate::wire::json;

impl Policy {
    /// The defaults of an environment with the keys of a JSON object put over them.
    ///
    /// # Errors
    /// [`Error::Config`] for an unknown key, a value of the wrong type or form.
    pub fn from_json(environment: Environment, text: &str) -> Result<Self> {
        Self::with(environment, json::read_config(text)?)
    }

    /// As [`Policy::from_json`], of keys that were read as a part of something else.
    pub(crate) fn with(environment: Environment, overrides: Overrides) -> Result<Self> {
        let mut policy = Self::new(environment);
        overrides.apply(&mut policy)?;
        Ok(policy)
    }

    /// This policy with the keys of a JSON object put over it.
    ///
    /// # Errors
    /// As [`Policy::from_json`].
    pub fn with_json(mut self, text: &str) -> Result<Self> {
        json::read_config::<Overrides>(text)?.apply(&mut self)?;
        Ok(self)
    }

    /// This policy as its keys would set it: a caller can set the public fields without checks.
    pub(crate) fn checked(self) -> Result<Self> {
        let text = self.to_json()?;
        self.with_json(&text)
    }

    /// Sets the base path, where one is given.
    ///
    /// # Errors
    /// [`Error::Config`] for a text that does not begin with a slash.
    pub fn set_base_path(&mut self, text: &str) -> Result<()> {
        if !text.is_empty() {
            self.base_path = base_path(text)?;
        }
        Ok(())
    }
}

/// The policy as JSON: each key is optional, unknown ones are refused.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Overrides {
    base_path: Option<String>,
    sca_origin: Option<String>,
    body_bytes_max: Option<usize>,
    bank_seconds_max: Option<u32>,
    call_bank_seconds_max: Option<u32>,
    account_check_digit: Option<CheckDigit>,
    key_id_issuer: Option<KeyIdIssuer>,
    certificate_type: Option<CertificateType>,
    country: Option<String>,
    stale_crl: Option<OnUnknownRevocation>,
    missing_crl: Option<OnUnknownRevocation>,
    request_id: Option<RequestIdForm>,
    replay_protection: Option<bool>,
    require_session_headers: Option<bool>,
    redirect_schemes: Option<Vec<String>>,
    calls_without_psu_per_day: Option<u32>,
    pending_unfiltered: Option<bool>,
    domestic_unreadable_before_approval: Option<bool>,
    audit: Option<bool>,
    audit_reads: Option<AuditReads>,
    statistics: Option<bool>,
    consents_kept_days: Option<u32>,
    payments_kept_days: Option<u32>,
    statistics_kept_days: Option<u32>,
    sign_responses: Option<bool>,
    repertoire: Option<String>,
    structured_addresses_from: Option<String>,
    #[cfg(feature = "sandbox")]
    explain_to_tpp: Option<bool>,
    #[cfg(feature = "sandbox")]
    scenario_header: Option<bool>,
    #[cfg(feature = "sandbox")]
    accept_foreign_debtor: Option<bool>,
    #[cfg(feature = "sandbox")]
    rates: Option<BTreeMap<String, String>>,
}

/// How long the answers of one call may take where only the time of each is set: a call of one question has that time.
fn call_seconds(each: u32) -> u32 {
    match each {
        0 => 0,
        each => each.max(CALL_BANK_SECONDS_MAX),
    }
}

impl Overrides {
    fn apply(self, policy: &mut Policy) -> Result<()> {
        set(&mut policy.body_bytes_max, self.body_bytes_max);
        set(&mut policy.bank_seconds_max, self.bank_seconds_max);
        set(
            &mut policy.call_bank_seconds_max,
            self.call_bank_seconds_max.or(self.bank_seconds_max.map(call_seconds)),
        );
        set(&mut policy.account_check_digit, self.account_check_digit);
        set(&mut policy.key_id_issuer, self.key_id_issuer);
        set(&mut policy.certificate_type, self.certificate_type);
        set(&mut policy.country, self.country.map(|code| country(&code)).transpose()?);
        set(&mut policy.stale_crl, self.stale_crl);
        set(&mut policy.missing_crl, self.missing_crl);
        set(&mut policy.request_id, self.request_id);
        set(&mut policy.replay_protection, self.replay_protection);
        set(&mut policy.require_session_headers, self.require_session_headers);
        set(&mut policy.redirect_schemes, self.redirect_schemes.map(schemes).transpose()?);
        set(
            &mut policy.calls_without_psu_per_day,
            self.calls_without_psu_per_day.map(calls_per_day).transpose()?,
        );
        set(&mut policy.pending_unfiltered, self.pending_unfiltered);
        set(&mut policy.domestic_unreadable_before_approval, self.domestic_unreadable_before_approval);
        set(&mut policy.audit, self.audit);
        set(&mut policy.audit_reads, self.audit_reads);
        set(&mut policy.statistics, self.statistics);
        set(&mut policy.consents_kept_days, self.consents_kept_days);
        set(&mut policy.payments_kept_days, self.payments_kept_days);
        set(&mut policy.statistics_kept_days, self.statistics_kept_days);
        set(&mut policy.sign_responses, self.sign_responses);
        set(&mut policy.base_path, self.base_path.map(|path| base_path(&path)).transpose()?);
        set(&mut policy.sca_origin, self.sca_origin.map(|text| origin("sca_origin", text)).transpose()?);
        set(&mut policy.repertoire, self.repertoire.map(|name| repertoire(&name)).transpose()?);
        set(
            &mut policy.structured_addresses_from,
            self.structured_addresses_from.map(|text| day(&text)).transpose()?,
        );
        #[cfg(feature = "sandbox")]
        {
            let environment = policy.environment;
            let set = |key, place, value| set_of_sandbox(environment, key, place, value);
            set("explain_to_tpp", &mut policy.explain_to_tpp, self.explain_to_tpp)?;
            set("scenario_header", &mut policy.scenario_header, self.scenario_header)?;
        }
        #[cfg(feature = "sandbox")]
        set(&mut policy.accept_foreign_debtor, self.accept_foreign_debtor);
        #[cfg(feature = "sandbox")]
        set(&mut policy.rates, self.rates.map(rates).transpose()?);
        Ok(())
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

/// In production the key is as unknown as in a build without the sandbox.
#[cfg(feature = "sandbox")]
fn set_of_sandbox(
    environment: Environment,
    key: &str,
    place: &mut Option<bool>,
    value: Option<bool>,
) -> Result<()> {
    if value.is_some() && environment == Environment::Production {
        return Err(Error::Config(format!("unknown field `{key}`, expected none: only a sandbox takes it")));
    }
    *place = value.or(*place);
    Ok(())
}

/// Schemes by RFC 3986. Those that a browser runs or shows by itself lead to no app.
fn schemes(given: Vec<String>) -> Result<Vec<String>> {
    const OF_BROWSERS: [&str; 8] =
        ["http", "https", "javascript", "data", "vbscript", "file", "blob", "view-source"];
    let is_scheme = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
            && !OF_BROWSERS.iter().any(|known| text.eq_ignore_ascii_case(known))
    };
    match given.iter().find(|text| !is_scheme(text)) {
        Some(text) => Err(Error::Config(format!(
            "redirect_schemes: `{text}` is not the scheme of an app, such as myapp"
        ))),
        None => Ok(given),
    }
}

fn calls_per_day(calls: u32) -> Result<u32> {
    if (CALLS_WITHOUT_PSU_PER_DAY..=CALLS_WITHOUT_PSU_PER_DAY_MAX).contains(&calls) {
        return Ok(calls);
    }
    Err(Error::Config(format!(
        "calls_without_psu_per_day: {calls} is not from {CALLS_WITHOUT_PSU_PER_DAY}, which every TPP has (Delegated \
         Regulation (EU) 2018/389, article 36(5)(b)), to {CALLS_WITHOUT_PSU_PER_DAY_MAX}"
    )))
}

fn base_path(text: &str) -> Result<String> {
    let path = text.trim_end_matches('/');
    let is_of_a_target = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'?' | b'#' | b'%');
    if path.is_empty() || (path.starts_with('/') && path.bytes().all(is_of_a_target)) {
        return Ok(path.to_owned());
    }
    Err(Error::Config(format!(
        "base_path: `{text}` does not begin with a slash, or holds `?`, `#`, `%`, a space or what is not ASCII"
    )))
}

/// A text that is scheme and host, as the value of a key.
pub(crate) fn origin(key: &str, text: String) -> Result<String> {
    let authority = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match authority {
        Some(authority) if is_authority(authority) => Ok(text),
        _ => Err(Error::Config(format!(
            "{key}: `{text}` is not scheme and host, such as https://sca.bank.example"
        ))),
    }
}

/// A host, and perhaps a port: it becomes part of links and headers, and browsers send it back as `Origin`, without
/// user information.
fn is_authority(text: &str) -> bool {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !text.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    let is_port = |text: &str| !text.starts_with('+') && text.parse::<u16>().is_ok();
    port.is_none_or(is_port) && is_host(host)
}

fn is_host(text: &str) -> bool {
    let of_version_6 = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match of_version_6 {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => {
            let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
            !text.is_empty() && text.bytes().all(is_allowed)
        }
    }
}

fn country(code: &str) -> Result<Country> {
    let unknown = |_| Error::Config(format!("country: `{code}` is not a code of ISO 3166-1, such as NO"));
    Country::parse(code).map_err(unknown)
}

fn repertoire(name: &str) -> Result<Repertoire> {
    match name {
        "iso-8859-1" => Ok(Repertoire::Latin1),
        "swift-x" => Ok(Repertoire::SwiftX),
        "bmp" => Ok(Repertoire::Bmp),
        _ => Err(Error::Config(format!("repertoire: `{name}` is none of iso-8859-1, swift-x, bmp"))),
    }
}

fn day(text: &str) -> Result<NaiveDate> {
    date::parse(text)
        .ok_or_else(|| Error::Config(format!("structured_addresses_from: `{text}` is not a date YYYY-MM-DD")))
}

/// All of them: what was there before is taken back.
#[cfg(feature = "sandbox")]
fn rates(given: BTreeMap<String, String>) -> Result<BTreeMap<String, Decimal>> {
    let read = |(currency, rate): (String, String)| {
        let rate = positive(&currency, &rate)?;
        Ok((currency, rate))
    };
    given.into_iter().map(read).collect()
}

#[cfg(feature = "sandbox")]
fn positive(currency: &str, text: &str) -> Result<Decimal> {
    let known = crate::types::Currency::parse(currency).is_ok();
    match text.parse::<Decimal>() {
        Ok(rate) if known && rate > Decimal::ZERO => Ok(rate),
        _ => Err(Error::Config(format!(
            "rates: `{currency}: {text}` is not a known currency with a positive decimal text"
        ))),
    }
}
