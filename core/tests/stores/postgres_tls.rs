//! TLS to a PostgreSQL server: which `sslmode` lets which server in. The certificates are made by the `openssl`
//! command, the server is a real one, and it is the server that says whether a connection is encrypted.
#![cfg(all(feature = "postgres", feature = "aws-lc"))]

use std::os::unix::fs::{chown, MetadataExt as _, PermissionsExt};
use std::path::PathBuf;
use std::process::Command;

use crate::support::postgres_server::{Disk, Server};
use postgres::{Client, NoTls};
use tempfile::TempDir;
use xs2a::internal::PostgresStore;
use xs2a::store::Store;
use xs2a::Error;

/// The name in the server's certificate, and one that is not.
const NAME: &str = "db.example";
const OTHER_NAME: &str = "other.example";

/// A folder of certificates: two authorities, and what the first one gave the server.
struct Certificates(TempDir);

impl Certificates {
    /// The server's are good for that address of the machine too, and for so many days.
    fn made(address: &str, days: &str) -> Self {
        let made = Self(tempfile::tempdir().unwrap());
        for (name, subject) in [("ca", "/CN=Rot"), ("foreign", "/CN=Fremmed")] {
            let key = format!("-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout {name}.key");
            made.openssl(&format!("req -x509 {key} -out {name}.pem -subj {subject} -days 30"));
        }
        std::fs::write(made.path("extensions"), format!("subjectAltName=DNS:{NAME},IP:{address}")).unwrap();
        made.openssl("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out server.key");
        made.openssl("req -new -key server.key -out server.csr -subj /CN=Database");
        let issuer = "-CA ca.pem -CAkey ca.key -CAcreateserial";
        made.openssl(&format!(
            "x509 -req -in server.csr {issuer} -days {days} -extfile extensions -out server.pem"
        ));
        let both = ["foreign.pem", "ca.pem"].map(|name| std::fs::read_to_string(made.path(name)).unwrap());
        std::fs::write(made.path("both.pem"), both.concat()).unwrap();
        made
    }

