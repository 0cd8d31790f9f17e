//! Four processes, each with its own engine, on one database: the rules hold in every order of their calls.

mod journal;
mod node;
mod shared_bank;
mod verdict;

use std::path::Path;
use std::process::{Child, Command, Stdio};

use journal::Journal;
use node::Node;
use verdict::judge;

const NODES: usize = 4;
const ROUNDS: usize = 12;

/// Environment variable for a process that this test binary starts: its node number, the database and the bank's
/// folder.
const NUMBER_VARIABLE: &str = "XS2A_TEST_NODE";
const URL_VARIABLE: &str = "XS2A_TEST_NODE_URL";
const FOLDER_VARIABLE: &str = "XS2A_TEST_NODE_FOLDER";

fn start_node(number: usize, url: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "four_nodes::one_of_four_nodes", "--ignored", "--nocapture"])
        .env(NUMBER_VARIABLE, number.to_string())
        .env(URL_VARIABLE, url)
        .env(FOLDER_VARIABLE, folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "the part of another process in the tests below"]
fn one_of_four_nodes() {
    let Ok(url) = std::env::var(URL_VARIABLE) else { return };
    let variable = |name| std::env::var(name).unwrap();
    let number = variable(NUMBER_VARIABLE).parse().unwrap();
    let folder = variable(FOLDER_VARIABLE);
    let node = Node::open(number, &url, Path::new(&folder));
    (0..ROUNDS).for_each(|round| node.work(round));
}

/// Runs four nodes on a database, then compares its contents with what the nodes received.
fn four_nodes_on(url: &str) {
    let folder = tempfile::tempdir().unwrap();
    // The host: it opens the accounts before, and delivers what is left after.
    let host = Node::open(NODES, url, folder.path());
    host.open_accounts();
    let nodes: Vec<_> = (0..NODES).map(|number| start_node(number, url, folder.path())).collect();
    for mut node in nodes {
        assert!(node.wait().unwrap().success());
    }
    host.deliver_what_is_left();
    let journals: Vec<_> = (0..=NODES).map(|number| Journal::of(folder.path(), number)).collect();
    judge(&host, &journals);
}

#[test]
fn four_nodes_on_one_sqlite_file_keep_every_rule() {
    let folder = tempfile::tempdir().unwrap();
    four_nodes_on(&format!("sqlite://{}", folder.path().join("gateway.db").display()));
}

#[cfg(feature = "postgres")]
#[test]
fn four_nodes_on_one_postgresql_database_keep_every_rule() {
    let Some(server) = crate::postgres_server::Server::shared() else { return };
    four_nodes_on(&server.database());
}
