//! The bare costs: what no implementation on the same libraries can go below.

use std::path::Path;
use std::time::Duration;

use aws_lc_rs::signature::{ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256};
use base64::prelude::{Engine as _, BASE64_STANDARD};
use rusqlite::Connection;
use x509_parser::pem::parse_x509_pem;

use crate::payments::Payer;
use crate::rounds::{timed, Contender};
use crate::Outcome;

/// One bare RSA-2048 verification over the bytes a signed request signs: key parsed, signature decoded.
pub(crate) struct RsaVerification {
    key: ParsedPublicKey,
    message: Vec<u8>,
    signature: Vec<u8>,
    calls: usize,
}

impl RsaVerification {
    /// The verification of one request of the test TPP.
    pub(crate) fn new() -> Outcome<Self> {
        let mut payer = Payer::open(None)?;
        let signed = payer.creation()?;
        let (method, target, headers, _) = signed.parts();
        let value = signed.header("Signature")?.to_owned();
        let part = |key: &str| {
            let rest = value.split_once(&format!("{key}=\""))?.1;
            rest.split_once('"').map(|(found, _)| found.to_owned())
        };
        let names = part("headers").ok_or("no headers part")?;
        let names: Vec<&str> = names.split(' ').collect();
        let fields: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let message = xs2a::tools::signing_string(method, target, &fields, &names)?.into_bytes();
        let signature = BASE64_STANDARD.decode(part("signature").ok_or("no signature part")?)?;
        let (_, pem) = parse_x509_pem(payer.tpp.certificate_pem().as_bytes())?;
        let certificate = pem.parse_x509()?;
        let key = certificate.public_key().subject_public_key.data.as_ref();
        let key = ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key)?;
        key.verify_sig(&message, &signature)?;
        Ok(Self { key, message, signature, calls: 0 })
    }
}

impl Contender for RsaVerification {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let (time, all_good) =
            timed(|| (0..self.calls).all(|_| self.key.verify_sig(&self.message, &self.signature).is_ok()));
        all_good.then_some(time).ok_or_else(|| "a good signature was refused".into())
    }
}

/// Commits before the first measured one: by then the log has been written back once and no longer grows. A file
/// that grows is slower to make durable, and what is measured against this one has outgrown that too.
const COMMITS_BEFORE: usize = 5_000;

/// The settings of the store's writer.
pub(crate) fn set_as_the_store(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -16 * 1024)?;
    connection.pragma_update(None, "wal_autocheckpoint", 4096)
}

/// One row, one commit, durable: SQLite in WAL mode with synchronous=FULL, as the store has it.
pub(crate) struct SqliteCommit {
    connection: Connection,
    calls: usize,
}

impl SqliteCommit {
    /// A new database in a folder.
    pub(crate) fn new(folder: &Path) -> Outcome<Self> {
        let connection = Connection::open(folder.join("bare.db"))?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        set_as_the_store(&connection)?;
        connection.execute_batch("CREATE TABLE thing (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")?;
        let mut commit = Self { connection, calls: COMMITS_BEFORE };
        commit.run()?;
        Ok(commit)
    }
}

impl Contender for SqliteCommit {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let mut insert = self.connection.prepare("INSERT INTO thing (text) VALUES ('one row')")?;
        let (time, result) = timed(|| (0..self.calls).try_for_each(|_| insert.execute([]).map(|_| ())));
        result?;
        Ok(time)
    }
}
