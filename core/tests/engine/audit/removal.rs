//! How old lines are removed, as the guide says.

use chrono::TimeDelta;
use rusqlite::Connection;
use xs2a::store::sqlite::Database;

use crate::audit::{all, kinds};
use crate::setup::Setup;

/// The statements of the guide for one database, which begin so, for lines before that day.
fn guided(beginning: &str, day: &str) -> String {
    let guide = include_str!("../../../../docs/guide/audit.md");
    let mut blocks = guide.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next());
    let block = blocks.find(|block| block.starts_with(beginning)).unwrap();
    block.replace("2021-01-01T00:00:00Z", day)
}

#[test]
fn the_guides_sql_removes_old_lines_alone_and_keeps_the_schema() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("bank.db");
    let setup = Setup::over(Database::open_file(&path).unwrap());
    setup.ordered();
    let old = all(&setup.engine).len();
    setup.wait(TimeDelta::days(1));
    setup.engine.run_due().unwrap();
    setup.ordered();
    let lines = all(&setup.engine);

    let owner = Connection::open(&path).unwrap();
    let schema = || {
        let sql = "SELECT group_concat(sql, ';' ORDER BY name) FROM sqlite_schema";
        owner.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap()
    };
    let before = schema();
    owner.execute_batch(&guided("BEGIN IMMEDIATE;", "2026-09-02T10:00:00Z")).unwrap();
    assert_eq!(all(&setup.engine), lines[old..]);
    assert!(kinds(&lines[..old]).contains(&"payment.status"));
    assert_eq!(schema(), before);
    owner.execute_batch("DELETE FROM audit").unwrap_err();
    setup.ordered();
}

#[cfg(feature = "postgres")]
#[test]
fn on_postgresql_old_lines_are_removed_as_the_guide_says_and_no_others() {
    use std::sync::Arc;
    use xs2a::store::postgres::PostgresStore;
    use xs2a::store::Store;

    use crate::postgres_server::Server;

    let Some(server) = Server::shared() else { return };
    let url = server.database();
    let store: Arc<dyn Store> = Arc::new(PostgresStore::open(&url).unwrap());
    let setup = Setup::with(|builder| builder.store(store));
    setup.ordered();
    let old = all(&setup.engine).len();
    setup.wait(TimeDelta::days(1));
    setup.engine.run_due().unwrap();
    setup.ordered();
    let lines = all(&setup.engine);

    let mut owner = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    owner.batch_execute(&guided("BEGIN;", "2026-09-02T10:00:00Z")).unwrap();
    assert_eq!(all(&setup.engine), lines[old..]);
    for table in ["audit", "event"] {
        owner.batch_execute(&format!("DELETE FROM xs2a.{table}")).unwrap_err();
    }
    setup.ordered();
}
