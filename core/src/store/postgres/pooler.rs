//! A pooler that gives each transaction another session of the server, such as pgbouncer with `pool_mode=transaction`.
//!
//! Settings and prepared statements belong to a session. Behind such a pooler a commit may run without them: in another
//! schema, or acknowledged before it is on the disk.

use super::connection::Connection;
use super::failure::{Failure, Result};
use super::pool::Pool;
use crate::error::Error;

const SESSION: &str = "SELECT pg_backend_pid()";
const TRANSACTION: &str = "BEGIN; SELECT pg_backend_pid()";

/// Fails if connections share sessions. Two connections look: a pooler with idle sessions gives both the same one, and
/// one with many gives a connection another as soon as a transaction of the other holds the first.
///
/// # Errors
/// [`Error::Config`].
pub(super) fn refuse_pooler(pool: &Pool) -> Result<()> {
    let mut lease = pool.take()?;
    let mut second = match pool.open_beside() {
        Ok(second) => second,
        // One connection is all that this role may have.
        Err(refusal) if refusal.is_connection_limit() => {
            lease.keep();
            return Ok(());
        }
        Err(failure) => return Err(failure),
    };
    if shares_sessions(lease.connection()?, &mut second)? {
        let text = "database: a connection pooler gives each transaction another session of PostgreSQL, and settings \
            and prepared statements are lost: set it to one session for each connection \
            (pgbouncer: pool_mode=session), or name the server itself";
        return Err(Failure::Said(Error::Config(text.to_owned())));
    }
    lease.keep();
    Ok(())
}

/// Whether the two connections have one session, or one of them changes its session.
fn shares_sessions(first: &mut Connection, second: &mut Connection) -> Result<bool> {
    let (of_first, of_second) = (first.answer(SESSION)?, second.answer(SESSION)?);
    if of_first == of_second {
        return Ok(true);
    }
    let mut firsts = vec![first.answer(TRANSACTION)?];
    let mut seconds = vec![second.answer(SESSION)?];
    first.batch("COMMIT")?;
    seconds.push(second.answer(TRANSACTION)?);
    // Two: a pooler that takes its idle sessions in turn gives the same one to every other question.
    firsts.push(first.answer(SESSION)?);
    firsts.push(first.answer(SESSION)?);
    second.batch("COMMIT")?;
    Ok(firsts.iter().any(|session| *session != of_first)
        || seconds.iter().any(|session| *session != of_second))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    use super::super::server::Server;
    use super::super::PostgresStore;
    use super::*;
    use crate::store::conformance::samples::{insert, payment};
    use crate::store::{CommitOutcome, Store as _};

    /// A real pgbouncer before the server, on a Unix socket.
    struct Pgbouncer {
        process: Child,
        folder: tempfile::TempDir,
    }

    impl Pgbouncer {
        /// `None` if the machine has no program for it, which is reported.
        fn start(server: &Server, settings: &str) -> Option<Self> {
            let Some(program) = program() else {
                let required = std::env::var_os("XS2A_POSTGRES").is_some_and(|value| value == "required");
                assert!(!required, "XS2A_POSTGRES=required, and there is no pgbouncer here");
                eprintln!(
                    "SKIPPED: there is no pgbouncer here (Debian: pgbouncer): poolers were NOT tested."
                );
                return None;
            };
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path();
            // Another user runs it, if root runs the tests.
            let everyone = std::os::unix::fs::PermissionsExt::from_mode(0o777);
            fs::set_permissions(path, everyone).unwrap();
            fs::write(path.join("users"), "\"xs2a\" \"\"\n").unwrap();
            let server = server.socket();
            let configuration = format!(
                "[databases]\n* = host={}\n[pgbouncer]\nlisten_addr =\nlisten_port = 6432\nunix_socket_dir = {folder}\n\
                 auth_type = trust\nauth_file = {folder}/users\nlogfile = {folder}/log\n{settings}\n",
                server.parent().unwrap().display(),
                folder = path.display(),
            );
            fs::write(path.join("pgbouncer.ini"), configuration).unwrap();
            let mut command = Command::new(program);
            if fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
                command.args(["-u", "nobody"]);
            }
            let process = command.arg(path.join("pgbouncer.ini")).stderr(Stdio::null()).spawn().unwrap();
            let started = Self { process, folder };
            let socket = started.folder.path().join(".s.PGSQL.6432");
            for _ in 0..200 {
                if socket.exists() {
                    return Some(started);
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            panic!("{}", fs::read_to_string(started.folder.path().join("log")).unwrap_or_default());
        }

        /// The address of a database behind it.
        fn url(&self, direct: &str) -> String {
            let name = direct.split(['/', '?']).find(|part| part.starts_with("test_")).unwrap();
            format!("postgresql://xs2a@/{name}?host={}&port=6432", self.folder.path().display())
        }
    }

    impl Drop for Pgbouncer {
        fn drop(&mut self) {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }

    fn program() -> Option<&'static Path> {
        ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].map(Path::new).into_iter().find(|path| path.exists())
    }

    fn assert_refused(url: &str) {
        match PostgresStore::open(url).map(drop) {
            Err(Error::Config(text)) => assert!(text.contains("pool_mode=session"), "{text}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_pooler_per_transaction_is_refused() {
        let Some(server) = Server::shared() else { return };
        for settings in [
            "",
            "default_pool_size = 1",
            "server_round_robin = 1",
            "min_pool_size = 3\nserver_round_robin = 1",
        ] {
            let url = server.database();
            let settings = format!("pool_mode = transaction\n{settings}");
            let Some(pooler) = Pgbouncer::start(server, &settings) else { return };
            assert_refused(&pooler.url(&url));
        }
    }

    #[test]
    fn a_pooler_per_transaction_with_busy_sessions_is_refused() {
        let Some(server) = Server::shared() else { return };
        for order in ["server_round_robin = 0", "server_round_robin = 1"] {
            let url = server.database();
            let Some(pooler) = Pgbouncer::start(server, &format!("pool_mode = transaction\n{order}")) else {
                return;
            };
            // Four sessions are idle in the pooler.
            let address = || super::super::address::read(&pooler.url(&url)).unwrap();
            let mut others: Vec<_> = (0..4).map(|_| Connection::open(&address()).unwrap()).collect();
            for other in &mut others {
                other.batch("BEGIN; SELECT 1").unwrap();
            }
            for other in &mut others {
                other.batch("COMMIT").unwrap();
            }
            assert_refused(&pooler.url(&url));
        }
    }

    #[test]
    fn a_pooler_per_session_is_used() {
        let Some(server) = Server::shared() else { return };
        let url = server.database();
        let Some(pooler) = Pgbouncer::start(server, "pool_mode = session") else { return };
        let store = PostgresStore::open(&pooler.url(&url)).unwrap();
        assert_eq!(store.commit(&[insert(payment(1))]).unwrap(), CommitOutcome::Applied);
    }
}
