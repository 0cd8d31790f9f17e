//! The address of a PostgreSQL database, and what its connections are given beside it.

use std::time::Duration;

use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::client::Client;
use super::own_settings::own_settings;
use super::sslmode::refused;
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
    refuse_bare_at(url)?;
    let (url, asked) = sslmode::take_out(url)?;
    let mut config: Config = url.parse().map_err(|error| unreadable(&url, &error))?;
    refuse_own_settings(config.get_options().unwrap_or_default())?;
    if config.get_hosts().is_empty() {
        return Err(refused("the PostgreSQL URL names no host and no socket"));
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

/// An `@` of a password would be read as the end of the password, and its rest as a host that errors and logs name.
fn refuse_bare_at(url: &str) -> Result<()> {
    let (before, after) = url.split_once('@').unwrap_or((url, ""));
    let place = before.split_once("://").map_or(before, |(_, place)| place);
    let is_in_query =
        place.split_once('/').is_some_and(|(_, path)| path.contains('?')) && before.len() < url.len();
    if after.contains('@') || is_in_query {
        return Err(refused(
            "the PostgreSQL URL has an `@` in a user, a password or a parameter: write it as %40",
        ));
    }
    Ok(())
}

/// What the driver says of a URL names a parameter and no value. A name is not repeated beside a password in the query,
/// because it may be the rest of one that has an `&` in it.
fn unreadable(url: &str, error: &tokio_postgres::Error) -> Error {
    let said = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    let holds_password = url.contains("password=");
    let why = match said.strip_prefix("unknown option ") {
        Some(_) if holds_password => {
            "has a parameter that this library does not know; an `&` in a password is written as %26"
                .to_owned()
        }
        Some(name) => {
            format!("has the parameter {name}, which this library does not know: it reads {PARAMETERS}")
        }
        None if said.starts_with("invalid value for option") => format!("has an {said}"),
        None => "is not of the form postgresql://user@host/database?parameter=value".to_owned(),
    };
    refused(&format!("the PostgreSQL URL {why}"))
}

/// The parameters of an address.
const PARAMETERS: &str =
    "user, password, host, hostaddr, port, dbname, sslmode, sslrootcert, sslnegotiation, \
    channel_binding, connect_timeout, tcp_user_timeout, keepalives, keepalives_idle, keepalives_interval, \
    keepalives_retries, application_name, options, load_balance_hosts and target_session_attrs";

/// Fails if `options` sets what each connection of this library sets itself, because the given value would not count.
fn refuse_own_settings(options: &str) -> Result<()> {
    let set = |word: &str| {
        let word = word.strip_prefix("--").or_else(|| word.strip_prefix("-c")).unwrap_or(word);
        let name = word.split('=').next().unwrap_or_default().to_ascii_lowercase().replace('-', "_");
        own_settings().into_iter().map(|(own, _)| own).find(|own| *own == name)
    };
    match options.split_ascii_whitespace().find_map(set) {
        None => Ok(()),
        Some("search_path") => Err(refused(
            "options sets search_path, but the tables are in the schema xs2a: leave it out, and give each bank a \
             database of its own",
        )),
        Some(name) => Err(refused(&format!("options sets {name}, which this library sets itself: leave it out"))),
    }
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
            ("postgresql://xs2a:secret@db.example/a?sslmode=disable&sslcert=1", "the parameter `sslcert`, which"),
            ("postgresql://db.example/a?sslmode=disable&password=p&secret=1", "written as %26"),
            ("postgresql://xs2a:secret@db.example:port/a?sslmode=disable", "invalid value for option `port`"),
            ("postgresql://xs2a:p@secret@db.example/a?sslmode=disable", "write it as %40"),
            ("postgresql://xs2a:p@secret@db.example/a?password=p@secret", "write it as %40"),
            ("postgresql://db.example/a?sslmode=disable&password=p@secret", "write it as %40"),
            ("postgresql:///a?host=/run&password=p@secret", "write it as %40"),
            ("postgresql://xs2a:secret@h/a?sslmode=disable&options=-c%20search_path%3Da", "the schema xs2a"),
            ("postgresql://xs2a:secret@h/a?sslmode=disable&options=-cSearch_Path%3Da", "the schema xs2a"),
            ("postgresql://xs2a:secret@h/a?sslmode=disable&options=--search-path%3Da", "the schema xs2a"),
            (
                "postgresql://xs2a:secret@h/a?sslmode=disable&options=-c%20geqo%3Doff%20-c%20lock_timeout%3D1s",
                "options sets lock_timeout",
            ),
            ("postgresql:///gateway?user=secret", "names no host"),
        ] {
            match read(url).map(drop) {
                Err(Error::Config(text)) => assert!(text.contains(why) && !text.contains("secret"), "{text}"),
                other => panic!("{url}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_percent_encoded_password_and_options_of_other_settings_are_read() {
        let url = "postgresql://xs2a:p%40ss@h/a?sslmode=disable&options=-c%20deadlock_timeout%3D1s";
        let config = read(url).unwrap().config;
        assert_eq!(config.get_password(), Some(b"p@ss".as_slice()));
        assert_eq!(config.get_options(), Some("-c deadlock_timeout=1s"));
        assert_eq!(config.get_hosts(), [Host::Tcp("h".to_owned())]);
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
