//! The address of a PostgreSQL database, and what its connections are given beside it.

use std::time::Duration;

use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::client::Client;
use super::time_limits::ANSWER_SECONDS_MAX;
use super::{failure, sslmode, tls};
use crate::error::{Error, Result};

/// How connections call themselves in the server's lists.
const APPLICATION_NAME: &str = "xs2a";
/// How long the network may take for a connection, if the address does not set it.
const CONNECT_SECONDS_MAX: u64 = 5;
/// How long a server may leave what was sent to it unconfirmed before it counts as gone, and how long it may say
/// nothing before it is asked whether it is still there.
const SILENCE_SECONDS_MAX: u64 = 10;

/// Where a database is, and what connects to it.
pub(super) struct Address {
    config: Config,
    /// `None` where nothing is encrypted.
    tls: Option<MakeRustlsConnect>,
}

impl Address {
    /// A connection.
    pub(super) fn connect(&self) -> failure::Result<Client> {
        let within = self.patience();
        match &self.tls {
            Some(tls) => Client::connect(&self.config, tls.clone(), within),
            None => Client::connect(&self.config, NoTls, within),
        }
    }

    /// How long a connection may take: the network for each host, and the one that answers for letting us in.
    fn patience(&self) -> Duration {
        let network = self.config.get_connect_timeout().copied().unwrap_or_default();
        let hosts = u32::try_from(self.config.get_hosts().len()).unwrap_or(u32::MAX);
        network.saturating_mul(hosts).saturating_add(Duration::from_secs(ANSWER_SECONDS_MAX))
    }
}

/// Reads a URL as libpq has it.
///
/// # Errors
/// [`Error::Config`] for what is no such URL, and for one whose TLS cannot be had or promises nothing. The text does
/// not repeat the address, which may hold a password.
pub(super) fn read(url: &str) -> Result<Address> {
    let (url, asked) = sslmode::take_out(url)?;
    let mut config: Config = url.parse().map_err(|_| {
        Error::Config("database: the address is no PostgreSQL URL that this library reads".to_owned())
    })?;
    if config.get_hosts().is_empty() {
        return Err(Error::Config("database: the PostgreSQL URL names no host and no socket".to_owned()));
    }
    let names_network = config.get_hosts().iter().any(|host| matches!(host, Host::Tcp(_)));
    let trust = asked.trust(names_network || !config.get_hostaddrs().is_empty())?;
    let tls = tls::connector(trust)?;
    config.ssl_mode(if tls.is_some() { SslMode::Require } else { SslMode::Disable });
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_secs(CONNECT_SECONDS_MAX));
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(Duration::from_secs(SILENCE_SECONDS_MAX));
    }
    // A server whose machine falls after it confirmed a question would be waited for as long as the driver says where
    // nothing is said: two hours.
    if config.get_keepalives_idle() == Config::new().get_keepalives_idle() {
        config.keepalives_idle(Duration::from_secs(SILENCE_SECONDS_MAX));
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_interval(Duration::from_secs(SILENCE_SECONDS_MAX));
    }
    if config.get_application_name().is_none() {
        config.application_name(APPLICATION_NAME);
    }
    Ok(Address { config, tls })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_address_says_nothing_of_has_a_bound() {
        let read = |url: &str| read(url).unwrap().config;
        let config = read("postgresql://xs2a@db.example/gateway?sslmode=disable");
        assert_eq!(config.get_connect_timeout(), Some(&Duration::from_secs(5)));
        assert_eq!(config.get_tcp_user_timeout(), Some(&Duration::from_secs(10)));
        let keepalives = |config: &Config| {
            (config.get_keepalives(), config.get_keepalives_idle(), config.get_keepalives_interval())
        };
        let seconds = Duration::from_secs;
        assert_eq!(keepalives(&config), (true, seconds(10), Some(seconds(10))));
        let way = "keepalives_idle=30&keepalives_interval=3&keepalives_retries=2";
        let config = read(&format!("postgresql://db.example/a?sslmode=disable&{way}"));
        assert_eq!(keepalives(&config), (true, seconds(30), Some(seconds(3))));
        assert_eq!(config.get_keepalives_retries(), Some(2));
        let config =
            read("postgresql://db.example/gateway?sslmode=disable&connect_timeout=2&application_name=a");
        assert_eq!(config.get_connect_timeout(), Some(&Duration::from_secs(2)));
        assert_eq!(config.get_application_name(), Some("a"));
    }

    #[test]
    fn a_socket_may_be_named_in_both_ways() {
        for url in ["postgresql:///gateway?host=/run/postgresql", "postgres://%2Frun%2Fpostgresql/gateway"] {
            let address = read(url).unwrap();
            assert_eq!((address.config.get_hosts().len(), address.tls.is_none()), (1, true), "{url}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_refused_and_not_repeated() {
        for (url, why) in [
            ("postgresql://xs2a:secret@db.example/a", "needs sslrootcert"),
            ("postgresql://xs2a:secret@db.example/a?sslmode=prefer", "a machine between node and server"),
            ("postgresql:///a?host=/run/postgresql&hostaddr=192.0.2.1&password=secret", "needs sslrootcert"),
            (
                "postgresql://xs2a:secret@db.example/a?sslrootcert=/secret/none.pem",
                "cannot be read: No such file",
            ),
            ("postgresql://xs2a:secret@db.example/a?sslmode=disable&secret=1", "no PostgreSQL URL"),
            ("postgresql://xs2a:secret@db.example:port/a?sslmode=disable", "no PostgreSQL URL"),
            ("postgresql:///gateway?user=secret", "names no host"),
        ] {
            match read(url).map(drop) {
                Err(Error::Config(text)) => assert!(text.contains(why) && !text.contains("secret"), "{text}"),
                other => panic!("{url}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_is_encrypted_is_never_talked_of_in_the_clear() {
        let mode = |url| read(url).map(|address| (address.config.get_ssl_mode(), address.tls.is_some()));
        assert_eq!(mode("postgresql://h/a?sslmode=disable").unwrap(), (SslMode::Disable, false));
        let required = mode("postgresql://h/a?sslmode=require");
        match cfg!(feature = "aws-lc") {
            true => assert_eq!(required.unwrap(), (SslMode::Require, true)),
            false => assert!(required.unwrap_err().to_string().contains("built without TLS")),
        }
    }
}
