//! The TLS settings of an address: `sslmode` and `sslrootcert` as in libpq, without the modes that guarantee nothing.
//!
//! The default of libpq is `prefer`: TLS if the server offers it, with any server that answers, and none if an attacker
//! in between claims that there is none. That protects against no attacker, so it is refused here, and the default is
//! the strictest mode.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;

use crate::error::{Error, Result};

/// What is required of a server before any data is sent to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Nothing: all is said in the clear.
    Clear,
    /// TLS with any server that answers: it protects against listeners, not against an attacker in between.
    AnyServer,
    /// TLS, and a certificate of one of the authorities in this file.
    Authority(PathBuf),
    /// TLS, and such a certificate for the host that the address names.
    AuthorityAndName(PathBuf),
}

/// The TLS settings of an address, as written.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    mode: Option<String>,
    roots: Option<String>,
}

/// Takes the TLS parameters out of a URL, because the driver does not support them.
///
/// # Errors
/// [`Error::Config`] where something is said twice, or is no text.
pub(super) fn take_out(url: &str) -> Result<(String, Asked)> {
    let mut asked = Asked::default();
    // As the driver reads it: user and password come before the first `@`, and a password may hold a `?`.
    let credentials = url.split_once('@').map(|(before, _)| format!("{before}@")).unwrap_or_default();
    let rest = url.strip_prefix(&credentials).unwrap_or(url);
    let Some((place, query)) = rest.split_once('?') else { return Ok((url.to_owned(), asked)) };
    let mut others = Vec::new();
    for parameter in query.split('&') {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let said = match name {
            "sslmode" => &mut asked.mode,
            "sslrootcert" => &mut asked.roots,
            _ => {
                others.push(parameter);
                continue;
            }
        };
        let text = percent_decode_str(value).decode_utf8();
        let text = text.map_err(|_| refused(&format!("{name} of the PostgreSQL URL is no text")))?;
        if said.replace(text.into_owned()).is_some() {
            return Err(refused(&format!("the PostgreSQL URL says {name} twice")));
        }
    }
    let question = if others.is_empty() { "" } else { "?" };
    Ok((format!("{credentials}{place}{question}{}", others.join("&")), asked))
}

impl Asked {
    /// The resulting requirement. Through a Unix socket nothing is encrypted in any mode: no data leaves the machine.
    ///
    /// # Errors
    /// [`Error::Config`] for a mode that is none, or that promises nothing, and where the authorities are missing.
    pub(super) fn trust(self, is_over_network: bool) -> Result<Trust> {
        let roots = match self.roots.as_deref() {
            Some("") | None => None,
            Some("system") => return Err(refused(SYSTEM_ROOTS)),
            Some(path) => Some(PathBuf::from(path)),
        };
        let trust = match (self.mode.as_deref(), roots) {
            (Some("disable"), _) => Trust::Clear,
            (Some("require"), None) => Trust::AnyServer,
            (Some("require" | "verify-ca"), Some(roots)) => Trust::Authority(roots),
            (Some("verify-full") | None, Some(roots)) => Trust::AuthorityAndName(roots),
            (Some("verify-ca" | "verify-full"), None) => return Err(refused(NO_ROOTS)),
            (Some("allow" | "prefer"), _) => return Err(refused(PROMISES_NOTHING)),
            (Some(_), _) => return Err(refused(UNKNOWN)),
            (None, None) if is_over_network => return Err(refused(NOTHING_SAID)),
            (None, None) => Trust::Clear,
        };
        Ok(if is_over_network { trust } else { Trust::Clear })
    }
}

const SYSTEM_ROOTS: &str =
    "sslrootcert=system is not known here: name the file with the certificates of the \
    authorities that you trust";
const NO_ROOTS: &str =
    "sslmode=verify-ca and verify-full need sslrootcert: the file with the certificates of the \
    authorities that you trust";
const PROMISES_NOTHING: &str =
    "sslmode=allow and prefer are refused, because a machine between node and server can have it \
    unencrypted: say verify-full, verify-ca, require or disable";
