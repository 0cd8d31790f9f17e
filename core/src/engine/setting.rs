//! The one table of settings, for the docs; what reads them stands beside it, and in [`crate::policy`]. A test
//! holds the table to both.

/// One key of a configuration or of a policy.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The key.
    pub key: &'static str,
    /// What its value looks like.
    pub form: &'static str,
    /// Its default in production as JSON; `None` where the key is required or has no value by default.
    pub default: Option<&'static str>,
    /// Its default in the sandbox, where that is another.
    pub in_sandbox: Option<&'static str>,
    /// What it does.
    pub meaning: &'static str,
}

macro_rules! settings {
    ($( $key:literal $form:literal $(= $default:literal $(sandbox $in_sandbox:literal)?)? : $meaning:literal; )+) => {
        &[ $( Setting {
            key: $key,
            form: $form,
            default: settings!(@first $($default)?),
            in_sandbox: settings!(@first $($($in_sandbox)?)?),
            meaning: $meaning,
        }, )+ ]
    };
    (@first) => { None };
    (@first $value:literal) => { Some($value) };
}

/// The keys of an engine's configuration.
pub const SETTINGS: &[Setting] = settings! {
    "database" "text":
        "`sqlite:///absolute/path`, made where it does not exist, or `sqlite::memory:` for tests. Required.";
    "trust_anchors" "PEM text": "the certificates that count, one or several: each is trusted as it is. Required.";
    "response_key" "object of two PEM texts":
        "`certificate` and `private_key` (RSA, unencrypted) that every answer is signed with; required where the \
         policy has `sign_responses`";
    "policy" "object" = "{}": "the keys below";
};

/// The keys of a policy.
pub const POLICIES: &[Setting] = settings! {
    "base_path" "text" = "\"\"": "what stands before `/v1/…` in the paths of requests";
    "sca_origin" "text" = "\"https://sca.bank.example\"":
        "scheme and host of the bank's SCA site; `{base_path}/sca/{id}` follows in links";
    "body_bytes_max" "whole number" = "1048576": "the largest request body in bytes";
    "account_check_digit" "`refuse` or `warn`" = "\"refuse\"" sandbox "\"warn\"":
        "where the check digit of a Norwegian account number does not fit";
    "key_id_issuer" "`lenient` or `exact`" = "\"lenient\"":
        "whether the issuer in keyId may leave out attributes other than CN, O, OU, L, ST and C";
    "certificate_type" "`any`, `qseal` or `qwac`" = "\"any\"":
        "which qualified certificates sign requests, by their QCStatements (ETSI EN 319 412-5)";
    "stale_crl" "`refuse` or `accept`" = "\"refuse\"":
        "what becomes of a certificate whose issuer's revocation list is past its nextUpdate";
    "missing_crl" "`refuse` or `accept`" = "\"accept\"":
        "what becomes of a certificate for whose issuer no revocation list was supplied";
    "replay_protection" "`true` or `false`" = "true": "whether an X-Request-ID counts once within its window";
    "require_session_headers" "`true` or `false`" = "true":
        "whether x-accept-fix and TPP-Session-ID are required where the contract says so";
    "pending_unfiltered" "`true` or `false`" = "true":
        "whether every page of an account's list shows every pending transaction (contract: Limits, known issue)";
    "domestic_unreadable_before_approval" "`true` or `false`" = "false":
        "whether a domestic payment answers 404 until its approval (contract: States and transitions, known issue)";
    "audit" "`true` or `false`" = "true" sandbox "false":
        "whether changes and callers that were turned away are noted in the audit";
    "sign_responses" "`true` or `false`" = "false":
        "whether answers are signed; an engine needs a response key for it";
    "repertoire" "`iso-8859-1`, `swift-x` or `bmp`" = "\"iso-8859-1\"":
        "the characters that the bank's systems carry";
    "structured_addresses_from" "a day `YYYY-MM-DD`" = "\"2026-11-15\"" sandbox "\"2026-08-13\"":
        "from this day on (Europe/Oslo) missing parts of a structured address are refused";
    "accept_foreign_debtor" "`true` or `false`" = "false":
        "the sandbox bank's: whether its accounts take transactions that another account pays";
    "rates" "object of decimal texts" = "{}":
        "the sandbox bank's: what one unit of a currency is worth in NOK, over its own table";
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineConfig;
    use crate::error::Error;
    use crate::policy::{Environment, Policy};

    /// The keys that a reader says it expects, told one that it does not know.
    fn expected<T: std::fmt::Debug>(read: Result<T, Error>) -> Vec<String> {
        let told = read.unwrap_err().to_string();
        let list = told.split_once("expected ").unwrap().1;
        let quoted = list.split('`').skip(1).step_by(2);
        quoted.map(str::to_owned).collect()
    }

    fn keys(settings: &[Setting]) -> Vec<String> {
        settings.iter().map(|setting| setting.key.to_owned()).collect()
    }

    #[test]
    fn every_key_that_is_read_has_a_row_and_every_row_is_read() {
        assert_eq!(keys(SETTINGS), expected(EngineConfig::from_json(r#"{"no such key":1}"#)));
        let policy = Policy::from_json(Environment::Production, r#"{"no such key":1}"#);
        assert_eq!(keys(POLICIES), expected(policy));
    }

    #[test]
    fn the_defaults_are_those_of_each_environment() {
        let object = |default: fn(&Setting) -> &'static str| {
            let members = POLICIES.iter().map(|row| format!("\"{}\":{}", row.key, default(row)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        };
        let production = object(|row| row.default.unwrap());
        let sandbox = object(|row| row.in_sandbox.or(row.default).unwrap());
        for (environment, text) in [(Environment::Production, production), (Environment::Sandbox, sandbox)] {
            assert_eq!(Policy::from_json(environment, &text).unwrap(), Policy::new(environment), "{text}");
        }
    }
}
