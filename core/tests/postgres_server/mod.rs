//! A real PostgreSQL server for tests: the one that `server.sh run` gave to all of them, or one of this process.
//!
//! Nothing of the process needs to run for its end: `server.sh hold` ends the server when the pipe from the process is
//! closed, which the system does however the process dies.
#![allow(
    dead_code,
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::zombie_processes,
    reason = "each user of this file uses a part of it, a test fails by panicking, and the process that holds the \
        server ends with this one"
)]

use std::fmt;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

/// Names the folder of a server that runs already.
const GIVEN: &str = "XS2A_TEST_POSTGRES";
/// Where there is no server program, tests are left out, unless this is `required`.
const REQUIRED: &str = "XS2A_POSTGRES";

/// How durably a server stores its data.
#[derive(Clone, Copy)]
pub(crate) enum Disk {
    /// As a real one does: a commit is on the disk.
    Synced,
    /// A power cut loses everything, which no test tries.
    Unsynced,
}

/// A running server.
pub(crate) struct Server {
    folder: PathBuf,
    /// `None` for one that was given.
    holder: Option<Mutex<Holder>>,
    databases: AtomicU32,
}

struct Holder {
    process: Child,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Server {
    /// The server of this process; `None` where the machine has no program for one, having said so.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Server>> = OnceLock::new();
        SHARED.get_or_init(|| Self::given().or_else(|| Self::start(Disk::Unsynced))).as_ref()
    }

    fn given() -> Option<Self> {
        let folder = PathBuf::from(std::env::var_os(GIVEN)?);
        Some(Self { folder, holder: None, databases: AtomicU32::new(0) })
    }

    /// One more server; `None` where the machine has no program for one, having said so.
    pub(crate) fn start(disk: Disk) -> Option<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/tests/postgres_server/server.sh");
        let mut process = Command::new(script)
            .arg("hold")
            .args(matches!(disk, Disk::Synced).then_some("synced"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0) // a key that interrupts the tests ends the server by the pipe alone
            .spawn()
            .unwrap();
        let commands = process.stdin.take();
        let mut answers = BufReader::new(process.stdout.take().unwrap());
        let mut said = String::new();
        answers.read_line(&mut said).unwrap();
        if !said.starts_with("ready ") {
            process.wait().unwrap();
        }
        if said == "none\n" {
            let required = std::env::var_os(REQUIRED).is_some_and(|value| value == "required");
            assert!(!required, "{REQUIRED}=required, and there is no PostgreSQL server program here");
            eprintln!("SKIPPED: there is no PostgreSQL server program here: its store was NOT tested.");
            return None;
        }
        let Some(folder) = said.trim_end().strip_prefix("ready ").map(PathBuf::from) else {
            panic!("the PostgreSQL server did not start: {said}{:?}", answers.lines().collect::<Vec<_>>());
        };
        let holder = Some(Mutex::new(Holder { process, commands, answers }));
        Some(Self { folder, holder, databases: AtomicU32::new(0) })
    }

    /// The URL of a new, empty database.
    pub(crate) fn database(&self) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        let mut client = postgres::Client::connect(&self.url("postgres"), postgres::NoTls).unwrap();
        drop_those_left_behind(&mut client);
        // Copied file by file: an order of magnitude less to do than by the log.
        client.batch_execute(&format!("CREATE DATABASE {name} STRATEGY = FILE_COPY")).unwrap();
        self.url(&name)
    }

    /// The URL of a database by its name.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgresql://xs2a@/{database}?host={}", self.folder.display())
    }

    /// Where the server listens.
    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// Stops a server of one's own as a crash does (`stop`), or starts it again (`start`).
    pub(crate) fn control(&self, command: &str) {
        let mut holder = self.holder.as_ref().expect("a server of one's own").lock().unwrap();
        writeln!(holder.commands.as_ref().unwrap(), "{command}").unwrap();
        let mut said = String::new();
        holder.answers.read_line(&mut said).unwrap();
        assert_eq!(said, "done\n");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(Ok(holder)) = self.holder.as_mut().map(Mutex::get_mut) {
            drop(holder.commands.take());
            let _ = holder.process.wait();
        }
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server in {}", self.folder.display())
    }
}

/// Databases of processes that have come to their end: otherwise a given server would grow with every test.
fn drop_those_left_behind(client: &mut postgres::Client) {
    let rows = client.query("SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%'", &[]).unwrap();
    for name in rows.iter().map(|row| row.get::<_, String>(0)) {
        let process = name.split('_').nth(1).unwrap_or_default();
        if !Path::new("/proc").join(process).exists() {
            // Another process may be at the same.
            let _ = client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}
