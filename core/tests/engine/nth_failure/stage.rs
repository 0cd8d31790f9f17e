//! An engine over a store that can fail, and a look at all rows of its database.

use std::sync::Arc;

use rusqlite::types::Value as Cell;
use rusqlite::Connection;
use tempfile::TempDir;
use xs2a::bank::Bank;
use xs2a::internal::Database;
use xs2a::policy::{AuditReads, Environment, Policy};
use xs2a::store::Store;
use xs2a::trust::TrustAnchors;
use xs2a::{Engine, EngineBuilder, Error, Request, Response, Result};

use super::failing_store::{FailingStore, FAILURE};
use crate::setup::{Setup, LONG};
use crate::support::memory_folder::memory_folder;
use crate::world::authority::Authority;

/// Rows that a refused or failed call may leave: the ids of requests, which are used up.
const NOT_COMPARED: [&str; 1] = ["used_request_id"];

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    Well,
    /// With the failure of the store, and no other.
    Failed,
}

pub(crate) struct Stage {
    pub(crate) setup: Setup,
    pub(crate) store: Arc<FailingStore>,
    pub(crate) engine: Engine,
    folder: TempDir,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let folder = memory_folder();
        let setup = Setup::over(Database::open_file(folder.path().join("bank.db")).unwrap());
        let store = Arc::new(FailingStore::new(Arc::clone(&setup.store) as Arc<dyn Store>));
        let engine = Self::builder(&setup, &store).build().unwrap();
        Self { setup, store, engine, folder }
    }

    pub(crate) fn builder(setup: &Setup, store: &Arc<FailingStore>) -> EngineBuilder {
        let root = Authority::root("Rot CA", 1, LONG);
        let mut policy = Policy::new(Environment::Production);
        policy.audit_reads = AuditReads::Committed;
        Engine::builder()
            .bank(Arc::clone(&setup.bank) as Arc<dyn Bank>)
            .store(Arc::clone(store) as Arc<dyn Store>)
            .clock(Arc::clone(&setup.clock) as Arc<_>)
            .trust_anchors(TrustAnchors::from_bundle(root.pem.as_bytes()).unwrap())
            .policy(policy)
    }

    /// Signs a request and sends it to the engine whose store can fail.
    pub(crate) fn call(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let number = {
            let mut calls = self.setup.calls.lock();
            *calls += 1;
            *calls
        };
        let signed = self.setup.signer.sign(method, target, headers, body, self.setup.now(), number);
        let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        self.engine.handle(&Request { method, target, headers: &headers, body, correlation_id: None })
    }

    /// Every row of every table but those that are not compared.
    pub(crate) fn contents(&self) -> Vec<(String, Vec<Vec<Cell>>)> {
        self.look(|connection, table| {
            let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
            let columns = statement.column_count();
            let read = |row: &rusqlite::Row<'_>| (0..columns).map(|column| row.get(column)).collect();
            statement.query_map([], read).unwrap().collect::<rusqlite::Result<_>>().unwrap()
        })
    }

    /// How many rows each of them has.
    pub(crate) fn sizes(&self) -> Vec<(String, i64)> {
        self.look(|connection, table| {
            connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
        })
    }

    fn look<T>(&self, look: impl Fn(&Connection, &str) -> T) -> Vec<(String, T)> {
        const TABLES: &str = "SELECT name FROM sqlite_schema WHERE type = 'table'
            AND name NOT LIKE 'sqlite_%' ORDER BY name";
        let connection = Connection::open(self.folder.path().join("bank.db")).unwrap();
        let mut statement = connection.prepare(TABLES).unwrap();
        let names = statement.query_map([], |row| row.get::<_, String>(0)).unwrap().map(|name| name.unwrap());
        let compared = names.filter(|name| !NOT_COMPARED.contains(&name.as_str()));
        compared.map(|name| (name.clone(), look(&connection, &name))).collect()
    }
}

/// How a call of a TPP ended that is answered with this status if all goes well.
pub(crate) fn answered(response: &Response, status: u16) -> Ended {
    match (response.status(), response.reason()) {
        (found, _) if found == status => Ended::Well,
        (500, Some("SYS-01")) => {
            let body = String::from_utf8(response.body().to_vec()).unwrap();
            assert!(body.contains("SYSTEM_ERROR") && !body.contains(FAILURE), "{body}");
            Ended::Failed
        }
        other => panic!("{other:?}: {}", String::from_utf8_lossy(response.body())),
    }
}

/// How a call of the host ended.
pub(crate) fn returned<T>(result: Result<T>) -> Ended {
    match result {
        Ok(_) => Ended::Well,
        Err(error @ Error::Store(_)) => {
            assert_eq!(error.to_string(), format!("store: {FAILURE}"));
            Ended::Failed
        }
        Err(other) => panic!("{other}"),
    }
}
