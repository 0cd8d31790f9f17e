//! Payments made durable on PostgreSQL by one thread and by many, against bare commits of the same rows by as many.

use std::sync::Arc;
use std::time::Duration;

use postgres::types::ToSql;
use postgres::{Client, NoTls, Statement};
use xs2a::env::ManualClock;
use xs2a::internal::{load_default_data, Database, SandboxBank, TestPki};
use xs2a::policy::{Environment, Policy};
use xs2a::trust::TrustAnchors;
use xs2a::types::Rates;
use xs2a::Engine;

use crate::payments::{Payer, Signed, NOW};
use crate::postgres_server::{Disk, Server};
use crate::report::Figure;
use crate::rounds::{in_threads, Contender, Rounds};
use crate::rows::{micros, progress};
use crate::Outcome;

/// Divisible by the largest number of threads.
const PAYMENTS: Rounds = Rounds { warm_up: 3, count: 15, calls: 160 };
/// How many threads, and the names of the rows.
const THREADS: [(usize, &str); 3] = [
    (1, "create an instant payment on PostgreSQL, durable"),
    (4, "the same with four threads"),
    (16, "the same with sixteen threads"),
];

/// Measures the rows; none where there is no server.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    let Some(server) = Server::start(Disk::Synced) else {
        progress("there is no PostgreSQL server program here: no rows of it");
        return Ok(Vec::new());
    };
    let (creations, commits) = (server.database(), server.database());
    let mut contenders = Vec::new();
    for (threads, _) in THREADS {
        contenders.push((SameRows::open(&commits, threads)?, Creation::open(&creations, threads)?));
    }
    let mut turns: Vec<&mut dyn Contender> = Vec::new();
    for (commit, creation) in &mut contenders {
        turns.extend([commit as &mut dyn Contender, creation]);
    }
    let medians = PAYMENTS.measure(&mut turns)?;
    let figure = |(place, (threads, name)): (usize, (usize, &'static str))| {
        let (bare, measured) = (2 * place, 2 * place + 1);
        let seconds = medians.seconds_of(bare);
        Figure {
            name,
            measured: micros(medians.seconds_of(measured)),
            against: format!(
                "as many bare durable commits of the same rows, {threads} at a time: {}",
                micros(seconds)
            ),
            ratio: medians.ratio(measured, bare),
            aim: None,
        }
    };
    Ok(THREADS.into_iter().enumerate().map(figure).collect())
}

/// Creates payments with an engine over the store.
struct Creation {
    engine: Engine,
    payer: Payer,
    threads: usize,
    prepared: Vec<Signed>,
}

impl Creation {
    fn open(url: &str, threads: usize) -> Outcome<Self> {
        let accounts = Arc::new(Database::open_memory_for_sandbox()?);
        load_default_data(&accounts)?;
        let mut trust = TrustAnchors::new();
        trust.add(Arc::clone(TestPki::new()?.root()));
        let engine = Engine::builder()
            .bank(Arc::new(SandboxBank::new(accounts, Rates::default())))
            .store(xs2a::store::open(url)?)
            .clock(Arc::new(ManualClock::new(NOW.parse()?)))
            .trust_anchors(trust)
            // The rules of the sandbox, whose accounts these are.
            .policy(Policy::new(Environment::Sandbox))
            .build()?;
        let payer = Payer::of_seed(u64::try_from(threads)?)?;
        Ok(Self { engine, payer, threads, prepared: Vec::new() })
    }
}

impl Contender for Creation {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        // The payments of several contenders meet in one database: none is like another's.
        self.prepared = (0..calls).map(|_| self.payer.creation_by(self.threads)).collect::<Outcome<_>>()?;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let shares = self.prepared.chunks(self.prepared.len() / self.threads).collect();
        let create = |calls: &[Signed]| calls.iter().filter(|call| call.send_to(&self.engine) == 201).count();
        in_threads(shares, self.prepared.len(), create)
    }
}

/// A copy of the one payment, its authorisation and its request id, under other ids. Each is found by an index.
const ROWS: [&str; 3] = [
    "INSERT INTO xs2a.used_request_id (tpp, request_id, used_at) \
        SELECT tpp, gen_random_uuid(), used_at FROM xs2a.used_request_id ORDER BY tpp, request_id LIMIT 1",
    "INSERT INTO xs2a.payment (id, version, tpp, product, transfer, fee, fee_currency, status, created_at, \
        duplicate_fingerprint, context) SELECT $1, version, tpp, product, transfer, fee, fee_currency, status, \
        created_at, sha256($1::text::bytea), context FROM xs2a.payment WHERE number = 1",
    "INSERT INTO xs2a.authorisation (id, version, tpp, payment_id, redirect_uri, session_id, context, language, \
        created_at, status, purpose, psu_language, redirect_preferred) SELECT $1, version, tpp, $1, redirect_uri, \
        session_id, context, language, created_at, status, purpose, psu_language, redirect_preferred \
        FROM xs2a.authorisation WHERE id = (SELECT min(id) FROM xs2a.authorisation)",
];

/// Writes the rows of a creation again and again, past the library: the same tables and indexes.
struct SameRows {
    connections: Vec<Connection>,
    calls: usize,
}

/// One of several that write the rows.
struct Connection {
    client: Client,
    statements: Vec<Statement>,
    /// Which of how many it is, as a part of the ids.
    name: String,
    written: u64,
}

impl SameRows {
    fn open(url: &str, threads: usize) -> Outcome<Self> {
        let mut original = Creation::open(url, threads)?;
        let status = original.payer.creation_by(threads)?.send_to(&original.engine);
        if status != 201 {
            return Err(format!("the payment to be copied was answered {status}").into());
        }
        let connect = |number| -> Outcome<_> {
            let mut client = Client::connect(url, NoTls)?;
            // As the store: a plan that was made while the tables were small would read them whole for ever.
            client.batch_execute("SET enable_seqscan TO off")?;
            let statements = ROWS.iter().map(|row| client.prepare(row)).collect::<Result<_, _>>()?;
            Ok(Connection { client, statements, name: format!("{number}-{threads}"), written: 0 })
        };
        Ok(Self { connections: (0..threads).map(connect).collect::<Outcome<_>>()?, calls: 0 })
    }
}

impl Contender for SameRows {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let share = self.calls / self.connections.len();
        let shares = self.connections.iter_mut().collect();
        let commit = |connection: &mut Connection| {
            (0..share).filter(|_| connection.write().is_ok_and(|rows| rows == 3)).count()
        };
        in_threads(shares, self.calls, commit)
    }
}

impl Connection {
    fn write(&mut self) -> Result<u64, postgres::Error> {
        self.written += 1;
        // As the library's ids: behind its predecessor.
        let id = format!("enc!!{:09}{}", self.written, self.name);
        self.client.batch_execute("BEGIN")?;
        let mut rows = 0;
        for statement in &self.statements {
            let values: [&(dyn ToSql + Sync); 1] = [&id];
            let places = statement.params().len();
            rows += self.client.execute(statement, values.get(..places).unwrap_or_default())?;
        }
        self.client.batch_execute("COMMIT")?;
        Ok(rows)
    }
}
