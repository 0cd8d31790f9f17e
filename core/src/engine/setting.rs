//! The one table of settings, for the docs and their schema. The code that reads them is next to it, and in
//! [`crate::policy`]. Tests compare the table with both.

use crate::limits::{CALLS_WITHOUT_PSU_PER_DAY, CALLS_WITHOUT_PSU_PER_DAY_MAX};

/// One key of a configuration or of a policy.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The key.
    pub key: &'static str,
    /// What its value looks like.
    pub form: Form,
    /// Whether it must be there.
    pub required: bool,
    /// Its default in production as JSON; `None` where the key is required, has no value by default, or is of a sandbox
    /// alone.
    pub default: Option<&'static str>,
    /// Its default in the sandbox, where that is another.
    pub in_sandbox: Option<&'static str>,
    /// What it does.
    pub meaning: &'static str,
}

impl Setting {
    /// Returns true if only a sandbox takes the key.
    pub fn is_of_a_sandbox_alone(&self) -> bool {
        self.default.is_none() && self.in_sandbox.is_some()
    }
}

/// What a value looks like. Patterns are regular expressions of ECMA-262.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// A text in words, and the pattern that it fits.
    Text(&'static str, &'static str),
    /// A whole number from the first of these to the second.
    Whole(u64, u64),
    /// `true` or `false`.
    Flag,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// An array in words, of texts that fit the pattern.
    List(&'static str, &'static str),
    /// An object in words, with these members: the first ones are required, the last ones are not.
    Members(&'static str, &'static [(&'static str, Form)], &'static [(&'static str, Form)]),
    /// An object in words, and the patterns of its keys and of its values, which are texts.
    Map(&'static str, &'static str, &'static str),
    /// An object with the keys of [`POLICIES`], as one wants.
    Policies,
}

/// In words, as a page shows it.
impl std::fmt::Display for Form {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(words, _) | Self::Members(words, ..) | Self::Map(words, ..) | Self::List(words, _) => {
                out.write_str(words)
            }
            Self::Whole(0, _) => out.write_str("whole number"),
            Self::Whole(from, to) => write!(out, "whole number from {from} to {to}"),
            Self::Flag => out.write_str("`true` or `false`"),
            Self::OneOf([others @ .., last]) => {
                let others: Vec<_> = others.iter().map(|one| format!("`{one}`")).collect();
                write!(out, "{} or `{last}`", others.join(", "))
            }
            Self::OneOf([]) => Ok(()),
            Self::Policies => out.write_str("object"),
        }
    }
}

const REFUSE_OR_ACCEPT: Form = Form::OneOf(&["refuse", "accept"]);

/// Neither a space nor a control character anywhere, a line break at the end included.
macro_rules! plain {
    ($pattern:literal) => {
        concat!(r"^(?![\s\S]*[\s\u0000-\u001f\u007f-\u009f])", $pattern)
    };
}

const CERTIFICATE: Form = Form::Text("PEM text", "-----BEGIN (X509 |X\\.509 )?CERTIFICATE-----");
const ORIGIN: Form =
    Form::Text("text", plain!(r"https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$"));
const SECONDS: Form = Form::Whole(0, u32::MAX as u64);
const CALLS_PER_DAY: Form =
    Form::Whole(CALLS_WITHOUT_PSU_PER_DAY as u64, CALLS_WITHOUT_PSU_PER_DAY_MAX as u64);
const PRIVATE_KEY: Form = Form::Text("PEM text", "-----BEGIN (RSA )?PRIVATE KEY-----");
const DATABASE: Form =
    Form::Text("text", r"^(sqlite:///[\s\S]*[^/]|sqlite::memory:(?!\s)|postgres(ql)?://[\s\S]*)$");
const BANK_ID: Form = Form::Text("text", r"^[A-Za-z0-9._-]{1,64}(?!\s)$");
const COUNTRY: Form = Form::Text("a code such as `NO`", r"^[A-Z]{2}(?!\s)$");
const SCHEME: &str = r"^[A-Za-z][A-Za-z0-9+.-]*(?!\s)$";
const DAYS: Form = Form::Whole(0, u32::MAX as u64);
const DAY: Form = Form::Text("a day `YYYY-MM-DD`", r"^\d{4}-\d{2}-\d{2}(?!\s)$");
#[cfg(feature = "sandbox")]
const RATES: Form =
    Form::Map("object of decimal texts", "^[A-Z]{3}$", r"^(?=.*[1-9])\d{1,16}(\.\d{1,8})?(?!\s)$");

macro_rules! settings {
    ($(
        $(#[$condition:meta])?
        $key:literal [$form:expr] $($required:ident)?
        $(= $default:literal)? $(, sandbox $in_sandbox:literal)? : $meaning:literal;
    )+) => {
        &[ $( $(#[$condition])? Setting {
            key: $key,
            form: $form,
            required: settings!(@is $($required)?),
            default: settings!(@first $($default)?),
            in_sandbox: settings!(@first $($in_sandbox)?),
            meaning: $meaning,
        }, )+ ]
    };
    (@is) => { false };
    (@is required) => { true };
    (@first) => { None };
    (@first $value:literal) => { Some($value) };
}

/// The keys of an engine's configuration.
pub const SETTINGS: &[Setting] = settings! {
    "database" [DATABASE] required:
        "`sqlite:///absolute/path`, the path as it is, without parameters and escapes, created if it does not \
         exist; `postgresql://user@host/database` (docs/guide/postgresql.md); or `sqlite::memory:` for tests. \
         Required.";
    "trust_anchors" [CERTIFICATE] required:
        "the certificates that count, one or several: each is trusted as it is. Required.";
    "bank_id" [BANK_ID]:
        "the id of the bank, such as its BIC: 1 to 64 letters, digits, `.`, `_` and `-`. The first engine with one \
         stores it in the database, which then refuses every engine with another id, and with none";
    "response_key" [Form::Members(
        "object of one or two PEM texts",
        &[("certificate", CERTIFICATE)],
        &[("private_key", PRIVATE_KEY)],
    )]:
        "`certificate` and `private_key` (RSA, unencrypted) that every answer is signed with; without `private_key` \
         the host's function signs (C: the callback `sign`; in Python a callable in the place of the key); required \
         where the policy has `sign_responses`";
    "registry_ages" [Form::Members(
        "object of two whole numbers",
        &[("registered_seconds", SECONDS), ("unknown_seconds", SECONDS)],
        &[],
    )]:
        "for how many seconds an answer of the host's register counts: `registered_seconds` that a TPP is registered, \
         `unknown_seconds` that it is not; without it the register is asked on every call. Only with a register; in \
         Python, `xs2a.CachedRegistry` in its place";
    "order_lease_seconds" [SECONDS] = "60":
        "for how many seconds a node claims the orders that it delivers. When the core is asked about one, at least \
         three quarters of that are left: the core must answer within that time, or another node may ask it about \
         the same payment at the same time. Orders that a node claimed before it crashed are due again after that. \
         With 0 nodes do not claim orders, and the core may be asked twice at the same time";
    "policy" [Form::Policies] = "{}": "the policies, each of which has a default";
};

/// The keys of a policy.
pub const POLICIES: &[Setting] = settings! {
    "base_path" [Form::Text("text", plain!(r#"(/[!"$&->@-~]*)?$"#))] = "\"\"":
        "the prefix of `/v1/…` in the paths of requests";
    "sca_origin" [ORIGIN] = "\"https://sca.bank.example\"":
        "scheme and host of the bank's SCA site; `{base_path}/sca/{id}` follows in links";
    "body_bytes_max" [Form::Whole(0, u64::MAX)] = "1048576": "the largest request body in bytes";
    "bank_seconds_max" [SECONDS] = "10":
        "how many seconds the bank may take for an answer: a later one to a question is not used, and the TPP gets \
         SYSTEM_ERROR; with 0 there is no limit. The sandbox bank is not measured";
    "call_bank_seconds_max" [SECONDS] = "30":
        "how many seconds all questions to the bank may take together in one call of a TPP, or in one `complete_sca`: \
         a later answer to a question is not used, and the TPP gets SYSTEM_ERROR; with 0 there is no limit. Where only \
         `bank_seconds_max` is set, as long as that, if that is longer, or 0";
    "account_check_digit" [Form::OneOf(&["refuse", "warn"])] = "\"refuse\"", sandbox "\"warn\"":
        "where the check digit of a Norwegian account number does not fit";
    "key_id_issuer" [Form::OneOf(&["lenient", "exact"])] = "\"lenient\"":
        "whether the issuer in keyId may leave out attributes other than CN, O, OU, L, ST and C, and have another \
         order";
    "certificate_type" [Form::OneOf(&["any", "qseal", "qwac"])] = "\"any\"":
        "which qualified certificates sign requests, by their QCStatements (ETSI EN 319 412-5); those of a sandbox's \
         own test PKI are not qualified: there, with `any` alone";
    "country" [COUNTRY] = "\"NO\"":
        "the bank's country (ISO 3166-1): the services of an institution count that the register's extract has there";
    "stale_crl" [REFUSE_OR_ACCEPT] = "\"refuse\"":
        "whether a certificate is accepted whose issuer's revocation list is past its nextUpdate";
    "missing_crl" [REFUSE_OR_ACCEPT] = "\"accept\"":
        "whether a certificate is accepted for whose issuer no revocation list was supplied; a sandbox has none, so \
         that `refuse` refuses every call there";
    "request_id" [Form::OneOf(&["text", "uuid"])] = "\"text\"":
        "whether X-Request-ID is any text of 1 to 64 visible ASCII characters, or a UUID";
    "replay_protection" [Form::Flag] = "true": "whether an X-Request-ID counts once within its window";
    "require_session_headers" [Form::Flag] = "true":
        "whether x-accept-fix and TPP-Session-ID are required where the contract says so";
    "redirect_schemes" [Form::List("array of texts", SCHEME)] = "[]":
        "schemes that TPP-Redirect-URI may have beside https and those that hold a dot, such as `myapp`: for the \
         apps of TPPs";
    "calls_without_psu_per_day" [CALLS_PER_DAY] = "4":
        "how often a day (Europe/Oslo) a TPP reads the transactions of an account, or a transaction, without the PSU: \
         4 is what every TPP has (Delegated Regulation (EU) 2018/389, article 36(5)(b)), more is by agreement";
    "pending_unfiltered" [Form::Flag] = "true":
        "whether every page of an account's list shows every pending transaction (contract: Limits, known issue)";
    "domestic_unreadable_before_approval" [Form::Flag] = "false":
        "whether a domestic payment answers 404 until its approval (contract: States and transitions, known issue)";
    "audit" [Form::Flag] = "true", sandbox "false":
        "whether changes, reads and refused callers are written into the audit";
    "audit_reads" [Form::OneOf(&["committed", "batched", "off"])] = "\"batched\"", sandbox "\"committed\"":
        "when a read of account data or of a payment is written into the audit: with its answer; with others about a \
         second later; not at all";
    "statistics" [Form::Flag] = "true", sandbox "false":
        "whether calls and outages are counted by day, for the statistics of the interface";
    "consents_kept_days" [DAYS] = "731":
        "how many days a consent is kept after it was revoked or replaced; 0: for ever";
    "payments_kept_days" [DAYS] = "2192":
        "how many days payments and signing baskets are kept after they were created; 0: for ever. A payment whose \
         history is in the audit, or with an order for the bank, is kept longer";
    "statistics_kept_days" [DAYS] = "1096": "how many days statistics are kept; 0: for ever";
    "sign_responses" [Form::Flag] = "false":
        "a sandbox signs its answers, by the bank of its test PKI; another engine signs them where it has a \
         `response_key`, and with this policy it is not built without one";
    "repertoire" [Form::OneOf(&["iso-8859-1", "swift-x", "bmp"])] = "\"iso-8859-1\"":
        "the characters that the bank's systems carry";
    "structured_addresses_from" [DAY] = "\"2026-11-15\"", sandbox "\"2026-08-13\"":
        "from this day on (Europe/Oslo) missing parts of a structured address are refused";
    #[cfg(feature = "sandbox")]
    "explain_to_tpp" [Form::Flag], sandbox "false":
        "whether a refusal by authentication shows the TPP the mistake that it made, as a WARNING; an engine does not \
         take this key";
    #[cfg(feature = "sandbox")]
    "scenario_header" [Form::Flag], sandbox "false":
        "whether a call may choose a fault for itself, by the header X-Sandbox-Scenario; an engine does not take this \
         key";
    #[cfg(feature = "sandbox")]
    "accept_foreign_debtor" [Form::Flag] = "false":
        "the sandbox bank's: whether its accounts take transactions that another account pays";
    #[cfg(feature = "sandbox")]
    "rates" [RATES] = "{}":
        "the sandbox bank's: what one unit of a currency is worth in NOK, over its own table";
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineConfig;
    use crate::error::Error;
    use crate::policy::{Environment, Policy};

    /// The keys that a reader reports as expected if it reads an unknown key.
    fn expected<T: std::fmt::Debug>(read: Result<T, Error>) -> Vec<String> {
        let message = read.unwrap_err().to_string();
        let list = message.split_once("expected ").unwrap().1;
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
        let object = |default: fn(&Setting) -> Option<&'static str>| {
            let rows = POLICIES.iter().filter_map(|row| Some((row.key, default(row)?)));
            let members = rows.map(|(key, default)| format!("\"{key}\":{default}"));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        };
        let production = object(|row| row.default);
        let sandbox = object(|row| row.in_sandbox.or(row.default));
        assert!(POLICIES.iter().all(|row| row.in_sandbox.or(row.default).is_some()));
        for (environment, text) in [(Environment::Production, production), (Environment::Sandbox, sandbox)] {
            assert_eq!(Policy::from_json(environment, &text).unwrap(), Policy::new(environment), "{text}");
        }
    }
}