    fn openssl(&self, arguments: &str) {
        let mut command = Command::new("openssl");
        let done = command.args(arguments.split(' ')).current_dir(self.0.path()).output().unwrap();
        assert!(done.status.success(), "{arguments}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// A server that listens on an address of this machine and accepts every client with the password.
struct Listening {
    server: Server,
    address: String,
    certificates: Certificates,
}

impl Listening {
    /// With certificates that are good for so many days, which it does not use yet.
    fn start(days: &str) -> Option<Self> {
        let server = Server::start(Disk::Unsynced)?;
        // Every process has an address of its own, and all of them port 5432.
        let process = std::process::id();
        let address =
            format!("127.{}.{}.{}", 1 + process / 62_500 % 250, process / 250 % 250, 1 + process % 250);
        let listening = Self { certificates: Certificates::made(&address, days), server, address };
        std::fs::write(
            listening.folder().join("data/pg_hba.conf"),
            "local all all trust\nhost all all 127.0.0.0/8 scram-sha-256\n",
        )
        .unwrap();
        listening.control(&[
            "SET password_encryption TO 'scram-sha-256'",
            "ALTER ROLE xs2a PASSWORD 'hemmelig'",
            &format!("ALTER SYSTEM SET listen_addresses TO '{}'", listening.address),
        ]);
        Some(listening)
    }

    /// From now on the server has its certificate.
    fn encrypt(&self) {
        for name in ["server.pem", "server.key"] {
            let (from, to) = (self.certificates.path(name), self.folder().join(name));
            std::fs::copy(from, &to).unwrap();
            // The server refuses a key that others may read.
            std::fs::set_permissions(&to, PermissionsExt::from_mode(0o600)).unwrap();
            let owner = std::fs::metadata(self.folder()).unwrap();
            chown(&to, Some(owner.uid()), Some(owner.gid())).unwrap();
        }
        let file = |name: &str| self.folder().join(name).display().to_string();
        self.control(&[
            &format!("ALTER SYSTEM SET ssl_cert_file TO '{}'", file("server.pem")),
            &format!("ALTER SYSTEM SET ssl_key_file TO '{}'", file("server.key")),
            "ALTER SYSTEM SET ssl TO on",
        ]);
    }

    fn folder(&self) -> PathBuf {
        self.server.socket().parent().unwrap().to_owned()
    }

    /// Runs statements on the server's socket, and starts it again.
    fn control(&self, statements: &[&str]) {
        let mut client = self.client();
        statements.iter().for_each(|statement| client.batch_execute(statement).unwrap());
        drop(client);
        self.server.control("stop");
        self.server.control("start");
    }

    fn client(&self) -> Client {
        Client::connect(&self.server.url("postgres"), NoTls).unwrap()
    }

    /// Opens a store, does something, and gives whether the server calls its connections encrypted.
    fn open(&self, host: &str, query: &str) -> Result<bool, Error> {
        let database = self.server.database();
        let name = database.split(['/', '?']).find(|part| part.starts_with("test_")).unwrap();
        let folder = self.certificates.0.path().display().to_string();
        let query = query.replace("FOLDER", &folder);
        let way = format!("hostaddr={}&application_name={name}", self.address);
        let store = PostgresStore::open(&format!("postgresql://xs2a:hemmelig@{host}/{name}?{way}&{query}"))?;
        assert_eq!(store.outbox().next_order_due()?, None);
        let row = self.client().query_one(
            "SELECT bool_and(ssl), bool_or(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                WHERE application_name = $1",
            &[&name],
        );
        let row = row.unwrap();
        let (all, any): (bool, bool) = (row.get(0), row.get(1));
        assert_eq!(all, any, "{host} {query}");
        Ok(all)
    }

    fn assert_refused(&self, host: &str, query: &str, why: &str) {
        match self.open(host, query) {
            Err(Error::Store(fault)) => {
                let text = fault.text();
                assert!(text.contains(why) && !text.contains("hemmelig"), "{host} {query}: {text}");
            }
            other => panic!("{host} {query}: {other:?}"),
        }
    }
}

#[test]
fn each_mode_accepts_only_the_servers_it_documents() {
    let Some(listening) = Listening::start("30") else { return };
    listening.encrypt();
    let address = listening.address.clone();
    for (host, query, is_encrypted) in [
        (NAME, "sslmode=disable", false),
        (OTHER_NAME, "sslmode=require", true),
        (OTHER_NAME, "sslmode=require&sslrootcert=FOLDER/ca.pem", true),
        (OTHER_NAME, "sslmode=verify-ca&sslrootcert=FOLDER/ca.pem", true),
        (NAME, "sslmode=verify-full&sslrootcert=FOLDER/ca.pem", true),
        (NAME, "sslmode=verify-full&sslrootcert=FOLDER/both.pem", true),
        (&address, "sslmode=verify-full&sslrootcert=FOLDER/ca.pem", true),
        (NAME, "sslrootcert=FOLDER/ca.pem", true),
        // The password is bound to the certificate: no intermediary can forward it.
        (NAME, "channel_binding=require&sslrootcert=FOLDER/ca.pem", true),
        (OTHER_NAME, "channel_binding=require&sslmode=require", true),
    ] {
        assert_eq!(listening.open(host, query).unwrap(), is_encrypted, "{host} {query}");
    }
    let foreign = "is of none of the authorities in sslrootcert";
    let misnamed = "is for another name than the host of the address";
    for (host, query, why) in [
        (NAME, "sslmode=require&sslrootcert=FOLDER/foreign.pem", foreign),
        (NAME, "sslmode=verify-ca&sslrootcert=FOLDER/foreign.pem", foreign),
        (NAME, "sslmode=verify-full&sslrootcert=FOLDER/foreign.pem", foreign),
        (NAME, "sslrootcert=FOLDER/foreign.pem", foreign),
        (OTHER_NAME, "sslmode=verify-full&sslrootcert=FOLDER/ca.pem", misnamed),
        (OTHER_NAME, "sslrootcert=FOLDER/ca.pem", misnamed),
        ("127.0.0.1", "sslmode=verify-full&sslrootcert=FOLDER/ca.pem", misnamed),
        (NAME, "channel_binding=require&sslmode=disable", "channel binding"),
    ] {
        listening.assert_refused(host, query, why);
    }
}

#[test]
fn a_server_without_tls_is_refused_by_every_mode_that_promises_it() {
    let Some(listening) = Listening::start("30") else { return };
    for query in [
        "sslmode=require",
        "sslmode=verify-ca&sslrootcert=FOLDER/ca.pem",
        "sslmode=verify-full&sslrootcert=FOLDER/ca.pem",
        "sslrootcert=FOLDER/ca.pem",
    ] {
        listening.assert_refused(NAME, query, "server does not support TLS");
    }
    assert!(!listening.open(NAME, "sslmode=disable").unwrap());
}

#[test]
fn an_expired_certificate_is_refused_by_modes_that_verify() {
    let Some(listening) = Listening::start("-1") else { return };
    listening.encrypt();
    for mode in ["sslmode=verify-ca&", "sslmode=verify-full&", ""] {
        let query = format!("{mode}sslrootcert=FOLDER/ca.pem");
        listening.assert_refused(NAME, &query, "its certificate has expired");
    }
    assert!(listening.open(NAME, "sslmode=require").unwrap());
}

#[test]
fn a_certificate_that_is_not_a_servers_is_refused_with_what_to_do() {
    let Some(listening) = Listening::start("30") else { return };
    let made = &listening.certificates;
    let names = format!("subjectAltName=DNS:{NAME}");
    std::fs::write(made.path("client"), format!("{names}\nextendedKeyUsage=clientAuth")).unwrap();
    let own =
        format!("req -x509 -key server.key -out server.pem -subj /CN=Database -days 30 -addext {names}");
    let from_ca =
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -out server.pem";
    let authority =
        "its certificate is that of an authority: make the server's with basicConstraints=CA:FALSE";
    for (making, root, why) in [
        (own.clone(), "server.pem", Some(authority)),
        (
            format!("{from_ca} -extfile client"),
            "ca.pem",
            Some("its certificate is not for servers, by its extended key usage"),
        ),
        (format!("{own} -addext basicConstraints=CA:FALSE"), "server.pem", None),
    ] {
        made.openssl(&making);
        listening.encrypt();
        for mode in ["verify-ca", "verify-full"] {
            let query = format!("sslmode={mode}&sslrootcert=FOLDER/{root}");
            match why {
                Some(why) => listening.assert_refused(NAME, &query, why),
                None => assert!(listening.open(NAME, &query).unwrap()),
            }
        }
    }
}

#[test]
fn a_server_that_comes_back_is_found_again_by_tls() {
    let Some(listening) = Listening::start("30") else { return };
    listening.encrypt();
    let way = format!(
        "hostaddr={}&sslrootcert={}",
        listening.address,
        listening.certificates.path("ca.pem").display()
    );
    let store = PostgresStore::open(&format!("postgresql://xs2a:hemmelig@{NAME}/postgres?{way}")).unwrap();
    listening.server.control("stop");
    assert!(store.outbox().next_order_due().is_err_and(
        |error| matches!(error, Error::Store(fault) if fault.text().contains("cannot be reached"))
    ));
    listening.server.control("start");
    assert_eq!(store.outbox().next_order_due().unwrap(), None);
}
