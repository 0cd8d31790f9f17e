//! The address of a PostgreSQL database, and what its connections are given beside it.

use std::time::Duration;

use postgres::config::SslMode;
use postgres::Config;

use super::connection::APPLICATION_NAME;
use crate::error::{Error, Result};

/// How long a connection may take to come about, where the address says nothing of it.
const CONNECT_SECONDS_MAX: u64 = 5;
/// How long a server may leave what was sent to it unconfirmed before it counts as gone.
const SILENCE_SECONDS_MAX: u64 = 10;

/// Reads a URL as libpq has it.
///
/// # Errors
/// [`Error::Config`] for what is no such URL, and for one that demands TLS. The text does not repeat the address,
/// which may hold a password.
pub(super) fn read(url: &str) -> Result<Config> {
    if url.contains("sslmode=verify-") {
        return Err(no_tls());
    }
    let mut config: Config = url.parse().map_err(|_| {
        Error::Config("database: the address is no PostgreSQL URL that this library reads".to_owned())
    })?;
    if config.get_hosts().is_empty() {
        return Err(Error::Config("database: the PostgreSQL URL names no host and no socket".to_owned()));
    }
    if config.get_ssl_mode() == SslMode::Require {
        return Err(no_tls());
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_secs(CONNECT_SECONDS_MAX));
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(Duration::from_secs(SILENCE_SECONDS_MAX));
    }
    if config.get_application_name().is_none() {
        config.application_name(APPLICATION_NAME);
    }
    Ok(config)
}

/// Better no store than one that talks in the clear where TLS was asked for.
fn no_tls() -> Error {
    Error::Config(
        "database: this library speaks to PostgreSQL without TLS: use a Unix socket, or a tunnel, and leave \
         sslmode out"
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_address_says_nothing_of_has_a_bound() {
        let config = read("postgresql://xs2a@db.example/gateway").unwrap();
        assert_eq!(config.get_connect_timeout(), Some(&Duration::from_secs(5)));
        assert_eq!(config.get_tcp_user_timeout(), Some(&Duration::from_secs(10)));
        let config = read("postgresql://db.example/gateway?connect_timeout=2&application_name=a").unwrap();
        assert_eq!(config.get_connect_timeout(), Some(&Duration::from_secs(2)));
        assert_eq!(config.get_application_name(), Some("a"));
    }

    #[test]
    fn a_socket_may_be_named_in_both_ways() {
        for url in ["postgresql:///gateway?host=/run/postgresql", "postgres://%2Frun%2Fpostgresql/gateway"] {
            assert_eq!(read(url).unwrap().get_hosts().len(), 1, "{url}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_refused_and_not_repeated() {
        for (url, why) in [
            ("postgresql://xs2a:secret@db.example/a?sslmode=require", "without TLS"),
            ("postgresql://xs2a:secret@db.example/a?sslmode=verify-ca", "without TLS"),
            ("postgresql://xs2a:secret@db.example/a?sslmode=verify-full", "without TLS"),
            ("postgresql://xs2a:secret@db.example/a?secret=1", "no PostgreSQL URL"),
            ("postgresql://xs2a:secret@db.example:port/a", "no PostgreSQL URL"),
            ("postgresql:///gateway?user=secret", "names no host"),
        ] {
            match read(url) {
                Err(Error::Config(text)) => assert!(text.contains(why) && !text.contains("secret"), "{text}"),
                other => panic!("{url}: {other:?}"),
            }
        }
        assert!(read("postgresql://db.example/a?sslmode=prefer").is_ok());
    }
}