const UNKNOWN: &str = "sslmode is none of verify-full, verify-ca, require and disable";
const NOTHING_SAID: &str =
    "a PostgreSQL server on a network needs sslrootcert, the file with the certificates of the \
    authorities that you trust; or sslmode=disable, if no other machine is on that network";

/// The error for an address. The text never repeats it, because it may hold a password.
pub(super) fn refused(why: &str) -> Error {
    Error::Config(format!("database: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trust(query: &str, is_over_network: bool) -> Result<Trust> {
        take_out(&format!("postgresql://xs2a@db.example/gateway{query}")).unwrap().1.trust(is_over_network)
    }

    #[test]
    fn each_mode_is_as_libpq_documents_and_the_default_is_the_strictest() {
        let file = || PathBuf::from("/etc/ca file.pem");
        for (query, expected) in [
            ("?sslmode=disable", Trust::Clear),
            ("?sslmode=disable&sslrootcert=/etc/ca%20file.pem", Trust::Clear),
            ("?sslmode=require", Trust::AnyServer),
            ("?sslmode=require&sslrootcert=", Trust::AnyServer),
            ("?sslmode=require&sslrootcert=/etc/ca%20file.pem", Trust::Authority(file())),
            ("?sslmode=verify-ca&sslrootcert=/etc/ca%20file.pem", Trust::Authority(file())),
            ("?sslrootcert=/etc/ca%20file.pem&sslmode=verify-full", Trust::AuthorityAndName(file())),
            ("?sslrootcert=/etc/ca%20file.pem", Trust::AuthorityAndName(file())),
        ] {
            assert_eq!(trust(query, true).unwrap(), expected, "{query}");
            assert_eq!(trust(query, false).unwrap(), Trust::Clear, "{query} through a socket");
        }
        assert_eq!(trust("", false).unwrap(), Trust::Clear);
    }

    #[test]
    fn what_promises_nothing_or_cannot_be_held_is_refused() {
        for (query, why) in [
            ("", NOTHING_SAID),
            ("?connect_timeout=2", NOTHING_SAID),
            ("?sslmode=allow", PROMISES_NOTHING),
            ("?sslmode=prefer", PROMISES_NOTHING),
            ("?sslmode=prefer&sslrootcert=/a", PROMISES_NOTHING),
            ("?sslmode=verify-ca", NO_ROOTS),
            ("?sslmode=verify-full&sslrootcert=", NO_ROOTS),
            ("?sslmode=verify-full&sslrootcert=system", SYSTEM_ROOTS),
            ("?sslmode=", UNKNOWN),
            ("?sslmode=Require", UNKNOWN),
            ("?sslmode", UNKNOWN),
        ] {
            match trust(query, true) {
                Err(Error::Config(text)) => assert_eq!(text, format!("database: {why}"), "{query}"),
                other => panic!("{query}: {other:?}"),
            }
        }
        for url in ["postgresql://h/a?sslmode=require&sslmode=disable", "postgresql://h/a?sslmode=%FF"] {
            assert!(matches!(take_out(url), Err(Error::Config(_))), "{url}");
        }
    }

    #[test]
    fn the_rest_of_the_address_stays_as_it_was() {
        for (url, rest) in [
            ("postgresql://h/a", "postgresql://h/a"),
            ("postgresql://h/a?sslmode=require", "postgresql://h/a"),
            ("postgresql://u@h?sslmode=require&port=1", "postgresql://u@h?port=1"),
            (
                "postgresql://u:p?x&sslmode=y@h/a?port=1&sslrootcert=/b",
                "postgresql://u:p?x&sslmode=y@h/a?port=1",
            ),
            ("postgresql://@h/a?sslmode=require", "postgresql://@h/a"),
            ("postgresql:///a?host=/run&sslmode=disable&user=b", "postgresql:///a?host=/run&user=b"),
        ] {
            assert_eq!(take_out(url).unwrap().0, rest);
        }
    }
}
